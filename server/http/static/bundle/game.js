import {
  Clock,
  localize,
  start
} from "./chunk-VXTNBNPV.js";
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
  offer,
  resign,
  take
} from "./chunk-5Y45MAQH.js";
import {
  VerificationError
} from "./chunk-XG3CP7JW.js";
import {
  ask,
  button,
  el,
  enter,
  focused,
  paragraph,
  ready,
  sign
} from "./chunk-GKU24XFM.js";
import {
  mine
} from "./chunk-J374VYKZ.js";
import {
  NoAnswer,
  Problem,
  del,
  get,
  post,
  put
} from "./chunk-KHBG72CQ.js";
import "./chunk-WTO7KCRN.js";
import {
  open
} from "./chunk-2WYNB7VX.js";

// server/http/static/api/retry.js
var TRIES = 6;
async function withRetries(ask4) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask4();
    } catch (error) {
      if (!(error instanceof NoAnswer) || tries === TRIES) throw error;
      await pause(error.pause ?? tries);
    }
  }
}
function pause(seconds) {
  return new Promise((done2) => {
    const ends = () => {
      clearTimeout(timer);
      removeEventListener("online", ends);
      done2();
    };
    const timer = setTimeout(ends, seconds * 1e3);
    addEventListener("online", ends);
  });
}

// server/http/static/ui/media.js
var Media = class {
  #read;
  #heard;
  /** @param {string} query */
  constructor(query) {
    this.#read = matchMedia(query);
    this.#heard = matchMedia(query);
  }
  get matches() {
    return this.#read.matches;
  }
  /** @param {() => void} call */
  onChange(call) {
    this.#heard.addEventListener("change", call);
  }
};

// server/http/static/ui/palette.js
var DARK = new Media("(prefers-color-scheme: dark)");
var palette = () => DARK.matches ? "dark" : "light";
var onPalette = (redraw) => DARK.onChange(redraw);

// server/http/static/turn/fresh.js
async function read(address) {
  const text = await get(address, { headers: { Accept: "text/html" } });
  return new DOMParser().parseFromString(text, "text/html");
}
function renew(root2, page) {
  for (const part2 of root2.querySelectorAll("[data-live]")) swap(part2, page.getElementById(part2.id));
}
var STOPS = "a, button, input, select, textarea, summary, [tabindex]";
function swap(old, fresh) {
  if (!fresh || old.innerHTML === fresh.innerHTML) return;
  const [before2, parts] = [named(old, STOPS, nameOf), named(old, "details", placeOf)];
  const focused2 = [...before2].findIndex(([, one]) => one === document.activeElement);
  const typed3 = fields(old).filter((one) => !("defaultValue" in one) || one.value !== one.defaultValue);
  const said2 = old.querySelector(".said");
  old.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
  if (said2) old.querySelector(".said")?.replaceWith(said2);
  for (const [name, one] of named(old, "details", placeOf)) one.open = parts.get(name)?.open ?? one.open;
  for (const one of fields(old)) restore(one, typed3.find(({ id }) => id === one.id)?.value);
  const again2 = focused2 < 0 ? null : sameStop(before2, named(old, STOPS, nameOf), focused2);
  if (again2 instanceof HTMLElement) again2.focus({ preventScroll: true });
}
function named(part2, selector, name) {
  const count = /* @__PURE__ */ new Map();
  const found = [...part2.querySelectorAll(selector)].map((one) => {
    const nth = (count.get(name(one)) ?? 0) + 1;
    count.set(name(one), nth);
    return (
      /** @type {[string, Element]} */
      [`${name(one)} ${nth}`, one]
    );
  });
  return new Map(found);
}
var placeOf = (one) => one.closest("[id]")?.id ?? "";
function nameOf(one) {
  const says2 = one.localName === "summary" ? "" : one.textContent;
  return [placeOf(one), one.localName, one.getAttribute("data-act"), one.getAttribute("data-seat"), says2].join(" ");
}
function sameStop(before2, now, at) {
  const same3 = now.get([...before2.keys()][at] ?? "");
  return same3 ?? (now.size === before2.size ? [...now.values()][at] : null);
}
function restore(field, value) {
  const gone = field instanceof HTMLSelectElement && [...field.options].every((option) => option.value !== value);
  if (value !== void 0 && !gone) field.value = value;
}
var fields = (part2) => [...part2.querySelectorAll(
  /** @type {"input"} */
  "input[id], select[id]"
)];

// server/http/static/ui/svg.js
var SVG = "http://www.w3.org/2000/svg";
var ELEMENTS = /* @__PURE__ */ new Set([
  "svg",
  "g",
  "title",
  "text",
  "tspan",
  "path",
  "rect",
  "circle",
  "ellipse",
  "line",
  "polygon",
  "polyline"
]);
var PRESENTATION = /^(fill|stroke|font|text|dominant|letter|paint|stop|clip|color|opacity|visibility)(-[a-z-]+)?$/;
var GEOMETRY = /* @__PURE__ */ new Set([
  ..."d x y x1 y1 x2 y2 cx cy r rx ry dx dy width height points transform viewBox rotate".split(" "),
  ..."data-word data-seat data-zone data-box".split(" ")
]);
function imported(text) {
  const parsed2 = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed2.localName !== "svg" || parsed2.namespaceURI !== SVG) throw new Error("this is not a picture");
  for (const node of [...parsed2.querySelectorAll("*"), parsed2]) clean(node);
  return (
    /** @type {SVGSVGElement} */
    /** @type {unknown} */
    document.importNode(parsed2, true)
  );
}
var known = /* @__PURE__ */ new Map();
function draws(name) {
  let does = known.get(name);
  if (does === void 0) known.set(name, does = GEOMETRY.has(name) || PRESENTATION.test(name));
  return does;
}
function clean(node) {
  if (node.namespaceURI !== SVG || !ELEMENTS.has(node.localName)) {
    node.remove();
    return;
  }
  for (const { name, value } of [...node.attributes]) {
    if (!draws(name) || value.includes("url(")) node.removeAttribute(name);
  }
}

// server/http/static/turn/scene.js
var LAYERS = (
  /** @type {Layer[]} */
  ["past", "plan", "now"]
);
var Scene = class extends EventTarget {
  /** @param {HTMLElement | null} figure where the picture stands @param {HTMLElement | null} board and the text */
  constructor(figure, board) {
    super();
    this.figure = figure;
    this.board = board;
    this.layers = {};
    this.shown = null;
  }
  /** The visible layer. @returns {Layer} */
  get layer() {
    return LAYERS.find((name) => this.layers[name]) ?? "now";
  }
  /** The first three sentences of the picture's head, for where the picture leaves it out. */
  get head() {
    const lines = [...this.svg?.querySelectorAll('[data-zone="head"] text') ?? []].map((line2) => line2.textContent);
    return /^(?:.*?\.(?:\s|$)){1,3}/.exec(lines.join(" "))?.[0].trim() ?? "";
  }
  /** The picture on the page. @returns {SVGSVGElement | null} */
  get svg() {
    return this.figure?.querySelector("svg") ?? null;
  }
  /** @param {Layer} layer @param {Shown | null} shown */
  put(layer, shown) {
    this.layers[layer] = shown;
    const top = this.layers[this.layer] ?? null;
    if (!top || !this.figure) return;
    if (top !== this.shown) this.#draw(top);
    this.figure.dataset.layer = this.layer;
    this.redraw();
  }
  /** Tells those who draw on the picture that it has changed. */
  redraw() {
    this.dispatchEvent(new CustomEvent("drawn", { detail: { layer: this.layer } }));
  }
  /** Compares a shown position with an earlier picture. @param {Shown} shown @param {string} before */
  compare(shown, before2) {
    shown.before = before2;
    this.dispatchEvent(new Event("compared"));
  }
  /** @param {Shown} shown */
  #draw(shown) {
    const svg = imported(shown.picture);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", "Picture of the position. The board as text follows below.");
    for (const child of svg.children) child.setAttribute("aria-hidden", "true");
    const old = this.figure?.querySelector("svg, picture");
    if (old) old.replaceWith(svg);
    else this.figure?.append(svg);
    if (this.board) this.board.textContent = shown.board;
    this.shown = shown;
  }
};

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
  /** Show the current position, with its interactive picture; returns its last entry with its sentences. */
  draw() {
    const drawn = this.position().then((shown) => {
      if (this.drawn === drawn) this.scene.put("now", shown);
      return { seq: shown.seq, hash: shown.head, sentences: shown.sentences };
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
    const view = withRetries(() => get(`/v1/games/${this.id}/view?${asked}`));
    const [shown, picture] = await Promise.all([view, this.picture(asked)]);
    return { ...shown, picture };
  }
  /** The picture of a position alone. @param {string} asked @returns {Promise<string>} */
  picture(asked) {
    return withRetries(() => get(`/v1/games/${this.id}/picture?${asked}&palette=${palette()}`));
  }
  /** The entries that are moves, with the seats that made them, oldest first. */
  get turns() {
    const words = (document.getElementById("turns")?.textContent ?? "").split(/\s+/).filter(Boolean);
    return words.map((word) => {
      const [at = 0, seat = 0] = word.split(":").map(Number);
      return { at, seat };
    });
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
    const isOthers = page.body.dataset.account !== document.body.dataset.account;
    const isOtherSeat = !this.scene.figure || fresh.dataset.seat !== this.root.dataset.seat;
    if (isOthers || isOtherSeat && page.getElementById("picture")) {
      location.reload();
      return;
    }
    const before2 = this.head;
    this.#take(fresh);
    document.title = page.title;
    document.dispatchEvent(new CustomEvent("waiting", { detail: Number(page.body.dataset.waiting) }));
    renew(this.root, page);
    if (this.head === before2) return;
    if (this.scene.figure) await this.draw().catch((error) => this.#undrawn(before2, error));
    this.dispatchEvent(new CustomEvent("news", { detail: { before: before2 } }));
  }
  /**
   * The page counts as the former one, so that it is renewed again, and the news is told once it is drawn.
   * @param {number} before @param {unknown} error @returns {never}
   */
  #undrawn(before2, error) {
    this.root.dataset.head = String(before2);
    throw error;
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
  join: ["Joining …", (game, { seat }, more) => signed(game, (known2) => join(known2, Number(seat), more))],
  take: ["Taking the seat …", (game, { seat }, more) => signed(game, (known2) => take(known2, Number(seat), more))],
  offer: ["Offering the seat …", (game, _, more) => signed(game, (known2) => offer(known2, more))],
  back: ["Withdrawing the offer …", (game, _, more) => signed(game, (known2) => back(known2, more))],
  return: ["Coming back …", (game, _, more) => signed(game, (known2) => back(known2, more))],
  leave: ["Leaving …", (game, _, more) => signed(game, (known2) => leave(known2, more))],
  cancel: ["Cancelling the game …", (game) => done(game, post(`${path(game)}/cancel`))],
  withdraw: ["", (game, { seat }) => done(game, del(`${path(game)}/house/${seat}`))],
  ask: ["", (game, { seat, level }) => done(game, post(`${path(game)}/house`, { seat: Number(seat), level }))],
  copy: ["", copy]
};
var CAN_SHARE = "share" in navigator;
var path = (game) => `/v1/games/${game.id}`;
function start2(game) {
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
    if (asked) offer2(asked.says, words, () => tried(does, words, { ...consent, ...asked.consent }));
    throw error;
  }
}
function offer2(says2, words, work) {
  const agree = el("button", { type: "button", class: "second" }, says2);
  guarded(agree, () => void busy(new Event("agreed"), said(), words, work, agree));
  said()?.after(el("p", { class: "acts", id: "seat-consent" }, agree));
}
var said = () => document.querySelector("#seat-actions .said");
async function signed(game, sent) {
  return await ready(String(game.account)) ? done(game, sent(game.checked)) : "";
}
async function done(game, sent) {
  await sent;
  await game.renewing?.catch(() => void 0);
  try {
    await withRetries(() => game.renew());
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof Problem)) throw error;
    return "That is done, but this page could not be updated. Reload it.";
  }
  const heading = document.getElementById("seat-actions-title") ?? /** @type {HTMLElement | null} */
  document.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus();
  return "";
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

