// Sends signed acts, one after the other; each is stored in this browser until its result is known.
import * as api from "../api/api.js";
import { ACT, sign } from "../keys/device-key.js";
import { LAWS } from "../record/laws.js";
import { VerificationError } from "../record/verification-error.js";
import { clock, oddOwn, warned } from "./memory.js";
import { brings } from "../record/table.js";
import { read } from "../record/jws.js";

/** @typedef {import("./checked-game.js").CheckedGame} Game */
/** @typedef {import("./checked-game.js").Checked} Checked */
/** @typedef {import("../record/entry.js").Entry} Entry */
/** @typedef {import("../record/table.js").Table} Table */
/** @typedef {import("../keys/device-key.js").Signer} Signer */
/** @typedef {import("./memory.js").Memory} Memory */
/** @typedef {import("./memory.js").Pending} Pending */
/** @typedef {{seq: number, hash: string}} Head */
/**
 * @typedef {{either?: boolean, unsigned?: boolean, odd?: boolean, words?: string}} Consent the player's consent that
 *   an earlier act may be logged instead, to unsigned moves at the table, to odd times. `words`: the act as they saw it
 */
/**
 * @typedef {{act: string, signer: Signer, seat: (table: Table) => number, body: (table: Table) =>
 *   Promise<{body: object, text?: string}>, says: string, head?: Head | null}} Intent
 */
/** @typedef {{act: Pending, entry?: Entry, problem?: Error}} Outcome the result of an act that was sent again */

/** @type {Record<string, [string, string]>} by act: its path, and the kind of entry that logs it */
const ACTS = {
  join: ["join", "joined"],
  leave: ["leave", "left"],
  move: ["moves", "moved"],
  resign: ["resign", "resigned"],
  key: ["keys", "keyed"],
  offer: ["offer", "offered"],
  take: ["take", "taken"],
};
const RACES = 8;
const TRIES = 5;
const MOST_UNSETTLED = 8;
const FAR = 120; // seconds by which a device's clock may differ from the server's before we ask
const LONGEST_PAUSE = 60;

/**
 * Nothing was signed, through nobody's fault. `code`: no-key, no-seat, seat-gone, stale, unsettled, not-yet,
 * wrong-clock, odd-times, held-up, unsigned-table, game-full, not-free.
 */
export class NotSigned extends Error {
  /** @param {string} code @param {string} says @param {Record<string, any>} [facts] */
  constructor(code, says, facts = {}) {
    super(says);
    this.name = "NotSigned";
    this.code = code;
    this.facts = facts;
  }
}

/** It is signed but was not answered: it is stored here and sent again, byte for byte, before anything else is done. */
export class NotSent extends Error {
  /** @param {string} why */
  constructor(why) {
    super(`${why} Your signed move is kept in this browser and is sent again as soon as the server answers.`);
    this.name = "NotSent";
    this.code = "not-sent";
  }
}

/**
 * Signs on the head, and again on a new head if another entry came first and the act still means the same. If that act
 * was sent before and is only now found in the log, or logged, it is the result.
 * @param {Game} game
 * @param {Intent} intent
 * @param {Consent} consent
 * @returns {Promise<Entry>}
 */
export function signAndSend(game, intent, consent) {
  return alone(game, async (memory) => {
    const sent = (await resend(game, memory)).find(({ act, entry }) => entry && isSame(act, intent));
    if (sent?.entry) return sent.entry;
    for (let race = 0; race < RACES; race += 1) {
      const checked = await game.check();
      await ready(game, memory, checked, consent);
      if (race === 0 && intent.head) fresh(game, intent.head);
      const act = await signed(game, checked.table, intent);
      await onlyOne(memory, act, consent);
      try {
        return await deliver(game, memory, act);
      } catch (error) {
        if (!sameMeaning(game, checked.table, act, error)) throw staled(game, act, error);
      }
    }
    throw new NotSigned("stale", `Other entries were logged first ${RACES} times in a row. Try again.`);
  });
}

/**
 * Is this the act that is intended, for a position before it was logged? Acts about keys have the same words for any
 * key.
 * @param {Pending} sent @param {Intent} intent
 */
