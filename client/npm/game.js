// One game: its checked log, and acts that are signed on it. After a VerificationError nothing is signed any more.
//
// A signature vouches for the whole log before it, so each act is signed on entries that were checked here. An act is
// stored before it is sent. Until its place in the log is taken, the same bytes are sent again, also by the next process.
import * as notes from "../../server/http/static/record/note.js";
import { b64, bytes, domain, joined, random, sha256, write } from "../../server/http/static/record/canonical.js";
import { ahead, checkContinues, judge, noteOf } from "../../server/http/static/record/check.js";
import { open, seatOf } from "../../server/http/static/record/table.js";
import { pinned } from "../../server/http/static/record/pins.js";
import { VerificationError } from "../../server/http/static/record/verification-error.js";
import { NoAnswer, Refusal, pauseBefore } from "./server.js";
import { memoryStore } from "./store.js";
import { sign } from "./keys.js";

/** @typedef {import("../../server/http/static/record/entry.js").Entry} Entry */
/** @typedef {import("../../server/http/static/record/table.js").Table} Table */
/** @typedef {{jws: string, seq: number, path: string, text?: string, refused: string | null}} Pending */
/**
 * @typedef {{lines: string[], note: string | null, seat: number | null, nonce: string | null,
 *   pending: Pending | null, finding: {code: string, says: string} | null}} Kept
 */
/** @typedef {{either?: boolean}} Consent `either`: sign, although an earlier act may still be logged in its place */

const PAGE = 1000;
const LONGEST_WAIT = 25; // seconds
const MOST = 2 ** 26; // letters of a log
const TRIES = 6;
const UNLOGGED = "The server claims to have logged the act, and its log does not have it.";

/** @type {Kept} */
const NOTHING = { lines: [], note: null, seat: null, nonce: null, pending: null, finding: null };

/**
 * Nothing was signed, and nobody is to blame: `code` is `stale`, `unsettled`, `no-seat`, `game-full`, `seat-kept`,
 * `not-sent`, `not-yet` (the log is dated ahead of this machine's clock) or `unsigned-table`.
 */
export class NotSigned extends Error {
  /** @param {string} code @param {string} says */
  constructor(code, says) {
    super(says);
    this.name = "NotSigned";
    this.code = code;
  }
}

/** A game at a server. One object, and one process, for each game and store. */
export class Game {
  /** @type {Table | null} */
  table = null;
  /** @type {Entry[]} */
  entries = [];
  /** @type {Kept | null} */
  kept = null;
  /** @type {Promise<void>} the last check of entries */
  judging = Promise.resolve();
  /** @type {Promise<Kept> | null} the first look at the store */
  loading = null;
  /** @type {Promise<void>} the last write */
  keeping = Promise.resolve();
  /** @type {Promise<unknown>} the last act */
  acting = Promise.resolve();

  /**
   * @param {import("./server.js").Server} server
   * @param {string} id
   * @param {{key?: import("./keys.js").Key | null, store?: import("./store.js").Store, bot?: boolean,
   *   unsigned?: boolean}} [given] `bot`: the account of the key is a bot, which its join has to state; `unsigned`: sign
   *   also at a table where moves without a signature are possible
   */
  constructor(server, id, { key = null, store = memoryStore(), bot = false, unsigned = false } = {}) {
    this.server = server;
    this.id = id;
    this.key = key;
    this.store = store;
    this.bot = bot;
    this.unsigned = unsigned;
  }

  /** The seat that our key plays; null if it plays none. */
  get seat() {
    return this.table && this.key ? seatOf(this.table, this.key.kid, this.kept?.seat ?? null) : null;
  }

  get isOver() {
    return this.table !== null && ["finished", "cancelled"].includes(this.table.stage);
  }

  /** Fetch and check what is new; waits for so many seconds if nothing is. @param {number} [wait] @returns {Promise<Entry[]>} */
  async check(wait = 0) {
    await this.restored();
    const before = this.entries.length;
    const { lines, note } = await this.pages(before, wait);
    await this.judged(lines, note);
    return this.entries.slice(before);
  }

  /** Every entry from the first one on, as it comes, until the game is over. @returns {AsyncGenerator<Entry>} */
  async *follow() {
    await this.restored();
    for (let next = 0; ; await this.check(25)) {
      while (next < this.entries.length) yield /** @type {Entry} */ (this.entries[next++]);
      if (this.isOver) return;
    }
  }

