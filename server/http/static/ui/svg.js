// Turns the text of a picture into a part of this page, with only drawing elements and attributes, and only references
// within the picture.

const SVG = "http://www.w3.org/2000/svg";
const ELEMENTS = new Set([
  "svg",
  "g",
  "title",
  "text",
  "tspan",
  "path",
  "rect",
  "circle",
  "ellipse",
  "line",
  "polygon",
  "polyline",
]);
const PRESENTATION = /^(fill|stroke|font|text|dominant|letter|paint|stop|clip|color|opacity|visibility)(-[a-z-]+)?$/;
const GEOMETRY = new Set([
  ..."d x y x1 y1 x2 y2 cx cy r rx ry dx dy width height points transform viewBox rotate".split(" "),
  ..."data-word data-seat data-zone data-box".split(" "),
]);

/** @param {string} text @returns {SVGSVGElement} */
export function imported(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.localName !== "svg" || parsed.namespaceURI !== SVG) throw new Error("this is not a picture");
  for (const node of [...parsed.querySelectorAll("*"), parsed]) clean(node);
  return /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(parsed, true)));
}

/** @type {Map<string, boolean>} names that were looked at */
const known = new Map();

/** @param {string} name */
function draws(name) {
  let does = known.get(name);
  if (does === undefined) known.set(name, (does = GEOMETRY.has(name) || PRESENTATION.test(name)));
  return does;
}

/** @param {Element} node */
function clean(node) {
  if (node.namespaceURI !== SVG || !ELEMENTS.has(node.localName)) {
    node.remove();
    return;
  }
  for (const { name, value } of [...node.attributes]) {
    if (!draws(name) || value.includes("url(")) node.removeAttribute(name);
  }
}
