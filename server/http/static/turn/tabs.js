// The parts beside the board as tabs, and the sheet that holds them on a narrow screen.
//
// The server renders links to the parts. Where the page is one screen (`screen.css`), they become a tab list; where it
// is a document, they stay links. An address like `#entry-7` opens the part that contains it.

import { button, focused } from "../ui/dom.js";
import { Media } from "../ui/media.js";

const ONE_SCREEN = "(min-height: 30rem)";
const KEYS = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity });
const HEIGHTS = /** @type {Record<string, string>} */ ({ half: "tall", tall: "peek", peek: "half" });

/** @param {import("./game.js").Game} game */
export function start(game) {
  const list = document.getElementById("tabs");
  return list ? new Tabs(game, list) : null;
}

export class Tabs {
  /** @param {import("./game.js").Game} game @param {HTMLElement} list */
  constructor(game, list) {
    this.game = game;
    this.list = list;
    this.side = /** @type {HTMLElement} */ (list.closest(".side"));
    this.screen = new Media(ONE_SCREEN);
    this.links = [...list.querySelectorAll("a")];
    this.#handle();
    list.addEventListener("click", (event) => this.#click(event));
    list.addEventListener("keydown", (event) => this.#key(event));
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
        tabindex: tabs && !is ? "-1" : null,
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
    const seen = this.links.filter((link) => !link.hidden);
    const at = seen.findIndex((link) => link === document.activeElement);
    if (!way || at < 0 || !this.screen.matches || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = Number.isFinite(way) ? (at + way + seen.length) % seen.length : way < 0 ? 0 : seen.length - 1;
    event.preventDefault();
    const link = /** @type {HTMLAnchorElement} */ (seen[next]);
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
    this.handle = button("\u2195", () => this.#step(this.side.dataset.sheet ?? "half"), { class: "handle" });
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
    const now = says[/** @type {keyof typeof says} */ (this.side.dataset.sheet)];
    this.handle?.setAttribute("aria-label", `Change the height of this panel, now ${now}`);
  }
}

/** @param {Element} link */
const keyOf = (link) => link.id.replace("tab-", "");

/** @param {Element} link */
const part = (link) => document.getElementById(`part-${keyOf(link)}`);

/** Sets attributes; null removes one. @param {Element} node @param {Record<string, string | null>} all */
function given(node, all) {
  for (const [name, value] of Object.entries(all)) {
    if (value === null) node.removeAttribute(name);
    else node.setAttribute(name, value);
  }
}
