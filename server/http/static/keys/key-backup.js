// The key backup: an account's recovery key, encrypted with a code that its owner keeps (docs/spec/keybox.md).
//
// The server stores the backup and cannot read it. This script sends nothing; its callers never send the code.
import { BadRecord, b64, bytes, domain, joined, random, readSent, sha256, unb64, write } from "../record/canonical.js";
import { thumbprint } from "../record/jwk.js";
import { bitsIn, bitsOf, grouped, lettersOf, plain, stranger } from "./base32.js";

/** @typedef {import("../record/jwk.js").PublicJwk} PublicJwk */
/** @typedef {PublicJwk & {d: string}} PrivateJwk */
/** @typedef {{kid: string, jwk: PublicJwk, key: CryptoKey}} RecoveryKey a key that signs and cannot be exported */

const COUNT = 8192;
const LONGEST = 4096;
const ALG = "PBES2-HS512+A256KW";
const MEMBERS = ["alg", "aud", "enc", "kid", "p2c", "p2s", "sub"];

/** Not a key backup, or one of another account; or not the code that encrypted it (`wrong-code`). */
export class BackupError extends Error {
  /** @param {"bad-code" | "wrong-code" | "bad-box" | "other-box"} code @param {string} says */
  constructor(code, says) {
    super(says);
    this.name = "BackupError";
    this.code = code;
  }
}

// --- the code --------------------------------------------------------------------------------------------------------

/** A new recovery code: 128 random bits in seven groups of four. @returns {Promise<string>} */
export const newCode = async () => grouped(lettersOf(await withCheck(random(16))));

/** The 28 letters of a typed code; BackupError `bad-code` if it is not a code. @param {string} typed */
export async function normalised(typed) {
  const text = plain(typed);
  if (text.length !== 28) {
    throw new BackupError("bad-code", `A recovery code has 28 letters and digits. This one has ${text.length}.`);
  }
  const wrong = stranger(text);
  if (wrong) throw new BackupError("bad-code", `A recovery code never contains “${wrong}”. Check that character.`);
  if (lettersOf(await withCheck(entropy(text))) !== text) {
    throw new BackupError("bad-code", "The recovery code has a typing error. Check it and try again.");
  }
  return text;
}

/**
 * The 140 bits of a code: its 16 bytes, and 12 bits that detect mistakes in copying.
 * @param {Uint8Array<ArrayBuffer>} secret
 */
const withCheck = async (secret) => bitsOf(secret) + bitsOf(await sha256(joined(domain("code"), secret))).slice(0, 12);

/** @param {string} text */
const entropy = (text) =>
  Uint8Array.from({ length: 16 }, (_, at) => parseInt(bitsIn(text).slice(8 * at, 8 * at + 8), 2));

// --- the backup ------------------------------------------------------------------------------------------------------

/**
 * Encrypts a recovery key; `account` is the account's number, `aud` the server.
 * @param {PrivateJwk} jwk
 * @param {string} code
 * @param {string | number} account
 * @param {string} [aud]
 * @returns {Promise<string>}
 */
export async function wrap(jwk, code, account, aud = location.host) {
  const salt = random(16);
  const head = {
    alg: ALG,
    aud,
    enc: "A256GCM",
    kid: await thumbprint(jwk),
    p2c: COUNT,
    p2s: b64(salt),
    sub: String(account),
  };
  const header = b64(bytes(write(head)));
  const content = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, true, ["encrypt"]);
  const key = new Uint8Array(await crypto.subtle.wrapKey("raw", content, await keyOf(code, salt), "AES-KW"));
  const iv = random(12);
  const text = bytes(write({ crv: jwk.crv, d: jwk.d, kty: jwk.kty, x: jwk.x }));
  const sealed = new Uint8Array(await crypto.subtle.encrypt(gcm(iv, header), content, text));
  return [header, b64(key), b64(iv), b64(sealed.slice(0, -16)), b64(sealed.slice(-16))].join(".");
}

/**
 * The recovery key in a backup; BackupError with the reason if it cannot be opened.
 * @param {string} jwe
 * @param {string} code
 * @param {string | number} account
 * @param {string} [aud]
 * @returns {Promise<RecoveryKey>}
 */
export async function open(jwe, code, account, aud = location.host) {
  const box = parsed(jwe);
  if (box.head.aud !== aud || box.head.sub !== String(account)) {
    throw new BackupError("other-box", `This key backup belongs to account ${box.head.sub} at ${box.head.aud}.`);
  }
  const found = await keyIn(await opened(box, await keyOf(code, box.salt)));
  if (found.kid !== box.head.kid) {
    throw new BackupError("bad-box", "The key in this backup is not the one that its header names.");
  }
  return found;
}

