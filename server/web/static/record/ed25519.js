// Ed25519 as the record has it (docs/spec/record.md, 5.1): stricter than browsers are, so that all readers agree.
//
// `crypto.subtle` does the work. What it accepts and the record does not is mended before: a key is a canonical point
// of the prime-order subgroup other than the identity (looked at once for each key), R is not of small order, S is
// below L.
import { BadRecord, isObject, unb64 } from "./canonical.js";

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
/** @typedef {[bigint, bigint, bigint, bigint]} Point extended coordinates: x = X/Z, y = Y/Z, T = XY/Z */
/** @type {Point} */
const IDENTITY = [0n, 1n, 1n, 0n];

/**
 * Does the signature (64 bytes) of this key (32 bytes) hold?
 * @param {Uint8Array<ArrayBuffer>} key
 * @param {Uint8Array<ArrayBuffer>} message
 * @param {Uint8Array<ArrayBuffer>} signature
 */
export async function verify(key, message, signature) {
  if (key.length !== 32 || signature.length !== 64) return false;
  if (SMALL.has(hex(masked(signature.subarray(0, 32)))) || number(signature.subarray(32)) >= L) return false;
  return crypto.subtle.verify("Ed25519", await imported(key), signature, message);
}

/** The key (32 bytes) in a JWK; BadRecord unless it is exactly that, and a sound point. @param {any} jwk */
export function publicKey(jwk) {
  const exact =
    isObject(jwk) && Object.keys(jwk).sort().join() === "crv,kty,x" && jwk.kty === "OKP" && jwk.crv === "Ed25519";
  if (!exact) throw new BadRecord("bad-jwk", "a key is an Ed25519 key, a JWK with exactly the members crv, kty and x");
  const key = unb64(jwk.x, 32);
  checkPoint(key);
  return key;
}

/** BadRecord unless these 32 bytes are a canonical point of the prime-order subgroup. @param {Uint8Array} key */
export function checkPoint(key) {
  const name = hex(key);
  if (!sound.has(name)) sound.set(name, isSound(key));
  if (!sound.get(name)) throw new BadRecord("bad-key", "the key is no canonical point of the prime-order subgroup");
}

/** @type {Map<string, boolean>} the same few keys come again and again */
const sound = new Map();
/** @type {Map<string, Promise<CryptoKey>>} */
const keys = new Map();

/** @param {Uint8Array<ArrayBuffer>} key */
function imported(key) {
  const name = hex(key);
  const found = keys.get(name) ?? crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
  keys.set(name, found);
  return found;
}

/** @param {Uint8Array} key */
function isSound(key) {
  const point = decoded(key);
  return point !== null && !isIdentity(point) && isIdentity(times(L, point));
}

// --- the curve: -x² + y² = 1 + d·x²y² over the integers modulo P (RFC 8032, 5.1) -------------------------------------

/** @param {bigint} a */
const mod = (a) => ((a % P) + P) % P;

/** @param {bigint} base @param {bigint} exponent */
function power(base, exponent) {
  let result = 1n;
  for (let square = mod(base), left = exponent; left > 0n; left >>= 1n, square = mod(square * square)) {
    if (left & 1n) result = mod(result * square);
  }
  return result;
}

const D = mod(-121665n * power(121666n, P - 2n));
const ROOT = power(2n, (P - 1n) / 4n); // of -1

/** @param {Uint8Array} key @returns {Point | null} */
function decoded(key) {
  const y = number(masked(key));
  if (y >= P) return null;
  const x = root(mod(y * y - 1n), mod(D * y * y + 1n));
  const odd = BigInt((key[31] ?? 0) >> 7);
  if (x === null || (x === 0n && odd)) return null;
  const due = (x & 1n) === odd ? x : P - x;
  return [due, y, 1n, mod(due * y)];
}

/** The square root of u/v, if it has one. @param {bigint} u @param {bigint} v */
function root(u, v) {
  const x = mod(u * v ** 3n * power(u * v ** 7n, (P - 5n) / 8n));
  const found = mod(v * x * x);
  return found === u ? x : found === mod(-u) ? mod(x * ROOT) : null;
}

/** @param {Point} one @param {Point} other @returns {Point} */
function sum([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const [a, b, c, d] = [
    mod((y1 - x1) * (y2 - x2)),
    mod((y1 + x1) * (y2 + x2)),
    mod(2n * D * t1 * t2),
    mod(2n * z1 * z2),
  ];
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

/** @param {bigint} factor @param {Point} point */
function times(factor, point) {
  let result = IDENTITY;
  for (let double = point, left = factor; left > 0n; left >>= 1n, double = sum(double, double)) {
    if (left & 1n) result = sum(result, double);
  }
  return result;
}

/** @param {Point} point */
const isIdentity = ([x, y, z]) => x === 0n && y === z;

// --- bytes -----------------------------------------------------------------------------------------------------------

/** @param {Uint8Array} data the least significant byte first */
const number = (data) => BigInt(`0x${hex(Uint8Array.from(data).reverse())}`);

/** @param {Uint8Array} data */
const hex = (data) => [...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Without the sign of x. @param {Uint8Array} data */
const masked = (data) => Uint8Array.from(data, (byte, at) => (at === 31 ? byte & 127 : byte));

/** The y of all points of small order, canonical and not, the sign of x taken off. */
const SMALL = new Set([
  "0100000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]);
