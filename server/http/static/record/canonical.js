// The bytes of the record: canonical JSON, base64url, SHA-256 (docs/spec/record.md, section 3).
//
// A reader accepts exactly one spelling of a value: no spaces, two escapes, integers, each member once and sorted (in
// any order in what a player sends). `JSON.parse` would accept more, and would reorder members that look like numbers.

export const MAX_LINE = 2 ** 20;
export const MAX_SENT = 2 ** 14;
const MAX_DEPTH = 32;

/** The bytes are not part of a valid record; `code` is the same as in the other readers of this project. */
export class BadRecord extends Error {
  /** @param {string} code @param {string} says */
  constructor(code, says) {
    super(says);
    this.name = "BadRecord";
    this.code = code;
  }
}

/**
 * The value of a canonical line; BadRecord for a text that `write` would not make.
 * @param {string} line @returns {any}
 */
export function read(line) {
  if (line.length > MAX_LINE) throw new BadRecord("too-long", `a line has at most ${MAX_LINE} bytes`);
  return new Parser(line, true).whole();
}

/**
 * The object in what a player sent: canonical, except that members may be in any order.
 * @param {string} text @returns {Record<string, any>}
 */
export function readSent(text) {
  if (text.length > MAX_SENT) throw new BadRecord("too-long", `a text has at most ${MAX_SENT} bytes`);
  const value = new Parser(text, false).whole();
  if (!isObject(value)) throw new BadRecord("not-an-object", "the text must be one JSON object");
  return value;
}

/**
 * The canonical text of a value of the model: plain objects, arrays, printable ASCII, integers, booleans and null.
 * @param {any} value @returns {string}
 */
export function write(value) {
  const text = written(value, 0);
  if (text.length > MAX_LINE) throw new BadRecord("too-long", `a line has at most ${MAX_LINE} bytes`);
  return text;
}