// server/http/static/turn/highlights.js
var SVG2 = "http://www.w3.org/2000/svg";
var SHAPES = "path, polygon, rect, circle, ellipse";
var LARGE = 0.6;
var Highlights = class {
  /** @param {import("./scene.js").Scene} scene */
  constructor(scene) {
    this.scene = scene;
    this.find = () => [];
    this.targets = [];
    scene.addEventListener("drawn", () => this.#draw());
    scene.figure?.addEventListener("keydown", (event) => this.#key(event));
  }
  /**
   * @param {Option[]} options @param {Chosen} chosen
   * @param {(option: Option, mark: string) => boolean} [leads] may this mark be chosen after the option?
   */
  show(options3, chosen, leads = () => true) {
    this.find = (svg) => answers(svg, options3, leads).map(({ node, option, others }) => ({
      node,
      key: "",
      look: "lit",
      says: titleOf(node) ?? option.says,
      does: () => chosen(option, others)
    }));
  }
  /** @param {(svg: SVGSVGElement) => Shown[]} find @param {(spot: Spot) => void} chosen */
  offer(find, chosen) {
    this.find = (svg) => find(svg).map(({ spot, look: look3 }) => {
      const { node, key } = spot;
      const says2 = look3 === "turn" ? `Turn the tile. ${spot.says}` : spot.says;
      return { node, key, look: look3, says: says2, does: () => chosen(spot) };
    });
  }
  /** Focuses the first place that answers the question, or this one; false if there is none. @param {string} [key] */
  focus(key) {
    const found = this.targets.find(({ dataset }) => key ? dataset.key === key : dataset.look === "lit");
    this.#reach(found);
    found?.focus();
    return Boolean(found);
  }
  #draw() {
    const { svg } = this.scene;
    svg?.querySelector("g.lit")?.remove();
    this.targets = [];
    if (!svg) return;
    const places = this.scene.layer === "past" ? [] : numbered(this.find(svg));
    quiet(svg, places.length > 0);
    if (!places.length) return;
    const layer = document.createElementNS(SVG2, "g");
    layer.setAttribute("class", "lit");
    this.targets = places.map((place) => this.#target(svg, place));
    layer.append(...this.targets);
    svg.append(layer);
    const lit = this.targets.filter(({ dataset }) => dataset.look !== "open");
    this.#reach(lit[0] ?? this.targets[0]);
    this.#reveal(lit);
  }
  /** @param {SVGSVGElement} svg @param {Place} place */
  #target(svg, { node, key, look: look3, says: says2, does }) {
    const target = document.createElementNS(SVG2, "g");
    const title = document.createElementNS(SVG2, "title");
    title.textContent = says2;
    target.setAttribute("role", "button");
    target.setAttribute("tabindex", "-1");
    target.setAttribute("aria-label", says2);
    if (look3 === "on") target.setAttribute("aria-pressed", "true");
    target.dataset.word = node.dataset.word ?? "";
    Object.assign(target.dataset, { look: look3, key });
    target.append(title, outline(svg, node));
    target.addEventListener("click", does);
    target.addEventListener("focus", () => this.#reveal([target]));
    return target;
  }
  /** Moves a zoomed picture until one of these is visible. @param {Element[]} nodes */
  #reveal(nodes) {
    this.scene.dispatchEvent(new CustomEvent("reveal", { detail: nodes }));
  }
  /** Makes this target the tab stop. @param {SVGGElement | undefined} target */
  #reach(target) {
    if (!target) return;
    for (const one of this.targets) one.setAttribute("tabindex", one === target ? "0" : "-1");
  }
  /** @param {KeyboardEvent} event */
  #key(event) {
    const here = this.targets.find((target) => target === document.activeElement);
    if (!here || event.ctrlKey || event.metaKey || event.altKey) return;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[
      /** @type {keyof typeof ways} */
      event.key
    ];
    if (event.key === "Enter" || event.key === " ") here.dispatchEvent(new MouseEvent("click"));
    else if (way) this.#step(here, way[0] ?? 0, way[1] ?? 0);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  /** Moves to the nearest place in this direction. @param {SVGGElement} here @param {number} dx @param {number} dy */
  #step(here, dx, dy) {
    const from = middle(here);
    const far = this.targets.map((target) => ({ target, far: distance(from, middle(target), dx, dy) }));
    const next2 = far.filter((one) => one.far > 0 && one.target !== here).sort((one, other) => one.far - other.far)[0];
    if (!next2) return;
    this.#reach(next2.target);
    next2.target.focus();
  }
};
function answers(svg, options3, leads) {
  const meeting = meets(svg);
  const marked2 = (
    /** @type {SVGGraphicsElement[]} */
    [...svg.querySelectorAll("[data-word]")]
  );
  return marked2.flatMap((node) => {
    const marks = (node.dataset.word ?? "").split(" ");
    const fits = (option2) => {
      if (!option2.marks.some((mark2) => marks.includes(mark2))) return false;
      if (option2.seat !== null && Number(node.dataset.seat) !== option2.seat + 1) return false;
      const others = marks.filter((mark2) => !option2.marks.includes(mark2));
      return !others.length || !meeting(marks) || others.some((mark2) => leads(option2, mark2));
    };
    const option = options3.find(fits);
    return option ? [{ node, option, others: marks.filter((mark2) => !option.marks.includes(mark2)) }] : [];
  });
}
function meets(svg) {
  const marked2 = (
    /** @type {SVGGraphicsElement[]} */
    [...svg.querySelectorAll("[data-word]")]
  );
  const alone = new Set(marked2.map(({ dataset }) => dataset.word ?? ""));
  return (marks) => marks.length > 1 && marks.every((mark2) => alone.has(mark2));
}
function numbered(places) {
  return places.map((place, at) => {
    const same3 = places.filter(({ says: says2 }) => says2 === place.says);
    if (same3.length === 1) return place;
    const nth = places.slice(0, at).filter(({ says: says2 }) => says2 === place.says).length + 1;
    return { ...place, says: `${place.says}, ${nth} of ${same3.length}` };
  });
}
var titleOf = (node) => node.querySelector("title")?.textContent;
function quiet(svg, lit) {
  svg.setAttribute("role", lit ? "group" : "img");
  svg.setAttribute(
    "aria-label",
    lit ? "Picture of the position, with the next choices" : "Picture of the position. The board as text follows below."
  );
}
function outline(svg, node) {
  const shape = largest(node);
  const rim = shape ? (
    /** @type {SVGGraphicsElement} */
    shape.cloneNode(false)
  ) : boxed(node);
  for (const { name } of [...rim.attributes]) if (!GEOMETRY2.has(name)) rim.removeAttribute(name);
  const from = (shape ?? node).getScreenCTM();
  const to = svg.getScreenCTM();
  if (from && to) {
    const { a, b, c, d, e, f } = to.inverse().multiply(from);
    rim.setAttribute("transform", `matrix(${[a, b, c, d, e, f].map((one) => one.toFixed(4)).join(" ")})`);
  }
  return rim;
}
var GEOMETRY2 = new Set("d x y cx cy r rx ry width height points".split(" "));
function largest(node) {
  const whole = area(node);
  const shapes = (
    /** @type {SVGGraphicsElement[]} */
    node.matches(SHAPES) ? [node] : [...node.querySelectorAll(SHAPES)]
  );
  const [first] = shapes.map((shape) => ({ shape, area: area(shape) })).sort((one, other) => other.area - one.area);
  return first && first.area >= LARGE * whole ? first.shape : null;
}
function area(node) {
  const { width, height } = node.getBoundingClientRect();
  return width * height;
}
function boxed(node) {
  const { x, y, width, height } = node.getBBox();
  const rect = document.createElementNS(SVG2, "rect");
  const all = Object.entries({ x: x - 2, y: y - 2, width: width + 4, height: height + 4, rx: 4 });
  for (const [name, value] of all) rect.setAttribute(name, String(value));
  return rect;
}
function middle(node) {
  const { x, y, width, height } = node.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}
function distance(from, to, dx, dy) {
  const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
  const aside2 = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
  return along > 1 ? along + 2 * aside2 : -1;
}

// server/http/static/turn/changes.js
var SVG3 = "http://www.w3.org/2000/svg";
var THINGS = "[data-word], g:has(> title)";
var OVERLAYS = "g.lit, g.ghost";
var WAIT2 = 160;
var marked = (svg) => (
  /** @type {SVGGraphicsElement[]} */
  [...svg.querySelectorAll(THINGS)].filter((node) => !node.closest(OVERLAYS))
);
function keyOf(node) {
  const title = [...node.children].find(({ localName }) => localName === "title");
  return [node.dataset.word, node.dataset.seat, title?.textContent].join("|");
}
function changed(before2, after2) {
  const had = /* @__PURE__ */ new Map();
  for (const node of marked(before2)) had.set(keyOf(node), (had.get(keyOf(node)) ?? 0) + 1);
  const news = marked(after2).filter((node) => {
    const left = had.get(keyOf(node)) ?? 0;
    had.set(keyOf(node), left - 1);
    return left <= 0;
  });
  return news.filter((node) => !news.some((other) => other !== node && other.contains(node)));
}
var rimmed = /* @__PURE__ */ new WeakMap();
function start3(scene) {
  for (const kind of ["drawn", "compared"]) scene.addEventListener(kind, () => rims(scene));
}
var parsed = (text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
function rims({ svg, layer, shown, layers }) {
  const before2 = layer === "plan" ? layers.now?.picture : shown?.before;
  const old = svg?.querySelector("g.changed");
  if (svg && old && rimmed.get(old)?.before === before2 && rimmed.get(old)?.arranged === svg.dataset.arranged) return;
  old?.remove();
  if (!svg || !before2) return;
  const group = overlay("changed");
  group.append(...changed(parsed(before2), svg).map((node) => outline(svg, node)));
  rimmed.set(group, { before: before2, arranged: svg.dataset.arranged });
  svg.insertBefore(group, svg.querySelector("g.lit"));
}
function overlay(name) {
  const group = document.createElementNS(SVG3, "g");
  group.setAttribute("class", name);
  group.setAttribute("aria-hidden", "true");
  return group;
}
var Ghost = class {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    this.timer = void 0;
    scene.addEventListener("drawn", () => this.clear());
  }
  clear() {
    clearTimeout(this.timer);
    this.scene.svg?.querySelector("g.ghost")?.remove();
  }
  /**
   * Shows what these steps would change, unless it is cleared before.
   * @param {() => Promise<{picture: string | null}>} ask
   */
  show(ask4) {
    this.clear();
    const timer = setTimeout(() => {
      const shown = this.scene.shown;
      ask4().then(
        ({ picture }) => {
          if (picture && this.timer === timer && this.scene.shown === shown) this.#draw(picture);
        },
        () => void 0
        // the choice itself tells what is wrong
      );
    }, WAIT2);
    this.timer = timer;
  }
  /** @param {string} picture */
  #draw(picture) {
    const { svg, shown } = this.scene;
    if (!svg || !shown) return;
    const after2 = imported(picture);
    const group = overlay("ghost");
    group.append(...changed(svg, after2).map((node) => placed(svg, node)));
    svg.insertBefore(group, svg.querySelector("g.lit"));
  }
};
function placed(svg, node) {
  let copy2 = (
    /** @type {Element} */
    node.cloneNode(true)
  );
  for (let around = node.parentElement; around && around.localName === "g"; around = around.parentElement) {
    const shell = (
      /** @type {Element} */
      around.cloneNode(false)
    );
    const zone = shell.getAttribute("data-zone");
    const live = zone && svg.querySelector(`[data-zone="${zone}"]`);
    if (live) shell.setAttribute("transform", live.getAttribute("transform") ?? "");
    for (const name of ["data-zone", "data-word"]) shell.removeAttribute(name);
    shell.append(copy2);
    copy2 = shell;
  }
  for (const one of [copy2, ...copy2.querySelectorAll("[data-word]")]) one.removeAttribute("data-word");
  return copy2;
}

