// Dice and cards: keys that were committed to before anyone joined, mixed with the players' nonces (record.md, 7).
import { BadRecord, b64, domain, joined, sha256, unb64 } from "./canonical.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./entry.js").Entry} Entry */

/** E, fixed at the start from the nonces of the players, without bots. @param {Table} table */
export async function entropy(table) {
  const people = table.seats.flatMap(({ holder }) => (holder && !holder.bot && holder.nonce ? [holder] : []));
  const brought = people.map(({ kid, nonce }) => joined(unb64(kid, 32), unb64(nonce, 32))).sort(compared);
  return sha256(joined(domain("entropy"), unb64(table.origin, 32), ...brought));
}

/**
 * BadRecord unless the public draws of the entry follow from keys that were fixed before.
 * @param {Table} table
 * @param {Entry} entry
 */
export async function checkDraws(table, { kind, body }) {
  if (!body.draws) return;
  const { first, got, key } = body.draws;
  const last = first + got.length - 1;
  if (first !== table.draw) throw new BadRecord("wrong-first", `the next draw is ${table.draw}, not ${first}`);
  if (last > table.created.chance.draws) {
    throw new BadRecord("draws-used-up", `entry 0 commits to ${table.created.chance.draws} draws`);
  }
  const mixed = kind === "started" ? await entropy(table) : table.entropy;
  if (!mixed) throw new BadRecord("wrong-draw", "nothing is drawn before the start");
  let shown = unb64(key, 32);
  for (let d = last; d >= first; d -= 1) {
    const [n, result] = got[d - first];
    if ((await draw(shown, mixed, d, n)) !== result) {
      throw new BadRecord("wrong-draw", `draw ${d} from ${n} does not give ${result}`);
    }
    shown = await linkBack(shown, d);
  }
  if (b64(shown) !== table.shown) {
    throw new BadRecord("wrong-key", "the key of the draws does not hash back to the one shown before");
  }
}

/**
 * BadRecord unless the secret in an entry gives every key that was shown.
 * @param {Table} table
 * @param {Entry} entry
 */
export async function checkSecret(table, { body }) {
  if (typeof body.secret !== "string") return;
  const { draws } = table.created.chance;
  let key = await hmac(unb64(body.secret, 32), joined(domain("chain"), u64(draws), u64(0)));
  for (let d = draws; d > 0; d -= 1) key = await linkBack(key, d);
  if (b64(key) !== table.created.chance.chain) {
    throw new BadRecord("wrong-secret", "the secret is not the one that entry 0 commits to");
  }
}

/** L(d-1) from L(d). @param {Uint8Array<ArrayBuffer>} key @param {number} d */
const linkBack = (key, d) => sha256(joined(LINK, u64(d), key));

/**
 * Draw number d from n possibilities.
 * @param {Uint8Array<ArrayBuffer>} key
 * @param {Uint8Array} mixed
 * @param {number} d
 * @param {number} n
 */
export async function draw(key, mixed, d, n) {
  if (n === 1) return 0;
  const width = Math.ceil(Math.ceil(Math.log2(n)) / 8) || 1;
  const limit = 256 ** width - (256 ** width % n);
  let words = new Uint8Array();
  for (let block = 0, at = 0; ; at += width) {
    while (words.length < at + width) {
      words = joined(words, await hmac(key, joined(domain("draw"), mixed, u64(d), u64(block).slice(4))));
      block += 1;
    }
    const x = words.subarray(at, at + width).reduce((sum, byte) => sum * 256 + byte, 0);
    if (x < limit) return x % n;
  }
}

/** HMAC-SHA256. @param {Uint8Array<ArrayBuffer>} key @param {Uint8Array<ArrayBuffer>} message */
async function hmac(key, message) {
  const made = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", made, message));
}

const LINK = domain("link");

/** @param {number} n as eight bytes, the most significant first */
function u64(n) {
  const data = new DataView(new ArrayBuffer(8));
  data.setUint32(0, Math.floor(n / 2 ** 32));
  data.setUint32(4, n % 2 ** 32);
  return new Uint8Array(data.buffer);
}

/** @param {Uint8Array} one @param {Uint8Array} other */
function compared(one, other) {
  const at = one.findIndex((byte, place) => byte !== other[place]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
