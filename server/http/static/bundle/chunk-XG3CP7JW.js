import {
  BadRecord,
  b64,
  base64,
  bytes,
  domain,
  isObject,
  joined,
  leaf,
  read,
  readSent,
  same,
  sha256,
  thumbprint,
  unb64,
  unbase64
} from "./chunk-WTO7KCRN.js";

// server/http/static/record/verification-error.js
var VerificationError = class extends Error {
  /**
   * @param {string} code stable
   * @param {string} says in words
   * @param {{expected?: unknown, found?: unknown, seq?: number}} [facts]
   */
  constructor(code, says, { expected, found, seq: seq2 } = {}) {
    super(says);
    this.name = "VerificationError";
    this.code = code;
    this.expected = expected;
    this.found = found;
    this.seq = seq2;
  }
};

// server/http/static/record/vendor/noble-ed25519/index.js
/*! noble-ed25519 - MIT License (c) 2019 Paul Miller (paulmillr.com) */
var freeze = Object.freeze;
var P = 0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffedn;
var N = 0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3edn;
var _d = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n;
var Gx = 0x216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51an;
var Gy = 0x6666666666666666666666666666666666666666666666666666666666666658n;
var _a = P - 1n;
var ed25519_CURVE = freeze({
  p: P,
  n: N,
  h: 8n,
  a: _a,
  d: _d,
  Gx,
  Gy
});
var LEN = 32;
var isBytes = (a) => {
  return a instanceof Uint8Array || ArrayBuffer.isView(a) && a.constructor.name === "Uint8Array" && a.BYTES_PER_ELEMENT === 1;
};
var abytes = (value, length, title = "") => {
  if (isBytes(value) && (length === void 0 || value.length === length))
    return value;
  const bytes2 = isBytes(value);
  const ofLen = length !== void 0 ? ` of length ${length}` : "";
  const got = bytes2 ? `length=${value.length}` : `type=${typeof value}`;
  const message = (title ? `"${title}" ` : "") + "expected Uint8Array" + ofLen + ", got " + got;
  if (!bytes2)
    throw new TypeError(message);
  throw new RangeError(message);
};
var snapshotBytes = (value, title = "", length) => Uint8Array.from(abytes(value, length, title));
var padh = (n, pad) => n.toString(16).padStart(pad, "0");
var bytesToHex = (bytes2) => {
  let hex2 = "";
  for (const byte of abytes(bytes2))
    hex2 += padh(byte, 2);
  return hex2;
};
var hexToBytes = (hex2) => {
  const e = "hex invalid";
  if (typeof hex2 !== "string")
    throw new TypeError(e);
  if (hex2.length % 2 || !/^[\da-f]*$/i.test(hex2))
    throw new RangeError(e);
  const array = new Uint8Array(hex2.length / 2);
  for (let ai = 0, hi = 0; ai < array.length; ai++, hi += 2) {
    const n1 = hex2.charCodeAt(hi);
    const n2 = hex2.charCodeAt(hi + 1);
    array[ai] = ((n1 & 15) + (n1 >> 6) * 9) * 16 + (n2 & 15) + (n2 >> 6) * 9;
  }
  return array;
};
var arange = (n, min, max, msg = "bad number: out of range") => {
  if (typeof n !== "bigint")
    throw new TypeError(msg);
  if (min <= n && n < max)
    return n;
  throw new RangeError(msg);
};
var mod = (a, b = P) => (a %= b) >= 0n ? a : b + a;
var P_MASK = (1n << 255n) - 1n;
var modP = (num) => {
  if (num < 0n)
    throw new RangeError("negative coordinate");
  let r = (num >> 255n) * 19n + (num & P_MASK);
  r = (r >> 255n) * 19n + (r & P_MASK);
  return r % P;
};
var invert = (number3, modulo) => {
  if (number3 === 0n)
    throw new Error("invert: expected non-zero number");
  if (modulo <= 1n)
    throw new Error("invert: expected modulus > 1, got " + modulo);
  let a = mod(number3, modulo);
  let b = modulo;
  let x = 0n, u = 1n;
  while (a !== 0n) {
    const q = b / a;
    const r = b - a * q;
    const m = x - u * q;
    b = a, a = r, x = u, u = m;
  }
  const gcd = b;
  if (gcd !== 1n)
    throw new Error("invert: does not exist");
  return mod(x, modulo);
};
var apoint = (p) => {
  if (p instanceof Point)
    return p;
  throw new TypeError("Point expected");
};
var B256 = 2n ** 256n;
var Point = class _Point {
  static BASE;
  static ZERO;
  X;
  Y;
  Z;
  T;
  // Constructor only bounds-checks and freezes XYZT coordinates; it does not prove the point is
  // on-curve or that T matches X*Y/Z.
  constructor(X, Y, Z, T) {
    const max = B256;
    this.X = arange(X, 0n, max);
    this.Y = arange(Y, 0n, max);
    this.Z = arange(Z, 1n, max);
    this.T = arange(T, 0n, max);
    freeze(this);
  }
  static CURVE() {
    return ed25519_CURVE;
  }
  static fromAffine(p) {
    return new _Point(p.x, p.y, 1n, modP(p.x * p.y));
  }
  /** RFC8032 5.1.3: Uint8Array to Point. */
  static fromBytes(bytes2, zip215 = false) {
    const normed = snapshotBytes(bytes2, "point", LEN);
    const lastByte = normed[31];
    normed[31] = lastByte & ~128;
    const y = bytesToNumberLE(normed);
    if (!zip215)
      arange(y, 0n, P);
    const y2 = modP(y * y);
    const u = mod(y2 - 1n);
    const v = modP(_d * y2 + 1n);
    let { isValid, value: x } = uvRatio(u, v);
    if (!isValid)
      throw new Error("bad point: y not sqrt");
    const isLastByteOdd = !!(lastByte & 128);
    if (!zip215 && x === 0n && isLastByteOdd)
      throw new Error("bad point: x==0, isLastByteOdd");
    if (isLastByteOdd !== !!(x & 1n))
      x = mod(-x);
    return new _Point(x, y, 1n, modP(x * y));
  }
  static fromHex(hex2, zip215) {
    return _Point.fromBytes(hexToBytes(hex2), zip215);
  }
  get x() {
    return this.toAffine().x;
  }
  get y() {
    return this.toAffine().y;
  }
  /** Checks if the point is valid and on-curve. */
  assertValidity() {
    const a = _a;
    const d = _d;
    const p = this;
    if (p.is0())
      throw new Error("bad point: ZERO");
    const { X, Y, Z, T } = p;
    const X2 = modP(X * X);
    const Y2 = modP(Y * Y);
    const Z2 = modP(Z * Z);
    const Z4 = modP(Z2 * Z2);
    const aX2 = modP(X2 * a);
    const left = modP(Z2 * (aX2 + Y2));
    const right = mod(Z4 + modP(d * modP(X2 * Y2)));
    if (left !== right)
      throw new Error("bad point: equation left != right (1)");
    const XY = modP(X * Y);
    const ZT = modP(Z * T);
    if (XY !== ZT)
      throw new Error("bad point: equation left != right (2)");
    return this;
  }
  /** Equality check: compare points P&Q. */
  equals(other) {
    const { X: X1, Y: Y1, Z: Z1 } = this;
    const { X: X2, Y: Y2, Z: Z2 } = apoint(other);
    return modP(X1 * Z2) === modP(X2 * Z1) && modP(Y1 * Z2) === modP(Y2 * Z1);
  }
  is0() {
    return this.equals(I);
  }
  /** Flip point over y coordinate. */
  negate() {
    return new _Point(mod(-this.X), this.Y, this.Z, mod(-this.T));
  }
  /** Point doubling. Complete formula. Cost: `4M + 4S + 1*a + 6add + 1*2`. */
  double() {
    const { X: X1, Y: Y1, Z: Z1 } = this;
    const a = _a;
    const A = modP(X1 * X1);
    const B = modP(Y1 * Y1);
    const C = modP(2n * Z1 * Z1);
    const D = modP(a * A);
    const x1y1 = mod(X1 + Y1);
    const E = mod(modP(x1y1 * x1y1) - A - B);
    const G2 = mod(D + B);
    const F = mod(G2 - C);
    const H = mod(D - B);
    const X3 = modP(E * F);
    const Y3 = modP(G2 * H);
    const T3 = modP(E * H);
    const Z3 = modP(F * G2);
    return new _Point(X3, Y3, Z3, T3);
  }
  /** Point addition. Complete formula. Cost: `9M + 1*a + 1*d + 7add`. */
  add(other) {
    const { X: X1, Y: Y1, Z: Z1, T: T1 } = this;
    const { X: X2, Y: Y2, Z: Z2, T: T2 } = apoint(other);
    const a = _a;
    const d = _d;
    const A = modP(X1 * X2);
    const B = modP(Y1 * Y2);
    const C = modP(modP(T1 * d) * T2);
    const D = modP(Z1 * Z2);
    const E = mod(modP(mod(X1 + Y1) * mod(X2 + Y2)) - A - B);
    const F = mod(D - C);
    const G2 = mod(D + C);
    const H = mod(B - modP(a * A));
    const X3 = modP(E * F);
    const Y3 = modP(G2 * H);
    const T3 = modP(E * H);
    const Z3 = modP(F * G2);
    return new _Point(X3, Y3, Z3, T3);
  }
  subtract(other) {
    return this.add(apoint(other).negate());
  }
  /**
   * Point-by-scalar multiplication. Safe mode requires `1 <= n < CURVE.n`.
   * Unsafe mode additionally permits `n = 0` and returns the identity point for that case.
   * Uses {@link wNAF} for base point.
   * Uses fake point to mitigate side-channel leakage.
   * @param n - scalar by which point is multiplied
   * @param safe - safe mode guards against timing attacks; unsafe mode is faster
   */
  multiply(n, safe = true) {
    if (!safe && n === 0n)
      return I;
    arange(n, 1n, N);
    if (!safe && this.is0())
      return I;
    if (n === 1n)
      return this;
    if (this.equals(G))
      return wNAF(n).p;
    let p = I;
    let f = G;
    let d = this;
    for (let i = 0; safe ? i < 256 : n > 0n; i++) {
      if (n & 1n)
        p = p.add(d);
      else if (safe)
        f = f.add(d);
      d = d.double();
      n >>= 1n;
    }
    return p;
  }
  multiplyUnsafe(scalar) {
    return this.multiply(scalar, false);
  }
  /** Convert point to 2d xy affine point. (X, Y, Z) ∋ (x=X/Z, y=Y/Z) */
  toAffine() {
    const { X, Y, Z } = this;
    if (this.equals(I))
      return { x: 0n, y: 1n };
    const iz = invert(Z, P);
    if (modP(Z * iz) !== 1n)
      throw new Error("invalid inverse");
    return { x: modP(X * iz), y: modP(Y * iz) };
  }
  toBytes() {
    const { x, y } = this.toAffine();
    const b = numTo32bLE(y);
    b[31] |= x & 1n ? 128 : 0;
    return b;
  }
  toHex() {
    return bytesToHex(this.toBytes());
  }
  clearCofactor() {
    return this.multiply(8n, false);
  }
  isSmallOrder() {
    return this.clearCofactor().is0();
  }
  isTorsionFree() {
    return this.multiply(N / 2n, false).double().add(this).is0();
  }
};
var G = new Point(Gx, Gy, 1n, mod(Gx * Gy));
var I = new Point(0n, 1n, 1n, 0n);
Point.BASE = G;
Point.ZERO = I;
var numTo32bLE = (num) => hexToBytes(padh(arange(num, 0n, B256), 64)).reverse();
var bytesToNumberLE = (b) => BigInt("0x" + bytesToHex(Uint8Array.from(abytes(b)).reverse()));
var pow2 = (x, power) => {
  let r = x;
  while (power-- > 0) {
    r = modP(r * r);
  }
  return r;
};
var pow_2_252_3 = (x) => {
  const x2 = modP(x * x);
  const b2 = modP(x2 * x);
  const b4 = modP(pow2(b2, 2) * b2);
  const b5 = modP(pow2(b4, 1) * x);
  const b10 = modP(pow2(b5, 5) * b5);
  const b20 = modP(pow2(b10, 10) * b10);
  const b40 = modP(pow2(b20, 20) * b20);
  const b80 = modP(pow2(b40, 40) * b40);
  const b160 = modP(pow2(b80, 80) * b80);
  const b240 = modP(pow2(b160, 80) * b80);
  const b250 = modP(pow2(b240, 10) * b10);
  return modP(pow2(b250, 2) * x);
};
var RM1 = 0x2b8324804fc1df0b2b4d00993dfbd7a72f431806ad2fe478c4ee1b274a0ea0b0n;
var uvRatio = (u, v) => {
  const v3 = modP(v * modP(v * v));
  const v7 = modP(modP(v3 * v3) * v);
  const pow = pow_2_252_3(modP(u * v7));
  let x = modP(u * modP(v3 * pow));
  const vx2 = modP(v * modP(x * x));
  const root1 = x;
  const root2 = modP(x * RM1);
  const useRoot1 = vx2 === u;
  const useRoot2 = vx2 === mod(-u);
  const noRoot = vx2 === mod(-u * RM1);
  if (useRoot1)
    x = root1;
  if (useRoot2 || noRoot)
    x = root2;
  if ((mod(x) & 1n) === 1n)
    x = mod(-x);
  return { isValid: useRoot1 || useRoot2, value: x };
};
var precompute = () => {
  const points2 = [];
  let p = G;
  let b;
  for (let w = 0; w < 33; w++) {
    b = p;
    points2.push(b);
    for (let i = 1; i < 128; i++) {
      b = b.add(p);
      points2.push(b);
    }
    p = b.double();
  }
  return points2;
};
var Gpows = void 0;
var ctneg = (cnd, p) => {
  const n = p.negate();
  return cnd ? n : p;
};
var wNAF = (n) => {
  const comp = Gpows || (Gpows = precompute());
  let p = I;
  let f = G;
  for (let w = 0; w < 33; w++) {
    let wbits = Number(n & 255n);
    n >>= 8n;
    if (wbits > 128) {
      wbits -= 256;
      n += 1n;
    }
    const off = w * 128;
    const offP = off + Math.abs(wbits) - 1;
    const isOddW = w % 2 !== 0;
    const isNeg = wbits < 0;
    if (wbits === 0) {
      f = f.add(ctneg(isOddW, comp[off]));
    } else {
      p = p.add(ctneg(isNeg, comp[offP]));
    }
  }
  if (n !== 0n)
    throw new Error("invalid wnaf");
  return { p, f };
};

