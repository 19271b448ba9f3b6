// The turn page put together: every part has its own file, and hears of news from the `Game` that all of them share.

import { Game } from "../turn/game.js";
import * as door from "../turn/seat-actions.js";
import * as finding from "../turn/failed-check.js";
import * as heard from "../turn/announcements.js";
import * as hints from "../turn/hints.js";
import * as live from "../turn/live.js";
import * as panel from "../turn/panel.js";
import * as replay from "../turn/replay.js";
import * as times from "../ui/times.js";
import * as zoom from "../turn/zoom.js";

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
