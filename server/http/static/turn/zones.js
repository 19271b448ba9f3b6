// Arranges the zones of a picture in one to three columns, as `engine/kit/zones.py` does, by the shape of its place.
//
//     arrange(svg, { width: 896, height: 690 }, ["legend"]);      // the most readable number of columns
//
// A zone keeps its column in every position of a game, and a place its number of columns, so nothing jumps.

const [COLUMN, GAP, MARGIN] = [432, 16, 8];
const MOST = 3; // columns
const BESIDE = 3; // zones of players that have room beside a board
const FEW = 2; // fewer other zones of one column than this leave room for all players
const NARROW = 600; // pixels; below it there is one column
const MUCH = 1.25; // times as large as with the number of columns until now

/** @typedef {{node: SVGGraphicsElement, name: string, width: number, height: number}} Zone */
/** @typedef {{x: number, y: number, scale: number}} Place */
/** @typedef {{columns: number, width: number, height: number, places: Place[]}} Packed */
/** @typedef {{width: number, height: number, columns?: number}} Shape in pixels; `columns` is set by `arrange` */

/** The zones of a picture, in their order. @param {Element} svg @returns {Zone[]} */
export function zonesOf(svg) {
  const found = /** @type {SVGGraphicsElement[]} */ ([...svg.querySelectorAll("[data-zone]")]);
  return found.map((node) => {
    const [, , width = 0, height = 0] = (node.dataset.box ?? "").split(" ").map(Number);
    return { node, name: node.dataset.zone ?? "", width, height };
  });
}

/**
 * Places the zones where the smallest of them can be shown largest; false if they are there already. A place that has
 * had a picture changes its number of columns only for much larger zones.
 * @param {SVGSVGElement} svg @param {Shape} shape @param {string[]} without
 */
export function arrange(svg, shape, without) {
  const all = zonesOf(svg);
  const shown = all.filter(({ name }) => !without.includes(name));
  if (!shown.length || !shape.width || !shape.height) return false;
  const counts = shape.width < NARROW ? [1] : [1, 2, 3];
  const size = (/** @type {Packed} */ { width, height, places }) =>
    Math.min(shape.width / width, shape.height / height) * Math.min(...places.map(({ scale }) => scale));
  const tried = counts.map((columns) => packed(shown, columns));
  const largest = tried.reduce((one, other) => (size(other) > size(one) ? other : one));
  const held = tried.find(({ columns }) => columns === shape.columns);
  const best = held && size(largest) < MUCH * size(held) ? held : largest;
  shape.columns = best.columns;
  const key = `${best.width} ${best.height} ${without.join(" ")}`;
  if (svg.dataset.arranged === key) return false;
  svg.dataset.arranged = key;
  for (const { node, name } of all) node.style.display = without.includes(name) ? "none" : "";
  for (const [at, { node }] of shown.entries()) {
    const { x, y, scale } = /** @type {Place} */ (best.places[at]);
    node.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
  }
  for (const [name, value] of Object.entries({ width: best.width, height: best.height })) {
    svg.querySelector("rect")?.setAttribute(name, String(value));
  }
  svg.dataset.whole = `0 0 ${best.width} ${best.height}`;
  return true;
}

/** Where a zone was placed. @param {Element} node @returns {Place} */
export function placeOf(node) {
  const [x = 0, y = 0, scale = 1] = (node.getAttribute("transform") ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [];
  return { x, y, scale };
}

/** @param {Zone[]} zones @param {number} columns @returns {Packed} */
function packed(zones, columns) {
  const bottoms = Array(columns).fill(MARGIN);
  const at = columnsOf(zones, columns);
  const places = zones.map((zone, nth) => {
    const column = at[nth] ?? 0;
    const span = isWide(zone) ? Math.min(2, columns - column) : 1;
    const scale = isWide(zone) ? (COLUMN * span + GAP * (span - 1)) / zone.width : 1;
    const y = Math.max(...bottoms.slice(column, column + span));
    const bottom = zone.height ? y + zone.height * scale + GAP : y;
    bottoms.fill(bottom, column, column + span);
    return { x: MARGIN + column * (COLUMN + GAP), y, scale };
  });
  const width = columns * (COLUMN + GAP) - GAP + 2 * MARGIN;
  return { columns, width, height: Math.max(...bottoms) - GAP + MARGIN, places };
}

/**
 * The column of each zone, which no position changes: with three columns, players are beside a board, all of them if
 * little else needs room below it; without a board they fill the second and third column in rows.
 * @param {Zone[]} zones
 * @param {number} columns
 */
function columnsOf(zones, columns) {
  const hasWide = zones.some((zone) => isWide(zone) && zone.name !== "head");
  const few = zones.filter((zone) => !isWide(zone) && !isSeat(zone)).length < FEW;
  const others = columns < MOST ? columns : hasWide ? 2 : 1;
  let [beside, below] = [0, 0];
  return zones.map((zone) => {
    if (isWide(zone)) return 0;
    if (columns === MOST && isSeat(zone) && (!hasWide || few || beside < BESIDE)) {
      beside += 1;
      return hasWide ? 2 : 2 - (beside % 2);
    }
    below += 1;
    return (below - 1) % others;
  });
}

/** @param {Zone} zone */
const isWide = ({ width }) => width > COLUMN + GAP / 2;

/** @param {Zone} zone */
const isSeat = ({ name }) => name.startsWith("seat-");