// server/http/static/turn/failed-check.js
function start4(alerts, game) {
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
function start5(game) {
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
function since(game, before2) {
  const lines = [...document.querySelectorAll("#history .log > li")].filter(
    (line2) => Number(line2.id.replace("entry-", "")) > before2 && (game.seat === null || line2.getAttribute("data-by") !== String(game.seat))
  );
  return lines.map((line2) => line2.querySelector("p > span")?.textContent?.trim() ?? "").reverse();
}

// server/http/static/turn/last-move.js
function start6(game) {
  game.scene.addEventListener("drawn", () => void mark(game));
}
var looked = null;
async function mark(game) {
  const { now } = game.scene.layers;
  const from = before(game);
  if (!now || now === looked) return;
  const shown = looked?.seq === from ? looked?.picture : null;
  looked = now;
  if (from === null) return;
  await idle();
  try {
    const picture = shown ?? await game.picture(`at=${from}`);
    if (game.scene.layers.now === now) game.scene.compare(now, picture);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
  }
}
function before({ stage, turns, names }) {
  const last2 = turns.at(-1);
  if (stage !== "running" || !last2) return null;
  const other = names.length > 1 ? turns.findLastIndex(({ seat }) => seat !== last2.seat) : turns.length - 2;
  return (turns[other + 1] ?? last2).at - 1;
}
function idle() {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(resolve);
    else setTimeout(resolve);
  });
}

// server/http/static/turn/hints.js
var LONG = 500;
function start7(scene) {
  const figure = (
    /** @type {HTMLElement} */
    scene.figure
  );
  const line2 = document.createElement("figcaption");
  line2.className = "hint";
  line2.setAttribute("aria-hidden", "true");
  figure.append(line2);
  let timer;
  const tell = (target) => {
    line2.textContent = says(target);
  };
  figure.addEventListener("pointerover", (event) => event.pointerType === "mouse" && tell(below(event)));
  figure.addEventListener("focusin", (event) => tell(event.target));
  figure.addEventListener("pointerdown", (event) => {
    const target = below(event);
    if (event.pointerType !== "mouse") timer = setTimeout(() => tell(target), LONG);
  });
  for (const end of ["pointerup", "pointercancel", "pointermove"]) {
    figure.addEventListener(end, (event) => {
      const { movementX = 0, movementY = 0 } = (
        /** @type {PointerEvent} */
        event
      );
      if (end !== "pointermove" || Math.hypot(movementX, movementY) > 2) clearTimeout(timer);
    });
  }
  figure.addEventListener("contextmenu", (event) => says(event.target) && line2.textContent && event.preventDefault());
  scene.addEventListener("drawn", () => line2.textContent = "");
}
function below({ target, clientX, clientY }) {
  if (!(target instanceof Element && target.closest("g.lit"))) return target;
  return document.elementsFromPoint(clientX, clientY).find((one) => !one.closest("g.lit")) ?? target;
}
function says(target) {
  const found = [];
  for (let node = target instanceof Element ? target : null; node && node.localName !== "figure"; node = node.parentElement) {
    const title = [...node.children].find((child) => child.localName === "title");
    if (title?.textContent) found.push(title.textContent.trim());
  }
  return [...new Set(found)].join(" · ");
}

// server/http/static/turn/live.js
var STREAMS = 3;
var ASK = 5e3;
var ASK_HIDDEN = 6e4;
var TRIES2 = 100;
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
  } else void ask2(game, tell, Infinity);
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
    for (let tries = 0; this.last !== this.game.head && tries < TRIES2; tries += 1) await this.#renew();
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
    if (!over(game)) await ask2(game, tell, ASIDE);
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
async function ask2(game, tell, most) {
  const until = performance.now() + most;
  while (!over(game) && performance.now() < until) {
    const wait = await look(game, tell);
    await pause(wait ?? (document.hidden ? ASK_HIDDEN : ASK) / 1e3);
  }
}
async function aside(game, hear) {
  let asked = null;
  const once = () => asked ??= look(game, hear).finally(() => asked = null);
  document.addEventListener("visibilitychange", () => document.hidden || over(game) || void once());
  addEventListener("online", () => void once());
  while (!over(game)) {
    await pause(ASIDE / 1e3);
    if (!document.hidden) await once();
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
  const says2 = document.getElementById("connection");
  if (says2) says2.hidden = is;
}

// server/http/static/turn/plan.js
var MOST = 64;
var REMEMBERED = 50;
var planned = (steps = []) => ({ steps, before: [] });
var changed2 = (plan, steps) => same(plan.steps, steps) ? plan : { steps, before: [plan.steps, ...plan.before].slice(0, REMEMBERED) };
var undone = ({ steps, before: [last2, ...before2] }) => ({ steps: last2 ?? steps, before: before2 });
var added = (steps, { command, notation, label }) => [...steps, { command, notation, label }];
var without = (steps, at) => steps.toSpliced(at, 1);
function moved(steps, from, to) {
  const step = steps[from];
  return step && to >= 0 && to < steps.length ? steps.toSpliced(from, 1).toSpliced(to, 0, step) : steps;
}
var typed = (steps) => steps.map(({ notation }) => notation).join("\n");
var line = (steps) => steps.map(({ notation }) => notation).join("; ");
var commands = (steps) => steps.map(({ command }) => command);
var same = (one, other) => typed(one) === typed(other);
function origin(from, at) {
  const when = new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const where = {
    here: `You have a draft move from this browser, saved on ${when}.`,
    tab: `Another tab of this browser has a different draft move, saved on ${when}.`,
    mail: `You have a draft move from your email reply of ${when}.`,
    oldMail: `You have a draft move from your email reply of ${when}. The game has moved on since then.`
  };
  return where[from];
}
function read2(found) {
  if (!found || !Array.isArray(found.steps) || !found.steps.length || found.steps.length > MOST) return null;
  if (!found.steps.every(isStep) || typeof found.at !== "string") return null;
  const { head } = found;
  const known2 = head && Number.isInteger(head.seq) && typeof head.hash === "string";
  return { steps: found.steps.map(only), head: known2 ? { seq: head.seq, hash: head.hash } : null, at: found.at };
}
var isStep = (step) => Boolean(step?.command) && typeof step.command === "object" && typeof step.notation === "string" && typeof step.label === "string";
var only = ({ command, notation, label }) => ({ command, notation, label });

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
    const says2 = "You leave the game for good. It goes on without you, or ends. This cannot be undone.";
    const answers2 = [
      { value: "stay", says: "Play on", second: true },
      { value: "resign", says: "Resign" }
    ];
    if (await ask("Resign this game?", [paragraph(says2)], answers2) === "resign") resign2();
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
    try {
      await enter(this.game.account ?? "");
      await this.look();
    } catch (error) {
      this.part.append(el("p", { class: "wrong" }, error instanceof Error ? error.message : String(error)));
    }
  }
};

// server/http/static/turn/command-tree.js
var MANY = 12;
var LISTED = 9;
var FEW = [3, 2, 1];
var NUMBER = /^(0|[1-9][0-9]{0,8})$/;
function ask3(list2, picks) {
  const [first, ...rest] = picks;
  if (!first || !("kind" in first)) return answer(kinds(list2), null, "", null);
  const at = placeAfter(list2, first, rest);
  const only3 = at.left.length === 1 ? at.left[0] ?? null : null;
  if (only3) return answer([], only3, only3.notation, null);
  const next2 = options(at, picks);
  const [end] = next2;
  if (at.parts && end?.is === "end" && next2.length === 1) return ask3(list2, end.picks);
  return answer(next2, null, typed2(at), at.parts);
}
function followed(list2, picks, others = []) {
  const { choice, options: options3 } = ask3(list2, picks);
  const next2 = choice ? null : options3.find(({ marks }) => marks.some((mark2) => others.includes(mark2)));
  if (!next2) return { choice, picks };
  const left = others.filter((mark2) => !next2.marks.includes(mark2));
  return followed(list2, next2.picks, left);
}
function stepBack(list2, picks) {
  let before2 = picks;
  do
    before2 = before2.slice(0, -1);
  while (before2.length && ask3(list2, before2).choice);
  return before2;
}
function without2(picks, part2) {
  const at = picks.findLastIndex((pick) => "part" in pick && pick.part === part2);
  return at < 0 ? picks : picks.toSpliced(at, 1);
}
function answer(options3, choice, so, parts) {
  const words = options3.filter(({ is }) => is === "word");
  const numbers = words.length >= MANY && words.length === options3.length && words.every(({ word }) => NUMBER.test(word));
  return { options: options3, choice, so, taken: parts && counted(parts), numbers };
}
function placeAfter(list2, { kind, notation }, rest) {
  const begun = list2.filter((one) => one.kind === kind && (notation === void 0 || one.notation === notation));
  return rest.reduce(after, shared({ left: begun, at: 0, parts: null }));
}
function after({ left, at, parts }, pick) {
  if ("part" in pick) return { left, at, parts: [...parts ?? [], pick.part] };
  if ("end" in pick) {
    const ended = parts ? left.filter(({ words }) => same2(setOf(words[at]), parts)) : left.filter(({ words }) => words.length === at);
    return shared({ left: ended, at: parts ? at + 1 : at, parts: null });
  }
  if (!("word" in pick)) return { left, at, parts };
  const goes = left.filter(({ words }) => words[at]?.word === pick.word && words[at]?.seat === pick.seat);
  return shared({ left: goes, at: at + 1, parts: null });
}
function shared({ left, at, parts }) {
  let next2 = at;
  while (left.length > 1 && left.every(({ words }) => alike(words[next2], left[0]?.words[next2]))) next2 += 1;
  return { left, at: next2, parts };
}
var alike = (one, other) => one !== void 0 && one.word === other?.word && one.seat === other?.seat;
function typed2({ left, at, parts }) {
  const words = left[0]?.words.slice(0, at).map(({ word }) => word) ?? [];
  return [...words, ...parts?.length ? [parts.join("+")] : []].join(" ");
}
function kinds(list2) {
  const groups = [...grouped(list2, ({ kind }) => kind)];
  const listed = (most2) => groups.reduce((sum, [, { length }]) => sum + (length > most2 ? 1 : length), 0);
  const most = FEW.find((one) => listed(one) <= LISTED) ?? 1;
  const found = groups.flatMap(
    ([kind, of]) => of.length > most ? [kindOption(kind, of)] : of.map((one) => kindOption(kind, [one]))
  );
  return [...found.filter(({ closes }) => !closes), ...found.filter(({ closes }) => closes)];
}
function kindOption(kind, of) {
  const one = of.length === 1 ? of[0] ?? null : null;
  const { at } = shared({ left: of, at: 0, parts: null });
  const head = (of[0]?.words ?? []).slice(0, Math.max(1, at)).map(({ word: word2 }) => word2);
  const word = one ? one.notation : head.join(" ");
  return {
    is: "kind",
    word,
    says: one ? one.label : "",
    about: of[0]?.says ?? "",
    marks: one ? one.words.flatMap(marksOf) : [],
    seat: null,
    closes: of.every(({ closes }) => closes),
    choice: one,
    picks: [one ? { kind, notation: one.notation } : { kind }]
  };
}
function options({ left, at, parts }, picks) {
  const going = left.filter(({ words }) => words.length > at);
  const sets = going.filter(({ words }) => words[at]?.parts);
  const ended = parts ? sets.filter(({ words }) => same2(setOf(words[at]), parts)) : left.filter(({ words }) => words.length === at);
  return [
    ...partOptions(sets, at, parts ?? [], picks),
    ...parts ? [] : wordOptions(
      going.filter(({ words }) => !words[at]?.parts),
      at,
      picks
    ),
    ...ended.length ? [endOption(ended, picks)] : []
  ];
}
function wordOptions(going, at, picks) {
  const groups = grouped(going, ({ words }) => JSON.stringify([words[at]?.word, words[at]?.seat ?? null]));
  return [...groups.values()].map((of) => {
    const word = (
      /** @type {Word} */
      of[0]?.words[at]
    );
    const one = of.length === 1 ? of[0] ?? null : null;
    const rest = one ? one.words.slice(at + 1).map(({ word: word2, says: says2 }) => says2 ?? word2) : [];
    return {
      is: "word",
      word: one ? one.words.slice(at).map(({ word: word2 }) => word2).join(" ") : word.word,
      says: [word.says ?? word.word, ...rest].join(" "),
      about: one?.label ?? "",
      marks: marksOf(word),
      seat: word.seat ?? null,
      closes: false,
      choice: one,
      picks: [...picks, word.seat === void 0 ? { word: word.word } : { word: word.word, seat: word.seat }]
    };
  });
}
function partOptions(sets, at, parts, picks) {
  const open2 = sets.filter(({ words }) => holds(setOf(words[at]), parts));
  const whole = wholeOf(open2, at);
  const next2 = [...new Set(open2.flatMap(({ words }) => beyond(setOf(words[at]), parts)))];
  const found = next2.map((part2) => partOption(part2, open2, at, picks));
  return whole && setOf(whole).length > parts.length + 1 ? [...found, allOption(whole, picks, parts)] : found;
}
function partOption(part2, open2, at, picks) {
  const word = (
    /** @type {Word} */
    open2.find(({ words }) => setOf(words[at]).includes(part2))?.words[at]
  );
  const says2 = word.parts?.find(({ word: word2 }) => word2 === part2)?.says ?? part2;
  const base = { about: "", seat: word.seat ?? null, closes: false, choice: null };
  return { is: "part", word: part2, says: says2, marks: markOf(word, part2), picks: [...picks, { part: part2 }], ...base };
}
function wholeOf(open2, at) {
  const sets = open2.map(({ words }) => (
    /** @type {Word} */
    words[at]
  ));
  return sets.find((one) => sets.every((other) => holds(setOf(one), setOf(other)))) ?? null;
}
function allOption(whole, picks, parts) {
  const before2 = picks.slice(0, picks.length - parts.length);
  const pick = whole.seat === void 0 ? { word: whole.word } : { word: whole.word, seat: whole.seat };
  const base = { about: "", seat: null, closes: false, choice: null, marks: [] };
  return { is: "all", word: whole.word, says: whole.says ?? whole.word, picks: [...before2, pick], ...base };
}
function endOption(ended, picks) {
  const one = ended.length === 1 ? ended[0] ?? null : null;
  const base = { marks: [], seat: null, closes: false };
  return {
    is: "end",
    word: "",
    says: "",
    about: one?.label ?? "",
    choice: one,
    picks: [...picks, { end: true }],
    ...base
  };
}
function grouped(list2, key) {
  const found = /* @__PURE__ */ new Map();
  for (const one of list2) found.set(key(one), [...found.get(key(one)) ?? [], one]);
  return found;
}
var marksOf = (word) => (word.parts ?? [word]).flatMap(({ word: part2 }) => markOf(word, part2));
var markOf = (word, part2) => word.kind === null ? [] : [`${word.kind}:${part2}`];
var setOf = (word) => (word?.parts ?? []).map(({ word: word2 }) => word2);
function counted(parts) {
  const count = /* @__PURE__ */ new Map();
  for (const part2 of parts) count.set(part2, (count.get(part2) ?? 0) + 1);
  return count;
}
function holds(set, parts) {
  const has = counted(set);
  return [...counted(parts)].every(([part2, n]) => (has.get(part2) ?? 0) >= n);
}
var same2 = (set, parts) => set.length === parts.length && holds(set, parts);
function beyond(set, parts) {
  const taken2 = counted(parts);
  return [...counted(set)].filter(([part2, n]) => n > (taken2.get(part2) ?? 0)).map(([part2]) => part2);
}

