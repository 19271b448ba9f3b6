// The turn page put together: every part has its own file, and hears of news from the `Game` that all of them share.

import { Game } from "./turn.js";
import * as door from "./door.js";
import * as finding from "./finding.js";
import * as heard from "./heard.js";
import * as hints from "./hints.js";
import * as live from "./live.js";
import * as panel from "./panel.js";
import * as replay from "./replay.js";
import * as times from "./times.js";
import * as zoom from "./zoom.js";

const root = document.getElementById("game");
if (root) begin(new Game(root));

/** @param {Game} game */
function begin(game) {
  times.start(game.clock);
  if (game.scene.figure) {
    zoom.start(game.scene);
    hints.start(game.scene);
    replay.start(game);
    void game.draw();
  }
  door.start(game);
  heard.start(game);
  const section = document.getElementById("panel");
  if (section && game.seat !== null && game.scene.figure) panel.start(section, game);
  if (section && game.seat !== null) finding.start(section, game);
  live.start(game);
}
