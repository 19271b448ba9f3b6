// Pins of servers' keys: the key that this browser saw first must sign all games of a server (record.md, 16).
//
// A later key is accepted only if the server's list of keys continues the one that we saw, each key signed by the one
// before.
import { BadRecord, isObject, write } from "./canonical.js";
import { publicKey, verify } from "./ed25519.js";
import { read as readJws } from "./jws.js";
import { thumbprint } from "./jwk.js";
import { VerificationError } from "./verification-error.js";
import * as s from "./shapes.js";

/**
 * @typedef {{server: string, keys: string[], whole: boolean}} Pin `whole`: the list was seen from its first key on
 */
/** @typedef {{server: string, keys: string[]}} ServerKeys */

const TYP = "sealedmove-server+jws";
const MOST_KEYS = 1024;
const KEY = s.shape("a key of a server", {
  crv: s.text,
  kty: s.text,
  x: s.binary32,
  kid: s.binary32,
  from: s.nullable(s.instant),
  until: s.nullable(s.instant),
  signed: s.nullable(s.text),
});

/**
 * The new pin of this host; VerificationError unless the game's key is one of its keys.
 * @param {Pin | null} pin the one before @param {string} host @param {string} key in base64url
 * @param {any} document the server's list of keys as it was parsed; null if it shows none now, which proves nothing
 * @returns {Promise<Pin>}
 */
export async function pinned(pin, host, key, document) {
  const shown = document === null ? null : await shownBy(host, document);
  const next = !pin ? first(host, key, shown) : shown ? continued(pin, shown) : pin;
  if (next.keys.includes(key)) return next;
  const says = `The server signs this game with a different key from the one that this browser knows.`;
  throw new VerificationError("other-server-key", says, { expected: next.keys.at(-1), found: key, seq: 0 });
}

/**
 * The keys in the document of a server; BadRecord unless each follows from the one before.
 * @param {any} document
 * @returns {Promise<ServerKeys>}
 */
export async function readKeys(document) {
  if (!isObject(document) || !Object.hasOwn(document, "server") || !Object.hasOwn(document, "keys")) {
    throw new BadRecord("bad-server-document", "the key document of a server must be an object with server and keys");
  }
  s.host(document.server);
  s.list(KEY, 1, MOST_KEYS)(document.keys);
  /** @type {string[]} */
  const found = [];
  for (const item of document.keys) {
    await checkNext(document.server, document.keys[found.length - 1], item, found);
    found.push(item.x);
  }
  return { server: document.server, keys: found };
}

/** Is the second list the first one, perhaps with later keys? @param {ServerKeys} known @param {ServerKeys} shown */
export const continues = (known, shown) =>
  known.server === shown.server && known.keys.every((key, at) => shown.keys[at] === key);

/** @param {string} server @param {any} before @param {any} item @param {string[]} found */
async function checkNext(server, before, { crv, kty, x, kid, signed }, found) {
  publicKey({ crv, kty, x });
  if (kid !== (await thumbprint({ crv, kty, x }))) {
    throw new BadRecord("wrong-key", "the kid of a server's key must be its thumbprint");
  }
  if (found.includes(x)) throw new BadRecord("key-taken", "a server must list each of its keys once");
  if ((signed === null) !== !before) {
    throw new BadRecord("unsigned-key", "each key after the first must be signed by the one before it");
  }
  if (before) await checkSigned(server, before, { crv, kty, x }, signed);
}

/** @param {string} server @param {any} before @param {any} key @param {string} signed */
async function checkSigned(server, before, key, signed) {
  const jws = readJws(signed, TYP);
  const due = write({ v: 1, aud: server, act: "succeed", key });
  if (write(jws.payload) !== due) {
    throw new BadRecord("wrong-act", "the signed statement names a different key or server");
  }
  const good =
    jws.kid === before.kid &&
    (await verify(publicKey({ crv: before.crv, kty: before.kty, x: before.x }), jws.input, jws.signature));
  if (!good) throw new BadRecord("bad-signature", "the signature on a server's key is not valid");
}

/** @param {string} host @param {any} document */
async function shownBy(host, document) {
  try {
    const shown = await readKeys(document);
    if (shown.server === host) return shown;
    throw new VerificationError("other-server-keys", "The server shows another server's list of keys.", {
      expected: host,
      found: shown.server,
    });
  } catch (error) {
    if (error instanceof BadRecord) {
      throw new VerificationError(error.code, `The server's list of its keys is not valid: ${error.message}.`);
    }
    throw error;
  }
}

/** @param {string} server @param {string} key @param {ServerKeys | null} shown @returns {Pin} */
const first = (server, key, shown) => ({ server, keys: shown ? shown.keys : [key], whole: shown !== null });

/**
 * The longer list, if it continues ours; if we knew only a part of it, from that part on.
 * @param {Pin} pin
 * @param {ServerKeys} shown
 * @returns {Pin}
 */
function continued(pin, shown) {
  const start = pin.whole ? 0 : Math.max(shown.keys.indexOf(pin.keys[0] ?? ""), 0);
  const keys = shown.keys.slice(start);
  if (continues(pin, { server: shown.server, keys })) return { ...pin, keys };
  const says = "The server's list of its keys does not continue the one that this browser has seen before.";
  throw new VerificationError("other-server-keys", says, {
    expected: pin.keys.join(", "),
    found: shown.keys.join(", "),
  });
}
