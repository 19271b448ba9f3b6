// Zooms the picture with two fingers, Ctrl and the wheel, buttons or keys; pans it by dragging.
//
// It only changes `viewBox`, so lines and words stay sharp. One finger scrolls the page as long as the whole picture is
// visible; once zoomed, it pans the picture, and scrolls the page at its edge. A drag is not a click.

import { button, el, sign } from "../ui/dom.js";
import { arrange, placeOf, zonesOf } from "./zones.js";

const MOST = 8;
const STEP = 1.4;
const DRAG = 8; // pixels; a shorter movement is a tap
const READABLE = 11; // pixels; the least height of its usual small words
const NARROW = 600; // pixels; a narrower figure is filled
const EDGE = 16; // units around a zone that is near
const KEY = 60; // pixels by which an arrow moves the picture
const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
});

/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {import("./zones.js").Shape & {fixed: boolean}} Shape `fixed`: it keeps this size, whatever it shows */

/** @param {import("./scene.js").Scene} scene */
export function start(scene) {
  const zoom = new Zoom(scene);
  scene.addEventListener("drawn", () => zoom.apply());
  scene.addEventListener("reveal", (event) => zoom.reveal(/** @type {CustomEvent<Element[]>} */ (event).detail));
  return zoom;
}

export class Zoom {
  /** @param {import("./scene.js").Scene} scene */
  constructor(scene) {
    this.scene = scene;
    this.figure = /** @type {HTMLElement} */ (scene.figure);
    /** The zoom factor, and the middle in parts of the picture's width and height. */
    this.scale = 1;
    this.middle = { x: 0.5, y: 0.5 };
    this.seen = { x: 0, y: 0 }; // the upper left visible corner, in the picture's own units
    this.opened = false;
    this.headed = false; // has its head things to choose?
    this.chosen = false; // has the reader zoomed or moved it?
    /** @type {Shape | null} */
    this.shape = null;
    /** @type {Map<number, {x: number, y: number}>} */
    this.fingers = new Map();
    this.dragged = false;
    this.figure.setAttribute("aria-label", "Picture. Use plus and minus to zoom, and the arrow keys to move.");
    this.#listen();
    this.zones = el("span", { class: "zones" });
    this.buttons = this.#buttons();
  }

  /** The whole picture, in its own units. @returns {Box} */
  get whole() {
    const [x = 0, y = 0, width = 1, height = 1] = (this.scene.svg?.dataset.whole ?? "").split(" ").map(Number);
    return { x, y, width, height };
  }

  /** Apply the zoom to the current picture. */
  apply() {
    const { svg } = this.scene;
    if (!svg) return;
    this.#arrange(svg);
    svg.dataset.whole ??= svg.getAttribute("viewBox") ?? "";
    if (this.opened) return this.#show(this.seen); // its height may differ from the last one
    this.#open();
    this.#show();
  }

