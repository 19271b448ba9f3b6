// Which entry may follow which: the laws of docs/spec/record.md, 4.2, in their order, as far as they need no rules of a
// game.
//
// Of the laws of time one is kept here in a weaker form, as an auditor of a hidden game keeps it: `expired` is not
// before the earliest possible deadline. Only the rules can decide which seats owe an answer.

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./table.js").Ask} Ask */
/** @typedef {import("./table.js").Seat} Seat */
/**
 * @typedef {{code: string, kinds: string[], broken: (table: Table, ask: Ask) => string | false | null | undefined}} Law
 *   `broken` says how
 */

const ALL = [
  "joined",
  "left",
  "started",
  "moved",
  "keyed",
  "offered",
  "taken",
  "resigned",
  "expired",
  "granted",
  "cancelled",
];
const PLAYED = ["moved", "offered", "taken", "resigned", "expired", "granted"];
const SEATED = ["joined", "left", "moved", "keyed", "offered", "taken", "resigned", "expired", "granted"];

/** @param {string} code @param {string[]} kinds @param {Law["broken"]} broken @returns {Law} */
const law = (code, kinds, broken) => ({ code, kinds, broken });

/** @param {Table} table @param {Ask} ask */
const at = (table, ask) => /** @type {Seat} */ (table.seats[ask.seat]);

/** @param {Table} table @param {number} seat */
const seatAt = (table, seat) => /** @type {Seat} */ (table.seats[seat]);

/**
 * Has the clock ended so many stretches of the seat in a row that it counts as absent?
 * @param {Table} table
 * @param {number} seat
 */
export function absent(table, seat) {
  const { clock } = table.created;
  const { missed, gone } = seatAt(table, seat);
  return Boolean(clock?.missed) && !gone && missed >= clock.missed;
}

/** May the seat be joined, or taken over, by somebody else now? @param {Table} table @param {number} seat */
export function free(table, seat) {
  const { holder, gone } = seatAt(table, seat);
  if (table.stage === "lobby") return holder === null;
  if (table.stage !== "running" || gone) return false;
  return Boolean(holder?.open) || (["absent", "both"].includes(table.created.handover) && absent(table, seat));
}

/**
 * The earliest that the clock can play this seat (4.4), in seconds since 1970; null if never.
 * @param {Table} table
 * @param {number} seat
 */
function earliest(table, seat) {
  const { clock } = table.created;
  const { start, asked, gone } = seatAt(table, seat);
  if (gone) return asked;
  return clock && start + clock.grace + (absent(table, seat) ? 0 : clock.move);
}

/** Does the act open the seat? @param {Ask} ask */
const opens = (ask) => ask.act?.open === true;

/** @type {Law["broken"]} */
function knownKey(table, { coming }) {
  const kids = coming.map(([kid]) => kid);
  const known = kids.find(
    (kid, place) => kids.indexOf(kid) < place || table.seats.some((seat) => seat.held.includes(kid)),
  );
  return known && `the key ${known} holds or held a seat of this game`;
}

/** @type {Law["broken"]} */
function tooMany(table, ask) {
  const { holder } = at(table, ask);
  if (!holder || ask.act?.drop) return null;
  const count = holder.recovery?.[0] === ask.kid ? holder.restored : holder.added;
  return count >= 16 && "the seat's holder has brought 16 keys, which is the most";
}

/** @type {Law["broken"]} */
function tooEarly(table, ask) {
  const due = earliest(table, ask.seat);
  return (due === null || ask.at < due) && `the time of seat ${ask.seat + 1} cannot be over`;
}

/** @type {Law["broken"]} */
function sameOffer(table, ask) {
  const isOpen = Boolean(at(table, ask).holder?.open);
  const idle = opens(ask) ? isOpen : !isOpen && !absent(table, ask.seat);
  return idle && `the offer changes nothing at seat ${ask.seat + 1}`;
}

/** @type {Law[]} */
export const LAWS = [
  law("game-over", ALL, (table) => ["finished", "cancelled"].includes(table.stage) && "the game is over"),
  law("not-started", PLAYED, (table) => table.stage === "lobby" && "the game has not started"),
  law("already-started", ["joined", "left", "started"], (table) => table.stage === "running" && "the game has started"),
  law(
    "no-such-seat",
    SEATED,
    (table, ask) => ask.seats.some((seat) => seat >= table.seats.length) && "the game has no such seat",
  ),
  law("seat-taken", ["joined"], (table, ask) => at(table, ask).holder && `seat ${ask.seat + 1} is taken`),
  law("seat-empty", ["left", "keyed"], (table, ask) => !at(table, ask).holder && `nobody sits in seat ${ask.seat + 1}`),
  law(
    "too-many-joins",
    ["joined"],
    (table) => table.joins >= 256 && "seats of this game were taken 256 times before its start",
  ),
  law("not-full", ["started"], (table) => table.seats.some(({ holder }) => !holder) && "there are empty seats"),
  law(
    "already-resigned",
    ["resigned", "offered", "taken"],
    (table, ask) => at(table, ask).gone && `seat ${ask.seat + 1} has resigned already`,
  ),
  law(
    "no-handover",
    ["offered"],
    (table, ask) =>
      opens(ask) && !["offer", "both"].includes(table.created.handover) && "seats of this game are not offered",
  ),
  law("same-offer", ["offered"], sameOffer),
  law(
    "too-many-offers",
    ["offered"],
    (table, ask) => opens(ask) && at(table, ask).offers >= 16 && "the seat was opened 16 times",
  ),
  law("not-free", ["taken"], (table, ask) => !free(table, ask.seat) && `seat ${ask.seat + 1} is not to be had`),
  law("too-many-takes", ["taken"], (table, ask) => at(table, ask).takes >= 8 && "the seat was taken over 8 times"),
  law("key-taken", ["joined", "taken", "keyed"], knownKey),
  law(
    "not-recovery",
    ["keyed"],
    (table, ask) =>
      ask.act?.recovery &&
      at(table, ask).holder?.recovery?.[0] !== ask.kid &&
      "only the recovery key replaces the recovery key",
  ),
  law(
    "recovery-stays",
    ["keyed"],
    (table, ask) =>
      ask.act?.drop && at(table, ask).holder?.recovery?.[0] === ask.act.drop && "the recovery key is not dropped",
  ),
  law(
    "not-a-key",
    ["keyed"],
    (table, ask) =>
      ask.act?.drop &&
      !at(table, ask).holder?.keys.some(([kid]) => kid === ask.act?.drop) &&
      "the dropped key is not a key of the seat",
  ),
  law(
    "last-key",
    ["keyed"],
    (table, ask) => ask.act?.drop && at(table, ask).holder?.keys.length === 1 && "a seat keeps at least one key",
  ),
  law("too-many-keys", ["keyed"], tooMany),
  law(
    "unsigned-move",
    ["moved"],
    (table, ask) => !ask.act && !table.created.unsigned && "this game takes signed moves only",
  ),
  law(
    "wrong-form",
    ["moved"],
    (table, ask) => ask.sealed !== table.created.hidden && "a move is sealed in a hidden game and only there",
  ),
  law("not-due", ["expired"], tooEarly),
  law("no-clock", ["granted"], (table) => !table.created.clock && "this game has no clock"),
  law(
    "seat-gone",
    ["granted"],
    (table, ask) => ask.seats.some((seat) => seatAt(table, seat).gone) && "a seat named has resigned",
  ),
];