// server/http/static/record/ed25519.js
var { n: L } = Point.CURVE();
async function verify(key2, message, signature) {
  if (key2.length !== 32 || signature.length !== 64) return false;
  if (SMALL.has(hex(masked(signature.subarray(0, 32)))) || number(signature.subarray(32)) >= L) return false;
  return crypto.subtle.verify("Ed25519", await imported(key2), signature, message);
}
function publicKey(jwk) {
  const exact = isObject(jwk) && Object.keys(jwk).sort().join() === "crv,kty,x" && jwk.kty === "OKP" && jwk.crv === "Ed25519";
  if (!exact) throw new BadRecord("bad-jwk", "a key must be an Ed25519 JWK with exactly the members crv, kty and x");
  const key2 = unb64(jwk.x, 32);
  checkPoint(key2);
  return key2;
}
function checkPoint(key2) {
  const name2 = hex(key2);
  if (!sound.has(name2)) sound.set(name2, isSound(key2));
  if (!sound.get(name2)) throw new BadRecord("bad-key", "the key is not a canonical point of the prime-order subgroup");
}
var sound = /* @__PURE__ */ new Map();
var keys = /* @__PURE__ */ new Map();
function imported(key2) {
  const name2 = hex(key2);
  const found = keys.get(name2) ?? crypto.subtle.importKey("raw", key2, "Ed25519", false, ["verify"]);
  keys.set(name2, found);
  return found;
}
function isSound(key2) {
  try {
    const point = Point.fromBytes(key2);
    return !point.is0() && point.isTorsionFree();
  } catch {
    return false;
  }
}
var number = (data2) => BigInt(`0x${hex(Uint8Array.from(data2).reverse())}`);
var hex = (data2) => [...data2].map((byte) => byte.toString(16).padStart(2, "0")).join("");
var masked = (data2) => Uint8Array.from(data2, (byte, at2) => at2 === 31 ? byte & 127 : byte);
var SMALL = /* @__PURE__ */ new Set([
  "0100000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
]);

