// Moves the lines of a list by dragging, with a mouse or a finger.
//
//     draggable(list, (from, to) => { ... });
//
// A finger drags the line's `.grip`, since everywhere else it scrolls the page. A drag is not a click.

const FAR = 8; // pixels; a shorter movement is a click
const NEAR = 1 / 3; // share of another line that is covered when it makes room

/**
 * @typedef {{line: HTMLElement, id: number, from: number, to: number, y: number, edges: number[], moved: boolean}} Held
 */

/** @param {HTMLElement} list @param {(from: number, to: number) => void} move */
export function draggable(list, move) {
  /** @type {Held | null} */
  let held = null;
  let dropped = -Infinity;
  const end = (/** @type {PointerEvent} */ { pointerId }, drop = false) => {
    if (!held || held.id !== pointerId) return;
    const { line, from, to, moved } = held;
    held = null;
    line.classList.remove("dragged");
    line.style.translate = "";
    if (moved) dropped = performance.now();
    if (drop && moved && from !== to) move(from, to);
  };
  list.addEventListener("pointerdown", (event) => (held ??= taken(list, event)));
  list.addEventListener("pointermove", (event) => held && held.id === event.pointerId && follow(list, held, event));
  list.addEventListener("pointerup", (event) => end(event, true));
  list.addEventListener("pointercancel", (event) => end(event));
  list.addEventListener("click", (event) => performance.now() - dropped < 50 && event.stopPropagation(), {
    capture: true,
  });
}

/** @param {HTMLElement} list @param {PointerEvent} event @returns {Held | null} */
function taken(list, { target, button, pointerType, pointerId, clientY }) {
  const at = target instanceof Element ? target : list;
  const lines = /** @type {HTMLElement[]} */ ([...list.children]);
  const line = lines.find((one) => one.contains(at));
  if (!line || button || lines.length < 2 || (pointerType !== "mouse" && !at.closest(".grip"))) return null;
  const from = lines.indexOf(line);
  const edges = lines.map(
    (one, nth) => one.getBoundingClientRect().top + one.clientHeight * (nth > from ? NEAR : 1 - NEAR),
  );
  return { line, id: pointerId, from, to: from, y: clientY, edges, moved: false };
}

/** @param {HTMLElement} list @param {Held} held @param {PointerEvent} event */
function follow(list, held, { clientY, pointerId }) {
  const far = clientY - held.y;
  if (!held.moved && Math.abs(far) < FAR) return;
  if (!held.moved) list.setPointerCapture(pointerId);
  held.moved = true;
  held.line.classList.add("dragged");
  held.line.style.translate = `0 ${far}px`;
  held.to = held.edges.filter((edge, at) => at !== held.from && edge < clientY).length;
}
