// Public Ed25519 keys as JWKs, and their thumbprints (RFC 7638), which are their names.
import { b64, bytes, sha256 } from "./canonical.js";

/** @typedef {{crv: string, kty: string, x: string}} PublicJwk */

/** The `kid` of a key, computed from exactly `crv`, `kty` and `x`. @param {PublicJwk} jwk */
export const thumbprint = async ({ crv, kty, x }) => b64(await sha256(bytes(JSON.stringify({ crv, kty, x }))));

/**
 * The public half of a key pair, with exactly the members of the record.
 * @param {CryptoKey} key
 * @returns {Promise<PublicJwk>}
 */
export async function publicJwk(key) {
  const { x } = await crypto.subtle.exportKey("jwk", key);
  return { crv: "Ed25519", kty: "OKP", x: String(x) };
}