  /**
   * Arranges its zones where the figure keeps its size; the panel shows the text of the head.
   * @param {SVGSVGElement} svg
   */
  #arrange(svg) {
    const shape = this.#shape();
    if (!shape.fixed) return false;
    this.headed ||= Boolean(svg.querySelector('[data-zone="head"] [data-word]'));
    const changed = arrange(svg, shape, this.headed ? ["legend"] : ["head", "legend"]);
    if (changed) this.#chips(svg);
    return changed;
  }

  /** The figure in pixels; measured again after a change of its size, as measuring lays out the whole page. */
  #shape() {
    if (this.shape) return this.shape;
    const { width, height } = this.figure.getBoundingClientRect();
    const shape = { width, height, fixed: getComputedStyle(this.figure).flexGrow === "1" };
    if (shape.fixed) this.shape = shape;
    return shape;
  }

  /** A button for each zone, which brings it near. @param {SVGSVGElement} svg */
  #chips(svg) {
    const zones = zonesOf(svg).filter(({ node, height }) => height && node.style.display !== "none");
    this.zones.replaceChildren(...(zones.length > 1 ? zones.map(({ name }) => this.#chip(name)) : []));
  }

  /** @param {string} name */
  #chip(name) {
    const seat = /^seat-(\d+)$/.exec(name)?.[1];
    const says = seat ? `P${seat}` : name.charAt(0).toUpperCase() + name.slice(1);
    const about = seat ? `Show player ${seat}` : `Show the ${name}`;
    return button(says, () => this.near(name), { class: "second", "aria-label": about, title: about });
  }

  /** Shows this zone as large as it fits. @param {string} name */
  near(name) {
    const zone = this.scene.svg && zonesOf(this.scene.svg).find((one) => one.name === name);
    if (!zone) return;
    const { x, y, scale } = placeOf(zone.node);
    const [width, height] = [zone.width * scale, zone.height * scale];
    const base = this.#base();
    this.chosen = true;
    const fits = Math.min(base.width / (width + EDGE), (base.width * base.ratio) / (height + EDGE));
    this.scale = Math.max(1, Math.min(MOST, fits));
    this.#show({ x: x + (width - base.width / this.scale) / 2, y: y - EDGE / 2 });
  }

  /** Where its words would be too small, open it larger, at most as wide as the figure, from its top. */
  #open() {
    this.opened = true;
    const across = this.figure.clientWidth;
    if (!across) return;
    const base = this.#base().width;
    const readable = across < NARROW ? Infinity : (READABLE * base) / (this.#words() * across);
    this.scale = Math.max(1, Math.min(readable, base / this.whole.width));
    this.middle = { x: 0.5, y: 0 };
  }

  /** The height of its words, in its own units: the lower quartile. */
  #words() {
    const sizes = [...(this.scene.svg?.querySelectorAll("text") ?? [])].map((one) =>
      parseFloat(getComputedStyle(one).fontSize),
    );
    return sizes.sort((one, other) => one - other)[Math.floor(sizes.length / 4)] || READABLE;
  }

  /** The whole picture with the margins that the shape of the figure leaves. */
  #base() {
    const { whole } = this;
    const { width, height, fixed } = this.#shape();
    const ratio =
      this.scene.svg && fixed && width && height
        ? height / width
        : this.scale > 1.001
          ? this.#tall()
          : whole.height / whole.width;
    return { width: Math.max(whole.width, whole.height / ratio), ratio };
  }

  #tall() {
    const shape = this.scene.svg?.getBoundingClientRect();
    return shape?.width ? shape.height / shape.width : this.whole.height / this.whole.width;
  }

  /** @param {{x: number, y: number}} [corner] stays in place; by default the middle does */
  #show(corner) {
    const { svg, whole } = this.scene.svg ? { svg: this.scene.svg, whole: this.whole } : { svg: null, whole: null };
    if (!svg || !whole) return;
    const zoomed = this.scale > 1.001;
    this.figure.classList.toggle("zoomed", zoomed);
    if (zoomed) {
      this.figure.tabIndex = 0;
    } // so that arrow keys move it; otherwise the tab key goes to the places on it
    else this.figure.removeAttribute("tabindex");
    const base = this.#base();
    const width = base.width / this.scale;
    const height = width * base.ratio;
    if (corner) {
      this.middle = {
        x: (corner.x + width / 2 - whole.x) / whole.width,
        y: (corner.y + height / 2 - whole.y) / whole.height,
      };
    }
    const half = { x: width / whole.width / 2, y: height / whole.height / 2 };
    this.middle = { x: within(this.middle.x, half.x), y: within(this.middle.y, half.y) };
    this.seen = {
      x: whole.x + this.middle.x * whole.width - width / 2,
      y: whole.y + this.middle.y * whole.height - height / 2,
    };
    const box = [this.seen.x, this.seen.y, width, height].map((one) => Math.round(one * 100) / 100).join(" ");
    if (svg.getAttribute("viewBox") !== box) svg.setAttribute("viewBox", box);
    svg.setAttribute("preserveAspectRatio", "xMidYMin meet");
    this.#tell(zoomed);
  }

  /** @param {boolean} zoomed */
  #tell(zoomed) {
    const [, less, all] = this.buttons;
    less?.toggleAttribute("disabled", !zoomed);
    all?.toggleAttribute("disabled", !zoomed);
  }

  /**
   * Zoom by this factor, around a point of the window.
   * @param {number} factor
   * @param {{x: number, y: number}} [around]
   */
  by(factor, around) {
    this.chosen = true;
    const scale = Math.max(1, Math.min(MOST, this.scale * factor));
    const at = around ? this.#part(around) : this.middle;
    const held = this.scale / scale;
    this.middle = { x: at.x + (this.middle.x - at.x) * held, y: at.y + (this.middle.y - at.y) * held };
    this.scale = scale;
    this.#show();
  }

  /**
   * Pan by this many pixels; beyond the picture's edge, scroll the page.
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    this.chosen = true;
    const seen = this.scene.svg?.getScreenCTM()?.a ?? 1;
    const { width, height } = this.whole;
    const want = this.middle.y - dy / seen / height;
    this.middle = { x: this.middle.x - dx / seen / width, y: want };
    this.#show();
    const rest = (want - this.middle.y) * height * seen;
    if (Math.abs(rest) >= 1) scrollBy(0, rest);
  }

  /** Pan until one of these is visible, if none is. @param {Element[]} nodes */
  reveal(nodes) {
    const seen = this.figure.getBoundingClientRect();
    const middles = nodes.map((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    });
    const [first] = middles;
    const inside = middles.some(({ x, y }) => x > seen.left && x < seen.right && y > seen.top && y < seen.bottom);
    if (!first || inside || this.scale <= 1) return;
    this.middle = this.#part(first);
    this.#show();
  }

  reset() {
    this.chosen = true;
    this.scale = 1;
    this.#show();
  }

  /** A point of the window in parts of the picture. @param {{x: number, y: number}} at */
  #part(at) {
    const there = this.scene.svg?.getScreenCTM()?.inverse();
    if (!there) return this.middle;
    const { x, y } = new DOMPoint(at.x, at.y).matrixTransform(there);
    const { whole } = this;
    return { x: (x - whole.x) / whole.width, y: (y - whole.y) / whole.height };
  }

  #buttons() {
    const made = [
      sign("+", "Zoom in", () => this.by(STEP)),
      sign("\u2212", "Zoom out", () => this.by(1 / STEP)),
      sign("Fit", "Fit the whole picture", () => this.reset()),
    ];
    const bar = el("div", { class: "chips", role: "group", "aria-label": "Picture" }, ...made, this.zones, asText());
    document.getElementById("strip")?.prepend(bar);
    return made;
  }

  #listen() {
    const { figure } = this;
    figure.addEventListener("pointerdown", (event) => this.#down(event));
    figure.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) {
      figure.addEventListener(end, (event) => this.fingers.delete(/** @type {PointerEvent} */ (event).pointerId));
    }
    figure.addEventListener("click", (event) => this.#click(event), { capture: true });
    figure.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    figure.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.#resized()).observe(figure);
  }

  #resized() {
    const { svg } = this.scene;
    this.shape = null;
    if (svg && this.#arrange(svg)) this.scene.redraw();
    if (this.opened && !this.chosen) this.#open();
    this.#show(this.chosen && this.scale > 1.001 ? this.seen : undefined);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0) return;
    if (!this.fingers.size) this.dragged = false;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const was = this.fingers.get(event.pointerId);
    if (!was) return;
    const now = { x: event.clientX, y: event.clientY };
    if (!this.dragged && Math.hypot(now.x - was.x, now.y - was.y) < DRAG) return;
    if (!this.dragged && (this.scale > 1 || this.fingers.size > 1)) {
      this.dragged = true;
      this.figure.setPointerCapture(event.pointerId);
    }
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) this.#pinch(other, was, now);
    else if (this.scale > 1) this.pan(now.x - was.x, now.y - was.y);
    this.fingers.set(event.pointerId, now);
  }

  /** @param {{x: number, y: number}} other @param {{x: number, y: number}} was @param {{x: number, y: number}} now */
  #pinch(other, was, now) {
    const factor = Math.hypot(now.x - other.x, now.y - other.y) / (Math.hypot(was.x - other.x, was.y - other.y) || 1);
    this.by(factor, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
  }

  /** Ignore the click that ends a drag. @param {MouseEvent} event */
  #click(event) {
    if (!this.dragged) return;
    this.dragged = false;
    event.stopPropagation();
    event.preventDefault();
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (!event.ctrlKey && this.scale <= 1.001) return;
    event.preventDefault();
    if (event.ctrlKey) this.by(Math.exp(-event.deltaY / 300), { x: event.clientX, y: event.clientY });
    else this.pan(-event.deltaX, -event.deltaY);
  }

  /** @param {string} key */
  #arrow(key) {
    const [dx = 0, dy = 0] = ARROWS[key] ?? [];
    const held = scrollY;
    this.pan(dx * KEY, dy * KEY);
    scrollTo(scrollX, held); // an arrow key at the edge must not scroll the page
  }

  /** Keys without Ctrl, which are the browser's. @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") this.by(STEP);
    else if (event.key === "-") this.by(1 / STEP);
    else if (event.key === "0") this.reset();
    else if (event.target === this.figure && this.scale > 1 && event.key in ARROWS) this.#arrow(event.key);
    else return;
    event.preventDefault();
  }
}

/** Shows the board as text in the place of the picture, where it is not below it anyway. */
function asText() {
  const chip = button(
    "Text",
    () => {
      const is = chip.closest(".position")?.classList.toggle("as-text") ?? false;
      chip.setAttribute("aria-pressed", String(is));
    },
    { class: "second text-chip", "aria-label": "Board as text", "aria-pressed": "false" },
  );
  return chip;
}

/** @param {number} at @param {number} half */
function within(at, half) {
  return half >= 0.5 ? 0.5 : Math.max(half, Math.min(1 - half, at));
}
