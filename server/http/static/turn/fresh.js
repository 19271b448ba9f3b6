// A page that renews itself: it is fetched again, and parts of it replace the old ones. So only the server writes
// sentences and times, with and without scripts.

import * as api from "../api/api.js";

/** @param {string} address */
export async function read(address) {
  const text = await api.get(address, { headers: { Accept: "text/html" } });
  return new DOMParser().parseFromString(text, "text/html");
}

/**
 * Replace every part below this one that is marked `data-live` by its namesake of the new page.
 * @param {Element} root @param {Document} page
 */
export function renew(root, page) {
  for (const part of root.querySelectorAll("[data-live]")) swap(part, page.getElementById(part.id));
}

const STOPS = "a, button, input, select, textarea, summary, [tabindex]";

/**
 * Replace the old content by the new unless they are equal; opened parts stay open, the focus, typed text, choices and
 * the message about an act stay.
 * @param {Element} old @param {Element | null} fresh
 */
function swap(old, fresh) {
  if (!fresh || old.innerHTML === fresh.innerHTML) return;
  const [before, parts] = [named(old, STOPS, nameOf), named(old, "details", placeOf)];
  const focused = [...before].findIndex(([, one]) => one === document.activeElement);
  const typed = fields(old).filter((one) => !("defaultValue" in one) || one.value !== one.defaultValue);
  const said = old.querySelector(".said");
  old.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
  if (said) old.querySelector(".said")?.replaceWith(said); // what is written there next would be lost
  for (const [name, one] of named(old, "details", placeOf)) one.open = parts.get(name)?.open ?? one.open;
  for (const one of fields(old)) restore(one, typed.find(({ id }) => id === one.id)?.value);
  const again = focused < 0 ? null : sameStop(before, named(old, STOPS, nameOf), focused);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

/**
 * The nodes that match, by their name and their number among those of this name.
 * @param {Element} part @param {string} selector @param {(one: Element) => string} name @returns {Map<string, any>}
 */
function named(part, selector, name) {
  /** @type {Map<string, number>} */
  const count = new Map();
  const found = [...part.querySelectorAll(selector)].map((one) => {
    const nth = (count.get(name(one)) ?? 0) + 1;
    count.set(name(one), nth);
    return /** @type {[string, Element]} */ ([`${name(one)} ${nth}`, one]);
  });
  return new Map(found);
}

/** @param {Element} one */
const placeOf = (one) => one.closest("[id]")?.id ?? "";

/** What a control does, at which place: others may come before it. A summary may count. @param {Element} one */
function nameOf(one) {
  const says = one.localName === "summary" ? "" : one.textContent;
  return [placeOf(one), one.localName, one.getAttribute("data-act"), one.getAttribute("data-seat"), says].join(" ");
}

/**
 * The control of the same name; if it has another name now, that at the same place among as many.
 * @param {Map<string, Element>} before @param {Map<string, Element>} now @param {number} at
 */
function sameStop(before, now, at) {
  const same = now.get([...before.keys()][at] ?? "");
  return same ?? (now.size === before.size ? [...now.values()][at] : null);
}

/** Keeps what was typed or chosen, if it can still be chosen. @param {Field} field @param {string | undefined} value */
function restore(field, value) {
  const gone = field instanceof HTMLSelectElement && [...field.options].every((option) => option.value !== value);
  if (value !== undefined && !gone) field.value = value;
}

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

/** Its fields for text or numbers, and its choices. @param {Element} part @returns {Field[]} */
const fields = (part) => [...part.querySelectorAll(/** @type {"input"} */ ("input[id], select[id]"))];
