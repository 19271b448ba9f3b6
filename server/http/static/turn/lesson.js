// A guided first game, on the board and with the choices of the turn page. Each step asks for one command; the page of
// the next step replaces parts of this one, so a reload and the browser's buttons lead to the same place.
//
//     void new Lesson(root, scene).load();
//
// Every command that the rules allow can be looked at. The one that the step asks for leads on, and what leads to it is
// marked on the board and in the list.

import * as api from "../api/api.js";
import { el, focused } from "../ui/dom.js";
import { onPalette, palette } from "../ui/palette.js";
import { BoardFirst } from "./board-first.js";
import { Ghost } from "./changes.js";
import { Choices } from "./choices.js";
import { CommandInput } from "./command-input.js";
import { ask, followed, marksOf, reachable, stepBack } from "./command-tree.js";
import { read, renew } from "./fresh.js";
import { Highlights } from "./highlights.js";
import { Previews } from "./preview.js";

/** @typedef {import("./board-first.js").Spot} Spot */
/** @typedef {import("./command-tree.js").Choice} Choice */
/** @typedef {import("./command-tree.js").Option} Option */
/** @typedef {import("./command-tree.js").Pick} Pick */
/** @typedef {{notation: string | null, picture: string, board: string, legal: Choice[]}} Stage */

/** The end of the lesson. @type {Stage} */
const NOTHING = { notation: null, picture: "", board: "", legal: [] };

export class Lesson {
  stage = NOTHING;
  /** @type {Pick[]} */
  picks = [];
  going = false;
  wanted = 0; // the step that the browser's buttons have asked for while another one was loading
  told = el("div", { class: "told", role: "status" });
  asked = el("div", { class: "question", role: "group", "aria-label": "Next choice" });

  /** @param {HTMLElement} root @param {import("./scene.js").Scene} scene */
  constructor(root, scene) {
    this.root = root;
    this.scene = scene;
    this.type = root.dataset.type ?? "";
    this.highlights = new Highlights(this.scene);
    this.ghost = new Ghost(this.scene);
    this.first = new BoardFirst(() => this.#all());
    this.choices = new Choices(this.asked, {
      choose: (picks) => this.#choose(picks),
      back: () => this.#back(),
      point: (picks) => this.#point(picks),
    });
    this.typed = new CommandInput((text) => void this.#type(text));
    this.previews = new Previews(this.path);
    const draft = root.querySelector(".draft");
    draft?.append(this.told, this.first.part, this.asked, this.typed.part);
    root.addEventListener("click", (event) => this.#followed(event));
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
      const stage = /** @type {Stage} */ (await api.get(`${path}?palette=${palette()}`));
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
      if (!push) this.wanted = step; // the browser has changed the address already
      return;
    }
    this.#busy(true);
    try {
      const page = await read(address);
      const before = step === this.step + 1 ? this.stage.picture : undefined;
      this.root.dataset.step = String(step);
      document.title = page.title;
      if (push) history.pushState(null, "", address);
      renew(this.root, page);
      this.#say("");
      await this.load(before);
      this.root.querySelector(".draft")?.scrollTo(0, 0);
      document.getElementById("asks")?.focus(); // a long report of the others' moves scrolls away
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
    const choice = picks && ask(this.legal, picks).choice;
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
    const asked = ask(this.legal, picks);
    this.first.show(this.legal);
    this.choices.show(asked, picks, this.picks.length > 0, (option) => this.#leads(option));
    this.typed.show(this.stage.legal);
    this.#light(asked.options);
    this.scene.redraw();
  }

  /** @param {Option[]} options */
  #light(options) {
    if (!this.picks.length) {
      return this.highlights.offer(
        (svg) => this.#places(svg),
        (spot) => this.#tapped(spot),
      );
    }
    this.highlights.show(
      options,
      (option, others) => this.#choose(option.picks, others),
      (option, mark) => reachable(this.legal, option.picks).some(({ words }) => words.flatMap(marksOf).includes(mark)),
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
  #say(says, wrong = false) {
    this.told.classList.toggle("wrong", wrong);
    this.told.textContent = says;
  }
}

/** The step in an address. @param {string} path */
const stepOf = (path) => Number(/\/learn\/[^/]+\/(\d+)/.exec(path)?.[1] ?? 1);
