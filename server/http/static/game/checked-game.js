// One game as checked by this browser: its lines, the last note, and evidence, which is stored before it is judged.
//
//     const game = checkedGame(account, id);
//     const { table, seat, news } = await game.check();
//
// A VerificationError has the expected and the found value; after it nothing is signed in this game.
//
// The log is fetched without the cookie, which makes it harder to show each player a different one. Tabs take turns
// under a lock, and read what the others have stored.
import * as api from "../api/api.js";
import { b64, domain, joined, bytes, sha256 } from "../record/canonical.js";
import { ahead, checkContinues, isLost, judge, noteOf } from "../record/check.js";
import { read as readJws } from "../record/jws.js";
import { mine } from "../keys/device-key.js";
import { VerificationError } from "../record/verification-error.js";
import { Memory, looked, odd, warned } from "./memory.js";
import * as notes from "../record/note.js";
import { checkOpenings } from "./openings.js";
import { pinned } from "../record/pins.js";
import { seatOf, signedBy } from "../record/table.js";

/** @typedef {import("../record/table.js").Table} Table */
/** @typedef {import("../record/entry.js").Entry} Entry */
/** @typedef {import("../record/note.js").Note} Note */
/**
 * @typedef {{table: Table, seat: number | null, gone: boolean, news: Entry[], note: string, ahead: number,
 *   skew: number, waits: boolean, warnings: string[], odd: string[]}} Checked `seat`: the one that this device's key
 *   plays, if known; `gone`: it no longer does. `ahead`: seconds by which the log is dated ahead of our clock; `skew`:
 *   seconds by which our clock is ahead of the server's. `waits`: a note on more entries than are shown is known.
 *   `odd`: warnings about times that were not shown yet
 */

const MOST_BYTES = 2 ** 26;
const LONGEST_PAGE = 1000;

/** @type {Map<string, CheckedGame>} one object per game, so that nothing is checked twice */
const games = new Map();

/** @param {string | number} account @param {string} id @returns {CheckedGame} */
export function checkedGame(account, id) {
  const found = games.get(`${account} ${id}`) ?? new CheckedGame(account, id);
  games.set(`${account} ${id}`, found);
  return found;
}

export class CheckedGame {
  /** @param {string | number} account @param {string} id */
  constructor(account, id) {
    this.account = account;
    this.id = id;
    this.host = location.host;
    /** @type {Table | null} */
    this.table = null;
    /** @type {string[]} */
    this.hashes = [];
    /** @type {Entry[]} */
    this.entries = [];
    /** @type {number | null} our seat by the account or its user, needed if the key is listed but has not signed */
    this.named = null;
    /** @type {{seat: number | null, since: number}} our seat as this browser remembers it, with its holder's entry */
    this.remembered = { seat: null, since: 0 };
  }

  /** Seconds since 1970, by this device. */
  now() {
    return Date.now() / 1000;
  }

  /** This browser's memory of the game. @returns {Promise<Memory>} */
  memory() {
    return Memory.of(this.account, this.id);
  }

  /** Fetch new entries, check them, store them. @returns {Promise<Checked>} */
  check() {
    return this.locked(async (memory) => {
      await this.restore(memory);
      const news = await this.fetch(memory);
      const { note } = await memory.kept();
      if (note !== null && this.shown < notes.read(note).size) news.push(...(await this.handIn(memory, note)));
      const checked = await this.told(memory, news);
      if (checked.seat !== null && checked.table.created.hidden) await this.opened(memory, checked.seat);
      return checked;
    });
  }

  /**
   * The same checks for lines and a note that came with an answer.
   * @param {string[]} lines
   * @param {string} note
   * @param {Record<string, any>} [sent]
   * @returns {Promise<Entry[]>}
   */
  take(lines, note, sent) {
    return this.locked(async (memory) => {
      await this.restore(memory);
      return this.judged(memory, "answer", lines, note, sent);
    });
  }

