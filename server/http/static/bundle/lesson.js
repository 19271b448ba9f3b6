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
  const parsed3 = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed3.localName !== "svg" || parsed3.namespaceURI !== SVG) throw new Error("this is not a picture");
  for (const node of [...parsed3.querySelectorAll("*"), parsed3]) clean(node);
  return (
    /** @type {SVGSVGElement} */
    /** @type {unknown} */
    document.importNode(parsed3, true)
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
  show(options2, chosen, leads = () => true) {
    this.find = (svg) => answers(svg, options2, leads).map(({ node, option, others }) => ({
      node,
      key: "",
      look: "lit",
      says: titleOf(node) ?? option.says,
      does: () => chosen(option, others)
    }));
  }
  /** @param {(svg: SVGSVGElement) => Shown[]} find @param {(spot: Spot) => void} chosen */
  offer(find, chosen) {
    this.find = (svg) => find(svg).map(({ spot, look }) => {
      const { node, key } = spot;
      const says2 = look === "turn" ? `Turn the tile. ${spot.says}` : spot.says;
      return { node, key, look, says: says2, does: () => chosen(spot) };
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
  #target(svg, { node, key, look, says: says2, does }) {
    const target = document.createElementNS(SVG2, "g");
    const title = document.createElementNS(SVG2, "title");
    title.textContent = says2;
    target.setAttribute("role", "button");
    target.setAttribute("tabindex", "-1");
    target.setAttribute("aria-label", says2);
    if (look === "on") target.setAttribute("aria-pressed", "true");
    target.dataset.word = node.dataset.word ?? "";
    Object.assign(target.dataset, { look, key });
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
function answers(svg, options2, leads) {
  const meeting = meets(svg);
  const marked2 = (
    /** @type {SVGGraphicsElement[]} */
    [...svg.querySelectorAll("[data-word]")]
  );
  return marked2.flatMap((node) => {
    const marks = (node.dataset.word ?? "").split(" ");
    const fits = (option2) => {
      if (!option2.marks.some((mark) => marks.includes(mark))) return false;
      if (option2.seat !== null && Number(node.dataset.seat) !== option2.seat + 1) return false;
      const others = marks.filter((mark) => !option2.marks.includes(mark));
      return !others.length || !meeting(marks) || others.some((mark) => leads(option2, mark));
    };
    const option = options2.find(fits);
    return option ? [{ node, option, others: marks.filter((mark) => !option.marks.includes(mark)) }] : [];
  });
}
function meets(svg) {
  const marked2 = (
    /** @type {SVGGraphicsElement[]} */
    [...svg.querySelectorAll("[data-word]")]
  );
  const alone = new Set(marked2.map(({ dataset }) => dataset.word ?? ""));
  return (marks) => marks.length > 1 && marks.every((mark) => alone.has(mark));
}
function numbered(places) {
  return places.map((place, at) => {
    const same2 = places.filter(({ says: says2 }) => says2 === place.says);
    if (same2.length === 1) return place;
    const nth = places.slice(0, at).filter(({ says: says2 }) => says2 === place.says).length + 1;
    return { ...place, says: `${place.says}, ${nth} of ${same2.length}` };
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
  const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
  return along > 1 ? along + 2 * aside : -1;
}

// server/http/static/turn/changes.js
var SVG3 = "http://www.w3.org/2000/svg";
var THINGS = "[data-word], g:has(> title)";
var OVERLAYS = "g.lit, g.ghost";
var WAIT = 160;
var marked = (svg) => (
  /** @type {SVGGraphicsElement[]} */
  [...svg.querySelectorAll(THINGS)].filter((node) => !node.closest(OVERLAYS))
);
function keyOf(node) {
  const title = [...node.children].find(({ localName }) => localName === "title");
  return [node.dataset.word, node.dataset.seat, title?.textContent].join("|");
}
function changed(before, after2) {
  const had = /* @__PURE__ */ new Map();
  for (const node of marked(before)) had.set(keyOf(node), (had.get(keyOf(node)) ?? 0) + 1);
  const news = marked(after2).filter((node) => {
    const left = had.get(keyOf(node)) ?? 0;
    had.set(keyOf(node), left - 1);
    return left <= 0;
  });
  return news.filter((node) => !news.some((other) => other !== node && other.contains(node)));
}
var rimmed = /* @__PURE__ */ new WeakMap();
function start(scene) {
  for (const kind of ["drawn", "compared"]) scene.addEventListener(kind, () => rims(scene));
}
var parsed = (text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
function rims({ svg, layer, shown, layers }) {
  const before = layer === "plan" ? layers.now?.picture : shown?.before;
  const old = svg?.querySelector("g.changed");
  if (svg && old && rimmed.get(old)?.before === before && rimmed.get(old)?.arranged === svg.dataset.arranged) return;
  old?.remove();
  if (!svg || !before) return;
  const group = overlay("changed");
  group.append(...changed(parsed(before), svg).map((node) => outline(svg, node)));
  rimmed.set(group, { before, arranged: svg.dataset.arranged });
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
  show(ask3) {
    this.clear();
    const timer = setTimeout(() => {
      const shown = this.scene.shown;
      ask3().then(
        ({ picture }) => {
          if (picture && this.timer === timer && this.scene.shown === shown) this.#draw(picture);
        },
        () => void 0
        // the choice itself tells what is wrong
      );
    }, WAIT);
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
  let copy = (
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
    shell.append(copy);
    copy = shell;
  }
  for (const one of [copy, ...copy.querySelectorAll("[data-word]")]) one.removeAttribute("data-word");
  return copy;
}

// server/http/static/turn/hints.js
var LONG = 500;
function start2(scene) {
  const figure = (
    /** @type {HTMLElement} */
    scene.figure
  );
  const line = document.createElement("figcaption");
  line.className = "hint";
  line.setAttribute("aria-hidden", "true");
  figure.append(line);
  let timer;
  const tell = (target) => {
    line.textContent = says(target);
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
  figure.addEventListener("contextmenu", (event) => says(event.target) && line.textContent && event.preventDefault());
  scene.addEventListener("drawn", () => line.textContent = "");
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

// server/http/static/api/api.js
var PROBLEM = "application/problem+json";
var Problem = class extends Error {
  /** @param {number} status @param {string} code @param {Record<string, any>} whole */
  constructor(status, code, whole) {
    super(whole.detail ?? whole.title ?? `${status} ${code}`);
    this.name = "Problem";
    this.status = status;
    this.code = code;
    this.detail = this.message;
    this.extra = whole;
  }
};
var NoAnswer = class extends Error {
  /** @param {string} says @param {number | null} [pause] @param {number} [status] */
  constructor(says2, pause2 = null, status = 0) {
    super(says2);
    this.name = "NoAnswer";
    this.pause = pause2;
    this.status = status;
  }
};
var get = async (path, given) => (await ask("GET", path, void 0, given)).value;
var post = async (path, body = {}, given) => (await ask("POST", path, body, given)).value;
async function ask(method, path, body, { headers = {}, anonymous = false, signal } = {}) {
  const options2 = {
    method,
    headers: { Accept: "application/json", "X-Sealed-Move": "page", ...headers },
    credentials: anonymous ? "omit" : "same-origin",
    redirect: "error",
    cache: "no-store",
    ...signal ? { signal } : {}
  };
  if (body !== void 0) {
    options2.headers = { ...options2.headers, "Content-Type": "application/json" };
    options2.body = JSON.stringify(body);
  }
  return read(await sent(path, options2));
}
async function sent(path, options2) {
  try {
    const answer2 = await fetch(path, options2);
    return { answer: answer2, text: await answer2.text() };
  } catch (error) {
    if (options2.signal?.aborted) throw error;
    throw new NoAnswer(navigator.onLine === false ? "This device is offline." : "The server did not answer.");
  }
}
function read({ answer: answer2, text }) {
  const kind = answer2.headers.get("Content-Type") ?? "";
  const value = kind.includes("json") ? parsed2(text) : text || null;
  if (answer2.ok) return { status: answer2.status, value, headers: answer2.headers };
  const known2 = kind.startsWith(PROBLEM) && typeof value?.code === "string";
  if (known2 && answer2.status < 500 && answer2.status !== 429) throw new Problem(answer2.status, value.code, value);
  const says2 = known2 && (value.detail ?? value.title) || `The server answered with status ${answer2.status}.`;
  throw new NoAnswer(says2, pause(answer2), answer2.status);
}
function parsed2(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
function pause(answer2) {
  const asked = answer2.headers.get("Retry-After") ?? "";
  return /^\d{1,8}$/.test(asked) ? Number(asked) : null;
}

// server/http/static/ui/dom.js
function el(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === void 0 || value === false) continue;
    if (typeof value === "object") for (const [kind, does] of Object.entries(value)) made.addEventListener(kind, does);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter(
    /** @returns {child is Node | string} */
    (child) => Boolean(child)
  ));
  return made;
}
function button(says2, does, given = {}) {
  return el("button", { type: "button", ...given, on: { click: does } }, says2);
}
function sign(sign2, says2, does) {
  return button(sign2, does, { class: "second", "aria-label": says2, title: says2 });
}
var focused = (part) => Boolean(part?.contains(document.activeElement));

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

// server/http/static/turn/command-tree.js
var MANY = 12;
var LISTED = 9;
var FEW = [3, 2, 1];
var NUMBER = /^(0|[1-9][0-9]{0,8})$/;
function ask2(list, picks) {
  const [first, ...rest] = picks;
  if (!first || !("kind" in first)) return answer(kinds(list), null, "", null);
  const at = placeAfter(list, first, rest);
  const only2 = at.left.length === 1 ? at.left[0] ?? null : null;
  if (only2) return answer([], only2, only2.notation, null);
  const next2 = options(at, picks);
  const [end] = next2;
  if (at.parts && end?.is === "end" && next2.length === 1) return ask2(list, end.picks);
  return answer(next2, null, typed(at), at.parts);
}
function followed(list, picks, others = []) {
  const { choice, options: options2 } = ask2(list, picks);
  const next2 = choice ? null : options2.find(({ marks }) => marks.some((mark) => others.includes(mark)));
  if (!next2) return { choice, picks };
  const left = others.filter((mark) => !next2.marks.includes(mark));
  return followed(list, next2.picks, left);
}
function stepBack(list, picks) {
  let before = picks;
  do
    before = before.slice(0, -1);
  while (before.length && ask2(list, before).choice);
  return before;
}
function reachable(list, picks) {
  const [first, ...rest] = picks;
  if (!first || !("kind" in first)) return list;
  const { left, at, parts } = placeAfter(list, first, rest);
  return parts ? left.filter(({ words }) => holds(setOf(words[at]), parts)) : left;
}
function without(picks, part) {
  const at = picks.findLastIndex((pick) => "part" in pick && pick.part === part);
  return at < 0 ? picks : picks.toSpliced(at, 1);
}
function answer(options2, choice, so, parts) {
  const words = options2.filter(({ is }) => is === "word");
  const numbers = words.length >= MANY && words.length === options2.length && words.every(({ word }) => NUMBER.test(word));
  return { options: options2, choice, so, taken: parts && counted(parts), numbers };
}
function placeAfter(list, { kind, notation }, rest) {
  const begun = list.filter((one) => one.kind === kind && (notation === void 0 || one.notation === notation));
  return rest.reduce(after, shared({ left: begun, at: 0, parts: null }));
}
function after({ left, at, parts }, pick) {
  if ("part" in pick) return { left, at, parts: [...parts ?? [], pick.part] };
  if ("end" in pick) {
    const ended = parts ? left.filter(({ words }) => same(setOf(words[at]), parts)) : left.filter(({ words }) => words.length === at);
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
function typed({ left, at, parts }) {
  const words = left[0]?.words.slice(0, at).map(({ word }) => word) ?? [];
  return [...words, ...parts?.length ? [parts.join("+")] : []].join(" ");
}
function kinds(list) {
  const groups = [...grouped(list, ({ kind }) => kind)];
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
  const ended = parts ? sets.filter(({ words }) => same(setOf(words[at]), parts)) : left.filter(({ words }) => words.length === at);
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
  const open = sets.filter(({ words }) => holds(setOf(words[at]), parts));
  const whole = wholeOf(open, at);
  const next2 = [...new Set(open.flatMap(({ words }) => beyond(setOf(words[at]), parts)))];
  const found = next2.map((part) => partOption(part, open, at, picks));
  return whole && setOf(whole).length > parts.length + 1 ? [...found, allOption(whole, picks, parts)] : found;
}
function partOption(part, open, at, picks) {
  const word = (
    /** @type {Word} */
    open.find(({ words }) => setOf(words[at]).includes(part))?.words[at]
  );
  const says2 = word.parts?.find(({ word: word2 }) => word2 === part)?.says ?? part;
  const base = { about: "", seat: word.seat ?? null, closes: false, choice: null };
  return { is: "part", word: part, says: says2, marks: markOf(word, part), picks: [...picks, { part }], ...base };
}
function wholeOf(open, at) {
  const sets = open.map(({ words }) => (
    /** @type {Word} */
    words[at]
  ));
  return sets.find((one) => sets.every((other) => holds(setOf(one), setOf(other)))) ?? null;
}
function allOption(whole, picks, parts) {
  const before = picks.slice(0, picks.length - parts.length);
  const pick = whole.seat === void 0 ? { word: whole.word } : { word: whole.word, seat: whole.seat };
  const base = { about: "", seat: null, closes: false, choice: null, marks: [] };
  return { is: "all", word: whole.word, says: whole.says ?? whole.word, picks: [...before, pick], ...base };
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
function grouped(list, key) {
  const found = /* @__PURE__ */ new Map();
  for (const one of list) found.set(key(one), [...found.get(key(one)) ?? [], one]);
  return found;
}
var marksOf = (word) => (word.parts ?? [word]).flatMap(({ word: part }) => markOf(word, part));
var markOf = (word, part) => word.kind === null ? [] : [`${word.kind}:${part}`];
var setOf = (word) => (word?.parts ?? []).map(({ word: word2 }) => word2);
function counted(parts) {
  const count = /* @__PURE__ */ new Map();
  for (const part of parts) count.set(part, (count.get(part) ?? 0) + 1);
  return count;
}
function holds(set, parts) {
  const has = counted(set);
  return [...counted(parts)].every(([part, n]) => (has.get(part) ?? 0) >= n);
}
var same = (set, parts) => set.length === parts.length && holds(set, parts);
function beyond(set, parts) {
  const taken = counted(parts);
  return [...counted(set)].filter(([part, n]) => n > (taken.get(part) ?? 0)).map(([part]) => part);
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
  constructor(back) {
    this.back = back;
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
  begin(list) {
    const [one] = list;
    if (!this.chosen.length || !one || list.some(({ kind }) => kind !== one.kind)) return [];
    if (list.length <= Math.max(...FEW)) return [];
    const parts = one.words.flatMap((word) => word.parts ? partsAt(word, this.chosen) : []);
    const picks = [{ kind: one.kind }, ...parts];
    return ask2(list, picks).options.length ? picks : [{ kind: one.kind }];
  }
  /** Shows the subject of the choices, once, with a button for all of them. @param {Choice[]} list */
  show(list) {
    const about = this.chosen.map(({ says: says3 }) => says3.replace(/\.$/, "")).join("; then ");
    const says2 = about && `${list.length === 1 ? "1 choice" : `${list.length} choices`} for ${about}.`;
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
    const look = (spot) => {
      if (this.turns(spot)) return "turn";
      if (this.#has(spot)) return "on";
      if (this.chosen.length && joined(legal, [...this.chosen, spot]).length) return "lit";
      return !joined(legal, [spot]).length ? null : one && !this.chosen.length ? "lit" : "open";
    };
    return spotsOf(svg).flatMap((spot) => {
      const found = look(spot);
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
    return on ? null : only(this.of(legal));
  }
  /** Does a tap turn the tile of the last step here? A piece chosen before goes there instead. @param {Spot} spot */
  turns({ marks }) {
    return !this.chosen.length && Boolean(this.turn?.marks.some((mark) => marks.includes(mark)));
  }
  /** @param {Spot} spot */
  #has({ key }) {
    return this.chosen.some((one) => one.key === key);
  }
};
function only(list) {
  const [one] = list;
  return one && list.every((other) => isTurned(one, other)) ? one : null;
}
function isTurned(one, other) {
  const fixed = ({ kind, words }) => JSON.stringify([kind, ...words.filter((word) => word.kind !== "rotation").map(({ word, seat }) => [word, seat])]);
  return fixed(one) === fixed(other);
}
function partsAt(word, spots) {
  const parts = word.parts ?? [];
  return spots.flatMap(
    ({ marks }) => parts.filter((part) => marks.includes(`${word.kind}:${part.word}`)).map((part) => ({ part: part.word }))
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
  let last = 0;
  return at.every((numbers, nth) => {
    const next2 = numbers.find((one) => one >= last) ?? -1;
    last = next2 + 1;
    return nth ? next2 >= 0 : next2 === 0;
  });
}
function wordsAt({ words }, { marks, seat, whole }) {
  const pointing = words.filter((word) => marksOf(word).length);
  const hits = pointing.flatMap((word, at) => {
    const mine = word.seat === void 0 || word.seat === seat;
    return mine && marksOf(word).some((mark) => marks.includes(mark)) ? [at] : [];
  });
  const named3 = pointing.flatMap(marksOf);
  return whole && !marks.every((mark) => named3.includes(mark)) ? [] : hits;
}

// server/http/static/turn/choices.js
var LONG2 = 500;
var Choices = class {
  /** @param {HTMLElement} part @param {Does} does */
  constructor(part, does) {
    this.part = part;
    this.does = does;
    this.wanted = () => false;
    this.about = el("p", { class: "about", "aria-hidden": "true" });
    listen(part, (says2) => this.about.textContent = says2);
  }
  /**
   * @param {Asked} asked @param {Pick[]} picks @param {boolean} [begun] is there a choice to go back to?
   * @param {(option: Option) => boolean} [wanted] does a lesson ask for it?
   */
  show(asked, picks, begun = picks.length > 0, wanted = () => false) {
    this.about.textContent = "";
    this.wanted = wanted;
    const focused2 = this.#buttons().find((one) => one === document.activeElement)?.textContent;
    const { options: options2 } = asked;
    const open = options2.filter(({ closes, is }) => !closes && is !== "part");
    const closing = options2.filter(({ closes }) => closes);
    const parts = asked.numbers ? [this.#stepper(asked)] : [this.#counters(asked, picks), this.#list(open, "choices"), this.#list(closing, "choices apart")];
    this.part.replaceChildren(...[begun ? this.#so(asked) : null, ...parts, this.about].filter((one) => one !== null));
    const same2 = focused2 ? this.#buttons().find(({ textContent }) => textContent === focused2) : null;
    same2?.focus({ preventScroll: true });
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
  #list(options2, kind) {
    if (!options2.length) return null;
    return el("ul", { class: kind }, ...options2.map((option) => el("li", {}, this.#button(option))));
  }
  /** @param {Option} option */
  #button(option) {
    const told = ["kind", "end"].includes(option.is) ? "" : option.about;
    const made = button("", () => this.does.choose(option.picks), { class: `second ${option.is}`, "data-about": told });
    made.append(...named(option));
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
    const less = button("−", () => this.does.choose(without(picks, word)), {
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
    const take = () => {
      const option = asked.options.find(({ word }) => Number(word) === Number(input.value));
      if (option) this.does.choose(option.picks);
      else input.setCustomValidity(`Not every number from ${low} to ${high} is possible now. Choose another one.`);
      input.reportValidity();
      input.setCustomValidity("");
    };
    const form = el("form", { class: "stepper", on: { submit: (event) => (event.preventDefault(), take()) } });
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
function named({ is, word, says: says2, about, choice }) {
  if (is === "end") return [el("b", {}, "Done"), ...about ? [el("small", {}, about)] : []];
  if (is === "all") return [el("b", {}, "All"), el("small", {}, says2)];
  if (is === "kind") return [el("b", {}, word), el("small", {}, choice ? says2 : about)];
  const alike2 = says2.toLowerCase() === word.toLowerCase();
  return alike2 ? [el("b", {}, says2)] : [el("b", {}, says2), el("code", {}, word)];
}
function listen(part, tell) {
  const about = (event) => event.target instanceof Element ? event.target.closest("[data-about]")?.getAttribute("data-about") ?? "" : "";
  let timer;
  let long = false;
  part.addEventListener("pointerover", (event) => event.pointerType === "mouse" && tell(about(event)));
  part.addEventListener("focusin", (event) => tell(about(event)));
  part.addEventListener("pointerdown", (event) => {
    long = false;
    if (event.pointerType === "mouse") return;
    timer = setTimeout(() => {
      long = true;
      tell(about(event));
    }, LONG2);
  });
  for (const end of ["pointerup", "pointercancel"]) part.addEventListener(end, () => clearTimeout(timer));
  part.addEventListener("contextmenu", (event) => long && event.preventDefault());
  const asked = (event) => {
    if (long && event.detail) event.stopPropagation();
    long = false;
  };
  part.addEventListener("click", asked, { capture: true });
}

// server/http/static/turn/command-input.js
var CommandInput = class {
  /** @param {(text: string) => void} add */
  constructor(add) {
    const given = { autocomplete: "off", autocapitalize: "none", spellcheck: "false" };
    this.input = el("input", { id: "typed", name: "typed", list: "typable", "aria-describedby": "refused", ...given });
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

// server/http/static/turn/fresh.js
async function read2(address) {
  const text = await get(address, { headers: { Accept: "text/html" } });
  return new DOMParser().parseFromString(text, "text/html");
}
function renew(root2, page) {
  for (const part of root2.querySelectorAll("[data-live]")) swap(part, page.getElementById(part.id));
}
var STOPS = "a, button, input, select, textarea, summary, [tabindex]";
function swap(old, fresh) {
  if (!fresh || old.innerHTML === fresh.innerHTML) return;
  const [before, parts] = [named2(old, STOPS, nameOf), named2(old, "details", placeOf)];
  const focused2 = [...before].findIndex(([, one]) => one === document.activeElement);
  const typed2 = fields(old).filter((one) => !("defaultValue" in one) || one.value !== one.defaultValue);
  const said = old.querySelector(".said");
  old.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
  if (said) old.querySelector(".said")?.replaceWith(said);
  for (const [name, one] of named2(old, "details", placeOf)) one.open = parts.get(name)?.open ?? one.open;
  for (const one of fields(old)) restore(one, typed2.find(({ id }) => id === one.id)?.value);
  const again = focused2 < 0 ? null : sameStop(before, named2(old, STOPS, nameOf), focused2);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}
function named2(part, selector, name) {
  const count = /* @__PURE__ */ new Map();
  const found = [...part.querySelectorAll(selector)].map((one) => {
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
function sameStop(before, now, at) {
  const same2 = now.get([...before.keys()][at] ?? "");
  return same2 ?? (now.size === before.size ? [...now.values()][at] : null);
}
function restore(field, value) {
  const gone = field instanceof HTMLSelectElement && [...field.options].every((option) => option.value !== value);
  if (value !== void 0 && !gone) field.value = value;
}
var fields = (part) => [...part.querySelectorAll(
  /** @type {"input"} */
  "input[id], select[id]"
)];

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
  constructor(path, legal = null) {
    this.path = path;
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
  of(steps, how = (ask3) => ask3()) {
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
  async #asked(key, ask3) {
    const { known: known2 } = this;
    const found = known2.get(key) ?? ask3();
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

// server/http/static/turn/lesson.js
var NOTHING = { notation: null, picture: "", board: "", legal: [] };
var Lesson = class {
  stage = NOTHING;
  /** @type {Pick[]} */
  picks = [];
  going = false;
  wanted = 0;
  // the step that the browser's buttons have asked for while another one was loading
  told = el("div", { class: "told", role: "status" });
  asked = el("div", { class: "question", role: "group", "aria-label": "Next choice" });
  /** @param {HTMLElement} root @param {import("./scene.js").Scene} scene */
  constructor(root2, scene) {
    this.root = root2;
    this.scene = scene;
    this.type = root2.dataset.type ?? "";
    this.highlights = new Highlights(this.scene);
    this.ghost = new Ghost(this.scene);
    this.first = new BoardFirst(() => this.#all());
    this.choices = new Choices(this.asked, {
      choose: (picks) => this.#choose(picks),
      back: () => this.#back(),
      point: (picks) => this.#point(picks)
    });
    this.typed = new CommandInput((text) => void this.#type(text));
    this.previews = new Previews(this.path);
    const draft = root2.querySelector(".draft");
    draft?.append(this.told, this.first.part, this.asked, this.typed.part);
    root2.addEventListener("click", (event) => this.#followed(event));
    addEventListener("popstate", () => void this.#go(stepOf(location.pathname), false));
    onPalette(() => void this.load());
  }
  /** The number of the step. */
  get step() {
    return Number(this.root.dataset.step);
  }
  /** The step in the API. */
  get path() {
    return `/v1/types/${this.type}/lesson/${this.step}`;
  }
  /** The commands to choose from: all, or those at the places chosen on the board. */
  get legal() {
    return this.first.of(this.stage.legal);
  }
  // --- from step to step ---------------------------------------------------------------------------------------------
  /** Reads the position of this step and draws it. @param {string} [before] the picture of the step before */
  async load(before) {
    try {
      const path = this.path;
      const stage = (
        /** @type {Stage} */
        await get(`${path}?palette=${palette()}`)
      );
      if (path !== this.path) return;
      this.stage = stage;
      this.previews = new Previews(path, stage.legal);
      this.#reset();
      this.#render();
      const { picture, board } = stage;
      this.scene.put("now", before ? { picture, board, before } : { picture, board });
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error), true);
    }
  }
  /**
   * Shows another step; the last page, which has a form, is loaded as a whole.
   * @param {number} step @param {boolean} [push]
   */
  async #go(step, push = true) {
    const address = `/learn/${this.type}/${step}`;
    if (step > Number(this.root.dataset.steps)) return location.assign(address);
    if (this.going) {
      if (!push) this.wanted = step;
      return;
    }
    this.#busy(true);
    try {
      const page = await read2(address);
      const before = step === this.step + 1 ? this.stage.picture : void 0;
      this.root.dataset.step = String(step);
      document.title = page.title;
      if (push) history.pushState(null, "", address);
      renew(this.root, page);
      this.#say("");
      await this.load(before);
      this.root.querySelector(".draft")?.scrollTo(0, 0);
      document.getElementById("asks")?.focus();
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error), true);
    } finally {
      this.#busy(false);
    }
    const { wanted } = this;
    this.wanted = 0;
    if (wanted && wanted !== this.step) await this.#go(wanted, false);
  }
  /** One step at a time. @param {boolean} going */
  #busy(going) {
    this.going = going;
    this.root.querySelector("#panel")?.setAttribute("aria-busy", String(going));
  }
  /** The links to other steps lead there without a new page. @param {MouseEvent} event */
  #followed(event) {
    const link = event.target instanceof Element ? event.target.closest("#pace a") : null;
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void this.#go(stepOf(link.pathname));
  }
  // --- choosing ------------------------------------------------------------------------------------------------------
  /**
   * @param {Pick[]} picks @param {string[]} [others] the other words of the place that was chosen on the picture
   * @returns {void}
   */
  #choose(picks, others = []) {
    const { choice, picks: made } = followed(this.legal, picks, others);
    if (choice) return this.#played(choice.notation, choice.label);
    this.picks = made;
    this.#render();
    this.choices.focus();
  }
  /** @param {string} notation @param {string} label */
  #played(notation, label) {
    if (notation === this.stage.notation) return void this.#go(this.step + 1);
    const inside = focused(this.root);
    this.#reset();
    this.#render();
    this.#say(`The rules allow this, too: ${label} But this game goes another way.`);
    if (inside) document.getElementById("asks")?.focus({ preventScroll: true });
  }
  /** @param {Spot} spot */
  #tapped(spot) {
    const choice = this.first.choose(spot, this.stage.legal);
    if (choice) return this.#played(this.#meant(choice), choice.label);
    this.#render();
    if (!this.first.chosen.length || !this.choices.focus()) this.highlights.focus(spot.key);
  }
  /** A tap on a place stands for the rotation that is asked for. @param {Choice} choice */
  #meant(choice) {
    return this.legal.find(({ notation }) => notation === this.stage.notation)?.notation ?? choice.notation;
  }
  /** Shows on the board what a last choice would do. @param {Pick[] | null} picks */
  #point(picks) {
    const choice = picks && ask2(this.legal, picks).choice;
    if (!choice) return this.ghost.clear();
    const { command, notation, label } = choice;
    this.ghost.show(() => this.previews.of([{ command, notation, label }]));
  }
  /** @param {string} text */
  async #type(text) {
    try {
      const { refusal, steps } = await this.previews.typed([], text);
      if (refusal) return this.typed.refuse(refusal.says);
      this.typed.next();
      this.#played(steps.map(({ notation }) => notation).join("; "), steps.map(({ label }) => label).join(" "));
    } catch (error) {
      this.typed.refuse(error instanceof Error ? error.message : String(error));
    }
  }
  #back() {
    this.picks = stepBack(this.legal, this.picks);
    this.#render();
    this.choices.focus();
  }
  /** Shows all choices again. */
  #all() {
    this.#reset();
    this.#render();
    this.choices.focus();
  }
  #reset() {
    this.picks = [];
    this.first.forget();
    this.ghost.clear();
  }
  // --- drawing -------------------------------------------------------------------------------------------------------
  #render() {
    const picks = this.picks.length ? this.picks : this.first.begin(this.legal);
    const asked = ask2(this.legal, picks);
    this.first.show(this.legal);
    this.choices.show(asked, picks, this.picks.length > 0, (option) => this.#leads(option));
    this.typed.show(this.stage.legal);
    this.#light(asked.options);
    this.scene.redraw();
  }
  /** @param {Option[]} options */
  #light(options2) {
    if (!this.picks.length) {
      return this.highlights.offer(
        (svg) => this.#places(svg),
        (spot) => this.#tapped(spot)
      );
    }
    this.highlights.show(
      options2,
      (option, others) => this.#choose(option.picks, others),
      (option, mark) => reachable(this.legal, option.picks).some(({ words }) => words.flatMap(marksOf).includes(mark))
    );
  }
  /**
   * Places with choices; those of the command that the step asks for are lit.
   * @param {SVGSVGElement} svg @returns {import("./board-first.js").Shown[]}
   */
  #places(svg) {
    const asked = this.stage.legal.filter(({ notation }) => notation === this.stage.notation);
    const ways = this.first.places(svg, asked).filter(({ look }) => look === "lit");
    const lit = new Set(ways.map(({ spot }) => spot.key));
    const all = this.first.places(svg, this.stage.legal);
    return all.map(({ spot, look }) => ({ spot, look: look === "on" ? look : lit.has(spot.key) ? "lit" : "open" }));
  }
  /** Does this option lead to the command that the step asks for? @param {Option} option */
  #leads(option) {
    return reachable(this.legal, option.picks).some(({ notation }) => notation === this.stage.notation);
  }
  /** @param {string} says @param {boolean} [wrong] */
  #say(says2, wrong = false) {
    this.told.classList.toggle("wrong", wrong);
    this.told.textContent = says2;
  }
};
var stepOf = (path) => Number(/\/learn\/[^/]+\/(\d+)/.exec(path)?.[1] ?? 1);

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
    const lines = [...this.svg?.querySelectorAll('[data-zone="head"] text') ?? []].map((line) => line.textContent);
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
  compare(shown, before) {
    shown.before = before;
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

// server/http/static/turn/zones.js
var [COLUMN, GAP, MARGIN] = [432, 16, 8];
var MOST = 3;
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
function arrange(svg, shape, without2) {
  const all = zonesOf(svg);
  const shown = all.filter(({ name }) => !without2.includes(name));
  if (!shown.length || !shape.width || !shape.height) return false;
  const counts = shape.width < NARROW ? [1] : [1, 2, 3];
  const size = ({ width, height, places }) => Math.min(shape.width / width, shape.height / height) * Math.min(...places.map(({ scale }) => scale));
  const tried = counts.map((columns) => packed(shown, columns));
  const largest2 = tried.reduce((one, other) => size(other) > size(one) ? other : one);
  const held = tried.find(({ columns }) => columns === shape.columns);
  const best = held && size(largest2) < MUCH * size(held) ? held : largest2;
  shape.columns = best.columns;
  const key = `${best.width} ${best.height} ${without2.join(" ")}`;
  if (svg.dataset.arranged === key) return false;
  svg.dataset.arranged = key;
  for (const { node, name } of all) node.style.display = without2.includes(name) ? "none" : "";
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
  const others = columns < MOST ? columns : hasWide ? 2 : 1;
  let [beside, below2] = [0, 0];
  return zones.map((zone) => {
    if (isWide(zone)) return 0;
    if (columns === MOST && isSeat(zone) && (!hasWide || few || beside < BESIDE)) {
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
var MOST2 = 8;
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
function start3(scene) {
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
    const changed2 = arrange(svg, shape, this.headed ? ["legend"] : ["head", "legend"]);
    if (changed2) this.#chips(svg);
    return changed2;
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
    this.scale = Math.max(1, Math.min(MOST2, fits));
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
    const scale = Math.max(1, Math.min(MOST2, this.scale * factor));
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

// server/http/static/pages/lesson.js
var root = document.getElementById("lesson");
if (root) begin(root, new Scene(document.getElementById("picture"), document.getElementById("board")));
function begin(root2, scene) {
  start3(scene);
  start2(scene);
  start(scene);
  void new Lesson(root2, scene).load();
}
