// Elements with attributes and text, made in one call.

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name @param {Record<string, string>} [attributes] @param {string} [text]
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(name, attributes = {}, text = "") {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

/** A button that says by a sign what its name says in words. @param {string} sign @param {string} says @param {() => void} does */
export function button(sign, says, does) {
  const made = element("button", { type: "button", class: "second", "aria-label": says, title: says }, sign);
  made.addEventListener("click", does);
  return made;
}

/** A choice of one of those who sit here, or of none. @param {string} none @param {string} says @param {string[]} names */
export function options(none, says, names) {
  const one = names.map((name, seat) => element("option", { value: `${seat}` }, `${says} ${name}`));
  return [element("option", { value: "" }, none), ...one];
}
