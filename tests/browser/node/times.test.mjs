// The time left on a page that stays open.
import assert from "node:assert/strict";
import test from "node:test";

import { Clock } from "../../../server/http/static/ui/times.js";

test("the time for which the device was asleep has passed, and a clock that is set back stops nothing", (t) => {
  let [ticked, dated] = [5_000, 1_000_000];
  t.mock.method(performance, "now", () => ticked); // stands still while most devices sleep
  t.mock.method(Date, "now", () => dated);
  const clock = new Clock("2026-11-28T10:00:00Z");
  const passed = () => clock.now() - Date.parse("2026-11-28T10:00:00Z");
  [ticked, dated] = [ticked + 60_000, dated + 60_000];
  assert.equal(passed(), 60_000);
  dated += 3_600_000;
  assert.equal(passed(), 3_660_000);
  dated -= 7_200_000;
  assert.equal(passed(), 60_000);
});
