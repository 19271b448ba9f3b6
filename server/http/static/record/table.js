// What all entries of a log say together: the seats, their holders and keys, and what may follow (docs/spec/record.md,
// 4.2).
//
// A table is a value: `begin` makes it from entry 0, `follow` gives the next one or throws BadRecord with the code of
// the law that is broken. Signatures are claimed here and verified by the caller, all at once. Everything is checked
// but what needs the rules of the game: its events and states, and whose answer is due.
import { BadRecord, unb64 } from "./canonical.js";
import { checkDraws, checkSecret, entropy } from "./draws.js";
import { publicKey } from "./ed25519.js";
import { readAct, read as readJws } from "./jws.js";
import { thumbprint } from "./jwk.js";
import { absent, free, LAWS } from "./laws.js";
import { secondsOf } from "./shapes.js";

/** @typedef {import("./entry.js").Entry} Entry */
/** @typedef {[string, Uint8Array<ArrayBuffer>]} Key its kid and its bytes */
/**
 * @typedef {{bot: boolean, kid: string, nonce: string | null, since: number, keys: Key[], recovery: Key | null,
 *   added: number, restored: number, open: boolean}} Holder
 */
/**
 * @typedef {{holder: Holder | null, held: string[], offers: number, takes: number, missed: number, start: number,
 *   asked: number, gone: boolean}} Seat `start`, `asked`: the earliest that a stretch and a question can have begun
 */
/**
 * @typedef {{size: number, head: string, at: string, created: Record<string, any>, origin: string, stage: "lobby" |
 *   "running" | "finished" | "cancelled", seats: Seat[], joins: number, draw: number, shown: string,
 *   entropy: Uint8Array<ArrayBuffer> | null}} Table
 */
/**
 * @typedef {{key: Uint8Array<ArrayBuffer>, input: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>,
 *   seq: number}} Claim
 */
/**
 * @typedef {{kind: string, seat: number, seats: number[], act: Record<string, any> | null, kid: string, coming: Key[],
 *   at: number, sealed: boolean}} Ask an entry that wants to follow
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
  if (entry.kind !== "created") throw new BadRecord("bad-first", "a log begins with the entry `created`");
  const seat = { holder: null, held: [], offers: 0, takes: 0, missed: 0, start: 0, asked: 0, gone: false };
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
    draw: 1,
    shown: entry.body.chance.chain,
    entropy: null,
  };
}

/**
 * The table with this entry, and the signature that must hold for it.
 * @param {Table} table
 * @param {Entry} entry
 * @param {boolean} [trusted] were its dice checked when it came?
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
  if (body.game !== table.created.game) throw new BadRecord("wrong-game", "the entry is of another game");
  if (seq !== table.size) throw new BadRecord("wrong-seq", `entry ${table.size} is due here, not ${seq}`);
  if (body.prev !== table.head) throw new BadRecord("broken-chain", "prev is not the hash of the entry before");
  if (at < table.at) {
    throw new BadRecord("time-goes-back", `${at} lies before ${table.at}, the time of the entry before`);
  }
}

/** @param {Table} table @param {Entry} entry */
function checkSeals(table, { kind, body }) {
  if (!EVENTFUL.includes(kind)) return;
  const due = table.created.hidden ? table.seats.length + 1 : 0;
  if ((body.seals?.length ?? 0) !== due) throw new BadRecord("wrong-seals", `${due} seals are due here`);
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
  const coming = await Promise.all([act.key, act.add, act.recovery].filter((key) => key).map(pair));
  const key = act.key ? newKey(jws.kid, coming) : seatKey(table, act, jws.kid);
  return { act, kid: jws.kid, coming, claim: { key, input: jws.input, signature: jws.signature, seq: entry.seq } };
}

/** @param {Table} table @param {Entry} entry @param {Record<string, any>} act */
function checkFits(table, { kind, seq, body }, act) {
  if (act.act !== ACT_OF[kind]) throw new BadRecord("wrong-act", `an entry of kind ${kind} does not log a ${act.act}`);
  const due = [table.created.server, body.game, body.seat, seq, body.prev, body.bot];
  const wrong = SAID.find((name, at) => act[name] !== due[at]);
  if (wrong) throw new BadRecord(`wrong-${wrong}`, `the signed ${wrong} is not that of the entry`);
  if (kind === "moved" && table.created.hidden !== "sealed" in act) {
    throw new BadRecord("wrong-form", "a move is sealed in a hidden game and only there");
  }
}