  /**
   * Check this log against the notes in a text, such as a mail; VerificationError at a fork. `newer`: the server has
   * signed for more entries than it shows, and nothing is signed until it shows them.
   * @param {string} text @returns {Promise<("same" | "older" | "newer" | "unsigned" | "other-game")[]>}
   */
  heed(text) {
    return this.locked(async (memory) => {
      await this.restore(memory);
      /** @type {("same" | "older" | "newer" | "unsigned" | "other-game")[]} */
      const said = [];
      for (const found of notes.find(text)) said.push(await this.heeded(memory, found));
      return said;
    });
  }

  /** The player has seen the finding and continues. The evidence stays. */
  clear() {
    return this.locked((memory) => memory.keep({ finding: null }));
  }

  /** The player knows that this table accepts moves without a signature. */
  agree() {
    return this.locked((memory) => memory.keep({ unsigned: true }));
  }

  /**
   * All evidence as one JSON file that `sealedmove compare` reads, without keys and texts of sealed moves.
   * @returns {Promise<Blob>}
   */
  async export() {
    const memory = await this.memory();
    const { note, ahead: newer, finding, looks, warnings } = await memory.kept();
    const shown = await memory.evidence();
    const entries = [...(await memory.lines(0)), ...shown.flatMap((one) => one.entries ?? [])];
    const texts = shown.flatMap((one, at) => (typeof one.note === "string" ? [[`note_${at}`, one.note]] : []));
    const signed = (await memory.pending()).map(({ jws, act, seq, sent, refused }) => ({
      jws,
      act,
      seq,
      sent,
      refused,
    }));
    const whole = {
      entries,
      note,
      note_ahead: newer,
      ...Object.fromEntries(texts),
      finding,
      looks,
      warnings,
      signed,
      shown,
    };
    return new Blob([JSON.stringify(whole, null, 1)], { type: "application/json" });
  }

  // --- inside --------------------------------------------------------------------------------------------------------

  /** @template T @param {(memory: Memory) => Promise<T>} work @returns {Promise<T>} */
  async locked(work) {
    return navigator.locks.request(
      `sealedmove-log-${this.account}-${this.id}`,
      /** @returns {Promise<any>} */ async () => work(await this.memory()),
    );
  }

  /**
   * Load what was checked earlier, by this tab or another; VerificationError if there is a finding.
   * @param {Memory} memory
   */
  async restore(memory) {
    const { finding, size, seat, since } = await memory.kept();
    this.remembered = { seat, since };
    if (finding) throw new VerificationError(finding.code, finding.says, finding);
    if (size === this.hashes.length) return;
    try {
      const lines = await memory.lines(this.hashes.length);
      if (this.hashes.length + lines.length !== size) {
        throw new VerificationError("lost-lines", "Part of this browser's copy of the game is missing.");
      }
      await this.follow(await judge(this.table, lines, { ...this.known, trusted: true }));
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      this.forgotten(); // a fault of this device, not a lie of the server, which the stored note still binds
      await memory.dropLines();
    }
  }

  /**
   * The seat for which this key may sign. What this browser remembers counts only while the seat has the same holder.
   * @param {Table} table @param {string} kid @returns {number | null}
   */
  seatOf(table, kid) {
    const { seat, since } = this.remembered;
    const ours = seat !== null && table.seats[seat]?.holder?.since === since ? seat : null;
    return seatOf(table, kid, this.named ?? ours);
  }

  get known() {
    return { host: this.host, game: this.id, hashes: this.hashes };
  }

  forgotten() {
    Object.assign(this, { table: null, hashes: [], entries: [] });
  }

  /** @param {import("../record/check.js").Judged} judged */
  async follow({ table, news }) {
    this.table = table;
    this.hashes.push(...news.map((entry) => entry.hash));
    this.entries.push(...news);
  }

