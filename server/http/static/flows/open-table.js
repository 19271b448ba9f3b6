// Opens a table and takes its first seat. The key comes first, so that nobody opens a table that they cannot join.
import * as act from "../game/acts.js";
import * as api from "../api/api.js";
import { checkedGame } from "../game/checked-game.js";
import * as keyDialogs from "./key-dialogs.js";

/** @typedef {{sit: boolean}} How `sit`: take the first seat */

/**
 * Returns the address of the new table; null if the player cancelled before it was opened.
 * @param {Record<string, any>} wish as `POST /v1/games` takes it @param {How} how @returns {Promise<string | null>}
 */
export async function open(wish, { sit }) {
  const account = mine();
  if (sit && !(await keyDialogs.ready(account))) return null;
  if ("guest" in document.body.dataset) Object.assign(wish, { handover: "none", door: "link" });
  const made = await opened(wish);
  if (sit) await seated(account, made.id, { unsigned: Boolean(wish.unsigned) });
  return `/games/${made.id}`;
}

/** The account of this page. */
export function mine() {
  return document.body.dataset.account ?? "";
}

/** Signs this browser in as a guest, unless somebody is signed in. */
export async function begin() {
  if (mine()) return;
  const { account } = await api.post("/v1/guests");
  Object.assign(document.body.dataset, { account: String(account), guest: "" });
}

/**
 * Takes the seat. The table exists by now, and its page has the same button, so errors are shown there.
 * @param {string} account
 * @param {string} id
 * @param {import("../game/outbox.js").Consent} consent to what the creator has chosen
 */
async function seated(account, id, consent) {
  try {
    await act.join(checkedGame(account, id), 0, consent);
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

/** By wish, the key of a request that was never answered: the next press asks for the same table. */
const unanswered = /** @type {Map<string, string>} */ (new Map());

/** @param {Record<string, any>} wish @returns {Promise<{id: string}>} */
async function opened(wish) {
  const asked = JSON.stringify(wish);
  const key = unanswered.get(asked) ?? crypto.randomUUID();
  unanswered.delete(asked);
  try {
    return await patient(() => api.post("/v1/games", wish, { headers: { "Idempotency-Key": key } }));
  } catch (error) {
    if (error instanceof api.NoAnswer) unanswered.set(asked, key);
    throw error;
  }
}

/** Repeats a request without an answer; its idempotency key makes it count once. @param {() => Promise<any>} ask */
async function patient(ask) {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof api.NoAnswer)) throw error;
    await new Promise((done) => setTimeout(done, (error.pause ?? 1) * 1000));
    return ask();
  }
}