  /** Wait until our seat owes a move and may sign it: what it may do, as the server says; null once the game is over. @returns {Promise<any[] | null>} */
  async turn() {
    for (await this.check(); !this.isOver;) {
      const size = this.entries.length;
      const { active } = await this.server.get(`/v1/games/${this.id}`);
      const legal = this.seat !== null && active.includes(this.seat) ? await this.legal() : null;
      await this.check(legal ? 0 : LONGEST_WAIT);
      if (!legal || size !== this.entries.length) continue;
      if (!this.early) return legal;
      await this.server.sleep(Math.min(this.early, LONGEST_WAIT));
    }
    return null;
  }

  /** What our seat may do now, as the server says. @returns {Promise<any[]>} */
  legal() {
    return this.server.get(`/v1/games/${this.id}/legal`);
  }

  /** What our seat sees, as the server says. @returns {Promise<any>} */
  view() {
    return this.server.get(`/v1/games/${this.id}/view`);
  }

  /**
   * Take a seat; if none is named, the one that is reserved for our account, else the first that is for nobody.
   * @param {number | null} [seat] @param {Consent} [consent] @returns {Promise<Entry>}
   */
  join(seat = null, consent = {}) {
    return this.inTurn(async () => {
      const kept = await this.restored();
      if (kept.nonce === null) await this.keep({ nonce: b64(random(32)) });
      const found = seat ?? (await this.free());
      const body = {
        key: this.signer.jwk,
        recovery: null,
        bot: this.bot,
        nonce: /** @type {Kept} */ (this.kept).nonce,
      };
      const entry = await this.act("join", found, body, consent);
      await this.keep({ seat: found });
      return entry;
    });
  }

  /**
   * Move by one to 64 commands. `seen`: how many entries there were when you chose them, by default as many as now;
   * NotSigned `stale` if the position has changed since.
   * @param {any[]} commands @param {Consent & {seen?: number}} [given] @returns {Promise<Entry>}
   */
  move(commands, { seen = this.entries.length || Infinity, ...consent } = {}) {
    return this.inTurn(async () => {
      const { hidden } = /** @type {Table} */ (this.table).created;
      const text = hidden ? write({ commands, salt: b64(random(32)) }) : undefined;
      const body =
        text === undefined ? { commands } : { sealed: b64(await sha256(joined(domain("move"), bytes(text)))) };
      if (this.entries.slice(seen).some((entry) => "events" in entry.body)) {
        throw new NotSigned("stale", "The game has moved on. Look at the new position.");
      }
      return this.act("move", this.own(), body, consent, text);
    });
  }

  /** @param {Consent} [consent] @returns {Promise<Entry>} */
  leave(consent = {}) {
    return this.inTurn(() => this.act("leave", this.own(), {}, consent));
  }

  /** @param {Consent} [consent] @returns {Promise<Entry>} */
  resign(consent = {}) {
    return this.inTurn(() => this.act("resign", this.own(), {}, consent));
  }

  /** Seconds until the last entry may be signed on: by this machine's clock it is dated in the future. */
  get early() {
    return ahead(/** @type {Table} */ (this.table), Date.now() / 1000);
  }

  // --- signing and sending ---------------------------------------------------------------------------------------------

  get signer() {
    if (this.key) return this.key;
    throw new NotSigned("no-key", "Give the game a key to sign with.");
  }

  /** The seat to join, of those that are free. @returns {Promise<number>} */
  async free() {
    const found = open(/** @type {Table} */ (this.table), Date.now() / 1000);
    if (!found.length) throw new NotSigned("game-full", "All seats are taken.");
    const { seats } = await this.server.get(`/v1/games/${this.id}`);
    const kept = found.filter((seat) => seats[seat].kept !== null);
    const ours = kept.length ? await this.invited() : [];
    const seat = kept.find((one) => ours.includes(one)) ?? found.find((one) => !kept.includes(one));
    if (seat !== undefined) return seat;
    throw new NotSigned("seat-kept", "Every free seat is reserved for another player.");
  }

  /** The seats that are reserved for our account; none without a token that may read them. @returns {Promise<number[]>} */
  async invited() {
    const all = await this.server.get("/v1/me/invitations").catch((error) => {
      if (error instanceof Refusal) return [];
      throw error;
    });
    return all.filter((/** @type {any} */ one) => one.game === this.id).map((/** @type {any} */ one) => one.seat);
  }

