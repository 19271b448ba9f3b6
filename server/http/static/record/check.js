// The checks of a log that a browser can do: chain, notes, signatures, keys, order, times, dice. Only the audit also
// checks the rules of the game: what a move did, and whose turn it is.
//
//     const { table, news } = await judge(null, lines, { host, game, hashes: [] });    // from the beginning
//     checkContinues(await noteOf(table, note), hashes);
//
// A failed check throws a `VerificationError`. Storing and fetching is done by `game/checked-game.js`.
import { BadRecord, b64 } from "./canonical.js";
import { verify } from "./ed25519.js";
import { readEntry } from "./entry.js";
import { VerificationError } from "./verification-error.js";
import * as notes from "./note.js";
import { begin, follow, serverKey } from "./table.js";

/** @typedef {import("./entry.js").Entry} Entry */
/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./table.js").Claim} Claim */
/** @typedef {import("./table.js").Loss} Loss */
/** @typedef {import("./note.js").Note} Note */
/**
 * @typedef {{host: string, game: string, hashes: string[], trusted?: boolean}} Known `hashes`: of the entries that were
 *   checked before; `trusted`: the lines are our own, whose signatures and dice were verified when they came
 */
/** @typedef {{table: Table, news: Entry[]}} Judged */

/** The record has a later version than this page knows, which proves nothing. */
export class Newer extends Error {
  /** @param {string} says */
  constructor(says) {
    super(says);
    this.name = "Newer";
  }
}

/**
 * The table after these further lines; VerificationError for the first that does not hold.
 * @param {Table | null} before @param {string[]} lines @param {Known} known @returns {Promise<Judged>}
 */
export async function judge(before, lines, known) {
  const entries = await Promise.all(lines.map((line, at) => entryOf(line, (before?.size ?? 0) + at)));
  /** @type {Claim[]} */
  const claims = [];
  let table = before;
  const news = [];
  for (const entry of entries) {
    if (table && entry.seq < table.size) {
      checkKnown(entry, known);
      continue;
    }
    table = await next(table, entry, known, claims);
    news.push(entry);
  }
  if (!table) {
    throw new VerificationError("no-beginning", "The server does not show any entries of this game.", {
      expected: "entry 0",
      found: "nothing",
    });
  }
  if (!known.trusted) await checkClaims(claims);
  return { table, news };
}

/**
 * The note; VerificationError unless the server's key has signed it for this game.
 * @param {Table} table @param {unknown} text @returns {Promise<Note>}
 */
export async function noteOf(table, text) {
  try {
    const note = notes.read(text);
    const due = `${table.created.server}/game/${table.created.game}`;
    if (`${note.server}/game/${note.game}` !== due) {
      throw new VerificationError("other-note", "The server's checkpoint is for another game.", {
        expected: due,
        found: `${note.server}/game/${note.game}`,
      });
    }
    await notes.verify(note, serverKey(table));
    return note;
  } catch (error) {
    throw asVerificationError(error, "The server's checkpoint is not valid");
  }
}

/**
 * VerificationError unless the last entry of the note is in the log, or the log states that the server has lost it.
 * @param {Note} note
 * @param {string[]} hashes of all entries that were checked
 * @param {boolean} [kept] was it shown before?
 * @param {Loss[]} [lost] the losses that the log states
 */
export function checkContinues(note, hashes, kept = false, lost = []) {
  if (kept && isLost(note, lost)) return;
  if (note.size > hashes.length) {
    const says = `The server's checkpoint covers ${notes.entries(note.size)}, but it shows only ${hashes.length}.`;
    throw new VerificationError("short-log", says, { expected: note.size, found: hashes.length });
  }
  const found = hashes[note.size - 1];
  if (found === note.hash) return;
  const says = kept
    ? `The server has signed two histories of this game: an earlier checkpoint of ${notes.entries(note.size)} does ` +
      `not match the log.`
    : `The server's checkpoint of ${notes.entries(note.size)} does not match the log that it shows.`;
  throw new VerificationError("fork", says, { expected: note.hash, found: found ?? "", seq: note.size - 1 });
}

/**
 * Does the log itself state that this history was lost? It has the hash of the lost end, which must match.
 * @param {{size: number, hash: string}} note @param {Loss[]} lost
 */
export const isLost = (note, lost) =>
  lost.some(({ seq, size, hash }) => seq < note.size && note.size <= size && (note.size < size || note.hash === hash));

/** @param {string} line @param {number} seq */
async function entryOf(line, seq) {
  try {
    return await readEntry(line);
  } catch (error) {
    throw asVerificationError(error, "The server's answer is not an entry", seq);
  }
}

/** @param {Table | null} table @param {Entry} entry @param {Known} known @param {Claim[]} claims */
async function next(table, entry, known, claims) {
  try {
    if (!table) return opened(entry, known);
    const after = await follow(table, entry, known.trusted);
    if (after.claim) claims.push(after.claim);
    return after.table;
  } catch (error) {
    throw asVerificationError(error, `Entry ${entry.seq} of the log is not valid`, entry.seq);
  }
}

/** @param {Entry} entry @param {Known} known */
function opened(entry, { host, game }) {
  const table = begin(entry);
  const [found, expected] = [`${entry.body.server}/game/${entry.body.game}`, `${host}/game/${game}`];
  if (found !== expected) {
    throw new VerificationError("other-game", "The server shows the log of another game or server.", {
      expected,
      found,
      seq: 0,
    });
  }
  return table;
}

/** @param {Entry} entry @param {Known} known */
function checkKnown({ seq, hash }, { hashes }) {
  if (hashes[seq] === hash) return;
  const says = `Entry ${seq} of the log has changed since this browser saw it: the history was rewritten.`;
  throw new VerificationError("rewritten", says, { expected: hashes[seq], found: hash, seq });
}

/** @param {Claim[]} claims */
async function checkClaims(claims) {
  const hold = await Promise.all(claims.map(({ key, input, signature }) => verify(key, input, signature)));
  const at = hold.indexOf(false);
  if (at < 0) return;
  const { seq, key } = /** @type {Claim} */ (claims[at]);
  const says = `The signature in entry ${seq} is not valid, so no key of that seat has signed it.`;
  throw new VerificationError("bad-signature", says, {
    expected: `a signature by the key ${b64(key)}`,
    found: "none",
    seq,
  });
}

/** @param {unknown} error @param {string} what @param {number} [seq] */
function asVerificationError(error, what, seq) {
  if (!(error instanceof BadRecord)) return error;
  if (error.code === "newer-record") return new Newer(error.message);
  const place = seq === undefined ? {} : { seq };
  return new VerificationError(error.code, `${what}: ${error.message}.`, {
    expected: "the law of the record",
    found: error.code,
    ...place,
  });
}

/** Seconds by which honest clocks may differ. */
const SKEW = 30;

/**
 * Seconds by which the log is dated ahead of this device's clock, beyond the difference of honest clocks.
 * @param {Table} table
 * @param {number} now in seconds
 */
export const ahead = ({ at }, now) => Math.max(Date.parse(at) / 1000 - now - SKEW, 0);
