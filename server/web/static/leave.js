// Resigning, last and apart, behind a question that cannot be answered by mistake.

import { button, el } from "./dom.js";
import { patient } from "./patient.js";

/** @param {() => void} resign */
export function leave(resign) {
  const dialog = el("dialog", { "aria-labelledby": "resign-title" });
  const sure = el("button", { type: "button" }, "Resign");
  const wait = patient(sure, () => {
    dialog.close();
    resign();
  });
  dialog.append(
    el("h2", { id: "resign-title" }, "Resign this game?"),
    el("p", {}, "You leave the game for good: it goes on without you, or ends. This is signed, and cannot be taken back."),
    el("p", { class: "does" }, button("Play on", () => dialog.close(), { class: "second", autofocus: true }), " ", sure),
  );
  const ask = button("Resign \u2026", () => (dialog.showModal(), wait()), { class: "second" });
  return el("details", { class: "leave" }, el("summary", {}, "Leave the game"), ask, dialog);
}
