// This browser's memory of one game: checked lines, the last note, when the log was seen, signed acts, findings.
import { open } from "../keys/store.js";

/** @typedef {import("../record/verification-error.js").VerificationError} VerificationError */
/** @typedef {import("../keys/store.js").Store} Store */
/** @typedef {{size: number, last: number}} Look the log had this `size`; `last` seen at this time by our clock */
/**
 * @typedef {{code: string, says: string, expected?: unknown, found?: unknown, seq?: number, when: string}} Finding the
 *   reason why nothing is signed
 */
/**
 * @typedef {{note: string | null, ahead: string | null, finding: Finding | null, looks: Look[], warnings: string[],
 *   odd: string[], size: number, opened: number, unsigned: boolean, seat: number | null, since: number,
 *   over: boolean}} Kept `opened`: the last entry whose private part for our seat was checked; `odd`: warnings about
 *   times that were not shown yet; `seat`: ours, as last known, since the entry `since`
 */
/**
 * @typedef {{jws: string, act: string, seq: number, sent: number, refused: string | null, text?: string, says: string}}
 *   Pending `sent` in seconds by our clock
 */

const MOST_LOOKS = 64;
const MOST_WARNINGS = 64;
const MOST_EVIDENCE = 32;
const FAR = 120; // seconds; a larger difference of times is reported
/** @type {Kept} */
const NOTHING = {
  note: null,
  ahead: null,
  finding: null,
  looks: [],
  warnings: [],
  odd: [],
  size: 0,
  opened: -1,
  unsigned: false,
  seat: null,
  since: 0,
  over: false,
};

export class Memory {
  /** @param {Store} store @param {string} game */
  constructor(store, game) {
    this.store = store;
    this.game = game;
  }

  /** @param {string | number} account @param {string} game */
  static async of(account, game) {
    return new Memory(await open(account), game);
  }

  // --- the log -------------------------------------------------------------------------------------------------------

  /** @returns {Promise<Kept>} */
  async kept() {
    return { ...NOTHING, ...(await this.store.get("games", this.game)) };
  }

  /** @param {Partial<Kept>} change */
  keep(change) {
    return this.store.change(["games"], (at) => this.#changed(at("games"), change));
  }

  /**
   * Reads and writes in one transaction: another tab may change another part at the same time.
   * @param {IDBObjectStore} games @param {Partial<Kept>} change
   */
  #changed(games, change) {
    const kept = games.get(this.game);
    kept.onsuccess = () => games.put({ ...NOTHING, ...kept.result, ...change }, this.game);
  }

  /** Checked lines, from this number on. @param {number} from @returns {Promise<string[]>} */
  async lines(from) {
    return (await this.store.all("lines", this.game)).slice(from);
  }

  /**
   * Stores checked lines together with their note, and drops the evidence about them.
   * @param {{seq: number, line: string}[]} news
   * @param {Partial<Kept>} change
   * @param {string | null} shown
   */
  async keepLines(news, change, shown) {
    await this.store.change(["games", "lines", "evidence"], (at) => {
      for (const { seq, line } of news) at("lines").put(line, [this.game, seq]);
      this.#changed(at("games"), change);
      if (shown !== null) at("evidence").delete([this.game, shown]);
    });
  }

  /**
   * The stored lines were damaged, so they are fetched again; the stored note still binds the server.
   * @param {Partial<Kept>} [change]
   */
  async dropLines(change = {}) {
    const keys = await this.store.keys("lines", this.game);
    await this.store.change(["lines"], (at) => keys.forEach((key) => at("lines").delete(key)));
    await this.keep({ size: 0, ...change });
  }

  // --- evidence, stored before it is judged --------------------------------------------------------------------------

  /**
   * @param {string} what
   * @param {Record<string, any>} shown
   * @param {number} now
   * @returns {Promise<string>} its name
   */
  async show(what, shown, now) {
    const name = `${new Date(now * 1000).toISOString()} ${crypto.randomUUID().slice(0, 8)}`;
    const names = await this.store.keys("evidence", this.game);
    const { finding } = await this.kept();
    const old = finding ? [] : names.slice(0, Math.max(names.length + 1 - MOST_EVIDENCE, 0));
    await this.store.change(["evidence"], (at) => {
      at("evidence").put({ when: name.slice(0, 24), what, ...shown }, [this.game, name]);
      old.forEach((key) => at("evidence").delete(key));
    });
    return name;
  }

  /** Drops evidence that held. @param {string} name */
  forget(name) {
    return this.store.del("evidence", [this.game, name]);
  }