  /** @param {Memory} memory @returns {Promise<Entry[]>} */
  async fetch(memory) {
    const asked = this.now();
    const { lines, note } = await this.pages();
    const news = await this.judged(memory, "log", lines, note);
    await memory.keep({ looks: looked((await memory.kept()).looks, this.hashes.length, asked) });
    return news;
  }

  /** All pages from this entry on, and the note on the whole log. @param {number} [from] */
  async pages(from = this.hashes.length) {
    const lines = [];
    let room = MOST_BYTES;
    for (;;) {
      const after = from + lines.length - 1;
      const { value: page, headers } = await api.ask(
        "GET",
        `/v1/games/${this.id}/log?after=${after}&limit=${LONGEST_PAGE}`,
        undefined,
        { anonymous: true },
      );
      this.skew = skew(headers.get("Date"), this.now());
      if (
        !Array.isArray(page?.entries) ||
        !page.entries.every((/** @type {unknown} */ one) => typeof one === "string")
      ) {
        throw new api.NoAnswer("The server's answer is not a page of a log.");
      }
      lines.push(...page.entries);
      room -= page.entries.reduce((/** @type {number} */ sum, /** @type {string} */ one) => sum + one.length + 100, 0);
      if (!page.entries.length || room < 0 || from + lines.length >= size(page.note)) {
        return { lines, note: page.note };
      }
    }
  }

  /** The size in the server's last note. */
  shown = 0;

  /** Seconds by which our clock is ahead of the server's. */
  skew = 0;

  /**
   * Store, then judge; what does not hold is kept for good.
   * @param {Memory} memory
   * @param {string} what
   * @param {string[]} lines
   * @param {string} note
   * @param {Record<string, any>} [more]
   * @returns {Promise<Entry[]>}
   */
  async judged(memory, what, lines, note, more = {}) {
    const kept = await memory.kept();
    this.shown = size(note);
    if (!lines.length && this.table && note === kept.note) return [];
    const name = await memory.show(what, { entries: lines, note, ...more }, this.now());
    try {
      const judged = await judge(this.table, lines, this.known);
      await this.pin(memory, judged.table);
      const next = await this.noted(judged, note, kept);
      const strange = [odd(judged.news, kept.looks), await this.strange(judged)];
      const said = { odd: warned(kept.odd, strange[0] ?? []), warnings: warned(kept.warnings, strange.flat()) };
      await memory.keepLines(judged.news, { ...next, ...said, size: this.hashes.length + judged.news.length }, name);
      await this.follow(judged);
      return judged.news;
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      const lost = what === "log" && this.hashes.length ? await this.afterLoss(memory, name) : null;
      if (lost) return lost;
      throw await this.block(error, note);
    }
  }

  /**
   * The log may state that the server has lost entries that we know. This is rare, so the script is loaded on demand.
   * @param {Memory} memory
   * @param {string} name of the evidence
   */
  async afterLoss(memory, name) {
    const { afterLoss } = await import("./lost-entries.js");
    const news = await afterLoss(this, memory);
    if (news) await memory.forget(name);
    return news;
  }

  /**
   * The server's note must continue every known note; returns the notes to keep from now on.
   * @param {import("../record/check.js").Judged} judged
   * @param {string} text
   * @param {import("./memory.js").Kept} kept
   */
  async noted(judged, text, kept) {
    const note = await noteOf(judged.table, text);
    const hashes = [...this.hashes, ...judged.news.map((entry) => entry.hash)];
    checkContinues(note, hashes);
    for (const known of [kept.note, kept.ahead]) {
      const before = known === null ? null : notes.read(known);
      if (before && before.size <= hashes.length) checkContinues(before, hashes, true, judged.table.lost);
    }
    const past = (/** @type {string | null} */ known, /** @type {number} */ size) => {
      const before = known === null ? null : notes.read(known);
      return !before || before.size <= size || isLost(before, judged.table.lost);
    };
    return {
      note: past(kept.note, note.size) ? text : kept.note,
      ahead: past(kept.ahead, hashes.length) ? null : kept.ahead,
    };
  }

