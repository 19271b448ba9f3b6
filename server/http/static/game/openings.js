// The secrets of one seat in a hidden game, checked against the public commitments (record.md, section 8).
import * as api from "../api/api.js";
import { BadRecord, b64, bytes, domain, joined, sha256, unb64, write } from "../record/canonical.js";
import { VerificationError } from "../record/verification-error.js";

/** @typedef {import("../record/entry.js").Entry} Entry */
/** @typedef {{seq: number, salt: string | null, events: any[] | null}} Opening null: not shown to this seat */

/**
 * Checks our seat's private part of the entries after this one; VerificationError if it does not match a commitment.
 * @param {string} game @param {Entry[]} entries all that were checked @param {number} seat @param {number} after
 * @returns {Promise<number>} the last checked entry
 */
export async function checkOpenings(game, entries, seat, after) {
  let last = after;
  for (let more = true; more;) {
    const { value, headers } = await api.ask("GET", `/v1/games/${game}/openings?after=${last}`);
    const given = value.filter((/** @type {Opening} */ { seq }) => entries[seq]); // later entries are checked next time
    for (const opening of given) await check(/** @type {Entry} */ (entries[opening.seq]), seat, opening);
    more = given.length > 0 && /rel="?next/.test(headers.get("Link") ?? "");
    last = given.at(-1)?.seq ?? last;
  }
  return last;
}

/** @param {Entry} entry @param {number} seat @param {Opening} opening */
async function check({ seq, body }, seat, { salt, events }) {
  if (salt === null || events === null) return;
  const found = await sealed(salt, events);
  if (body.seals?.[seat] === found) return;
  const says = `The opening of entry ${seq} for this seat does not match the commitment in the log.`;
  throw new VerificationError("wrong-opening", says, { expected: body.seals?.[seat], found, seq });
}

/** @param {string} salt @param {any[]} events */
async function sealed(salt, events) {
  try {
    return b64(await sha256(joined(domain("seal"), unb64(salt, 32), bytes(write(events)))));
  } catch (error) {
    if (error instanceof BadRecord) return error.message;
    throw error;
  }
}
