// Notes: the server's signed word on how long a game's log is and how it ends (docs/spec/record.md, section 10).
import { BadRecord, b64, base64, bytes, joined, same, sha256, unbase64 } from "./canonical.js";
import { verify as holds } from "./ed25519.js";

/**
 * @typedef {{server: string, game: string, size: number, hash: string, signatures: [string, Uint8Array<ArrayBuffer>][],
 *   text: string}} Note
 */

const MAX_NOTE = 2 ** 14;
const MAX_TEXT = 2 ** 22;
const MAX_SIGNATURES = 16;
const TEXT = /^([A-Za-z0-9._:[\]-]{1,255})\/game\/([0-9a-f-]{36})\n([1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n$/;
const SIGNATURE = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/;

/**
 * The note in a text, its signatures not yet verified; BadRecord if it is none.
 * @param {unknown} text
 * @returns {Note}
 */
export function read(text) {
  if (typeof text !== "string" || text.length > MAX_NOTE) {
    throw bad(`a note is a text of at most ${MAX_NOTE} characters`);
  }
  const gap = text.indexOf("\n\n");
  const body = `${text.slice(0, gap)}\n`;
  const found = TEXT.exec(body);
  if (!found || gap < 0 || !text.endsWith("\n")) throw bad("a note is three lines, an empty one, and signatures");
  const lines = text.slice(gap + 2, -1).split("\n");
  if (lines.length > MAX_SIGNATURES) throw bad(`a note has at most ${MAX_SIGNATURES} signatures`);
  const [, server = "", game = "", size, hash = ""] = found;
  return { server, game, size: Number(size), hash: b64(decoded(hash)), signatures: lines.map(signature), text: body };
}

/**
 * BadRecord unless the server signed the note with this key (32 bytes).
 * @param {Note} note
 * @param {Uint8Array<ArrayBuffer>} key
 */
export async function verify(note, key) {
  const due = (await sha256(joined(bytes(`${note.server}\n\u0001`), key))).slice(0, 4);
  const ours = note.signatures.filter(([name, signed]) => name === note.server && same(signed.slice(0, 4), due));
  if (!ours.length) throw new BadRecord("unsigned-note", "the note has no signature by this server's key");
  for (const [, signed] of ours) {
    if (!(await holds(key, bytes(note.text), signed.slice(4)))) {
      throw new BadRecord("bad-signature", "the server's signature of the note does not hold");
    }
  }
}

/**
 * The notes in a text as mails carry it: quoted, indented, with other lines around.
 * @param {string} text
 * @returns {string[]}
 */
export function find(text) {
  const lines = text
    .slice(0, MAX_TEXT)
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/^[ \t>|]*/, "").replace(/[ \t]+$/, ""));
  return lines.map((_, at) => noteAt(lines, at)).filter((found) => found !== null);
}

/** @param {string[]} lines @param {number} at */
function noteAt(lines, at) {
  const body = `${lines.slice(at, at + 3).join("\n")}\n`;
  if (!TEXT.test(body) || lines[at + 3] !== "") return null;
  const after = lines.slice(at + 4, at + 4 + MAX_SIGNATURES);
  const end = after.findIndex((line) => !SIGNATURE.test(line));
  const signatures = after.slice(0, end < 0 ? after.length : end);
  const text = `${body}\n${signatures.map((line) => `${line}\n`).join("")}`;
  return signatures.length && isNote(text) ? text : null;
}

/** A line that a mail program has broken in two looks like a signature, too. @param {string} text */
function isNote(text) {
  try {
    return Boolean(read(text));
  } catch (error) {
    if (error instanceof BadRecord) return false;
    throw error;
  }
}

/** @param {string} line @returns {[string, Uint8Array<ArrayBuffer>]} */
function signature(line) {
  const [, name = "", text = ""] = SIGNATURE.exec(line) ?? [];
  const signed = name ? decoded(text) : new Uint8Array();
  if (signed.length < 5) throw bad("a signature line is a dash, a name, and base64 of a key id and a signature");
  return [name, signed];
}

/** @param {string} text */
function decoded(text) {
  const data = text.length % 4 ? null : unbase64(text);
  if (!data || base64(data) !== text) throw bad("base64 in another spelling than the one of its bytes");
  return data;
}

/** @param {string} says */
const bad = (says) => new BadRecord("bad-note", says);
