// The page of a game, renewed while it is open.
import assert from "node:assert/strict";
import test from "node:test";

Object.assign(globalThis, {
  matchMedia: () => ({ matches: false, addEventListener() {} }),
  location: { pathname: "/games/g", search: "", reload: () => (globalThis.location.reloads += 1), reloads: 0 },
});
const { Game } = await import("../../../server/http/static/turn/game.js");

/** A page of the game after this entry, as the server shows it to this account; a table that waits has no board. */
function page(head, account = "7", { seat = account && "0", stage = "running" } = {}) {
  const game = { dataset: { game: "g", head: String(head), stage, seat }, querySelectorAll: () => [] };
  const parts = { game, picture: stage === "lobby" ? null : { dataset: {} } };
  return { title: "Pig", body: { dataset: account ? { account } : {} }, getElementById: (id) => parts[id] ?? null };
}

/** The open page after entry 3, and the next one that the server shows. */
function opened(next, shown = page(3)) {
  globalThis.document = Object.assign(new EventTarget(), shown);
  globalThis.DOMParser = class {
    parseFromString = () => next;
  };
  globalThis.fetch = async () => new Response("a page");
  const game = new Game(shown.getElementById("game"));
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

const lobby = () => page(3, "7", { stage: "lobby", seat: "" });
for (const [what, shown, next] of [
  ["after its reader has taken a seat", page(3, "7", { seat: "" }), page(4)],
  ["after somebody has taken its reader's seat", page(3), page(4, "7", { seat: "" })],
  ["after its game has begun", lobby(), page(4)],
  ["after its game has begun and ended", lobby(), page(4, "7", { stage: "finished" })],
]) {
  test(`a page ${what} is loaded anew`, async () => {
    const { game } = opened(next, shown);
    const before = globalThis.location.reloads;
    await game.renew();
    assert.deepEqual([globalThis.location.reloads - before, game.head], [1, 3]);
  });
}

test("the page of a table that waits stays when its reader sits down", async () => {
  const { game, news } = opened(page(4, "7", { stage: "lobby" }), lobby());
  const before = globalThis.location.reloads;
  await game.renew();
  assert.deepEqual([globalThis.location.reloads - before, game.seat, news], [0, 0, [4]]);
});