// server/http/static/turn/board-first.js
var BoardFirst = class {
  heard = el("p", { role: "status" });
  all = el("p");
  part = el("div", { class: "narrowed" }, this.heard, this.all);
  /** @type {Spot[]} the places chosen so far */
  chosen = [];
  /** @type {Turn | null} */
  turn = null;
  /** @param {() => void} back shows all choices again */
  constructor(back2) {
    this.back = back2;
  }
  forget() {
    this.chosen = [];
  }
  /** The commands that the places chosen so far have in common. @param {Choice[]} legal */
  of(legal) {
    return this.chosen.length ? joined(legal, this.chosen) : legal;
  }
  /**
   * The picks that the places stand for: the kind if all commands there are of one, and the parts of a set.
   * @param {Choice[]} list @returns {Pick[]}
   */
  begin(list2) {
    const [one] = list2;
    if (!this.chosen.length || !one || list2.some(({ kind }) => kind !== one.kind)) return [];
    if (list2.length <= Math.max(...FEW)) return [];
    const parts = one.words.flatMap((word) => word.parts ? partsAt(word, this.chosen) : []);
    const picks = [{ kind: one.kind }, ...parts];
    return ask3(list2, picks).options.length ? picks : [{ kind: one.kind }];
  }
  /** Shows the subject of the choices, once, with a button for all of them. @param {Choice[]} list */
  show(list2) {
    const about = this.chosen.map(({ says: says3 }) => says3.replace(/\.$/, "")).join("; then ");
    const says2 = about && `${list2.length === 1 ? "1 choice" : `${list2.length} choices`} for ${about}.`;
    if (this.heard.textContent !== says2) this.heard.textContent = says2;
    const shown = this.all.hasChildNodes();
    if (about && !shown) this.all.append(button("All choices", () => this.back(), { class: "second" }));
    if (!about && shown) this.all.replaceChildren();
  }
  /**
   * Everything on the picture that a command concerns.
   * @param {SVGSVGElement} svg @param {Choice[]} legal @returns {Shown[]}
   */
  places(svg, legal) {
    const one = legal.length > 0 && legal.every(({ kind }) => kind === legal[0]?.kind);
    const look3 = (spot) => {
      if (this.turns(spot)) return "turn";
      if (this.#has(spot)) return "on";
      if (this.chosen.length && joined(legal, [...this.chosen, spot]).length) return "lit";
      return !joined(legal, [spot]).length ? null : one && !this.chosen.length ? "lit" : "open";
    };
    return spotsOf(svg).flatMap((spot) => {
      const found = look3(spot);
      return found ? [{ spot, look: found }] : [];
    });
  }
  /**
   * Goes on to this place if a command joins it to those before, and otherwise begins with it. A place that is chosen
   * again shows all choices.
   * @param {Spot} spot @param {Choice[]} legal @returns {Choice | null} the only command
   */
  choose(spot, legal) {
    const on = this.#has(spot);
    const further = joined(legal, [...this.chosen, spot]).length > 0;
    this.chosen = on ? [] : further ? [...this.chosen, spot] : [spot];
    return on ? null : only2(this.of(legal));
  }
  /** Does a tap turn the tile of the last step here? A piece chosen before goes there instead. @param {Spot} spot */
  turns({ marks }) {
    return !this.chosen.length && Boolean(this.turn?.marks.some((mark2) => marks.includes(mark2)));
  }
  /** @param {Spot} spot */
  #has({ key }) {
    return this.chosen.some((one) => one.key === key);
  }
};
function only2(list2) {
  const [one] = list2;
  return one && list2.every((other) => isTurned(one, other)) ? one : null;
}
async function turned(preview, steps) {
  const last2 = steps.at(-1);
  if (!last2) return null;
  const { legal } = await preview(steps.slice(0, -1));
  const laid = legal.find(({ notation }) => notation === last2.notation);
  const ways = laid ? legal.filter((one) => isTurned(laid, one)) : [];
  const next2 = laid && ways[(ways.indexOf(laid) + 1) % ways.length];
  if (!next2 || next2 === laid) return null;
  const marks = next2.words.filter(({ kind }) => kind !== "rotation").flatMap(marksOf);
  return { marks, steps: added(steps.slice(0, -1), next2) };
}
function isTurned(one, other) {
  const fixed = ({ kind, words }) => JSON.stringify([kind, ...words.filter((word) => word.kind !== "rotation").map(({ word, seat }) => [word, seat])]);
  return fixed(one) === fixed(other);
}
function partsAt(word, spots) {
  const parts = word.parts ?? [];
  return spots.flatMap(
    ({ marks }) => parts.filter((part2) => marks.includes(`${word.kind}:${part2.word}`)).map((part2) => ({ part: part2.word }))
  );
}
function spotsOf(svg) {
  const meeting = meets(svg);
  const nodes = (
    /** @type {SVGGraphicsElement[]} */
    [...svg.querySelectorAll("[data-word]")]
  );
  const count = /* @__PURE__ */ new Map();
  return nodes.filter((node) => !node.closest("g.lit")).map((node) => {
    const { word = "", seat = "" } = node.dataset;
    const nth = count.get(`${word}|${seat}`) ?? 0;
    count.set(`${word}|${seat}`, nth + 1);
    const says2 = node.querySelector("title")?.textContent ?? word;
    const marks = word.split(" ");
    return { node, key: `${word}|${seat}|${nth}`, marks, seat: Number(seat) - 1, whole: meeting(marks), says: says2 };
  });
}
function joined(legal, spots) {
  const found = legal.map((choice) => ({ choice, at: spots.map((spot) => wordsAt(choice, spot)) }));
  const all = found.filter(({ at }) => at.every((numbers) => numbers.length));
  const kinds2 = new Set(all.filter(({ at }) => inOrder(at)).map(({ choice }) => choice.kind));
  return all.filter(({ choice, at }) => !kinds2.has(choice.kind) || inOrder(at)).map(({ choice }) => choice);
}
function inOrder(at) {
  let last2 = 0;
  return at.every((numbers, nth) => {
    const next2 = numbers.find((one) => one >= last2) ?? -1;
    last2 = next2 + 1;
    return nth ? next2 >= 0 : next2 === 0;
  });
}
function wordsAt({ words }, { marks, seat, whole }) {
  const pointing = words.filter((word) => marksOf(word).length);
  const hits = pointing.flatMap((word, at) => {
    const mine2 = word.seat === void 0 || word.seat === seat;
    return mine2 && marksOf(word).some((mark2) => marks.includes(mark2)) ? [at] : [];
  });
  const named3 = pointing.flatMap(marksOf);
  return whole && !marks.every((mark2) => named3.includes(mark2)) ? [] : hits;
}

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

// server/http/static/turn/preview.js
var NOWHERE = {
  steps: [],
  sentences: [],
  others: [],
  picture: null,
  board: "",
  legal: [],
  done: 0,
  refusal: null,
  certain: true,
  warnings: []
};
var Overtaken = class extends Error {
};
var Previews = class {
  /** @param {string} path of the position in the API @param {Choice[] | null} [legal] its commands, if known */
  constructor(path2, legal = null) {
    this.path = path2;
    this.legal = legal;
    this.known = /* @__PURE__ */ new Map();
  }
  forget() {
    this.known = /* @__PURE__ */ new Map();
  }
  /**
   * @param {Step[]} steps
   * @param {(ask: () => Promise<Preview>) => Promise<Preview>} [how] such as with retries
   * @returns {Promise<Preview>}
   */
  of(steps, how = (ask4) => ask4()) {
    if (!steps.length) return this.#asked("", () => how(() => this.#legal()));
    const key = [palette(), ...steps.map(({ notation }) => notation)].join("\n");
    return this.#asked(key, () => how(() => this.#preview({ commands: steps.map(({ command }) => command) })));
  }
  /** Preview text typed after these steps. @param {Step[]} steps @param {string} text @returns {Promise<Preview>} */
  async typed(steps, text) {
    const { known: known2 } = this;
    const preview = await this.#preview({ notation: [...steps.map(({ notation }) => notation), text].join("\n") });
    if (known2 !== this.known) throw new Overtaken();
    return preview;
  }
  /** @param {string} key @param {() => Promise<Preview>} ask */
  async #asked(key, ask4) {
    const { known: known2 } = this;
    const found = known2.get(key) ?? ask4();
    known2.set(key, found);
    found.catch(() => known2.delete(key));
    const preview = await found;
    if (known2 !== this.known) throw new Overtaken();
    return preview;
  }
  /** @param {object} intent @returns {Promise<Preview>} */
  async #preview(intent) {
    return post(`${this.path}/preview`, { ...intent, palette: palette() });
  }
  /** @returns {Promise<Preview>} */
  async #legal() {
    const legal = this.legal ?? await get(`${this.path}/legal`);
    return { ...NOWHERE, legal };
  }
};

