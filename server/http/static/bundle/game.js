import {
  pause,
  withRetries
} from "./chunk-FUOW7MKK.js";
import {
  Clock,
  localize,
  start
} from "./chunk-4Y72MECT.js";
import {
  BoardFirst,
  Choices,
  CommandInput,
  Ghost,
  Highlights,
  NOWHERE,
  Overtaken,
  Previews,
  Scene,
  added,
  ask as ask2,
  changed,
  commands,
  line,
  moved,
  onPalette,
  origin,
  palette,
  planned,
  read,
  read2,
  renew,
  same,
  start as start2,
  start2 as start3,
  start3 as start4,
  turned,
  undone,
  without
} from "./chunk-OZAOYE2H.js";
import {
  busy
} from "./chunk-2IZIRG73.js";
import {
  NotSent,
  NotSigned,
  again,
  back,
  checkedGame,
  join,
  keepSending,
  leave,
  move,
  resign,
  take
} from "./chunk-K6EGAQZ3.js";
import {
  VerificationError
} from "./chunk-NXCTSKML.js";
import {
  ask,
  enter,
  paragraph,
  ready
} from "./chunk-SJGP4FYI.js";
import {
  mine
} from "./chunk-JTXDO2YP.js";
import "./chunk-4VMNYA3N.js";
import {
  button,
  el,
  focused,
  sign
} from "./chunk-Y5AED5XM.js";
import {
  NoAnswer,
  Problem,
  del,
  get,
  post,
  put
} from "./chunk-PZZ636EH.js";
import {
  open
} from "./chunk-3P3CGK6E.js";

// server/http/static/turn/game.js
var Game = class extends EventTarget {
  /** @param {HTMLElement} root */
  constructor(root2) {
    super();
    this.root = root2;
    this.id = root2.dataset.game ?? "";
    this.type = root2.dataset.type ?? "";
    this.scene = new Scene(document.getElementById("picture"), document.getElementById("board"));
    this.clock = new Clock(root2.dataset.now ?? "");
    this.renewing = null;
    this.drawn = null;
    onPalette(() => void (this.scene.figure && this.draw().then(() => this.dispatchEvent(new Event("palette")))));
  }
  /** The reader's own seat, or null. */
  get seat() {
    return number(this.root.dataset.seat);
  }
  /** The game as checked by this browser, with the reader's seat as their account names it. */
  get checked() {
    const checked = checkedGame(this.account ?? "", this.id);
    checked.named = this.seat ?? checked.named;
    return checked;
  }
  /** The account of the reader; null if nobody is signed in. */
  get account() {
    return number(document.body.dataset.account);
  }
  /** The number of the newest entry that the page shows. */
  get head() {
    return number(this.root.dataset.head) ?? -1;
  }
  /** lobby, running, finished or cancelled. */
  get stage() {
    return this.root.dataset.stage ?? "";
  }
  /** The seats that owe a move. */
  get active() {
    return (this.root.dataset.active ?? "").split(" ").filter(Boolean).map(Number);
  }
  /** Does the reader owe a move that they can make now? */
  get mine() {
    return this.seat !== null && this.stage === "running" && this.active.includes(this.seat) && !this.stopped;
  }
  get stopped() {
    return "stopped" in this.root.dataset;
  }
  /** Is there a draft move that the reader has mailed? */
  get mailed() {
    return "mailed" in this.root.dataset;
  }
  get hidden() {
    return "hidden" in this.root.dataset;
  }
  /** The players' names by seat; an empty seat has none. */
  get names() {
    const seats = this.root.querySelectorAll("ol.seats > [data-seat] bdi");
    return [...seats].map((name) => name.textContent ?? "");
  }
  /** Show the current position, with its interactive picture; returns its last entry. */
  draw() {
    const drawn = this.position().then((shown) => {
      this.scene.put("now", shown);
      return { seq: shown.seq, hash: shown.head };
    });
    drawn.catch(() => this.drawn === drawn && (this.drawn = null));
    return this.drawn = drawn;
  }
  /**
   * A position, with the sentences of its entry; `asked` is the query of the API, by default for the current position.
   * @param {string} [asked]
   * @returns {Promise<import("./scene.js").Shown & {sentences: string[], seq: number, head: string}>}
   */
  async position(asked = "") {
    const [view, picture] = await Promise.all(
      ["view", "picture"].map((what) => {
        const query = what === "picture" ? `${asked}&palette=${palette()}` : asked;
        return withRetries(() => get(`/v1/games/${this.id}/${what}?${query}`));
      })
    );
    return { ...view, picture };
  }
  /** Fetch the page again; concurrent calls share one request. */
  renew() {
    this.renewing ??= this.#renewed().finally(() => {
      this.renewing = null;
    });
    return this.renewing;
  }
  async #renewed() {
    const page = await read(location.pathname + location.search);
    const fresh = page.getElementById("game");
    if (!fresh) throw new Error("this page is not a game's page");
    if (this.stage === "lobby" && fresh.dataset.stage === "running") {
      location.reload();
      return;
    }
    const before = this.head;
    this.#take(fresh);
    document.title = page.title;
    document.dispatchEvent(new CustomEvent("waiting", { detail: Number(page.body.dataset.waiting) }));
    renew(this.root, page);
    if (this.head === before) return;
    if (this.scene.figure) await this.draw();
    this.dispatchEvent(new CustomEvent("news", { detail: { before } }));
  }
  /** @param {HTMLElement} fresh */
  #take(fresh) {
    for (const name of Object.keys(this.root.dataset)) if (!(name in fresh.dataset)) delete this.root.dataset[name];
    Object.assign(this.root.dataset, fresh.dataset);
    this.clock.set(fresh.dataset.now ?? "");
    localize(fresh);
    this.clock.tell(fresh);
  }
};
function number(text) {
  return text ? Number(text) : null;
}

// server/http/static/ui/guarded-button.js
var WAIT = 500;
function guarded(button2, does) {
  let since2 = -Infinity;
  let timer;
  const wait = () => {
    since2 = performance.now();
    button2.dataset.waits = "";
    clearTimeout(timer);
    timer = setTimeout(() => delete button2.dataset.waits, WAIT);
  };
  button2.addEventListener("click", (event) => {
    event.preventDefault();
    if (performance.now() - since2 >= WAIT && button2.getAttribute("aria-disabled") !== "true") does();
  });
  addEventListener("focus", wait);
  document.addEventListener("visibilitychange", wait);
  wait();
  return wait;
}

// server/http/static/flows/consents.js
var ASKED = {
  unsettled: { says: "Sign anyway (either move may be logged)", consent: { either: true } },
  "unsigned-table": { says: "Play at a table with unsigned moves", consent: { unsigned: true } },
  "wrong-clock": { says: "Sign anyway", consent: { odd: true } },
  "odd-times": { says: "Sign anyway", consent: { odd: true } }
};

