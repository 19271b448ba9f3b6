// A plan from elsewhere is offered, with where it is from; it becomes the plan only if the person says so.

import { button, el } from "../ui/dom.js";

/**
 * @typedef {{has: boolean, use: () => Promise<void>, keep: () => Promise<unknown>, then: () => void}} Does `has`: is
 *   there a plan already?
 */

export class PlanOffers {
  part = el("div", { class: "offered", role: "status" });

  clear() {
    this.part.replaceChildren();
  }

  /** @param {string} notation @param {string} origin @param {Does} does */
  show(notation, origin, { has, use, keep, then }) {
    const done = (/** @type {() => Promise<unknown>} */ does) => () => {
      this.clear();
      void does().then(then);
    };
    this.part.replaceChildren(
      el("p", {}, `${has ? "Another" : "A"} plan is here, ${origin}: `, el("code", {}, notation)),
      button("Use that one", done(use), { class: "second" }),
      " ",
      button(has ? "Keep this one" : "Drop it", done(keep), { class: "second" }),
    );
  }
}
