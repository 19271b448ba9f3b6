// The key backup opens with its code and with nothing else; codes are read as they are typed.
import assert from "node:assert/strict";
import test from "node:test";

import { newCode, normalised, open, wrap } from "../../../server/http/static/keys/key-backup.js";
import { b64, bytes, unb64, write } from "../../../server/http/static/record/canonical.js";
import { fingerprint } from "../../../server/http/static/keys/fingerprint.js";
import { publicJwk, thumbprint } from "../../../server/http/static/record/jwk.js";
import { grouped } from "../../../server/http/static/keys/base32.js";
import { text, vectors } from "./vectors.mjs";

const AUD = "games.example";

async function recovery() {
  const pair = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  const { d } = await crypto.subtle.exportKey("jwk", pair.privateKey);
  return { ...(await publicJwk(pair.publicKey)), d };
}

const refuses = (promise, code) =>
  assert.rejects(promise, (error) => error.name === "BackupError" && error.code === code);

test("a key backup opens with its code, and its key can no longer be exported", async () => {
  const [jwk, code] = [await recovery(), await newCode()];
  const box = await wrap(jwk, code, 7, AUD);
  const found = await open(box, code, "7", AUD);
  assert.equal(found.kid, await thumbprint(jwk));
  assert.equal(found.jwk.x, jwk.x);
  assert.equal(found.key.extractable, false);
  assert.equal(box.includes(jwk.d), false);
});

test("a code is seven groups of four, and is read however it was typed", async () => {
  const code = await newCode();
  assert.match(code, /^([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/);
  const letters = code.replaceAll("-", "");
  const typed = [
    letters,
    code.toLowerCase(),
    ` ${code.replaceAll("-", " ")}\n`,
    letters.replaceAll("0", "o").replaceAll("1", "l"),
    letters.replaceAll("1", "I"),
    code.replaceAll("-", "\u2013"),
  ];
  for (const one of typed) assert.equal(await normalised(one), letters, one);
  assert.equal(grouped(letters), code);
});

test("a mistyped letter is found before any backup is tried", async () => {
  const letters = (await newCode()).replaceAll("-", "");
  const other = (letters[5] === "7" ? "8" : "7") + letters.slice(6);
  for (const wrong of ["", letters.slice(1), `${letters}0`, `U${letters.slice(1)}`, letters.slice(0, 5) + other]) {
    await refuses(normalised(wrong), "bad-code");
  }
});

test("a backup does not open with another code, account or server", async () => {
  const [jwk, code] = [await recovery(), await newCode()];
  const box = await wrap(jwk, code, 7, AUD);
  await refuses(open(box, await newCode(), 7, AUD), "wrong-code");
  await refuses(open(box, code, 8, AUD), "other-box");
  await refuses(open(box, code, 7, "other.example"), "other-box");
});

test("a header other than ours is refused before a key is derived from the code", async () => {
  const [jwk, code] = [await recovery(), await newCode()];
  const [header, ...rest] = (await wrap(jwk, code, 7, AUD)).split(".");
  const head = JSON.parse(new TextDecoder().decode(unb64(header)));
  const changes = [
    { p2c: 1 },
    { p2c: 1e9 },
    { zip: "DEF" },
    { crit: ["b64"] },
    { enc: "A128GCM" },
    { alg: "dir" },
    { kid: "x" },
    { p2s: "" },
    { p2c: "8192" },
    { sub: 7 },
  ];
  for (const change of changes) {
    await refuses(open([b64(bytes(write({ ...head, ...change }))), ...rest].join("."), code, 7, AUD), "bad-box");
  }
  const spaced = b64(bytes(JSON.stringify(head).replace(",", ", ")));
  await refuses(open([spaced, ...rest].join("."), code, 7, AUD), "bad-box");
});

test("a backup is refused if its key is not the one in its header, or x does not follow from d", async () => {
  const [jwk, other, code] = [await recovery(), await recovery(), await newCode()];
  await refuses(open(await wrap({ ...jwk, x: other.x }, code, 7, AUD), code, 7, AUD), "bad-box");
  await refuses(open(await wrap({ ...jwk, d: other.d }, code, 7, AUD), code, 7, AUD), "bad-box");
});

test("a backup with any part changed is refused", async () => {
  const [jwk, code] = [await recovery(), await newCode()];
  const parts = (await wrap(jwk, code, 7, AUD)).split(".");
  for (const at of [1, 2, 3, 4]) {
    const changed = unb64(parts[at]);
    changed[0] ^= 1;
    await refuses(open(parts.with(at, b64(changed)).join("."), code, 7, AUD), "wrong-code");
  }
  await refuses(open(parts.slice(0, 4).join("."), code, 7, AUD), "bad-box");
  await refuses(open("a".repeat(5000), code, 7, AUD), "bad-box");
});

test("a key's sixteen characters are the first 80 bits of its thumbprint", () => {
  assert.equal(fingerprint("A".repeat(43)), "0000-0000-0000-0000");
  assert.equal(fingerprint(b64(new Uint8Array(32).fill(0xff))), "ZZZZ-ZZZZ-ZZZZ-ZZZZ");
  assert.equal(fingerprint(b64(Uint8Array.from({ length: 32 }, (_, at) => at))), "000G-40R4-0M30-E209");
});

test("each backup of the vectors opens or is refused with its code", async () => {
  for (const { name, input, unlock, code } of vectors("key-backups")) {
    const found = await open(text(input), unlock, 7, AUD).then(
      ({ kid }) => kid,
      (error) => error,
    );
    if (code === null) assert.equal(found, "VFaBgUlDS5MIN64NQ6kzq0IcdveaU_10_WVBq5MZNkw", name);
    else assert.equal(found.name === "BackupError" ? found.code : found, code, name);
  }
});
