// Where a plan leads: what `preview` says of it, or of its first steps, asked once for each as long as the log stands.
//
//     const previews = new Previews(game.id);
//     const there = await previews.of(steps);      // sentences, picture, what is legal then, why it stops
//     previews.forget();                           // something was logged
//
// An answer is that of the log at its time: what is asked before `forget` and answered after it counts for nothing.

import * as api from "../api/api.js";

/** @typedef {import("./plan.js").Step} Step */
/** @typedef {import("./command-tree.js").Choice} Choice */
/**
 * @typedef {object} Preview
 * @property {Step[]} steps
 * @property {string[]} sentences
 * @property {string[]} others what everybody else is told
 * @property {string | null} picture null: that of the position, nothing is planned
 * @property {string} board
 * @property {Choice[]} legal
 * @property {number} done
 * @property {{code: string, says: string} | null} refusal
 * @property {boolean} certain
 */

/** Nothing is planned, and nothing can be. @type {Preview} */
export const NOWHERE = {
  steps: [],
  sentences: [],
  others: [],
  picture: null,
  board: "",
  legal: [],
  done: 0,
  refusal: null,
  certain: true,
};

/** The log went on while it was asked. */
export class Overtaken extends Error {}

export class Previews {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    /** @type {Map<string, Promise<Preview>>} */
    this.known = new Map();
  }

  forget() {
    this.known = new Map();
  }

  /** @param {Step[]} steps @returns {Promise<Preview>} */
  of(steps) {
    return this.#asked(steps.map(({ notation }) => notation).join("\n"), () =>
      steps.length ? this.#preview({ commands: steps.map(({ command }) => command) }) : this.#legal(),
    );
  }

  /** What was typed after these steps. @param {Step[]} steps @param {string} text @returns {Promise<Preview>} */
  typed(steps, text) {
    return this.#preview({ notation: [...steps.map(({ notation }) => notation), text].join("\n") });
  }

  /** @param {string} key @param {() => Promise<Preview>} ask */
  async #asked(key, ask) {
    const { known } = this;
    const found = known.get(key) ?? ask();
    known.set(key, found);
    found.catch(() => known.delete(key));
    const preview = await found;
    if (known !== this.known) throw new Overtaken();
    return preview;
  }

  /** @param {object} intent @returns {Promise<Preview>} */
  async #preview(intent) {
    return api.post(`/v1/games/${this.id}/preview`, intent);
  }

  /** @returns {Promise<Preview>} */
  async #legal() {
    const legal = await api.get(`/v1/games/${this.id}/legal`);
    return { ...NOWHERE, legal };
  }
}