/** @param {string} kid @param {Key[]} coming */
function newKey(kid, coming) {
  const found = coming[0];
  if (!found || found[0] !== kid) {
    throw new BadRecord("wrong-key", "a join or a take is signed with the key that it brings");
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
  if (act.act !== "key") {
    throw new BadRecord("recovery-only", "a recovery key signs key acts of its seat and nothing else");
  }
  return holder.recovery[1];
}

/** @param {any} jwk @returns {Promise<Key>} */
export const pair = async (jwk) => [await thumbprint(jwk), publicKey(jwk)];

/** @param {Entry} entry @param {Signed | null} signed @returns {Ask} */
function asked({ kind, at, body }, signed) {
  const seats = body.seats && kind === "granted" ? body.seats : "seat" in body ? [body.seat] : [];
  const sealed = signed ? "sealed" in signed.act : "sealed" in body;
  const { act = null, kid = "", coming = [] } = signed ?? {};
  return { kind, seat: seats[0] ?? 0, seats, act, kid, coming, at: secondsOf(at), sealed };
}

// --- what an entry changes -------------------------------------------------------------------------------------------

/** @param {Table} table @param {Entry} entry @param {Ask} ask @returns {Promise<Table>} */
async function noted(table, entry, ask) {
  const { body } = entry;
  const next = { ...table, size: table.size + 1, head: entry.hash, at: entry.at, seats: [...table.seats] };
  CHANGES[entry.kind]?.(next, ask, entry);
  if (entry.kind === "started") next.entropy = await entropy(table);
  if (body.draws) Object.assign(next, { draw: body.draws.first + body.draws.got.length, shown: body.draws.key });
  if (body.outcome) next.stage = "finished";
  return next;
}

/** @param {Table} table @param {Ask} ask @param {Partial<Seat>} change */
function change(table, { seat }, change) {
  table.seats[seat] = { .../** @type {Seat} */ (table.seats[seat]), ...change };
}

/** @param {Table} table @param {Ask} ask @returns {Seat} */
const own = (table, { seat }) => /** @type {Seat} */ (table.seats[seat]);

/** @type {Record<string, (table: Table, ask: Ask, entry: Entry) => void>} */
const CHANGES = {
  joined: (table, ask, entry) => {
    held(table, ask, entry);
    table.joins += 1;
  },
  left: (table, ask) => change(table, ask, { holder: null, held: [] }), // its keys may come again
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
    const holder = /** @type {Holder} */ (own(table, ask).holder);
    there(table, ask);
    change(table, ask, {
      holder: { ...holder, open: ask.act?.open },
      offers: own(table, ask).offers + Number(ask.act?.open),
    });
  },
  taken: (table, ask, entry) => {
    if (own(table, ask).holder?.open) change(table, ask, { missed: 0 });
    else there(table, ask);
    held(table, ask, entry);
    change(table, ask, { takes: own(table, ask).takes + 1 });
  },
  resigned: (table, ask) => {
    const { holder } = own(table, ask);
    change(table, ask, { gone: true, holder: holder && { ...holder, open: false } });
  },
  expired: (table, ask) => change(table, ask, { missed: own(table, ask).missed + 1, start: ask.at, asked: ask.at }),
  cancelled: (table) => void (table.stage = "cancelled"),
};

/**
 * The seat in new hands, with the keys that come with them and none of those before.
 * @param {Table} table
 * @param {Ask} ask
 * @param {Entry} entry
 */
function held(table, ask, { seq }) {
  const { act, coming, kid } = ask;
  const [key, recovery = null] = coming;
  const since = { bot: act?.bot, kid, nonce: act?.nonce ?? null, since: seq, added: 0, restored: 0, open: false };
  const holder = { ...since, keys: key ? [key] : [], recovery };
  change(table, ask, { holder, held: [...own(table, ask).held, ...coming.map(([name]) => name)] });
}

/** What the recovery key brings is counted apart. @param {Table} table @param {Ask} ask */
function rekeyed(table, ask) {
  const holder = /** @type {Holder} */ (own(table, ask).holder);
  const { act, coming, kid } = ask;
  const by = holder.recovery?.[0] === kid ? "restored" : "added";
  const next = act?.drop ? { ...holder } : { ...holder, [by]: holder[by] + 1 };
  if (act?.drop) next.keys = holder.keys.filter(([name]) => name !== act.drop);
  else if (act?.recovery) next.recovery = coming[0] ?? null;
  else next.keys = [...holder.keys, ...coming];
  change(table, ask, { holder: next, held: [...own(table, ask).held, ...coming.map(([name]) => name)] });
}

/**
 * The seat has signed something, so it is not absent; if it was, its stretch begins anew.
 * @param {Table} table
 * @param {Ask} ask
 */
function there(table, ask) {
  const start = absent(table, ask.seat) ? ask.at : own(table, ask).start;
  change(table, ask, { missed: 0, start });
}

// --- seats and keys --------------------------------------------------------------------------------------------------

/** The seat for which this key signs; null if none. @param {Table} table @param {string} kid */
export const playedBy = (table, kid) => where(table, (holder) => holder.keys.some(([name]) => name === kid));

/** The seat whose recovery key this is. @param {Table} table @param {string} kid */
export const recoveredBy = (table, kid) => where(table, (holder) => holder.recovery?.[0] === kid);

/** The seat that this key holds or has held. @param {Table} table @param {string} kid */
export const heldBy = (table, kid) => number(table.seats.findIndex((seat) => seat.held.includes(kid)));

/** Seats that can be joined or taken over now. @param {Table} table */
export const open = (table) => [...table.seats.keys()].filter((seat) => free(table, seat));

/** @param {Table} table @param {(holder: Holder) => boolean} is */
const where = (table, is) => number(table.seats.findIndex(({ holder }) => holder !== null && is(holder)));

/** @param {number} found */
const number = (found) => (found < 0 ? null : found);

/** The bytes of the server's key. @param {Table} table */
export const serverKey = (table) => unb64(table.created.server_key, 32);
