// Canonical JSON, base64url and the texts that players send, tried on the vectors.
import assert from "node:assert/strict";
import test from "node:test";

import { b64, leaf, read, readSent, unb64, write } from "../../../server/http/static/record/canonical.js";
import { accepts, file, text, vectors } from "./vectors.mjs";

test("a line is accepted only in the canonical form of its value", () => {
  for (const one of vectors("lines")) {
    assert.equal(
      accepts(() => read(text(one.input))),
      one.code === null,
      one.name,
    );
  }
});

test("a text from a player is accepted only if it is canonical except for the order of members", () => {
  for (const one of vectors("sent")) {
    assert.equal(
      accepts(() => readSent(text(one.input))),
      one.code === null,
      one.name,
    );
  }
});

test("base64url is accepted only as its bytes are encoded", () => {
  for (const one of vectors("base64url")) {
    assert.equal(
      accepts(() => unb64(one.input, 32)),
      one.code === null,
      one.name,
    );
  }
});

test("a value that was read is written as the same text", () => {
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

test("a value without a canonical form is not written", () => {
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