  /** The server's key must continue the one of earlier games. @param {Memory} memory @param {Table} table */
  async pin(memory, table) {
    if (this.table) return;
    const document = await api.get("/.well-known/sealedmove.json", { anonymous: true }).catch(() => null);
    const pin = (await memory.store.get("device", "server")) ?? null;
    const next = await pinned(pin, this.host, table.created.server_key, document);
    if (JSON.stringify(next) !== JSON.stringify(pin)) await memory.store.put("device", "server", next);
  }

  /** Unsigned moves of our own seat, since it is ours. @param {import("../record/check.js").Judged} judged */
  async strange({ table, news }) {
    const key = await mine(this.account);
    const seat = key && this.seatOf(table, key.kid);
    const since = table.seats[seat ?? -1]?.holder?.since ?? Infinity;
    const ours = news.filter(
      ({ seq, kind, body }) => kind === "moved" && seq > since && body.seat === seat && !("jws" in body),
    );
    return ours.map(
      ({ seq, body }) =>
        `Entry ${seq} is an unsigned move of your seat (by ${body.via}): only the server vouches that it is yours.`,
    );
  }

  /** @param {Memory} memory @param {Entry[]} news @returns {Promise<Checked>} */
  async told(memory, news) {
    const table = /** @type {Table} */ (this.table);
    const [{ note, ahead: newer, warnings, odd, ...kept }, key] = await Promise.all([
      memory.kept(),
      mine(this.account),
    ]);
    const seat = key && this.seatOf(table, key.kid);
    const gone = seat === null && key !== null && signedBy(table, key.kid) !== null;
    const over = ["finished", "cancelled"].includes(table.stage);
    const since = table.seats[seat ?? -1]?.holder?.since;
    this.remembered = seat === null || since === undefined ? this.remembered : { seat, since };
    const now = { ...this.remembered, over };
    if (now.seat !== kept.seat || now.since !== kept.since || over !== kept.over) await memory.keep(now);
    const times = { ahead: ahead(table, this.now()), skew: this.skew, warnings, odd };
    return { table, seat, gone, news, note: note ?? "", waits: newer !== null, ...times };
  }

  /**
   * From now on nothing is signed in this game. Once the evidence is stored, the notes that contradict the server are
   * sent to it, without a token.
   * @param {VerificationError} error
   * @param {string} [text] a note that does not fit
   * @returns {Promise<VerificationError>} to be thrown
   */
  async block(error, text = "") {
    const memory = await this.memory();
    const { finding, note, ahead: newer } = await memory.kept();
    await memory.block(error, this.now());
    if (!finding) await this.compare([note, newer, text].filter((one) => one).join("\n"));
    return error;
  }

  /** Sends notes to the server, which judges them for itself. @param {string} note one, or several */
  async compare(note) {
    if (note) await api.post(`/v1/games/${this.id}/compare`, { note }, { anonymous: true }).catch(() => null);
  }

  /**
   * Checks what our seat was shown of the hidden part against its commitments.
   * @param {Memory} memory
   * @param {number} seat
   */
  async opened(memory, seat) {
    const { opened } = await memory.kept();
    if (!this.entries.slice(opened + 1).some(({ body }) => "seals" in body)) return;
    try {
      await memory.keep({ opened: await checkOpenings(this.id, this.entries, seat, opened) });
    } catch (error) {
      if (error instanceof VerificationError) throw await this.block(error);
      if (!(error instanceof api.Problem || error instanceof api.NoAnswer)) throw error; // no answer proves nothing
    }
  }

