// Notes: the server's signed statement of how long a game's log is and how it ends (docs/spec/record.md, section 10).
import { BadRecord, b64, base64, bytes, joined, same, sha256, unbase64 } from "./canonical.js";
import { verify as holds } from "./ed25519.js";

/**
 * @typedef {{server: string, game: string, size: number, hash: string, signatures: string[], text: string}} Note
 *   `text` is signed; `signatures` are the lines, the server's first
 */

const MAX_NOTE = 2 ** 16;
const MAX_TEXT = 2 ** 22;
const MAX_SIGNATURES = 64;
const LONGEST_HEAD = 7; // the three lines, and up to four extension lines, which are signed but not judged
const TEXT = new RegExp(
  "^([A-Za-z0-9._:[\\]-]{1,255})/game/([0-9a-f-]{36})\n([1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n" +
    "(?:[a-z](?:[ -~]{0,118}[!-~])?\n){0,4}$",
);
const DASH = "\u2014 ";
const SIGNATURE = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/;

/**
 * The note in a text, its signatures not yet verified; BadRecord if it is invalid.
 * @param {unknown} text
 * @returns {Note}
 */
export function read(text) {
  if (typeof text !== "string" || text.length > MAX_NOTE) {
    throw bad(`a note has at most ${MAX_NOTE} characters`);
  }
  const gap = text.indexOf("\n\n");
  const body = `${text.slice(0, gap)}\n`;
  const found = TEXT.exec(body);
  if (!found || gap < 0 || !text.endsWith("\n")) {
    throw bad("a note has three lines, any extension lines, an empty line, and signatures");
  }
  const signatures = text.slice(gap + 2, -1).split("\n");
  if (signatures.length > MAX_SIGNATURES) throw bad(`a note has at most ${MAX_SIGNATURES} signatures`);
  if (!signatures.every((line) => line.startsWith(DASH) && line.length > DASH.length)) {
    throw bad("a signature line has a dash, a name and base64");
  }
  const [, server = "", game = "", size, hash = ""] = found;
  if (!signedBy(server, signatures[0])) throw bad("the first signature line of a note is the server's");
  const head = decoded(hash);
  if (!head) throw bad("the hash of a note is not the base64 of its bytes");
  return { server, game, size: Number(size), hash: b64(head), signatures, text: body };
}

/**
 * BadRecord unless the server signed the note with this key (32 bytes), in the first signature line and in any other
 * line of that key.
 * @param {Note} note
 * @param {Uint8Array<ArrayBuffer>} key
 */
export async function verify(note, key) {
  const due = (await sha256(joined(bytes(`${note.server}\n\u0001`), key))).slice(0, 4);
  const signed = note.signatures.map((line) => signedBy(note.server, line));
  const ours = signed.map((one) => one !== null && same(one.slice(0, 4), due) && one.slice(4));
  if (!ours[0]) throw new BadRecord("unsigned-note", "the first signature of the note is not by this server's key");
  for (const one of ours) {
    if (one && !(await holds(key, bytes(note.text), one))) {
      throw new BadRecord("bad-signature", "the server's signature on the note is not valid");
    }
  }
}

/**
 * The notes in a text such as a mail, where they may be quoted, indented and among other lines.
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
  const head = until(lines.slice(at, at + LONGEST_HEAD + 1), (line) => line === "");
  const body = `${head.join("\n")}\n`;
  if (!TEXT.test(body)) return null;
  const first = at + head.length + 1;
  const signatures = until(lines.slice(first, first + MAX_SIGNATURES), (line) => !line.startsWith(DASH));
  const text = `${body}\n${signatures.map((line) => `${line}\n`).join("")}`;
  return signatures.length && isNote(text) ? text : null;
}

/** @param {string[]} lines @param {(line: string) => boolean} ends */
function until(lines, ends) {
  const end = lines.findIndex(ends);
  return end < 0 ? lines : lines.slice(0, end);
}

/** Also true for a signature line that a mail program has broken in two. @param {string} text */
function isNote(text) {
  try {
    return Boolean(read(text));
  } catch (error) {
    if (error instanceof BadRecord) return false;
    throw error;
  }
}

/**
 * Key id and signature in a line of this name; null for any other line, which is not decoded.
 * @param {string} name @param {string | undefined} line
 */
function signedBy(name, line = "") {
  const found = SIGNATURE.exec(line);
  const signed = found?.[1] === name ? decoded(found[2] ?? "") : null;
  return signed && signed.length > 4 ? signed : null;
}

/** The bytes of canonical base64; null for any other spelling. @param {string} text */
function decoded(text) {
  const data = text.length % 4 ? null : unbase64(text);
  return data && base64(data) === text ? data : null;
}

/** How many a checkpoint covers: `1 entry`, `2 entries`. @param {number} count */
export const entries = (count) => (count === 1 ? "1 entry" : `${count} entries`);

/** @param {string} says */
const bad = (says) => new BadRecord("bad-note", says);
