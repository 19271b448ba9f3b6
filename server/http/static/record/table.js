// The state of a log after all its entries: the seats, their holders and keys (docs/spec/record.md, 4.2).
//
// A table is a value: `begin` makes it from entry 0, `follow` returns the next one or throws BadRecord with the code of
// the broken law. Signatures are collected as claims, which the caller verifies all at once. Not checked is what needs
// the rules of the game: its events and states, and which seats owe a move.
import { BadRecord, unb64 } from "./canonical.js";
import { checkDraws, checkSecret, entropy } from "./draws.js";
import { publicKey } from "./ed25519.js";
import { readAct, read as readJws } from "./jws.js";
import { thumbprint } from "./jwk.js";
import { absent, freeFrom, LAWS, offeredFrom, OUTAGE, recovers } from "./laws.js";
import { secondsOf } from "./shapes.js";

/** @typedef {import("./entry.js").Entry} Entry */
/** @typedef {[string, Uint8Array<ArrayBuffer>]} Key its kid and its bytes */
/**
 * @typedef {{bot: boolean, kid: string, nonce: string | null, since: number, keys: Key[], recovery: Key | null,
 *   added: number, recoveries: number, offers: [number, number], offer: Offer | null, signed: string[]}} Holder
 *   `added`: device keys that device keys added; `recoveries`: `keyed` of recovery keys; `offers`: by device keys and
 *   by recovery keys; `signed`: the kids that have signed for the seat under this holder
 */
/** @typedef {{at: number, hastened: boolean}} Offer since `at`, in seconds; `hastened` by the recovery key */
/**
 * @typedef {{holder: Holder | null, signed: string[], takes: number, given: number, missed: number, start: number,
 *   asked: number, gone: boolean}} Seat `signed`: the kids that ever signed for it. `given`: seconds granted, outages
 *   left out. `start`, `asked`: the earliest possible start of a stretch and of a question
 */
/**
 * @typedef {{seq: number, size: number, hash: string}} Loss of the entries after `seq`, up to this size and this end
 */
/**
 * @typedef {{size: number, head: string, at: string, created: Record<string, any>, origin: string, stage: "lobby" |
 *   "running" | "finished" | "cancelled", seats: Seat[], joins: number, grants: number, lost: Loss[],
 *   draw: number, shown: string, entropy: Uint8Array<ArrayBuffer> | null}} Table
 */
/**
 * @typedef {{key: Uint8Array<ArrayBuffer>, input: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>,
 *   seq: number}} Claim
 */
/**
 * @typedef {{kind: string, seat: number, seats: number[], act: Record<string, any> | null, kid: string, coming: Key[],
 *   at: number, sealed: boolean, body?: Record<string, any>}} Ask a proposed next entry
 */

/** @type {Record<string, string>} */
const ACT_OF = {
  joined: "join",
  left: "leave",
  moved: "move",
  keyed: "key",
  offered: "offer",
  taken: "take",
  resigned: "resign",
};
const EVENTFUL = ["started", "moved", "resigned", "expired"];
const SAID = ["aud", "game", "seat", "seq", "prev", "bot"];

/** The table of entry 0. @param {Entry} entry @returns {Table} */
export function begin(entry) {
  if (entry.kind !== "created") throw new BadRecord("bad-first", "a log must begin with an entry of kind created");
  const seat = { holder: null, signed: [], takes: 0, given: 0, missed: 0, start: 0, asked: 0, gone: false };
  const seats = Array.from({ length: entry.body.seats }, () => seat);
  return {
    size: 1,
    head: entry.hash,
    at: entry.at,
    created: entry.body,
    origin: entry.hash,
    stage: "lobby",
    seats,
    joins: 0,
    grants: 0,
    lost: [],
    draw: 1,
    shown: entry.body.chance.chain,
    entropy: null,
  };
}

/**
 * The table with this entry, and the signature that must hold for it.
 * @param {Table} table
 * @param {Entry} entry
 * @param {boolean} [trusted] were its dice checked earlier?
 * @returns {Promise<{table: Table, claim: Claim | null}>}
 */
