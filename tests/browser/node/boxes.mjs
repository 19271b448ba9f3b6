// Key backups for the second implementation (account 7): `wrap SEED CODE` writes one, `open BOX CODE` prints its key.
import { open, wrap } from "../../../server/http/static/keys/key-backup.js";
import { publicJwk } from "../../../server/http/static/record/jwk.js";

const AUD = "games.example";
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");
const [how, what, code] = process.argv.slice(2);

async function keyOf(seed) {
  const key = await crypto.subtle.importKey(
    "pkcs8",
    Buffer.concat([PKCS8, Buffer.from(seed, "base64url")]),
    "Ed25519",
    true,
    ["sign"],
  );
  const { d } = await crypto.subtle.exportKey("jwk", key);
  return { ...(await publicJwk(key)), d };
}

if (how === "wrap") console.log(await wrap(await keyOf(what), code, 7, AUD));
else console.log((await open(what, code, 7, AUD).catch((error) => ({ kid: error.code }))).kid);
