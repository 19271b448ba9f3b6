// The number of games that wait, on a page that stays open.
import assert from "node:assert/strict";
import test from "node:test";

import { start } from "../../../server/http/static/flows/waiting.js";

const MINUTE = 60_000;
const settled = () => new Promise((done) => setImmediate(done));

test("an answer that is cut off does not end the looks", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const shown = { title: "Sealed Move", hidden: false, addEventListener() {}, querySelector: () => null };
  const locks = { request: (_name, work) => void work() };
  Object.assign(globalThis, { document: shown, localStorage: { getItem: () => null } });
  globalThis.BroadcastChannel = class {
    postMessage() {}
  };
  Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
  const answers = ['[{"stopped":', "[]", '[{"stopped": false}, {"stopped": true}]'];
  globalThis.fetch = async () => new Response(answers.shift());
  start(0);
  while (answers.length) {
    t.mock.timers.tick(MINUTE);
    await settled();
  }
  assert.equal(shown.title, "(1) Sealed Move");
});