const isSame = (sent, { act, says, head }) =>
  act !== "key" && sent.act === act && sent.says === says && (head?.seq ?? -1) < sent.seq;

/** Sends unanswered acts again; returns the results. @param {Game} game @returns {Promise<Outcome[]>} */
export const again = (game) => alone(game, (memory) => resend(game, memory));

/**
 * Sends unanswered acts again, when the browser is online again and after growing pauses, until `signal` ends it or a
 * check of the log fails.
 * @param {Game} game @param {(became: Outcome[]) => void} tell @param {AbortSignal} signal
 */
export async function keepSending(game, tell, signal) {
  for (let pause = 2; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    const became = await again(game).catch(unlessBroken);
    if (became.length) tell(became);
    if (!(await (await game.memory()).pending()).some((act) => act.refused === null)) return;
    await wait(pause, signal);
  }
}

/** @param {unknown} error @returns {Outcome[]} */
function unlessBroken(error) {
  if (error instanceof VerificationError) throw error;
  return [];
}

/** @template T @param {Game} game @param {(memory: Memory) => Promise<T>} work @returns {Promise<T>} */
const alone = async (game, work) =>
  navigator.locks.request(
    `sealedmove-act-${game.account}-${game.id}`,
    /** @returns {Promise<any>} */ async () => work(await game.memory()),
  );

// --- before anything is signed ---------------------------------------------------------------------------------------

/** @param {Game} game @param {Memory} memory @param {Checked} checked @param {Consent} consent */
async function ready(game, memory, checked, consent) {
  const { table, waits, ahead, skew, odd } = checked;
  if (waits) {
    throw new NotSigned(
      "held-up",
      "The server has signed for more entries of this game than it shows. Wait until it shows them.",
    );
  }
  if (Math.abs(skew) > FAR && !consent.odd) throw wrongClock(skew);
  if (ahead) {
    const dated = clock(Date.parse(table.at) / 1000);
    const says =
      `The last entry is dated ${dated}, which is ${inWords(ahead)} in the future by this device's clock. Set the ` +
      `clock, or wait.`;
    throw new NotSigned("not-yet", says, { seconds: ahead });
  }
  if (odd.length && !consent.odd) throw new NotSigned("odd-times", odd.join(" "), { warnings: odd });
  if (consent.odd && odd.length) await memory.keep({ odd: [] });
  const { unsigned } = await memory.kept();
  if (table.created.unsigned && !unsigned && !consent.unsigned) {
    throw new NotSigned(
      "unsigned-table",
      "This table accepts unsigned moves, for example by email. Only the server vouches for their author.",
    );
  }
  if (consent.unsigned && !unsigned) await game.agree();
}

/** @param {number} skew */
function wrongClock(skew) {
  const off = inWords(Math.abs(skew));
  const says =
    skew > 0
      ? `This device's clock is ${off} ahead of the server's. Set it before you sign: the log is checked against it.`
      : `This device's clock is ${off} behind the server's. Set it before you sign: the log is checked against it.`;
  return new NotSigned("wrong-clock", says, { seconds: skew });
}

/** @param {number} seconds */
const inWords = (seconds) => {
  const [count, unit] = seconds < 90 ? [seconds, "second"] : [seconds / 60, "minute"];
  const shown = { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 0 };
  return new Intl.NumberFormat("en", /** @type {Intl.NumberFormatOptions} */ (shown)).format(count);
};

/**
 * Checks that the draft's position is still valid; VerificationError if it is not in this log.
 * @param {Game} game
 * @param {Head} head
 */
function fresh(game, { seq, hash }) {
  if (game.hashes[seq] !== hash) {
    const says = "The position shown here follows an entry that is not in the log.";
    throw new VerificationError("other-view", says, { expected: game.hashes[seq], found: hash, seq });
  }
  const missed = game.entries.slice(seq + 1);
  if (missed.some(changesPosition)) {
    throw new NotSigned("stale", "The game has moved on. Check the new position.", { entries: missed });
  }
}

