import {
  Problem,
  ask,
  post
} from "./chunk-KHBG72CQ.js";
import {
  BadRecord,
  b64,
  bytes,
  domain,
  joined,
  publicJwk,
  random,
  readSent,
  sha256,
  thumbprint,
  unb64,
  write
} from "./chunk-WTO7KCRN.js";
import {
  erase,
  open
} from "./chunk-2WYNB7VX.js";

// server/http/static/keys/base32.js
var ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
var lettersOf = (bits) => (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[parseInt(five, 2)]).join("");
var bitsIn = (letters) => [...letters].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
var bitsOf = (data) => [...data].map((byte) => byte.toString(2).padStart(8, "0")).join("");
var grouped = (letters) => (letters.match(/.{4}/g) ?? []).join("-");
var plain = (typed) => typed.toUpperCase().replace(/[\s\-\u2010-\u2015]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
var stranger = (letters) => [...letters].find((letter) => !ALPHABET.includes(letter));

// server/http/static/keys/key-backup.js
var COUNT = 8192;
var LONGEST = 4096;
var ALG = "PBES2-HS512+A256KW";
var MEMBERS = ["alg", "aud", "enc", "kid", "p2c", "p2s", "sub"];
var BackupError = class extends Error {
  /** @param {"bad-code" | "wrong-code" | "bad-box" | "other-box"} code @param {string} says */
  constructor(code, says) {
    super(says);
    this.name = "BackupError";
    this.code = code;
  }
};
var newCode = async () => grouped(lettersOf(await withCheck(random(16))));
async function normalised(typed) {
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
var withCheck = async (secret) => bitsOf(secret) + bitsOf(await sha256(joined(domain("code"), secret))).slice(0, 12);
var entropy = (text) => Uint8Array.from({ length: 16 }, (_, at) => parseInt(bitsIn(text).slice(8 * at, 8 * at + 8), 2));
async function wrap(jwk, code, account, aud = location.host) {
  const salt = random(16);
  const head = {
    alg: ALG,
    aud,
    enc: "A256GCM",
    kid: await thumbprint(jwk),
    p2c: COUNT,
    p2s: b64(salt),
    sub: String(account)
  };
  const header = b64(bytes(write(head)));
  const content = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, true, ["encrypt"]);
  const key = new Uint8Array(await crypto.subtle.wrapKey("raw", content, await keyOf(code, salt), "AES-KW"));
  const iv = random(12);
  const text = bytes(write({ crv: jwk.crv, d: jwk.d, kty: jwk.kty, x: jwk.x }));
  const sealed = new Uint8Array(await crypto.subtle.encrypt(gcm(iv, header), content, text));
  return [header, b64(key), b64(iv), b64(sealed.slice(0, -16)), b64(sealed.slice(-16))].join(".");
}
async function open2(jwe, code, account, aud = location.host) {
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
var kidOf = (jwe) => parsed(jwe).head.kid;
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
function checkHead(head) {
  const due = Object.keys(head).sort().join() === MEMBERS.join() && head.alg === ALG && head.enc === "A256GCM";
  if (!due || head.p2c !== COUNT) throw new BadRecord("bad-header", "its header is not of the required form");
  if (typeof head.aud !== "string" || typeof head.sub !== "string") {
    throw new BadRecord("bad-header", "its header is not of the required form");
  }
  unb64(head.kid, 32);
}
async function opened({ header, key: wrapped, iv, sealed }, key) {
  try {
    const content = await crypto.subtle.unwrapKey("raw", wrapped, key, "AES-KW", "AES-GCM", false, ["decrypt"]);
    return latin(new Uint8Array(await crypto.subtle.decrypt(gcm(iv, header), content, sealed)));
  } catch {
    throw new BackupError("wrong-code", "This recovery code does not open the key backup of this account.");
  }
}
async function keyOf(code, salt) {
  const password = await crypto.subtle.importKey("raw", bytes(await normalised(code)), "PBKDF2", false, ["deriveKey"]);
  const how = { name: "PBKDF2", hash: "SHA-512", iterations: COUNT, salt: joined(bytes(`${ALG}\0`), salt) };
  return crypto.subtle.deriveKey(how, password, { name: "AES-KW", length: 256 }, false, ["wrapKey", "unwrapKey"]);
}
var gcm = (iv, header) => ({ name: "AES-GCM", iv, additionalData: bytes(header) });
var latin = (data) => String.fromCharCode(...data);
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
var PKCS8 = Uint8Array.from([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]);
async function fromSeed(seed) {
  const whole = joined(PKCS8, seed);
  const told = await crypto.subtle.exportKey(
    "jwk",
    await crypto.subtle.importKey("pkcs8", whole, "Ed25519", true, ["sign"])
  );
  const jwk = { crv: "Ed25519", kty: "OKP", x: String(told.x) };
  const key = await crypto.subtle.importKey("pkcs8", whole, "Ed25519", false, ["sign"]);
  return { kid: await thumbprint(jwk), jwk, key };
}

// server/http/static/keys/device-key.js
var ACT = "sealedmove+jws";
var REGISTER = "sealedmove-key+jws";
var STATEMENT = "sealedmove-account+jws";
async function mine(account) {
  return await (await open(account)).get("device", "key") ?? null;
}
async function make(account) {
  return navigator.locks.request(
    `sealedmove-key-${account}`,
    /** @returns {Promise<any>} */
    async () => {
      const store = await open(account);
      const key = await mine(account) ?? await made();
      await store.put("device", "key", key);
      if (key.registered) return key;
      await register(key);
      const known = { ...key, registered: true };
      await store.put("device", "key", known);
      return known;
    }
  );
}
async function sign({ kid, key }, payload, typ) {
  const said = [{ alg: "Ed25519", kid, typ }, payload].map((part) => b64(bytes(write(part)))).join(".");
  return `${said}.${b64(await crypto.subtle.sign("Ed25519", key, bytes(said)))}`;
}
async function statement(account, act, about, by) {
  const { nonce, at } = await post("/v1/me/keys/challenge");
  return sign(by, { v: 1, aud: location.host, act, account: Number(account), about, at, nonce }, STATEMENT);
}
var persist = async () => await navigator.storage?.persist?.() ?? false;
async function trouble() {
  if (!globalThis.isSecureContext || !crypto.subtle || !navigator.locks) {
    return "Signing needs HTTPS. Open this site at its https address, or on the machine that it runs on. You can read and watch without signing.";
  }
  try {
    await crypto.subtle.generateKey("Ed25519", false, ["sign"]);
    await open("nobody");
    await erase("nobody");
    return null;
  } catch (error) {
    const old = error instanceof DOMException && error.name === "NotSupportedError";
    return old ? "This browser is too old to sign moves: it does not support Ed25519. Update it, or play from a terminal." : "This browser does not store data for this site, so it cannot keep a key. Leave private mode or allow it.";
  }
}
async function made() {
  const pair = (
    /** @type {CryptoKeyPair} */
    await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"])
  );
  const jwk = await publicJwk(pair.publicKey);
  return { kid: await thumbprint(jwk), jwk, key: pair.privateKey, made: (/* @__PURE__ */ new Date()).toISOString(), registered: false };
}
async function register(key) {
  const { nonce } = await post("/v1/me/keys/challenge");
  const payload = { v: 1, aud: location.host, act: "register", key: key.jwk, nonce };
  await post("/v1/me/keys", { jws: await sign(key, payload, REGISTER) });
}

// server/http/static/keys/recovery-key.js
async function recoveryOf(account) {
  return await (await open(account)).get("device", "recovery") ?? null;
}
async function keepRecovery(account, recovery) {
  const store = await open(account);
  await (recovery ? store.put("device", "recovery", recovery) : store.del("device", "recovery"));
}
async function makeRecovery(account) {
  const pair = (
    /** @type {CryptoKeyPair} */
    await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"])
  );
  const [jwk, { d = "" }, code] = await Promise.all([
    publicJwk(pair.publicKey),
    crypto.subtle.exportKey("jwk", pair.privateKey),
    newCode()
  ]);
  const box = await wrap({ ...jwk, d }, code, account);
  return { recovery: { kid: await thumbprint(jwk), jwk, confirmed: false }, code, box };
}
async function keptBox() {
  try {
    const { value, headers } = await ask("GET", "/v1/me/keybox");
    return { box: value.box, former: value.former, etag: headers.get("ETag") ?? "" };
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}

export {
  lettersOf,
  bitsOf,
  grouped,
  plain,
  BackupError,
  open2 as open,
  kidOf,
  ACT,
  mine,
  make,
  sign,
  statement,
  persist,
  trouble,
  register,
  recoveryOf,
  keepRecovery,
  makeRecovery,
  keptBox
};
