// The form for a new table, as a request to the API.
import assert from "node:assert/strict";
import test from "node:test";

import { tableRequest } from "../../../server/http/static/flows/table-form.js";

const CLOCKS = [
  { pace: "day", clock: { move: 86400 } },
  { pace: "none", clock: null },
];
const KINDS = new Map([
  ["variant", "choice"],
  ["badges", "yes-no"],
  ["anew", "yes-no"],
  ["lead", "number"],
]);

/** @param {Record<string, string>} fields */
const form = (fields) => Object.entries(fields).reduce((made, one) => (made.append(...one), made), new FormData());

test("choices, ticks and numbers keep their types, and fields that are not options are left out", () => {
  const given = form({
    seats: "3",
    "option-variant": "auction",
    "option-badges": "true",
    "option-lead": "4",
    "option-other": "x",
  });
  assert.deepEqual(tableRequest("tikal", given, KINDS, CLOCKS).options, {
    variant: "auction",
    badges: true,
    anew: false,
    lead: 4,
  });
});

test("seats count from 1 in the form and from 0 in the API, and seats beyond the table are left out", () => {
  const given = form({ seats: "3", "seat-2": "", "seat-3": "fair", "seat-4": "easy" });
  assert.deepEqual(tableRequest("tikal", given, new Map(), CLOCKS).house, [{ seat: 2, level: "fair" }]);
});

test("the clock is the one of the pace, null without a time limit, and left to the server for one seat", () => {
  const clock = (/** @type {string} */ seats, /** @type {string} */ pace) =>
    tableRequest("pig", form({ seats, pace }), new Map(), CLOCKS).clock;
  assert.deepEqual([clock("2", "day"), clock("2", "none"), clock("1", "day")], [{ move: 86400 }, null, undefined]);
});

test("choices that were not made are left out, so that the API's defaults hold", () => {
  assert.deepEqual(
    tableRequest("pig", form({ seats: "2", stand_in: "", bots: "none", door: "link" }), new Map(), CLOCKS),
    {
      type: "pig",
      seats: 2,
      options: {},
      door: "link",
      house: [],
      bots: "none",
      clock: null,
    },
  );
});

test("the wait of an offer is a number, even if it is 0", () => {
  const wait = (/** @type {string} */ chosen) =>
    tableRequest("pig", form({ seats: "2", offer_wait: chosen }), new Map(), CLOCKS).offer_wait;
  assert.deepEqual([wait(""), wait("0"), wait("86400")], [undefined, 0, 86400]);
});

test("emails count as moves only if that was ticked", () => {
  assert.equal(tableRequest("pig", form({ seats: "2", unsigned: "true" }), new Map(), CLOCKS).unsigned, true);
});

test("a table has the chosen demands, and otherwise none", () => {
  const asks = (/** @type {Record<string, string>} */ chosen) =>
    tableRequest("pig", form({ seats: "2", ...chosen }), new Map(), CLOCKS).asks;
  assert.equal(asks({ asks_games: "0", asks_clock: "0" }), undefined);
  assert.deepEqual(asks({ asks_games: "3", asks_clock: "0" }), { games: 3, clock: 0 });
});