export async function follow(table, entry, trusted = false) {
  checkLink(table, entry);
  const signed = await readSigned(table, entry);
  const ask = asked(entry, signed);
  for (const law of LAWS) {
    const broken = law.kinds.includes(entry.kind) && law.broken(table, ask);
    if (broken) throw new BadRecord(law.code, broken);
  }
  checkSeals(table, entry);
  if (!trusted) await checkDraws(table, entry);
  if (!trusted) await checkSecret(table, entry);
  return { table: await noted(table, entry, ask), claim: signed && signed.claim };
}

/** @param {Table} table @param {Entry} entry */
function checkLink(table, { body, at, seq }) {
  if (body.game !== table.created.game) throw new BadRecord("wrong-game", "the entry belongs to another game");
  if (seq !== table.size) throw new BadRecord("wrong-seq", `expected entry ${table.size}, found entry ${seq}`);
  if (body.prev !== table.head) throw new BadRecord("broken-chain", "prev is not the hash of the entry before");
  if (at < table.at) {
    throw new BadRecord("time-goes-back", `${at} is earlier than ${table.at}, the time of the entry before`);
  }
}

/** @param {Table} table @param {Entry} entry */
function checkSeals(table, { kind, body }) {
  if (!EVENTFUL.includes(kind)) return;
  const due = table.created.hidden ? table.seats.length + 1 : 0;
  if ((body.seals?.length ?? 0) !== due) throw new BadRecord("wrong-seals", `expected ${due} seals`);
}

// --- signatures ------------------------------------------------------------------------------------------------------

/** @typedef {{act: Record<string, any>, kid: string, coming: Key[], claim: Claim}} Signed */

/**
 * The act that the entry logs; null if the server alone wrote it.
 * @param {Table} table
 * @param {Entry} entry
 * @returns {Promise<Signed | null>}
 */
async function readSigned(table, entry) {
  if (entry.body.jws === undefined || entry.body.jws === null) return null;
  const jws = readJws(entry.body.jws);
  const act = readAct(jws.payload);
  checkFits(table, entry, act);
  const coming = await brings(act);
  const key = act.key ? newKey(jws.kid, coming) : seatKey(table, act, jws.kid);
  return { act, kid: jws.kid, coming, claim: { key, input: jws.input, signature: jws.signature, seq: entry.seq } };
}

/** @param {Table} table @param {Entry} entry @param {Record<string, any>} act */
function checkFits(table, { kind, seq, body }, act) {
  if (act.act !== ACT_OF[kind]) throw new BadRecord("wrong-act", `an entry of kind ${kind} does not log a ${act.act}`);
  const due = [table.created.server, body.game, body.seat, seq, body.prev, body.bot];
  const wrong = SAID.find((name, at) => act[name] !== due[at]);
  if (wrong) throw new BadRecord(`wrong-${wrong}`, `the signed ${wrong} differs from that of the entry`);
  if (kind === "moved" && table.created.hidden !== "sealed" in act) {
    throw new BadRecord("wrong-form", "a move must be sealed in a hidden game, and in no other");
  }
}

/** @param {string} kid @param {Key[]} coming */
function newKey(kid, coming) {
  const found = coming[0];
  if (!found || found[0] !== kid) {
    throw new BadRecord("wrong-key", "a join or a take must be signed with the key in it");
  }
  return found[1];
}

/** @param {Table} table @param {Record<string, any>} act @param {string} kid */
function seatKey(table, act, kid) {
  const holder = table.seats[act.seat]?.holder;
  const own = holder?.keys.find(([name]) => name === kid);
  if (own) return own[1];
  if (holder?.recovery?.[0] !== kid) {
    throw new BadRecord("unknown-key", `the key ${kid} is not an active key of seat ${act.seat + 1}`);
  }
  if (act.act !== "key" && act.act !== "offer") {
    throw new BadRecord("recovery-only", "a recovery key can only change keys and offer its seat");
  }
  return holder.recovery[1];
}

