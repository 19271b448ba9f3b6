// The keys of all seats: what one act of a key names, at which seats it is sent, and for which seat a key may sign.
import assert from "node:assert/strict";
import test from "node:test";

import { browser } from "./browser.mjs";

const { addEverywhere, dropEverywhere, replaceEverywhere } =
  await import("../../../server/http/static/game/seat-keys.js");
const { CheckedGame } = await import("../../../server/http/static/game/checked-game.js");
const act = await import("../../../server/http/static/game/acts.js");

const { keyNamed, seated } = browser;
const [own, other, lost, recovery, next] = await Promise.all(["own", "other", "lost", "back", "next"].map(keyNamed));
const many = await Promise.all(["1", "2", "3", "4"].map(keyNamed));
const held = (keys, more = {}) => ({ keys, recovery, signed: [own], ...more });

test("the only keys of a seat are this device's, and those of the others that the seat has already", async () => {
  for (const [keys, wanted, only] of [
    [[own, lost], [own, other], [own]],
    [
      [own, other, lost],
      [own, other],
      [own, other],
    ],
    [[lost], [own, other], [own]],
    [[own, other, lost], null, null],
    [
      [...many, own],
      [own, ...many],
      [own, ...many.slice(0, 3)],
    ],
  ]) {
    const { done, sent } = await seated(held(keys), () =>
      replaceEverywhere(7, { keys: wanted, recovery: next.jwk }, recovery),
    );
    assert.deepEqual(
      done.map(({ wrong }) => wrong),
      [null],
    );
    assert.deepEqual(sent[0].only, only && only.map(({ jwk }) => jwk));
    assert.deepEqual([sent[0].act, sent[0].recovery, sent[0].by], ["key", next.jwk, recovery.kid]);
  }
});

test("no act is sent to a seat that has the right keys already", async () => {
  const offer = { at: 0, hastened: false };
  for (const [holder, change, count] of [
    [held([own]), { keys: [own, other] }, 0],
    [held([own], { offer }), { keys: [own, other] }, 1],
    [held([own, lost]), { keys: [own] }, 1],
    [held([lost]), { keys: [own] }, 1],
    [held([own]), { keys: null, recovery: next.jwk }, 1],
    [held([own], { recovery: next }), { keys: null, recovery: next.jwk }, 0],
  ]) {
    const { done, sent } = await seated(holder, () => replaceEverywhere(7, change, recovery));
    assert.deepEqual([sent.length, done[0].wrong], [count, null]);
  }
});

test("a key is added where it is not, and dropped where it is", async () => {
  for (const [keys, does, sends] of [
    [[own], () => addEverywhere(7, other, own), { add: other.jwk }],
    [[own, other], () => addEverywhere(7, other, own), null],
    [[own, lost], () => dropEverywhere(7, lost.kid, own), { drop: lost.kid }],
    [[own, other], () => dropEverywhere(7, lost.kid, own), null],
  ]) {
    const { sent } = await seated(held(keys), does, { listed: null }); // known by its signature
    assert.deepEqual([sent.length, sent[0]?.add, sent[0]?.drop], [sends ? 1 : 0, sends?.add, sends?.drop]);
  }
});

test("a game that is over is left alone, and a recovery key that is not the seat's is reported", async () => {
  const all = () => replaceEverywhere(7, { keys: [own] }, recovery);
  for (const stage of ["finished", "cancelled"]) {
    assert.equal((await seated(held([own, lost]), all, { stage })).sent.length, 0);
  }
  const { done, sent } = await seated(held([own], { recovery: next, offer: { at: 0, hastened: false } }), all);
  assert.deepEqual([sent.length, done[0].wrong.code], [0, "no-seat"]);
});

test("a key that is merely listed signs nothing, and one that signed once is told that the seat is gone", async () => {
  const resigns = (game) => act.resign(game);
  const listed = held([own], { signed: [] });
  await assert.rejects(seated(listed, resigns), (error) => error.code === "no-seat");
  await assert.rejects(seated(held([own]), resigns, { registered: false }), (error) => error.code === "no-key");
  assert.equal((await seated(listed, resigns, { named: 0 })).sent.length, 1);
  await assert.rejects(seated(held([lost]), resigns), (error) => error.code === "seat-gone");
  assert.deepEqual((await seated(held([own]), resigns)).sent[0].act, "resign");
});

test("a seat that this browser remembers counts while it has the same holder, and a named seat comes before it", () => {
  const game = new CheckedGame(7, "g");
  const seat = (since) => ({ holder: { since, keys: [["K"]], recovery: null, signed: [] } });
  game.remembered = { seat: 1, since: 5 };
  assert.equal(game.seatOf({ seats: [seat(1), seat(5)] }, "K"), 1);
  assert.equal(game.seatOf({ seats: [seat(1), seat(6)] }, "K"), null);
  game.named = 0;
  assert.equal(game.seatOf({ seats: [seat(1), seat(5)] }, "K"), 0);
});