/** @param {Entry} entry */
const changesPosition = ({ body }) => "events" in body;

/** @param {Game} game @param {Table} table @param {Intent} intent @returns {Promise<Pending>} */
async function signed(game, table, { act, signer, seat, body, says }) {
  const place = { v: 1, aud: game.host, game: game.id, act, seat: seat(table), seq: table.size, prev: table.head };
  const { body: more, text } = await body(table);
  const jws = await sign(signer, { ...place, ...more }, ACT);
  return { jws, act, seq: table.size, sent: game.now(), refused: null, says, ...(text === undefined ? {} : { text }) };
}

/**
 * Checks that no other act is unsettled for this place, unless the player knows of it.
 * @param {Memory} memory
 * @param {Pending} act
 * @param {Consent} consent
 */
async function onlyOne(memory, act, consent) {
  const others = (await memory.pending()).filter((one) => one.jws !== act.jws);
  if (!others.length) return;
  const answered = others.every((one) => one.refused !== null);
  if (consent.either && answered && others.length < MOST_UNSETTLED) return;
  const acts = others.map(({ says, refused }) => ({ says, refused }));
  const was = acts
    .map(({ says, refused }) => (refused === null ? `“${says}” (no answer)` : `“${says}” (refused: ${refused})`))
    .join("; ");
  const says = `You have already signed a move for this position: ${was}. It may still be logged instead of this one.`;
  throw new NotSigned("unsettled", says, { acts, answered });
}

// --- sending ---------------------------------------------------------------------------------------------------------

/** @param {Game} game @param {Memory} memory @returns {Promise<Outcome[]>} */
async function resend(game, memory) {
  const kept = await memory.pending();
  if (!kept.length) return [];
  await game.check();
  const became = [];
  for (const act of kept) {
    try {
      const entry =
        (await settled(game, memory, act)) ?? (act.refused === null ? await deliver(game, memory, act) : null);
      if (entry) became.push({ act, entry });
    } catch (error) {
      if (!(error instanceof api.Problem || error instanceof NotSigned)) throw error;
      became.push({ act, problem: error });
    }
  }
  return became;
}

/**
 * Sends until the result is known.
 * @param {Game} game
 * @param {Memory} memory
 * @param {Pending} act
 * @returns {Promise<Entry>}
 */
async function deliver(game, memory, act) {
  await memory.sign({ ...act, refused: null });
  let says = "";
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    let pause = 0.3 * 2 ** attempt;
    try {
      const path = `/v1/games/${game.id}/${ACTS[act.act]?.[0]}`;
      const body = act.text === undefined ? { jws: act.jws } : { jws: act.jws, text: act.text };
      return await confirmed(game, memory, act, await api.post(path, body, { anonymous: true }));
    } catch (error) {
      if (error instanceof api.Problem && error.code !== "lines-missing") return refused(game, memory, act, error);
      if (!(error instanceof api.NoAnswer || error instanceof api.Problem)) throw error;
      says = error.message;
      if (error instanceof api.NoAnswer && error.pause !== null) pause = Math.min(error.pause, LONGEST_PAUSE);
    }
    const entry = await looked(game, memory, act);
    if (entry) return entry;
    await wait(pause);
  }
  throw new NotSent(says);
}

/**
 * Settles the act by the entry at its place, if the log can be read.
 * @param {Game} game
 * @param {Memory} memory
 * @param {Pending} act
 */
async function looked(game, memory, act) {
  try {
    await game.check();
  } catch (error) {
    if (error instanceof api.NoAnswer || error instanceof api.Problem) return null;
    throw error;
  }
  return settled(game, memory, act);
}

/**
 * Our act as it was logged.
 * @param {Game} game
 * @param {Memory} memory
 * @param {Pending} act
 * @param {any} answer
 * @returns {Promise<Entry>}
 */
