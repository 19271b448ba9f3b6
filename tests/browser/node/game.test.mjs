// The page of a game, renewed while it is open.
import assert from "node:assert/strict";
import test from "node:test";

Object.assign(globalThis, {
  matchMedia: () => ({ matches: false, addEventListener() {} }),
  location: { pathname: "/games/g", search: "", reload: () => (globalThis.location.reloads += 1), reloads: 0 },
});
const { Game } = await import("../../../server/http/static/turn/game.js");

/** A page of the game after this entry, as the server shows it to this account. */
function page(head, account = "7") {
  const game = { dataset: { game: "g", head: String(head), stage: "running", seat: account && "0" } };
  game.querySelectorAll = () => [];
  return { title: "Pig", body: { dataset: account ? { account } : {} }, getElementById: (id) => id === "game" && game };
}

/** The open page after entry 3, and the next one that the server shows. */
function opened(next) {
  const shown = page(3);
  globalThis.document = Object.assign(new EventTarget(), shown, { getElementById: () => null });
  globalThis.DOMParser = class {
    parseFromString = () => next;
  };
  globalThis.fetch = async () => new Response("a page");
  const game = new Game(shown.getElementById("game"));
  game.scene.figure = { dataset: {} };
  const news = [];
  game.addEventListener("news", () => news.push(game.head));
  return { game, news };
}

test("a page whose new position could not be drawn is renewed again, and then tells the news", async () => {
  const { game, news } = opened(page(4));
  game.draw = async () => {
    throw new Error("no answer");
  };
  await assert.rejects(game.renew(), /no answer/);
  assert.deepEqual([game.head, news], [3, []]);
  game.draw = async () => {};
  await game.renew();
  assert.deepEqual([game.head, news], [4, [4]]);
});

for (const [what, account] of [
  ["nobody", ""],
  ["somebody else", "8"],
]) {
  test(`a page whose browser is now signed in as ${what} is loaded anew`, async () => {
    const { game, news } = opened(page(4, account));
    game.draw = async () => {};
    const before = globalThis.location.reloads;
    await game.renew();
    assert.deepEqual([globalThis.location.reloads - before, game.head, game.seat, news], [1, 3, 0, []]);
  });
}
