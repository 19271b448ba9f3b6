// Canonical JSON, base64url and what players send, as the vectors have them.
import assert from "node:assert/strict";
import test from "node:test";

import { b64, leaf, read, readSent, unb64, write } from "../../../server/http/static/record/canonical.js";
import { accepts, file, text, vectors } from "./vectors.mjs";

test("a line is read exactly if it is the canonical form of its value", () => {
  for (const one of vectors("lines")) {
    assert.equal(
      accepts(() => read(text(one.input))),
      one.code === null,
      one.name,
    );
  }
});

test("what a player sends is read exactly if it is canonical but for the order of members", () => {
  for (const one of vectors("sent")) {
    assert.equal(
      accepts(() => readSent(text(one.input))),
      one.code === null,
      one.name,
    );
  }
});

test("base64url is read exactly if its bytes are written so", () => {
  for (const one of vectors("base64url")) {
    assert.equal(
      accepts(() => unb64(one.input, 32)),
      one.code === null,
      one.name,
    );
  }
});

test("what was read is written again as it was", () => {
  for (const one of vectors("lines").filter(({ code }) => code === null)) {
    assert.equal(write(read(text(one.input))), text(one.input), one.name);
  }
});

test("a member called __proto__ is a member like any other", () => {
  const value = read('{"__proto__":{"a":1}}');
  assert.deepEqual(Object.keys(value), ["__proto__"]);
  assert.equal(value.a, undefined);
  assert.equal(write(value), '{"__proto__":{"a":1}}');
});

test("what has no canonical form is not written", () => {
  for (const value of [1.5, NaN, -0, 2 ** 53, "ä", "\n", undefined, [undefined]]) {
    assert.equal(
      accepts(() => write(value)),
      false,
      String(value),
    );
  }
});

test("an entry's hash is the leaf hash", async () => {
  for (const { line, hash } of file("values").leaves) assert.equal(await leaf(line), b64(Buffer.from(hash, "hex")));
});