  /** @returns {Promise<Record<string, any>[]>} */
  evidence() {
    return this.store.all("evidence", this.game);
  }

  /**
   * From now on nothing is signed in this game. The first finding is kept.
   * @param {VerificationError} error
   * @param {number} now
   */
  async block({ code, message, expected, found, seq }, now) {
    if ((await this.kept()).finding) return;
    const facts = Object.fromEntries(
      Object.entries({ expected, found, seq }).filter(([, value]) => value !== undefined),
    );
    await this.keep({ finding: { code, says: message, when: new Date(now * 1000).toISOString(), ...facts } });
  }

  // --- signed acts ---------------------------------------------------------------------------------------------------

  /** Signed acts that are not settled, oldest first. @returns {Promise<Pending[]>} */
  pending() {
    return this.store.all("sent", this.game, "act");
  }

  /** Stores an act before it is sent, with the text that it commits to. @param {Pending} act */
  async sign(act) {
    await this.store.change(["sent"], (at) => {
      at("sent").put(act, [this.game, "act", act.seq, act.jws]);
      if (act.text !== undefined) at("sent").put(act.text, [this.game, "text", act.seq, act.jws]);
    });
  }

  /** @param {Pending} act */
  settle(act) {
    return this.store.del("sent", [this.game, "act", act.seq, act.jws]);
  }

  /** Texts of our sealed moves, which a server that has lost entries needs again. @returns {Promise<string[]>} */
  texts() {
    return this.store.all("sent", this.game, "text");
  }

  /**
   * The nonce of this game, stored before it is first sent. It never changes: a second one would let a player choose
   * the dice.
   * @param {() => string} make
   * @returns {Promise<string>}
   */
  async nonce(make) {
    const found = await this.store.get("sent", [this.game, "nonce"]);
    if (found) return found;
    const made = make();
    await this.store.put("sent", [this.game, "nonce"], made);
    return made;
  }
}

/**
 * Deletes the account's key, drafts, logs and signed acts. What binds the server stays: its keys, its last note of each
 * game, and findings.
 * @param {string | number} account
 */
export async function forgetOwn(account) {
  const store = await open(account);
  const [ids, pin] = await Promise.all([store.keys("games"), store.get("device", "server")]);
  /** @type {Kept[]} */
  const kept = await Promise.all(ids.map((id) => store.get("games", id)));
  await store.change(["device", "games", "lines", "sent", "plans"], (at) => {
    for (const name of /** @type {const} */ (["device", "lines", "sent", "plans"])) at(name).clear();
    if (pin) at("device").put(pin, "server");
    kept.forEach(({ note, ahead, finding, seat, since, over }, n) =>
      at("games").put({ note, ahead, finding, seat, since, over }, /** @type {IDBValidKey} */ (ids[n])),
    );
  });
}

// --- times -----------------------------------------------------------------------------------------------------------

/** @param {Look[]} looks @param {number} size @param {number} now @returns {Look[]} */
export function looked(looks, size, now) {
  const before = looks.filter((look) => look.size !== size);
  return [...before, { size, last: now }].slice(-MOST_LOOKS);
}

/** @param {string[]} warnings @param {string[]} more */
export const warned = (warnings, more) =>
  [...warnings, ...more.filter((one) => !warnings.includes(one))].slice(-MOST_WARNINGS);

/**
 * Oddities in the times of new entries. They are only warnings, since honest clocks are wrong too.
 * @param {import("../record/entry.js").Entry[]} news @param {Look[]} looks
 */
export function odd(news, looks) {
  return news.flatMap(({ seq, at }) => {
    const dated = Date.parse(at) / 1000;
    const missed = Math.max(
      ...looks.filter((look) => look.size <= seq && look.last > dated + FAR).map(({ last }) => last),
    );
    if (missed === -Infinity) return [];
    return [
      `Entry ${seq} is dated ${clock(dated)}, but it was not in the log at ${clock(missed)} by this device's clock. ` +
        `If this clock is right, the entry was back-dated.`,
    ];
  });
}

/**
 * An oddity in the time of our act.
 * @param {import("../record/entry.js").Entry} entry
 * @param {number} sent
 * @param {number} now
 */
export function oddOwn({ seq, at }, sent, now) {
  const dated = Date.parse(at) / 1000;
  if (sent - FAR <= dated && dated <= now + FAR) return [];
  const says =
    `Entry ${seq} is dated ${clock(dated)}, but you sent it at ${clock(sent)} by this device's clock. One of the two ` +
    `clocks is wrong.`;
  return [says];
}

/** @param {number} seconds */
export const clock = (seconds) => new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, "Z");
