import {
  VerificationError,
  checkContinues,
  isLost,
  judge,
  noteOf,
  read2 as read
} from "./chunk-XG3CP7JW.js";
import {
  warned
} from "./chunk-WTO7KCRN.js";
import "./chunk-2WYNB7VX.js";

// server/http/static/game/lost-entries.js
async function afterLoss(game, memory) {
  const kept = await memory.kept();
  const { lines, note } = await game.pages(0);
  const judged = await whole(game, lines, note);
  if (!judged) return null;
  const hashes = judged.news.map((entry) => entry.hash);
  const first = game.hashes.findIndex((hash, at) => hash !== hashes[at]);
  const loss = judged.table.lost.find(({ seq }) => seq === first);
  const known = [kept.note, kept.ahead].flatMap((text) => text === null ? [] : [read(text)]);
  const held = { size: game.hashes.length, hash: game.hashes.at(-1) ?? "" };
  const isTold = (one) => hashes[one.size - 1] === one.hash || isLost(one, judged.table.lost);
  if (!loss || ![held, ...known].every(isTold)) return null;
  await memory.show("lost-entries", { entries: await memory.lines(first), note: kept.note }, game.now());
  const last = loss.size - 1;
  const lost = last === first ? `entry ${first}` : `entries ${first} to ${last}`;
  const says = `The server has lost ${lost} of this game. The game goes on from the entry before, and this browser has kept its own copy.`;
  const told = { warnings: warned(kept.warnings, [says]), odd: warned(kept.odd, [says]) };
  game.forgotten();
  await memory.dropLines({ ...told, note, ahead: null, opened: Math.min(kept.opened, first - 1) });
  await memory.keepLines(judged.news, { size: hashes.length }, null);
  await game.follow(judged);
  return judged.news.slice(first);
}
async function whole(game, lines, note) {
  try {
    const judged = await judge(null, lines, { ...game.known, hashes: [] });
    checkContinues(
      await noteOf(judged.table, note),
      judged.news.map((entry) => entry.hash)
    );
    return judged;
  } catch (error) {
    if (error instanceof VerificationError) return null;
    throw error;
  }
}
export {
  afterLoss
};
