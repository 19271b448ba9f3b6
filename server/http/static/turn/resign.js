// Resigning, in turn or not: last and apart, behind a question that cannot be answered by mistake.

import { ask, paragraph } from "../ui/dialog.js";
import { button, el } from "../ui/dom.js";

/** @param {() => void} resign */
export function resignSection(resign) {
  const asked = async () => {
    const says =
      "You leave the game for good: it goes on without you, or ends. This is signed, and cannot be taken back.";
    const answers = [
      { value: "stay", says: "Play on", second: true },
      { value: "resign", says: "Resign" },
    ];
    if ((await ask("Resign this game?", [paragraph(says)], answers)) === "resign") resign();
  };
  return el(
    "details",
    { class: "leave" },
    el("summary", {}, "Leave the game"),
    button("Resign \u2026", () => void asked(), { class: "second" }),
  );
}
