// The table after each entry of the bundles in a file, a JSON array of paths, as `test_node.py` compares it.
import { readFileSync } from "node:fs";

import { judge } from "../../../server/http/static/record/check.js";
import { freeFrom } from "../../../server/http/static/record/laws.js";

async function tables(path) {
  const [, ...lines] = readFileSync(path, "latin1").split("\n\n")[0].split("\n");
  const { server, game } = JSON.parse(lines[0]);
  const known = { host: server, game, hashes: [] };
  const shown = [];
  let table = null;
  for (const line of lines) {
    const judged = await judge(table, [line], known);
    known.hashes.push(...judged.news.map(({ hash }) => hash));
    table = judged.table;
    shown.push(told(table));
  }
  return shown;
}

const told = (table) => ({
  stage: table.stage,
  joins: table.joins,
  grants: table.grants,
  lost: table.lost.map(({ seq, size, hash }) => [seq, size, hash]),
  seats: table.seats.map((seat, at) => ({
    takes: seat.takes,
    given: seat.given,
    gone: seat.gone,
    missed: seat.missed,
    free: table.stage === "running" ? freeFrom(table, at) : null,
    holder: seat.holder && holder(seat.holder),
  })),
});

const holder = ({ bot, kid, since, keys, recovery, added, recoveries, offers, offer }) => ({
  bot,
  kid,
  since,
  keys: keys.map(([name]) => name),
  recovery: recovery && recovery[0],
  added,
  recoveries,
  offers,
  offer: offer && [offer.at, offer.hastened],
});

const found = [];
for (const path of JSON.parse(readFileSync(process.argv[2], "utf-8"))) found.push(await tables(path));
console.log(JSON.stringify(found));