// server/http/static/turn/seat-actions.js
var ACTS = {
  join: ["Joining …", (game, { seat }, more) => signed(game, (known) => join(known, Number(seat), more))],
  take: ["Taking the seat …", (game, { seat }, more) => signed(game, (known) => take(known, Number(seat), more))],
  back: ["Withdrawing the offer …", (game, _, more) => signed(game, (known) => back(known, more))],
  leave: ["Leaving …", (game, _, more) => signed(game, (known) => leave(known, more))],
  cancel: ["Cancelling the game …", (game) => done(game, post(`${path(game)}/cancel`))],
  withdraw: ["", (game, { seat }) => done(game, del(`${path(game)}/house/${seat}`))],
  ask: ["", (game, { seat, level }) => done(game, post(`${path(game)}/house`, { seat: Number(seat), level }))],
  copy: ["", copy]
};
var CAN_SHARE = "share" in navigator;
var path = (game) => `/v1/games/${game.id}`;
function start5(game) {
  const begun = (event) => void begin(game, event);
  game.root.addEventListener("click", begun);
  game.root.addEventListener("submit", begun);
  if (CAN_SHARE) document.documentElement.classList.add("can-share");
  document.documentElement.classList.add("ready");
}
async function begin(game, event) {
  const target = event.target instanceof Element ? event.target.closest("#seat-actions [data-act]") : null;
  if (!(target instanceof HTMLElement) || target instanceof HTMLFormElement !== (event.type === "submit")) return;
  const [words, work] = ACTS[target.dataset.act ?? ""] ?? ["", async () => {
  }];
  const given2 = {
    ...target.dataset,
    ...target instanceof HTMLFormElement ? Object.fromEntries(new FormData(target)) : {}
  };
  const does = (consent) => work(
    game,
    /** @type {DOMStringMap} */
    given2,
    consent
  );
  await busy(event, said(), words, () => tried(does, words, {}), target);
}
async function tried(does, words, consent) {
  document.getElementById("seat-consent")?.remove();
  try {
    return await does(consent);
  } catch (error) {
    const asked = error instanceof NotSigned ? ASKED[error.code] : void 0;
    if (asked) offer(asked.says, words, () => tried(does, words, { ...consent, ...asked.consent }));
    throw error;
  }
}
function offer(says, words, work) {
  const agree = el("button", { type: "button", class: "second" }, says);
  guarded(agree, () => void busy(new Event("agreed"), said(), words, work, agree));
  said()?.after(el("p", { class: "acts", id: "seat-consent" }, agree));
}
var said = () => document.querySelector("#seat-actions .said");
async function signed(game, sent) {
  if (await ready(String(game.account))) await done(game, sent(game.checked));
}
async function done(game, sent) {
  await sent;
  await game.renewing;
  await game.renew();
  const heading = document.getElementById("seat-actions-title") ?? /** @type {HTMLElement | null} */
  document.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus();
}
async function copy() {
  const field = (
    /** @type {HTMLInputElement} */
    document.getElementById("invite")
  );
  if (CAN_SHARE) {
    await navigator.share({ title: document.title, url: field.value }).catch(() => void 0);
    return "";
  }
  await navigator.clipboard.writeText(field.value);
  return "Copied.";
}

// server/http/static/turn/failed-check.js
function start6(alerts, game) {
  const box = el("div", { class: "trouble", role: "alert" });
  const proof = game.checked;
  const look3 = async () => {
    const found = await proof.check().then(
      () => null,
      (error) => error instanceof VerificationError ? error : null
    );
    box.replaceChildren(...found ? report(found, proof, () => void look3()) : []);
  };
  alerts.append(box);
  game.addEventListener("news", () => void look3());
  void look3();
}
function report({ message, expected, found, seq }, game, goOn) {
  const facts = Object.entries({ "At entry": seq, Expected: expected, Found: found }).filter(
    ([, value]) => value !== void 0
  );
  const said2 = facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, el("code", {}, inWords(value)))]);
  const clear = async () => {
    await game.clear();
    goOn();
  };
  return [
    el(
      "p",
      { class: "wrong" },
      `The server's log failed a check, so this browser signs nothing in this game. ${message}`
    ),
    el("dl", { class: "answers" }, ...said2),
    el(
      "p",
      {},
      "This browser has kept everything that the server sent. Before you play on, compare it with what the other players have: “sealedmove compare” shows the differences."
    ),
    el(
      "p",
      { class: "answers-bar" },
      button("Save the evidence", () => void save(game), { class: "second" }),
      button("Continue anyway", () => void clear(), { class: "second" })
    )
  ];
}
var inWords = (value) => typeof value === "string" ? value : JSON.stringify(value);
async function save(game) {
  const link = el("a", { download: `evidence-${game.id}.json`, href: URL.createObjectURL(await game.export()) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 6e4);
}

// server/http/static/turn/announcements.js
function start7(game) {
  const line2 = document.getElementById("news");
  game.addEventListener("news", (event) => {
    const said2 = [...since(
      game,
      /** @type {CustomEvent} */
      event.detail.before
    ), game.mine && "It is your turn."];
    if (line2) line2.textContent = said2.filter(Boolean).join(" ");
  });
}
function since(game, before) {
  const lines = [...document.querySelectorAll("#history .log > li")].filter(
    (line2) => Number(line2.id.replace("entry-", "")) > before && (game.seat === null || line2.getAttribute("data-by") !== String(game.seat))
  );
  return lines.map((line2) => line2.querySelector("p > span")?.textContent?.trim() ?? "").reverse();
}

// server/http/static/turn/live.js
var STREAMS = 3;
var ASK = 5e3;
var ASK_HIDDEN = 6e4;
var TRIES = 100;
var ASIDE = 3e4;
function start8(game) {
  const told = new BroadcastChannel(`sealedmove-${game.id}`);
  const news = new News(game);
  const tell = (seq) => {
    told.postMessage(seq);
    void news.hear(seq);
  };
  told.onmessage = ({ data }) => void news.hear(data);
  game.addEventListener("news", () => over(game) && void judged(game));
  addEventListener("offline", () => over(game) || connected(false));
  if (over(game)) void judged(game);
  else if (navigator.locks) {
    void navigator.locks.request(`sealedmove-${game.id}`, () => lead(game, tell));
    void aside(game, (seq) => void news.hear(seq));
  } else void ask3(game, tell, Infinity);
}
async function judged(game) {
  if (game.stage !== "finished") return;
  for (let wait = 1; wait < 100 && !document.querySelector("#audit[data-verdict]"); wait *= 2) {
    await pause(wait);
    const { verdict } = await get(`/v1/games/${game.id}/audit`).catch(() => ({ verdict: null }));
    if (verdict) await game.renew().catch(() => void 0);
  }
}
var News = class {
  /** @param {import("./game.js").Game} game */
  constructor(game) {
    this.game = game;
    this.last = game.head;
    this.busy = false;
  }
  /** @param {number} seq */
  async hear(seq) {
    this.last = seq;
    if (this.busy) return;
    this.busy = true;
    for (let tries = 0; this.last !== this.game.head && tries < TRIES; tries += 1) await this.#renew();
    this.busy = false;
  }
  async #renew() {
    const heard = this.last;
    try {
      await this.game.renew();
      connected(true);
      if (this.last === heard) this.last = this.game.head;
    } catch (error) {
      connected(false);
      await pause(error instanceof NoAnswer && error.pause || ASK / 1e3);
    }
  }
};
async function lead(game, tell) {
  while (!over(game)) {
    await slot((free) => free ? stream(game, tell) : void 0);
    if (!over(game)) await ask3(game, tell, ASIDE);
  }
}
async function slot(use) {
  let used = false;
  for (let number2 = 0; number2 < STREAMS && !used; number2 += 1) {
    await navigator.locks.request(`sealedmove-stream-${number2}`, { ifAvailable: true }, (lock) => {
      used = lock !== null;
      return lock ? use(true) : void 0;
    });
  }
}
function stream(game, tell) {
  const source = new EventSource(`/v1/games/${game.id}/events?after=${game.head}`);
  source.onopen = () => connected(true);
  source.onmessage = ({ data }) => tell(JSON.parse(data).seq);
  return new Promise((ended) => {
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) ended();
      else connected(false);
    };
  });
}
async function ask3(game, tell, most) {
  const until = performance.now() + most;
  while (!over(game) && performance.now() < until) {
    const wait = await look(game, tell);
    await pause(wait ?? (document.hidden ? ASK_HIDDEN : ASK) / 1e3);
  }
}
async function aside(game, hear) {
  document.addEventListener("visibilitychange", () => document.hidden || over(game) || void look(game, hear));
  addEventListener("online", () => void look(game, hear));
  while (!over(game)) {
    await pause(ASIDE / 1e3);
    if (!document.hidden) await look(game, hear);
  }
}
async function look(game, tell) {
  try {
    const { head } = await get(`/v1/games/${game.id}`, { anonymous: true });
    connected(true);
    if (head.seq !== game.head) tell(head.seq);
    return null;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    connected(false);
    return error.pause;
  }
}
function over(game) {
  return game.stage === "finished" || game.stage === "cancelled";
}
function connected(is) {
  const says = document.getElementById("connection");
  if (says) says.hidden = is;
}