/** The new keys in an act: device keys, then the recovery key. @param {Record<string, any>} act */
export const brings = async (act) =>
  Promise.all([act.key, act.add, ...(act.only ?? []), act.recovery].filter((key) => key).map(pair));

/** @param {any} jwk @returns {Promise<Key>} */
const pair = async (jwk) => [await thumbprint(jwk), publicKey(jwk)];

/** @param {Entry} entry @param {Signed | null} signed @returns {Ask} */
function asked({ kind, at, body }, signed) {
  const seats = body.seats && kind === "granted" ? body.seats : "seat" in body ? [body.seat] : [];
  const sealed = signed ? "sealed" in signed.act : "sealed" in body;
  const { act = null, kid = "", coming = [] } = signed ?? {};
  return { kind, seat: seats[0] ?? 0, seats, act, kid, coming, at: secondsOf(at), sealed, body };
}

// --- changes by an entry ---------------------------------------------------------------------------------------------

/** @param {Table} table @param {Entry} entry @param {Ask} ask @returns {Promise<Table>} */
async function noted(table, entry, ask) {
  const { body } = entry;
  const next = { ...table, size: table.size + 1, head: entry.hash, at: entry.at, seats: [...table.seats] };
  CHANGES[entry.kind]?.(next, ask, entry);
  if (ask.act) signedFor(next, ask);
  if (entry.kind === "started") next.entropy = await entropy(table);
  if (body.draws) Object.assign(next, { draw: body.draws.first + body.draws.got.length, shown: body.draws.key });
  if (body.outcome) next.stage = "finished";
  return next;
}

/** @param {Table} table @param {{seat: number}} ask @param {Partial<Seat>} change */
function change(table, { seat }, change) {
  table.seats[seat] = { .../** @type {Seat} */ (table.seats[seat]), ...change };
}

/** @param {Table} table @param {{seat: number}} ask @returns {Seat} */
const own = (table, { seat }) => /** @type {Seat} */ (table.seats[seat]);

/** @type {Record<string, (table: Table, ask: Ask, entry: Entry) => void>} */
const CHANGES = {
  joined: (table, ask, entry) => {
    held(table, ask, entry);
    table.joins += 1;
  },
  left: (table, ask) => change(table, ask, { holder: null }),
  started: (table, { at }) => {
    table.stage = "running";
    table.seats = table.seats.map((seat) => ({ ...seat, start: at, asked: at }));
  },
  moved: (table, ask) => {
    there(table, ask);
    change(table, ask, { asked: ask.at });
  },
  keyed: (table, ask) => {
    rekeyed(table, ask);
    there(table, ask);
  },
  offered: (table, ask) => {
    there(table, ask);
    change(table, ask, { holder: offered(/** @type {Holder} */ (own(table, ask).holder), ask) });
  },
  taken: (table, ask, entry) => {
    const since = offeredFrom(table, ask.seat);
    if (since !== null && since <= ask.at) change(table, ask, { missed: 0 });
    else there(table, ask);
    held(table, ask, entry);
    change(table, ask, { takes: own(table, ask).takes + 1 });
  },
  resigned: (table, ask) => {
    const { holder } = own(table, ask);
    change(table, ask, { gone: true, holder: holder && { ...holder, offer: null } });
  },
  granted: (table, { seats }, { body }) => {
    if (body.why === OUTAGE) return;
    table.grants += 1;
    for (const seat of seats) change(table, { seat }, { given: own(table, { seat }).given + body.seconds });
  },
  restored: (table, _ask, { seq, body: { size, hash } }) => {
    table.lost = [...table.lost, { seq, size, hash }];
  },
  expired: (table, ask) => change(table, ask, { missed: own(table, ask).missed + 1, start: ask.at, asked: ask.at }),
  cancelled: (table) => void (table.stage = "cancelled"),
};

