// Looks back through a game: a slider over the entries, with keys, play and pause, jumps to a seat's turns, and a link.
//
// Without a script the server's links lead to the same positions.

import * as api from "../api/api.js";
import { button, el, sign } from "../ui/dom.js";
import { palette } from "../ui/palette.js";

const PACE = 1_200; // milliseconds for which each position is shown
const SETTLE = 80; // milliseconds after which a dragged slider has come to rest
const KEPT = 120;

/** @typedef {import("./scene.js").Shown & {sentences: string[]}} Then */

/** @param {import("./game.js").Game} game */
export function start(game) {
  const place = document.getElementById("replay");
  return place ? new Replay(game, place) : null;
}

export class Replay {
  /** @param {import("./game.js").Game} game @param {HTMLElement} place */
  constructor(game, place) {
    this.game = game;
    this.place = place;
    this.first = Number(place.dataset.first);
    this.at = place.dataset.at ? Number(place.dataset.at) : game.head;
    this.eyes = place.dataset.eyes ?? "";
    /** @type {{at: number, from: number} | null} the turn of another player that is looked at */
    this.turn = null;
    /** @type {Map<string, Promise<Then>>} */
    this.kept = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.playing = false;
    this.slider = el("input", {
      type: "range",
      id: "replay-at",
      "aria-label": "Entry to show",
      min: `${this.first}`,
      max: `${game.head}`,
    });
    this.play = sign("\u25b6", "Play", () => (this.playing ? this.pause() : this.#play()));
    this.whose = el("select", { "aria-label": "Step by" });
    this.link = el("a", { class: "quiet" }, "Link to this position");
    /** @type {HTMLButtonElement | null} */
    this.chip = null;
    this.heading = document.getElementById("position");
    this.back = button("To now", () => this.now(), { class: "second to-now", hidden: true });
    this.said = el("output", { class: "then", for: "replay-at" });
    this.#build();
    document.getElementById("since")?.addEventListener("click", (event) => this.#since(event));
    game.addEventListener("palette", () => void this.#show());
    game.addEventListener("news", (event) => this.#news(/** @type {CustomEvent} */ (event).detail.before));
    this.#tell();
    if (this.at !== game.head || this.eyes) {
      this.#opened(true);
      void this.#show();
    }
  }

  /** The entries at which the buttons stop: all, or those of a seat's turns. @returns {number[]} */
  get stops() {
    const chosen = this.whose.value;
    return chosen ? this.game.turns.flatMap(({ at, seat }) => (seat === Number(chosen) ? [at] : [])) : [];
  }

  #build() {
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value), SETTLE));
    this.whose.append(...options("every entry", "turns of", this.game.names));
    const buttons = [
      sign("\u00ab", "First position", () => this.go(this.first)),
      sign("\u2039", "Previous", () => this.step(-1)),
      this.play,
      sign("\u203a", "Next", () => this.step(1)),
      sign("\u00bb", "Latest position", () => this.go(this.game.head)),
    ];
    const bar = el("div", { class: "bar" });
    bar.append(...buttons, this.whose, ...this.#seats(), this.link);
    this.place.replaceChildren(this.slider, bar);
    const caption = this.heading?.parentElement;
    caption?.querySelector("ul")?.remove();
    caption?.append(
      this.said,
      button("To now", () => this.now(), { class: "second to-now" }),
    );
    document.querySelector("#strip .chips")?.append(this.#chip());
  }

  /** On a narrow screen it opens and closes the controls. */
  #chip() {
    const chip = button("Look back", () => this.#opened(chip.getAttribute("aria-expanded") !== "true"), {
      class: "second look-back",
      "aria-expanded": "false",
      "aria-controls": "replay",
    });
    return (this.chip = chip);
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
    const turns = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#since [data-at]")]);
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
  go(at, wait = 0, from = undefined) {
    this.at = Math.max(this.first, Math.min(this.game.head, at));
    this.turn = from === undefined ? null : { at: this.at, from: Math.max(this.first, from) };
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
    this.play.textContent = this.playing ? "\u23f8" : "\u25b6";
    this.play.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.play.title = this.playing ? "Pause" : "Play";
    const address = new URL(location.href);
    for (const name of ["at", "seat"]) address.searchParams.delete(name);
    if (!now) address.searchParams.set("at", `${at}`);
    if (this.eyes) address.searchParams.set("seat", this.eyes);
    if (address.href !== location.href) history.replaceState(null, "", address);
    if (this.heading) {
      this.heading.textContent = now
        ? (this.heading.dataset.present ?? "")
        : `Position after entry ${at} of ${game.head}`;
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
      const [then, before] = await Promise.all([this.#then(at), this.#then(from)]);
      if (at !== this.at || eyes !== this.eyes || turn !== this.turn) return;
      game.scene.put("past", { ...then, before: before.picture });
      this.#say(then.sentences);
      if (this.playing) void this.#then(this.#next(1)).catch(() => undefined);
    } catch (error) {
      if (!(error instanceof api.NoAnswer)) throw error;
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
  #news(before) {
    if (this.at === before && !this.playing && !this.turn) this.at = this.game.head;
    this.#tell();
  }
}

/**
 * A choice of one of those who sit here, or of none.
 * @param {string} none
 * @param {string} says
 * @param {string[]} names
 */
function options(none, says, names) {
  const one = names.map((name, seat) => el("option", { value: seat }, `${says} ${name}`));
  return [el("option", { value: "" }, none), ...one];
}
