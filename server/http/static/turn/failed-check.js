// Shown when a check of the server's log failed: what was expected and found, the evidence as a file, and how to go on.
//
//     start(alerts, game);     // for a player: checks the log as it arrives, before they want to sign
import { button, el } from "../ui/dom.js";
import { VerificationError } from "../record/verification-error.js";

/** @typedef {import("../game/checked-game.js").CheckedGame} Game */

/** @param {HTMLElement} alerts where it is shown @param {import("./game.js").Game} game */
export function start(alerts, game) {
  const box = el("div", { class: "trouble", role: "alert" });
  const proof = game.checked;
  const look = async () => {
    const found = await proof.check().then(
      () => null,
      (error) => (error instanceof VerificationError ? error : null),
    ); // other errors are shown when the player signs
    box.replaceChildren(...(found ? report(found, proof, () => void look()) : []));
  };
  alerts.append(box);
  game.addEventListener("news", () => void look());
  void look();
}

/**
 * @param {VerificationError} error
 * @param {Game} game
 * @param {() => void} goOn called when the player wants to continue
 * @returns {HTMLElement[]}
 */
export function report({ message, expected, found, seq }, game, goOn) {
  const facts = Object.entries({ "At entry": seq, Expected: expected, Found: found }).filter(
    ([, value]) => value !== undefined,
  );
  const said = facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, el("code", {}, inWords(value)))]);
  const clear = async () => {
    await game.clear();
    goOn();
  };
  return [
    el(
      "p",
      { class: "wrong" },
      `The server's log failed a check, so this browser signs nothing in this game. ${message}`,
    ),
    el("dl", { class: "answers" }, ...said),
    el(
      "p",
      {},
      "This browser has kept everything that the server sent. Before you play on, compare it with what the other " +
        "players have: “sealedmove compare” shows the differences.",
    ),
    el(
      "p",
      { class: "answers-bar" },
      button("Save the evidence", () => void save(game), { class: "second" }),
      button("Continue anyway", () => void clear(), { class: "second" }),
    ),
  ];
}

/** @param {unknown} value */
const inWords = (value) => (typeof value === "string" ? value : JSON.stringify(value));

/** Saves a file for the other players and for `sealedmove compare`. @param {Game} game */
async function save(game) {
  const link = el("a", { download: `evidence-${game.id}.json`, href: URL.createObjectURL(await game.export()) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
