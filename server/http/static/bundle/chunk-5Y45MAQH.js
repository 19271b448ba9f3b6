import {
  LAWS,
  VerificationError,
  ahead,
  binary32,
  brings,
  checkContinues,
  entries,
  find,
  host,
  instant,
  isLost,
  judge,
  list,
  noteOf,
  nullable,
  open,
  publicKey,
  read,
  read2,
  seatOf,
  shape,
  signedBy,
  text,
  verify
} from "./chunk-XG3CP7JW.js";
import {
  ACT,
  mine,
  recoveryOf,
  sign
} from "./chunk-J374VYKZ.js";
import {
  NoAnswer,
  Problem,
  ask,
  get,
  post
} from "./chunk-KHBG72CQ.js";
import {
  BadRecord,
  Memory,
  b64,
  bytes,
  clock,
  domain,
  isObject,
  joined,
  looked,
  odd,
  oddOwn,
  random,
  sha256,
  thumbprint,
  unb64,
  warned,
  write
} from "./chunk-WTO7KCRN.js";

// server/http/static/game/outbox.js
var ACTS = {
  join: ["join", "joined"],
  leave: ["leave", "left"],
  move: ["moves", "moved"],
  resign: ["resign", "resigned"],
  key: ["keys", "keyed"],
  offer: ["offer", "offered"],
  take: ["take", "taken"]
};
var RACES = 8;
var TRIES = 5;
var MOST_UNSETTLED = 8;
var FAR = 120;
var LONGEST_PAUSE = 60;
var NotSigned = class extends Error {
  /** @param {string} code @param {string} says @param {Record<string, any>} [facts] */
  constructor(code, says, facts = {}) {
    super(says);
    this.name = "NotSigned";
    this.code = code;
    this.facts = facts;
  }
};
var NotSent = class extends Error {
  /** @param {string} why */
  constructor(why) {
    super(`${why} Your signed move is kept in this browser and is sent again as soon as the server answers.`);
    this.name = "NotSent";
    this.code = "not-sent";
  }
};
function signAndSend(game, intent, consent) {
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
var isSame = (sent, { act, says, head }) => act !== "key" && sent.act === act && sent.says === says && (head?.seq ?? -1) < sent.seq;
var again = (game) => alone(game, (memory) => resend(game, memory));
async function keepSending(game, tell, signal) {
  for (let pause = 2; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    const became = await again(game).catch(unlessBroken);
    if (became.length) tell(became);
    if (!(await (await game.memory()).pending()).some((act) => act.refused === null)) return;
    await wait(pause, signal);
  }
}
function unlessBroken(error) {
  if (error instanceof VerificationError) throw error;
  return [];
}
var alone = async (game, work) => navigator.locks.request(
  `sealedmove-act-${game.account}-${game.id}`,
  /** @returns {Promise<any>} */
  async () => work(await game.memory())
);
async function ready(game, memory, checked, consent) {
  const { table, waits, ahead: ahead2, skew: skew2, odd: odd2 } = checked;
  if (waits) {
    throw new NotSigned(
      "held-up",
      "The server has signed for more entries of this game than it shows. Wait until it shows them."
    );
  }
  if (Math.abs(skew2) > FAR && !consent.odd) throw wrongClock(skew2);
  if (ahead2) {
    const dated = clock(Date.parse(table.at) / 1e3);
    const says = `The last entry is dated ${dated}, which is ${inWords(ahead2)} in the future by this device's clock. Set the clock, or wait.`;
    throw new NotSigned("not-yet", says, { seconds: ahead2 });
  }
  if (odd2.length && !consent.odd) throw new NotSigned("odd-times", odd2.join(" "), { warnings: odd2 });
  if (consent.odd && odd2.length) await memory.keep({ odd: [] });
  const { unsigned } = await memory.kept();
  if (table.created.unsigned && !unsigned && !consent.unsigned) {
    throw new NotSigned(
      "unsigned-table",
      "This table accepts unsigned moves, for example by email. Only the server vouches for their author."
    );
  }
  if (consent.unsigned && !unsigned) await game.agree();
}
function wrongClock(skew2) {
  const off = inWords(Math.abs(skew2));
  const says = skew2 > 0 ? `This device's clock is ${off} ahead of the server's. Set it before you sign: the log is checked against it.` : `This device's clock is ${off} behind the server's. Set it before you sign: the log is checked against it.`;
  return new NotSigned("wrong-clock", says, { seconds: skew2 });
}
var inWords = (seconds) => {
  const [count, unit] = seconds < 90 ? [seconds, "second"] : [seconds / 60, "minute"];
  const shown = { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 0 };
  return new Intl.NumberFormat(
    "en",
    /** @type {Intl.NumberFormatOptions} */
    shown
  ).format(count);
};
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
var changesPosition = ({ body }) => "events" in body;
async function signed(game, table, { act, signer, seat, body, says }) {
  const place = { v: 1, aud: game.host, game: game.id, act, seat: seat(table), seq: table.size, prev: table.head };
  const { body: more, text: text2 } = await body(table);
  const jws = await sign(signer, { ...place, ...more }, ACT);
  return { jws, act, seq: table.size, sent: game.now(), refused: null, says, ...text2 === void 0 ? {} : { text: text2 } };
}
async function onlyOne(memory, act, consent) {
  const others = (await memory.pending()).filter((one) => one.jws !== act.jws);
  if (!others.length) return;
  const answered = others.every((one) => one.refused !== null);
  if (consent.either && answered && others.length < MOST_UNSETTLED) return;
  const acts = others.map(({ says: says2, refused: refused2 }) => ({ says: says2, refused: refused2 }));
  const was = acts.map(({ says: says2, refused: refused2 }) => refused2 === null ? `“${says2}” (no answer)` : `“${says2}” (refused: ${refused2})`).join("; ");
  const says = `You have already signed a move for this position: ${was}. It may still be logged instead of this one.`;
  throw new NotSigned("unsettled", says, { acts, answered });
}
async function resend(game, memory) {
  const kept = await memory.pending();
  if (!kept.length) return [];
  await game.check();
  const became = [];
  for (const act of kept) {
    try {
      const entry = await settled(game, memory, act) ?? (act.refused === null ? await deliver(game, memory, act) : null);
      if (entry) became.push({ act, entry });
    } catch (error) {
      if (!(error instanceof Problem || error instanceof NotSigned)) throw error;
      became.push({ act, problem: error });
    }
  }
  return became;
}
async function deliver(game, memory, act) {
  await memory.sign({ ...act, refused: null });
  let says = "";
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    let pause = 0.3 * 2 ** attempt;
    try {
      const path = `/v1/games/${game.id}/${ACTS[act.act]?.[0]}`;
      const body = act.text === void 0 ? { jws: act.jws } : { jws: act.jws, text: act.text };
      return await confirmed(game, memory, act, await post(path, body, { anonymous: true }));
    } catch (error) {
      if (error instanceof Problem && error.code !== "lines-missing") return refused(game, memory, act, error);
      if (!(error instanceof NoAnswer || error instanceof Problem)) throw error;
      says = error.message;
      if (error instanceof NoAnswer && error.pause !== null) pause = Math.min(error.pause, LONGEST_PAUSE);
    }
    const entry = await looked2(game, memory, act);
    if (entry) return entry;
    await wait(pause);
  }
  throw new NotSent(says);
}
async function looked2(game, memory, act) {
  try {
    await game.check();
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof Problem) return null;
    throw error;
  }
  return settled(game, memory, act);
}
async function confirmed(game, memory, act, answer) {
  if (typeof answer?.entry !== "string" || typeof answer?.note !== "string") {
    throw new NoAnswer("The server's answer does not contain an entry.");
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
      seq: act.seq
    })
  );
}
async function settled(game, memory, act, aloud = true) {
  const entry = game.entries[act.seq];
  if (!entry) return null;
  for (const one of [act, ...await memory.pending()]) if (game.entries[one.seq]) await memory.settle(one);
  if (entry.body.jws === act.jws) {
    const odd2 = oddOwn(entry, act.sent, game.now());
    if (odd2.length) await memory.keep({ odd: warned((await memory.kept()).odd, odd2) });
    return entry;
  }
  if (!aloud) return null;
  throw new NotSigned("stale", "Another entry was logged first, so your move was not logged. Check the new position.", {
    entries: [entry]
  });
}
async function refused(game, memory, act, no) {
  await memory.sign({ ...act, refused: no.code });
  const { table } = await game.check();
  const entry = game.entries[act.seq];
  if (entry?.body.jws === act.jws) {
    return (
      /** @type {Promise<Entry>} */
      settled(game, memory, act)
    );
  }
  if (entry || await isIllegal(table, act)) await memory.settle(act);
  throw no;
}
async function isIllegal(table, { jws, act, seq }) {
  const { payload, kid } = read(jws);
  const kind = ACTS[act]?.[1] ?? "";
  const coming = await brings(payload);
  const ask2 = {
    kind,
    seat: payload.seat,
    seats: [payload.seat],
    act: payload,
    kid,
    coming,
    at: Infinity,
    sealed: "sealed" in payload
  };
  return seq !== table.size || LAWS.some((law) => law.kinds.includes(kind) && law.broken(table, ask2));
}
function sameMeaning(game, before, { act, seq, jws }, error) {
  const isStale = error instanceof Problem && error.code === "stale-head" || error instanceof NotSigned && error.code === "stale";
  if (!isStale || game.entries.length <= seq) return false;
  if (act !== "move") return true;
  if (error instanceof Problem ? error.extra.unchanged !== true : true) return false;
  const { seat } = read(jws).payload;
  const missed = game.entries.slice(seq);
  return !missed.some(
    (entry) => changesPosition(entry) && (!before.created.hidden || entry.body.seat === seat || entry.kind === "started")
  );
}
function staled(game, { seq }, error) {
  if (!(error instanceof Problem) || error.code !== "stale-head") return error;
  return new NotSigned("stale", "The game has moved on. Check the new position before you sign.", {
    entries: game.entries.slice(seq)
  });
}
var wait = (seconds, signal) => new Promise((go) => {
  const done = () => {
    clearTimeout(timer);
    removeEventListener("online", done);
    go();
  };
  const timer = setTimeout(done, seconds * 1e3);
  addEventListener("online", done);
  signal?.addEventListener("abort", done);
});

