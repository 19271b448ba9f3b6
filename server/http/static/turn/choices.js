// Buttons for the next word: first the kinds, then every word that continues a legal command; counters for sets, and a
// stepper for many numbers.
//
//     const choices = new Choices(part, { choose, back });
//     choices.show(ask(list, picks), picks);
//
// Everything that can be chosen on the picture can be chosen here too. A line below the buttons shows what a word would
// do when its button is pointed at, focused or touched for long.

import { button, el } from "../ui/dom.js";
import { without } from "./command-tree.js";

/** @typedef {import("./command-tree.js").Asked} Asked */
/** @typedef {import("./command-tree.js").Option} Option */
/** @typedef {import("./command-tree.js").Pick} Pick */
/**
 * @typedef {{choose: (picks: Pick[]) => void, back: () => void, point?: (picks: Pick[] | null) => void}} Does `point`:
 *   a choice is pointed at or focused by a key; null: no longer
 */

const LONG = 500;

export class Choices {
  /** @param {HTMLElement} part @param {Does} does */
  constructor(part, does) {
    this.part = part;
    this.does = does;
    /** @type {(option: Option) => boolean} */
    this.wanted = () => false;
    this.about = el("p", { class: "about", "aria-hidden": "true" });
    listen(part, (says) => (this.about.textContent = says));
  }

  /**
   * @param {Asked} asked @param {Pick[]} picks @param {boolean} [begun] is there a choice to go back to?
   * @param {(option: Option) => boolean} [wanted] does a lesson ask for it?
   */
  show(asked, picks, begun = picks.length > 0, wanted = () => false) {
    this.about.textContent = "";
    this.wanted = wanted;
    const focused = this.#buttons().find((one) => one === document.activeElement)?.textContent;
    const { options } = asked;
    const open = options.filter(({ closes, is }) => !closes && is !== "part");
    const closing = options.filter(({ closes }) => closes);
    const parts = asked.numbers
      ? [this.#stepper(asked)]
      : [this.#counters(asked, picks), this.#list(open, "choices"), this.#list(closing, "choices apart")];
    this.part.replaceChildren(...[begun ? this.#so(asked) : null, ...parts, this.about].filter((one) => one !== null));
    const same = focused ? this.#buttons().find(({ textContent }) => textContent === focused) : null;
    same?.focus({ preventScroll: true }); // redrawn: keep the focus on the same choice
  }

  #buttons() {
    return [...this.part.querySelectorAll("button")];
  }

  clear() {
    this.part.replaceChildren();
  }

  /** Focuses the first choice; false if there is none. */
  focus() {
    const first = this.part.querySelector(".choices button, .counters button:not([disabled]), .stepper input");
    if (first instanceof HTMLElement) first.focus({ preventScroll: true });
    return Boolean(first);
  }

  /** The choices so far, and a button to go back. @param {Asked} asked */
  #so(asked) {
    return el(
      "p",
      { class: "so" },
      el("code", {}, `${asked.so} \u2026`),
      button("Back", () => this.does.back(), { class: "second" }),
    );
  }

  /** @param {Option[]} options @param {string} kind */
  #list(options, kind) {
    if (!options.length) return null;
    return el("ul", { class: kind }, ...options.map((option) => el("li", {}, this.#button(option))));
  }

  /** @param {Option} option */
  #button(option) {
    const told = ["kind", "end"].includes(option.is) ? "" : option.about; // their labels include it
    const made = button("", () => this.does.choose(option.picks), { class: `second ${option.is}`, "data-about": told });
    made.append(...named(option));
    if (this.wanted(option)) made.setAttribute("aria-current", "step");
    const point = (/** @type {Event} */ event) => {
      if (event instanceof PointerEvent ? event.pointerType === "mouse" : made.matches(":focus-visible")) {
        this.does.point?.(option.picks);
      }
    };
    for (const kind of ["pointerenter", "focus"]) made.addEventListener(kind, point);
    for (const kind of ["pointerleave", "blur"]) made.addEventListener(kind, () => this.does.point?.(null));
    return made;
  }

  /** @param {Asked} asked @param {Pick[]} picks */
  #counters(asked, picks) {
    const more = new Map(asked.options.filter(({ is }) => is === "part").map((option) => [option.word, option]));
    const words = new Set([...(asked.taken?.keys() ?? []), ...more.keys()]);
    if (!words.size) return null;
    const lines = [...words].map((word) =>
      this.#counter(word, asked.taken?.get(word) ?? 0, more.get(word) ?? null, picks),
    );
    return el("ul", { class: "counters" }, ...lines);
  }

  /** @param {string} word @param {number} n @param {Option | null} more @param {Pick[]} picks */
  #counter(word, n, more, picks) {
    const says = more?.says ?? word;
    const less = button("\u2212", () => this.does.choose(without(picks, word)), {
      class: "second",
      "aria-label": `One less: ${says}`,
      disabled: !n,
    });
    const plus = button("+", () => more && this.does.choose(more.picks), {
      class: "second",
      "aria-label": `One more: ${says}`,
      "aria-current": more && this.wanted(more) ? "step" : null,
      disabled: !more,
    });
    return el("li", {}, less, el("output", {}, String(n)), plus, el("span", {}, says));
  }

  /** A field for a number, with buttons for one more and one less. @param {Asked} asked */
  #stepper(asked) {
    const numbers = asked.options.map(({ word }) => Number(word)).sort((one, other) => one - other);
    const [low = 0, high = 0] = [numbers[0], numbers.at(-1)];
    const input = el("input", {
      type: "number",
      inputmode: "numeric",
      min: low,
      max: high,
      value: low,
      "aria-label": `${asked.so}: ${low} to ${high}`,
    });
    const step = (/** @type {number} */ way) => (input.value = String(next(numbers, Number(input.value), way)));
    const take = () => {
      const option = asked.options.find(({ word }) => Number(word) === Number(input.value));
      if (option) this.does.choose(option.picks);
      else input.setCustomValidity(`Not every number from ${low} to ${high} is possible now. Choose another one.`);
      input.reportValidity();
      input.setCustomValidity("");
    };
    const form = el("form", { class: "stepper", on: { submit: (event) => (event.preventDefault(), take()) } });
    form.append(
      button("\u2212", () => step(-1), { class: "second", "aria-label": "One less" }),
      input,
      button("+", () => step(1), { class: "second", "aria-label": "One more" }),
      el("button", { type: "submit" }, "Choose"),
    );
    return form;
  }
}

