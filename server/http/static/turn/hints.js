// Shows the title of a thing on the picture below it, when it is pointed at, focused or touched for long.

const LONG = 500;

/** @param {import("./scene.js").Scene} scene */
export function start(scene) {
  const figure = /** @type {HTMLElement} */ (scene.figure);
  const line = document.createElement("figcaption");
  line.className = "hint";
  // Screen readers do not need it: they read the names of highlighted places, and the board as text.
  line.setAttribute("aria-hidden", "true");
  figure.append(line);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const tell = (/** @type {EventTarget | null} */ target) => {
    line.textContent = says(target);
  };
  figure.addEventListener("pointerover", (event) => event.pointerType === "mouse" && tell(below(event)));
  figure.addEventListener("focusin", (event) => tell(event.target));
  figure.addEventListener("pointerdown", (event) => {
    const target = below(event);
    if (event.pointerType !== "mouse") timer = setTimeout(() => tell(target), LONG);
  });
  for (const end of ["pointerup", "pointercancel", "pointermove"]) {
    figure.addEventListener(end, (event) => {
      const { movementX = 0, movementY = 0 } = /** @type {PointerEvent} */ (event);
      if (end !== "pointermove" || Math.hypot(movementX, movementY) > 2) clearTimeout(timer);
    });
  }
  figure.addEventListener("contextmenu", (event) => says(event.target) && line.textContent && event.preventDefault());
  scene.addEventListener("drawn", () => (line.textContent = ""));
}

/**
 * The thing itself, where a target to choose it lies above.
 * @param {PointerEvent} event @returns {EventTarget | null}
 */
function below({ target, clientX, clientY }) {
  if (!(target instanceof Element && target.closest("g.lit"))) return target;
  return document.elementsFromPoint(clientX, clientY).find((one) => !one.closest("g.lit")) ?? target;
}

/** The titles of a thing and of everything that it lies on. @param {EventTarget | null} target */
function says(target) {
  const found = [];
  for (
    let node = target instanceof Element ? target : null;
    node && node.localName !== "figure";
    node = node.parentElement
  ) {
    const title = [...node.children].find((child) => child.localName === "title");
    if (title?.textContent) found.push(title.textContent.trim());
  }
  return [...new Set(found)].join(" · ");
}
