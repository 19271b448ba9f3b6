// A draft move is a value: its steps can be moved, removed and restored, and the store holds a valid draft or nothing.
import assert from "node:assert/strict";
import test from "node:test";

import {
  added,
  changed,
  commands,
  moved,
  planned,
  read,
  same,
  typed,
  undone,
  without,
} from "../../../server/http/static/turn/plan.js";

const step = (word) => ({ command: { do: word }, notation: word, label: `${word}.` });
const [a, b, c] = ["a", "b", "c"].map(step);

test("a step is added without the further data in the list of legal commands", () => {
  assert.deepEqual(added([a], { ...b, words: [], says: "x", closes: false }), [a, b]);
});

test("a step moves to any place inside the draft, and to no other", () => {
  assert.equal(typed(moved([a, b, c], 0, 2)), "b\nc\na");
  assert.equal(typed(moved([a, b, c], 2, 0)), "c\na\nb");
  for (const [from, to] of [
    [0, -1],
    [2, 3],
    [3, 0],
  ]) {
    assert.ok(same(moved([a, b, c], from, to), [a, b, c]));
  }
});

test("every change can be undone, the last one first", () => {
  const plan = [[a], [a, b], [b, a], [b]].reduce(changed, planned());
  const back = [plan];
  while (back.at(-1).before.length) back.push(undone(back.at(-1)));
  assert.deepEqual(
    back.map(({ steps }) => typed(steps)),
    ["b", "b\na", "a\nb", "a", ""],
  );
  assert.deepEqual(undone(planned()).steps, []);
});

test("a step without effect leaves the draft unchanged", () => {
  const plan = changed(planned(), [a]);
  assert.equal(changed(plan, [step("a")]), plan);
  assert.deepEqual(without([a, b], 0), [b]);
  assert.deepEqual(commands([a, b]), [{ do: "a" }, { do: "b" }]);
});

test("a stored draft is read again, and any other stored value is ignored", () => {
  const kept = { steps: [a, b], head: { seq: 3, hash: "x" }, at: "2026-11-21T10:00:00Z" };
  assert.deepEqual(read({ ...kept, more: 1 }), kept);
  assert.equal(read({ ...kept, head: "3" }).head, null);
  const broken = [
    null,
    7,
    {},
    { ...kept, steps: [] },
    { ...kept, steps: Array(65).fill(a) },
    { ...kept, at: 7 },
    { ...kept, steps: [{ ...a, command: "a" }] },
    { ...kept, steps: [{ ...a, notation: 1 }] },
    { ...kept, steps: [null] },
  ];
  for (const one of broken) assert.equal(read(one), null, JSON.stringify(one));
});
