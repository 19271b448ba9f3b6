// Previews that are answered after the log has changed.
import assert from "node:assert/strict";
import test from "node:test";

globalThis.matchMedia = () => ({ matches: false });
const { Previews, Overtaken } = await import("../../../server/http/static/turn/preview.js");

const step = { command: { do: "a" }, notation: "a", label: "a." };

for (const [what, ask] of [
  ["steps", (previews) => previews.of([step])],
  ["typed text", (previews) => previews.typed([], "a")],
]) {
  test(`an answer about ${what} that was requested before the log has changed is ignored`, async () => {
    let answer = () => {};
    globalThis.fetch = () => new Promise((done) => (answer = done));
    const previews = new Previews("/v1/games/g");
    const asked = ask(previews);
    previews.forget();
    answer(Response.json({ steps: [step], legal: [] }));
    await assert.rejects(asked, Overtaken);
  });
}