/** @param {any} value @returns {value is Record<string, any>} */
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {any} value @param {number} depth @returns {string} */
function written(value, depth) {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string" && /^[\x20-\x7e]*$/.test(value)) return JSON.stringify(value);
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return String(value);
  if (typeof value !== "object" || depth >= MAX_DEPTH) {
    throw new BadRecord("bad-value", "this value has no canonical form");
  }
  if (Array.isArray(value)) return `[${value.map((item) => written(item, depth + 1)).join(",")}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${written(name, 0)}:${written(value[name], depth + 1)}`).join(",")}}`;
}

class Parser {
  /** @param {string} text @param {boolean} sorted */
  constructor(text, sorted) {
    this.text = text;
    this.sorted = sorted;
    this.at = 0;
  }

  whole() {
    const bad = /[^\x20-\x7e]/.exec(this.text);
    if (bad) throw new BadRecord("not-ascii", `character ${bad.index} is not printable ASCII`);
    const value = this.value(0);
    if (this.at !== this.text.length) this.fail();
    return value;
  }

  /** @param {number} depth @returns {any} */
  value(depth) {
    const first = this.text[this.at];
    if (first === '"') return this.string();
    if (first === "{" || first === "[") {
      if (depth === MAX_DEPTH) throw new BadRecord("too-deep", `values are nested at most ${MAX_DEPTH} levels deep`);
      return first === "{" ? this.object(depth + 1) : this.array(depth + 1);
    }
    for (const [word, value] of WORDS) if (this.took(word)) return value;
    return this.integer();
  }

  /** @param {number} depth */
  object(depth) {
    /** @type {Record<string, any>} */
    const found = Object.create(null); // a member may be called __proto__
    let last = null;
    for (const name of this.items("{", "}")) {
      void name;
      const member = this.string();
      if (Object.hasOwn(found, member)) throw new BadRecord("duplicate-key", "an object must name each member once");
      if (this.sorted && last !== null && member < last) this.fail();
      if (!this.took(":")) this.fail();
      found[member] = this.value(depth);
      last = member;
    }
    return found;
  }

  /** @param {number} depth */
  array(depth) {
    const found = [];
    for (const item of this.items("[", "]")) {
      void item;
      found.push(this.value(depth));
    }
    return found;
  }

  /** Stands before each item in turn. @param {string} open @param {string} close */
  *items(open, close) {
    this.take(open);
    if (this.took(close)) return;
    do yield null;
    while (this.took(","));
    this.take(close);
  }

  string() {
    STRING.lastIndex = this.at;
    const found = STRING.exec(this.text);
    if (!found) return this.fail();
    this.at = STRING.lastIndex;
    return found[0].includes("\\") ? found[0].slice(1, -1).replace(/\\(.)/g, "$1") : found[0].slice(1, -1);
  }

  integer() {
    INTEGER.lastIndex = this.at;
    const found = INTEGER.exec(this.text);
    if (!found) return this.fail();
    this.at = INTEGER.lastIndex;
    const value = Number(found[0]);
    if (found[0] === "-0" || !Number.isSafeInteger(value)) {
      throw new BadRecord("bad-number", "numbers must be integers from -(2^53-1) to 2^53-1");
    }
    return value;
  }

  /** @param {string} mark */
  took(mark) {
    if (!this.text.startsWith(mark, this.at)) return false;
    this.at += mark.length;
    return true;
  }

  /** @param {string} mark */
  take(mark) {
    if (!this.took(mark)) this.fail();
  }

  /** @returns {never} */
  fail() {
    throw new BadRecord("not-canonical", `character ${this.at} is not in canonical form`);
  }
}

const STRING = /"(?:[^"\\]|\\["\\])*"/y;
const INTEGER = /-?(?:0|[1-9][0-9]{0,16})/y;
/** @type {[string, any][]} */
const WORDS = [
  ["null", null],
  ["true", true],
  ["false", false],
];

// --- bytes ---------------------------------------------------------------------------------------------------------

const coder = new TextEncoder();

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export const bytes = (text) => coder.encode(text);

/** @param {...Uint8Array} parts @returns {Uint8Array<ArrayBuffer>} */
export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
}

/** The base64url text of bytes, without padding. @param {Uint8Array | ArrayBuffer} data */
export function b64(data) {
  return base64(data).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Standard base64, as notes have it. @param {Uint8Array | ArrayBuffer} data */
export function base64(data) {
  let text = "";
  for (const byte of new Uint8Array(data)) text += String.fromCharCode(byte);
  return btoa(text);
}

/**
 * The bytes of a base64url text, exactly `length` if given; BadRecord for a text that `b64` would not make.
 * @param {unknown} text @param {number} [length] @returns {Uint8Array<ArrayBuffer>}
 */
export function unb64(text, length) {
  if (typeof text !== "string" || !/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) {
    throw new BadRecord("bad-base64url", "expected base64url without padding");
  }
  const data = unbase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  if (b64(data) !== text) {
    throw new BadRecord("bad-base64url", "this base64url is not the canonical spelling of its bytes");
  }
  if (length !== undefined && data.length !== length) {
    throw new BadRecord("bad-length", `expected ${length} bytes, found ${data.length}`);
  }
  return data;
}

/** Decode base64 into bytes, as `atob` does. @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export const unbase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** @param {Uint8Array<ArrayBuffer>} data @returns {Promise<Uint8Array<ArrayBuffer>>} */
export const sha256 = async (data) => new Uint8Array(await crypto.subtle.digest("SHA-256", data));

/** The hash of an entry: the leaf hash of RFC 6962, in base64url. @param {string} line */
export const leaf = async (line) => b64(await sha256(joined(new Uint8Array(1), bytes(line))));

/** D(x): separates the uses of a hash. @param {string} use */
export const domain = (use) => bytes(`sealedmove/1/${use}\0`);

/** Random bytes. @param {number} length */
export const random = (length) => crypto.getRandomValues(new Uint8Array(length));

/** @param {Uint8Array} one @param {Uint8Array} other */
export const same = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);