// server/http/static/turn/choices.js
var LONG2 = 500;
var Choices = class {
  /** @param {HTMLElement} part @param {Does} does */
  constructor(part2, does) {
    this.part = part2;
    this.does = does;
    this.wanted = () => false;
    this.about = el("p", { class: "about", "aria-hidden": "true" });
    listen(part2, (says2) => this.about.textContent = says2);
  }
  /**
   * @param {Asked} asked @param {Pick[]} picks @param {boolean} [begun] is there a choice to go back to?
   * @param {(option: Option) => boolean} [wanted] does a lesson ask for it?
   */
  show(asked, picks, begun = picks.length > 0, wanted = () => false) {
    this.about.textContent = "";
    this.wanted = wanted;
    const focused2 = this.#buttons().find((one) => one === document.activeElement)?.textContent;
    const { options: options3 } = asked;
    const open2 = options3.filter(({ closes, is }) => !closes && is !== "part");
    const closing = options3.filter(({ closes }) => closes);
    const parts = asked.numbers ? [this.#stepper(asked)] : [this.#counters(asked, picks), this.#list(open2, "choices"), this.#list(closing, "choices apart")];
    this.part.replaceChildren(...[begun ? this.#so(asked) : null, ...parts, this.about].filter((one) => one !== null));
    const same3 = focused2 ? this.#buttons().find(({ textContent }) => textContent === focused2) : null;
    same3?.focus({ preventScroll: true });
  }
  #buttons() {
    return [...this.part.querySelectorAll("button")];
  }
  clear() {
    this.part.replaceChildren();
  }
  /** Focuses the first choice; false if there is none. */
  focus() {
    const first = this.part.querySelector(".choices button, .counters button:not([disabled]), .stepper input");
    if (first instanceof HTMLElement) first.focus({ preventScroll: true });
    return Boolean(first);
  }
  /** The choices so far, and a button to go back. @param {Asked} asked */
  #so(asked) {
    return el(
      "p",
      { class: "so" },
      el("code", {}, `${asked.so} …`),
      button("Back", () => this.does.back(), { class: "second" })
    );
  }
  /** @param {Option[]} options @param {string} kind */
  #list(options3, kind) {
    if (!options3.length) return null;
    return el("ul", { class: kind }, ...options3.map((option) => el("li", {}, this.#button(option))));
  }
  /** @param {Option} option */
  #button(option) {
    const told = ["kind", "end"].includes(option.is) ? "" : option.about;
    const made = button("", () => this.does.choose(option.picks), { class: `second ${option.is}`, "data-about": told });
    made.append(...named2(option));
    if (this.wanted(option)) made.setAttribute("aria-current", "step");
    const point = (event) => {
      if (event instanceof PointerEvent ? event.pointerType === "mouse" : made.matches(":focus-visible")) {
        this.does.point?.(option.picks);
      }
    };
    for (const kind of ["pointerenter", "focus"]) made.addEventListener(kind, point);
    for (const kind of ["pointerleave", "blur"]) made.addEventListener(kind, () => this.does.point?.(null));
    return made;
  }
  /** @param {Asked} asked @param {Pick[]} picks */
  #counters(asked, picks) {
    const more = new Map(asked.options.filter(({ is }) => is === "part").map((option) => [option.word, option]));
    const words = /* @__PURE__ */ new Set([...asked.taken?.keys() ?? [], ...more.keys()]);
    if (!words.size) return null;
    const lines = [...words].map(
      (word) => this.#counter(word, asked.taken?.get(word) ?? 0, more.get(word) ?? null, picks)
    );
    return el("ul", { class: "counters" }, ...lines);
  }
  /** @param {string} word @param {number} n @param {Option | null} more @param {Pick[]} picks */
  #counter(word, n, more, picks) {
    const says2 = more?.says ?? word;
    const less = button("−", () => this.does.choose(without2(picks, word)), {
      class: "second",
      "aria-label": `One less: ${says2}`,
      disabled: !n
    });
    const plus = button("+", () => more && this.does.choose(more.picks), {
      class: "second",
      "aria-label": `One more: ${says2}`,
      "aria-current": more && this.wanted(more) ? "step" : null,
      disabled: !more
    });
    return el("li", {}, less, el("output", {}, String(n)), plus, el("span", {}, says2));
  }
  /** A field for a number, with buttons for one more and one less. @param {Asked} asked */
  #stepper(asked) {
    const numbers = asked.options.map(({ word }) => Number(word)).sort((one, other) => one - other);
    const [low = 0, high = 0] = [numbers[0], numbers.at(-1)];
    const input = el("input", {
      type: "number",
      inputmode: "numeric",
      min: low,
      max: high,
      value: low,
      "aria-label": `${asked.so}: ${low} to ${high}`
    });
    const step = (way) => input.value = String(next(numbers, Number(input.value), way));
    const take2 = () => {
      const option = asked.options.find(({ word }) => Number(word) === Number(input.value));
      if (option) this.does.choose(option.picks);
      else input.setCustomValidity(`Not every number from ${low} to ${high} is possible now. Choose another one.`);
      input.reportValidity();
      input.setCustomValidity("");
    };
    const form = el("form", { class: "stepper", on: { submit: (event) => (event.preventDefault(), take2()) } });
    form.append(
      button("−", () => step(-1), { class: "second", "aria-label": "One less" }),
      input,
      button("+", () => step(1), { class: "second", "aria-label": "One more" }),
      el("button", { type: "submit" }, "Choose")
    );
    return form;
  }
};
function next(numbers, from, way) {
  const found = way > 0 ? numbers.find((one) => one > from) : numbers.findLast((one) => one < from);
  return found ?? (way > 0 ? numbers.at(-1) : numbers[0]) ?? from;
}
function named2({ is, word, says: says2, about, choice }) {
  if (is === "end") return [el("b", {}, "Done"), ...about ? [el("small", {}, about)] : []];
  if (is === "all") return [el("b", {}, "All"), el("small", {}, says2)];
  if (is === "kind") return [el("b", {}, word), el("small", {}, choice ? says2 : about)];
  const alike2 = says2.toLowerCase() === word.toLowerCase();
  return alike2 ? [el("b", {}, says2)] : [el("b", {}, says2), el("code", {}, word)];
}
function listen(part2, tell) {
  const about = (event) => event.target instanceof Element ? event.target.closest("[data-about]")?.getAttribute("data-about") ?? "" : "";
  let timer;
  let long = false;
  part2.addEventListener("pointerover", (event) => event.pointerType === "mouse" && tell(about(event)));
  part2.addEventListener("focusin", (event) => tell(about(event)));
  part2.addEventListener("pointerdown", (event) => {
    long = false;
    if (event.pointerType === "mouse") return;
    timer = setTimeout(() => {
      long = true;
      tell(about(event));
    }, LONG2);
  });
  for (const end of ["pointerup", "pointercancel"]) part2.addEventListener(end, () => clearTimeout(timer));
  part2.addEventListener("contextmenu", (event) => long && event.preventDefault());
  const asked = (event) => {
    if (long && event.detail) event.stopPropagation();
    long = false;
  };
  part2.addEventListener("click", asked, { capture: true });
}

// server/http/static/turn/send.js
var SEND = "Sign and send";
var MOVES = ["moved", "resigned"];
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
    this.sent = Promise.resolve();
    this.proof = game.checked;
    this.stop = null;
    this.shown = { steps: [], head: null, warnings: [] };
    this.warnings = [];
    this.signed = el("div", { class: "signed" });
    this.trouble = trouble;
    this.button = el("button", { type: "button", class: "send" }, SEND);
    this.wait = guarded(this.button, () => void this.send());
    foot.append(this.signed, this.button);
  }
  /** @param {Step[]} steps @param {Head | null} head @param {string[]} [warnings] what they waste, in sentences */
  show(steps, head, warnings = []) {
    const { shown } = this;
    const isOther = JSON.stringify(commands(steps)) !== JSON.stringify(commands(shown.steps));
    if (isOther || head?.hash !== shown.head?.hash) this.wait();
    if (isOther || warnings.join() !== shown.warnings.join()) this.#fresh(warnings);
    this.shown = { steps, head, warnings };
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
  async send() {
    if (this.warnings.length) return this.#ask();
    const { steps, head } = this.shown;
    const words = line(steps);
    await this.#tried((consent) => move(this.proof, commands(steps), head, { ...consent, words }), steps);
  }
  /** After a move that is just being sent: both were confirmed. */
  async resign() {
    await this.sent;
    await this.#tried((consent) => resign(this.proof, consent), []);
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
      `You have signed this before, but the server has not answered: ${waiting.map(({ says: says2 }) => says2).join("; ")}.`
    );
  }
  /**
   * Later presses, which agree or follow an approval, do the same: what was shown at the first one, on its head.
   * @param {(consent: Consent) => Promise<Entry>} does
   * @param {Step[]} steps
   * @param {Consent} [consent]
   */
  async #tried(does, steps, consent = {}) {
    if (this.busy) return;
    this.sent = this.#try(does, steps, consent);
    await this.sent;
  }
  /** @param {(consent: Consent) => Promise<Entry>} does @param {Step[]} steps @param {Consent} consent */
  async #try(does, steps, consent) {
    this.stop?.abort();
    this.#working(true);
    this.#trouble();
    try {
      const entry = await does(consent);
      this.#working(false);
      this.does.sent(entry, steps);
    } catch (error) {
      this.#working(false);
      this.#tell(error, (more) => void this.#tried(does, steps, { ...consent, ...more }));
    }
  }
  /** @param {...(Node | null | undefined)} nodes */
  #trouble(...nodes) {
    this.trouble.replaceChildren(...nodes.filter((one) => one instanceof Node));
  }
  /** @param {boolean} busy */
  #working(busy2) {
    this.busy = busy2;
    this.button.textContent = busy2 ? "Sending …" : SEND;
    this.button.setAttribute("aria-disabled", String(busy2));
  }
  /** @param {unknown} error @param {Again} again */
  #tell(error, again2) {
    const says2 = error instanceof Error ? error.message : String(error);
    if (error instanceof VerificationError) this.#trouble(...report(error, this.proof, () => this.#trouble()));
    else if (error instanceof NotSigned) this.#unsigned(error, again2);
    else if (error instanceof NotSent) this.#unsent(says2);
    else {
      this.#trouble(wrong(error instanceof Problem ? `This was not accepted. ${says2}` : `Nothing was signed. ${says2}`));
      if (error instanceof Problem) this.does.stale();
    }
  }
  /** @param {import("../game/acts.js").NotSigned} error @param {Again} again */
  #unsigned({ code, message, facts }, again2) {
    const asked = code === "unsettled" && !facts.answered ? void 0 : ASKED[code];
    const agree = asked && el("button", { type: "button", class: "second" }, asked.says);
    if (agree) guarded(agree, () => again2(asked.consent));
    const let_in = NOT_THIS_DEVICE.includes(code) ? button("Approve this device …", () => void this.#letIn(again2), { class: "second" }) : null;
    this.#trouble(wrong(`Nothing was signed. ${message}`), agree, let_in);
    if (code === "stale") this.does.stale();
  }
  /** @param {Again} again */
  async #letIn(again2) {
    try {
      if (!await enter(this.game.account ?? "")) return;
      this.does.approved();
      again2({});
    } catch (error) {
      this.#tell(error, again2);
    }
  }
  /** Sends again by itself, and when a button is pressed. @param {string} says */
  #unsent(says2) {
    this.stop?.abort();
    this.stop = new AbortController();
    const stop = this.stop;
    const told = (became) => {
      const logged = became.find(({ entry }) => entry)?.entry;
      const no = became.find(({ problem }) => problem)?.problem;
      if (!logged && !no) return;
      stop.abort();
      this.#trouble(no && wrong(`Your move was not logged. ${no.message}`));
      if (logged && MOVES.includes(logged.kind)) this.does.sent(logged, []);
      else this.does.stale();
    };
    const failed = (error) => this.#tell(error, () => void this.send());
    const now = () => void again(this.proof).then(told, failed);
    this.#trouble(wrong(says2), button("Send again now", now, { class: "second" }));
    keepSending(this.proof, told, stop.signal).catch(failed);
  }
};
var wrong = (says2) => el("p", { class: "wrong" }, says2);

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
  show(steps, looked2) {
    const again2 = this.#focus();
    const list2 = el(
      "ol",
      { class: "plan", "aria-label": "Your draft move" },
      ...steps.map((step, at) => this.#line(step, at, steps.length, looked2))
    );
    draggable(list2, (from, to) => this.does.move(from, to));
    this.part.replaceChildren(...steps.length ? [list2] : []);
    this.#refocus(again2, steps.length);
  }
  /** @param {Step} step @param {number} at @param {number} of @param {number | null} looked */
  #line({ notation, label }, at, of, looked2) {
    const nth = `step ${at + 1}, ${notation}`;
    const look3 = button("", () => this.does.look(at), {
      class: "second look",
      "aria-pressed": looked2 === at ? "true" : "false",
      "data-is": "look"
    });
    look3.append(el("span", {}, label), " ", el("code", {}, notation));
    const line2 = el(
      "li",
      { class: looked2 !== null && at > looked2 ? "later" : null },
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
    const one = (sign2, says2, is, does, off = false) => button(sign2, does, { class: "second", "aria-label": `${says2}: ${nth}`, disabled: off, "data-is": is });
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
    const same3 = line2?.querySelector(`[data-is="${again2.is}"]:not([disabled])`) ?? line2?.querySelector(".look");
    if (same3 instanceof HTMLElement) same3.focus({ preventScroll: true });
  }
};