/** The thumbprint of the recovery key in this backup, from its header. @param {string} jwe */
export const kidOf = (jwe) => parsed(jwe).head.kid;

/**
 * @typedef {{head: Record<string, any>, header: string, salt: Uint8Array<ArrayBuffer>, key: Uint8Array<ArrayBuffer>,
 *   iv: Uint8Array<ArrayBuffer>, sealed: Uint8Array<ArrayBuffer>}} Parsed
 */

/** @param {string} jwe @returns {Parsed} */
function parsed(jwe) {
  const parts = jwe.length <= LONGEST ? jwe.split(".") : [];
  try {
    if (parts.length !== 5) throw new BadRecord("bad-jwe", "a JWE in compact form has five parts");
    const [header = "", key, iv, text, tag] = parts;
    const head = readSent(latin(unb64(header)));
    checkHead(head);
    const sealed = joined(unb64(text), unb64(tag, 16));
    return { head, header, salt: unb64(head.p2s, 16), key: unb64(key, 40), iv: unb64(iv, 12), sealed };
  } catch (error) {
    if (error instanceof BadRecord) throw new BackupError("bad-box", `This key backup is invalid: ${error.message}.`);
    throw error;
  }
}

/** @param {Record<string, any>} head */
function checkHead(head) {
  const due = Object.keys(head).sort().join() === MEMBERS.join() && head.alg === ALG && head.enc === "A256GCM";
  if (!due || head.p2c !== COUNT) throw new BadRecord("bad-header", "its header is not of the required form");
  if (typeof head.aud !== "string" || typeof head.sub !== "string") {
    throw new BadRecord("bad-header", "its header is not of the required form");
  }
  unb64(head.kid, 32);
}

/** @param {Parsed} box @param {CryptoKey} key */
async function opened({ header, key: wrapped, iv, sealed }, key) {
  try {
    const content = await crypto.subtle.unwrapKey("raw", wrapped, key, "AES-KW", "AES-GCM", false, ["decrypt"]);
    return latin(new Uint8Array(await crypto.subtle.decrypt(gcm(iv, header), content, sealed)));
  } catch {
    throw new BackupError("wrong-code", "This recovery code does not open the key backup of this account.");
  }
}

/** The wrapping key by code and salt (RFC 7518, 4.8). @param {string} code @param {Uint8Array<ArrayBuffer>} salt */
async function keyOf(code, salt) {
  const password = await crypto.subtle.importKey("raw", bytes(await normalised(code)), "PBKDF2", false, ["deriveKey"]);
  const how = { name: "PBKDF2", hash: "SHA-512", iterations: COUNT, salt: joined(bytes(`${ALG}\0`), salt) };
  return crypto.subtle.deriveKey(how, password, { name: "AES-KW", length: 256 }, false, ["wrapKey", "unwrapKey"]);
}

/** @param {Uint8Array<ArrayBuffer>} iv @param {string} header */
const gcm = (iv, header) => ({ name: "AES-GCM", iv, additionalData: bytes(header) });

/** @param {Uint8Array} data */
const latin = (data) => String.fromCharCode(...data);

/**
 * The key in the plaintext, with its public half computed from `d` alone.
 * @param {string} text
 * @returns {Promise<RecoveryKey>}
 */
async function keyIn(text) {
  try {
    const jwk = readSent(text);
    if (Object.keys(jwk).sort().join() !== "crv,d,kty,x") throw new BadRecord("bad-jwk", "its key has other members");
    const found = await fromSeed(unb64(jwk.d, 32));
    if (jwk.x !== found.jwk.x || jwk.crv !== "Ed25519" || jwk.kty !== "OKP") {
      throw new BadRecord("bad-jwk", "its key is not a valid Ed25519 key");
    }
    return found;
  } catch (error) {
    if (error instanceof BadRecord) throw new BackupError("bad-box", `This key backup is invalid: ${error.message}.`);
    throw error;
  }
}

const PKCS8 = Uint8Array.from([0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]);

/**
 * The key of a private seed, as a key that cannot be exported.
 * @param {Uint8Array<ArrayBuffer>} seed
 * @returns {Promise<RecoveryKey>}
 */
async function fromSeed(seed) {
  const whole = joined(PKCS8, seed);
  const told = await crypto.subtle.exportKey(
    "jwk",
    await crypto.subtle.importKey("pkcs8", whole, "Ed25519", true, ["sign"]),
  );
  const jwk = { crv: "Ed25519", kty: "OKP", x: String(told.x) };
  const key = await crypto.subtle.importKey("pkcs8", whole, "Ed25519", false, ["sign"]);
  return { kid: await thumbprint(jwk), jwk, key };
}
