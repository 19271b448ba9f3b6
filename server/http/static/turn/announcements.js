// What others have done while the page is open, and that it is one's turn now, for whoever hears the page: the parts
// that are put anew lie all over it, and none of them is read aloud by itself. What one did oneself the panel says.

/** @param {import("./game.js").Game} game */
export function start(game) {
  const line = document.getElementById("news");
  game.addEventListener("news", (event) => {
    const said = [...since(game, /** @type {CustomEvent} */ (event).detail.before), game.mine && "Your turn now."];
    if (line) line.textContent = said.filter(Boolean).join(" ");
  });
}

/**
 * What the log says of the entries of others after this one, the oldest first.
 * @param {import("./game.js").Game} game
 * @param {number} before
 */
function since(game, before) {
  const own = game.seat === null ? null : `${game.names[game.seat]} `;
  const lines = [...document.querySelectorAll("#history .log > li")].filter(
    ({ id }) => Number(id.replace("entry-", "")) > before,
  );
  const told = lines.map((line) => line.querySelector("p > span")?.textContent?.trim() ?? "");
  return told.filter((says) => own === null || !says.startsWith(own)).reverse();
}