// server/http/static/turn/preview-text.js
var list = (said2) => el("ul", {}, ...said2.map((one) => el("li", {}, el("bdi", {}, one))));
var note = (says2) => el("p", { class: "quiet" }, says2);
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

// server/http/static/turn/command-input.js
var CommandInput = class {
  /** @param {(text: string) => void} add */
  constructor(add) {
    const given2 = { autocomplete: "off", autocapitalize: "none", spellcheck: "false" };
    this.input = el("input", { id: "typed", name: "typed", list: "typable", "aria-describedby": "refused", ...given2 });
    this.list = el("datalist", { id: "typable" });
    this.refused = el("p", { id: "refused", class: "wrong", role: "alert" });
    const submit = (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (text) add(text);
    };
    const form = el(
      "form",
      { on: { submit } },
      el("label", { for: "typed" }, "Command"),
      el("span", { class: "line" }, this.input, el("button", { type: "submit", class: "second" }, "Add")),
      this.list,
      this.refused
    );
    this.part = el("details", { class: "typed", hidden: true }, el("summary", {}, "Type it"), form);
  }
  /** @param {Choice[]} legal */
  show(legal) {
    this.list.replaceChildren(...legal.map(({ notation, label }) => el("option", { value: notation }, label)));
    this.part.hidden = !legal.length;
    this.refuse("");
  }
  /** Shows the refusal and keeps the text. @param {string} says */
  refuse(says2) {
    this.refused.textContent = says2;
    if (says2) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
    if (says2) this.input.focus({ preventScroll: true });
  }
  /** Empties the field for the next command. */
  next() {
    this.input.value = "";
    const used = !this.part.hidden && this.part.open;
    if (used) this.input.focus({ preventScroll: true });
    return used;
  }
};

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
  arriving = false;
  // is the page fetched that has it?
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
      stale: () => void this.#stale(),
      approved: () => void this.device.look()
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
    if (kept?.head && this.#movedSince(kept.head.seq)) await this.#dropped();
    else if (kept) {
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
      this.first.turn = this.game.mine ? await turned((steps) => this.#read(steps), this.plan.steps) : null;
      const inside = this.#inside();
      this.#render();
      if (inside && !this.#inside()) this.#focus();
    } catch (error) {
      this.#fault(error);
    }
  }
  /** Draw the draft in the colours that the device asks for now; what is being chosen stays. */
  async #recolour() {
    const { plan, looked: looked2 } = this;
    if (!this.game.mine || !plan.steps.length) return;
    try {
      const preview = await this.#asked(plan.steps);
      const shown = looked2 === null ? preview : await this.#asked(plan.steps.slice(0, looked2 + 1));
      if (plan !== this.plan || looked2 !== this.looked) return;
      this.preview = preview;
      this.#draw(shown);
    } catch (error) {
      this.#fault(error);
    }
  }
  /** Cut the draft where it is no longer possible, and explain that. */
  async #fit() {
    const { seq, hash } = await (this.game.drawn ?? this.game.draw());
    const { plan } = this;
    const whole = await this.#read(plan.steps);
    const { refusal, done: done2 } = whole;
    const left = refusal ? planned(plan.steps.slice(0, done2)) : plan;
    const preview = refusal ? await this.#read(left.steps) : whole;
    this.head = { seq, hash };
    if (plan !== this.plan) return;
    this.plan = left;
    this.preview = preview;
    if (!refusal) return;
    const gone = plan.steps.slice(done2).map(({ notation }) => `“${notation}”`);
    await this.#keep();
    this.#say(`Part of your draft move is no longer possible and was removed: ${gone.join(", ")}. ${refusal.says}`);
  }
  /** Has this seat moved after the entry, in another tab or on another device? @param {number} seq */
  #movedSince(seq) {
    return this.game.turns.some(({ at, seat }) => seat === this.game.seat && at > seq);
  }
  /** The draft was for a turn in which the seat has moved without it. */
  async #dropped() {
    this.plan = planned();
    const kept = await this.store.load();
    if (kept?.head && this.#movedSince(kept.head.seq)) await this.#keep();
    this.#say("Your move was sent from another tab or device. The draft move here was removed.");
  }
  /** Preview these steps, and the text typed after them. @param {Step[]} steps @param {string} [text] */
  #asked(steps, text) {
    return this.#busy(text === void 0 ? this.previews.of(steps) : this.previews.typed(steps, text));
  }
  /** Preview these steps on a new position. No press repeats that, so it is tried for a while. @param {Step[]} steps */
  #read(steps) {
    return this.#busy(this.previews.of(steps, withRetries));
  }
  /** @param {Promise<Preview>} asked */
  async #busy(asked) {
    this.section.setAttribute("aria-busy", "true");
    try {
      return await asked;
    } finally {
      this.section.removeAttribute("aria-busy");
    }
  }
  /** There are new entries: try the draft on the new position. */
  async #news() {
    if (this.sending.busy || this.arriving) return;
    const before2 = this.plan.steps;
    if (!this.#isLogged) this.#say("");
    if (before2.length && this.head && this.#movedSince(this.head.seq)) {
      await this.#dropped();
      return this.refresh();
    }
    await this.refresh();
    if (this.#isLogged) return this.#tellLogged();
    if (!before2.length || this.told.textContent) return;
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
    const { choice, picks: made } = followed(this.legal, picks, others);
    if (choice) return this.#change(added(this.plan.steps, choice));
    this.picks = made;
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
    this.picks = stepBack(this.legal, this.picks);
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
    const { plan } = this;
    if (same(steps, plan.steps)) return;
    try {
      const preview = await this.#asked(steps);
      if (preview.refusal) this.#say(`${why}: ${preview.refusal.says}`, true);
      else await this.#take(plan, changed2(plan, steps), preview);
    } catch (error) {
      this.#fault(error);
    }
  }
  async #undone() {
    const { plan } = this;
    const before2 = undone(plan);
    try {
      await this.#take(plan, before2, await this.#asked(before2.steps));
    } catch (error) {
      this.#fault(error);
    }
  }
  /** @param {string} text */
  async #type(text) {
    const { plan } = this;
    try {
      const preview = await this.#asked(plan.steps, text);
      if (preview.refusal) return this.typed.refuse(preview.refusal.says);
      await this.#take(plan, changed2(plan, preview.steps), preview);
      if (!this.typed.next()) this.#focus();
    } catch (error) {
      if (error instanceof Problem) this.typed.refuse(error.detail);
      else this.#fault(error);
    }
  }
  /**
   * Throws Overtaken if `from` is no longer the draft: on a slow network another answer has changed it first.
   * @param {import("./plan.js").Plan} from @param {import("./plan.js").Plan} plan @param {Preview} preview
   */
  async #take(from, plan, preview) {
    const turn = await turned((steps) => this.#asked(steps), plan.steps);
    if (from !== this.plan) throw new Overtaken();
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
    await this.#arrives(entry.seq);
    const [brought] = await Promise.all([this.#brought(entry.seq, steps.length), this.refresh()]);
    this.logged = [`Your move is logged as entry ${entry.seq}.`, ...brought].join(" ");
    this.last = entry.seq;
    this.#tellLogged();
    if (this.#inside() || document.activeElement === document.body) this.#focus();
  }
  /** Renews the page so that it shows this entry. If that fails, the next news does. @param {number} seq */
  async #arrives(seq) {
    this.arriving = true;
    try {
      await this.game.renewing;
      if (this.game.head < seq) await this.game.renew();
    } catch (error) {
      if (!(error instanceof NoAnswer || error instanceof Problem)) throw error;
    } finally {
      this.arriving = false;
    }
  }
  /** The result stays while others move, until there is something else to show. */
  #tellLogged() {
    const turn = this.game.head > this.last ? "It is your turn again." : "It is still your turn.";
    this.#say(this.game.mine && this.game.head >= this.last ? `${this.logged} ${turn}` : this.logged);
  }
  get #isLogged() {
    return this.logged !== "" && Boolean(this.told.textContent?.startsWith(this.logged));
  }
  /** @param {number} seq @param {number} planned @returns {Promise<string[]>} */
  async #brought(seq, planned2) {
    const path2 = `/v1/games/${this.game.id}`;
    try {
      const shown = await this.game.drawn;
      const [{ sentences }, [own]] = await Promise.all([
        shown?.seq === seq ? shown : get(`${path2}/view?at=${seq}`),
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
  /** Replace the draft by this one if the rules allow it all. @param {string} notation @returns {Promise<void>} */
  async #instead(notation) {
    const { plan } = this;
    try {
      const preview = await this.#asked([], notation);
      if (preview.refusal) return this.#say(`That draft move is not possible now: ${preview.refusal.says}`, true);
      await this.#take(plan, changed2(plan, preview.steps), preview);
      await dropMailed(this.game.id);
    } catch (error) {
      if (error instanceof Overtaken) return this.#instead(notation);
      this.#fault(error);
    }
  }
  // --- drawing -------------------------------------------------------------------------------------------------------
  #render() {
    const { preview, plan } = this;
    const steps = this.game.mine ? plan.steps : [];
    const picks = this.picks.length ? this.picks : this.first.begin(this.legal);
    const asked = ask3(this.legal, picks);
    this.section.hidden = this.game.stage !== "running" && !this.told.textContent;
    this.leave.hidden = this.game.stage !== "running";
    this.steps.show(steps, this.looked);
    this.undo.replaceChildren(
      ...plan.before.length && this.game.mine ? [button("Undo", () => void this.#undone(), { class: "second" })] : []
    );
    const effect = el("div", {}, ...previewText(preview, this.game.hidden));
    const isOther = effect.innerHTML !== this.brings.innerHTML;
    if (isOther) this.brings.replaceChildren(...effect.childNodes);
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
  #light(options3) {
    const { legal } = this.preview;
    if (!this.picks.length) {
      return this.highlights.offer(
        (svg) => this.first.places(svg, legal),
        (spot) => void this.#tapped(spot)
      );
    }
    this.highlights.show(
      options3,
      (option, others) => void this.#picked(option, others),
      (option, mark2) => this.#leads(option, mark2)
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
  #leads(option, mark2) {
    const { choice, options: options3 } = ask3(this.legal, option.picks);
    return choice ? choice.words.some(({ kind, word }) => `${kind}:${word}` === mark2) : options3.some(({ marks }) => marks.includes(mark2));
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
  #say(says2, wrong2 = false) {
    this.told.classList.toggle("wrong", wrong2);
    if (this.told.textContent !== says2) this.told.textContent = says2;
    if (says2) this.section.hidden = false;
  }
  /** @param {unknown} error */
  #fault(error) {
    if (!(error instanceof Overtaken)) this.#say(error instanceof Error ? error.message : String(error), true);
  }
};
function lastOf(legal, picks) {
  const { choice, options: options3 } = ask3(legal, picks);
  if (choice) return choice;
  const last2 = options3.every((one) => one.is === "word" && one.choice?.words.at(-1)?.kind !== "cell");
  return last2 ? options3[0]?.choice ?? null : null;
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
    game.addEventListener("palette", () => void this.#show());
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
    return chosen ? this.game.turns.flatMap(({ at, seat }) => seat === Number(chosen) ? [at] : []) : [];
  }
  #build() {
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value), SETTLE));
    this.whose.append(...options2("every entry", "turns of", this.game.names));
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
    const next2 = link.dataset.at ? link : turns.find((one) => Number(one.dataset.at) > seen);
    if (!next2) return this.now();
    this.pause();
    this.go(Number(next2.dataset.at), 0, Number(next2.dataset.from));
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
    eyes.append(...options2("public view", "view of", game.names));
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
    const next2 = way > 0 ? stops.find((stop) => stop > this.at) : stops.findLast((stop) => stop < this.at);
    return next2 ?? this.at;
  }
  #play() {
    if (this.at === this.game.head) this.go(this.first);
    this.playing = true;
    this.#tell();
    this.timer = setTimeout(() => void this.#onward(), PACE);
  }
  async #onward() {
    const next2 = this.#next(1);
    if (!this.playing || next2 === this.at) {
      this.pause();
      return;
    }
    this.at = next2;
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
    if (address.href !== location.href) history.replaceState(null, "", address);
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
      const from = turn ? turn.from : Math.max(this.first, at - 1);
      const [then, before2] = await Promise.all([this.#then(at), this.#then(from)]);
      if (at !== this.at || eyes !== this.eyes || turn !== this.turn) return;
      game.scene.put("past", { ...then, before: before2.picture });
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
    const name = `${palette()} ${asked}`;
    const kept = this.kept.get(name) ?? this.game.position(asked);
    this.kept.delete(name);
    this.kept.set(name, kept);
    for (const old of this.kept.keys()) if (this.kept.size > KEPT) this.kept.delete(old);
    kept.catch(() => this.kept.delete(name));
    return kept;
  }
  /** Follow the game if the newest position was shown, and not the changes of a turn. @param {number} before */
  #news(before2) {
    if (this.at === before2 && !this.playing && !this.turn) this.at = this.game.head;
    this.#tell();
  }
};
function options2(none, says2, names) {
  const one = names.map((name, seat) => el("option", { value: seat }, `${says2} ${name}`));
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
  for (const mark2 of document.querySelectorAll("#tab-news .unread")) mark2.remove();
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
    this.screen = new Media(ONE_SCREEN);
    this.links = [...list2.querySelectorAll("a")];
    this.#handle();
    list2.addEventListener("click", (event) => this.#click(event));
    list2.addEventListener("keydown", (event) => this.#key(event));
    this.screen.onChange(() => this.#apply());
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
    this.open(keyOf2(link));
    part(link)?.querySelector(".new")?.scrollIntoView();
  }
  /** @param {KeyboardEvent} event */
  #key(event) {
    const way = KEYS[event.key];
    const seen = this.links.filter((link2) => !link2.hidden);
    const at = seen.findIndex((link2) => link2 === document.activeElement);
    if (!way || at < 0 || !this.screen.matches || event.altKey || event.ctrlKey || event.metaKey) return;
    const next2 = Number.isFinite(way) ? (at + way + seen.length) % seen.length : way < 0 ? 0 : seen.length - 1;
    event.preventDefault();
    const link = (
      /** @type {HTMLAnchorElement} */
      seen[next2]
    );
    this.open(keyOf2(link));
    link.focus();
  }
  /** Opens the part that the address names. */
  #follow() {
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    const link = this.links.find((one) => target && part(one)?.contains(target));
    if (!link || !target) return;
    this.open(keyOf2(link));
    target.scrollIntoView({ block: "nearest" });
  }
  /** The tabs that the game has now; the one that matters opens, unless the reader is busy there. */
  #news() {
    const { game } = this;
    const shown = { move: game.seat !== null && game.stage === "running", result: game.stage === "finished" };
    this.#offer(shown);
    const key = shown.result ? "result" : game.mine && !this.mine ? "move" : null;
    this.mine = game.mine;
    if (!key || focused(this.side)) return;
    this.open(key);
    this.#offer(shown);
  }
  /** Hides the tabs that the game does not have now, except an open one. @param {Record<string, boolean>} shown */
  #offer(shown) {
    for (const [key, is] of Object.entries(shown)) {
      const link = this.links.find((one) => one.id === `tab-${key}`);
      if (link) link.hidden = !is && link !== this.current;
    }
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
    const says2 = { half: "half of the screen", tall: "most of the screen", peek: "tabs only" };
    const now = says2[
      /** @type {keyof typeof says} */
      this.side.dataset.sheet
    ];
    this.handle?.setAttribute("aria-label", `Change the height of this panel, now ${now}`);
  }
};
var keyOf2 = (link) => link.id.replace("tab-", "");
var part = (link) => document.getElementById(`part-${keyOf2(link)}`);
function given(node, all) {
  for (const [name, value] of Object.entries(all)) {
    if (value === null) node.removeAttribute(name);
    else node.setAttribute(name, value);
  }
}

