// Board first: what can be done at one place of the picture, and nothing else.
//
//     const first = new BoardFirst(() => panel.render());
//     first.of(legal);                       // all commands, or those that concern the places that were chosen
//     first.places(svg, legal);              // everything on the picture that a command concerns
//     first.choose(place, legal);            // the command, if only one is left; otherwise the panel shows the rest
//
// A command concerns a place if one of its words points there. Two places together are those that it joins: a piece,
// then where it goes. The places are forgotten with the question.

import { button, el } from "../ui/dom.js";
import { ask, FEW, marksOf } from "./command-tree.js";
import { meets } from "./highlights.js";
import { added } from "./plan.js";

/** @typedef {import("./command-tree.js").Choice} Choice */
/** @typedef {import("./command-tree.js").Pick} Pick */
/** @typedef {import("./command-tree.js").Word} Word */
/**
 * @typedef {object} Spot
 * @property {SVGGraphicsElement} node
 * @property {string} key
 * @property {string[]} marks
 * @property {number} seat the owner of a piece, or -1
 * @property {boolean} whole do its marks meet there?
 * @property {string} says
 */
/**
 * @typedef {object} Shown
 * @property {Spot} spot
 * @property {"lit" | "open" | "on" | "turn"} look `lit`: answers the question, `open`: has choices of its own, `on`: is
 *   chosen, `turn`: a tap turns what was laid there
 */

export class BoardFirst {
  heard = el("p", { role: "status" });
  all = el("p");
  part = el("div", { class: "narrowed" }, this.heard, this.all);
  /** @type {Spot[]} the places chosen so far */
  chosen = [];
  /** @type {Turn | null} */
  turn = null;

  /** @param {() => void} back shows all choices again */
  constructor(back) {
    this.back = back;
  }

  forget() {
    this.chosen = [];
  }

  /** The commands that the places chosen so far have in common. @param {Choice[]} legal */
  of(legal) {
    return this.chosen.length ? joined(legal, this.chosen) : legal;
  }

  /**
   * The picks that the places stand for: the kind if all commands there are of one, and the parts of a set.
   * @param {Choice[]} list @returns {Pick[]}
   */
  begin(list) {
    const [one] = list;
    if (!this.chosen.length || !one || list.some(({ kind }) => kind !== one.kind)) return [];
    if (list.length <= Math.max(...FEW)) return []; // each has a button of its own
    const parts = one.words.flatMap((word) => (word.parts ? partsAt(word, this.chosen) : []));
    const picks = [{ kind: one.kind }, ...parts];
    return ask(list, picks).options.length ? picks : [{ kind: one.kind }];
  }

  /** Shows the subject of the choices, once, with a button for all of them. @param {Choice[]} list */
  show(list) {
    const about = this.chosen.map(({ says }) => says.replace(/\.$/, "")).join("; then ");
    const says = about && `${list.length === 1 ? "1 choice" : `${list.length} choices`} for ${about}.`;
    if (this.heard.textContent !== says) this.heard.textContent = says;
    const shown = this.all.hasChildNodes();
    if (about && !shown) this.all.append(button("All choices", () => this.back(), { class: "second" }));
    if (!about && shown) this.all.replaceChildren();
  }

  /**
   * Everything on the picture that a command concerns.
   * @param {SVGSVGElement} svg @param {Choice[]} legal @returns {Shown[]}
   */
  places(svg, legal) {
    const one = legal.length > 0 && legal.every(({ kind }) => kind === legal[0]?.kind);
    const look = (/** @type {Spot} */ spot) => {
      if (this.turns(spot)) return "turn";
      if (this.#has(spot)) return "on";
      if (this.chosen.length && joined(legal, [...this.chosen, spot]).length) return "lit";
      return !joined(legal, [spot]).length ? null : one && !this.chosen.length ? "lit" : "open";
    };
    return spotsOf(svg).flatMap((spot) => {
      const found = look(spot);
      return found ? [{ spot, look: found }] : [];
    });
  }

  /**
   * Goes on to this place if a command joins it to those before, and otherwise begins with it. A place that is chosen
   * again shows all choices.
   * @param {Spot} spot @param {Choice[]} legal @returns {Choice | null} the only command
   */
  choose(spot, legal) {
    const on = this.#has(spot);
    const further = joined(legal, [...this.chosen, spot]).length > 0;
    this.chosen = on ? [] : further ? [...this.chosen, spot] : [spot];
    return on ? null : only(this.of(legal));
  }

  /** Does a tap turn the tile of the last step here? A piece chosen before goes there instead. @param {Spot} spot */
  turns({ marks }) {
    return !this.chosen.length && Boolean(this.turn?.marks.some((mark) => marks.includes(mark)));
  }

  /** @param {Spot} spot */
  #has({ key }) {
    return this.chosen.some((one) => one.key === key);
  }
}

