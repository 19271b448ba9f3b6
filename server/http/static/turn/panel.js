// The move panel: the player chooses words, one after the other, for a draft move; looks at it, changes it, signs and
// sends it.
//
//     start(section, game);       // game: game.js
//
// It is the same for every game: `legal` gives the words, `preview` their effect, the picture their places. The draft
// stays when new entries arrive, and is previewed again; if it is no longer possible, it is cut where it fails, with a
// message. Messages appear in the panel, where the focus is; it moves to the next choice and is never lost.

import * as api from "../api/api.js";
import { withRetries } from "../api/retry.js";
import { button, el, focused } from "../ui/dom.js";
import { dropMailed, mailed, PlanStore } from "./plan-store.js";
import { resignSection } from "./resign.js";
import { Device } from "./device.js";
import { BoardFirst, turned } from "./board-first.js";
import { Highlights } from "./highlights.js";
import { PlanOffers } from "./plan-offers.js";
import { NOWHERE, Previews, Overtaken } from "./preview.js";
import * as plans from "./plan.js";
import { Choices } from "./choices.js";
import { Ghost } from "./changes.js";
import { Sending } from "./send.js";
import { Steps } from "./steps.js";
import { previewText } from "./preview-text.js";
import { ask, followed, stepBack } from "./command-tree.js";
import { CommandInput } from "./command-input.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./plan.js").Step} Step */
/** @typedef {import("./plan.js").Kept} Kept */
/** @typedef {import("./board-first.js").Spot} Spot */
/** @typedef {import("./command-tree.js").Option} Option */
/** @typedef {import("./command-tree.js").Pick} Pick */
/** @typedef {import("./preview.js").Preview} Preview */

const WIDE = "(min-width: 62rem)"; // the panel is beside the board

/** @param {HTMLElement} section @param {Game} game */
export function start(section, game) {
  if (!matchMedia(WIDE).matches) document.querySelector("#since details")?.removeAttribute("open");
  const panel = new Panel(section, game);
  void panel.begin();
  return panel;
}

export class Panel {
  plan = plans.planned();
  /** @type {import("./plan.js").Head | null} the entry that it is planned on */
  head = null;
  /** The effect of the draft. @type {Preview} */
  preview = NOWHERE;
  /** @type {number | null} the step whose position is shown, if it is not the last one's */
  looked = null;
  /** @type {Pick[]} */
  picks = [];
  logged = ""; // the result of our last entry
  last = -1; // its number
  arriving = false; // is the page fetched that has it?
  onPicture = false; // was the last choice made there?
  told = el("div", { class: "told", role: "status" });
  offers = new PlanOffers();
  prompt = el("p", { class: "prompt", "aria-hidden": "true" }); // the board as text says it, too
  undo = el("p", { class: "undo" });
  folded = false; // is the news of others folded, because there is a draft?
  brings = el("div", { class: "brings", "aria-live": "polite" });