// server/http/static/game/openings.js
async function checkOpenings(game, entries2, seat, after) {
  let last = after;
  for (let more = true; more; ) {
    const { value, headers } = await ask("GET", `/v1/games/${game}/openings?after=${last}`);
    const given = value.filter(({ seq }) => entries2[seq]);
    for (const opening of given) await check(
      /** @type {Entry} */
      entries2[opening.seq],
      seat,
      opening
    );
    more = given.length > 0 && /rel="?next/.test(headers.get("Link") ?? "");
    last = given.at(-1)?.seq ?? last;
  }
  return last;
}
async function check({ seq, body }, seat, { salt, events }) {
  if (salt === null || events === null) return;
  const found = await sealed(salt, events);
  if (body.seals?.[seat] === found) return;
  const says = `The opening of entry ${seq} for this seat does not match the commitment in the log.`;
  throw new VerificationError("wrong-opening", says, { expected: body.seals?.[seat], found, seq });
}
async function sealed(salt, events) {
  try {
    return b64(await sha256(joined(domain("seal"), unb64(salt, 32), bytes(write(events)))));
  } catch (error) {
    if (error instanceof BadRecord) return error.message;
    throw error;
  }
}

// server/http/static/record/pins.js
var TYP = "sealedmove-server+jws";
var MOST_KEYS = 1024;
var KEY = shape("a key of a server", {
  crv: text,
  kty: text,
  x: binary32,
  kid: binary32,
  from: nullable(instant),
  until: nullable(instant),
  signed: nullable(text)
});
async function pinned(pin, host2, key, document) {
  const shown = document === null ? null : await shownBy(host2, document);
  const next = !pin ? first(host2, key, shown) : shown ? continued(pin, shown) : pin;
  if (next.keys.includes(key)) return next;
  const says = `The server signs this game with a different key from the one that this browser knows.`;
  throw new VerificationError("other-server-key", says, { expected: next.keys.at(-1), found: key, seq: 0 });
}
async function readKeys(document) {
  if (!isObject(document) || !Object.hasOwn(document, "server") || !Object.hasOwn(document, "keys")) {
    throw new BadRecord("bad-server-document", "the key document of a server must be an object with server and keys");
  }
  host(document.server);
  list(KEY, 1, MOST_KEYS)(document.keys);
  const found = [];
  for (const item of document.keys) {
    await checkNext(document.server, document.keys[found.length - 1], item, found);
    found.push(item.x);
  }
  return { server: document.server, keys: found };
}
var continues = (known, shown) => known.server === shown.server && known.keys.every((key, at) => shown.keys[at] === key);
async function checkNext(server, before, { crv, kty, x, kid, signed: signed2 }, found) {
  publicKey({ crv, kty, x });
  if (kid !== await thumbprint({ crv, kty, x })) {
    throw new BadRecord("wrong-key", "the kid of a server's key must be its thumbprint");
  }
  if (found.includes(x)) throw new BadRecord("key-taken", "a server must list each of its keys once");
  if (signed2 === null !== !before) {
    throw new BadRecord("unsigned-key", "each key after the first must be signed by the one before it");
  }
  if (before) await checkSigned(server, before, { crv, kty, x }, signed2);
}
async function checkSigned(server, before, key, signed2) {
  const jws = read(signed2, TYP);
  const due = write({ v: 1, aud: server, act: "succeed", key });
  if (write(jws.payload) !== due) {
    throw new BadRecord("wrong-act", "the signed statement names a different key or server");
  }
  const good = jws.kid === before.kid && await verify(publicKey({ crv: before.crv, kty: before.kty, x: before.x }), jws.input, jws.signature);
  if (!good) throw new BadRecord("bad-signature", "the signature on a server's key is not valid");
}
async function shownBy(host2, document) {
  try {
    const shown = await readKeys(document);
    if (shown.server === host2) return shown;
    throw new VerificationError("other-server-keys", "The server shows another server's list of keys.", {
      expected: host2,
      found: shown.server
    });
  } catch (error) {
    if (error instanceof BadRecord) {
      throw new VerificationError(error.code, `The server's list of its keys is not valid: ${error.message}.`);
    }
    throw error;
  }
}
var first = (server, key, shown) => ({ server, keys: shown ? shown.keys : [key], whole: shown !== null });
function continued(pin, shown) {
  const start = pin.whole ? 0 : Math.max(shown.keys.indexOf(pin.keys[0] ?? ""), 0);
  const keys = shown.keys.slice(start);
  if (continues(pin, { server: shown.server, keys })) return { ...pin, keys };
  const says = "The server's list of its keys does not continue the one that this browser has seen before.";
  throw new VerificationError("other-server-keys", says, {
    expected: pin.keys.join(", "),
    found: shown.keys.join(", ")
  });
}