/**
 * The only command, or the first of those that differ in their rotation alone: it is turned on the spot.
 * @param {Choice[]} list
 */
function only(list) {
  const [one] = list;
  return one && list.every((other) => isTurned(one, other)) ? one : null;
}

/**
 * @typedef {{marks: string[], steps: import("./plan.js").Step[]}} Turn the places of a tile, and the draft with the
 *   tile turned
 */

/**
 * The last step of a draft with its tile turned to the next rotation, if there is another one.
 * @param {(steps: import("./plan.js").Step[]) => Promise<import("./preview.js").Preview>} preview
 * @param {import("./plan.js").Step[]} steps
 * @returns {Promise<Turn | null>}
 */
export async function turned(preview, steps) {
  const last = steps.at(-1);
  if (!last) return null;
  const { legal } = await preview(steps.slice(0, -1));
  const laid = legal.find(({ notation }) => notation === last.notation);
  const ways = laid ? legal.filter((one) => isTurned(laid, one)) : [];
  const next = laid && ways[(ways.indexOf(laid) + 1) % ways.length];
  if (!next || next === laid) return null;
  const marks = next.words.filter(({ kind }) => kind !== "rotation").flatMap(marksOf);
  return { marks, steps: added(steps.slice(0, -1), next) };
}

/** Are these the same but for a rotation? @param {Choice} one @param {Choice} other */
function isTurned(one, other) {
  const fixed = (/** @type {Choice} */ { kind, words }) =>
    JSON.stringify([kind, ...words.filter((word) => word.kind !== "rotation").map(({ word, seat }) => [word, seat])]);
  return fixed(one) === fixed(other);
}

/** The parts of a set that these places are. @param {Word} word @param {Spot[]} spots @returns {Pick[]} */
function partsAt(word, spots) {
  const parts = word.parts ?? [];
  return spots.flatMap(({ marks }) =>
    parts.filter((part) => marks.includes(`${word.kind}:${part.word}`)).map((part) => ({ part: part.word })),
  );
}

// --- which command concerns which place ------------------------------------------------------------------------------

/** Every marked thing of the picture. @param {SVGSVGElement} svg @returns {Spot[]} */
export function spotsOf(svg) {
  const meeting = meets(svg);
  const nodes = /** @type {SVGGraphicsElement[]} */ ([...svg.querySelectorAll("[data-word]")]);
  /** @type {Map<string, number>} */
  const count = new Map();
  return nodes
    .filter((node) => !node.closest("g.lit"))
    .map((node) => {
      const { word = "", seat = "" } = node.dataset;
      const nth = count.get(`${word}|${seat}`) ?? 0;
      count.set(`${word}|${seat}`, nth + 1);
      const says = node.querySelector("title")?.textContent ?? word;
      const marks = word.split(" ");
      return { node, key: `${word}|${seat}|${nth}`, marks, seat: Number(seat) - 1, whole: meeting(marks), says };
    });
}

/**
 * The commands that concern all of these places, preferably in the order in which they name them.
 * @param {Choice[]} legal @param {Spot[]} spots
 */
function joined(legal, spots) {
  const found = legal.map((choice) => ({ choice, at: spots.map((spot) => wordsAt(choice, spot)) }));
  const all = found.filter(({ at }) => at.every((numbers) => numbers.length));
  const kinds = new Set(all.filter(({ at }) => inOrder(at)).map(({ choice }) => choice.kind));
  return all.filter(({ choice, at }) => !kinds.has(choice.kind) || inOrder(at)).map(({ choice }) => choice);
}

/** Is each place named after the one before, the first of them before any other? @param {number[][]} at */
function inOrder(at) {
  let last = 0;
  return at.every((numbers, nth) => {
    const next = numbers.find((one) => one >= last) ?? -1;
    last = next + 1;
    return nth ? next >= 0 : next === 0;
  });
}

/**
 * The words that point at the place, as numbers among those that point at anything.
 * @param {Choice} choice @param {Spot} spot
 */
function wordsAt({ words }, { marks, seat, whole }) {
  const pointing = words.filter((word) => marksOf(word).length);
  const hits = pointing.flatMap((word, at) => {
    const mine = word.seat === undefined || word.seat === seat;
    return mine && marksOf(word).some((mark) => marks.includes(mark)) ? [at] : [];
  });
  const named = pointing.flatMap(marksOf);
  return whole && !marks.every((mark) => named.includes(mark)) ? [] : hits;
}
