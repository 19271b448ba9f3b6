// Highlights the next choices on the picture, where they can be chosen by click, tap or keys.
//
//     const highlights = new Highlights(scene);
//     highlights.show(options, (option, marks) => { ... });      // marks: the other words of the place
//     highlights.offer(find, (spot) => { ... });                 // before a question: every place with choices
//
// Both are drawn with the next picture that the scene puts, or puts again.
//
// A place has `data-word="cell:g4"`, kind and word. Pieces may be drawn later and cover it, so outlines and targets are
// in a layer above everything. The picture is one tab stop; inside it the arrow keys move. A place with two words
// (`column:4 row:6`) answers both questions, one after the other.

/** @typedef {import("./command-tree.js").Option} Option */
/** @typedef {import("./board-first.js").Shown} Shown */
/** @typedef {import("./board-first.js").Spot} Spot */
/** @typedef {{node: SVGGraphicsElement, key: string, look: string, says: string, does: () => void}} Place */
/** @typedef {(option: Option, others: string[]) => void} Chosen */

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = "path, polygon, rect, circle, ellipse";
const LARGE = 0.6; // share of a group's box from which on a shape gives the group its outline

export class Highlights {
  /** @param {import("./scene.js").Scene} scene */
  constructor(scene) {
    this.scene = scene;
    /** @type {(svg: SVGSVGElement) => Place[]} */
    this.find = () => [];
    /** @type {SVGGElement[]} */
    this.targets = [];
    scene.addEventListener("drawn", () => this.#draw());
    scene.figure?.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * @param {Option[]} options @param {Chosen} chosen
   * @param {(option: Option, mark: string) => boolean} [leads] may this mark be chosen after the option?
   */
  show(options, chosen, leads = () => true) {
    this.find = (svg) =>
      answers(svg, options, leads).map(({ node, option, others }) => ({
        node,
        key: "",
        look: "lit",
        says: titleOf(node) ?? option.says,
        does: () => chosen(option, others),
      }));
  }

  /** @param {(svg: SVGSVGElement) => Shown[]} find @param {(spot: Spot) => void} chosen */
  offer(find, chosen) {
    this.find = (svg) =>
      find(svg).map(({ spot, look }) => {
        const { node, key } = spot;
        const says = look === "turn" ? `Turn the tile. ${spot.says}` : spot.says;
        return { node, key, look, says, does: () => chosen(spot) };
      });
  }

  /** Focuses the first place that answers the question, or this one; false if there is none. @param {string} [key] */
  focus(key) {
    const found = this.targets.find(({ dataset }) => (key ? dataset.key === key : dataset.look === "lit"));
    this.#reach(found);
    found?.focus();
    return Boolean(found);
  }

  #draw() {
    const { svg } = this.scene;
    svg?.querySelector("g.lit")?.remove();
    this.targets = [];
    if (!svg) return;
    const places = this.scene.layer === "past" ? [] : numbered(this.find(svg));
    quiet(svg, places.length > 0);
    if (!places.length) return;
    const layer = document.createElementNS(SVG, "g");
    layer.setAttribute("class", "lit");
    this.targets = places.map((place) => this.#target(svg, place));
    layer.append(...this.targets);
    svg.append(layer);
    const lit = this.targets.filter(({ dataset }) => dataset.look !== "open");
    this.#reach(lit[0] ?? this.targets[0]);
    this.#reveal(lit);
  }

  /** @param {SVGSVGElement} svg @param {Place} place */
  #target(svg, { node, key, look, says, does }) {
    const target = document.createElementNS(SVG, "g");
    const title = document.createElementNS(SVG, "title");
    title.textContent = says;
    target.setAttribute("role", "button");
    target.setAttribute("tabindex", "-1");
    target.setAttribute("aria-label", says);
    if (look === "on") target.setAttribute("aria-pressed", "true");
    target.dataset.word = node.dataset.word ?? "";
    Object.assign(target.dataset, { look, key });
    target.append(title, outline(svg, node));
    target.addEventListener("click", does);
    target.addEventListener("focus", () => this.#reveal([target]));
    return target;
  }

  /** Moves a zoomed picture until one of these is visible. @param {Element[]} nodes */
  #reveal(nodes) {
    this.scene.dispatchEvent(new CustomEvent("reveal", { detail: nodes }));
  }

  /** Makes this target the tab stop. @param {SVGGElement | undefined} target */
  #reach(target) {
    if (!target) return;
    for (const one of this.targets) one.setAttribute("tabindex", one === target ? "0" : "-1");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const here = this.targets.find((target) => target === document.activeElement);
    if (!here || event.ctrlKey || event.metaKey || event.altKey) return;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[/** @type {keyof typeof ways} */ (event.key)];
    if (event.key === "Enter" || event.key === " ") here.dispatchEvent(new MouseEvent("click"));
    else if (way) this.#step(here, way[0] ?? 0, way[1] ?? 0);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves to the nearest place in this direction. @param {SVGGElement} here @param {number} dx @param {number} dy */
  #step(here, dx, dy) {
    const from = middle(here);
    const far = this.targets.map((target) => ({ target, far: distance(from, middle(target), dx, dy) }));
    const next = far.filter((one) => one.far > 0 && one.target !== here).sort((one, other) => one.far - other.far)[0];
    if (!next) return;
    this.#reach(next.target);
    next.target.focus();
  }
}