  own() {
    if (this.seat !== null) return this.seat;
    throw new NotSigned("no-seat", "This key does not hold a seat in this game.");
  }

  /**
   * Act on the log as it is after the act before this one, also if that failed.
   * @param {() => Promise<Entry>} act @returns {Promise<Entry>}
   */
  inTurn(act) {
    const before = this.acting.catch(() => null); // its caller has the error
    const done = before.then(() => this.check()).then(act);
    this.acting = done;
    return done;
  }

  /**
   * Sign on the checked head, store, send.
   * @param {string} act @param {number} seat @param {object} body @param {Consent} consent @param {string} [text]
   * @returns {Promise<Entry>}
   */
  async act(act, seat, body, consent, text) {
    const table = /** @type {Table} */ (this.table);
    await this.settled(consent);
    this.checkReady(table);
    const place = { v: 1, aud: this.server.host, game: this.id, act, seat, seq: table.size, prev: table.head };
    const jws = await sign(this.signer, { ...place, ...body });
    const path = act === "move" ? "moves" : act;
    const pending = { jws, seq: table.size, path, refused: null, ...(text === undefined ? {} : { text }) };
    await this.keep({ pending });
    return this.sent(pending);
  }

  /** @param {Table} table */
  checkReady({ created, size, at }) {
    if (created.unsigned && !this.unsigned) {
      const says = "This table allows moves without a signature. Give the game `unsigned: true` if you agree to that.";
      throw new NotSigned("unsigned-table", says);
    }
    if (!this.early) return;
    const dated = `Entry ${size - 1} is dated ${at}, ahead of this machine's clock.`;
    throw new NotSigned("not-yet", `${dated} Wait ${Math.ceil(this.early)} seconds, or set the clock.`);
  }

  /** An act of before whose place is still free may be logged at any moment. @param {Consent} consent */
  async settled({ either = false }) {
    const { pending } = await this.restored();
    if (pending === null) return;
    if (this.entries.length > pending.seq) return this.keep({ pending: null });
    if (pending.refused === null) {
      await this.sent(pending);
      throw new NotSigned("stale", "An act of before was logged first. Look at the new position.");
    }
    if (either) return;
    const says = `An act for this place was refused (${pending.refused}), and may still be logged by anyone who has it.`;
    throw new NotSigned("unsettled", says);
  }