  /** @param {HTMLElement} section @param {Game} game */
  constructor(section, game) {
    this.section = section;
    this.game = game;
    this.previews = new Previews(`/v1/games/${game.id}`);
    this.highlights = new Highlights(game.scene);
    this.store = new PlanStore(game.account, game.id, (kept) => this.#heard(kept));
    const [list, trouble] = [el("div"), el("div", { class: "trouble", role: "alert" })];
    this.foot = el("div", { class: "foot", hidden: "" }, this.undo);
    this.asked = el("div", { class: "question", role: "group", "aria-label": "Next choice" });
    this.steps = new Steps(list, {
      move: (from, to) =>
        void this.#change(plans.moved(this.plan.steps, from, to), "The steps are not possible in that order"),
      remove: (at) =>
        void this.#change(plans.without(this.plan.steps, at), "The other steps are not possible without this one"),
      look: (at) => void this.#look(at),
    });
    this.choices = new Choices(this.asked, {
      choose: (picks) => void this.#choose(picks),
      back: () => this.#back(),
      point: (picks) => this.#point(picks),
    });
    this.first = new BoardFirst(() => this.#all());
    this.ghost = new Ghost(game.scene);
    this.typed = new CommandInput((text) => void this.#type(text));
    this.sending = new Sending(this.foot, trouble, game, {
      sent: (entry, steps) => void this.#sent(entry, steps),
      stale: () => void this.#stale(),
      approved: () => void this.device.look(),
    });
    this.leave = resignSection(() => void this.#resign());
    this.device = new Device(game);
    const draft = [this.device.part, this.told, this.offers.part, list, this.prompt];
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
      this.plan = plans.planned(kept.steps);
      this.#say(plans.origin("here", kept.at));
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
    const { seq, hash } = await (this.game.drawn ?? this.game.draw());
    const { plan } = this;
    const whole = await this.#read(plan.steps);
    const { refusal, done } = whole;
    const left = refusal ? plans.planned(plan.steps.slice(0, done)) : plan;
    const preview = refusal ? await this.#read(left.steps) : whole;
    this.head = { seq, hash }; // the position shown is the one that is signed on
    if (plan !== this.plan) return; // what was chosen meanwhile has its own preview
    this.plan = left;
    this.preview = preview;
    if (!refusal) return;
    const gone = plan.steps.slice(done).map(({ notation }) => `\u201c${notation}\u201d`);
    await this.#keep();
    this.#say(`Part of your draft move is no longer possible and was removed: ${gone.join(", ")}. ${refusal.says}`);
  }

  /** Has this seat moved after the entry, in another tab or on another device? @param {number} seq */
  #movedSince(seq) {
    return this.game.turns.some(({ at, seat }) => seat === this.game.seat && at > seq);
  }

  /** The draft was for a turn in which the seat has moved without it. */
  async #dropped() {
    this.plan = plans.planned();
    const kept = await this.store.load(); // another tab may have begun the draft of the next turn
    if (kept?.head && this.#movedSince(kept.head.seq)) await this.#keep();
    this.#say("Your move was sent from another tab or device. The draft move here was removed.");
  }

  /** Preview these steps, and the text typed after them. @param {Step[]} steps @param {string} [text] */
  #asked(steps, text) {
    return this.#busy(text === undefined ? this.previews.of(steps) : this.previews.typed(steps, text));
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
    const before = this.plan.steps;
    if (!this.#isLogged) this.#say("");
    if (before.length && this.head && this.#movedSince(this.head.seq)) {
      await this.#dropped();
      return this.refresh();
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
    const last = this.plan.steps.length - 1;
    this.looked = at === last || at === this.looked ? null : at;
    try {
      this.#draw(await this.#asked(this.plan.steps.slice(0, (this.looked ?? last) + 1)));
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
    if (choice) return this.#change(plans.added(this.plan.steps, choice));
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
    this.ghost.show(() => this.previews.of(plans.added(this.plan.steps, choice)));
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
      await this.#change(plans.added(this.plan.steps, choice));
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
    if (plans.same(steps, plan.steps)) return;
    try {
      const preview = await this.#asked(steps);
      if (preview.refusal) this.#say(`${why}: ${preview.refusal.says}`, true);
      else await this.#take(plan, plans.changed(plan, steps), preview);
    } catch (error) {
      this.#fault(error);
    }
  }

  async #undone() {
    const { plan } = this;
    const before = plans.undone(plan);
    try {
      await this.#take(plan, before, await this.#asked(before.steps));
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
      await this.#take(plan, plans.changed(plan, preview.steps), preview);
      if (!this.typed.next()) this.#focus();
    } catch (error) {
      if (error instanceof api.Problem) this.typed.refuse(error.detail);
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
    this.plan = plans.planned();
    await this.#keep();
    await this.#arrives(entry.seq);
    const [brought] = await Promise.all([this.#brought(entry.seq, steps.length), this.refresh()]);
    this.logged = [`Your move is logged as entry ${entry.seq}.`, ...brought].join(" ");
    this.last = entry.seq;
    this.#tellLogged();
    if (this.#inside() || document.activeElement === document.body) this.#focus(); // not if the reader has gone on
  }

  /** Renews the page so that it shows this entry. If that fails, the next news does. @param {number} seq */
  async #arrives(seq) {
    this.arriving = true;
    try {
      await this.game.renewing; // a request from before the entry does not show it
      if (this.game.head < seq) await this.game.renew();
    } catch (error) {
      if (!(error instanceof api.NoAnswer || error instanceof api.Problem)) throw error;
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
  async #brought(seq, planned) {
    const path = `/v1/games/${this.game.id}`;
    try {
      const shown = await this.game.drawn;
      const [{ sentences }, [own]] = await Promise.all([
        shown?.seq === seq ? shown : api.get(`${path}/view?at=${seq}`),
        api.get(`${path}/openings?after=${seq - 1}&limit=1`),
      ]);
      const cut = own?.seq === seq && own.refusal && own.done < planned;
      return cut
        ? [...sentences, `Your move stopped after step ${own.done} of ${planned}: ${own.refusal.says}`]
        : sentences;
    } catch {
      return []; // the move is logged even so
    }
  }

  #keep() {
    return this.store.save(this.plan.steps, this.head);
  }

  /** Another tab has changed the draft. @param {Kept | null} kept */
  #heard(kept) {
    this.offers.clear();
    if (!kept || plans.same(kept.steps, this.plan.steps)) return;
    this.#offer(plans.line(kept.steps), plans.origin("tab", kept.at), () => this.#keep());
  }

  /** Offer the draft that came by mail. */
  async #mailed() {
    const mail = this.game.mine && this.game.mailed ? await mailed(this.game.id) : null;
    if (!mail || mail.notation === plans.line(this.plan.steps)) return;
    const origin = plans.origin(mail.fresh ? "mail" : "oldMail", mail.at);
    this.#offer(mail.notation, origin, () => dropMailed(this.game.id));
  }

  /** @param {string} notation @param {string} origin @param {() => Promise<unknown>} keep */
  #offer(notation, origin, keep) {
    this.offers.show(notation, origin, {
      has: this.plan.steps.length > 0,
      use: () => this.#instead(notation),
      keep,
      then: () => this.#focus(),
    });
    this.section.hidden = false;
  }

  /** Replace the draft by this one if the rules allow it all. @param {string} notation @returns {Promise<void>} */
  async #instead(notation) {
    const { plan } = this;
    try {
      const preview = await this.#asked([], notation);
      if (preview.refusal) return this.#say(`That draft move is not possible now: ${preview.refusal.says}`, true);
      await this.#take(plan, plans.changed(plan, preview.steps), preview);
      await dropMailed(this.game.id);
    } catch (error) {
      if (error instanceof Overtaken) return this.#instead(notation); // it is offered only once
      this.#fault(error);
    }
  }

  // --- drawing -------------------------------------------------------------------------------------------------------

  #render() {
    const { preview, plan } = this;
    const steps = this.game.mine ? plan.steps : [];
    const picks = this.picks.length ? this.picks : this.first.begin(this.legal);
    const asked = ask(this.legal, picks);
    this.section.hidden = this.game.stage !== "running" && !this.told.textContent;
    this.leave.hidden = this.game.stage !== "running";
    this.steps.show(steps, this.looked);
    this.undo.replaceChildren(
      ...(plan.before.length && this.game.mine ? [button("Undo", () => void this.#undone(), { class: "second" })] : []),
    );
    const effect = el("div", {}, ...previewText(preview, this.game.hidden));
    const isOther = effect.innerHTML !== this.brings.innerHTML;
    if (isOther) this.brings.replaceChildren(...effect.childNodes); // it is read aloud
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
  #light(options) {
    const { legal } = this.preview;
    if (!this.picks.length) {
      return this.highlights.offer(
        (svg) => this.first.places(svg, legal),
        (spot) => void this.#tapped(spot),
      );
    }
    this.highlights.show(
      options,
      (option, others) => void this.#picked(option, others),
      (option, mark) => this.#leads(option, mark),
    );
  }

  /** While an earlier position is shown, nothing can be chosen or sent. */
  #rest() {
    const past = this.game.scene.layer === "past";
    this.prompt.textContent = past || !this.game.mine ? "" : this.game.scene.head;
    for (const part of [this.first.part, this.asked, this.typed.part, this.foot]) part.inert = past;
  }

  /** What others did is folded as soon as there is a draft. @param {boolean} planned */
  #fold(planned) {
    if (planned && !this.folded) document.querySelector("#since details")?.removeAttribute("open");
    this.folded = planned;
  }

  /** @param {Preview} preview */
  #draw({ picture, board }) {
    this.game.scene.put("plan", picture ? { picture, board } : null);
  }

  /** May this mark be chosen after the option? @param {Option} option @param {string} mark */
  #leads(option, mark) {
    const { choice, options } = ask(this.legal, option.picks);
    return choice
      ? choice.words.some(({ kind, word }) => `${kind}:${word}` === mark)
      : options.some(({ marks }) => marks.includes(mark));
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
  #say(says, wrong = false) {
    this.told.classList.toggle("wrong", wrong);
    if (this.told.textContent !== says) this.told.textContent = says; // a text that is set again is read aloud again
    if (says) this.section.hidden = false;
  }

  /** @param {unknown} error */
  #fault(error) {
    if (!(error instanceof Overtaken)) this.#say(error instanceof Error ? error.message : String(error), true);
  }
}

/**
 * The command that is left after these picks, or the first one where only words without a place differ, as rotations.
 * @param {import("./command-tree.js").Choice[]} legal @param {Pick[]} picks
 */
function lastOf(legal, picks) {
  const { choice, options } = ask(legal, picks);
  if (choice) return choice;
  const last = options.every((one) => one.is === "word" && one.choice?.words.at(-1)?.kind !== "cell");
  return last ? (options[0]?.choice ?? null) : null;
}
