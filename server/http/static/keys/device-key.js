// This device's key for an account: made here, stored as a `CryptoKey` that cannot be exported, registered with the
// account.
//
// There is one key per device and account. Nobody can take it out of this browser, not even its owner. The key backup
// holds a different key, the recovery key (`key-backup.js`), which adds a new device's key to the seats.
import * as api from "../api/api.js";
import { b64, bytes, write } from "../record/canonical.js";
import { publicJwk, thumbprint } from "../record/jwk.js";
import { erase, open } from "./store.js";

/** @typedef {import("../record/jwk.js").PublicJwk} PublicJwk */
/** @typedef {{kid: string, jwk: PublicJwk, key: CryptoKey, made: string, registered: boolean}} DeviceKey */
/** @typedef {{kid: string, key: CryptoKey}} Signer a device's key, or a recovery key */

export const ACT = "sealedmove+jws";
const REGISTER = "sealedmove-key+jws";
const STATEMENT = "sealedmove-account+jws";

/** The key of this device, if it has one. @param {string | number} account @returns {Promise<DeviceKey | null>} */
export async function mine(account) {
  return (await (await open(account)).get("device", "key")) ?? null;
}

/**
 * The key of this device, made and registered if necessary.
 * @param {string | number} account
 * @returns {Promise<DeviceKey>}
 */
export async function make(account) {
  return navigator.locks.request(
    `sealedmove-key-${account}`,
    /** @returns {Promise<any>} */ async () => {
      const store = await open(account);
      const key = (await mine(account)) ?? (await made());
      await store.put("device", "key", key);
      if (key.registered) return key;
      await register(key);
      const known = { ...key, registered: true };
      await store.put("device", "key", known);
      return known;
    },
  );
}

/** This device forgets its key. Seats that it holds keep it: drop it there first. @param {string | number} account */
export async function forget(account) {
  await (await open(account)).del("device", "key");
}

/**
 * A compact JWS of this payload; `typ` is its purpose. Only `game/acts.js` signs acts of a game.
 * @param {Signer} signer @param {Record<string, any>} payload @param {string} typ @returns {Promise<string>}
 */
export async function sign({ kid, key }, payload, typ) {
  const said = [{ alg: "Ed25519", kid, typ }, payload].map((part) => b64(bytes(write(part)))).join(".");
  return `${said}.${b64(await crypto.subtle.sign("Ed25519", key, bytes(said)))}`;
}

/**
 * A statement of the account for one irreversible act, sent in the header `Sealed-Move-Proof`.
 * @param {string | number} account
 * @param {string} act
 * @param {string} about
 * @param {Signer} by
 * @returns {Promise<string>}
 */
export async function statement(account, act, about, by) {
  const { nonce, at } = await api.post("/v1/me/keys/challenge");
  return sign(by, { v: 1, aud: location.host, act, account: Number(account), about, at, nonce }, STATEMENT);
}

/** Asks the browser to keep the key until its user deletes it; otherwise it may delete it to free space. */
export const persist = async () => (await navigator.storage?.persist?.()) ?? false;

/** Why this browser cannot sign, in words for its user; null if it can. @returns {Promise<string | null>} */
export async function trouble() {
  if (!globalThis.isSecureContext || !crypto.subtle || !navigator.locks) {
    return (
      "Signing needs HTTPS. Open this site at its https address, or on the machine that it runs on. You can read and " +
      "watch without signing."
    );
  }
  try {
    await crypto.subtle.generateKey("Ed25519", false, ["sign"]);
    await open("nobody");
    await erase("nobody");
    return null;
  } catch (error) {
    const old = error instanceof DOMException && error.name === "NotSupportedError";
    return old
      ? "This browser is too old to sign moves: it does not support Ed25519. Update it, or play from a terminal."
      : "This browser does not store data for this site, so it cannot keep a key. Leave private mode or allow it.";
  }
}

/** @returns {Promise<DeviceKey>} */
async function made() {
  const pair = /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]));
  const jwk = await publicJwk(pair.publicKey);
  return { kid: await thumbprint(jwk), jwk, key: pair.privateKey, made: new Date().toISOString(), registered: false };
}

/** Registers the key with the account. Doing it again asks for approval again. @param {DeviceKey} key */
export async function register(key) {
  const { nonce } = await api.post("/v1/me/keys/challenge");
  const payload = { v: 1, aud: location.host, act: "register", key: key.jwk, nonce };
  await api.post("/v1/me/keys", { jws: await sign(key, payload, REGISTER) });
}
