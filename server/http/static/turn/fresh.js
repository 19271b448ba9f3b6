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

const STOPS = "a, button, input, summary, [tabindex]";

/**
 * Replace the old content by the new unless they are equal; opened parts stay open, the focus and typed text stay.
 * @param {Element} old @param {Element | null} fresh
 */
function swap(old, fresh) {
  if (!fresh || old.innerHTML === fresh.innerHTML) return;
  const focused = old.contains(document.activeElement) ? place(old, document.activeElement) : null;
  const open = [...old.querySelectorAll("details")].map((one) => one.open);
  const typed = fields(old).filter(({ value, defaultValue }) => value !== defaultValue);
  old.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
  for (const [at, one] of old.querySelectorAll("details").entries()) one.open = open[at] ?? one.open;
  for (const one of fields(old)) one.value = typed.find(({ id }) => id === one.id)?.value ?? one.value;
  const again = focused === null ? null : old.querySelectorAll(STOPS)[focused];
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

/** @param {Element} part @param {Element | null} focused */
function place(part, focused) {
  return [...part.querySelectorAll(STOPS)].findIndex((one) => one === focused);
}

/** Its fields for text or numbers. @param {Element} part */
const fields = (part) => /** @type {HTMLInputElement[]} */ ([...part.querySelectorAll("input[id]")]);
