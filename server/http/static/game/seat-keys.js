// Changes the keys of all seats of an account that this browser knows, one after the other: adds or drops a key, or
// replaces all keys with the recovery key, in one act per game.
import * as act from "./acts.js";
import * as api from "../api/api.js";
import { checkedGame } from "./checked-game.js";
import { VerificationError } from "../record/verification-error.js";
import { open } from "../keys/store.js";
import { thumbprint } from "../record/jwk.js";

/** @typedef {import("./checked-game.js").CheckedGame} Game */
/** @typedef {import("../keys/device-key.js").Signer} Signer */
/** @typedef {import("../record/jwk.js").PublicJwk} PublicJwk */
/** @typedef {import("../record/table.js").Holder} Holder */
/** @typedef {import("../record/table.js").Table} Table */
/** @typedef {{id: string, type: string, seat: number | null}} Mine `seat`: by the account */
/** @typedef {{game: Mine, wrong: Error | null}} Done `wrong`: why it could not be done there */
/** @typedef {(done: Done, count: number) => void} Tell `count`: how many games there are */

const MOST_ONLY = 4;

/**
 * Lets a device's key play every seat.
 * @param {string | number} account
 * @param {{kid: string, jwk: PublicJwk}} key
 * @param {Signer} by this device's key
 * @param {Tell} [tell]
 */
export const addEverywhere = (account, { kid, jwk }, by, tell) =>
  everywhere(account, by, tell, (game, holder) => (plays(holder, kid) ? null : act.addKey(game, jwk)));

/**
 * Removes a key from every seat for which this device's key can still sign.
 * @param {string | number} account
 * @param {string} kid
 * @param {Signer} by this device's key
 * @param {Tell} [tell]
 */
export const dropEverywhere = (account, kid, by, tell) =>
  everywhere(account, by, tell, (game, holder) => (plays(holder, kid) ? act.dropKey(game, kid) : null));

/**
 * Uses the recovery key to set the only device keys of every seat, and possibly a new recovery key.
 * @param {string | number} account
 * @param {{keys: {kid: string, jwk: PublicJwk}[] | null, recovery?: PublicJwk | null}} next `keys` null keeps the
 *   device keys. Otherwise a seat gets the first key, and those of the others that it has already
 * @param {Signer} by
 * @param {Tell} [tell]
 */
export const replaceEverywhere = (account, { keys, recovery = null }, by, tell) =>
  everywhere(account, by, tell, async (game, holder) => {
    if (recovery && holder.recovery?.[0] === (await thumbprint(recovery))) return null;
    const only = (/** @type {Holder} */ now) =>
      keys && keys.filter(({ kid }, at) => at === 0 || plays(now, kid)).slice(0, MOST_ONLY);
    const same = only(holder)?.length === holder.keys.length && only(holder)?.every(({ kid }) => plays(holder, kid));
    if (!recovery && same && !holder.offer) return null;
    return act.replaceKeys(game, (now) => ({ only: only(now)?.map(({ jwk }) => jwk) ?? null, recovery }), by);
  });

/** @param {Holder} holder @param {string} kid */
const plays = (holder, kid) => holder.keys.some(([name]) => name === kid);

/**
 * A refusal in one game does not stop the others.
 * @param {string | number} account
 * @param {Signer} by
 * @param {Tell | undefined} tell
 * @param {(game: Game, holder: Holder) => Promise<unknown> | null} work at the seat for which `by` signs
 * @returns {Promise<Done[]>}
 */
async function everywhere(account, by, tell, work) {
  const games = await known(account);
  const done = [];
  for (const one of games) {
    const game = checkedGame(account, one.id);
    game.named = one.seat ?? game.named;
    const wrong = await tried(game, one.seat, by, work);
    done.push({ game: one, wrong });
    tell?.({ game: one, wrong }, games.length);
  }
  return done;
}

/**
 * @param {Game} game
 * @param {number | null} named the seat by the account; one that only this browser remembers may have been left since
 * @param {Signer} by
 * @param {(game: Game, holder: Holder) => Promise<unknown> | null} work
 */
async function tried(game, named, by, work) {
  try {
    const { table } = await game.check();
    const seat = game.seatOf(table, by.kid) ?? named; // the act explains why it cannot be signed there
    const holder = seat === null || ["finished", "cancelled"].includes(table.stage) ? null : table.seats[seat]?.holder;
    if (holder) await work(game, holder);
    return null;
  } catch (error) {
    const known = [VerificationError, act.NotSigned, act.NotSent, api.Problem, api.NoAnswer];
    if (known.some((kind) => error instanceof kind)) return /** @type {Error} */ (error);
    throw error;
  }
}

/**
 * The games that the server lists, and those that this browser remembers, since a server could leave one out.
 * @param {string | number} account
 * @returns {Promise<Mine[]>}
 */
async function known(account) {
  const store = await open(account);
  const [listed, ids] = await Promise.all([mine(), store.keys("games")]);
  const also = [];
  for (const id of ids.map(String)) {
    const kept = listed.some((one) => one.id === id) ? null : await store.get("games", id);
    if (kept && kept.seat !== null && kept.seat !== undefined && !kept.over) {
      also.push({ id, type: `table #${id.slice(0, 4)}`, seat: null });
    }
  }
  return [...listed, ...also];
}

/** @returns {Promise<Mine[]>} */
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
