// Offers a draft move from elsewhere and shows where it is from. It replaces the draft only if the player agrees.

import { button, el } from "../ui/dom.js";

/**
 * @typedef {{has: boolean, use: () => Promise<void>, keep: () => Promise<unknown>, then: () => void}} Does `has`: is
 *   there a draft already?
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
      el("p", {}, origin, " ", el("code", {}, notation)),
      button("Use it", done(use), { class: "second" }),
      " ",
      button(has ? "Keep the draft here" : "Discard it", done(keep), { class: "second" }),
    );
  }
}
