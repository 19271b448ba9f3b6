// Previews of a draft and of its first steps, each requested once in each palette until the log changes.
//
//     const previews = new Previews(`/v1/games/${game.id}`);
//     const there = await previews.of(steps);      // sentences, picture, next legal commands, why it stops
//     previews.forget();                           // the log has changed
//
// An answer that was requested before `forget` and arrives after it is ignored.

import * as api from "../api/api.js";
import { palette } from "../ui/palette.js";

/** @typedef {import("./plan.js").Step} Step */
/** @typedef {import("./command-tree.js").Choice} Choice */
/**
 * @typedef {object} Preview
 * @property {Step[]} steps
 * @property {string[]} sentences
 * @property {string[]} others the sentences for everybody else
 * @property {string | null} picture null: the picture of the position, without a draft
 * @property {string} board
 * @property {Choice[]} legal
 * @property {number} done
 * @property {{code: string, says: string} | null} refusal
 * @property {boolean} certain
 * @property {string[]} warnings what the draft wastes
 */

/** No draft, and nothing to choose. @type {Preview} */
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
  warnings: [],
};

/** The log, or the draft, has changed during the request. */
export class Overtaken extends Error {}

export class Previews {
  /** @param {string} path of the position in the API @param {Choice[] | null} [legal] its commands, if known */
  constructor(path, legal = null) {
    this.path = path;
    this.legal = legal;
    /** @type {Map<string, Promise<Preview>>} */
    this.known = new Map();
  }

  forget() {
    this.known = new Map();
  }

  /**
   * @param {Step[]} steps
   * @param {(ask: () => Promise<Preview>) => Promise<Preview>} [how] such as with retries
   * @returns {Promise<Preview>}
   */
  of(steps, how = (ask) => ask()) {
    if (!steps.length) return this.#asked("", () => how(() => this.#legal()));
    const key = [palette(), ...steps.map(({ notation }) => notation)].join("\n");
    return this.#asked(key, () => how(() => this.#preview({ commands: steps.map(({ command }) => command) })));
  }

  /** Preview text typed after these steps. @param {Step[]} steps @param {string} text @returns {Promise<Preview>} */
  async typed(steps, text) {
    const { known } = this;
    const preview = await this.#preview({ notation: [...steps.map(({ notation }) => notation), text].join("\n") });
    if (known !== this.known) throw new Overtaken();
    return preview;
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
    return api.post(`${this.path}/preview`, { ...intent, palette: palette() });
  }

  /** @returns {Promise<Preview>} */
  async #legal() {
    const legal = this.legal ?? (await api.get(`${this.path}/legal`));
    return { ...NOWHERE, legal };
  }
}