// server/http/static/turn/plan-store.js
var PlanStore = class {
  /**
   * @param {string | number | null} account
   * @param {string} id
   * @param {(kept: Kept | null) => void} heard another tab has changed it
   */
  constructor(account, id, heard) {
    this.account = account;
    this.id = id;
    this.channel = new BroadcastChannel(`sealedmove-plan-${account}-${id}`);
    this.channel.onmessage = () => void this.load().then(heard);
  }
  /** @returns {Promise<Kept | null>} */
  async load() {
    return this.#tried(async (store) => read2(await store.get("plans", this.id)));
  }
  /** @param {import("./plan.js").Step[]} steps @param {import("./plan.js").Head | null} head */
  async save(steps, head) {
    await this.#tried(async (store) => {
      if (steps.length) await store.put("plans", this.id, { steps, head, at: (/* @__PURE__ */ new Date()).toISOString() });
      else await store.del("plans", this.id);
      this.channel.postMessage(null);
      return null;
    });
  }
  /** @template T @param {(store: import("../keys/store.js").Store) => Promise<T>} does @returns {Promise<T | null>} */
  async #tried(does) {
    if (this.account === null) return null;
    try {
      return await does(await open(this.account));
    } catch {
      return null;
    }
  }
};
function mailed(id) {
  return get(`/v1/games/${id}/plan`).catch(() => null);
}
var dropMailed = (id) => del(`/v1/games/${id}/plan`).catch(() => null);

// server/http/static/turn/resign.js
function resignSection(resign2) {
  const asked = async () => {
    const says = "You leave the game for good. It goes on without you, or ends. This cannot be undone.";
    const answers = [
      { value: "stay", says: "Play on", second: true },
      { value: "resign", says: "Resign" }
    ];
    if (await ask("Resign this game?", [paragraph(says)], answers) === "resign") resign2();
  };
  return el(
    "details",
    { class: "leave" },
    el("summary", {}, "Resignation"),
    button("Resign …", () => void asked(), { class: "second" })
  );
}

// server/http/static/turn/device.js
var Device = class {
  part = el("div", { class: "device", role: "status" });
  /** @param {import("./game.js").Game} game */
  constructor(game) {
    this.game = game;
  }
  async look() {
    const { game } = this;
    if (game.stage !== "running" || await this.#signs()) return this.part.replaceChildren();
    this.part.replaceChildren(
      el("p", { class: "notice" }, "This device cannot sign moves for your seat yet."),
      button("Approve this device …", () => void this.#approve(), { class: "second" })
    );
  }
  /** Does this device's key play the reader's seat? A log that fails its check is reported elsewhere. */
  async #signs() {
    const { game } = this;
    try {
      const key = await mine(game.account ?? "");
      return Boolean(key?.registered) && (await game.checked.check()).seat !== null;
    } catch {
      return true;
    }
  }
  async #approve() {
    await enter(this.game.account ?? "");
    await this.look();
  }
};

// server/http/static/turn/plan-offers.js
var PlanOffers = class {
  part = el("div", { class: "offered", role: "status" });
  clear() {
    this.part.replaceChildren();
  }
  /** @param {string} notation @param {string} origin @param {Does} does */
  show(notation, origin2, { has, use, keep, then }) {
    const done2 = (does) => () => {
      this.clear();
      void does().then(then);
    };
    this.part.replaceChildren(
      el("p", {}, origin2, " ", el("code", {}, notation)),
      button("Use it", done2(use), { class: "second" }),
      " ",
      button(has ? "Keep the draft here" : "Discard it", done2(keep), { class: "second" })
    );
  }
};

// server/http/static/turn/send.js
var SEND = "Sign and send";
var NOT_THIS_DEVICE = ["no-key", "no-seat", "seat-gone"];
var Sending = class {
  /**
   * @param {HTMLElement} foot with the words that are signed and the button
   * @param {HTMLElement} trouble above it @param {import("./game.js").Game} game @param {Does} does
   */
  constructor(foot, trouble, game, does) {
    this.game = game;
    this.does = does;
    this.busy = false;
    this.proof = game.checked;
    this.stop = null;
    this.shown = { steps: [], head: null };
    this.warnings = [];
    this.signed = el("div", { class: "signed" });
    this.trouble = trouble;
    this.button = el("button", { type: "button", class: "send" }, SEND);
    this.wait = guarded(this.button, () => void this.send({}));
    foot.append(this.signed, this.button);
  }
  /** @param {Step[]} steps @param {Head | null} head @param {string[]} [warnings] what they waste, in sentences */
  show(steps, head, warnings = []) {
    const changed2 = JSON.stringify(commands(steps)) !== JSON.stringify(commands(this.shown.steps));
    if (changed2) this.wait();
    this.shown = { steps, head };
    if (changed2) this.#fresh(warnings);
    this.signed.replaceChildren(...steps.length ? this.#what(steps, head) : []);
    this.button.hidden = !steps.length;
  }
  focus() {
    if (!this.button.hidden) this.button.focus({ preventScroll: true });
    return !this.button.hidden;
  }
  /** @param {Step[]} steps @param {Head | null} head */
  #what(steps, head) {
    const place = `You sign for seat ${(this.game.seat ?? 0) + 1}:`;
    const upon = head && `The signature is for the position after entry ${head.seq} of the log.`;
    return [
      el("p", { class: "words" }, place, " ", el("code", {}, line(steps))),
      el(
        "details",
        {},
        el("summary", {}, "Signed data"),
        upon && el("p", { class: "quiet" }, upon),
        el("pre", { tabindex: "0" }, JSON.stringify(commands(steps), null, 1))
      )
    ];
  }
  /** @param {string[]} warnings */
  #fresh(warnings) {
    this.warnings = warnings;
    this.trouble.replaceChildren();
    this.button.textContent = SEND;
  }
  /** Asks once whether to send all the same. */
  #ask() {
    this.#trouble(el("p", {}, `${this.warnings.join(" ")} End all the same?`));
    this.warnings = [];
    this.button.textContent = `${SEND} all the same`;
    this.wait();
  }
  /** @param {Consent} consent */
  async send(consent) {
    if (this.warnings.length) return this.#ask();
    const { steps, head } = this.shown;
    const words = line(steps);
    await this.#tried(() => move(this.proof, commands(steps), head, { ...consent, words }), consent, "send", steps);
  }
  /** @param {Consent} [consent] */
  async resign(consent = {}) {
    await this.#tried(() => resign(this.proof, consent), consent, "resign", []);
  }
  /** Sends acts again, byte for byte, that were signed earlier and never answered. */
  async again() {
    if (this.busy) return;
    const pending = await this.proof.memory().then(
      (memory) => memory.pending(),
      () => []
    );
    const waiting = pending.filter(({ refused }) => refused === null);
    if (!waiting.length) return;
    this.#unsent(
      `You have signed this before, but the server has not answered: ${waiting.map(({ says }) => says).join("; ")}.`
    );
  }
  /**
   * @param {() => Promise<Entry>} does
   * @param {Consent} consent
   * @param {"send" | "resign"} what
   * @param {Step[]} steps
   */
  async #tried(does, consent, what, steps) {
    if (this.busy) return;
    this.stop?.abort();
    this.#working(true);
    this.#trouble();
    try {
      const entry = await does();
      this.#working(false);
      this.does.sent(entry, steps);
    } catch (error) {
      this.#working(false);
      this.#tell(error, consent, what);
    }
  }
  /** @param {...(Node | null | undefined)} nodes */
  #trouble(...nodes) {
    this.trouble.replaceChildren(...nodes.filter((one) => one instanceof Node));
  }
  /** @param {boolean} busy */
  #working(busy2) {
    this.busy = busy2;
    this.button.textContent = busy2 ? "Signing and sending …" : SEND;
    this.button.setAttribute("aria-disabled", String(busy2));
  }
  /** @param {unknown} error @param {Consent} consent @param {"send" | "resign"} what */
  #tell(error, consent, what) {
    const says = error instanceof Error ? error.message : String(error);
    if (error instanceof VerificationError) this.#trouble(...report(error, this.proof, () => this.#trouble()));
    else if (error instanceof NotSigned) this.#unsigned(error, consent, what);
    else if (error instanceof NotSent) this.#unsent(says);
    else {
      this.#trouble(wrong(error instanceof Problem ? `This was not accepted. ${says}` : `Nothing was signed. ${says}`));
      if (error instanceof Problem) this.does.stale();
    }
  }
  /** @param {import("../game/acts.js").NotSigned} error @param {Consent} consent @param {"send" | "resign"} what */
  #unsigned({ code, message, facts }, consent, what) {
    const asked = code === "unsettled" && !facts.answered ? void 0 : ASKED[code];
    const agree = asked && el("button", { type: "button", class: "second" }, asked.says);
    if (agree) guarded(agree, () => void this[what]({ ...consent, ...asked.consent }));
    const let_in = NOT_THIS_DEVICE.includes(code) ? button("Approve this device …", () => void this.#letIn(consent, what), { class: "second" }) : null;
    this.#trouble(wrong(`Nothing was signed. ${message}`), agree, let_in);
    if (code === "stale") this.does.stale();
  }
  /** @param {Consent} consent @param {"send" | "resign"} what */
  async #letIn(consent, what) {
    try {
      if (await enter(this.game.account ?? "")) await this[what](consent);
    } catch (error) {
      this.#tell(error, consent, what);
    }
  }
  /** Sends again by itself, and when a button is pressed. @param {string} says */
  #unsent(says) {
    this.stop = new AbortController();
    const stop = this.stop;
    const told = (became) => {
      const logged = became.find(({ entry }) => entry)?.entry;
      const no = became.find(({ problem }) => problem)?.problem;
      if (!logged && !no) return;
      stop.abort();
      this.#trouble(no && wrong(`Your move was not logged. ${no.message}`));
      if (logged) this.does.sent(logged, []);
      else this.does.stale();
    };
    const now = () => void again(this.proof).then(told, (error) => this.#tell(error, {}, "send"));
    this.#trouble(wrong(says), button("Send again now", now, { class: "second" }));
    void keepSending(this.proof, told, stop.signal);
  }
};
var wrong = (says) => el("p", { class: "wrong" }, says);