/**
 * Every place of an option, in the order of the picture.
 * @param {SVGSVGElement} svg @param {Option[]} options @param {(option: Option, mark: string) => boolean} leads
 */
function answers(svg, options, leads) {
  const meeting = meets(svg);
  const marked = /** @type {SVGGraphicsElement[]} */ ([...svg.querySelectorAll("[data-word]")]);
  return marked.flatMap((node) => {
    const marks = (node.dataset.word ?? "").split(" ");
    const fits = (/** @type {Option} */ option) => {
      if (!option.marks.some((mark) => marks.includes(mark))) return false;
      if (option.seat !== null && Number(node.dataset.seat) !== option.seat + 1) return false;
      const others = marks.filter((mark) => !option.marks.includes(mark));
      return !others.length || !meeting(marks) || others.some((mark) => leads(option, mark));
    };
    const option = options.find(fits);
    return option ? [{ node, option, others: marks.filter((mark) => !option.marks.includes(mark)) }] : [];
  });
}

/**
 * Is a place where these marks meet, as a column and a row do? Then each of them is also a place of its own. Otherwise
 * they are names of one thing.
 * @param {SVGSVGElement} svg @returns {(marks: string[]) => boolean}
 */
export function meets(svg) {
  const marked = /** @type {SVGGraphicsElement[]} */ ([...svg.querySelectorAll("[data-word]")]);
  const alone = new Set(marked.map(({ dataset }) => dataset.word ?? ""));
  return (marks) => marks.length > 1 && marks.every((mark) => alone.has(mark));
}

/**
 * Places with the same name, such as two dice that show the same, get a number each.
 * @param {Place[]} places
 */
function numbered(places) {
  return places.map((place, at) => {
    const same = places.filter(({ says }) => says === place.says);
    if (same.length === 1) return place;
    const nth = places.slice(0, at).filter(({ says }) => says === place.says).length + 1;
    return { ...place, says: `${place.says}, ${nth} of ${same.length}` };
  });
}

/** @param {Element} node */
const titleOf = (node) => node.querySelector("title")?.textContent;

/**
 * Screen readers read highlighted places one after the other; without any, it is one picture.
 * @param {SVGSVGElement} svg
 * @param {boolean} lit
 */
function quiet(svg, lit) {
  svg.setAttribute("role", lit ? "group" : "img");
  svg.setAttribute(
    "aria-label",
    lit
      ? "Picture of the position, with the next choices"
      : "Picture of the position. The board as text follows below.",
  );
}

/**
 * The outline around a place, in the units of the whole picture; it is also the click target.
 * @param {SVGSVGElement} svg
 * @param {SVGGraphicsElement} node
 */
export function outline(svg, node) {
  const shape = largest(node);
  const rim = shape ? /** @type {SVGGraphicsElement} */ (shape.cloneNode(false)) : boxed(node);
  for (const { name } of [...rim.attributes]) if (!GEOMETRY.has(name)) rim.removeAttribute(name);
  const from = (shape ?? node).getScreenCTM();
  const to = svg.getScreenCTM();
  if (from && to) {
    const { a, b, c, d, e, f } = to.inverse().multiply(from);
    rim.setAttribute("transform", `matrix(${[a, b, c, d, e, f].map((one) => one.toFixed(4)).join(" ")})`);
  }
  return rim;
}

const GEOMETRY = new Set("d x y cx cy r rx ry width height points".split(" "));

/** The shape that is about as large as the whole group, if there is one. @param {SVGGraphicsElement} node */
function largest(node) {
  const whole = area(node);
  const shapes = /** @type {SVGGraphicsElement[]} */ (
    node.matches(SHAPES) ? [node] : [...node.querySelectorAll(SHAPES)]
  );
  const [first] = shapes.map((shape) => ({ shape, area: area(shape) })).sort((one, other) => other.area - one.area);
  return first && first.area >= LARGE * whole ? first.shape : null;
}

/** Its box on the screen, in pixels. @param {Element} node */
function area(node) {
  const { width, height } = node.getBoundingClientRect();
  return width * height;
}

/** @param {SVGGraphicsElement} node */
function boxed(node) {
  const { x, y, width, height } = node.getBBox();
  const rect = document.createElementNS(SVG, "rect");
  const all = Object.entries({ x: x - 2, y: y - 2, width: width + 4, height: height + 4, rx: 4 });
  for (const [name, value] of all) rect.setAttribute(name, String(value));
  return rect;
}

/** @param {Element} node */
function middle(node) {
  const { x, y, width, height } = node.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}

/**
 * The distance in this direction; sideways counts double, and places behind do not count.
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number}} to
 * @param {number} dx
 * @param {number} dy
 */
function distance(from, to, dx, dy) {
  const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
  const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
  return along > 1 ? along + 2 * aside : -1;
}
