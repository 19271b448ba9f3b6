// An act whose answer was lost, and the same press once more.
import assert from "node:assert/strict";
import test from "node:test";

import { browser } from "./browser.mjs";

const { CheckedGame } = await import("../../../server/http/static/game/checked-game.js");
const { VerificationError } = await import("../../../server/http/static/record/verification-error.js");
const act = await import("../../../server/http/static/game/acts.js");

const own = await browser.keyNamed("own");
const HOLDER = { keys: [own], signed: [own], recovery: null };

/** Presses for these words while an act "roll" is unanswered, which the log turns out to have at its place. */
function pressed(words, head) {
  return browser.seated(HOLDER, async (game) => {
    const jws = "sent before";
    let pending = [{ jws, act: "move", seq: 1, sent: Date.now() / 1000, refused: null, says: "roll" }];
    const memory = await game.memory();
    Object.assign(memory, { pending: async () => pending, settle: async () => (pending = []) });
    game.memory = async () => memory;
    const { check } = game;
    game.check = async () => {
      game.hashes[1] = "after it";
      game.entries[1] = { seq: 1, kind: "moved", at: new Date().toISOString(), body: { jws, events: [] } };
      return { ...(await check()), table: { ...(await check()).table, size: 2 } };
    };
    return act.move(game, [{ do: words }], head, { words }).catch(({ code }) => code);
  });
}

test("the same press finds the act in the log", async () => {
  const { done, sent } = await pressed("roll", { seq: 0, hash: "" });
  assert.deepEqual([done.seq, sent], [1, []]);
});

test("another press is for a position that has gone", async () => {
  const { done, sent } = await pressed("hold", { seq: 0, hash: "" });
  assert.deepEqual([done, sent], ["stale", []]);
});

test("the same words for a position after the act are another one", async () => {
  const { sent } = await pressed("roll", { seq: 1, hash: "after it" });
  assert.deepEqual([sent.length, sent[0]?.seq], [1, 2]);
});

test("a check of the log that fails ends the repeated sending, and is told", async () => {
  const game = new CheckedGame(7, "g");
  const pending = [{ jws: "sent before", act: "move", seq: 1, refused: null }];
  game.memory = async () => ({ pending: async () => pending });
  game.check = async () => {
    throw new VerificationError("forked", "The log is another one.");
  };
  const ended = AbortSignal.timeout(1000);
  await assert.rejects(
    act.keepSending(game, () => {}, ended),
    /another one/,
  );
});