// server/http/static/ui/drag.js
var FAR = 8;
var NEAR = 1 / 3;
function draggable(list2, move2) {
  let held = null;
  let dropped = -Infinity;
  const end = ({ pointerId }, drop = false) => {
    if (!held || held.id !== pointerId) return;
    const { line: line2, from, to, moved: moved2 } = held;
    held = null;
    line2.classList.remove("dragged");
    line2.style.translate = "";
    if (moved2) dropped = performance.now();
    if (drop && moved2 && from !== to) move2(from, to);
  };
  list2.addEventListener("pointerdown", (event) => held ??= taken(list2, event));
  list2.addEventListener("pointermove", (event) => held && held.id === event.pointerId && follow(list2, held, event));
  list2.addEventListener("pointerup", (event) => end(event, true));
  list2.addEventListener("pointercancel", (event) => end(event));
  list2.addEventListener("click", (event) => performance.now() - dropped < 50 && event.stopPropagation(), {
    capture: true
  });
}
function taken(list2, { target, button: button2, pointerType, pointerId, clientY }) {
  const at = target instanceof Element ? target : list2;
  const lines = (
    /** @type {HTMLElement[]} */
    [...list2.children]
  );
  const line2 = lines.find((one) => one.contains(at));
  if (!line2 || button2 || lines.length < 2 || pointerType !== "mouse" && !at.closest(".grip")) return null;
  const from = lines.indexOf(line2);
  const edges = lines.map(
    (one, nth) => one.getBoundingClientRect().top + one.clientHeight * (nth > from ? NEAR : 1 - NEAR)
  );
  return { line: line2, id: pointerId, from, to: from, y: clientY, edges, moved: false };
}
function follow(list2, held, { clientY, pointerId }) {
  const far = clientY - held.y;
  if (!held.moved && Math.abs(far) < FAR) return;
  if (!held.moved) list2.setPointerCapture(pointerId);
  held.moved = true;
  held.line.classList.add("dragged");
  held.line.style.translate = `0 ${far}px`;
  held.to = held.edges.filter((edge, at) => at !== held.from && edge < clientY).length;
}

// server/http/static/turn/steps.js
var Steps = class {
  /** @param {HTMLElement} part @param {Does} does */
  constructor(part2, does) {
    this.part = part2;
    this.does = does;
  }
  /** @param {Step[]} steps @param {number | null} looked the step whose position is shown; null: the last one's */
  show(steps, looked) {
    const again2 = this.#focus();
    const list2 = el(
      "ol",
      { class: "plan", "aria-label": "Your draft move" },
      ...steps.map((step, at) => this.#line(step, at, steps.length, looked))
    );
    draggable(list2, (from, to) => this.does.move(from, to));
    this.part.replaceChildren(...steps.length ? [list2] : []);
    this.#refocus(again2, steps.length);
  }
  /** @param {Step} step @param {number} at @param {number} of @param {number | null} looked */
  #line({ notation, label }, at, of, looked) {
    const nth = `step ${at + 1}, ${notation}`;
    const look3 = button("", () => this.does.look(at), {
      class: "second look",
      "aria-pressed": looked === at ? "true" : "false",
      "data-is": "look"
    });
    look3.append(el("span", {}, label), " ", el("code", {}, notation));
    const line2 = el(
      "li",
      { class: looked !== null && at > looked ? "later" : null },
      el(
        "div",
        { class: "step" },
        of > 1 && el("span", { class: "grip", "aria-hidden": "true" }),
        look3,
        this.#buttons(nth, at, of)
      )
    );
    line2.addEventListener("keydown", (event) => this.#key(event, at, of));
    return line2;
  }
  /** @param {string} nth @param {number} at @param {number} of */
  #buttons(nth, at, of) {
    const one = (sign2, says, is, does, off = false) => button(sign2, does, { class: "second", "aria-label": `${says}: ${nth}`, disabled: off, "data-is": is });
    return el(
      "span",
      { class: "does" },
      of > 1 && one("↑", "Move up", "up", () => this.#moved(at, at - 1), at === 0),
      of > 1 && one("↓", "Move down", "down", () => this.#moved(at, at + 1), at === of - 1),
      one("✕", "Remove", "out", () => this.does.remove(at))
    );
  }
  /**
   * Alt with an arrow moves the step that has the focus.
   * @param {KeyboardEvent} event
   * @param {number} at
   * @param {number} of
   */
  #key(event, at, of) {
    const to = event.key === "ArrowUp" ? at - 1 : event.key === "ArrowDown" ? at + 1 : null;
    if (!event.altKey || to === null || to < 0 || to >= of) return;
    event.preventDefault();
    this.#moved(at, to);
  }
  /** Keeps the focus on the moved step. @param {number} from @param {number} to */
  #moved(from, to) {
    this.follow = to;
    this.does.move(from, to);
  }
  /** The button and line that have the focus. @returns {{at: number, is: string} | null} */
  #focus() {
    const here = document.activeElement;
    if (!(here instanceof HTMLElement) || !this.part.contains(here)) return null;
    const lines = [...this.part.querySelectorAll("li")];
    return { at: lines.findIndex((line2) => line2.contains(here)), is: here.dataset.is ?? "look" };
  }
  /** @param {{at: number, is: string} | null} again @param {number} of */
  #refocus(again2, of) {
    const { follow: follow3 } = this;
    this.follow = void 0;
    if (!again2 || !of) return;
    const line2 = this.part.querySelectorAll("li")[Math.min(follow3 ?? again2.at, of - 1)];
    const same2 = line2?.querySelector(`[data-is="${again2.is}"]:not([disabled])`) ?? line2?.querySelector(".look");
    if (same2 instanceof HTMLElement) same2.focus({ preventScroll: true });
  }
};

// server/http/static/turn/preview-text.js
var list = (said2) => el("ul", {}, ...said2.map((one) => el("li", {}, el("bdi", {}, one))));
var note = (says) => el("p", { class: "quiet" }, says);
function previewText({ sentences, others, certain, steps }, hidden) {
  if (!steps.length) return [];
  const less = hidden && others.join("\n") !== sentences.join("\n");
  return [
    ...sentences.length ? [el("h3", {}, "Effect of your move"), list(sentences)] : [],
    ...certain ? [] : [
      note(
        hidden ? "Chance or hidden information decides next: the preview ends here, and you cannot undo the move once you have sent it." : "Chance decides next: the preview ends here, and you cannot undo the move once you have sent it."
      )
    ],
    ...less ? [el("h3", {}, "What other players see"), others.length ? list(others) : el("p", {}, "Nothing yet.")] : [],
    ...hidden ? [note("Until the game ends, other players see only the result of your move, not these commands.")] : []
  ];
}

