// Composes the turn page: each part has its own file, and gets the news from the shared `Game`.

import { Game } from "../turn/game.js";
import * as seatActions from "../turn/seat-actions.js";
import * as changes from "../turn/changes.js";
import * as failedCheck from "../turn/failed-check.js";
import * as announcements from "../turn/announcements.js";
import * as lastMove from "../turn/last-move.js";
import * as hints from "../turn/hints.js";
import * as live from "../turn/live.js";
import * as panel from "../turn/panel.js";
import * as replay from "../turn/replay.js";
import * as talk from "../turn/talk.js";
import * as tabs from "../turn/tabs.js";
import * as times from "../ui/times.js";
import * as zoom from "../turn/zoom.js";

const root = document.getElementById("game");
if (root) begin(new Game(root));

/** @param {Game} game */
function begin(game) {
  times.start(game.clock);
  tabs.start(game);
  if (game.scene.figure) {
    zoom.start(game.scene);
    hints.start(game.scene);
    changes.start(game.scene);
    lastMove.start(game);
    replay.start(game);
    void game.draw();
  }
  seatActions.start(game);
  announcements.start(game);
  const section = document.getElementById("panel");
  if (section && game.seat !== null && game.scene.figure) panel.start(section, game);
  talk.start(game);
  const alerts = document.getElementById("alerts");
  if (alerts && game.seat !== null) failedCheck.start(alerts, game);
  live.start(game);
}
