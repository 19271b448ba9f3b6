// A bundle as a page would judge it, which reads only its lines and its note.
import assert from "node:assert/strict";

import { checkContinues, judge, noteOf } from "../../../server/http/static/record/check.js";

/** The table at the end of the bundle in these bytes; VerificationError if the bundle does not hold. */
export async function judgedBundle(data) {
  const whole = data.toString("latin1").split("\n\n");
  const [, ...lines] = whole[0].split("\n");
  const note = Buffer.from(`${whole[1]}\n\n${whole[2]}\n`, "latin1").toString("utf-8");
  const { server, game } = opened(lines[0]);
  const { table, news } = await judge(null, lines, { host: server, game, hashes: [] });
  const signed = await noteOf(table, note);
  checkContinues(
    signed,
    news.map((entry) => entry.hash),
  );
  assert.equal(signed.size, lines.length);
  return table;
}

/** Entry 0 as far as it can be read: its values are judged with the rest. */
function opened(line = "") {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    return {};
  }
}