// server/http/static/turn/panel.js
var WIDE = "(min-width: 62rem)";
function start9(section, game) {
  if (!matchMedia(WIDE).matches) document.querySelector("#since details")?.removeAttribute("open");
  const panel = new Panel(section, game);
  void panel.begin();
  return panel;
}
var Panel = class {
  plan = planned();
  /** @type {import("./plan.js").Head | null} the entry that it is planned on */
  head = null;
  /** The effect of the draft. @type {Preview} */
  preview = NOWHERE;
  /** @type {number | null} the step whose position is shown, if it is not the last one's */
  looked = null;
  /** @type {Pick[]} */
  picks = [];
  logged = "";
  // the result of our last entry
  last = -1;
  // its number
  onPicture = false;
  // was the last choice made there?
  told = el("div", { class: "told", role: "status" });
  offers = new PlanOffers();
  prompt = el("p", { class: "prompt", "aria-hidden": "true" });
  // the board as text says it, too
  undo = el("p", { class: "undo" });
  folded = false;
  // is the news of others folded, because there is a draft?
  brings = el("div", { class: "brings", "aria-live": "polite" });
  /** @param {HTMLElement} section @param {Game} game */
  constructor(section, game) {
    this.section = section;
    this.game = game;
    this.previews = new Previews(`/v1/games/${game.id}`);
    this.highlights = new Highlights(game.scene);
    this.store = new PlanStore(game.account, game.id, (kept) => this.#heard(kept));
    const [list2, trouble] = [el("div"), el("div", { class: "trouble", role: "alert" })];
    this.foot = el("div", { class: "foot", hidden: "" }, this.undo);
    this.asked = el("div", { class: "question", role: "group", "aria-label": "Next choice" });
    this.steps = new Steps(list2, {
      move: (from, to) => void this.#change(moved(this.plan.steps, from, to), "The steps are not possible in that order"),
      remove: (at) => void this.#change(without(this.plan.steps, at), "The other steps are not possible without this one"),
      look: (at) => void this.#look(at)
    });
    this.choices = new Choices(this.asked, {
      choose: (picks) => void this.#choose(picks),
      back: () => this.#back(),
      point: (picks) => this.#point(picks)
    });
    this.first = new BoardFirst(() => this.#all());
    this.ghost = new Ghost(game.scene);
    this.typed = new CommandInput((text) => void this.#type(text));
    this.sending = new Sending(this.foot, trouble, game, {
      sent: (entry, steps) => void this.#sent(entry, steps),
      stale: () => void this.#stale()
    });
    this.leave = resignSection(() => void this.#resign());
    this.device = new Device(game);
    const draft = [this.device.part, this.told, this.offers.part, list2, this.prompt];
    draft.push(this.first.part, this.asked, this.brings);
    section.querySelector(".draft")?.append(...draft, this.typed.part, this.leave);
    section.append(trouble, this.foot);
    game.scene.addEventListener("drawn", () => this.#rest());
    game.addEventListener("news", () => void this.#news());
    game.addEventListener("palette", () => void this.#recolour());
    addEventListener("keydown", (event) => event.key === "Escape" && this.#escape());
  }
  async begin() {
    const kept = await this.store.load();
    if (kept) {
      this.plan = planned(kept.steps);
      this.#say(origin("here", kept.at));
    }
    await this.refresh();
    await this.#mailed();
    await this.sending.again();
    await this.device.look();
  }
  // --- reading -------------------------------------------------------------------------------------------------------
  /** Read the game again, and preview the draft from there. */
  async refresh() {
    this.previews.forget();
    this.#reset();
    try {
      if (this.game.mine) await this.#fit();
      else this.preview = NOWHERE;
      this.first.turn = this.game.mine ? await turned((steps) => this.#asked(steps), this.plan.steps) : null;
      const inside = this.#inside();
      this.#render();
      if (inside && !this.#inside()) this.#focus();
    } catch (error) {
      this.#fault(error);
    }
  }
  /** Draw the draft in the colours that the device asks for now; what is being chosen stays. */
  async #recolour() {
    const { plan, looked } = this;
    if (!this.game.mine || !plan.steps.length) return;
    try {
      const preview = await this.#asked(plan.steps);
      const shown = looked === null ? preview : await this.#asked(plan.steps.slice(0, looked + 1));
      if (plan !== this.plan || looked !== this.looked) return;
      this.preview = preview;
      this.#draw(shown);
    } catch (error) {
      this.#fault(error);
    }
  }
  /** Cut the draft where it is no longer possible, and explain that. */
  async #fit() {
    this.head = await (this.game.drawn ?? this.game.draw());
    this.preview = await this.#asked(this.plan.steps);
    const { refusal, done: done2 } = this.preview;
    if (!refusal) return;
    const gone = this.plan.steps.slice(done2).map(({ notation }) => `“${notation}”`);
    this.plan = planned(this.plan.steps.slice(0, done2));
    this.preview = await this.#asked(this.plan.steps);
    await this.#keep();
    this.#say(`Part of your draft move is no longer possible and was removed: ${gone.join(", ")}. ${refusal.says}`);
  }
  /** Has this seat moved after the entry, in another tab or on another device? @param {number} seq */
  #movedSince(seq) {
    const own = document.querySelectorAll(`#history .log > li.moved[data-by="${this.game.seat}"]`);
    return [...own].some(({ id }) => Number(id.replace("entry-", "")) > seq);
  }
  /** Preview these steps, and the text typed after them. @param {Step[]} steps @param {string} [text] */
  async #asked(steps, text) {
    this.section.setAttribute("aria-busy", "true");
    try {
      return await (text === void 0 ? this.previews.of(steps) : this.previews.typed(steps, text));
    } finally {
      this.section.removeAttribute("aria-busy");
    }
  }
  /** There are new entries: try the draft on the new position. */
  async #news() {
    if (this.sending.busy) return;
    const before = this.plan.steps;
    if (!this.#isLogged) this.#say("");
    if (before.length && this.head && this.#movedSince(this.head.seq)) {
      this.plan = planned();
      await this.#keep();
      await this.refresh();
      return this.#say("Your move was sent from another tab or device. The draft move here was removed.");
    }
    await this.refresh();
    if (this.#isLogged) return this.#tellLogged();
    if (!before.length || this.told.textContent) return;
    if (this.game.mine) this.#say("The game has moved on. Your draft move is still possible.");
    else this.#say("It is not your turn now. Your draft move is kept.");
  }
  /** The game has moved on since the position that was signed on. */
  async #stale() {
    await this.game.draw().catch((error) => this.#fault(error));
    await this.#news();
  }
  /** Show the position after this step; if it is shown already, after the last one. @param {number} at */
  async #look(at) {
    const last2 = this.plan.steps.length - 1;
    this.looked = at === last2 || at === this.looked ? null : at;
    try {
      this.#draw(await this.#asked(this.plan.steps.slice(0, (this.looked ?? last2) + 1)));
      this.steps.show(this.plan.steps, this.looked);
    } catch (error) {
      this.#fault(error);
    }
  }
  // --- choosing ------------------------------------------------------------------------------------------------------
  /**
   * @param {Pick[]} picks
   * @param {string[]} [others] the other words of the place that was chosen on the picture
   * @returns {Promise<void>}
   */
  async #choose(picks, others = []) {
    const { choice, options: options2 } = ask2(this.legal, picks);
    if (choice) return this.#change(added(this.plan.steps, choice));
    const next = options2.find(({ marks }) => marks.some((mark) => others.includes(mark)));
    if (next) {
      return this.#choose(
        next.picks,
        others.filter((mark) => !next.marks.includes(mark))
      );
    }
    this.picks = picks;
    this.#render();
    return this.#focus();
  }
  /** @param {Option} option @param {string[]} others */
  async #picked(option, others) {
    this.onPicture = true;
    await this.#choose(option.picks, others);
    this.onPicture = false;
  }
  /** Shows on the board what a last choice would do. @param {Pick[] | null} picks */
  #point(picks) {
    const choice = picks && lastOf(this.legal, picks);
    if (!choice || this.game.scene.layer === "past") return this.ghost.clear();
    this.ghost.show(() => this.previews.of(added(this.plan.steps, choice)));
  }
  #back() {
    do
      this.picks = this.picks.slice(0, -1);
    while (this.picks.length && ask2(this.legal, this.picks).choice);
    if (this.picks.length <= this.first.begin(this.legal).length) this.picks = [];
    this.#render();
    this.#focus();
  }
  #escape() {
    if (!this.#inside()) return;
    if (this.picks.length) this.#back();
    else if (this.first.chosen.length) this.#all();
  }
  // --- board first: what can be done at a place ----------------------------------------------------------------------
  /** The commands to choose from: all, or those at the places chosen on the board. */
  get legal() {
    return this.first.of(this.preview.legal);
  }
  /** @param {Spot} spot */
  async #tapped(spot) {
    const { turn } = this.first;
    if (turn && this.first.turns(spot)) {
      await this.#change(turn.steps, "The tile cannot be turned");
      this.highlights.focus(spot.key);
      return;
    }
    const choice = this.first.choose(spot, this.preview.legal);
    if (choice) {
      this.onPicture = true;
      await this.#change(added(this.plan.steps, choice));
      this.onPicture = false;
      return;
    }
    this.#render();
    if (this.first.chosen.length) this.#focus();
    else this.highlights.focus(spot.key);
  }
  /** Shows all choices again; the focus returns to the board if it was there. */
  #all() {
    const [spot] = this.first.chosen;
    this.first.forget();
    this.#render();
    if (!spot || !this.highlights.focus(spot.key)) this.#focus();
  }
  #reset() {
    this.picks = [];
    this.looked = null;
    this.first.forget();
  }
  /**
   * Take other steps if the rules allow them all. Otherwise keep the old ones and explain why.
   * @param {Step[]} steps
   * @param {string} [why]
   */
  async #change(steps, why = "This step is not possible") {
    if (same(steps, this.plan.steps)) return;
    try {
      const preview = await this.#asked(steps);
      if (preview.refusal) this.#say(`${why}: ${preview.refusal.says}`, true);
      else await this.#take(changed(this.plan, steps), preview);
    } catch (error) {
      this.#fault(error);
    }
  }
  async #undone() {
    const plan = undone(this.plan);
    try {
      await this.#take(plan, await this.#asked(plan.steps));
    } catch (error) {
      this.#fault(error);
    }
  }
  /** @param {string} text */
  async #type(text) {
    try {
      const preview = await this.#asked(this.plan.steps, text);
      if (preview.refusal) return this.typed.refuse(preview.refusal.says);
      await this.#take(changed(this.plan, preview.steps), preview);
      if (!this.typed.next()) this.#focus();
    } catch (error) {
      if (error instanceof Problem) this.typed.refuse(error.detail);
      else this.#fault(error);
    }
  }
  /** @param {import("./plan.js").Plan} plan @param {Preview} preview */
  async #take(plan, preview) {
    const turn = await turned((steps) => this.#asked(steps), plan.steps);
    const [inside, moving] = [this.#inside(), focused(this.section.querySelector("ol.plan"))];
    this.plan = plan;
    this.preview = preview;
    this.first.turn = turn;
    this.#reset();
    this.#say("");
    this.#render();
    if (inside && !(moving && plan.steps.length)) this.#focus();
    await this.#keep();
  }
  /** Resign, in turn or not; the panel shows the result. */
  async #resign() {
    this.section.hidden = false;
    await this.sending.resign();
  }
  // --- sending and storing -------------------------------------------------------------------------------------------
  /** Show what the move did, and go on. @param {{seq: number}} entry @param {Step[]} steps */
  async #sent(entry, steps) {
    this.plan = planned();
    await this.#keep();
    const [brought] = await Promise.all([this.#brought(entry.seq, steps.length), this.game.renew()]);
    await this.refresh();
    this.logged = [`Your move is logged as entry ${entry.seq}.`, ...brought].join(" ");
    this.last = entry.seq;
    this.#tellLogged();
    this.#focus();
  }
  /** The result stays while others move, until there is something else to show. */
  #tellLogged() {
    const turn = this.game.head > this.last ? "It is your turn again." : "It is still your turn.";
    this.#say(this.game.mine ? `${this.logged} ${turn}` : this.logged);
  }
  get #isLogged() {
    return this.logged !== "" && Boolean(this.told.textContent?.startsWith(this.logged));
  }
  /** @param {number} seq @param {number} planned @returns {Promise<string[]>} */
  async #brought(seq, planned2) {
    const path2 = `/v1/games/${this.game.id}`;
    try {
      const [{ sentences }, [own]] = await Promise.all([
        get(`${path2}/view?at=${seq}`),
        get(`${path2}/openings?after=${seq - 1}&limit=1`)
      ]);
      const cut = own?.seq === seq && own.refusal && own.done < planned2;
      return cut ? [...sentences, `Your move stopped after step ${own.done} of ${planned2}: ${own.refusal.says}`] : sentences;
    } catch {
      return [];
    }
  }
  #keep() {
    return this.store.save(this.plan.steps, this.head);
  }
  /** Another tab has changed the draft. @param {Kept | null} kept */
  #heard(kept) {
    this.offers.clear();
    if (!kept || same(kept.steps, this.plan.steps)) return;
    this.#offer(line(kept.steps), origin("tab", kept.at), () => this.#keep());
  }
  /** Offer the draft that came by mail. */
  async #mailed() {
    const mail = this.game.mine && this.game.mailed ? await mailed(this.game.id) : null;
    if (!mail || mail.notation === line(this.plan.steps)) return;
    const origin2 = origin(mail.fresh ? "mail" : "oldMail", mail.at);
    this.#offer(mail.notation, origin2, () => dropMailed(this.game.id));
  }
  /** @param {string} notation @param {string} origin @param {() => Promise<unknown>} keep */
  #offer(notation, origin2, keep) {
    this.offers.show(notation, origin2, {
      has: this.plan.steps.length > 0,
      use: () => this.#instead(notation),
      keep,
      then: () => this.#focus()
    });
    this.section.hidden = false;
  }
  /** Replace the draft by this one if the rules allow it all. @param {string} notation */
  async #instead(notation) {
    try {
      const preview = await this.#asked([], notation);
      if (preview.refusal) return this.#say(`That draft move is not possible now: ${preview.refusal.says}`, true);
      await this.#take(changed(this.plan, preview.steps), preview);
      await dropMailed(this.game.id);
    } catch (error) {
      this.#fault(error);
    }
  }
  // --- drawing -------------------------------------------------------------------------------------------------------
  #render() {
    const { preview, plan } = this;
    const steps = this.game.mine ? plan.steps : [];
    const picks = this.picks.length ? this.picks : this.first.begin(this.legal);
    const asked = ask2(this.legal, picks);
    this.section.hidden = this.game.stage !== "running" && !this.told.textContent;
    this.leave.hidden = this.game.stage !== "running";
    this.steps.show(steps, this.looked);
    this.undo.replaceChildren(
      ...plan.before.length && this.game.mine ? [button("Undo", () => void this.#undone(), { class: "second" })] : []
    );
    this.brings.replaceChildren(...previewText(preview, this.game.hidden));
    this.first.show(this.legal);
    this.choices.show(asked, picks, this.picks.length > 0);
    this.#light(asked.options);
    this.typed.show(preview.legal);
    this.sending.show(steps, this.head, preview.warnings);
    this.foot.hidden = !steps.length && !this.undo.hasChildNodes();
    this.#fold(steps.length > 0);
    this.#draw(preview);
  }
  /**
   * Lights the answers on the board; before a question is begun, every place with choices.
   * @param {Option[]} options
   */
  #light(options2) {
    const { legal } = this.preview;
    if (!this.picks.length) {
      return this.highlights.offer(
        (svg) => this.first.places(svg, legal),
        (spot) => void this.#tapped(spot)
      );
    }
    this.highlights.show(
      options2,
      (option, others) => void this.#picked(option, others),
      (option, mark) => this.#leads(option, mark)
    );
  }
  /** While an earlier position is shown, nothing can be chosen or sent. */
  #rest() {
    const past = this.game.scene.layer === "past";
    this.prompt.textContent = past || !this.game.mine ? "" : this.game.scene.head;
    for (const part2 of [this.first.part, this.asked, this.typed.part, this.foot]) part2.inert = past;
  }
  /** What others did is folded as soon as there is a draft. @param {boolean} planned */
  #fold(planned2) {
    if (planned2 && !this.folded) document.querySelector("#since details")?.removeAttribute("open");
    this.folded = planned2;
  }
  /** @param {Preview} preview */
  #draw({ picture, board }) {
    this.game.scene.put("plan", picture ? { picture, board } : null);
  }
  /** May this mark be chosen after the option? @param {Option} option @param {string} mark */
  #leads(option, mark) {
    const { choice, options: options2 } = ask2(this.legal, option.picks);
    return choice ? choice.words.some(({ kind, word }) => `${kind}:${word}` === mark) : options2.some(({ marks }) => marks.includes(mark));
  }
  /** Focus the next choice, on the picture if the last one was made there; the send button if nothing can follow. */
  #focus() {
    if (this.onPicture && this.highlights.focus()) return;
    if (this.choices.focus() || this.sending.focus()) return;
    this.section.setAttribute("tabindex", "-1");
    this.section.focus({ preventScroll: true });
  }
  #inside() {
    return focused(this.section) || focused(this.game.scene.figure);
  }
  /** @param {string} says @param {boolean} [wrong] */
  #say(says, wrong2 = false) {
    this.told.classList.toggle("wrong", wrong2);
    if (this.told.textContent !== says) this.told.textContent = says;
    if (says) this.section.hidden = false;
  }
  /** @param {unknown} error */
  #fault(error) {
    if (!(error instanceof Overtaken)) this.#say(error instanceof Error ? error.message : String(error), true);
  }
};
function lastOf(legal, picks) {
  const { choice, options: options2 } = ask2(legal, picks);
  if (choice) return choice;
  const last2 = options2.every((one) => one.is === "word" && one.choice?.words.at(-1)?.kind !== "cell");
  return last2 ? options2[0]?.choice ?? null : null;
}

