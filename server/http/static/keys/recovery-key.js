// The account's recovery key: made with its code and wrapped at once; what stays in this browser is its public half.
import * as api from "../api/api.js";
import { newCode, wrap } from "./key-backup.js";
import { publicJwk, thumbprint } from "../record/jwk.js";
import { open } from "./store.js";

/** @typedef {import("../record/jwk.js").PublicJwk} PublicJwk */
/**
 * @typedef {{kid: string, jwk: PublicJwk, confirmed: boolean}} Recovery `confirmed`: its code is kept, as its owner has
 *   shown
 */

/**
 * The recovery key that seats of this account name; null if it has none.
 * @param {string | number} account
 * @returns {Promise<Recovery | null>}
 */
export async function recoveryOf(account) {
  return (await (await open(account)).get("device", "recovery")) ?? null;
}

/** @param {string | number} account @param {Recovery | null} recovery */
export async function keepRecovery(account, recovery) {
  const store = await open(account);
  await (recovery ? store.put("device", "recovery", recovery) : store.del("device", "recovery"));
}

/**
 * A new recovery key and its code. The private half leaves this function in the box alone.
 * @param {string | number} account @returns {Promise<{recovery: Recovery, code: string, box: string}>}
 */
export async function makeRecovery(account) {
  const pair = /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]));
  const [jwk, { d = "" }, code] = await Promise.all([
    publicJwk(pair.publicKey),
    crypto.subtle.exportKey("jwk", pair.privateKey),
    newCode(),
  ]);
  const box = await wrap({ ...jwk, d }, code, account);
  return { recovery: { kid: await thumbprint(jwk), jwk, confirmed: false }, code, box };
}

/** The box that the server keeps; null if there is none. @returns {Promise<{box: string, etag: string} | null>} */
export async function keptBox() {
  try {
    const { value, headers } = await api.ask("GET", "/v1/me/keybox");
    return { box: value.box, etag: headers.get("ETag") ?? "" };
  } catch (error) {
    if (error instanceof api.Problem && error.status === 404) return null;
    throw error;
  }
}