/**
 * The seat with a new holder and their keys, without any earlier keys.
 * @param {Table} table
 * @param {Ask} ask
 * @param {Entry} entry
 */
function held(table, ask, { seq }) {
  const { act, coming, kid } = ask;
  const [key, recovery = null] = coming;
  /** @type {Holder} */
  const holder = {
    bot: act?.bot,
    kid,
    nonce: act?.nonce ?? null,
    since: seq,
    keys: key ? [key] : [],
    recovery,
    added: 0,
    recoveries: 0,
    offers: [0, 0],
    offer: null,
    signed: [],
  };
  change(table, ask, { holder });
}

/** @param {Table} table @param {Ask} ask */
function rekeyed(table, ask) {
  const holder = /** @type {Holder} */ (own(table, ask).holder);
  const { act, coming } = ask;
  const next = { ...holder };
  if (act?.drop) next.keys = holder.keys.filter(([name]) => name !== act.drop);
  else if (act?.add) Object.assign(next, { keys: [...holder.keys, ...coming], added: holder.added + 1 });
  else {
    next.recoveries += 1;
    if (act?.recovery) next.recovery = coming.at(-1) ?? null;
    if (act?.only) Object.assign(next, { keys: coming.slice(0, act.only.length), offer: null });
  }
  change(table, ask, { holder: next });
}

/** @param {Holder} holder @param {Ask} ask @returns {Holder} */
function offered(holder, { act, kid, at }) {
  if (!act?.open) return { ...holder, offer: null };
  const hastened = recovers(holder, kid);
  const [device, recovery] = holder.offers;
  return {
    ...holder,
    offers: hastened ? [device, recovery + 1] : [device + 1, recovery],
    offer: { at: holder.offer?.at ?? at, hastened },
  };
}

/** Records that this key has signed for the seat. @param {Table} table @param {Ask} ask */
function signedFor(table, ask) {
  const { holder, signed } = own(table, ask);
  const also = (/** @type {string[]} */ kids) => (kids.includes(ask.kid) ? kids : [...kids, ask.kid]);
  change(table, ask, { signed: also(signed), holder: holder && { ...holder, signed: also(holder.signed) } });
}

/**
 * The seat has signed an act, so it is not absent; if it was, its stretch begins anew.
 * @param {Table} table
 * @param {Ask} ask
 */
function there(table, ask) {
  const start = absent(table, ask.seat) ? ask.at : own(table, ask).start;
  change(table, ask, { missed: 0, start });
}

// --- seats and keys --------------------------------------------------------------------------------------------------

/**
 * The seat of this key: the one for which it has signed, or the one that its account names *and* that lists it. A
 * listing alone proves nothing, since anyone can list any key. Null: none, or more than one.
 * @param {Table} table @param {string} kid @param {number | null} [named] by the account, or its user
 */
export function seatOf({ seats }, kid, named = null) {
  const listed = [...seats.keys()].filter((seat) => lists(seats[seat]?.holder, kid));
  const signed = listed.filter((seat) => seats[seat]?.holder?.signed.includes(kid));
  if (signed.length === 1) return signed[0] ?? null;
  return named !== null && listed.includes(named) ? named : null;
}

/** @param {Holder | null | undefined} holder @param {string} kid */
const lists = (holder, kid) =>
  Boolean(holder) && (holder?.keys.some(([name]) => name === kid) || recovers(holder, kid));

/** The seat for which this key has signed, now or once. @param {Table} table @param {string} kid */
export const signedBy = (table, kid) => number(table.seats.findIndex(({ signed }) => signed.includes(kid)));

/** Seats that can be joined, or taken over at this time, in seconds. @param {Table} table @param {number} at */
export const open = (table, at) => [...table.seats.keys()].filter((seat) => (freeFrom(table, seat) ?? Infinity) <= at);

/** @param {number} found */
const number = (found) => (found < 0 ? null : found);

/** The bytes of the server's key. @param {Table} table */
export const serverKey = (table) => unb64(table.created.server_key, 32);
