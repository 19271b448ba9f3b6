// Signed acts of a seat: signed on a checked log, stored before they are sent, and sent until they are answered.
//
//     const game = checkedGame(account, id);
//     await act.join(game, 0);
//     await act.move(game, commands, head);     // head: {seq, hash} on which the draft was made
//
// Each returns the entry that logs it. They throw `VerificationError` (the server's fault; the evidence is stored),
// `NotSigned` (nobody's fault), `NotSent` (stored, and sent again) or `Problem` (refused). An act fits one place of one
// log, and until that place is taken, anyone who has the act can log it. So a second act for the same place is never
// signed without asking (docs/spec/record.md, 13):
//
//     no answer, 5xx, 429   read the log at that place: an entry there settles it; otherwise send the same bytes again
//     refused               settled if the laws that a page knows refuse it too, since then nobody can log it.
//                           Otherwise it stays unsettled, and another act for the place needs the player's consent
//                           (`either`)
import { random, b64, write } from "../record/canonical.js";
import { mine } from "../keys/device-key.js";
import * as outbox from "./outbox.js";
import { sealOf } from "./checked-game.js";
import { recoveryOf } from "../keys/recovery-key.js";
import { open, signedBy } from "../record/table.js";

export { NotSent, NotSigned } from "./outbox.js";
export { again, keepSending } from "./outbox.js";

/** @typedef {import("./checked-game.js").CheckedGame} Game */
/** @typedef {import("../record/entry.js").Entry} Entry */
/** @typedef {import("../record/table.js").Table} Table */
/** @typedef {import("../keys/device-key.js").Signer} Signer */
/** @typedef {import("../record/jwk.js").PublicJwk} PublicJwk */
/** @typedef {import("./outbox.js").Head} Head */
/** @typedef {import("./outbox.js").Consent} Consent */

/**
 * Take a seat.
 * @param {Game} game
 * @param {number | null} [seat] the first free one if none is named
 * @param {Consent} [consent]
 * @returns {Promise<Entry>}
 */
export async function join(game, seat = null, consent = {}) {
  const nonce = await (await game.memory()).nonce(() => b64(random(32)));
  return sit(game, "join", seat, consent, { nonce });
}

/**
 * Take over a seat of a running game.
 * @param {Game} game
 * @param {number | null} [seat]
 * @param {Consent} [consent]
 * @returns {Promise<Entry>}
 */
export const take = (game, seat = null, consent = {}) => sit(game, "take", seat, consent, {});

/**
 * @param {Game} game
 * @param {"join" | "take"} act
 * @param {number | null} wanted
 * @param {Consent} consent
 * @param {object} more
 */
async function sit(game, act, wanted, consent, more) {
  const [key, recovery] = await Promise.all([device(game), recoveryOf(game.account)]);
  const seat = (/** @type {Table} */ table) => {
    const found = wanted ?? open(table, game.now())[0];
    if (found !== undefined) return found;
    throw new outbox.NotSigned(act === "join" ? "game-full" : "not-free", "All seats are taken.");
  };
  const body = { key: key.jwk, recovery: recovery?.jwk ?? null, bot: false, ...more };
  return outbox.signAndSend(
    game,
    { act, signer: key, seat, body: async () => ({ body }), says: `${act === "join" ? "sit down" : "take the seat"}` },
    consent,
  );
}

/**
 * Move: 1 to 64 commands, sealed in a hidden game. Afterwards `game.check()` shows how far the move went.
 * @param {Game} game
 * @param {any[]} commands
 * @param {Head | null} [head]
 * @param {Consent} [consent]
 * @returns {Promise<Entry>}
 */
export async function move(game, commands, head = null, consent = {}) {
  const key = await device(game);
  const salt = b64(random(32));
  const body = async (/** @type {Table} */ table) => {
    if (!table.created.hidden) return { body: { commands } };
    const text = (await signedText(game, commands)) ?? write({ commands, salt });
    return { body: { sealed: await sealOf(text) }, text };
  };
  const says = consent.words ?? commands.map((command) => JSON.stringify(command)).join(", ");
  return outbox.signAndSend(game, { act: "move", signer: key, seat: own(game, key.kid), body, says, head }, consent);
}

