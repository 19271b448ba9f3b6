// This browser's store on a page that stays open.
import assert from "node:assert/strict";
import test from "node:test";

import { open } from "../../../server/http/static/keys/store.js";

/** Databases that the browser closes by itself, as it does when it runs out of something. */
function databases() {
  const made = [];
  const request = (result) => {
    const asked = { result };
    queueMicrotask(() => asked.onsuccess());
    return asked;
  };
  const database = () => ({
    transaction() {
      if (this.closed) throw new DOMException("The database connection is closing.", "InvalidStateError");
      return { objectStore: () => ({ get: () => request("kept") }) };
    },
  });
  globalThis.indexedDB = { open: () => request(made[made.push(database()) - 1]) };
  return made;
}

test("a database that the browser has closed is opened again", async () => {
  const made = databases();
  assert.equal(await (await open(7)).get("device", "key"), "kept");
  Object.assign(made[0], { closed: true });
  made[0].onclose?.();
  assert.equal(await (await open(7)).get("device", "key"), "kept");
  assert.equal(made.length, 2);
});
