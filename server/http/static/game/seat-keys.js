// Every seat that an account holds, one after the other: a key is added there, dropped, or the recovery key replaced.
import * as act from "./acts.js";
import * as api from "../api/api.js";
import { checkedGame } from "./checked-game.js";
import { VerificationError } from "../record/verification-error.js";
import { playedBy, recoveredBy } from "../record/table.js";

/** @typedef {import("./checked-game.js").CheckedGame} Game */
/** @typedef {import("../keys/device-key.js").Signer} Signer */
/** @typedef {import("../record/jwk.js").PublicJwk} PublicJwk */
/** @typedef {import("../record/table.js").Table} Table */
/** @typedef {{id: string, type: string}} Mine */
/** @typedef {{game: Mine, wrong: Error | null}} Done `wrong`: why it could not be done there */
/** @typedef {(done: Done, count: number) => void} Tell `count`: how many seats there are */

/**
 * A device's key may play every seat.
 * @param {string | number} account
 * @param {{kid: string, jwk: PublicJwk}} key
 * @param {Signer} by
 * @param {Tell} [tell]
 */
export const addEverywhere = (account, { kid, jwk }, by, tell) =>
  everywhere(account, tell, (game, table) => (playedBy(table, kid) === null ? act.addKey(game, jwk, by) : null));

/**
 * A key, of a device that was stolen for instance, plays no seat any more.
 * @param {string | number} account
 * @param {string} kid
 * @param {Signer} by
 * @param {Tell} [tell]
 */
export const dropEverywhere = (account, kid, by, tell) =>
  everywhere(account, tell, (game, table) => (playedBy(table, kid) === null ? null : act.dropKey(game, kid, by)));

/**
 * Another recovery key, in the place of the one that signs.
 * @param {string | number} account
 * @param {{kid: string, jwk: PublicJwk}} key
 * @param {Signer} by
 * @param {Tell} [tell]
 */
export const replaceEverywhere = (account, { kid, jwk }, by, tell) =>
  everywhere(account, tell, (game, table) =>
    recoveredBy(table, kid) === null ? act.replaceRecovery(game, jwk, by) : null,
  );

/**
 * Where a game refuses, the others are still seen to.
 * @param {string | number} account
 * @param {Tell | undefined} tell
 * @param {(game: Game, table: Table) => Promise<unknown> | null} work
 * @returns {Promise<Done[]>}
 */
async function everywhere(account, tell, work) {
  const games = await mine();
  const done = [];
  for (const one of games) {
    const wrong = await tried(checkedGame(account, one.id), work);
    done.push({ game: one, wrong });
    tell?.({ game: one, wrong }, games.length);
  }
  return done;
}

/** @param {Game} game @param {(game: Game, table: Table) => Promise<unknown> | null} work */
async function tried(game, work) {
  try {
    await work(game, (await game.check()).table);
    return null;
  } catch (error) {
    const known = [VerificationError, act.NotSigned, act.NotSent, api.Problem, api.NoAnswer];
    if (known.some((kind) => error instanceof kind)) return /** @type {Error} */ (error);
    throw error;
  }
}

/** The games in which seats have keys that matter. @returns {Promise<Mine[]>} */
async function mine() {
  const found = [];
  for (const status of ["running", "lobby"]) {
    for (let after = ""; ;) {
      const page = await api.get(`/v1/me/games?status=${status}${after && `&after=${after}`}`);
      found.push(...page.games);
      if (page.next === null) break;
      after = page.next;
    }
  }
  return found;
}
