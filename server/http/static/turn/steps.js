// The draft move as a list of steps. A step can be shown, moved with buttons, keys or dragging, and removed.
//
//     const list = new Steps(part, { move, remove, look });
//     list.show(plan.steps, { done, looked });

import { button, el } from "../ui/dom.js";
import { draggable } from "../ui/drag.js";

/** @typedef {import("./plan.js").Step} Step */
/**
 * @typedef {object} Does
 * @property {(from: number, to: number) => void} move
 * @property {(at: number) => void} remove
 * @property {(at: number) => void} look show the position after this step
 */

export class Steps {
  /** @param {HTMLElement} part @param {Does} does */
  constructor(part, does) {
    this.part = part;
    this.does = does;
  }

  /** @param {Step[]} steps @param {number | null} looked the step whose position is shown; null: the last one's */
  show(steps, looked) {
    const again = this.#focus();
    const list = el(
      "ol",
      { class: "plan", "aria-label": "Your draft move" },
      ...steps.map((step, at) => this.#line(step, at, steps.length, looked)),
    );
    draggable(list, (from, to) => this.does.move(from, to));
    this.part.replaceChildren(...(steps.length ? [list] : []));
    this.#refocus(again, steps.length);
  }

  /** @param {Step} step @param {number} at @param {number} of @param {number | null} looked */
  #line({ notation, label }, at, of, looked) {
    const nth = `step ${at + 1}, ${notation}`;
    const look = button("", () => this.does.look(at), {
      class: "second look",
      "aria-pressed": looked === at ? "true" : "false",
      "data-is": "look",
    });
    look.append(el("span", {}, label), " ", el("code", {}, notation));
    const line = el(
      "li",
      { class: looked !== null && at > looked ? "later" : null },
      el(
        "div",
        { class: "step" },
        of > 1 && el("span", { class: "grip", "aria-hidden": "true" }),
        look,
        this.#buttons(nth, at, of),
      ),
    );
    line.addEventListener("keydown", (event) => this.#key(event, at, of));
    return line;
  }

  /** @param {string} nth @param {number} at @param {number} of */
  #buttons(nth, at, of) {
    const one = (
      /** @type {string} */ sign,
      /** @type {string} */ says,
      /** @type {string} */ is,
      /** @type {() => void} */ does,
      off = false,
    ) => button(sign, does, { class: "second", "aria-label": `${says}: ${nth}`, disabled: off, "data-is": is });
    return el(
      "span",
      { class: "does" },
      of > 1 && one("\u2191", "Move up", "up", () => this.#moved(at, at - 1), at === 0),
      of > 1 && one("\u2193", "Move down", "down", () => this.#moved(at, at + 1), at === of - 1),
      one("\u2715", "Remove", "out", () => this.does.remove(at)),
    );
  }

  /**
   * Alt with an arrow moves the step that has the focus.
   * @param {KeyboardEvent} event
   * @param {number} at
   * @param {number} of
   */
  #key(event, at, of) {
    const to = event.key === "ArrowUp" ? at - 1 : event.key === "ArrowDown" ? at + 1 : null;
    if (!event.altKey || to === null || to < 0 || to >= of) return;
    event.preventDefault();
    this.#moved(at, to);
  }

  /** Keeps the focus on the moved step. @param {number} from @param {number} to */
  #moved(from, to) {
    this.follow = to;
    this.does.move(from, to);
  }

  /** The button and line that have the focus. @returns {{at: number, is: string} | null} */
  #focus() {
    const here = document.activeElement;
    if (!(here instanceof HTMLElement) || !this.part.contains(here)) return null;
    const lines = [...this.part.querySelectorAll("li")];
    return { at: lines.findIndex((line) => line.contains(here)), is: here.dataset.is ?? "look" };
  }

  /** @param {{at: number, is: string} | null} again @param {number} of */
  #refocus(again, of) {
    const { follow } = this;
    this.follow = undefined;
    if (!again || !of) return;
    const line = this.part.querySelectorAll("li")[Math.min(follow ?? again.at, of - 1)];
    const same = line?.querySelector(`[data-is="${again.is}"]:not([disabled])`) ?? line?.querySelector(".look");
    if (same instanceof HTMLElement) same.focus({ preventScroll: true });
  }
}