// server/http/static/turn/replay.js
var PACE = 1200;
var SETTLE = 80;
var KEPT = 120;
function start10(game) {
  const place = document.getElementById("replay");
  return place ? new Replay(game, place) : null;
}
var Replay = class {
  /** @param {import("./game.js").Game} game @param {HTMLElement} place */
  constructor(game, place) {
    this.game = game;
    this.place = place;
    this.first = Number(place.dataset.first);
    this.at = place.dataset.at ? Number(place.dataset.at) : game.head;
    this.eyes = place.dataset.eyes ?? "";
    this.turn = null;
    this.kept = /* @__PURE__ */ new Map();
    this.timer = void 0;
    this.playing = false;
    this.slider = el("input", {
      type: "range",
      id: "replay-at",
      "aria-label": "Entry to show",
      min: `${this.first}`,
      max: `${game.head}`
    });
    this.play = sign("▶", "Play", () => this.playing ? this.pause() : this.#play());
    this.whose = el("select", { "aria-label": "Step by" });
    this.link = el("a", { class: "quiet" }, "Link to this position");
    this.chip = null;
    this.heading = document.getElementById("position");
    this.back = button("To now", () => this.now(), { class: "second to-now", hidden: true });
    this.said = el("output", { class: "then", for: "replay-at" });
    this.#build();
    document.getElementById("since")?.addEventListener("click", (event) => this.#since(event));
    game.addEventListener("news", (event) => this.#news(
      /** @type {CustomEvent} */
      event.detail.before
    ));
    this.#tell();
    if (this.at !== game.head || this.eyes) {
      this.#opened(true);
      void this.#show();
    }
  }
  /** The entries at which the buttons stop: all, or those of a seat's turns. @returns {number[]} */
  get stops() {
    const chosen = this.whose.value;
    if (!chosen) return [];
    const turns = (document.getElementById("turns")?.textContent ?? "").trim().split(/\s+/);
    return turns.filter((turn) => turn.endsWith(`:${chosen}`)).map((turn) => parseInt(turn, 10));
  }
  #build() {
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value), SETTLE));
    this.whose.append(...options("every entry", "turns of", this.game.names));
    const buttons = [
      sign("«", "First position", () => this.go(this.first)),
      sign("‹", "Previous", () => this.step(-1)),
      this.play,
      sign("›", "Next", () => this.step(1)),
      sign("»", "Latest position", () => this.go(this.game.head))
    ];
    const bar = el("div", { class: "bar" });
    bar.append(...buttons, this.whose, ...this.#seats(), this.link);
    this.place.replaceChildren(this.slider, bar);
    const caption = this.heading?.parentElement;
    caption?.querySelector("ul")?.remove();
    caption?.append(
      this.said,
      button("To now", () => this.now(), { class: "second to-now" })
    );
    document.querySelector("#strip .chips")?.append(this.#chip());
  }
  /** On a narrow screen it opens and closes the controls. */
  #chip() {
    const chip = button("Look back", () => this.#opened(chip.getAttribute("aria-expanded") !== "true"), {
      class: "second look-back",
      "aria-expanded": "false",
      "aria-controls": "replay"
    });
    return this.chip = chip;
  }
  /** @param {boolean} is */
  #opened(is) {
    this.chip?.setAttribute("aria-expanded", String(is));
    this.place.parentElement?.classList.toggle("looking", is);
    if (!is) this.now();
  }
  /** A turn since the reader's last one, or the next of them. @param {MouseEvent} event */
  #since(event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const turns = (
      /** @type {HTMLElement[]} */
      [...document.querySelectorAll("#since [data-at]")]
    );
    const seen = this.turn ? this.turn.at : -1;
    const next = link.dataset.at ? link : turns.find((one) => Number(one.dataset.at) > seen);
    if (!next) return this.now();
    this.pause();
    this.go(Number(next.dataset.at), 0, Number(next.dataset.from));
  }
  /** Return to the newest position. */
  now() {
    this.pause();
    this.eyes = "";
    this.go(this.game.head);
  }
  /** After the end anyone may see the view of every seat, which shows more in a hidden game. */
  #seats() {
    const { game } = this;
    if (game.stage !== "finished" || !game.hidden) return [];
    const eyes = el("select", { "aria-label": "View" });
    eyes.append(...options("public view", "view of", game.names));
    eyes.value = this.eyes;
    eyes.addEventListener("change", () => {
      this.eyes = eyes.value;
      void this.#show();
      this.#tell();
    });
    return [eyes];
  }
  /**
   * Show the position after this entry.
   * @param {number} at @param {number} [wait]
   * @param {number} [from] the entry before the turn whose changes are marked
   */
  go(at, wait = 0, from = void 0) {
    this.at = Math.max(this.first, Math.min(this.game.head, at));
    this.turn = from === void 0 ? null : { at: this.at, from: Math.max(this.first, from) };
    this.#tell();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.#show(), wait);
  }
  /** Go to the previous or next stop. @param {number} way */
  step(way) {
    this.pause();
    this.go(this.#next(way));
  }
  /** @param {number} way */
  #next(way) {
    if (!this.whose.value) return Math.max(this.first, Math.min(this.game.head, this.at + way));
    const { stops } = this;
    const next = way > 0 ? stops.find((stop) => stop > this.at) : stops.findLast((stop) => stop < this.at);
    return next ?? this.at;
  }
  #play() {
    if (this.at === this.game.head) this.go(this.first);
    this.playing = true;
    this.#tell();
    this.timer = setTimeout(() => void this.#onward(), PACE);
  }
  async #onward() {
    const next = this.#next(1);
    if (!this.playing || next === this.at) {
      this.pause();
      return;
    }
    this.at = next;
    this.#tell();
    await this.#show();
    if (this.playing) this.timer = setTimeout(() => void this.#onward(), PACE);
  }
  pause() {
    this.playing = false;
    clearTimeout(this.timer);
    this.#tell();
  }
  /** Update the slider, its label and the URL. */
  #tell() {
    const { at, game } = this;
    const now = at === game.head && !this.eyes && !this.turn;
    for (const one of document.querySelectorAll("#since [data-at]")) {
      one.toggleAttribute("aria-current", one.getAttribute("data-at") === String(this.turn?.at));
    }
    this.slider.max = `${game.head}`;
    this.slider.value = `${at}`;
    this.slider.setAttribute("aria-valuetext", `entry ${at} of ${game.head}`);
    this.play.textContent = this.playing ? "⏸" : "▶";
    this.play.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.play.title = this.playing ? "Pause" : "Play";
    const address = new URL(location.href);
    for (const name of ["at", "seat"]) address.searchParams.delete(name);
    if (!now) address.searchParams.set("at", `${at}`);
    if (this.eyes) address.searchParams.set("seat", this.eyes);
    history.replaceState(null, "", address);
    if (this.heading) {
      this.heading.textContent = now ? this.heading.dataset.present ?? "" : `Position after entry ${at} of ${game.head}`;
    }
    this.link.href = address.href;
    this.link.hidden = now;
    this.back.hidden = now;
  }
  /** Fetch and draw the position, unless another one was chosen meanwhile. */
  async #show() {
    const { at, eyes, game, turn } = this;
    if (at === game.head && !eyes && !turn) {
      this.said.replaceChildren();
      game.scene.put("past", null);
      return;
    }
    try {
      const [then, before] = await Promise.all([this.#then(at), turn ? this.#then(turn.from) : void 0]);
      if (at !== this.at || eyes !== this.eyes || turn !== this.turn) return;
      game.scene.put("past", before ? { ...then, before: before.picture } : then);
      this.#say(then.sentences);
      if (this.playing) void this.#then(this.#next(1)).catch(() => void 0);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.pause();
      this.said.textContent = error.message;
    }
  }
  /** @param {string[]} sentences */
  #say(sentences) {
    const items = sentences.flatMap((one) => [el("li", {}, el("bdi", {}, one)), " "]);
    this.said.replaceChildren(el("ul", {}, ...items));
  }
  /** @param {number} at @returns {Promise<Then>} */
  #then(at) {
    const asked = `at=${at}${this.eyes ? `&seat=${this.eyes}` : ""}`;
    const kept = this.kept.get(asked) ?? this.game.position(asked);
    this.kept.delete(asked);
    this.kept.set(asked, kept);
    for (const old of this.kept.keys()) if (this.kept.size > KEPT) this.kept.delete(old);
    kept.catch(() => this.kept.delete(asked));
    return kept;
  }
  /** Follow the game if the newest position was shown. @param {number} before */
  #news(before) {
    if (this.at === before && !this.playing) this.at = this.game.head;
    this.#tell();
  }
};
function options(none, says, names) {
  const one = names.map((name, seat) => el("option", { value: seat }, `${says} ${name}`));
  return [el("option", { value: "" }, none), ...one];
}