// server/http/static/record/note.js
var MAX_NOTE = 2 ** 16;
var MAX_TEXT = 2 ** 22;
var MAX_SIGNATURES = 64;
var LONGEST_HEAD = 7;
var TEXT = new RegExp(
  "^([A-Za-z0-9._:[\\]-]{1,255})/game/([0-9a-f-]{36})\n([1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n(?:[a-z](?:[ -~]{0,118}[!-~])?\n){0,4}$"
);
var DASH = "— ";
var SIGNATURE = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/;
function read2(text3) {
  if (typeof text3 !== "string" || text3.length > MAX_NOTE) {
    throw bad(`a note has at most ${MAX_NOTE} characters`);
  }
  const gap = text3.indexOf("\n\n");
  const body = `${text3.slice(0, gap)}
`;
  const found = TEXT.exec(body);
  if (!found || gap < 0 || !text3.endsWith("\n")) {
    throw bad("a note has three lines, any extension lines, an empty line, and signatures");
  }
  const signatures = text3.slice(gap + 2, -1).split("\n");
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
async function verify2(note, key2) {
  const due2 = (await sha256(joined(bytes(`${note.server}
`), key2))).slice(0, 4);
  const signed = note.signatures.map((line) => signedBy(note.server, line));
  const ours = signed.map((one) => one !== null && same(one.slice(0, 4), due2) && one.slice(4));
  if (!ours[0]) throw new BadRecord("unsigned-note", "the first signature of the note is not by this server's key");
  for (const one of ours) {
    if (one && !await verify(key2, bytes(note.text), one)) {
      throw new BadRecord("bad-signature", "the server's signature on the note is not valid");
    }
  }
}
function find(text3) {
  const lines = text3.slice(0, MAX_TEXT).split(/\r\n|\r|\n/).map((line) => line.replace(/^[ \t>|]*/, "").replace(/[ \t]+$/, ""));
  return lines.map((_, at2) => noteAt(lines, at2)).filter((found) => found !== null);
}
function noteAt(lines, at2) {
  const head = until(lines.slice(at2, at2 + LONGEST_HEAD + 1), (line) => line === "");
  const body = `${head.join("\n")}
`;
  if (!TEXT.test(body)) return null;
  const first = at2 + head.length + 1;
  const signatures = until(lines.slice(first, first + MAX_SIGNATURES), (line) => !line.startsWith(DASH));
  const text3 = `${body}
${signatures.map((line) => `${line}
`).join("")}`;
  return signatures.length && isNote(text3) ? text3 : null;
}
function until(lines, ends) {
  const end = lines.findIndex(ends);
  return end < 0 ? lines : lines.slice(0, end);
}
function isNote(text3) {
  try {
    return Boolean(read2(text3));
  } catch (error) {
    if (error instanceof BadRecord) return false;
    throw error;
  }
}
function signedBy(name2, line = "") {
  const found = SIGNATURE.exec(line);
  const signed = found?.[1] === name2 ? decoded(found[2] ?? "") : null;
  return signed && signed.length > 4 ? signed : null;
}
function decoded(text3) {
  const data2 = text3.length % 4 ? null : unbase64(text3);
  return data2 && base64(data2) === text3 ? data2 : null;
}
var entries = (count) => count === 1 ? "1 entry" : `${count} entries`;
var bad = (says) => new BadRecord("bad-note", says);

// server/http/static/record/shapes.js
var bad2 = (says) => new BadRecord("bad-member", says);
function due(holds, says) {
  if (!holds) throw bad2(`expected ${says}`);
}
var shape = (what, required, optional = {}) => (value) => {
  if (!isObject(value)) throw new BadRecord("not-an-object", `${what} must be an object`);
  const lacking = Object.keys(required).find((name2) => !Object.hasOwn(value, name2));
  if (lacking) throw new BadRecord("missing-member", `${what} lacks the member ${lacking}`);
  for (const [name2, member] of Object.entries(value)) {
    const check = Object.hasOwn(required, name2) ? required[name2] : Object.hasOwn(optional, name2) ? optional[name2] : null;
    if (!check) throw new BadRecord("unknown-member", `${what} has no member ${name2.slice(0, 40)}`);
    check(member);
  }
};
var integer = (low, high = Number.MAX_SAFE_INTEGER) => (value) => due(Number.isInteger(value) && low <= value && value <= high, `an integer from ${low} to ${high}`);
var matching = (pattern, says) => (value) => due(typeof value === "string" && pattern.test(value), says);
var nullable = (check) => (value) => value === null ? void 0 : check(value);
var oneOf = (...names) => (value) => due(names.includes(value), `one of ${names.join(", ")}`);
var list = (check, least = 0, most = Infinity) => (value) => {
  due(Array.isArray(value) && least <= value.length && value.length <= most, "a list with a valid number of items");
  value.forEach(check);
};
var boolean = (value) => due(typeof value === "boolean", "true or false");
var text = (value) => due(typeof value === "string", "a string");
var object = (value) => due(isObject(value), "an object");
var binary32 = (value) => void unb64(value, 32);
var anything = () => void 0;
var seat = integer(0, 63);
var seq = integer(0, 2 ** 20 - 1);
var seconds = integer(0, 2 ** 25);
var gameId = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "a UUID in lower case");
var host = matching(/^[A-Za-z0-9._:[\]-]{1,255}$/, "a host, with its port if it has one");
var name = matching(/^[a-z][a-z0-9_-]{0,63}$/, "a name in lower case");
var fileName = matching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, "a file name");
var seats = (value) => {
  list(seat, 1)(value);
  due(
    value.every((one, at2) => at2 === 0 || value[at2 - 1] < one),
    "a list in ascending order, each item once"
  );
};
var instant = (value) => {
  const found = typeof value === "string" && /^(\d{4})-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.exec(value);
  const time = found ? new Date(value) : null;
  const exact = time && !Number.isNaN(+time) && time.toISOString() === value.replace("Z", ".000Z");
  if (!exact || Number(found && found[1]) < 1970) {
    throw new BadRecord("bad-time", "times must look like 2026-11-21T10:00:00Z");
  }
};
var secondsOf = (at2) => Date.parse(at2) / 1e3;

