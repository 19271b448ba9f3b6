// What the form for a new table says, as the API takes it.
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

test("seats are counted from 1 by people and from 0 by the API, and none beyond the table is asked for", () => {
  const given = form({ seats: "3", "seat-2": "", "seat-3": "fair", "seat-4": "easy" });
  assert.deepEqual(tableRequest("tikal", given, new Map(), CLOCKS).house, [{ seat: 2, level: "fair" }]);
});

test("the clock is the one of the pace, null for nobody is hurried, and left to the server for one seat", () => {
  const clock = (/** @type {string} */ seats, /** @type {string} */ pace) =>
    tableRequest("pig", form({ seats, pace }), new Map(), CLOCKS).clock;
  assert.deepEqual([clock("2", "day"), clock("2", "none"), clock("1", "day")], [{ move: 86400 }, null, undefined]);
});

test("what is not chosen is not said, so that the API's own default holds", () => {
  assert.deepEqual(
    tableRequest("pig", form({ seats: "2", stand_in: "", bots: "none", listed: "false" }), new Map(), CLOCKS),
    {
      type: "pig",
      seats: 2,
      options: {},
      listed: false,
      house: [],
      bots: "none",
      clock: null,
    },
  );
});

test("the wait of an offer is a number, and 0 is one", () => {
  const wait = (/** @type {string} */ chosen) =>
    tableRequest("pig", form({ seats: "2", offer_wait: chosen }), new Map(), CLOCKS).offer_wait;
  assert.deepEqual([wait(""), wait("0"), wait("86400")], [undefined, 0, 86400]);
});

test("mails are moves only where it was ticked", () => {
  assert.equal(tableRequest("pig", form({ seats: "2", unsigned: "true" }), new Map(), CLOCKS).unsigned, true);
});
