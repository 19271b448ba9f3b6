// Composes the page of a guided first game: the zoom arranges a picture before anything is drawn on it.

import * as changes from "../turn/changes.js";
import * as hints from "../turn/hints.js";
import { Lesson } from "../turn/lesson.js";
import { Scene } from "../turn/scene.js";
import * as zoom from "../turn/zoom.js";

const root = document.getElementById("lesson");
if (root) begin(root, new Scene(document.getElementById("picture"), document.getElementById("board")));

/** @param {HTMLElement} root @param {Scene} scene */
function begin(root, scene) {
  zoom.start(scene);
  hints.start(scene);
  changes.start(scene);
  void new Lesson(root, scene).load();
}