// server/http/static/record/jws.js
var LONGEST = 2 ** 14;
var TYP = "sealedmove+jws";
function read3(compact, typ = TYP) {
  if (typeof compact !== "string") throw new BadRecord("bad-jws", "a JWS must be a string in compact form");
  if (compact.length > LONGEST) throw new BadRecord("too-long", `a JWS has at most ${LONGEST} characters`);
  const [header, payload, signature, ...more] = compact.split(".");
  if (signature === void 0 || more.length) throw new BadRecord("bad-jws", "a compact JWS must have three parts");
  const { kid } = readHeader(text2(header), typ);
  return {
    kid,
    payload: readSent(text2(payload)),
    input: bytes(`${header}.${payload}`),
    signature: unb64(signature, 64)
  };
}
function readAct(payload) {
  const { act } = payload;
  if (typeof act !== "string" || !Object.hasOwn(ACTS, act)) {
    throw new BadRecord("act" in payload ? "unknown-act" : "missing-member", "a payload must name its act");
  }
  ACTS[act]?.(payload);
  return payload;
}
function readHeader(header, typ) {
  const head = readSent(header);
  if (Object.keys(head).sort().join() !== "alg,kid,typ") {
    throw new BadRecord("bad-header", "the header of a JWS must have exactly the members alg, kid and typ");
  }
  if (head.alg !== "Ed25519" && head.alg !== "EdDSA") {
    throw new BadRecord("bad-alg", "the algorithm of a JWS must be Ed25519");
  }
  if (head.typ !== typ) throw new BadRecord("bad-typ", `expected a JWS of type ${typ}`);
  unb64(head.kid, 32);
  return head;
}
var text2 = (part) => String.fromCharCode(...unb64(part));
var version = (value) => {
  if (value !== 1) throw new BadRecord("bad-version", "a payload must have version 1, like its game");
};
var key = (value) => void publicKey(value);
var only = (value) => list(key, 1, 4)(value);
var commands = (value) => {
  if (!Array.isArray(value) || value.length < 1 || value.length > 64) {
    throw new BadRecord("bad-commands", "a move must be a list of 1 to 64 commands");
  }
};
var COMMON = { v: version, aud: text, game: gameId, act: text, seat, seq, prev: binary32 };
var HOLDER = { key, recovery: nullable(key), bot: boolean };
var oneOf2 = (act, ...forms) => (payload) => {
  shape(`the payload of a ${act}`, COMMON, Object.assign({}, ...forms))(payload);
  const given = Object.keys(payload).filter((name2) => !Object.hasOwn(COMMON, name2));
  const names = forms.map((form) => Object.keys(form));
  if (!given.some((name2) => payload[name2] !== null) || !names.some((form) => same2(form, given))) {
    throw new BadRecord(
      "bad-form",
      `the payload of a ${act} has one of ${names.map((form) => form.join("+")).join(", ")}`
    );
  }
};
var same2 = (one, other) => one.length === other.length && one.every((name2) => other.includes(name2));
var ACTS = {
  join: shape("the payload of a join", { ...COMMON, ...HOLDER, nonce: binary32 }),
  take: shape("the payload of a take", { ...COMMON, ...HOLDER }),
  offer: shape("the payload of an offer", { ...COMMON, open: boolean }),
  move: oneOf2("move", { commands }, { sealed: binary32 }),
  key: oneOf2("key act", { add: key }, { drop: binary32 }, { only: nullable(only), recovery: nullable(key) }),
  leave: shape("the payload of a leave", COMMON),
  resign: shape("the payload of a resign", COMMON)
};

