// Keys, signatures, acts, entries and notes, each judged alone, tried on the vectors.
import assert from "node:assert/strict";
import test from "node:test";

import { bytes, read as readLine, readSent, unb64 } from "../../../server/http/static/record/canonical.js";
import { checkPoint, publicKey, verify } from "../../../server/http/static/record/ed25519.js";
import { checkEntry } from "../../../server/http/static/record/entry.js";
import { read, readAct } from "../../../server/http/static/record/jws.js";
import * as note from "../../../server/http/static/record/note.js";
import { continues, readKeys } from "../../../server/http/static/record/pins.js";
import { accepts, acceptsLater, file, text, vectors } from "./vectors.mjs";

const raw = (hex) => new Uint8Array(Buffer.from(hex, "hex"));
const seeded = (seed) => unb64(file("values").keys.find((key) => key.seed === seed.repeat(32)).jwk.x, 32);

test("a key is accepted only if its point is sound", () => {
  for (const one of vectors("keys")) {
    assert.equal(
      accepts(() => publicKey(readSent(text(one.input)))),
      one.code === null,
      one.name,
    );
  }
});

test("a signature on which verifiers disagree is refused, for its key or for itself", async () => {
  for (const one of vectors("ed25519")) {
    assert.equal(
      accepts(() => checkPoint(raw(one.input))),
      one.key_ok,
      one.name,
    );
    if (one.key_ok) {
      assert.equal(await verify(raw(one.input), raw(one.message), raw(one.signature)), one.code === null, one.name);
    }
  }
});

test("a signed act is accepted only if it is well-formed and its signature holds", async () => {
  const key = seeded("01");
  const { kid } = file("values").keys.find((one) => one.seed === "01".repeat(32));
  const judged = async (input) => {
    const jws = read(input);
    readAct(jws.payload);
    if (jws.kid !== kid || !(await verify(key, jws.input, jws.signature))) {
      throw Object.assign(new Error("no"), { name: "BadRecord" });
    }
  };
  for (const one of vectors("jws")) {
    assert.equal(await acceptsLater(judged(text(one.input))), one.code === null, one.name);
  }
});

test("a line is accepted as an entry only if it has the members of its kind", () => {
  for (const one of vectors("entries")) {
    assert.equal(
      accepts(() => checkEntry(readLine(text(one.input)))),
      one.code === null,
      one.name,
    );
  }
});

test("a note is accepted only if the server's key has signed it", async () => {
  const key = seeded("09");
  const judged = async (input) => note.verify(note.read(input), key);
  for (const one of vectors("notes")) {
    assert.equal(await acceptsLater(judged(text(one.input))), one.code === null, one.name);
  }
});

test("notes are found in the texts of mails", () => {
  for (const one of vectors("notes-in-mail")) assert.deepEqual(note.find(text(one.input)), one.notes, one.name);
});

test("signatures by other implementations hold", async () => {
  for (const one of file("values").signatures) {
    assert.equal(await verify(raw(one.public), raw(one.message), raw(one.signature)), true);
    assert.equal(await verify(raw(one.public), bytes("another"), raw(one.signature)), false);
  }
});

test(
  "a server's list of keys is read exactly if each is signed by the one before, and continues what was " + "known",
  async () => {
    const seen = vectors("server-keys");
    for (const one of seen) assert.equal(await acceptsLater(parsed(one.input)), one.code === null, one.name);
    for (const { name, known, shown, accepted } of file("server-keys").pairs) {
      const lists = await Promise.all([known, shown].map(readKeys));
      assert.equal(continues(...lists), accepted, name);
    }
  },
);

const parsed = async (input) => readKeys(JSON.parse(text(input)));
