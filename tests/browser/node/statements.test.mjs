// A page signs statements of an account that are, to the byte, the ones that the vectors accept.
import assert from "node:assert/strict";
import test from "node:test";

import { sign } from "../../../server/http/static/keys/device-key.js";
import { thumbprint } from "../../../server/http/static/record/jwk.js";
import { vectors } from "./vectors.mjs";

const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");
const SEEDS = { device: Buffer.alloc(32, 1), recovery: await sha256("a recovery key that everybody knows") };
const SIGNERS = await Promise.all(Object.values(SEEDS).map(signer));

async function sha256(text) {
  return Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(text)));
}

async function signer(seed) {
  const pkcs8 = Buffer.concat([PKCS8, seed]);
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", true, ["sign"]);
  const { x } = await crypto.subtle.exportKey("jwk", key);
  return { kid: await thumbprint({ crv: "Ed25519", kty: "OKP", x }), key };
}

const parsed = (part) => JSON.parse(Buffer.from(part, "base64url").toString());

for (const [name, typ] of [
  ["registrations", "sealedmove-key+jws"],
  ["statements", "sealedmove-account+jws"],
]) {
  test(`the page signs ${name} as the vectors have them`, async () => {
    const good = vectors(name).filter(({ code }) => code === null);
    for (const { name: what, input } of good) {
      const [header, payload] = input.split(".").slice(0, 2).map(parsed);
      if (header.alg === "EdDSA") continue; // the older name, which the page never writes
      const by = SIGNERS.find(({ kid }) => kid === header.kid);
      assert.equal(await sign(by, payload, typ), input, what);
    }
    assert.ok(good.length > 1);
  });
}
