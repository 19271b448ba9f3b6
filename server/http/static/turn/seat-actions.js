// Joining a table, leaving it, taking or offering a seat, withdrawing an offer, ending an absence, cancelling, inviting
// house players, copying a link.
//
// Where signing needs the consent of the player, as at a table with unsigned moves, a second button gives it.
//
// The page replaces its parts when there is news, so one listener on the whole page handles old and new buttons.
import * as act from "../game/acts.js";
import * as api from "../api/api.js";
import { withRetries } from "../api/retry.js";
import { busy } from "../ui/busy.js";
import { el } from "../ui/dom.js";
import { guarded } from "../ui/guarded-button.js";
import { ASKED } from "../flows/consents.js";
import * as keyDialogs from "../flows/key-dialogs.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("../game/outbox.js").Consent} Consent */
/** @typedef {(game: Game, given: DOMStringMap, consent: Consent) => Promise<string | void>} Act */

/** @type {Record<string, [string, Act]>} shown meanwhile, and done */
const ACTS = {
  join: ["Joining …", (game, { seat }, more) => signed(game, (known) => act.join(known, Number(seat), more))],
  take: ["Taking the seat …", (game, { seat }, more) => signed(game, (known) => act.take(known, Number(seat), more))],
  offer: ["Offering the seat …", (game, _, more) => signed(game, (known) => act.offer(known, more))],
  back: ["Withdrawing the offer …", (game, _, more) => signed(game, (known) => act.back(known, more))],
  return: ["Coming back …", (game, _, more) => signed(game, (known) => act.back(known, more))],
  leave: ["Leaving …", (game, _, more) => signed(game, (known) => act.leave(known, more))],
  cancel: ["Cancelling the game …", (game) => done(game, api.post(`${path(game)}/cancel`))],
  withdraw: ["", (game, { seat }) => done(game, api.del(`${path(game)}/house/${seat}`))],
  ask: ["", (game, { seat, level }) => done(game, api.post(`${path(game)}/house`, { seat: Number(seat), level }))],
  copy: ["", copy],
};

const CAN_SHARE = "share" in navigator;

/** @param {Game} game */
const path = (game) => `/v1/games/${game.id}`;

/** @param {Game} game */
export function start(game) {
  const begun = (/** @type {Event} */ event) => void begin(game, event);
  game.root.addEventListener("click", begun);
  game.root.addEventListener("submit", begun);
  if (CAN_SHARE) document.documentElement.classList.add("can-share");
  document.documentElement.classList.add("ready"); // until then its buttons are hidden
}

/** @param {Game} game @param {Event} event */
async function begin(game, event) {
  const target = event.target instanceof Element ? event.target.closest("#seat-actions [data-act]") : null;
  if (!(target instanceof HTMLElement) || target instanceof HTMLFormElement !== (event.type === "submit")) return;
  const [words, work] = ACTS[target.dataset.act ?? ""] ?? ["", async () => {}];
  const given = {
    ...target.dataset,
    ...(target instanceof HTMLFormElement ? Object.fromEntries(new FormData(target)) : {}),
  };
  const does = (/** @type {Consent} */ consent) => work(game, /** @type {DOMStringMap} */ (given), consent);
  await busy(event, said(), words, () => tried(does, words, {}), target);
}

/**
 * Asks for consent if that is what is missing: a button, which does the same again with it.
 * @param {(consent: Consent) => Promise<string | void>} does @param {string} words @param {Consent} consent
 */
async function tried(does, words, consent) {
  document.getElementById("seat-consent")?.remove();
  try {
    return await does(consent);
  } catch (error) {
    const asked = error instanceof act.NotSigned ? ASKED[error.code] : undefined;
    if (asked) offer(asked.says, words, () => tried(does, words, { ...consent, ...asked.consent }));
    throw error;
  }
}

/** @param {string} says @param {string} words @param {() => Promise<string | void>} work */
function offer(says, words, work) {
  const agree = el("button", { type: "button", class: "second" }, says);
  guarded(agree, () => void busy(new Event("agreed"), said(), words, work, agree));
  said()?.after(el("p", { class: "acts", id: "seat-consent" }, agree));
}

/** Looked up each time, since the page may have been updated. */
const said = () => document.querySelector("#seat-actions .said");

/**
 * Makes sure that there is a key, then acts.
 * @param {Game} game
 * @param {(known: import("../game/checked-game.js").CheckedGame) => Promise<unknown>} sent
 */
async function signed(game, sent) {
  return (await keyDialogs.ready(String(game.account))) ? done(game, sent(game.checked)) : "";
}

/**
 * The page shows the result. The focus goes to the heading, because a different button may now be at the old place.
 * @param {Game} game @param {Promise<unknown>} sent
 */
async function done(game, sent) {
  await sent;
  await game.renewing?.catch(() => undefined); // a request from before the act would not show it
  try {
    await withRetries(() => game.renew());
  } catch (error) {
    if (!(error instanceof api.NoAnswer || error instanceof api.Problem)) throw error;
    return "That is done, but this page could not be updated. Reload it.";
  }
  const heading =
    document.getElementById("seat-actions-title") ?? /** @type {HTMLElement | null} */ (document.querySelector("h1"));
  heading?.setAttribute("tabindex", "-1");
  heading?.focus();
  return "";
}

/** The share sheet of the system where there is one, otherwise the clipboard. */
async function copy() {
  const field = /** @type {HTMLInputElement} */ (document.getElementById("invite"));
  if (CAN_SHARE) {
    await navigator.share({ title: document.title, url: field.value }).catch(() => undefined); // closed again
    return "";
  }
  await navigator.clipboard.writeText(field.value);
  return "Copied.";
}
