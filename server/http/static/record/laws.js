// The preconditions of each entry: the laws of docs/spec/record.md, 4.2, in their order, as far as they do not need the
// rules of a game.
//
// One law of time is checked in a weaker form, as in the audit of a hidden game: `expired` is not before the earliest
// possible deadline. Only the rules can decide which seats owe a move.

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./table.js").Ask} Ask */
/** @typedef {import("./table.js").Seat} Seat */
/** @typedef {import("./table.js").Holder} Holder */
/**
 * @typedef {{code: string, kinds: string[], broken: (table: Table, ask: Ask) => string | false | null | undefined}} Law
 *   `broken` returns how
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
  "restored",
  "cancelled",
];
/** The `why` of a grant that does not count against any limit. */
export const OUTAGE = "outage";
const MOST_KEYS = 16;
const MOST_OFFERS = 16;
const MOST_GRANTS = 64;
const PLAYED = ["moved", "offered", "taken", "resigned", "expired", "granted"];
const SEATED = ["joined", "left", "moved", "keyed", "offered", "taken", "resigned", "expired", "granted"];

/** @param {string} code @param {string[]} kinds @param {Law["broken"]} broken @returns {Law} */
const law = (code, kinds, broken) => ({ code, kinds, broken });

/** @param {Table} table @param {Ask} ask */
const at = (table, ask) => /** @type {Seat} */ (table.seats[ask.seat]);

/** @param {Table} table @param {number} seat */
const seatAt = (table, seat) => /** @type {Seat} */ (table.seats[seat]);

/**
 * Has the seat missed enough turns in a row to count as absent?
 * @param {Table} table
 * @param {number} seat
 */
export function absent(table, seat) {
  const { clock } = table.created;
  const { missed, gone } = seatAt(table, seat);
  return Boolean(clock?.missed) && !gone && missed >= clock.missed;
}

/** Is this the seat's recovery key? @param {Holder | null | undefined} holder @param {string} kid */
export const recovers = (holder, kid) => holder?.recovery?.[0] === kid;

/**
 * When another player may join or take the seat, in seconds since 1970; 0: at once; null: it is not free.
 * @param {Table} table @param {number} seat
 */
export function freeFrom(table, seat) {
  const { holder, gone } = seatAt(table, seat);
  if (table.stage === "lobby") return holder ? null : 0;
  if (table.stage !== "running" || gone) return null;
  return ["absent", "both"].includes(table.created.handover.by) && absent(table, seat) ? 0 : offeredFrom(table, seat);
}

/**
 * When the seat's offer may be taken, absent or not; null if it is not offered.
 * @param {Table} table
 * @param {number} seat
 */