// server/http/static/turn/talk.js
var LOOK = 20;
function start11(game) {
  const section = document.getElementById("talk");
  if (section) void follow2(game, section);
}
async function follow2(game, section) {
  let visible = false;
  const watcher = new IntersectionObserver(([one]) => {
    visible = one?.isIntersecting ?? false;
    if (visible) void see(game);
  });
  watcher.observe(section);
  for (; ; ) {
    await pause(LOOK);
    if (document.hidden || isBusy()) continue;
    const found = await look2(game).catch(() => false);
    if (found && visible) void see(game);
  }
}
function isBusy() {
  return document.getElementById("talk-said")?.contains(document.activeElement) ?? false;
}
async function look2(game) {
  const { messages } = await get(`/v1/games/${game.id}/talk?after=${last()}`);
  if (messages.length) await game.renew();
  return messages.length > 0;
}
async function see(game) {
  const n = last();
  if (!n) return;
  const noted = put(`/v1/games/${game.id}/talk/seen`, { n });
  await noted.then(() => n === last() && unmark()).catch(() => void 0);
}
function unmark() {
  for (const mark of document.querySelectorAll("#tab-news .unread")) mark.remove();
}
function last() {
  const shown = document.querySelector("#talk-said li:last-child");
  return Number(shown?.id.replace("message-", "") ?? 0);
}