// server/http/static/record/entry.js
var ZERO = "A".repeat(43);
var MOST_DRAWS = 2 ** 20;
var MOST_SEALS = 65;
async function readEntry(line) {
  const body = read(line);
  checkEntry(body);
  return { seq: body.seq, kind: body.kind, at: body.at, hash: await leaf(line), line, body };
}
function checkEntry(body) {
  if (!isObject(body)) throw new BadRecord("not-an-object", "an entry must be an object");
  if (Number.isInteger(body.v) && body.v > 1) {
    throw new BadRecord("newer-record", `version ${body.v} of the record is newer than this page`);
  }
  if (body.v !== 1) throw new BadRecord("bad-version", "every entry must have v, the version of the record");
  const { kind } = body;
  if (typeof kind !== "string" || !Object.hasOwn(KINDS, kind)) {
    throw new BadRecord("kind" in body ? "unknown-kind" : "missing-member", "an entry must have a known kind");
  }
  KINDS[kind]?.(body);
  checkWhole(body);
}
function checkWhole(body) {
  const first = body.kind === "created";
  if (body.seq === 0 !== first || first && body.prev !== ZERO) {
    throw new BadRecord("bad-first", "entry 0, and no other, has the kind created and 32 zero bytes as prev");
  }
  if ("outcome" in body !== ("secret" in body && body.kind !== "cancelled")) {
    throw new BadRecord("bad-end", "the entry that ends a game must have both an outcome and the secret");
  }
  if (first) checkClock(body.clock, body.seats);
  if (first && ["none", "absent"].includes(body.handover.by) && body.handover.wait) {
    throw new BadRecord("bad-handover", "seats of this game are not offered, so no offer waits");
  }
  if (body.kind === "moved") checkAuthor(body);
}
function checkAuthor(body) {
  const signed = "jws" in body;
  const forms = Number("commands" in body) + Number("sealed" in body);
  if (signed === "via" in body || forms !== Number(!signed)) {
    throw new BadRecord("bad-author", "a move must have either jws, or via with commands or sealed");
  }
  if ("commands" in body) commands(body.commands);
  if ("sealed" in body) unb64(body.sealed, 32);
}
function checkClock(clock, seats2) {
  const good = !clock || clock.bank <= clock.cap && clock.move + clock.bank >= 60 && clock.grace >= 60 && seats2 > 1;
  if (!good) {
    throw new BadRecord(
      "bad-clock",
      "a clock must give at least a minute, its bank must not exceed the cap, and a game of one seat has no clock"
    );
  }
}
var data = (value) => {
  object(value);
  due(Object.keys(value).length > 0, "null or at least one data file");
  for (const [name2, hash] of Object.entries(value)) {
    fileName(name2);
    binary32(hash);
  }
};
var draw = (value) => {
  due(Array.isArray(value) && value.length === 2, "[n, result]");
  integer(1, 2 ** 32)(value[0]);
  integer(0, value[0] - 1)(value[1]);
};
var points = (value) => {
  due(Array.isArray(value) && value.length === 2, "[heading, [points of seat 0, 1, ...]]");
  text(value[0]);
  list(integer(-Number.MAX_SAFE_INTEGER))(value[1]);
};
var version2 = (value) => integer(1, 1)(value);
var out = (value) => Array.isArray(value) && !value.length ? void 0 : seats(value);
var serverKey = (value) => checkPoint(unb64(value, 32));
var FIRST = { v: version2, game: gameId, seq, prev: binary32, at: instant, kind: text };
var EVENTS = { events: list(object), state: binary32 };
var RULES = shape("rules", { game: name, version: integer(1), data: nullable(data) });
var CLOCK = shape("a clock", {
  move: seconds,
  bank: seconds,
  increment: seconds,
  cap: seconds,
  grace: seconds,
  missed: seconds,
  grants: seconds
});
var CREATED = {
  server: host,
  server_key: serverKey,
  rules: RULES,
  options: object,
  seats: integer(1, 64),
  hidden: boolean,
  clock: nullable(CLOCK),
  handover: shape("handover", { by: oneOf("none", "offer", "absent", "both"), wait: seconds }),
  unsigned: boolean,
  terms: nullable(binary32),
  chance: shape("chance", { draws: integer(0, MOST_DRAWS), chain: binary32 })
};
var OUTCOME = shape("an outcome", {
  places: list(seats),
  points: list(points),
  out,
  reason: name,
  won: boolean
});
var PERHAPS = {
  seals: list(binary32, 2, MOST_SEALS),
  outcome: OUTCOME,
  secret: binary32,
  draws: shape("draws", { first: integer(1, MOST_DRAWS), got: list(draw, 1, MOST_DRAWS), key: binary32 })
};
var SIGNED = { seat, jws: text };
var UNSIGNED = { jws: text, via: name, commands: anything, sealed: binary32 };
var of = (kind, required, optional) => [
  kind,
  shape(`an entry of kind ${kind}`, { ...FIRST, ...required }, optional)
];
var KINDS = Object.fromEntries([
  of("created", CREATED),
  of("joined", { ...SIGNED, bot: boolean }),
  of("left", { seat, jws: nullable(text) }),
  of("started", EVENTS, PERHAPS),
  of("moved", { seat, ...EVENTS }, { ...PERHAPS, ...UNSIGNED }),
  of("keyed", SIGNED),
  of("offered", SIGNED),
  of("taken", { ...SIGNED, bot: boolean }),
  of("resigned", { ...SIGNED, ...EVENTS }, PERHAPS),
  of("expired", { seat, ...EVENTS }, PERHAPS),
  of("granted", { seats, seconds: integer(1, 2 ** 25), why: name }),
  of("restored", { size: integer(1, 2 ** 20), hash: binary32 }),
  of("cancelled", { reason: name, secret: nullable(binary32) })
]);