/**
 * Reuses the text that was signed for the same commands before: with the same commitment it is the same move.
 * @param {Game} game
 * @param {any[]} commands
 */
async function signedText(game, commands) {
  const acts = await (await game.memory()).pending();
  return acts.find(({ text }) => text && write(JSON.parse(text).commands) === write(commands))?.text;
}

/** Leave the seat before the start. @param {Game} game @param {Consent} [consent] @returns {Promise<Entry>} */
export const leave = (game, consent = {}) => plain(game, "leave", {}, consent, "leave the table");

/** Resign. @param {Game} game @param {Consent} [consent] @returns {Promise<Entry>} */
export const resign = (game, consent = {}) => plain(game, "resign", {}, consent, "resign");

/** Offer the seat to others. @param {Game} game @param {Consent} [consent] @returns {Promise<Entry>} */
export const offer = (game, consent = {}) => plain(game, "offer", { open: true }, consent, "offer the seat");

/** Withdraw the offer, or end an absence. @param {Game} game @param {Consent} [consent] @returns {Promise<Entry>} */
export const back = (game, consent = {}) => plain(game, "offer", { open: false }, consent, "keep the seat");

const NO_SEAT =
  "This device's key does not hold a seat in this game. If you play on another device, approve this one first.";

/** A player who changes the keys of their seat has already agreed to the terms of that table. */
const OWN = { unsigned: true };

/**
 * Let another device's key play our seat.
 * @param {Game} game
 * @param {PublicJwk} jwk
 * @returns {Promise<Entry>}
 */
export const addKey = (game, jwk) => plain(game, "key", { add: jwk }, OWN, "add a key");

/**
 * Remove a key from our seat.
 * @param {Game} game
 * @param {string} kid
 * @returns {Promise<Entry>}
 */
export const dropKey = (game, kid) => plain(game, "key", { drop: kid }, OWN, "drop a key");

/**
 * One act of the recovery key: set the only device keys of our seat, its own successor, or both; null keeps them.
 * @param {Game} game
 * @param {(holder: import("../record/table.js").Holder) => {only: PublicJwk[] | null, recovery: PublicJwk | null}} next
 * @param {Signer} by
 * @returns {Promise<Entry>}
 */
export async function replaceKeys(game, next, by) {
  const seat = own(game, by.kid, "Your seat there does not have this recovery key, so its keys stay as they are.");
  const body = async (/** @type {Table} */ table) => ({
    body: next(/** @type {import("../record/table.js").Holder} */ (table.seats[seat(table)]?.holder)),
  });
  return outbox.signAndSend(game, { act: "key", signer: by, seat, body, says: "replace the keys" }, OWN);
}

/**
 * @param {Game} game
 * @param {string} act
 * @param {object} body
 * @param {Consent} consent
 * @param {string} says
 */
async function plain(game, act, body, consent, says) {
  const signer = await device(game);
  const seat = own(game, signer.kid);
  return outbox.signAndSend(game, { act, signer, seat, body: async () => ({ body }), says }, consent);
}

/**
 * The seat for which a key may sign now; it is not enough that a seat lists the key.
 * @param {Game} game @param {string} kid @param {string} [says] if there is none
 * @returns {(table: Table) => number}
 */
const own =
  (game, kid, says = NO_SEAT) =>
  (table) => {
    const seat = game.seatOf(table, kid);
    if (seat !== null) return seat;
    const held = signedBy(table, kid);
    if (held === null) throw new outbox.NotSigned("no-seat", says);
    throw new outbox.NotSigned(
      "seat-gone",
      `This device's key no longer holds seat ${held + 1}: it was removed, or another player has taken the seat.`,
    );
  };

/** @param {Game} game */
async function device(game) {
  const key = await mine(game.account);
  if (key?.registered) return key;
  throw new outbox.NotSigned("no-key", "This device does not have a key for your account, or has lost it.");
}
