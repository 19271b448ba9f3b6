// server/http/static/ui/dom.js
function el(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === void 0 || value === false) continue;
    if (typeof value === "object") for (const [kind, does] of Object.entries(value)) made.addEventListener(kind, does);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter(
    /** @returns {child is Node | string} */
    (child) => Boolean(child)
  ));
  return made;
}
function button(says, does, given = {}) {
  return el("button", { type: "button", ...given, on: { click: does } }, says);
}
function sign(sign2, says, does) {
  return button(sign2, does, { class: "second", "aria-label": says, title: says });
}
var focused = (part) => Boolean(part?.contains(document.activeElement));

export {
  el,
  button,
  sign,
  focused
};
