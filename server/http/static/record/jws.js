// Signed acts: a compact JWS whose payload is one act, read strictly (docs/spec/record.md, section 5).
import { BadRecord, bytes, readSent, unb64 } from "./canonical.js";
import { publicKey } from "./ed25519.js";
import * as s from "./shapes.js";

/** @typedef {import("./jwk.js").PublicJwk} PublicJwk */
/**
 * @typedef {{kid: string, payload: Record<string, any>, input: Uint8Array<ArrayBuffer>,
 *   signature: Uint8Array<ArrayBuffer>}} Jws
 */

const LONGEST = 2 ** 14;
export const TYP = "sealedmove+jws";

/**
 * The parts of a compact JWS, its signature not yet verified.
 * @param {unknown} compact
 * @param {string} [typ]
 * @returns {Jws}
 */
export function read(compact, typ = TYP) {
  if (typeof compact !== "string") throw new BadRecord("bad-jws", "a JWS must be a string in compact form");
  if (compact.length > LONGEST) throw new BadRecord("too-long", `a JWS has at most ${LONGEST} characters`);
  const [header, payload, signature, ...more] = compact.split(".");
  if (signature === undefined || more.length) throw new BadRecord("bad-jws", "a compact JWS must have three parts");
  const { kid } = readHeader(text(header), typ);
  return {
    kid,
    payload: readSent(text(payload)),
    input: bytes(`${header}.${payload}`),
    signature: unb64(signature, 64),
  };
}

/**
 * The act in a payload; BadRecord unless its members are exactly those of its act.
 * @param {Record<string, any>} payload
 */
export function readAct(payload) {
  const { act } = payload;
  if (typeof act !== "string" || !Object.hasOwn(ACTS, act)) {
    throw new BadRecord("act" in payload ? "unknown-act" : "missing-member", "a payload must name its act");
  }
  ACTS[act]?.(payload);
  return payload;
}

/** @param {string} header @param {string} typ */
function readHeader(header, typ) {
  const head = readSent(header);
  if (Object.keys(head).sort().join() !== "alg,kid,typ") {
    throw new BadRecord("bad-header", "the header of a JWS must have exactly the members alg, kid and typ");
  }
  if (head.alg !== "Ed25519" && head.alg !== "EdDSA") {
    throw new BadRecord("bad-alg", "the algorithm of a JWS must be Ed25519");
  }
  if (head.typ !== typ) throw new BadRecord("bad-typ", `expected a JWS of type ${typ}`);
  unb64(head.kid, 32);
  return head;
}

/** @param {string | undefined} part */
const text = (part) => String.fromCharCode(...unb64(part));

// --- acts ------------------------------------------------------------------------------------------------------------

/** @type {s.Check} */
const version = (value) => {
  if (value !== 1) throw new BadRecord("bad-version", "a payload must have version 1, like its game");
};
/** @type {s.Check} */
const key = (value) => void publicKey(value);
/** @type {s.Check} */
const only = (value) => s.list(key, 1, 4)(value);
/** @type {s.Check} */
export const commands = (value) => {
  if (!Array.isArray(value) || value.length < 1 || value.length > 64) {
    throw new BadRecord("bad-commands", "a move must be a list of 1 to 64 commands");
  }
};

/** @type {s.Members} */
const COMMON = { v: version, aud: s.text, game: s.gameId, act: s.text, seat: s.seat, seq: s.seq, prev: s.binary32 };
const HOLDER = { key, recovery: s.nullable(key), bot: s.boolean };

/**
 * An act in one of these forms: exactly these members, not all of them null.
 * @param {string} act @param {s.Members[]} forms @returns {s.Check}
 */
const oneOf =
  (act, ...forms) =>
  (payload) => {
    s.shape(`the payload of a ${act}`, COMMON, Object.assign({}, ...forms))(payload);
    const given = Object.keys(payload).filter((name) => !Object.hasOwn(COMMON, name));
    const names = forms.map((form) => Object.keys(form));
    if (!given.some((name) => payload[name] !== null) || !names.some((form) => same(form, given))) {
      throw new BadRecord(
        "bad-form",
        `the payload of a ${act} has one of ${names.map((form) => form.join("+")).join(", ")}`,
      );
    }
  };

/** @param {string[]} one @param {string[]} other */
const same = (one, other) => one.length === other.length && one.every((name) => other.includes(name));

/** @type {Record<string, s.Check>} */
const ACTS = {
  join: s.shape("the payload of a join", { ...COMMON, ...HOLDER, nonce: s.binary32 }),
  take: s.shape("the payload of a take", { ...COMMON, ...HOLDER }),
  offer: s.shape("the payload of an offer", { ...COMMON, open: s.boolean }),
  move: oneOf("move", { commands }, { sealed: s.binary32 }),
  key: oneOf("key act", { add: key }, { drop: s.binary32 }, { only: s.nullable(only), recovery: s.nullable(key) }),
  leave: s.shape("the payload of a leave", COMMON),
  resign: s.shape("the payload of a resign", COMMON),
};