// server/http/static/game/checked-game.js
var MOST_BYTES = 2 ** 26;
var LONGEST_PAGE = 1e3;
var games = /* @__PURE__ */ new Map();
function checkedGame(account, id) {
  const found = games.get(`${account} ${id}`) ?? new CheckedGame(account, id);
  games.set(`${account} ${id}`, found);
  return found;
}
var CheckedGame = class {
  /** @param {string | number} account @param {string} id */
  constructor(account, id) {
    this.account = account;
    this.id = id;
    this.host = location.host;
    this.table = null;
    this.hashes = [];
    this.entries = [];
    this.named = null;
    this.remembered = { seat: null, since: 0 };
  }
  /** Seconds since 1970, by this device. */
  now() {
    return Date.now() / 1e3;
  }
  /** This browser's memory of the game. @returns {Promise<Memory>} */
  memory() {
    return Memory.of(this.account, this.id);
  }
  /** Fetch new entries, check them, store them. @returns {Promise<Checked>} */
  check() {
    return this.locked(async (memory) => {
      await this.restore(memory);
      const news = await this.fetch(memory);
      const { note } = await memory.kept();
      if (note !== null && this.shown < read2(note).size) news.push(...await this.handIn(memory, note));
      const checked = await this.told(memory, news);
      if (checked.seat !== null && checked.table.created.hidden) await this.opened(memory, checked.seat);
      return checked;
    });
  }
  /**
   * The same checks for lines and a note that came with an answer.
   * @param {string[]} lines
   * @param {string} note
   * @param {Record<string, any>} [sent]
   * @returns {Promise<Entry[]>}
   */
  take(lines, note, sent) {
    return this.locked(async (memory) => {
      await this.restore(memory);
      return this.judged(memory, "answer", lines, note, sent);
    });
  }
  /**
   * Check this log against the notes in a text, such as a mail; VerificationError at a fork. `newer`: the server has
   * signed for more entries than it shows, and nothing is signed until it shows them.
   * @param {string} text @returns {Promise<("same" | "older" | "newer" | "unsigned" | "other-game")[]>}
   */
  heed(text2) {
    return this.locked(async (memory) => {
      await this.restore(memory);
      const said = [];
      for (const found of find(text2)) said.push(await this.heeded(memory, found));
      return said;
    });
  }
  /** The player has seen the finding and continues. The evidence stays. */
  clear() {
    return this.locked((memory) => memory.keep({ finding: null }));
  }
  /** The player knows that this table accepts moves without a signature. */
  agree() {
    return this.locked((memory) => memory.keep({ unsigned: true }));
  }
  /**
   * All evidence as one JSON file that `sealedmove compare` reads, without keys and texts of sealed moves.
   * @returns {Promise<Blob>}
   */
  async export() {
    const memory = await this.memory();
    const { note, ahead: newer, finding, looks, warnings } = await memory.kept();
    const shown = await memory.evidence();
    const entries2 = [...await memory.lines(0), ...shown.flatMap((one) => one.entries ?? [])];
    const texts = shown.flatMap((one, at) => typeof one.note === "string" ? [[`note_${at}`, one.note]] : []);
    const signed2 = (await memory.pending()).map(({ jws, act, seq, sent, refused: refused2 }) => ({
      jws,
      act,
      seq,
      sent,
      refused: refused2
    }));
    const whole = {
      entries: entries2,
      note,
      note_ahead: newer,
      ...Object.fromEntries(texts),
      finding,
      looks,
      warnings,
      signed: signed2,
      shown
    };
    return new Blob([JSON.stringify(whole, null, 1)], { type: "application/json" });
  }
  // --- inside --------------------------------------------------------------------------------------------------------
  /** @template T @param {(memory: Memory) => Promise<T>} work @returns {Promise<T>} */
  async locked(work) {
    return navigator.locks.request(
      `sealedmove-log-${this.account}-${this.id}`,
      /** @returns {Promise<any>} */
      async () => work(await this.memory())
    );
  }
  /**
   * Load what was checked earlier, by this tab or another; VerificationError if there is a finding.
   * @param {Memory} memory
   */
  async restore(memory) {
    const { finding, size: size2, seat, since } = await memory.kept();
    this.remembered = { seat, since };
    if (finding) throw new VerificationError(finding.code, finding.says, finding);
    if (size2 === this.hashes.length) return;
    try {
      const lines = await memory.lines(this.hashes.length);
      if (this.hashes.length + lines.length !== size2) {
        throw new VerificationError("lost-lines", "Part of this browser's copy of the game is missing.");
      }
      await this.follow(await judge(this.table, lines, { ...this.known, trusted: true }));
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      this.forgotten();
      await memory.dropLines();
    }
  }
  /**
   * The seat for which this key may sign. What this browser remembers counts only while the seat has the same holder.
   * @param {Table} table @param {string} kid @returns {number | null}
   */
  seatOf(table, kid) {
    const { seat, since } = this.remembered;
    const ours = seat !== null && table.seats[seat]?.holder?.since === since ? seat : null;
    return seatOf(table, kid, this.named ?? ours);
  }
  get known() {
    return { host: this.host, game: this.id, hashes: this.hashes };
  }
  forgotten() {
    Object.assign(this, { table: null, hashes: [], entries: [] });
  }
  /** @param {import("../record/check.js").Judged} judged */
  async follow({ table, news }) {
    this.table = table;
    this.hashes.push(...news.map((entry) => entry.hash));
    this.entries.push(...news);
  }
  /** @param {Memory} memory @returns {Promise<Entry[]>} */
  async fetch(memory) {
    const asked = this.now();
    const { lines, note } = await this.pages();
    const news = await this.judged(memory, "log", lines, note);
    await memory.keep({ looks: looked((await memory.kept()).looks, this.hashes.length, asked) });
    return news;
  }
  /** All pages from this entry on, and the note on the whole log. @param {number} [from] */
  async pages(from = this.hashes.length) {
    const lines = [];
    let room = MOST_BYTES;
    for (; ; ) {
      const after = from + lines.length - 1;
      const { value: page, headers } = await ask(
        "GET",
        `/v1/games/${this.id}/log?after=${after}&limit=${LONGEST_PAGE}`,
        void 0,
        { anonymous: true }
      );
      this.skew = skew(headers.get("Date"), this.now());
      if (!Array.isArray(page?.entries) || !page.entries.every((one) => typeof one === "string")) {
        throw new NoAnswer("The server's answer is not a page of a log.");
      }
      lines.push(...page.entries);
      room -= page.entries.reduce((sum, one) => sum + one.length + 100, 0);
      if (!page.entries.length || room < 0 || from + lines.length >= size(page.note)) {
        return { lines, note: page.note };
      }
    }
  }
  /** The size in the server's last note. */
  shown = 0;
  /** Seconds by which our clock is ahead of the server's. */
  skew = 0;
  /**
   * Store, then judge; what does not hold is kept for good.
   * @param {Memory} memory
   * @param {string} what
   * @param {string[]} lines
   * @param {string} note
   * @param {Record<string, any>} [more]
   * @returns {Promise<Entry[]>}
   */
  async judged(memory, what, lines, note, more = {}) {
    const kept = await memory.kept();
    this.shown = size(note);
    if (!lines.length && this.table && note === kept.note) return [];
    const name = await memory.show(what, { entries: lines, note, ...more }, this.now());
    try {
      const judged = await judge(this.table, lines, this.known);
      await this.pin(memory, judged.table);
      const next = await this.noted(judged, note, kept);
      const strange = [odd(judged.news, kept.looks), await this.strange(judged)];
      const said = { odd: warned(kept.odd, strange[0] ?? []), warnings: warned(kept.warnings, strange.flat()) };
      await memory.keepLines(judged.news, { ...next, ...said, size: this.hashes.length + judged.news.length }, name);
      await this.follow(judged);
      return judged.news;
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      const lost = what === "log" && this.hashes.length ? await this.afterLoss(memory, name) : null;
      if (lost) return lost;
      throw await this.block(error, note);
    }
  }
  /**
   * The log may state that the server has lost entries that we know. This is rare, so the script is loaded on demand.
   * @param {Memory} memory
   * @param {string} name of the evidence
   */
  async afterLoss(memory, name) {
    const { afterLoss } = await import("./lost-entries-5ANXHPU2.js");
    const news = await afterLoss(this, memory);
    if (news) await memory.forget(name);
    return news;
  }
  /**
   * The server's note must continue every known note; returns the notes to keep from now on.
   * @param {import("../record/check.js").Judged} judged
   * @param {string} text
   * @param {import("./memory.js").Kept} kept
   */
  async noted(judged, text2, kept) {
    const note = await noteOf(judged.table, text2);
    const hashes = [...this.hashes, ...judged.news.map((entry) => entry.hash)];
    checkContinues(note, hashes);
    for (const known of [kept.note, kept.ahead]) {
      const before = known === null ? null : read2(known);
      if (before && before.size <= hashes.length) checkContinues(before, hashes, true, judged.table.lost);
    }
    const past = (known, size2) => {
      const before = known === null ? null : read2(known);
      return !before || before.size <= size2 || isLost(before, judged.table.lost);
    };
    return {
      note: past(kept.note, note.size) ? text2 : kept.note,
      ahead: past(kept.ahead, hashes.length) ? null : kept.ahead
    };
  }
  /** The server's key must continue the one of earlier games. @param {Memory} memory @param {Table} table */
  async pin(memory, table) {
    if (this.table) return;
    const document = await get("/.well-known/sealedmove.json", { anonymous: true }).catch(() => null);
    const pin = await memory.store.get("device", "server") ?? null;
    const next = await pinned(pin, this.host, table.created.server_key, document);
    if (JSON.stringify(next) !== JSON.stringify(pin)) await memory.store.put("device", "server", next);
  }
  /** Unsigned moves of our own seat, since it is ours. @param {import("../record/check.js").Judged} judged */
  async strange({ table, news }) {
    const key = await mine(this.account);
    const seat = key && this.seatOf(table, key.kid);
    const since = table.seats[seat ?? -1]?.holder?.since ?? Infinity;
    const ours = news.filter(
      ({ seq, kind, body }) => kind === "moved" && seq > since && body.seat === seat && !("jws" in body)
    );
    return ours.map(
      ({ seq, body }) => `Entry ${seq} is an unsigned move of your seat (by ${body.via}): only the server vouches that it is yours.`
    );
  }
  /** @param {Memory} memory @param {Entry[]} news @returns {Promise<Checked>} */
  async told(memory, news) {
    const table = (
      /** @type {Table} */
      this.table
    );
    const [{ note, ahead: newer, warnings, odd: odd2, ...kept }, key] = await Promise.all([
      memory.kept(),
      mine(this.account)
    ]);
    const seat = key && this.seatOf(table, key.kid);
    const gone = seat === null && key !== null && signedBy(table, key.kid) !== null;
    const over = ["finished", "cancelled"].includes(table.stage);
    const since = table.seats[seat ?? -1]?.holder?.since;
    this.remembered = seat === null || since === void 0 ? this.remembered : { seat, since };
    const now = { ...this.remembered, over };
    if (now.seat !== kept.seat || now.since !== kept.since || over !== kept.over) await memory.keep(now);
    const times = { ahead: ahead(table, this.now()), skew: this.skew, warnings, odd: odd2 };
    return { table, seat, gone, news, note: note ?? "", waits: newer !== null, ...times };
  }
  /**
   * From now on nothing is signed in this game. Once the evidence is stored, the notes that contradict the server are
   * sent to it, without a token.
   * @param {VerificationError} error
   * @param {string} [text] a note that does not fit
   * @returns {Promise<VerificationError>} to be thrown
   */
  async block(error, text2 = "") {
    const memory = await this.memory();
    const { finding, note, ahead: newer } = await memory.kept();
    await memory.block(error, this.now());
    if (!finding) await this.compare([note, newer, text2].filter((one) => one).join("\n"));
    return error;
  }
  /** Sends notes to the server, which judges them for itself. @param {string} note one, or several */
  async compare(note) {
    if (note) await post(`/v1/games/${this.id}/compare`, { note }, { anonymous: true }).catch(() => null);
  }
  /**
   * Checks what our seat was shown of the hidden part against its commitments.
   * @param {Memory} memory
   * @param {number} seat
   */
  async opened(memory, seat) {
    const { opened } = await memory.kept();
    if (!this.entries.slice(opened + 1).some(({ body }) => "seals" in body)) return;
    try {
      await memory.keep({ opened: await checkOpenings(this.id, this.entries, seat, opened) });
    } catch (error) {
      if (error instanceof VerificationError) throw await this.block(error);
      if (!(error instanceof Problem || error instanceof NoAnswer)) throw error;
    }
  }
  /**
   * @param {Memory} memory
   * @param {string} text
   * @returns {Promise<"same" | "older" | "newer" | "unsigned" | "other-game">}
   */
  async heeded(memory, text2) {
    const note = read2(text2);
    if (note.server !== this.host || note.game !== this.id) return "other-game";
    if (!this.table) await this.fetch(memory);
    const signed2 = await noteOf(
      /** @type {Table} */
      this.table,
      text2
    ).then(
      () => true,
      () => false
    );
    if (!signed2) return "unsigned";
    if (note.size > this.hashes.length) await this.fetch(memory);
    if (isLost(note, this.table?.lost ?? [])) return "older";
    if (note.size > this.hashes.length) {
      await memory.keep({ ahead: text2 });
      await this.compare(text2);
      return "newer";
    }
    const name = await memory.show("note", { note: text2 }, this.now());
    try {
      checkContinues(note, this.hashes, true, this.table?.lost);
    } catch (error) {
      throw error instanceof VerificationError ? await this.block(error, text2) : error;
    }
    await memory.forget(name);
    return note.size === this.hashes.length ? "same" : "older";
  }
  // --- a server that has lost entries --------------------------------------------------------------------------------
  /**
   * Submits the entries that it has signed for and does not show; then it must agree with us.
   * @param {Memory} memory
   * @param {string} note
   * @returns {Promise<Entry[]>}
   */
  async handIn(memory, note) {
    const [due, shown] = [read2(note).size, this.shown];
    const name = await memory.show("shortened-log", { entries: [], note, shown }, this.now());
    const lacks = await this.sendMissing(memory, note, shown, due);
    const news = await this.fetch(memory);
    const { note: last } = await memory.kept();
    if (this.shown >= Math.min(due, size(last))) await memory.forget(name);
    else if (!await this.waitsForOthers(memory, lacks)) {
      const says = `The server has signed for ${entries(due)} of this game but shows only ${this.shown}.`;
      throw await this.block(new VerificationError("shortened-log", says, { expected: due, found: this.shown }));
    } else await memory.keep({ ahead: note });
    return news;
  }
  /**
   * @param {Memory} memory
   * @param {string} note
   * @param {number} from
   * @param {number} to
   * @returns {Promise<unknown>} the number of the entry that it still lacks
   */
  async sendMissing(memory, note, from, to) {
    const entries2 = this.entries.slice(from, to);
    const moves = await textsOf(entries2, await memory.texts());
    await this.compare(note);
    const body = { entries: entries2.map(({ line }) => line), note, moves };
    const answer = await post(`/v1/games/${this.id}/missing`, body, { anonymous: true }).catch(() => null);
    return answer?.lacks;
  }
  /** Only the text of another player's sealed move may be lacking. @param {Memory} memory @param {unknown} lacks */
  async waitsForOthers(memory, lacks) {
    const entry = this.entries[this.shown];
    const sealed2 = Boolean(this.table?.created.hidden) && entry?.kind === "moved";
    return sealed2 && lacks === this.shown && !(await textsOf([entry], await memory.texts())).length;
  }
};
var skew = (date, now) => date === null || Number.isNaN(Date.parse(date)) ? 0 : now - Date.parse(date) / 1e3;
function size(note) {
  try {
    return read2(note).size;
  } catch {
    return 0;
  }
}
async function textsOf(entries2, texts) {
  const seals = await Promise.all(
    texts.map(async (text2) => (
      /** @type {[string, string]} */
      [await sealOf(text2), text2]
    ))
  );
  const known = new Map(seals);
  return entries2.filter(({ kind }) => kind === "moved").flatMap(({ seq, body }) => {
    const text2 = known.get(body.jws ? read(body.jws).payload.sealed : body.sealed);
    return text2 === void 0 ? [] : [{ seq, text: text2 }];
  });
}
var sealOf = async (text2) => b64(await sha256(joined(domain("move"), bytes(text2))));

