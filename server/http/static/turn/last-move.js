// Marks on the board what the last turn of a running game has changed, as soon as the page has nothing else to do.
//
// The position before that turn is the one that the page has shown, or is requested as the reader may see it, so the
// marks show nothing hidden. The move that ends a game is not marked: the ranking and the final position tell more.

import * as api from "../api/api.js";

/** @param {import("./game.js").Game} game */
export function start(game) {
  game.scene.addEventListener("drawn", () => void mark(game));
}

/** @type {import("./scene.js").Shown | null} the position whose last turn was looked for */
let looked = null;

/** @param {import("./game.js").Game} game */
async function mark(game) {
  const { now } = game.scene.layers;
  const from = before(game);
  if (!now || now === looked) return;
  const shown = looked?.seq === from ? looked?.picture : null;
  looked = now;
  if (from === null) return;
  await idle();
  try {
    const picture = shown ?? (await game.picture(`at=${from}`));
    if (game.scene.layers.now === now) game.scene.compare(now, picture);
  } catch (error) {
    if (!(error instanceof api.NoAnswer)) throw error; // the page tells that the server cannot be reached
  }
}

/**
 * The entry before the last turn: the last moves of one seat, or the last move of somebody who plays alone.
 * @param {import("./game.js").Game} game
 */
function before({ stage, turns, names }) {
  const last = turns.at(-1);
  if (stage !== "running" || !last) return null;
  const other = names.length > 1 ? turns.findLastIndex(({ seat }) => seat !== last.seat) : turns.length - 2;
  return (turns[other + 1] ?? last).at - 1;
}

/** Resolves when the browser has nothing more important to do. */
function idle() {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(resolve);
    else setTimeout(resolve);
  });
}