export function offeredFrom(table, seat) {
  const offer = seatAt(table, seat).holder?.offer;
  return offer ? (offer.hastened ? 0 : offer.at + table.created.handover.wait) : null;
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

/** Does the act offer the seat? @param {Ask} ask */
const opens = (ask) => ask.act?.open === true;

/** @type {Law["broken"]} `only` may name device keys that the seat has already */
function sameKey(table, ask) {
  const kids = ask.coming.map(([kid]) => kid);
  const { holder } = at(table, ask);
  const named = kids.slice(0, ask.act?.only?.length ?? 0);
  const isThere = (/** @type {string} */ kid, /** @type {number} */ place) =>
    recovers(holder, kid) || (place >= named.length && holder?.keys.some(([own]) => own === kid));
  const twice = kids.find((kid, place) => kids.indexOf(kid) < place || (ask.kind === "keyed" && isThere(kid, place)));
  return twice && `the act names the key ${twice} twice, or the seat has it already`;
}

/** @type {Law["broken"]} */
function wrongSigner(table, { act, kid, seat }) {
  const replaces = !act?.add && !act?.drop;
  return (
    replaces !== recovers(seatAt(table, seat).holder, kid) &&
    "`only` and `recovery` need the recovery key, `add` and `drop` a device key"
  );
}

/** @type {Law["broken"]} */
function tooManyKeys(table, ask) {
  return ask.act?.add && (at(table, ask).holder?.added ?? 0) >= MOST_KEYS && `the holder has added ${MOST_KEYS} keys`;
}

/** @type {Law["broken"]} */
function tooManyRecoveries(table, ask) {
  const { holder } = at(table, ask);
  const isOver = recovers(holder, ask.kid) && (holder?.recoveries ?? 0) >= MOST_KEYS;
  return isOver && `the recovery key has changed the keys of the seat ${MOST_KEYS} times`;
}

/** @type {Law["broken"]} */
function tooManyOffers(table, ask) {
  const { holder } = at(table, ask);
  const count = holder?.offers[recovers(holder, ask.kid) ? 1 : 0] ?? 0;
  return opens(ask) && count >= MOST_OFFERS && `the holder has offered the seat ${MOST_OFFERS} times`;
}

/** @type {Law["broken"]} */
function tooEarly(table, ask) {
  const due = earliest(table, ask.seat);
  return (due === null || ask.at < due) && `the time of seat ${ask.seat + 1} cannot be over`;
}

/** @type {Law["broken"]} */
function sameOffer(table, ask) {
  const { holder } = at(table, ask);
  const offer = holder?.offer;
  const idle = opens(ask)
    ? offer && (offer.hastened || !recovers(holder, ask.kid))
    : !offer && !absent(table, ask.seat);
  return idle && `the offer changes nothing for seat ${ask.seat + 1}`;
}

/** @type {Law["broken"]} */
function waits(table, ask) {
  const since = freeFrom(table, ask.seat);
  return since !== null && since > ask.at && `the offer of seat ${ask.seat + 1} still waits`;
}

/** @type {Law["broken"]} */
function tooMuch(table, { seats, body }) {
  if (!body || body.why === OUTAGE) return null;
  const over = seats.find((seat) => seatAt(table, seat).given + body.seconds > table.created.clock.grants);
  return over !== undefined && `seat ${over + 1} has been given as much time as this game allows`;
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
      opens(ask) && !["offer", "both"].includes(table.created.handover.by) && "seats of this game cannot be offered",
  ),
  law("same-offer", ["offered"], sameOffer),
  law("too-many-offers", ["offered"], tooManyOffers),
  law(
    "not-free",
    ["taken"],
    (table, ask) => freeFrom(table, ask.seat) === null && `seat ${ask.seat + 1} cannot be taken`,
  ),
  law("offer-waits", ["taken"], waits),
  law("too-many-takes", ["taken"], (table, ask) => at(table, ask).takes >= 8 && "the seat was taken over 8 times"),
  law("same-key", ["joined", "taken", "keyed"], sameKey),
  law("not-recovery", ["keyed"], wrongSigner),
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
  law("too-many-keys", ["keyed"], tooManyKeys),
  law("too-many-recoveries", ["keyed"], tooManyRecoveries),
  law(
    "unsigned-move",
    ["moved"],
    (table, ask) => !ask.act && !table.created.unsigned && "this game accepts only signed moves",
  ),
  law(
    "wrong-form",
    ["moved"],
    (table, ask) => ask.sealed !== table.created.hidden && "a move must be sealed in a hidden game, and in no other",
  ),
  law("not-due", ["expired"], tooEarly),
  law("no-clock", ["granted"], (table) => !table.created.clock && "this game has no clock"),
  law(
    "seat-gone",
    ["granted"],
    (table, ask) => ask.seats.some((seat) => seatAt(table, seat).gone) && "a seat named has resigned",
  ),
  law("too-much-granted", ["granted"], tooMuch),
  law(
    "too-many-grants",
    ["granted"],
    (table, { body }) => body?.why !== OUTAGE && table.grants >= MOST_GRANTS && `time was given ${MOST_GRANTS} times`,
  ),
  law("nothing-lost", ["restored"], (table, { body }) => body && body.size <= table.size && "no entries were lost"),
];