// server/http/static/game/acts.js
async function join(game, seat = null, consent = {}) {
  const nonce = await (await game.memory()).nonce(() => b64(random(32)));
  return sit(game, "join", seat, consent, { nonce });
}
var take = (game, seat = null, consent = {}) => sit(game, "take", seat, consent, {});
async function sit(game, act, wanted, consent, more) {
  const [key, recovery] = await Promise.all([device(game), recoveryOf(game.account)]);
  const seat = (table) => {
    const found = wanted ?? open(table, game.now())[0];
    if (found !== void 0) return found;
    throw new NotSigned(act === "join" ? "game-full" : "not-free", "All seats are taken.");
  };
  const body = { key: key.jwk, recovery: recovery?.jwk ?? null, bot: false, ...more };
  return signAndSend(
    game,
    { act, signer: key, seat, body: async () => ({ body }), says: `${act === "join" ? "sit down" : "take the seat"}` },
    consent
  );
}
async function move(game, commands, head = null, consent = {}) {
  const key = await device(game);
  const salt = b64(random(32));
  const body = async (table) => {
    if (!table.created.hidden) return { body: { commands } };
    const text2 = await signedText(game, commands) ?? write({ commands, salt });
    return { body: { sealed: await sealOf(text2) }, text: text2 };
  };
  const says = consent.words ?? commands.map((command) => JSON.stringify(command)).join(", ");
  return signAndSend(game, { act: "move", signer: key, seat: own(game, key.kid), body, says, head }, consent);
}
async function signedText(game, commands) {
  const acts = await (await game.memory()).pending();
  return acts.find(({ text: text2 }) => text2 && write(JSON.parse(text2).commands) === write(commands))?.text;
}
var leave = (game, consent = {}) => plain(game, "leave", {}, consent, "leave the table");
var resign = (game, consent = {}) => plain(game, "resign", {}, consent, "resign");
var offer = (game, consent = {}) => plain(game, "offer", { open: true }, consent, "offer the seat");
var back = (game, consent = {}) => plain(game, "offer", { open: false }, consent, "keep the seat");
var NO_SEAT = "This device's key does not hold a seat in this game. If you play on another device, approve this one first.";
var OWN = { unsigned: true };
var addKey = (game, jwk) => plain(game, "key", { add: jwk }, OWN, "add a key");
var dropKey = (game, kid) => plain(game, "key", { drop: kid }, OWN, "drop a key");
async function replaceKeys(game, next, by) {
  const seat = own(game, by.kid, "Your seat there does not have this recovery key, so its keys stay as they are.");
  const body = async (table) => ({
    body: next(
      /** @type {import("../record/table.js").Holder} */
      table.seats[seat(table)]?.holder
    )
  });
  return signAndSend(game, { act: "key", signer: by, seat, body, says: "replace the keys" }, OWN);
}
async function plain(game, act, body, consent, says) {
  const signer = await device(game);
  const seat = own(game, signer.kid);
  return signAndSend(game, { act, signer, seat, body: async () => ({ body }), says }, consent);
}
var own = (game, kid, says = NO_SEAT) => (table) => {
  const seat = game.seatOf(table, kid);
  if (seat !== null) return seat;
  const held = signedBy(table, kid);
  if (held === null) throw new NotSigned("no-seat", says);
  throw new NotSigned(
    "seat-gone",
    `This device's key no longer holds seat ${held + 1}: it was removed, or another player has taken the seat.`
  );
};
async function device(game) {
  const key = await mine(game.account);
  if (key?.registered) return key;
  throw new NotSigned("no-key", "This device does not have a key for your account, or has lost it.");
}

export {
  NotSigned,
  NotSent,
  again,
  keepSending,
  checkedGame,
  join,
  take,
  move,
  leave,
  resign,
  offer,
  back,
  addKey,
  dropKey,
  replaceKeys
};
