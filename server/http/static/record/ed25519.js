// Ed25519 as the record defines it (docs/spec/record.md, 5.1), stricter than in browsers, so that all readers agree.
//
// `crypto.subtle` verifies. Signatures that it accepts and the record does not are refused first: a key must be a
// canonical point of the prime-order subgroup other than the identity (checked once for each key, by noble-ed25519), R
// must not have a small order, and S must be below L. noble's own `verify` would not do: it multiplies the equation by
// the cofactor.
import { BadRecord, isObject, unb64 } from "./canonical.js";
import { Point } from "./vendor/noble-ed25519/index.js";

const { n: L } = Point.CURVE();

/**
 * Is this a valid signature (64 bytes) by this key (32 bytes)?
 * @param {Uint8Array<ArrayBuffer>} key
 * @param {Uint8Array<ArrayBuffer>} message
 * @param {Uint8Array<ArrayBuffer>} signature
 */
export async function verify(key, message, signature) {
  if (key.length !== 32 || signature.length !== 64) return false;
  if (SMALL.has(hex(masked(signature.subarray(0, 32)))) || number(signature.subarray(32)) >= L) return false;
  return crypto.subtle.verify("Ed25519", await imported(key), signature, message);
}

/** The key (32 bytes) in a JWK; BadRecord unless the JWK and the point are valid. @param {any} jwk */
export function publicKey(jwk) {
  const exact =
    isObject(jwk) && Object.keys(jwk).sort().join() === "crv,kty,x" && jwk.kty === "OKP" && jwk.crv === "Ed25519";
  if (!exact) throw new BadRecord("bad-jwk", "a key must be an Ed25519 JWK with exactly the members crv, kty and x");
  const key = unb64(jwk.x, 32);
  checkPoint(key);
  return key;
}

/** BadRecord unless these 32 bytes are a canonical point of the prime-order subgroup. @param {Uint8Array} key */
export function checkPoint(key) {
  const name = hex(key);
  if (!sound.has(name)) sound.set(name, isSound(key));
  if (!sound.get(name)) throw new BadRecord("bad-key", "the key is not a canonical point of the prime-order subgroup");
}

/** @type {Map<string, boolean>} by key: there are only a few */
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
  try {
    const point = Point.fromBytes(key);
    return !point.is0() && point.isTorsionFree();
  } catch {
    return false; // noble throws plain errors of several kinds for bytes that do not encode a point canonically
  }
}

// --- bytes -----------------------------------------------------------------------------------------------------------

/** @param {Uint8Array} data the least significant byte first */
const number = (data) => BigInt(`0x${hex(Uint8Array.from(data).reverse())}`);

/** @param {Uint8Array} data */
const hex = (data) => [...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Without the sign of x. @param {Uint8Array} data */
const masked = (data) => Uint8Array.from(data, (byte, at) => (at === 31 ? byte & 127 : byte));

/** The y of all points of small order, canonical or not, without the sign of x. */
const SMALL = new Set([
  "0100000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]);
