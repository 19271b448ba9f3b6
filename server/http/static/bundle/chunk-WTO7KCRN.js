import {
  open
} from "./chunk-2WYNB7VX.js";

// server/http/static/record/canonical.js
var MAX_LINE = 2 ** 20;
var MAX_SENT = 2 ** 14;
var MAX_DEPTH = 32;
var BadRecord = class extends Error {
  /** @param {string} code @param {string} says */
  constructor(code, says) {
    super(says);
    this.name = "BadRecord";
    this.code = code;
  }
};
function read(line) {
  if (line.length > MAX_LINE) throw new BadRecord("too-long", `a line has at most ${MAX_LINE} bytes`);
  return new Parser(line, true).whole();
}
function readSent(text) {
  if (text.length > MAX_SENT) throw new BadRecord("too-long", `a text has at most ${MAX_SENT} bytes`);
  const value = new Parser(text, false).whole();
  if (!isObject(value)) throw new BadRecord("not-an-object", "the text must be one JSON object");
  return value;
}
function write(value) {
  const text = written(value, 0);
  if (text.length > MAX_LINE) throw new BadRecord("too-long", `a line has at most ${MAX_LINE} bytes`);
  return text;
}
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
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
var Parser = class {
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
    const found = /* @__PURE__ */ Object.create(null);
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
  *items(open2, close) {
    this.take(open2);
    if (this.took(close)) return;
    do
      yield null;
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
};
var STRING = /"(?:[^"\\]|\\["\\])*"/y;
var INTEGER = /-?(?:0|[1-9][0-9]{0,16})/y;
var WORDS = [
  ["null", null],
  ["true", true],
  ["false", false]
];
var coder = new TextEncoder();
var bytes = (text) => coder.encode(text);
function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
}
function b64(data) {
  return base64(data).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
function base64(data) {
  let text = "";
  for (const byte of new Uint8Array(data)) text += String.fromCharCode(byte);
  return btoa(text);
}
function unb64(text, length) {
  if (typeof text !== "string" || !/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) {
    throw new BadRecord("bad-base64url", "expected base64url without padding");
  }
  const data = unbase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  if (b64(data) !== text) {
    throw new BadRecord("bad-base64url", "this base64url is not the canonical spelling of its bytes");
  }
  if (length !== void 0 && data.length !== length) {
    throw new BadRecord("bad-length", `expected ${length} bytes, found ${data.length}`);
  }
  return data;
}
var unbase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
var sha256 = async (data) => new Uint8Array(await crypto.subtle.digest("SHA-256", data));
var leaf = async (line) => b64(await sha256(joined(new Uint8Array(1), bytes(line))));
var domain = (use) => bytes(`sealedmove/1/${use}\0`);
var random = (length) => crypto.getRandomValues(new Uint8Array(length));
var same = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);

// server/http/static/record/jwk.js
var thumbprint = async ({ crv, kty, x }) => b64(await sha256(bytes(JSON.stringify({ crv, kty, x }))));
async function publicJwk(key) {
  const { x } = await crypto.subtle.exportKey("jwk", key);
  return { crv: "Ed25519", kty: "OKP", x: String(x) };
}

// server/http/static/game/memory.js
var MOST_LOOKS = 64;
var MOST_WARNINGS = 64;
var MOST_EVIDENCE = 32;
var FAR = 120;
var NOTHING = {
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
  over: false
};
var Memory = class _Memory {
  /** @param {Store} store @param {string} game */
  constructor(store, game) {
    this.store = store;
    this.game = game;
  }
  /** @param {string | number} account @param {string} game */
  static async of(account, game) {
    return new _Memory(await open(account), game);
  }
  // --- the log -------------------------------------------------------------------------------------------------------
  /** @returns {Promise<Kept>} */
  async kept() {
    return { ...NOTHING, ...await this.store.get("games", this.game) };
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
    const name = `${new Date(now * 1e3).toISOString()} ${crypto.randomUUID().slice(0, 8)}`;
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
      Object.entries({ expected, found, seq }).filter(([, value]) => value !== void 0)
    );
    await this.keep({ finding: { code, says: message, when: new Date(now * 1e3).toISOString(), ...facts } });
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
      if (act.text !== void 0) at("sent").put(act.text, [this.game, "text", act.seq, act.jws]);
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
};
async function forgetOwn(account) {
  const store = await open(account);
  const [ids, pin] = await Promise.all([store.keys("games"), store.get("device", "server")]);
  const kept = await Promise.all(ids.map((id) => store.get("games", id)));
  await store.change(["device", "games", "lines", "sent", "plans"], (at) => {
    for (
      const name of
      /** @type {const} */
      ["device", "lines", "sent", "plans"]
    ) at(name).clear();
    if (pin) at("device").put(pin, "server");
    kept.forEach(
      ({ note, ahead, finding, seat, since, over }, n) => at("games").put(
        { note, ahead, finding, seat, since, over },
        /** @type {IDBValidKey} */
        ids[n]
      )
    );
  });
}
function looked(looks, size, now) {
  const before = looks.filter((look) => look.size !== size);
  return [...before, { size, last: now }].slice(-MOST_LOOKS);
}
var warned = (warnings, more) => [...warnings, ...more.filter((one) => !warnings.includes(one))].slice(-MOST_WARNINGS);
function odd(news, looks) {
  return news.flatMap(({ seq, at }) => {
    const dated = Date.parse(at) / 1e3;
    const missed = Math.max(
      ...looks.filter((look) => look.size <= seq && look.last > dated + FAR).map(({ last }) => last)
    );
    if (missed === -Infinity) return [];
    return [
      `Entry ${seq} is dated ${clock(dated)}, but it was not in the log at ${clock(missed)} by this device's clock. If this clock is right, the entry was back-dated.`
    ];
  });
}
function oddOwn({ seq, at }, sent, now) {
  const dated = Date.parse(at) / 1e3;
  if (sent - FAR <= dated && dated <= now + FAR) return [];
  const says = `Entry ${seq} is dated ${clock(dated)}, but you sent it at ${clock(sent)} by this device's clock. One of the two clocks is wrong.`;
  return [says];
}
var clock = (seconds) => new Date(seconds * 1e3).toISOString().replace(/\.\d+Z$/, "Z");

export {
  BadRecord,
  read,
  readSent,
  write,
  isObject,
  bytes,
  joined,
  b64,
  base64,
  unb64,
  unbase64,
  sha256,
  leaf,
  domain,
  random,
  same,
  thumbprint,
  publicJwk,
  Memory,
  forgetOwn,
  looked,
  warned,
  odd,
  oddOwn,
  clock
};
