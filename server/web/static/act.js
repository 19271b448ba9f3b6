// Signed acts of a seat: signed upon a log that was checked, kept before they are sent, sent until they are answered.
//
//     const game = evidence.game(account, id);
//     await act.join(game, 0);
//     await act.move(game, commands, head);     // head: {seq, hash} that the plan was made upon
//
// Each gives the entry that logs it. Thrown are `Lie` (evidence.js), `Problem` (refused; api.js), `NotSigned`.

/** @typedef {import("./evidence.js").Game} Game */
/** @typedef {import("./check.js").Entry} Entry */
/** @typedef {import("./box.js").RecoveryKey} RecoveryKey */
/** @typedef {import("./jwk.js").PublicJwk} PublicJwk */
/** @typedef {{seq: number, hash: string}} Head */

/** Nothing was signed, and nobody is to blame. `code`: `no-key`, `no-seat`, `unsettled`, `not-yet`, `stale`, `unsigned-table`, ... */
export class NotSigned extends Error {
  /** @param {string} code @param {string} says @param {Record<string, any>} [facts] */
  constructor(code, says, facts = {}) {
    super(says);
    this.name = "NotSigned";
    this.code = code;
    this.facts = facts;
  }
}

/** @typedef {{either?: boolean, unsigned?: boolean}} Said what the person has agreed to: that either act may be logged; unsigned tables */

/** @param {Game} game @param {number} seat @param {Said} [said] @returns {Promise<Entry>} */
export const join = async (game, seat, said) => missing(game, seat, said);

/** @param {Game} game @param {number} seat @param {Said} [said] @returns {Promise<Entry>} */
export const take = async (game, seat, said) => missing(game, seat, said);

/** @param {Game} game @param {unknown[]} commands @param {Head} [head] @param {Said} [said] @returns {Promise<Entry>} */
export const move = async (game, commands, head, said) => missing(game, commands, head, said);

/** @param {Game} game @param {Said} [said] @returns {Promise<Entry>} */
export const leave = async (game, said) => missing(game, said);

/** @param {Game} game @param {Said} [said] @returns {Promise<Entry>} */
export const resign = async (game, said) => missing(game, said);

/** Open the seat to others. @param {Game} game @param {Said} [said] @returns {Promise<Entry>} */
export const offer = async (game, said) => missing(game, said);

/** Close it again, or say "I am back". @param {Game} game @param {Said} [said] @returns {Promise<Entry>} */
export const back = async (game, said) => missing(game, said);

/** Another device's key may play our seat. @param {Game} game @param {PublicJwk} jwk @param {RecoveryKey} [by] @returns {Promise<Entry>} */
export const addKey = async (game, jwk, by) => missing(game, jwk, by);

/** A key of our seat signs no more. @param {Game} game @param {string} kid @param {RecoveryKey} [by] @returns {Promise<Entry>} */
export const dropKey = async (game, kid, by) => missing(game, kid, by);

/** Another recovery key in place of the one that signs. @param {Game} game @param {PublicJwk} jwk @param {RecoveryKey} by @returns {Promise<Entry>} */
export const replaceRecovery = async (game, jwk, by) => missing(game, jwk, by);

/** What nobody has answered is sent again, byte for byte; what became of each. @param {Game} game @returns {Promise<Entry[]>} */
export const again = async (game) => missing(game);

/** @param {...unknown} given @returns {never} */
function missing(...given) {
  throw new Error(`not written yet (${given.length})`);
}
