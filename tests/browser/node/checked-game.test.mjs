// What a browser warns of in a log that it checks.
import assert from "node:assert/strict";
import test from "node:test";

import { browser } from "./browser.mjs";

const { CheckedGame } = await import("../../../server/http/static/game/checked-game.js");
const own = await browser.keyNamed("own");

const moved = (seq, seat, more) => ({ seq, kind: "moved", body: { seat, ...more } });

test("unsigned moves of the own seat are named at the first look at a log, those of others are not", async () => {
  const game = new CheckedGame(7, "g");
  const holder = { since: 3, keys: [[own.kid]], recovery: null, signed: [own.kid] };
  const news = [
    moved(2, 0, { via: "mail" }), // by another player, who had the seat before
    moved(4, 0, { via: "mail" }),
    moved(5, 0, { jws: "signed" }),
    moved(6, 1, { via: "mail" }),
  ];
  const table = { seats: [{ holder }, { holder: null }] };
  const said = await game.strange({ table, news });
  assert.equal(said.length, 1);
  assert.match(said[0], /^Entry 4 is an unsigned move of your seat \(by mail\)/);
});
