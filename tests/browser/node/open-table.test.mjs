// A table that is opened while the server does not answer.
import assert from "node:assert/strict";
import test from "node:test";

globalThis.document = { body: { dataset: { account: "7" } } };
const { open } = await import("../../../server/http/static/flows/open-table.js");

/** The keys of the requests that are sent; the server answers each with the next of these. */
function server(...answers) {
  const keys = [];
  globalThis.fetch = async (_path, { headers }) => {
    keys.push(headers["Idempotency-Key"]);
    return answers.shift();
  };
  return keys;
}

const away = () => new Response(null, { status: 503, headers: { "Retry-After": "0" } });
const no = () =>
  new Response('{"code": "x"}', { status: 422, headers: { "Content-Type": "application/problem+json" } });
const made = () => Response.json({ id: "g" });
const press = () => open({ type: "pig" }, { sit: false });

test("a press after one that was not answered opens the same table, and a later one opens another", async () => {
  const keys = server(away(), away(), made(), made());
  await assert.rejects(press());
  assert.equal(await press(), "/games/g");
  await press();
  assert.deepEqual([new Set(keys.slice(0, 3)).size, new Set(keys).size], [1, 2]);
});

test("a press after a refusal is a request of its own", async () => {
  const keys = server(no(), made());
  await assert.rejects(press());
  await press();
  assert.equal(new Set(keys).size, 2);
});
