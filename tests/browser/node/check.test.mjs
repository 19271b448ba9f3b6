// Whole logs: every good bundle is accepted, and every broken one is refused if a browser can see the fault.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { ahead, checkContinues, judge } from "../../../server/http/static/record/check.js";
import { VerificationError } from "../../../server/http/static/record/verification-error.js";
import { seatOf } from "../../../server/http/static/record/table.js";
import { judgedBundle } from "./bundle.mjs";
import { file, FOLDER } from "./vectors.mjs";

const SEEN = ["chain", "signatures", "draws", "note"];
// Faults that a page cannot see: it reads lines and notes, not bundles, and the last seals need the secret.
const OF_THE_FILE = /^broken\/(opening-|line-ends|newer-|no-bundle|cut-with|unknown-game|open-no-openings)/;

const judged = (name) => judgedBundle(readFileSync(new URL(`bundles/${name}`, FOLDER)));

test("every good log is accepted, to its end", async () => {
  for (const [name, { stage }] of Object.entries(file("bundles/verdicts"))) {
    if (name.startsWith("good/")) assert.equal((await judged(name)).stage, stage, name);
  }
});

test("every broken log is refused if a browser can see the fault", async () => {
  let count = 0;
  for (const [name, { fails = {} }] of Object.entries(file("bundles/verdicts"))) {
    if (name.startsWith("good/") || OF_THE_FILE.test(name) || !SEEN.some((check) => fails[check] !== undefined)) {
      continue;
    }
    await assert.rejects(
      judged(name),
      (error) => error instanceof VerificationError || error.name === "AssertionError" || say(name, error),
      name,
    );
    count += 1;
  }
  assert.ok(count > 60, String(count));
});

const say = (name, error) => assert.fail(`${name}: ${error.stack}`);

test("a default move before the earliest possible deadline is refused", async () => {
  for (const when of [
    "after-it-came-back",
    "after-it-signed-a-key",
    "as-if-absent",
    "for-who-was-just-played",
    "in-a-hidden-game",
    "in-a-row-of-two-of-three",
    "where-missed-is-0",
  ]) {
    await assert.rejects(judged(`broken/clock-early-${when}.txt`), (error) => error.code === "not-due", when);
  }
});

test("a log is judged in pieces as it is as a whole, and a past entry must stay the same", async () => {
  const [, ...lines] = readFileSync(new URL("example.txt", FOLDER), "utf-8").split("\n\n")[0].split("\n");
  const { server, game } = JSON.parse(lines[0]);
  const known = { host: server, game, hashes: [] };
  const first = await judge(null, lines.slice(0, 3), known);
  known.hashes = first.news.map((entry) => entry.hash);
  const whole = await judge(null, lines, known);
  const rest = await judge(first.table, lines.slice(2), known);
  assert.deepEqual(rest.table, whole.table);
  assert.equal(rest.news.length, 3);
  const other = lines[2].replace("10:01:00", "10:01:01");
  await assert.rejects(
    judge(first.table, [other], known),
    (error) => error instanceof VerificationError && error.code === "rewritten" && error.seq === 2,
  );
  assert.equal(seatOf(whole.table, whole.table.seats[1].holder.kid), 1);
  assert.equal(seatOf(whole.table, "A".repeat(43)), null);
});

test("a log of another game is refused", async () => {
  const [, ...lines] = readFileSync(new URL("example.txt", FOLDER), "utf-8").split("\n\n")[0].split("\n");
  const known = { host: "games.example", game: "0193f3c2-0000-7000-8000-000000000002", hashes: [] };
  await assert.rejects(judge(null, lines, known), (error) => error.code === "other-game");
});

test("a note within what the server lost is accepted, and one that contradicts the stated end is a fork", () => {
  const hashes = ["a", "b", "told as lost", "d"];
  const lost = [{ seq: 2, size: 4, hash: "end" }];
  const told = (size, hash) => () => checkContinues({ size, hash }, hashes, true, lost);
  for (const [size, hash] of [
    [2, "b"],
    [3, "x"],
    [4, "end"],
  ]) {
    assert.doesNotThrow(told(size, hash));
  }
  for (const [size, hash] of [
    [2, "x"],
    [4, "x"],
  ]) {
    assert.throws(told(size, hash), (error) => error.code === "fork");
  }
  assert.throws(told(5, "x"), (error) => error.code === "short-log");
  assert.throws(told(1, "x"), /an earlier checkpoint of 1 entry does not match/);
});

test("a seat is found by a signature or by name, never by a listed key alone", () => {
  const seat = (keys, signed = [], recovery = null) => ({ signed, holder: { keys, recovery, signed } });
  const mine = ["K", new Uint8Array()];
  const table = (...seats) => ({ seats });
  const signer = seat([mine], ["K"]);
  const lister = seat([["L"], mine]);
  assert.equal(seatOf(table(lister, signer), "K"), 1);
  assert.equal(seatOf(table(lister, signer), "K", 0), 1);
  assert.equal(seatOf(table(lister), "K"), null);
  assert.equal(seatOf(table(lister), "K", 0), 0);
  assert.equal(seatOf(table(lister, seat([["L"]])), "K", 1), null);
  assert.equal(seatOf(table(signer, signer), "K"), null);
  assert.equal(seatOf(table(signer, signer), "K", 0), 0);
  assert.equal(seatOf(table(seat([["L"]], ["K"])), "K"), null);
  assert.equal(seatOf(table(seat([["L"]], [], mine), seat([["M"]], [], mine)), "K", 1), 1);
});

test("a time half a minute ahead is accepted, and a later one is not yet", () => {
  const now = Date.parse("2026-11-21T10:00:00Z") / 1000;
  assert.equal(ahead({ at: "2026-11-21T10:00:30Z" }, now), 0);
  assert.equal(ahead({ at: "2026-11-21T11:00:00Z" }, now), 3570);
});