async function confirmed(game, memory, act, answer) {
  if (typeof answer?.entry !== "string" || typeof answer?.note !== "string") {
    throw new api.NoAnswer("The server's answer does not contain an entry.");
  }
  if (game.hashes.length < act.seq) await game.check();
  await game.take([answer.entry], answer.note, { sent: act.jws });
  const entry = await settled(game, memory, act, false);
  if (entry) return entry;
  const says = `The server claims to have logged your move, but entry ${act.seq} is a different one.`;
  throw await game.block(
    new VerificationError("other-answer", says, {
      expected: act.jws,
      found: game.entries[act.seq]?.line,
      seq: act.seq,
    }),
  );
}

/**
 * If the place is taken: by our act, which is the result, or by another entry, which means that ours is not logged.
 * @param {Game} game
 * @param {Memory} memory
 * @param {Pending} act
 * @param {boolean} [aloud]
 * @returns {Promise<Entry | null>}
 */
async function settled(game, memory, act, aloud = true) {
  const entry = game.entries[act.seq];
  if (!entry) return null;
  for (const one of [act, ...(await memory.pending())]) if (game.entries[one.seq]) await memory.settle(one);
  if (entry.body.jws === act.jws) {
    const odd = oddOwn(entry, act.sent, game.now());
    if (odd.length) await memory.keep({ odd: warned((await memory.kept()).odd, odd) });
    return entry;
  }
  if (!aloud) return null;
  throw new NotSigned("stale", "Another entry was logged first, so your move was not logged. Check the new position.", {
    entries: [entry],
  });
}

/**
 * Decides what a refusal means, after reading the log at the place.
 * @param {Game} game
 * @param {Memory} memory
 * @param {Pending} act
 * @param {api.Problem} no
 * @returns {Promise<Entry>}
 */
async function refused(game, memory, act, no) {
  await memory.sign({ ...act, refused: no.code });
  const { table } = await game.check();
  const entry = game.entries[act.seq];
  if (entry?.body.jws === act.jws) {
    return /** @type {Promise<Entry>} */ (settled(game, memory, act)); // refused, but logged nevertheless
  }
  if (entry || (await isIllegal(table, act))) await memory.settle(act);
  throw no;
}

/**
 * Do the laws that a page knows also refuse it? Then nobody can log it.
 * @param {Table} table
 * @param {Pending} act
 */
async function isIllegal(table, { jws, act, seq }) {
  const { payload, kid } = read(jws);
  const kind = ACTS[act]?.[1] ?? "";
  const coming = await brings(payload);
  const ask = {
    kind,
    seat: payload.seat,
    seats: [payload.seat],
    act: payload,
    kid,
    coming,
    at: Infinity,
    sealed: "sealed" in payload,
  };
  return seq !== table.size || LAWS.some((law) => law.kinds.includes(kind) && law.broken(table, ask));
}

/**
 * May it be signed again on the new head? The server must agree, and as far as a page can see, nothing may have been
 * played in between: in an open game at all, in a hidden one, where all may move at once, by our seat.
 * @param {Game} game @param {Table} before @param {Pending} act @param {unknown} error
 */
function sameMeaning(game, before, { act, seq, jws }, error) {
  const isStale =
    (error instanceof api.Problem && error.code === "stale-head") ||
    (error instanceof NotSigned && error.code === "stale");
  if (!isStale || game.entries.length <= seq) return false;
  if (act !== "move") return true;
  if (error instanceof api.Problem ? error.extra.unchanged !== true : true) return false;
  const { seat } = read(jws).payload;
  const missed = game.entries.slice(seq);
  return !missed.some(
    (entry) =>
      changesPosition(entry) && (!before.created.hidden || entry.body.seat === seat || entry.kind === "started"),
  );
}

/** @param {Game} game @param {Pending} act @param {unknown} error */
function staled(game, { seq }, error) {
  if (!(error instanceof api.Problem) || error.code !== "stale-head") return error;
  return new NotSigned("stale", "The game has moved on. Check the new position before you sign.", {
    entries: game.entries.slice(seq),
  });
}

/**
 * Waits this long, or until the browser is online again or the signal aborts.
 * @param {number} seconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
const wait = (seconds, signal) =>
  new Promise((go) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      go();
    };
    const timer = setTimeout(done, seconds * 1000);
    addEventListener("online", done);
    signal?.addEventListener("abort", done);
  });
