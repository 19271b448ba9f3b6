// The table talk of a game's page: looks for new messages while the page is visible, and marks them as seen. Sending,
// muting and reporting are forms, which need no script.

import * as api from "../api/api.js";
import { pause } from "../api/retry.js";

const LOOK = 20; // seconds

/** @param {import("./game.js").Game} game */
export function start(game) {
  const section = document.getElementById("talk");
  if (section) void follow(game, section);
}

/** @param {import("./game.js").Game} game @param {HTMLElement} section */
async function follow(game, section) {
  let visible = false;
  const watcher = new IntersectionObserver(([one]) => {
    visible = one?.isIntersecting ?? false;
    if (visible) void see(game);
  });
  watcher.observe(section);
  for (;;) {
    await pause(LOOK);
    if (document.hidden || isBusy()) continue;
    const found = await look(game).catch(() => false);
    if (found && visible) void see(game);
  }
}

/** Is the reader at one of the forms below the messages? A new page would empty it. */
function isBusy() {
  return document.getElementById("talk-said")?.contains(document.activeElement) ?? false;
}

/** @param {import("./game.js").Game} game */
async function look(game) {
  const { messages } = await api.get(`/v1/games/${game.id}/talk?after=${last()}`);
  if (messages.length) await game.renew();
  return messages.length > 0;
}

/** @param {import("./game.js").Game} game */
async function see(game) {
  const n = last();
  if (!n) return;
  const noted = api.put(`/v1/games/${game.id}/talk/seen`, { n });
  await noted.then(() => n === last() && unmark()).catch(() => undefined);
}

/** Takes the count from the tab; the messages stay highlighted until the page is renewed. */
function unmark() {
  for (const mark of document.querySelectorAll("#tab-news .unread")) mark.remove();
}

/** The number of the newest message on the page; 0 if there is none. */
function last() {
  const shown = document.querySelector("#talk-said li:last-child");
  return Number(shown?.id.replace("message-", "") ?? 0);
}
