// One entry of the log by itself: a canonical line with exactly the members of its kind (docs/spec/record.md, 4).
import { BadRecord, isObject, leaf, read, unb64 } from "./canonical.js";
import { checkPoint } from "./ed25519.js";
import { commands } from "./jws.js";
import * as s from "./shapes.js";

/** @typedef {{seq: number, kind: string, at: string, hash: string, line: string, body: Record<string, any>}} Entry */

export const ZERO = "A".repeat(43);
const MOST_DRAWS = 2 ** 20;
/** One for each seat, and one for the full events. */
const MOST_SEALS = 65;

/**
 * The entry in a line without its line feed; BadRecord if it is invalid.
 * @param {string} line
 * @returns {Promise<Entry>}
 */
export async function readEntry(line) {
  const body = read(line);
  checkEntry(body);
  return { seq: body.seq, kind: body.kind, at: body.at, hash: await leaf(line), line, body };
}

/** BadRecord unless this value has the shape of an entry; `newer-record` if it cannot be judged. @param {any} body */
export function checkEntry(body) {
  if (!isObject(body)) throw new BadRecord("not-an-object", "an entry must be an object");
  if (Number.isInteger(body.v) && body.v > 1) {
    throw new BadRecord("newer-record", `version ${body.v} of the record is newer than this page`);
  }
  if (body.v !== 1) throw new BadRecord("bad-version", "every entry must have v, the version of the record");
  const { kind } = body;
  if (typeof kind !== "string" || !Object.hasOwn(KINDS, kind)) {
    throw new BadRecord("kind" in body ? "unknown-kind" : "missing-member", "an entry must have a known kind");
  }
  KINDS[kind]?.(body);
  checkWhole(body);
}

/** Conditions on several members. @param {Record<string, any>} body */
function checkWhole(body) {
  const first = body.kind === "created";
  if ((body.seq === 0) !== first || (first && body.prev !== ZERO)) {
    throw new BadRecord("bad-first", "entry 0, and no other, has the kind created and 32 zero bytes as prev");
  }
  if ("outcome" in body !== ("secret" in body && body.kind !== "cancelled")) {
    throw new BadRecord("bad-end", "the entry that ends a game must have both an outcome and the secret");
  }
  if (first) checkClock(body.clock, body.seats);
  if (first && ["none", "absent"].includes(body.handover.by) && body.handover.wait) {
    throw new BadRecord("bad-handover", "seats of this game are not offered, so no offer waits");
  }
  if (body.kind === "moved") checkAuthor(body);
}

/** @param {Record<string, any>} body */
function checkAuthor(body) {
  const signed = "jws" in body;
  const forms = Number("commands" in body) + Number("sealed" in body);
  if (signed === "via" in body || forms !== Number(!signed)) {
    throw new BadRecord("bad-author", "a move must have either jws, or via with commands or sealed");
  }
  if ("commands" in body) commands(body.commands);
  if ("sealed" in body) unb64(body.sealed, 32);
}

/** @param {any} clock @param {number} seats */
function checkClock(clock, seats) {
  const good = !clock || (clock.bank <= clock.cap && clock.move + clock.bank >= 60 && clock.grace >= 60 && seats > 1);
  if (!good) {
    throw new BadRecord(
      "bad-clock",
      "a clock must give at least a minute, its bank must not exceed the cap, and a game of one seat has no clock",
    );
  }
}

/** @type {s.Check} */
const data = (value) => {
  s.object(value);
  s.due(Object.keys(value).length > 0, "null or at least one data file");
  for (const [name, hash] of Object.entries(value)) {
    s.fileName(name);
    s.binary32(hash);
  }
};

/** @type {s.Check} */
const draw = (value) => {
  s.due(Array.isArray(value) && value.length === 2, "[n, result]");
  s.integer(1, 2 ** 32)(value[0]);
  s.integer(0, value[0] - 1)(value[1]);
};

/** @type {s.Check} */
const points = (value) => {
  s.due(Array.isArray(value) && value.length === 2, "[heading, [points of seat 0, 1, ...]]");
  s.text(value[0]);
  s.list(s.integer(-Number.MAX_SAFE_INTEGER))(value[1]);
};

/** @type {s.Check} */
const version = (value) => s.integer(1, 1)(value);
/** @type {s.Check} */
const out = (value) => (Array.isArray(value) && !value.length ? undefined : s.seats(value));
/** @type {s.Check} */
const serverKey = (value) => checkPoint(unb64(value, 32));

const FIRST = { v: version, game: s.gameId, seq: s.seq, prev: s.binary32, at: s.instant, kind: s.text };
const EVENTS = { events: s.list(s.object), state: s.binary32 };
const RULES = s.shape("rules", { game: s.name, version: s.integer(1), data: s.nullable(data) });
const CLOCK = s.shape("a clock", {
  move: s.seconds,
  bank: s.seconds,
  increment: s.seconds,
  cap: s.seconds,
  grace: s.seconds,
  missed: s.seconds,
  grants: s.seconds,
});
const CREATED = {
  server: s.host,
  server_key: serverKey,
  rules: RULES,
  options: s.object,
  seats: s.integer(1, 64),
  hidden: s.boolean,
  clock: s.nullable(CLOCK),
  handover: s.shape("handover", { by: s.oneOf("none", "offer", "absent", "both"), wait: s.seconds }),
  unsigned: s.boolean,
  terms: s.nullable(s.binary32),
  chance: s.shape("chance", { draws: s.integer(0, MOST_DRAWS), chain: s.binary32 }),
};
const OUTCOME = s.shape("an outcome", {
  places: s.list(s.seats),
  points: s.list(points),
  out,
  reason: s.name,
  won: s.boolean,
});
const PERHAPS = {
  seals: s.list(s.binary32, 2, MOST_SEALS),
  outcome: OUTCOME,
  secret: s.binary32,
  draws: s.shape("draws", { first: s.integer(1, MOST_DRAWS), got: s.list(draw, 1, MOST_DRAWS), key: s.binary32 }),
};
const SIGNED = { seat: s.seat, jws: s.text };
const UNSIGNED = { jws: s.text, via: s.name, commands: s.anything, sealed: s.binary32 };

/** @param {string} kind @param {s.Members} required @param {s.Members} [optional] @returns {[string, s.Check]} */
const of = (kind, required, optional) => [
  kind,
  s.shape(`an entry of kind ${kind}`, { ...FIRST, ...required }, optional),
];

/** @type {Record<string, s.Check>} */
const KINDS = Object.fromEntries([
  of("created", CREATED),
  of("joined", { ...SIGNED, bot: s.boolean }),
  of("left", { seat: s.seat, jws: s.nullable(s.text) }),
  of("started", EVENTS, PERHAPS),
  of("moved", { seat: s.seat, ...EVENTS }, { ...PERHAPS, ...UNSIGNED }),
  of("keyed", SIGNED),
  of("offered", SIGNED),
  of("taken", { ...SIGNED, bot: s.boolean }),
  of("resigned", { ...SIGNED, ...EVENTS }, PERHAPS),
  of("expired", { seat: s.seat, ...EVENTS }, PERHAPS),
  of("granted", { seats: s.seats, seconds: s.integer(1, 2 ** 25), why: s.name }),
  of("restored", { size: s.integer(1, 2 ** 20), hash: s.binary32 }),
  of("cancelled", { reason: s.name, secret: s.nullable(s.binary32) }),
]);
