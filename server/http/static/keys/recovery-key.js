// The account's recovery key: made with its code and encrypted at once; only its public half stays in this browser.
import * as api from "../api/api.js";
import { newCode, wrap } from "./key-backup.js";
import { publicJwk, thumbprint } from "../record/jwk.js";
import { open } from "./store.js";

/** @typedef {import("../record/jwk.js").PublicJwk} PublicJwk */
/**
 * @typedef {{kid: string, jwk: PublicJwk, confirmed: boolean}} Recovery `confirmed`: its owner has shown that they have
 *   the code
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
 * A new recovery key and its code. The private half leaves this function only inside the backup.
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

/**
 * The backup on the server, with those that it has replaced, newest first; null if there is none.
 * @returns {Promise<{box: string, former: string[], etag: string} | null>}
 */
export async function keptBox() {
  try {
    const { value, headers } = await api.ask("GET", "/v1/me/keybox");
    return { box: value.box, former: value.former, etag: headers.get("ETag") ?? "" };
  } catch (error) {
    if (error instanceof api.Problem && error.status === 404) return null;
    throw error;
  }
}
