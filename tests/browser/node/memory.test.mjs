// What a browser keeps of a game, where two tabs change it at the same time.
import assert from "node:assert/strict";
import test from "node:test";

const { Memory } = await import("../../../server/http/static/game/memory.js");
const { Store } = await import("../../../server/http/static/keys/store.js");

/** A database in memory; its transactions run one after the other, as those that write one store do. */
function database() {
  const kept = new Map();
  let last = Promise.resolve();
  const objectStore = (name, request) => ({
    get: (key) => request(() => kept.get(`${name} ${key}`)),
    put: (value, key) => request(() => void kept.set(`${name} ${key}`, value)),
  });
  return {
    transaction() {
      const begun = last;
      let [open, end] = [0, () => {}];
      last = Promise.all([begun, new Promise((ended) => (end = ended))]);
      const all = {};
      const finish = () => open || (all.oncomplete?.(), end());
      const request = (does) => {
        const made = {};
        open += 1;
        void begun.then(() => {
          made.result = does();
          made.onsuccess?.();
          open -= 1;
          queueMicrotask(finish);
        });
        return made;
      };
      return Object.assign(all, { objectStore: (name) => objectStore(name, request) });
    },
  };
}

test("two changes at once are both kept", async () => {
  const memory = new Memory(new Store(database()), "g");
  const news = [{ seq: 0, line: "{}" }];
  await Promise.all([
    memory.keep({ note: "held" }),
    memory.keep({ odd: ["late"] }),
    memory.keepLines(news, { size: 1 }, null),
    memory.keep({ unsigned: true }),
  ]);
  const { note, odd, size, unsigned } = await memory.kept();
  assert.deepEqual([note, odd, size, unsigned], ["held", ["late"], 1, true]);
});
