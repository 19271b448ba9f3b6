// The board's layers: the current position, above it the preview of a draft, above that an earlier position. The top
// layer is shown.
//
//     scene.put("plan", { picture, board });     scene.put("plan", null);
//     scene.addEventListener("drawn", (event) => event.detail.layer);     // highlight places in scene.svg

import { imported } from "../ui/svg.js";

/** @typedef {"now" | "plan" | "past"} Layer */
/**
 * @typedef {{picture: string, board: string, seq?: number, before?: string}} Shown `seq`: the last entry of a position
 *   of the log; `before`: the picture to compare it with
 */

const LAYERS = /** @type {Layer[]} */ (["past", "plan", "now"]);

export class Scene extends EventTarget {
  /** @param {HTMLElement | null} figure where the picture stands @param {HTMLElement | null} board and the text */
  constructor(figure, board) {
    super();
    this.figure = figure;
    this.board = board;
    /** @type {Partial<Record<Layer, Shown | null>>} */
    this.layers = {};
    /** @type {Shown | null} */
    this.shown = null;
  }

  /** The visible layer. @returns {Layer} */
  get layer() {
    return LAYERS.find((name) => this.layers[name]) ?? "now";
  }

  /** The first three sentences of the picture's head, for where the picture leaves it out. */
  get head() {
    const lines = [...(this.svg?.querySelectorAll('[data-zone="head"] text') ?? [])].map((line) => line.textContent);
    return /^(?:.*?\.(?:\s|$)){1,3}/.exec(lines.join(" "))?.[0].trim() ?? "";
  }

  /** The picture on the page. @returns {SVGSVGElement | null} */
  get svg() {
    return this.figure?.querySelector("svg") ?? null;
  }

  /** @param {Layer} layer @param {Shown | null} shown */
  put(layer, shown) {
    this.layers[layer] = shown;
    const top = this.layers[this.layer] ?? null;
    if (!top || !this.figure) return;
    if (top !== this.shown) this.#draw(top);
    this.figure.dataset.layer = this.layer;
    this.redraw();
  }

  /** Tells those who draw on the picture that it has changed. */
  redraw() {
    this.dispatchEvent(new CustomEvent("drawn", { detail: { layer: this.layer } }));
  }

  /** Compares a shown position with an earlier picture. @param {Shown} shown @param {string} before */
  compare(shown, before) {
    shown.before = before;
    this.dispatchEvent(new Event("compared"));
  }

  /** @param {Shown} shown */
  #draw(shown) {
    const svg = imported(shown.picture);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", "Picture of the position. The board as text follows below.");
    // Otherwise some screen readers read all its words.
    for (const child of svg.children) child.setAttribute("aria-hidden", "true");
    const old = this.figure?.querySelector("svg, picture");
    if (old) old.replaceWith(svg);
    else this.figure?.append(svg);
    if (this.board) this.board.textContent = shown.board;
    this.shown = shown;
  }
}