// server/http/static/turn/zones.js
var [COLUMN, GAP, MARGIN] = [432, 16, 8];
var MOST2 = 3;
var BESIDE = 3;
var FEW2 = 2;
var NARROW = 600;
var MUCH = 1.25;
function zonesOf(svg) {
  const found = (
    /** @type {SVGGraphicsElement[]} */
    [...svg.querySelectorAll("[data-zone]")]
  );
  return found.map((node) => {
    const [, , width = 0, height = 0] = (node.dataset.box ?? "").split(" ").map(Number);
    return { node, name: node.dataset.zone ?? "", width, height };
  });
}
function arrange(svg, shape, without3) {
  const all = zonesOf(svg);
  const shown = all.filter(({ name }) => !without3.includes(name));
  if (!shown.length || !shape.width || !shape.height) return false;
  const counts = shape.width < NARROW ? [1] : [1, 2, 3];
  const size = ({ width, height, places }) => Math.min(shape.width / width, shape.height / height) * Math.min(...places.map(({ scale }) => scale));
  const tried2 = counts.map((columns) => packed(shown, columns));
  const largest2 = tried2.reduce((one, other) => size(other) > size(one) ? other : one);
  const held = tried2.find(({ columns }) => columns === shape.columns);
  const best = held && size(largest2) < MUCH * size(held) ? held : largest2;
  shape.columns = best.columns;
  const key = `${best.width} ${best.height} ${without3.join(" ")}`;
  if (svg.dataset.arranged === key) return false;
  svg.dataset.arranged = key;
  for (const { node, name } of all) node.style.display = without3.includes(name) ? "none" : "";
  for (const [at, { node }] of shown.entries()) {
    const { x, y, scale } = (
      /** @type {Place} */
      best.places[at]
    );
    node.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
  }
  for (const [name, value] of Object.entries({ width: best.width, height: best.height })) {
    svg.querySelector("rect")?.setAttribute(name, String(value));
  }
  svg.dataset.whole = `0 0 ${best.width} ${best.height}`;
  return true;
}
function placeOf2(node) {
  const [x = 0, y = 0, scale = 1] = (node.getAttribute("transform") ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [];
  return { x, y, scale };
}
function packed(zones, columns) {
  const bottoms = Array(columns).fill(MARGIN);
  const at = columnsOf(zones, columns);
  const places = zones.map((zone, nth) => {
    const column = at[nth] ?? 0;
    const span = isWide(zone) ? Math.min(2, columns - column) : 1;
    const scale = isWide(zone) ? (COLUMN * span + GAP * (span - 1)) / zone.width : 1;
    const y = Math.max(...bottoms.slice(column, column + span));
    const bottom = zone.height ? y + zone.height * scale + GAP : y;
    bottoms.fill(bottom, column, column + span);
    return { x: MARGIN + column * (COLUMN + GAP), y, scale };
  });
  const width = columns * (COLUMN + GAP) - GAP + 2 * MARGIN;
  return { columns, width, height: Math.max(...bottoms) - GAP + MARGIN, places };
}
function columnsOf(zones, columns) {
  const hasWide = zones.some((zone) => isWide(zone) && zone.name !== "head");
  const few = zones.filter((zone) => !isWide(zone) && !isSeat(zone)).length < FEW2;
  const others = columns < MOST2 ? columns : hasWide ? 2 : 1;
  let [beside, below2] = [0, 0];
  return zones.map((zone) => {
    if (isWide(zone)) return 0;
    if (columns === MOST2 && isSeat(zone) && (!hasWide || few || beside < BESIDE)) {
      beside += 1;
      return hasWide ? 2 : 2 - beside % 2;
    }
    below2 += 1;
    return (below2 - 1) % others;
  });
}
var isWide = ({ width }) => width > COLUMN + GAP / 2;
var isSeat = ({ name }) => name.startsWith("seat-");

// server/http/static/turn/zoom.js
var MOST3 = 8;
var STEP = 1.4;
var DRAG = 8;
var READABLE = 11;
var NARROW2 = 600;
var EDGE = 16;
var KEY = 60;
var ARROWS = (
  /** @type {Record<string, [number, number]>} */
  {
    ArrowLeft: [1, 0],
    ArrowRight: [-1, 0],
    ArrowUp: [0, 1],
    ArrowDown: [0, -1]
  }
);
function start13(scene) {
  const zoom = new Zoom(scene);
  scene.addEventListener("drawn", () => zoom.apply());
  scene.addEventListener("reveal", (event) => zoom.reveal(
    /** @type {CustomEvent<Element[]>} */
    event.detail
  ));
  return zoom;
}
var Zoom = class {
  /** @param {import("./scene.js").Scene} scene */
  constructor(scene) {
    this.scene = scene;
    this.figure = /** @type {HTMLElement} */
    scene.figure;
    this.scale = 1;
    this.middle = { x: 0.5, y: 0.5 };
    this.seen = { x: 0, y: 0 };
    this.opened = false;
    this.headed = false;
    this.chosen = false;
    this.shape = null;
    this.fingers = /* @__PURE__ */ new Map();
    this.dragged = false;
    this.figure.setAttribute("aria-label", "Picture. Use plus and minus to zoom, and the arrow keys to move.");
    this.#listen();
    this.zones = el("span", { class: "zones" });
    this.buttons = this.#buttons();
  }
  /** The whole picture, in its own units. @returns {Box} */
  get whole() {
    const [x = 0, y = 0, width = 1, height = 1] = (this.scene.svg?.dataset.whole ?? "").split(" ").map(Number);
    return { x, y, width, height };
  }
  /** Apply the zoom to the current picture. */
  apply() {
    const { svg } = this.scene;
    if (!svg) return;
    this.#arrange(svg);
    svg.dataset.whole ??= svg.getAttribute("viewBox") ?? "";
    if (this.opened) return this.#show(this.seen);
    this.#open();
    this.#show();
  }
  /**
   * Arranges its zones where the figure keeps its size; the panel shows the text of the head.
   * @param {SVGSVGElement} svg
   */
  #arrange(svg) {
    const shape = this.#shape();
    if (!shape.fixed) return false;
    this.headed ||= Boolean(svg.querySelector('[data-zone="head"] [data-word]'));
    const changed3 = arrange(svg, shape, this.headed ? ["legend"] : ["head", "legend"]);
    if (changed3) this.#chips(svg);
    return changed3;
  }
  /** The figure in pixels; measured again after a change of its size, as measuring lays out the whole page. */
  #shape() {
    if (this.shape) return this.shape;
    const { width, height } = this.figure.getBoundingClientRect();
    const shape = { width, height, fixed: getComputedStyle(this.figure).flexGrow === "1" };
    if (shape.fixed) this.shape = shape;
    return shape;
  }
  /** A button for each zone, which brings it near. @param {SVGSVGElement} svg */
  #chips(svg) {
    const zones = zonesOf(svg).filter(({ node, height }) => height && node.style.display !== "none");
    this.zones.replaceChildren(...zones.length > 1 ? zones.map(({ name }) => this.#chip(name)) : []);
  }
  /** @param {string} name */
  #chip(name) {
    const seat = /^seat-(\d+)$/.exec(name)?.[1];
    const says2 = seat ? `P${seat}` : name.charAt(0).toUpperCase() + name.slice(1);
    const about = seat ? `Show player ${seat}` : `Show the ${name}`;
    return button(says2, () => this.near(name), { class: "second", "aria-label": about, title: about });
  }
  /** Shows this zone as large as it fits. @param {string} name */
  near(name) {
    const zone = this.scene.svg && zonesOf(this.scene.svg).find((one) => one.name === name);
    if (!zone) return;
    const { x, y, scale } = placeOf2(zone.node);
    const [width, height] = [zone.width * scale, zone.height * scale];
    const base = this.#base();
    this.chosen = true;
    const fits = Math.min(base.width / (width + EDGE), base.width * base.ratio / (height + EDGE));
    this.scale = Math.max(1, Math.min(MOST3, fits));
    this.#show({ x: x + (width - base.width / this.scale) / 2, y: y - EDGE / 2 });
  }
  /** Where its words would be too small, open it larger, at most as wide as the figure, from its top. */
  #open() {
    this.opened = true;
    const across = this.figure.clientWidth;
    if (!across) return;
    const base = this.#base().width;
    const readable = across < NARROW2 ? Infinity : READABLE * base / (this.#words() * across);
    this.scale = Math.max(1, Math.min(readable, base / this.whole.width));
    this.middle = { x: 0.5, y: 0 };
  }
  /** The height of its words, in its own units: the lower quartile. */
  #words() {
    const sizes = [...this.scene.svg?.querySelectorAll("text") ?? []].map(
      (one) => parseFloat(getComputedStyle(one).fontSize)
    );
    return sizes.sort((one, other) => one - other)[Math.floor(sizes.length / 4)] || READABLE;
  }
  /** The whole picture with the margins that the shape of the figure leaves. */
  #base() {
    const { whole } = this;
    const { width, height, fixed } = this.#shape();
    const ratio = this.scene.svg && fixed && width && height ? height / width : this.scale > 1.001 ? this.#tall() : whole.height / whole.width;
    return { width: Math.max(whole.width, whole.height / ratio), ratio };
  }
  #tall() {
    const shape = this.scene.svg?.getBoundingClientRect();
    return shape?.width ? shape.height / shape.width : this.whole.height / this.whole.width;
  }
  /** @param {{x: number, y: number}} [corner] stays in place; by default the middle does */
  #show(corner) {
    const { svg, whole } = this.scene.svg ? { svg: this.scene.svg, whole: this.whole } : { svg: null, whole: null };
    if (!svg || !whole) return;
    const zoomed = this.scale > 1.001;
    this.figure.classList.toggle("zoomed", zoomed);
    if (zoomed) {
      this.figure.tabIndex = 0;
    } else this.figure.removeAttribute("tabindex");
    const base = this.#base();
    const width = base.width / this.scale;
    const height = width * base.ratio;
    if (corner) {
      this.middle = {
        x: (corner.x + width / 2 - whole.x) / whole.width,
        y: (corner.y + height / 2 - whole.y) / whole.height
      };
    }
    const half = { x: width / whole.width / 2, y: height / whole.height / 2 };
    this.middle = { x: within(this.middle.x, half.x), y: within(this.middle.y, half.y) };
    this.seen = {
      x: whole.x + this.middle.x * whole.width - width / 2,
      y: whole.y + this.middle.y * whole.height - height / 2
    };
    const box = [this.seen.x, this.seen.y, width, height].map((one) => Math.round(one * 100) / 100).join(" ");
    if (svg.getAttribute("viewBox") !== box) svg.setAttribute("viewBox", box);
    svg.setAttribute("preserveAspectRatio", "xMidYMin meet");
    this.#tell(zoomed);
  }
  /** @param {boolean} zoomed */
  #tell(zoomed) {
    const [, less, all] = this.buttons;
    less?.toggleAttribute("disabled", !zoomed);
    all?.toggleAttribute("disabled", !zoomed);
  }
  /**
   * Zoom by this factor, around a point of the window.
   * @param {number} factor
   * @param {{x: number, y: number}} [around]
   */
  by(factor, around) {
    this.chosen = true;
    const scale = Math.max(1, Math.min(MOST3, this.scale * factor));
    const at = around ? this.#part(around) : this.middle;
    const held = this.scale / scale;
    this.middle = { x: at.x + (this.middle.x - at.x) * held, y: at.y + (this.middle.y - at.y) * held };
    this.scale = scale;
    this.#show();
  }
  /**
   * Pan by this many pixels; beyond the picture's edge, scroll the page.
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    this.chosen = true;
    const seen = this.scene.svg?.getScreenCTM()?.a ?? 1;
    const { width, height } = this.whole;
    const want = this.middle.y - dy / seen / height;
    this.middle = { x: this.middle.x - dx / seen / width, y: want };
    this.#show();
    const rest = (want - this.middle.y) * height * seen;
    if (Math.abs(rest) >= 1) scrollBy(0, rest);
  }
  /** Pan until one of these is visible, if none is. @param {Element[]} nodes */
  reveal(nodes) {
    const seen = this.figure.getBoundingClientRect();
    const middles = nodes.map((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    });
    const [first] = middles;
    const inside = middles.some(({ x, y }) => x > seen.left && x < seen.right && y > seen.top && y < seen.bottom);
    if (!first || inside || this.scale <= 1) return;
    this.middle = this.#part(first);
    this.#show();
  }
  reset() {
    this.chosen = true;
    this.scale = 1;
    this.#show();
  }
  /** A point of the window in parts of the picture. @param {{x: number, y: number}} at */
  #part(at) {
    const there = this.scene.svg?.getScreenCTM()?.inverse();
    if (!there) return this.middle;
    const { x, y } = new DOMPoint(at.x, at.y).matrixTransform(there);
    const { whole } = this;
    return { x: (x - whole.x) / whole.width, y: (y - whole.y) / whole.height };
  }
  #buttons() {
    const made = [
      sign("+", "Zoom in", () => this.by(STEP)),
      sign("−", "Zoom out", () => this.by(1 / STEP)),
      sign("Fit", "Fit the whole picture", () => this.reset())
    ];
    const bar = el("div", { class: "chips", role: "group", "aria-label": "Picture" }, ...made, this.zones, asText());
    document.getElementById("strip")?.prepend(bar);
    return made;
  }
  #listen() {
    const { figure } = this;
    figure.addEventListener("pointerdown", (event) => this.#down(event));
    figure.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) {
      figure.addEventListener(end, (event) => this.fingers.delete(
        /** @type {PointerEvent} */
        event.pointerId
      ));
    }
    figure.addEventListener("click", (event) => this.#click(event), { capture: true });
    figure.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    figure.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.#resized()).observe(figure);
  }
  #resized() {
    const { svg } = this.scene;
    this.shape = null;
    if (svg && this.#arrange(svg)) this.scene.redraw();
    if (this.opened && !this.chosen) this.#open();
    this.#show(this.chosen && this.scale > 1.001 ? this.seen : void 0);
  }
  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0) return;
    if (!this.fingers.size) this.dragged = false;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }
  /** @param {PointerEvent} event */
  #move(event) {
    const was = this.fingers.get(event.pointerId);
    if (!was) return;
    const now = { x: event.clientX, y: event.clientY };
    if (!this.dragged && Math.hypot(now.x - was.x, now.y - was.y) < DRAG) return;
    if (!this.dragged && (this.scale > 1 || this.fingers.size > 1)) {
      this.dragged = true;
      this.figure.setPointerCapture(event.pointerId);
    }
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) this.#pinch(other, was, now);
    else if (this.scale > 1) this.pan(now.x - was.x, now.y - was.y);
    this.fingers.set(event.pointerId, now);
  }
  /** @param {{x: number, y: number}} other @param {{x: number, y: number}} was @param {{x: number, y: number}} now */
  #pinch(other, was, now) {
    const factor = Math.hypot(now.x - other.x, now.y - other.y) / (Math.hypot(was.x - other.x, was.y - other.y) || 1);
    this.by(factor, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
  }
  /** Ignore the click that ends a drag. @param {MouseEvent} event */
  #click(event) {
    if (!this.dragged) return;
    this.dragged = false;
    event.stopPropagation();
    event.preventDefault();
  }
  /** @param {WheelEvent} event */
  #wheel(event) {
    if (!event.ctrlKey && this.scale <= 1.001) return;
    event.preventDefault();
    if (event.ctrlKey) this.by(Math.exp(-event.deltaY / 300), { x: event.clientX, y: event.clientY });
    else this.pan(-event.deltaX, -event.deltaY);
  }
  /** @param {string} key */
  #arrow(key) {
    const [dx = 0, dy = 0] = ARROWS[key] ?? [];
    const held = scrollY;
    this.pan(dx * KEY, dy * KEY);
    scrollTo(scrollX, held);
  }
  /** Keys without Ctrl, which are the browser's. @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") this.by(STEP);
    else if (event.key === "-") this.by(1 / STEP);
    else if (event.key === "0") this.reset();
    else if (event.target === this.figure && this.scale > 1 && event.key in ARROWS) this.#arrow(event.key);
    else return;
    event.preventDefault();
  }
};
function asText() {
  const chip = button(
    "Text",
    () => {
      const is = chip.closest(".position")?.classList.toggle("as-text") ?? false;
      chip.setAttribute("aria-pressed", String(is));
    },
    { class: "second text-chip", "aria-label": "Board as text", "aria-pressed": "false" }
  );
  return chip;
}
function within(at, half) {
  return half >= 0.5 ? 0.5 : Math.max(half, Math.min(1 - half, at));
}

// server/http/static/pages/game.js
var root = document.getElementById("game");
if (root) begin2(new Game(root));
function begin2(game) {
  start(game.clock);
  start12(game);
  if (game.scene.figure) {
    start13(game.scene);
    start7(game.scene);
    start3(game.scene);
    start6(game);
    start10(game);
    void game.draw();
  }
  start2(game);
  start5(game);
  const section = document.getElementById("panel");
  if (section && game.seat !== null && game.scene.figure) start9(section, game);
  start11(game);
  const alerts = document.getElementById("alerts");
  if (alerts && game.seat !== null) start4(alerts, game);
  start8(game);
}
