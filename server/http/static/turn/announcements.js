// Announces to screen readers what others have done while the page is open, and that it is the reader's turn: the page
// is updated in many places, none of them a live region. The panel announces the reader's own acts.

/** @param {import("./game.js").Game} game */
export function start(game) {
  const line = document.getElementById("news");
  game.addEventListener("news", (event) => {
    const said = [...since(game, /** @type {CustomEvent} */ (event).detail.before), game.mine && "It is your turn."];
    if (line) line.textContent = said.filter(Boolean).join(" ");
  });
}

/**
 * The headlines of other players' entries after this one, oldest first.
 * @param {import("./game.js").Game} game
 * @param {number} before
 */
function since(game, before) {
  const lines = [...document.querySelectorAll("#history .log > li")].filter(
    (line) =>
      Number(line.id.replace("entry-", "")) > before &&
      (game.seat === null || line.getAttribute("data-by") !== String(game.seat)),
  );
  return lines.map((line) => line.querySelector("p > span")?.textContent?.trim() ?? "").reverse();
}