  /**
   * @param {Memory} memory
   * @param {string} text
   * @returns {Promise<"same" | "older" | "newer" | "unsigned" | "other-game">}
   */
  async heeded(memory, text) {
    const note = notes.read(text);
    if (note.server !== this.host || note.game !== this.id) return "other-game";
    if (!this.table) await this.fetch(memory);
    const signed = await noteOf(/** @type {Table} */ (this.table), text).then(
      () => true,
      () => false,
    );
    if (!signed) return "unsigned"; // anyone could have made it: it proves nothing about the server
    if (note.size > this.hashes.length) await this.fetch(memory);
    if (isLost(note, this.table?.lost ?? [])) return "older";
    if (note.size > this.hashes.length) {
      await memory.keep({ ahead: text });
      await this.compare(text);
      return "newer";
    }
    const name = await memory.show("note", { note: text }, this.now());
    try {
      checkContinues(note, this.hashes, true, this.table?.lost);
    } catch (error) {
      throw error instanceof VerificationError ? await this.block(error, text) : error;
    }
    await memory.forget(name);
    return note.size === this.hashes.length ? "same" : "older";
  }

  // --- a server that has lost entries --------------------------------------------------------------------------------

  /**
   * Submits the entries that it has signed for and does not show; then it must agree with us.
   * @param {Memory} memory
   * @param {string} note
   * @returns {Promise<Entry[]>}
   */
  async handIn(memory, note) {
    const [due, shown] = [notes.read(note).size, this.shown];
    const name = await memory.show("shortened-log", { entries: [], note, shown }, this.now());
    const lacks = await this.sendMissing(memory, note, shown, due);
    const news = await this.fetch(memory);
    const { note: last } = await memory.kept(); // a shorter one if the log states the loss by now
    if (this.shown >= Math.min(due, size(last))) await memory.forget(name);
    else if (!(await this.waitsForOthers(memory, lacks))) {
      const says = `The server has signed for ${notes.entries(due)} of this game but shows only ${this.shown}.`;
      throw await this.block(new VerificationError("shortened-log", says, { expected: due, found: this.shown }));
    } else await memory.keep({ ahead: note });
    return news;
  }

  /**
   * @param {Memory} memory
   * @param {string} note
   * @param {number} from
   * @param {number} to
   * @returns {Promise<unknown>} the number of the entry that it still lacks
   */
  async sendMissing(memory, note, from, to) {
    const entries = this.entries.slice(from, to);
    const moves = await textsOf(entries, await memory.texts());
    await this.compare(note);
    const body = { entries: entries.map(({ line }) => line), note, moves };
    const answer = await api.post(`/v1/games/${this.id}/missing`, body, { anonymous: true }).catch(() => null);
    return answer?.lacks;
  }

  /** Only the text of another player's sealed move may be lacking. @param {Memory} memory @param {unknown} lacks */
  async waitsForOthers(memory, lacks) {
    const entry = this.entries[this.shown];
    const sealed = Boolean(this.table?.created.hidden) && entry?.kind === "moved";
    return sealed && lacks === this.shown && !(await textsOf([entry], await memory.texts())).length;
  }
}

/**
 * Seconds by which our clock is ahead of the date of the server's answer; 0 if it has none.
 * @param {string | null} date
 * @param {number} now
 */
const skew = (date, now) => (date === null || Number.isNaN(Date.parse(date)) ? 0 : now - Date.parse(date) / 1000);

/** The size in a note; 0 for an invalid one, which is judged with the lines. @param {unknown} note */
function size(note) {
  try {
    return notes.read(note).size;
  } catch {
    return 0;
  }
}

/** Those of our texts to which these entries commit. @param {Entry[]} entries @param {string[]} texts */
async function textsOf(entries, texts) {
  const seals = await Promise.all(
    texts.map(async (text) => /** @type {[string, string]} */ ([await sealOf(text), text])),
  );
  const known = new Map(seals);
  return entries
    .filter(({ kind }) => kind === "moved")
    .flatMap(({ seq, body }) => {
      const text = known.get(body.jws ? readJws(body.jws).payload.sealed : body.sealed);
      return text === undefined ? [] : [{ seq, text }];
    });
}

/** The commitment to a sealed move that its player signs: H(D("move") | text). @param {string} text */
export const sealOf = async (text) => b64(await sha256(joined(domain("move"), bytes(text))));
