// The game of a turn page: its facts from the server, and updates of the page when there is news.
//
// An update fetches the page again and replaces the parts marked `data-live`, so only the server writes sentences and
// times, with and without scripts. The move panel and the replay are not replaced; they listen:
//
//     game.addEventListener("news", () => { game.head; game.mine; ... });

import * as api from "../api/api.js";
import { withRetries } from "../api/retry.js";
import { checkedGame } from "../game/checked-game.js";
import { onPalette, palette } from "../ui/palette.js";
import { Clock, localize } from "../ui/times.js";
import { read, renew } from "./fresh.js";
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
    /** @type {Promise<import("./plan.js").Head & {sentences: string[]}> | null} */
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
      if (this.drawn === drawn) this.scene.put("now", shown); // an answer to a later request is newer
      return { seq: shown.seq, hash: shown.head, sentences: shown.sentences };
    });
    drawn.catch(() => this.drawn === drawn && (this.drawn = null)); // so that it is requested again
    return (this.drawn = drawn);
  }

  /**
   * A position, with the sentences of its entry; `asked` is the query of the API, by default for the current position.
   * @param {string} [asked]
   * @returns {Promise<import("./scene.js").Shown & {sentences: string[], seq: number, head: string}>}
   */
  async position(asked = "") {
    const view = withRetries(() => api.get(`/v1/games/${this.id}/view?${asked}`));
    const [shown, picture] = await Promise.all([view, this.picture(asked)]);
    return { ...shown, picture };
  }

  /** The picture of a position alone. @param {string} asked @returns {Promise<string>} */
  picture(asked) {
    return withRetries(() => api.get(`/v1/games/${this.id}/picture?${asked}&palette=${palette()}`));
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
    const isOthers = page.body.dataset.account !== document.body.dataset.account; // signed in or out elsewhere
    const isOtherSeat = !this.scene.figure || fresh.dataset.seat !== this.root.dataset.seat;
    if (isOthers || (isOtherSeat && page.getElementById("picture"))) {
      location.reload(); // the board and the panel are for another reader, or are new; a draft is kept
      return;
    }
    const before = this.head;
    this.#take(fresh);
    document.title = page.title;
    document.dispatchEvent(new CustomEvent("waiting", { detail: Number(page.body.dataset.waiting) }));
    renew(this.root, page);
    if (this.head === before) return;
    if (this.scene.figure) await this.draw().catch((error) => this.#undrawn(before, error));
    this.dispatchEvent(new CustomEvent("news", { detail: { before } }));
  }

  /**
   * The page counts as the former one, so that it is renewed again, and the news is told once it is drawn.
   * @param {number} before @param {unknown} error @returns {never}
   */
  #undrawn(before, error) {
    this.root.dataset.head = String(before);
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
}

/** @param {string | undefined} text */
function number(text) {
  return text ? Number(text) : null;
}
