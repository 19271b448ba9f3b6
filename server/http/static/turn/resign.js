// Resigning, in turn or not: placed last and apart, behind a question so that it does not happen by mistake.

import { ask, paragraph } from "../ui/dialog.js";
import { button, el } from "../ui/dom.js";

/** @param {() => void} resign */
export function resignSection(resign) {
  const asked = async () => {
    const says = "You leave the game for good. It goes on without you, or ends. This cannot be undone.";
    const answers = [
      { value: "stay", says: "Play on", second: true },
      { value: "resign", says: "Resign" },
    ];
    if ((await ask("Resign this game?", [paragraph(says)], answers)) === "resign") resign();
  };
  return el(
    "details",
    { class: "leave" },
    el("summary", {}, "Resignation"),
    button("Resign \u2026", () => void asked(), { class: "second" }),
  );
}
