import {
  NotSent,
  NotSigned,
  addKey,
  checkedGame,
  dropKey,
  replaceKeys
} from "./chunk-5Y45MAQH.js";
import {
  VerificationError
} from "./chunk-XG3CP7JW.js";
import "./chunk-J374VYKZ.js";
import {
  NoAnswer,
  Problem,
  get
} from "./chunk-KHBG72CQ.js";
import {
  thumbprint
} from "./chunk-WTO7KCRN.js";
import {
  open
} from "./chunk-2WYNB7VX.js";

// server/http/static/game/seat-keys.js
var MOST_ONLY = 4;
var addEverywhere = (account, { kid, jwk }, by, tell) => everywhere(account, by, tell, (game, holder) => plays(holder, kid) ? null : addKey(game, jwk));
var dropEverywhere = (account, kid, by, tell) => everywhere(account, by, tell, (game, holder) => plays(holder, kid) ? dropKey(game, kid) : null);
var replaceEverywhere = (account, { keys, recovery = null }, by, tell) => everywhere(account, by, tell, async (game, holder) => {
  if (recovery && holder.recovery?.[0] === await thumbprint(recovery)) return null;
  const only = (now) => keys && keys.filter(({ kid }, at) => at === 0 || plays(now, kid)).slice(0, MOST_ONLY);
  const same = only(holder)?.length === holder.keys.length && only(holder)?.every(({ kid }) => plays(holder, kid));
  if (!recovery && same && !holder.offer) return null;
  return replaceKeys(game, (now) => ({ only: only(now)?.map(({ jwk }) => jwk) ?? null, recovery }), by);
});
var plays = (holder, kid) => holder.keys.some(([name]) => name === kid);
async function everywhere(account, by, tell, work) {
  const games = await known(account);
  const done = [];
  for (const one of games) {
    const game = checkedGame(account, one.id);
    game.named = one.seat ?? game.named;
    const wrong = await tried(game, one.seat, by, work);
    done.push({ game: one, wrong });
    tell?.({ game: one, wrong }, games.length);
  }
  return done;
}
async function tried(game, named, by, work) {
  try {
    const { table } = await game.check();
    const seat = game.seatOf(table, by.kid) ?? named;
    const holder = seat === null || ["finished", "cancelled"].includes(table.stage) ? null : table.seats[seat]?.holder;
    if (holder) await work(game, holder);
    return null;
  } catch (error) {
    const known2 = [VerificationError, NotSigned, NotSent, Problem, NoAnswer];
    if (known2.some((kind) => error instanceof kind)) return (
      /** @type {Error} */
      error
    );
    throw error;
  }
}
async function known(account) {
  const store = await open(account);
  const [listed, ids] = await Promise.all([mine(), store.keys("games")]);
  const also = [];
  for (const id of ids.map(String)) {
    const kept = listed.some((one) => one.id === id) ? null : await store.get("games", id);
    if (kept && kept.seat !== null && kept.seat !== void 0 && !kept.over) {
      also.push({ id, type: `table #${id.slice(0, 4)}`, seat: null });
    }
  }
  return [...listed, ...also];
}
async function mine() {
  const found = [];
  for (const status of ["running", "lobby"]) {
    for (let after = ""; ; ) {
      const page = await get(`/v1/me/games?status=${status}${after && `&after=${after}`}`);
      found.push(...page.games);
      if (page.next === null) break;
      after = page.next;
    }
  }
  return found;
}
export {
  addEverywhere,
  dropEverywhere,
  replaceEverywhere
};
