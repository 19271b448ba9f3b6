// Makes elements within the content policy: no markup from text, no style, no handlers in attributes.
//
//     el("button", { type: "button", class: "second", on: { click: back } }, "Back")

/** @typedef {Node | string | null | undefined | false} Child */
/**
 * @typedef {Record<string, string | number | boolean | null | undefined | Record<string, (event: any) => void>>} Given
 */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Given} [given] @param {...Child} children @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "object") for (const [kind, does] of Object.entries(value)) made.addEventListener(kind, does);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter(/** @returns {child is Node | string} */ (child) => Boolean(child)));
  return made;
}

/** A button with a click handler. @param {string} says @param {() => void} does @param {Given} [given] */
export function button(says, does, given = {}) {
  return el("button", { type: "button", ...given, on: { click: does } }, says);
}

/**
 * A button that shows a sign and has words as its name.
 * @param {string} sign
 * @param {string} says
 * @param {() => void} does
 */
export function sign(sign, says, does) {
  return button(sign, does, { class: "second", "aria-label": says, title: says });
}

/** Does this contain the focus? @param {Element | null | undefined} part */
export const focused = (part) => Boolean(part?.contains(document.activeElement));