// server/http/static/turn/tabs.js
var ONE_SCREEN = "(min-height: 30rem)";
var KEYS = (
  /** @type {Record<string, number>} */
  { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }
);
var HEIGHTS = (
  /** @type {Record<string, string>} */
  { half: "tall", tall: "peek", peek: "half" }
);
function start12(game) {
  const list2 = document.getElementById("tabs");
  return list2 ? new Tabs(game, list2) : null;
}
var Tabs = class {
  /** @param {import("./game.js").Game} game @param {HTMLElement} list */
  constructor(game, list2) {
    this.game = game;
    this.list = list2;
    this.side = /** @type {HTMLElement} */
    list2.closest(".side");
    this.screen = matchMedia(ONE_SCREEN);
    this.links = [...list2.querySelectorAll("a")];
    this.#handle();
    list2.addEventListener("click", (event) => this.#click(event));
    list2.addEventListener("keydown", (event) => this.#key(event));
    this.screen.addEventListener("change", () => this.#apply());
    addEventListener("hashchange", () => this.#follow());
    game.addEventListener("news", () => this.#news());
    this.mine = game.mine;
    this.#apply();
    this.#follow();
  }
  /** The open tab. */
  get current() {
    return this.links.find((link) => link.hasAttribute("aria-current")) ?? this.links.find((link) => !link.hidden);
  }
  /** Opens a part by its key. @param {string} key */
  open(key) {
    if (this.side.dataset.sheet === "peek") this.#step("peek");
    for (const link of this.links) {
      const is = link.id === `tab-${key}`;
      link.toggleAttribute("aria-current", is);
      if (is) link.setAttribute("aria-current", "true");
      part(link)?.toggleAttribute("data-closed", !is);
    }
    document.getElementById("guide")?.toggleAttribute("open", key === "rules" || !this.screen.matches);
    this.#apply();
  }
  #apply() {
    const tabs = this.screen.matches;
    given(this.list, { role: tabs ? "tablist" : null });
    for (const link of this.links) {
      const is = link.hasAttribute("aria-current");
      const panel = part(link);
      given(link, {
        role: tabs ? "tab" : null,
        "aria-selected": tabs ? String(is) : null,
        "aria-controls": tabs && panel ? panel.id : null,
        tabindex: tabs && !is ? "-1" : null
      });
      if (panel) given(panel, { role: tabs ? "tabpanel" : null, "aria-labelledby": tabs ? link.id : null });
    }
  }
  /** @param {MouseEvent} event */
  #click(event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || !this.screen.matches || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.open(keyOf(link));
    part(link)?.querySelector(".new")?.scrollIntoView();
  }
  /** @param {KeyboardEvent} event */
  #key(event) {
    const way = KEYS[event.key];
    const seen = this.links.filter((link2) => !link2.hidden);
    const at = seen.findIndex((link2) => link2 === document.activeElement);
    if (!way || at < 0 || !this.screen.matches || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = Number.isFinite(way) ? (at + way + seen.length) % seen.length : way < 0 ? 0 : seen.length - 1;
    event.preventDefault();
    const link = (
      /** @type {HTMLAnchorElement} */
      seen[next]
    );
    this.open(keyOf(link));
    link.focus();
  }
  /** Opens the part that the address names. */
  #follow() {
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    const link = this.links.find((one) => target && part(one)?.contains(target));
    if (!link || !target) return;
    this.open(keyOf(link));
    target.scrollIntoView({ block: "nearest" });
  }
  /** The tabs that the game has now; the one that matters opens, unless the reader is busy there. */
  #news() {
    const { game } = this;
    const shown = { move: game.seat !== null && game.stage === "running", result: game.stage === "finished" };
    for (const [key2, is] of Object.entries(shown)) {
      const link = this.links.find((one) => one.id === `tab-${key2}`);
      if (link) link.hidden = !is && link !== this.current;
    }
    const key = shown.result ? "result" : game.mine && !this.mine ? "move" : null;
    this.mine = game.mine;
    if (key && !focused(this.side)) this.open(key);
  }
  /** The button that makes the sheet higher or lower. */
  #handle() {
    this.side.dataset.sheet = "half";
    this.handle = button("↕", () => this.#step(this.side.dataset.sheet ?? "half"), { class: "handle" });
    this.#named();
    this.list.after(this.handle);
  }
  /** @param {string} from */
  #step(from) {
    this.side.dataset.sheet = HEIGHTS[from] ?? "half";
    this.#named();
  }
  #named() {
    const says = { half: "half of the screen", tall: "most of the screen", peek: "tabs only" };
    const now = says[
      /** @type {keyof typeof says} */
      this.side.dataset.sheet
    ];
    this.handle?.setAttribute("aria-label", `Change the height of this panel, now ${now}`);
  }
};
var keyOf = (link) => link.id.replace("tab-", "");
var part = (link) => document.getElementById(`part-${keyOf(link)}`);
function given(node, all) {
  for (const [name, value] of Object.entries(all)) {
    if (value === null) node.removeAttribute(name);
    else node.setAttribute(name, value);
  }
}

// server/http/static/pages/game.js
var root = document.getElementById("game");
if (root) begin2(new Game(root));
function begin2(game) {
  start(game.clock);
  start12(game);
  if (game.scene.figure) {
    start4(game.scene);
    start3(game.scene);
    start2(game.scene);
    start10(game);
    void game.draw();
  }
  start5(game);
  start7(game);
  const section = document.getElementById("panel");
  if (section && game.seat !== null && game.scene.figure) start9(section, game);
  start11(game);
  const alerts = document.getElementById("alerts");
  if (alerts && game.seat !== null) start6(alerts, game);
  start8(game);
}
