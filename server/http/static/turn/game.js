// The game that a turn page shows: its facts as the server wrote them, and how the page is renewed when there is news.
//
// Renewed are the parts marked `data-live`, by asking for the page again: so sentences and times are written in one
// place, by the server, with scripts and without. The move panel and the replay are not touched; they hear of it:
//
//     game.addEventListener("news", () => { game.head; game.mine; ... });

import * as api from "../api/api.js";
import { withRetries } from "../api/retry.js";
import { checkedGame } from "../game/checked-game.js";
import { Clock, localize } from "../ui/times.js";
import { Scene } from "./scene.js";

export class Game extends EventTarget {
  /** @param {HTMLElement} root */
  constructor(root) {
    super();
    this.root = root;
    this.id = root.dataset.game ?? "";
    this.type = root.dataset.type ?? "";
    this.scene = new Scene(document.getElementById("picture"), document.getElementById("board"));
    this.clock = new Clock(root.dataset.now ?? "");
    /** @type {Promise<void> | null} */
    this.renewing = null;
    /** @type {Promise<import("./plan.js").Head> | null} */
    this.drawn = null;
  }

  /** The reader's own seat; null for whoever has none. */
  get seat() {
    return number(this.root.dataset.seat);
  }

  /** The game as this browser has checked it; which seat is the reader's, their account names here. */
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

  /** Is a plan here that the reader has mailed? */
  get mailed() {
    return "mailed" in this.root.dataset;
  }

  get hidden() {
    return "hidden" in this.root.dataset;
  }

  /** The names of those who sit there, by seat; an empty seat has none. */
  get names() {
    const seats = this.root.querySelectorAll("[data-seat] > bdi:first-child");
    return [...seats].map((name) => name.textContent ?? "");
  }

  /** Show the position as it is now, with what can be pointed at; the entry after which it is. */
  draw() {
    const drawn = this.position().then((shown) => {
      this.scene.put("now", shown);
      return { seq: shown.seq, hash: shown.head };
    });
    drawn.catch(() => this.drawn === drawn && (this.drawn = null)); // it is asked for again
    return (this.drawn = drawn);
  }

  /**
   * A position as it is shown, with what its entry brought; `asked` as the API has it, without it the present one.
   * @param {string} [asked]
   * @returns {Promise<import("./scene.js").Shown & {sentences: string[], seq: number, head: string}>}
   */
  async position(asked = "") {
    const [view, picture] = await Promise.all(
      ["view", "picture"].map((what) => withRetries(() => api.get(`/v1/games/${this.id}/${what}?${asked}`))),
    );
    return { ...view, picture };
  }

  /** Read the page again; whoever asks meanwhile gets the same answer. */
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
      location.reload(); // there was no board yet
      return;
    }
    const before = this.head;
    this.#take(fresh);
    document.title = page.title;
    for (const part of this.root.querySelectorAll("[data-live]")) swap(part, page.getElementById(part.id));
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
}

/** @param {string | undefined} text */
function number(text) {
  return text ? Number(text) : null;
}

/** @param {string} address */
async function read(address) {
  const text = await api.get(address, { headers: { Accept: "text/html" } });
  return new DOMParser().parseFromString(text, "text/html");
}

/**
 * Put the new content in the place of the old one, unless they are the same; what was opened stays open, and the focus
 * stays where it was.
 * @param {Element} old @param {Element | null} fresh
 */
function swap(old, fresh) {
  if (!fresh || old.innerHTML === fresh.innerHTML) return;
  const focused = old.contains(document.activeElement) ? place(old, document.activeElement) : null;
  const open = [...old.querySelectorAll("details")].map((one) => one.open);
  old.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
  for (const [at, one] of old.querySelectorAll("details").entries()) one.open = open[at] ?? one.open;
  const again = focused === null ? null : old.querySelectorAll("a, button, summary, [tabindex]")[focused];
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

/** @param {Element} part @param {Element | null} focused */
function place(part, focused) {
  return [...part.querySelectorAll("a, button, summary, [tabindex]")].findIndex((one) => one === focused);
}
