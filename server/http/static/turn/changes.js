// What differs between two pictures of a position, shown on the board: dashed rims around what a draft or a turn has
// changed, and a ghost of what the choice under the pointer would change.
//
// Pictures are compared by their marked things (`data-word`, owner, title), not by markup.

import { imported } from "../ui/svg.js";
import { outline } from "./highlights.js";

const SVG = "http://www.w3.org/2000/svg";
const THINGS = "[data-word], g:has(> title)";
const OVERLAYS = "g.lit, g.ghost";
const WAIT = 160; // milliseconds for which a choice is pointed at before its ghost is requested

/** @typedef {import("./scene.js").Scene} Scene */

/**
 * The marked things of a picture, without what is drawn on it here.
 * @param {Element} svg
 */
const marked = (svg) =>
  /** @type {SVGGraphicsElement[]} */ ([...svg.querySelectorAll(THINGS)].filter((node) => !node.closest(OVERLAYS)));

/** @param {SVGElement} node */
function keyOf(node) {
  const title = [...node.children].find(({ localName }) => localName === "title");
  return [node.dataset.word, node.dataset.seat, title?.textContent].join("|");
}

/**
 * The marked things of one picture that the other one does not have, the outermost only.
 * @param {Element} before @param {Element} after
 */
function changed(before, after) {
  /** @type {Map<string, number>} */
  const had = new Map();
  for (const node of marked(before)) had.set(keyOf(node), (had.get(keyOf(node)) ?? 0) + 1);
  const news = marked(after).filter((node) => {
    const left = had.get(keyOf(node)) ?? 0;
    had.set(keyOf(node), left - 1);
    return left <= 0;
  });
  return news.filter((node) => !news.some((other) => other !== node && other.contains(node)));
}

/** What rims were drawn for. @type {WeakMap<Element, {before: string, arranged: string | undefined}>} */
const rimmed = new WeakMap();

/** Draws rims around what a draft, or the turn that is looked at, has changed. @param {Scene} scene */
export function start(scene) {
  for (const kind of ["drawn", "compared"]) scene.addEventListener(kind, () => rims(scene));
}

/** A picture to compare with, which is never shown. @param {string} text */
const parsed = (text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement;

/**
 * Those of this picture stay until it is compared with another one, or its zones are arranged anew.
 * @param {Scene} scene
 */
function rims({ svg, layer, shown, layers }) {
  const before = layer === "plan" ? layers.now?.picture : shown?.before;
  const old = svg?.querySelector("g.changed");
  if (svg && old && rimmed.get(old)?.before === before && rimmed.get(old)?.arranged === svg.dataset.arranged) return;
  old?.remove();
  if (!svg || !before) return;
  const group = overlay("changed");
  group.append(...changed(parsed(before), svg).map((node) => outline(svg, node)));
  rimmed.set(group, { before, arranged: svg.dataset.arranged });
  svg.insertBefore(group, svg.querySelector("g.lit"));
}

/** @param {string} name */
function overlay(name) {
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", name);
  group.setAttribute("aria-hidden", "true");
  return group;
}

export class Ghost {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    scene.addEventListener("drawn", () => this.clear());
  }

  clear() {
    clearTimeout(this.timer);
    this.scene.svg?.querySelector("g.ghost")?.remove();
  }

  /**
   * Shows what these steps would change, unless it is cleared before.
   * @param {() => Promise<{picture: string | null}>} ask
   */
  show(ask) {
    this.clear();
    const timer = setTimeout(() => {
      const shown = this.scene.shown;
      ask().then(
        ({ picture }) => {
          if (picture && this.timer === timer && this.scene.shown === shown) this.#draw(picture);
        },
        () => undefined, // the choice itself tells what is wrong
      );
    }, WAIT);
    this.timer = timer;
  }

  /** @param {string} picture */
  #draw(picture) {
    const { svg, shown } = this.scene;
    if (!svg || !shown) return;
    const after = imported(picture);
    const group = overlay("ghost");
    group.append(...changed(svg, after).map((node) => placed(svg, node)));
    svg.insertBefore(group, svg.querySelector("g.lit"));
  }
}

/**
 * A copy inside copies of the groups around it, so that it looks and lies as there.
 * @param {Element} svg
 * @param {Element} node
 */
function placed(svg, node) {
  let copy = /** @type {Element} */ (node.cloneNode(true));
  for (let around = node.parentElement; around && around.localName === "g"; around = around.parentElement) {
    const shell = /** @type {Element} */ (around.cloneNode(false));
    const zone = shell.getAttribute("data-zone");
    const live = zone && svg.querySelector(`[data-zone="${zone}"]`);
    if (live) shell.setAttribute("transform", live.getAttribute("transform") ?? "");
    for (const name of ["data-zone", "data-word"]) shell.removeAttribute(name);
    shell.append(copy);
    copy = shell;
  }
  for (const one of [copy, ...copy.querySelectorAll("[data-word]")]) one.removeAttribute("data-word");
  return copy;
}
