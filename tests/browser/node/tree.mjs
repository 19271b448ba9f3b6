// The tree of words on real lists of the four games: clicks reach every legal command, and nothing else.
//
//     node --test tests/browser/node/tree.mjs       with LISTS naming a file: [{table, list}], as `legal` answers
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { ask, MANY, without } from "../../../server/http/static/turn/command-tree.js";

const lists = JSON.parse(readFileSync(process.env.LISTS, "utf-8"));

/** Every place that clicks reach, the nearest first: the question there, and the number of clicks to it. */
function* places(list) {
  let edge = [[]];
  const seen = new Set();
  for (let clicks = 0; edge.length; clicks += 1) {
    const next = [];
    for (const picks of edge) {
      const asked = ask(list, picks);
      yield { asked, picks, clicks };
      for (const option of asked.options) {
        const key = sameSet(option.picks);
        if (!seen.has(key)) next.push(option.picks);
        seen.add(key);
      }
    }
    edge = next;
  }
}

/** Parts of a set lead to the same place in any order. */
function sameSet(picks) {
  const runs = [[]];
  for (const pick of picks) "part" in pick ? runs.at(-1).push(pick.part) : runs.push([JSON.stringify(pick)], []);
  return JSON.stringify(runs.map((run) => run.toSorted()));
}

const walked = lists.map(({ table, list }) => ({ table, list, places: [...places(list)] }));

test("clicks reach every legal command, and no other", () => {
  for (const { table, list, places } of walked) {
    const reached = new Set(places.flatMap(({ asked }) => asked.choice?.notation ?? []));
    assert.deepEqual([...reached].sort(), list.map(({ notation }) => notation).sort(), table);
  }
});

test("nothing is chosen without a click, and no click leads to a place without a choice", () => {
  for (const { table, places } of walked) {
    for (const { asked, picks } of places) {
      if (!picks.length) assert.equal(asked.choice, null, table);
      assert.equal(asked.choice === null, asked.options.length > 0, `${table}: ${asked.so}`);
      if (picks.length && !asked.choice) assert.ok(asked.options.length > 1, `${table}: ${asked.so} has one way on`);
    }
  }
});

test("an option leads to the commands that it announces", () => {
  for (const { table, list, places } of walked) {
    for (const { asked } of places) {
      for (const { choice, picks, word } of asked.options) {
        if (choice) assert.equal(ask(list, picks).choice?.notation, choice.notation, `${table}: ${word}`);
      }
    }
  }
});

test("options can be told apart by their name or their owner", () => {
  for (const { table, places } of walked) {
    for (const { asked } of places) {
      const called = asked.options.map(({ is, word, seat }) => `${is} ${word} ${seat}`);
      assert.equal(new Set(called).size, called.length, `${table}: ${asked.so}: ${called}`);
    }
  }
});

test("an option that closes a command comes last", () => {
  for (const { table, list } of lists) {
    const closing = ask(list, []).options.map(({ closes }) => closes);
    assert.deepEqual(
      closing,
      closing.toSorted((one, other) => Number(one) - Number(other)),
      table,
    );
  }
});

test("the text so far begins every command that can still be chosen", () => {
  for (const { table, places } of walked) {
    for (const { asked } of places) {
      for (const { choice } of asked.options) {
        if (choice && !asked.taken) assert.ok(choice.notation.startsWith(asked.so), `${table}: ${asked.so}`);
      }
    }
  }
});

test("a dozen numbers become a stepper with each of them as an option", () => {
  const steppers = walked.flatMap(({ places }) => places.filter(({ asked }) => asked.numbers));
  for (const { asked } of steppers) {
    assert.ok(asked.options.length >= MANY && asked.options.every(({ word }) => /^\d+$/.test(word)));
  }
  assert.ok(steppers.length);
});

test("a part of a set is taken one by one, put back, or with all others at once", () => {
  const sets = walked.flatMap(({ list, places }) =>
    places.filter(({ asked }) => asked.taken).map((place) => ({ list, ...place })),
  );
  assert.ok(sets.length);
  for (const { list, picks, asked } of sets) {
    const [part] = [...asked.taken.keys()];
    const back = ask(list, without(picks, part));
    assert.equal(back.taken?.get(part) ?? 0, asked.taken.get(part) - 1);
    assert.ok(back.options.some(({ is, word }) => is === "part" && word === part));
  }
  assert.ok(sets.some(({ asked }) => asked.options.some(({ is }) => is === "all")));
});

test("a command takes two or three clicks", (context) => {
  const clicks = walked.flatMap(({ places }) => places.filter(({ asked }) => asked.choice).map(({ clicks }) => clicks));
  const mean = clicks.reduce((sum, one) => sum + one, 0) / clicks.length;
  const widest = Math.max(...walked.flatMap(({ places }) => places.map(({ asked }) => asked.options.length)));
  context.diagnostic(
    `${lists.length} lists, ${clicks.length} commands, ${mean.toFixed(2)} clicks on average, at most ` +
      `${Math.max(...clicks)}; widest question ${widest}`,
  );
  assert.ok(mean < 3 && Math.max(...clicks) <= 9 && widest <= 60, `${mean}, ${Math.max(...clicks)}, ${widest}`);
});