  /** Send the same bytes until their fate is known. @param {Pending} pending @returns {Promise<Entry>} */
  async sent(pending) {
    const { jws, text, path } = pending;
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      try {
        await this.server.as(null).once(`/v1/games/${this.id}/${path}`, text === undefined ? { jws } : { jws, text });
        await this.check();
        return (await this.logged(pending)) ?? (await this.block(new VerificationError("other-answer", UNLOGGED)));
      } catch (error) {
        if (error instanceof Refusal) return this.refused(pending, error);
        if (!(error instanceof NoAnswer)) throw error;
        await this.server.sleep(pauseBefore(attempt, error));
        await this.check().catch(ifAnswered);
      }
      const entry = await this.logged(pending);
      if (entry) return entry;
    }
    throw new NotSigned("not-sent", "The server does not answer. The act is kept, and sent again by the next one.");
  }

  /** @param {Pending} pending @param {Refusal} error @returns {Promise<Entry>} */
  async refused(pending, error) {
    await this.check();
    const entry = await this.logged(pending);
    if (entry) return entry;
    await this.keep({ pending: { ...pending, refused: error.code } });
    throw error;
  }

  /** Our act as it was logged; null while its place is free. @param {Pending} pending @returns {Promise<Entry | null>} */
  async logged({ jws, seq }) {
    const found = this.entries[seq];
    if (!found) return null;
    await this.keep({ pending: null });
    if (found.body.jws === jws) return found;
    throw new NotSigned("stale", "Another entry was logged first. Look at the new position.");
  }

  // --- the checked log -------------------------------------------------------------------------------------------------

  /** All entries after the first so many, and the checkpoint on the whole log. @param {number} known @param {number} wait */
  async pages(known, wait) {
    /** @type {string[]} */
    const lines = [];
    for (let room = MOST; ; wait = 0) {
      const { entries, note } = await this.page(known + lines.length - 1, wait);
      lines.push(...entries);
      room -= entries.reduce((sum, one) => sum + one.length, 0);
      if (!entries.length || room < 0 || known + lines.length >= sizeOf(note)) return { lines, note };
    }
  }

  /** @param {number} after @param {number} wait @returns {Promise<{entries: string[], note: string}>} */
  async page(after, wait) {
    const asked = `/v1/games/${this.id}/log?after=${after}&limit=${PAGE}${wait ? `&wait=${wait}` : ""}`;
    const page = await this.server.as(null).get(asked);
    const isPage =
      Array.isArray(page?.entries) && page.entries.every((/** @type {any} */ one) => typeof one === "string");
    if (isPage && typeof page.note === "string") return page;
    throw new NoAnswer("The server's answer is not a page of a log.");
  }

  /**
   * Add what holds, after the checks before this one: of two that fetched the same entries, the second adds none.
   * @param {string[]} lines @param {string} text of the note @returns {Promise<void>}
   */
  judged(lines, text) {
    const before = this.judging.catch(() => null); // its caller has the error
    this.judging = before.then(() => this.added(lines, text));
    return this.judging;
  }

  /** @param {string[]} lines @param {string} text of the note */
  async added(lines, text) {
    const kept = await this.restored();
    try {
      const hashes = this.entries.map(({ hash }) => hash);
      const { table, news } = await judge(this.table, lines, { host: this.server.host, game: this.id, hashes });
      const all = [...hashes, ...news.map(({ hash }) => hash)];
      if (!this.table) await this.pin(table);
      const note = await noteOf(table, text);
      checkContinues(note, all);
      if (kept.note !== null) checkContinues(notes.read(kept.note), all, true, table.lost);
      const isNewer = note.size > (kept.note === null ? 0 : sizeOf(kept.note));
      this.table = table;
      this.entries.push(...news);
      if (news.length || isNewer) await this.keep(isNewer ? { note: text } : {});
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      await this.block(error);
    }
  }

  /** Nothing is signed from now on, nor by the next process. @param {VerificationError} error @returns {Promise<never>} */
  async block(error) {
    const finding = { code: error.code, says: error.message };
    this.kept = { ...NOTHING, ...this.kept, finding }; // in this process also if it cannot be stored
    await this.keep({ finding });
    throw error;
  }

  /** The server's key must be the one of its other games. @param {Table} table */
  async pin(table) {
    const name = `server ${this.server.host}`;
    const document = await this.server
      .as(null)
      .get("/.well-known/sealedmove.json")
      .catch(() => null);
    const before = await this.store.get(name);
    await this.store.put(name, await pinned(before, this.server.host, table.created.server_key, document));
  }

  /** What the store has, read once; VerificationError if something did not hold. @returns {Promise<Kept>} */
  async restored() {
    const kept = this.kept ?? (await (this.loading ??= this.loaded().finally(() => (this.loading = null))));
    if (kept.finding) throw new VerificationError(kept.finding.code, kept.finding.says);
    return kept;
  }

  /** @returns {Promise<Kept>} */
  async loaded() {
    /** @type {Kept} */
    const kept = { ...NOTHING, ...(await this.store.get(this.name)) };
    if (kept.lines.length) {
      const known = { host: this.server.host, game: this.id, hashes: [], trusted: true };
      const { table, news } = await judge(null, kept.lines, known);
      [this.table, this.entries] = [table, news];
    }
    this.kept = kept;
    return kept;
  }

  get name() {
    return `game ${this.server.host} ${this.id}`;
  }

  /** Store the change, with all entries, after those before it; a change that could not be stored is not kept. @param {Partial<Kept>} change */
  keep(change) {
    const before = this.keeping.catch(() => null); // its caller has the error
    this.keeping = before.then(async () => {
      const all = { lines: this.entries.map(({ line }) => line), ...change };
      await this.store.put(this.name, { ...NOTHING, ...this.kept, ...all });
      this.kept = { ...NOTHING, ...this.kept, ...all };
    });
    return this.keeping;
  }
}

/** The entries that a checkpoint covers. @param {string} text */
const sizeOf = (text) => {
  try {
    return notes.read(text).size;
  } catch {
    return 0; // `noteOf` refuses it
  }
};

/** A log that cannot be read now says nothing about an act. @param {unknown} error */
const ifAnswered = (error) => {
  if (!(error instanceof NoAnswer)) throw error;
};
