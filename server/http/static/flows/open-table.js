// A table opened, and its first seat taken: the key first, so that nobody opens a table that they cannot join.
import * as act from "../game/acts.js";
import * as api from "../api/api.js";
import { checkedGame } from "../game/checked-game.js";
import * as keyDialogs from "./key-dialogs.js";

/** @typedef {{sit: boolean}} How whether who opens it sits down at its first seat */

/**
 * The address of the new table; null if the person turned away before there was one.
 * @param {Record<string, any>} wish as `POST /v1/games` takes it @param {How} how @returns {Promise<string | null>}
 */
export async function open(wish, { sit }) {
  const account = mine();
  if (sit && !(await keyDialogs.ready(account))) return null;
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const made = await patient(() => api.post("/v1/games", wish, { headers }));
  if (sit) await seated(account, made.id);
  return `/games/${made.id}`;
}

/** The account that this page was made for. */
export function mine() {
  return document.body.dataset.account ?? "";
}

/**
 * There is a table now, and its page has the same button: what hinders a seat there is said there.
 * @param {string} account
 * @param {string} id
 */
async function seated(account, id) {
  try {
    await act.join(checkedGame(account, id), 0);
  } catch (error) {
    if (!(
      error instanceof api.Problem ||
      error instanceof api.NoAnswer ||
      error instanceof act.NotSigned ||
      error instanceof act.NotSent
    )) {
      throw error;
    }
  }
}

/** The same request again where nobody has answered: its key makes it one. @param {() => Promise<any>} ask */
async function patient(ask) {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof api.NoAnswer)) throw error;
    await new Promise((done) => setTimeout(done, (error.pause ?? 1) * 1000));
    return ask();
  }
}