/** The nearest number in this direction. @param {number[]} numbers @param {number} from @param {number} way */
function next(numbers, from, way) {
  const found = way > 0 ? numbers.find((one) => one > from) : numbers.findLast((one) => one < from);
  return found ?? (way > 0 ? numbers.at(-1) : numbers[0]) ?? from;
}

/**
 * The label of a button: the name, and the word to type if it differs.
 * @param {Option} option
 * @returns {Node[]}
 */
function named({ is, word, says, about, choice }) {
  if (is === "end") return [el("b", {}, "Done"), ...(about ? [el("small", {}, about)] : [])];
  if (is === "all") return [el("b", {}, "All"), el("small", {}, says)];
  if (is === "kind") return [el("b", {}, word), el("small", {}, choice ? says : about)];
  const alike = says.toLowerCase() === word.toLowerCase();
  return alike ? [el("b", {}, says)] : [el("b", {}, says), el("code", {}, word)];
}

/**
 * Shows what a choice would do when it is pointed at, focused or touched for long.
 * @param {HTMLElement} part
 * @param {(says: string) => void} tell
 */
function listen(part, tell) {
  const about = (/** @type {Event} */ event) =>
    event.target instanceof Element ? (event.target.closest("[data-about]")?.getAttribute("data-about") ?? "") : "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let long = false;
  part.addEventListener("pointerover", (event) => event.pointerType === "mouse" && tell(about(event)));
  part.addEventListener("focusin", (event) => tell(about(event)));
  part.addEventListener("pointerdown", (event) => {
    long = false;
    if (event.pointerType === "mouse") return;
    timer = setTimeout(() => {
      long = true;
      tell(about(event));
    }, LONG);
  });
  for (const end of ["pointerup", "pointercancel"]) part.addEventListener(end, () => clearTimeout(timer));
  part.addEventListener("contextmenu", (event) => long && event.preventDefault());
  const asked = (/** @type {MouseEvent} */ event) => {
    if (long && event.detail) event.stopPropagation(); // a long touch does not choose; clicks by key have no detail
    long = false;
  };
  part.addEventListener("click", asked, { capture: true });
}
