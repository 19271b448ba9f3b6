// Ed25519 keys, and the compact JWS that they sign (docs/spec/record.md, section 5).
import { b64, bytes, write } from "../../server/http/static/record/canonical.js";
import { publicJwk, thumbprint } from "../../server/http/static/record/jwk.js";

/** @typedef {import("../../server/http/static/record/jwk.js").PublicJwk} PublicJwk */
/** @typedef {{kid: string, jwk: PublicJwk, key: CryptoKey}} Key `kid` is the name of the key, `jwk` its public half */

export const ACT = "sealedmove+jws";
const REGISTER = "sealedmove-key+jws";

/** A new key. Keep it: `saveKey`. @returns {Promise<Key>} */
export async function makeKey() {
  const made = /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]));
  const jwk = await publicJwk(made.publicKey);
  return { kid: await thumbprint(jwk), jwk, key: made.privateKey };
}

/** A private JWK, to be kept where only its owner can read it. @param {Key} key @returns {Promise<JsonWebKey>} */
export const saveKey = ({ key }) => crypto.subtle.exportKey("jwk", key);

/** The key of a private JWK. @param {JsonWebKey} saved @returns {Promise<Key>} */
export async function readKey(saved) {
  const key = await crypto.subtle.importKey("jwk", saved, "Ed25519", true, ["sign"]);
  const jwk = { crv: "Ed25519", kty: "OKP", x: String(saved.x) };
  return { kid: await thumbprint(jwk), jwk, key };
}

/** A compact JWS of this payload. @param {Key} key @param {Record<string, any>} payload @param {string} [typ] */
export async function sign({ kid, key }, payload, typ = ACT) {
  const said = [{ alg: "Ed25519", kid, typ }, payload].map((part) => b64(bytes(write(part)))).join(".");
  return `${said}.${b64(await crypto.subtle.sign("Ed25519", key, bytes(said)))}`;
}

/**
 * Register the key with the account of the server's token, which needs the scope `account`.
 * @param {import("./server.js").Server} server @param {Key} key
 */
export async function register(server, key) {
  const send = async () => {
    const { nonce } = await server.post("/v1/me/keys/challenge");
    const payload = { v: 1, aud: server.host, act: "register", key: key.jwk, nonce };
    await server.post("/v1/me/keys", { jws: await sign(key, payload, REGISTER) });
  };
  await send().catch((error) => {
    if (error?.code !== "bad-challenge") throw error;
    return send(); // a try whose answer was lost has used the nonce
  });
}