// server/http/static/record/draws.js
async function entropy(table) {
  const people = table.seats.flatMap(({ holder }) => holder && !holder.bot && holder.nonce ? [holder] : []);
  const brought = people.map(({ kid, nonce }) => joined(unb64(kid, 32), unb64(nonce, 32))).sort(compared);
  return sha256(joined(domain("entropy"), unb64(table.origin, 32), ...brought));
}
async function checkDraws(table, { kind, body }) {
  if (!body.draws) return;
  const { first, got, key: key2 } = body.draws;
  const last = first + got.length - 1;
  if (first !== table.draw) throw new BadRecord("wrong-first", `the next draw is ${table.draw}, not ${first}`);
  if (last > table.created.chance.draws) {
    throw new BadRecord("draws-used-up", `entry 0 commits to ${table.created.chance.draws} draws`);
  }
  const mixed = kind === "started" ? await entropy(table) : table.entropy;
  if (!mixed) throw new BadRecord("wrong-draw", "nothing is drawn before the start");
  let shown = unb64(key2, 32);
  for (let d = last; d >= first; d -= 1) {
    const [n, result] = got[d - first];
    if (await draw2(shown, mixed, d, n) !== result) {
      throw new BadRecord("wrong-draw", `draw ${d} from ${n} does not give ${result}`);
    }
    shown = await linkBack(shown, d);
  }
  if (b64(shown) !== table.shown) {
    throw new BadRecord("wrong-key", "the key of the draws does not hash back to the one shown before");
  }
}
async function checkSecret(table, { body }) {
  if (typeof body.secret !== "string") return;
  const { draws } = table.created.chance;
  let key2 = await hmac(unb64(body.secret, 32), joined(domain("chain"), u64(draws), u64(0)));
  for (let d = draws; d > 0; d -= 1) key2 = await linkBack(key2, d);
  if (b64(key2) !== table.created.chance.chain) {
    throw new BadRecord("wrong-secret", "the secret is not the one that entry 0 commits to");
  }
}
var linkBack = (key2, d) => sha256(joined(LINK, u64(d), key2));
async function draw2(key2, mixed, d, n) {
  if (n === 1) return 0;
  const width = Math.ceil(Math.ceil(Math.log2(n)) / 8) || 1;
  const limit = 256 ** width - 256 ** width % n;
  let words = new Uint8Array();
  for (let block = 0, at2 = 0; ; at2 += width) {
    while (words.length < at2 + width) {
      words = joined(words, await hmac(key2, joined(domain("draw"), mixed, u64(d), u64(block).slice(4))));
      block += 1;
    }
    const x = words.subarray(at2, at2 + width).reduce((sum, byte) => sum * 256 + byte, 0);
    if (x < limit) return x % n;
  }
}
async function hmac(key2, message) {
  const made = await crypto.subtle.importKey("raw", key2, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", made, message));
}
var LINK = domain("link");
function u64(n) {
  const data2 = new DataView(new ArrayBuffer(8));
  data2.setUint32(0, Math.floor(n / 2 ** 32));
  data2.setUint32(4, n % 2 ** 32);
  return new Uint8Array(data2.buffer);
}
function compared(one, other) {
  const at2 = one.findIndex((byte, place) => byte !== other[place]);
  return at2 < 0 ? 0 : (one[at2] ?? 0) - (other[at2] ?? 0);
}

// server/http/static/record/laws.js
var ALL = [
  "joined",
  "left",
  "started",
  "moved",
  "keyed",
  "offered",
  "taken",
  "resigned",
  "expired",
  "granted",
  "restored",
  "cancelled"
];
var OUTAGE = "outage";
var MOST_KEYS = 16;
var MOST_OFFERS = 16;
var MOST_GRANTS = 64;
var PLAYED = ["moved", "offered", "taken", "resigned", "expired", "granted"];
var SEATED = ["joined", "left", "moved", "keyed", "offered", "taken", "resigned", "expired", "granted"];
var law = (code, kinds, broken) => ({ code, kinds, broken });
var at = (table, ask) => (
  /** @type {Seat} */
  table.seats[ask.seat]
);
var seatAt = (table, seat2) => (
  /** @type {Seat} */
  table.seats[seat2]
);
function absent(table, seat2) {
  const { clock } = table.created;
  const { missed, gone } = seatAt(table, seat2);
  return Boolean(clock?.missed) && !gone && missed >= clock.missed;
}
var recovers = (holder, kid) => holder?.recovery?.[0] === kid;
function freeFrom(table, seat2) {
  const { holder, gone } = seatAt(table, seat2);
  if (table.stage === "lobby") return holder ? null : 0;
  if (table.stage !== "running" || gone) return null;
  return ["absent", "both"].includes(table.created.handover.by) && absent(table, seat2) ? 0 : offeredFrom(table, seat2);
}
function offeredFrom(table, seat2) {
  const offer = seatAt(table, seat2).holder?.offer;
  return offer ? offer.hastened ? 0 : offer.at + table.created.handover.wait : null;
}
function earliest(table, seat2) {
  const { clock } = table.created;
  const { start, asked: asked2, gone } = seatAt(table, seat2);
  if (gone) return asked2;
  return clock && start + clock.grace + (absent(table, seat2) ? 0 : clock.move);
}
var opens = (ask) => ask.act?.open === true;
function sameKey(table, ask) {
  const kids = ask.coming.map(([kid]) => kid);
  const { holder } = at(table, ask);
  const named = kids.slice(0, ask.act?.only?.length ?? 0);
  const isThere = (kid, place) => recovers(holder, kid) || place >= named.length && holder?.keys.some(([own2]) => own2 === kid);
  const twice = kids.find((kid, place) => kids.indexOf(kid) < place || ask.kind === "keyed" && isThere(kid, place));
  return twice && `the act names the key ${twice} twice, or the seat has it already`;
}
function wrongSigner(table, { act, kid, seat: seat2 }) {
  const replaces = !act?.add && !act?.drop;
  return replaces !== recovers(seatAt(table, seat2).holder, kid) && "`only` and `recovery` need the recovery key, `add` and `drop` a device key";
}
function tooManyKeys(table, ask) {
  return ask.act?.add && (at(table, ask).holder?.added ?? 0) >= MOST_KEYS && `the holder has added ${MOST_KEYS} keys`;
}
function tooManyRecoveries(table, ask) {
  const { holder } = at(table, ask);
  const isOver = recovers(holder, ask.kid) && (holder?.recoveries ?? 0) >= MOST_KEYS;
  return isOver && `the recovery key has changed the keys of the seat ${MOST_KEYS} times`;
}
function tooManyOffers(table, ask) {
  const { holder } = at(table, ask);
  const count = holder?.offers[recovers(holder, ask.kid) ? 1 : 0] ?? 0;
  return opens(ask) && count >= MOST_OFFERS && `the holder has offered the seat ${MOST_OFFERS} times`;
}
function tooEarly(table, ask) {
  const due2 = earliest(table, ask.seat);
  return (due2 === null || ask.at < due2) && `the time of seat ${ask.seat + 1} cannot be over`;
}
function sameOffer(table, ask) {
  const { holder } = at(table, ask);
  const offer = holder?.offer;
  const idle = opens(ask) ? offer && (offer.hastened || !recovers(holder, ask.kid)) : !offer && !absent(table, ask.seat);
  return idle && `the offer changes nothing for seat ${ask.seat + 1}`;
}
function waits(table, ask) {
  const since = freeFrom(table, ask.seat);
  return since !== null && since > ask.at && `the offer of seat ${ask.seat + 1} still waits`;
}
function tooMuch(table, { seats: seats2, body }) {
  if (!body || body.why === OUTAGE) return null;
  const over = seats2.find((seat2) => seatAt(table, seat2).given + body.seconds > table.created.clock.grants);
  return over !== void 0 && `seat ${over + 1} has been given as much time as this game allows`;
}
var LAWS = [
  law("game-over", ALL, (table) => ["finished", "cancelled"].includes(table.stage) && "the game is over"),
  law("not-started", PLAYED, (table) => table.stage === "lobby" && "the game has not started"),
  law("already-started", ["joined", "left", "started"], (table) => table.stage === "running" && "the game has started"),
  law(
    "no-such-seat",
    SEATED,
    (table, ask) => ask.seats.some((seat2) => seat2 >= table.seats.length) && "the game has no such seat"
  ),
  law("seat-taken", ["joined"], (table, ask) => at(table, ask).holder && `seat ${ask.seat + 1} is taken`),
  law("seat-empty", ["left", "keyed"], (table, ask) => !at(table, ask).holder && `nobody sits in seat ${ask.seat + 1}`),
  law(
    "too-many-joins",
    ["joined"],
    (table) => table.joins >= 256 && "seats of this game were taken 256 times before its start"
  ),
  law("not-full", ["started"], (table) => table.seats.some(({ holder }) => !holder) && "there are empty seats"),
  law(
    "already-resigned",
    ["resigned", "offered", "taken"],
    (table, ask) => at(table, ask).gone && `seat ${ask.seat + 1} has resigned already`
  ),
  law(
    "no-handover",
    ["offered"],
    (table, ask) => opens(ask) && !["offer", "both"].includes(table.created.handover.by) && "seats of this game cannot be offered"
  ),
  law("same-offer", ["offered"], sameOffer),
  law("too-many-offers", ["offered"], tooManyOffers),
  law(
    "not-free",
    ["taken"],
    (table, ask) => freeFrom(table, ask.seat) === null && `seat ${ask.seat + 1} cannot be taken`
  ),
  law("offer-waits", ["taken"], waits),
  law("too-many-takes", ["taken"], (table, ask) => at(table, ask).takes >= 8 && "the seat was taken over 8 times"),
  law("same-key", ["joined", "taken", "keyed"], sameKey),
  law("not-recovery", ["keyed"], wrongSigner),
  law(
    "not-a-key",
    ["keyed"],
    (table, ask) => ask.act?.drop && !at(table, ask).holder?.keys.some(([kid]) => kid === ask.act?.drop) && "the dropped key is not a key of the seat"
  ),
  law(
    "last-key",
    ["keyed"],
    (table, ask) => ask.act?.drop && at(table, ask).holder?.keys.length === 1 && "a seat keeps at least one key"
  ),
  law("too-many-keys", ["keyed"], tooManyKeys),
  law("too-many-recoveries", ["keyed"], tooManyRecoveries),
  law(
    "unsigned-move",
    ["moved"],
    (table, ask) => !ask.act && !table.created.unsigned && "this game accepts only signed moves"
  ),
  law(
    "wrong-form",
    ["moved"],
    (table, ask) => ask.sealed !== table.created.hidden && "a move must be sealed in a hidden game, and in no other"
  ),
  law("not-due", ["expired"], tooEarly),
  law("no-clock", ["granted"], (table) => !table.created.clock && "this game has no clock"),
  law(
    "seat-gone",
    ["granted"],
    (table, ask) => ask.seats.some((seat2) => seatAt(table, seat2).gone) && "a seat named has resigned"
  ),
  law("too-much-granted", ["granted"], tooMuch),
  law(
    "too-many-grants",
    ["granted"],
    (table, { body }) => body?.why !== OUTAGE && table.grants >= MOST_GRANTS && `time was given ${MOST_GRANTS} times`
  ),
  law("nothing-lost", ["restored"], (table, { body }) => body && body.size <= table.size && "no entries were lost")
];

// server/http/static/record/table.js
var ACT_OF = {
  joined: "join",
  left: "leave",
  moved: "move",
  keyed: "key",
  offered: "offer",
  taken: "take",
  resigned: "resign"
};
var EVENTFUL = ["started", "moved", "resigned", "expired"];
var SAID = ["aud", "game", "seat", "seq", "prev", "bot"];
function begin(entry) {
  if (entry.kind !== "created") throw new BadRecord("bad-first", "a log must begin with an entry of kind created");
  const seat2 = { holder: null, signed: [], takes: 0, given: 0, missed: 0, start: 0, asked: 0, gone: false };
  const seats2 = Array.from({ length: entry.body.seats }, () => seat2);
  return {
    size: 1,
    head: entry.hash,
    at: entry.at,
    created: entry.body,
    origin: entry.hash,
    stage: "lobby",
    seats: seats2,
    joins: 0,
    grants: 0,
    lost: [],
    draw: 1,
    shown: entry.body.chance.chain,
    entropy: null
  };
}
async function follow(table, entry, trusted = false) {
  checkLink(table, entry);
  const signed = await readSigned(table, entry);
  const ask = asked(entry, signed);
  for (const law2 of LAWS) {
    const broken = law2.kinds.includes(entry.kind) && law2.broken(table, ask);
    if (broken) throw new BadRecord(law2.code, broken);
  }
  checkSeals(table, entry);
  if (!trusted) await checkDraws(table, entry);
  if (!trusted) await checkSecret(table, entry);
  return { table: await noted(table, entry, ask), claim: signed && signed.claim };
}
function checkLink(table, { body, at: at2, seq: seq2 }) {
  if (body.game !== table.created.game) throw new BadRecord("wrong-game", "the entry belongs to another game");
  if (seq2 !== table.size) throw new BadRecord("wrong-seq", `expected entry ${table.size}, found entry ${seq2}`);
  if (body.prev !== table.head) throw new BadRecord("broken-chain", "prev is not the hash of the entry before");
  if (at2 < table.at) {
    throw new BadRecord("time-goes-back", `${at2} is earlier than ${table.at}, the time of the entry before`);
  }
}
function checkSeals(table, { kind, body }) {
  if (!EVENTFUL.includes(kind)) return;
  const due2 = table.created.hidden ? table.seats.length + 1 : 0;
  if ((body.seals?.length ?? 0) !== due2) throw new BadRecord("wrong-seals", `expected ${due2} seals`);
}
async function readSigned(table, entry) {
  if (entry.body.jws === void 0 || entry.body.jws === null) return null;
  const jws = read3(entry.body.jws);
  const act = readAct(jws.payload);
  checkFits(table, entry, act);
  const coming = await brings(act);
  const key2 = act.key ? newKey(jws.kid, coming) : seatKey(table, act, jws.kid);
  return { act, kid: jws.kid, coming, claim: { key: key2, input: jws.input, signature: jws.signature, seq: entry.seq } };
}
function checkFits(table, { kind, seq: seq2, body }, act) {
  if (act.act !== ACT_OF[kind]) throw new BadRecord("wrong-act", `an entry of kind ${kind} does not log a ${act.act}`);
  const due2 = [table.created.server, body.game, body.seat, seq2, body.prev, body.bot];
  const wrong = SAID.find((name2, at2) => act[name2] !== due2[at2]);
  if (wrong) throw new BadRecord(`wrong-${wrong}`, `the signed ${wrong} differs from that of the entry`);
  if (kind === "moved" && table.created.hidden !== "sealed" in act) {
    throw new BadRecord("wrong-form", "a move must be sealed in a hidden game, and in no other");
  }
}
function newKey(kid, coming) {
  const found = coming[0];
  if (!found || found[0] !== kid) {
    throw new BadRecord("wrong-key", "a join or a take must be signed with the key in it");
  }
  return found[1];
}
function seatKey(table, act, kid) {
  const holder = table.seats[act.seat]?.holder;
  const own2 = holder?.keys.find(([name2]) => name2 === kid);
  if (own2) return own2[1];
  if (holder?.recovery?.[0] !== kid) {
    throw new BadRecord("unknown-key", `the key ${kid} is not an active key of seat ${act.seat + 1}`);
  }
  if (act.act !== "key" && act.act !== "offer") {
    throw new BadRecord("recovery-only", "a recovery key can only change keys and offer its seat");
  }
  return holder.recovery[1];
}
var brings = async (act) => Promise.all([act.key, act.add, ...act.only ?? [], act.recovery].filter((key2) => key2).map(pair));
var pair = async (jwk) => [await thumbprint(jwk), publicKey(jwk)];
function asked({ kind, at: at2, body }, signed) {
  const seats2 = body.seats && kind === "granted" ? body.seats : "seat" in body ? [body.seat] : [];
  const sealed = signed ? "sealed" in signed.act : "sealed" in body;
  const { act = null, kid = "", coming = [] } = signed ?? {};
  return { kind, seat: seats2[0] ?? 0, seats: seats2, act, kid, coming, at: secondsOf(at2), sealed, body };
}
async function noted(table, entry, ask) {
  const { body } = entry;
  const next2 = { ...table, size: table.size + 1, head: entry.hash, at: entry.at, seats: [...table.seats] };
  CHANGES[entry.kind]?.(next2, ask, entry);
  if (ask.act) signedFor(next2, ask);
  if (entry.kind === "started") next2.entropy = await entropy(table);
  if (body.draws) Object.assign(next2, { draw: body.draws.first + body.draws.got.length, shown: body.draws.key });
  if (body.outcome) next2.stage = "finished";
  return next2;
}
function change(table, { seat: seat2 }, change2) {
  table.seats[seat2] = { .../** @type {Seat} */
  table.seats[seat2], ...change2 };
}
var own = (table, { seat: seat2 }) => (
  /** @type {Seat} */
  table.seats[seat2]
);
var CHANGES = {
  joined: (table, ask, entry) => {
    held(table, ask, entry);
    table.joins += 1;
  },
  left: (table, ask) => change(table, ask, { holder: null }),
  started: (table, { at: at2 }) => {
    table.stage = "running";
    table.seats = table.seats.map((seat2) => ({ ...seat2, start: at2, asked: at2 }));
  },
  moved: (table, ask) => {
    there(table, ask);
    change(table, ask, { asked: ask.at });
  },
  keyed: (table, ask) => {
    rekeyed(table, ask);
    there(table, ask);
  },
  offered: (table, ask) => {
    there(table, ask);
    change(table, ask, { holder: offered(
      /** @type {Holder} */
      own(table, ask).holder,
      ask
    ) });
  },
  taken: (table, ask, entry) => {
    const since = offeredFrom(table, ask.seat);
    if (since !== null && since <= ask.at) change(table, ask, { missed: 0 });
    else there(table, ask);
    held(table, ask, entry);
    change(table, ask, { takes: own(table, ask).takes + 1 });
  },
  resigned: (table, ask) => {
    const { holder } = own(table, ask);
    change(table, ask, { gone: true, holder: holder && { ...holder, offer: null } });
  },
  granted: (table, { seats: seats2 }, { body }) => {
    if (body.why === OUTAGE) return;
    table.grants += 1;
    for (const seat2 of seats2) change(table, { seat: seat2 }, { given: own(table, { seat: seat2 }).given + body.seconds });
  },
  restored: (table, _ask, { seq: seq2, body: { size, hash } }) => {
    table.lost = [...table.lost, { seq: seq2, size, hash }];
  },
  expired: (table, ask) => change(table, ask, { missed: own(table, ask).missed + 1, start: ask.at, asked: ask.at }),
  cancelled: (table) => void (table.stage = "cancelled")
};
function held(table, ask, { seq: seq2 }) {
  const { act, coming, kid } = ask;
  const [key2, recovery = null] = coming;
  const holder = {
    bot: act?.bot,
    kid,
    nonce: act?.nonce ?? null,
    since: seq2,
    keys: key2 ? [key2] : [],
    recovery,
    added: 0,
    recoveries: 0,
    offers: [0, 0],
    offer: null,
    signed: []
  };
  change(table, ask, { holder });
}
function rekeyed(table, ask) {
  const holder = (
    /** @type {Holder} */
    own(table, ask).holder
  );
  const { act, coming } = ask;
  const next2 = { ...holder };
  if (act?.drop) next2.keys = holder.keys.filter(([name2]) => name2 !== act.drop);
  else if (act?.add) Object.assign(next2, { keys: [...holder.keys, ...coming], added: holder.added + 1 });
  else {
    next2.recoveries += 1;
    if (act?.recovery) next2.recovery = coming.at(-1) ?? null;
    if (act?.only) Object.assign(next2, { keys: coming.slice(0, act.only.length), offer: null });
  }
  change(table, ask, { holder: next2 });
}
function offered(holder, { act, kid, at: at2 }) {
  if (!act?.open) return { ...holder, offer: null };
  const hastened = recovers(holder, kid);
  const [device, recovery] = holder.offers;
  return {
    ...holder,
    offers: hastened ? [device, recovery + 1] : [device + 1, recovery],
    offer: { at: holder.offer?.at ?? at2, hastened }
  };
}
function signedFor(table, ask) {
  const { holder, signed } = own(table, ask);
  const also = (kids) => kids.includes(ask.kid) ? kids : [...kids, ask.kid];
  change(table, ask, { signed: also(signed), holder: holder && { ...holder, signed: also(holder.signed) } });
}
function there(table, ask) {
  const start = absent(table, ask.seat) ? ask.at : own(table, ask).start;
  change(table, ask, { missed: 0, start });
}
function seatOf({ seats: seats2 }, kid, named = null) {
  const listed = [...seats2.keys()].filter((seat2) => lists(seats2[seat2]?.holder, kid));
  const signed = listed.filter((seat2) => seats2[seat2]?.holder?.signed.includes(kid));
  if (signed.length === 1) return signed[0] ?? null;
  return named !== null && listed.includes(named) ? named : null;
}
var lists = (holder, kid) => Boolean(holder) && (holder?.keys.some(([name2]) => name2 === kid) || recovers(holder, kid));
var signedBy2 = (table, kid) => number2(table.seats.findIndex(({ signed }) => signed.includes(kid)));
var open = (table, at2) => [...table.seats.keys()].filter((seat2) => (freeFrom(table, seat2) ?? Infinity) <= at2);
var number2 = (found) => found < 0 ? null : found;
var serverKey2 = (table) => unb64(table.created.server_key, 32);

// server/http/static/record/check.js
var Newer = class extends Error {
  /** @param {string} says */
  constructor(says) {
    super(says);
    this.name = "Newer";
  }
};
async function judge(before, lines, known) {
  const entries2 = await Promise.all(lines.map((line, at2) => entryOf(line, (before?.size ?? 0) + at2)));
  const claims = [];
  let table = before;
  const news = [];
  for (const entry of entries2) {
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
      found: "nothing"
    });
  }
  if (!known.trusted) await checkClaims(claims);
  return { table, news };
}
async function noteOf(table, text3) {
  try {
    const note = read2(text3);
    const due2 = `${table.created.server}/game/${table.created.game}`;
    if (`${note.server}/game/${note.game}` !== due2) {
      throw new VerificationError("other-note", "The server's checkpoint is for another game.", {
        expected: due2,
        found: `${note.server}/game/${note.game}`
      });
    }
    await verify2(note, serverKey2(table));
    return note;
  } catch (error) {
    throw asVerificationError(error, "The server's checkpoint is not valid");
  }
}
function checkContinues(note, hashes, kept = false, lost = []) {
  if (kept && isLost(note, lost)) return;
  if (note.size > hashes.length) {
    const says2 = `The server's checkpoint covers ${entries(note.size)}, but it shows only ${hashes.length}.`;
    throw new VerificationError("short-log", says2, { expected: note.size, found: hashes.length });
  }
  const found = hashes[note.size - 1];
  if (found === note.hash) return;
  const says = kept ? `The server has signed two histories of this game: an earlier checkpoint of ${entries(note.size)} does not match the log.` : `The server's checkpoint of ${entries(note.size)} does not match the log that it shows.`;
  throw new VerificationError("fork", says, { expected: note.hash, found: found ?? "", seq: note.size - 1 });
}
var isLost = (note, lost) => lost.some(({ seq: seq2, size, hash }) => seq2 < note.size && note.size <= size && (note.size < size || note.hash === hash));
async function entryOf(line, seq2) {
  try {
    return await readEntry(line);
  } catch (error) {
    throw asVerificationError(error, "The server's answer is not an entry", seq2);
  }
}
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
function opened(entry, { host: host2, game }) {
  const table = begin(entry);
  const [found, expected] = [`${entry.body.server}/game/${entry.body.game}`, `${host2}/game/${game}`];
  if (found !== expected) {
    throw new VerificationError("other-game", "The server shows the log of another game or server.", {
      expected,
      found,
      seq: 0
    });
  }
  return table;
}
function checkKnown({ seq: seq2, hash }, { hashes }) {
  if (hashes[seq2] === hash) return;
  const says = `Entry ${seq2} of the log has changed since this browser saw it: the history was rewritten.`;
  throw new VerificationError("rewritten", says, { expected: hashes[seq2], found: hash, seq: seq2 });
}
async function checkClaims(claims) {
  const hold = await Promise.all(claims.map(({ key: key3, input, signature }) => verify(key3, input, signature)));
  const at2 = hold.indexOf(false);
  if (at2 < 0) return;
  const { seq: seq2, key: key2 } = (
    /** @type {Claim} */
    claims[at2]
  );
  const says = `The signature in entry ${seq2} is not valid, so no key of that seat has signed it.`;
  throw new VerificationError("bad-signature", says, {
    expected: `a signature by the key ${b64(key2)}`,
    found: "none",
    seq: seq2
  });
}
function asVerificationError(error, what, seq2) {
  if (!(error instanceof BadRecord)) return error;
  if (error.code === "newer-record") return new Newer(error.message);
  const place = seq2 === void 0 ? {} : { seq: seq2 };
  return new VerificationError(error.code, `${what}: ${error.message}.`, {
    expected: "the law of the record",
    found: error.code,
    ...place
  });
}
var SKEW = 30;
var ahead = ({ at: at2 }, now) => Math.max(Date.parse(at2) / 1e3 - now - SKEW, 0);

export {
  LAWS,
  VerificationError,
  verify,
  publicKey,
  shape,
  nullable,
  list,
  text,
  binary32,
  host,
  instant,
  read3 as read,
  brings,
  seatOf,
  signedBy2 as signedBy,
  open,
  read2,
  find,
  entries,
  judge,
  noteOf,
  checkContinues,
  isLost,
  ahead
};
