// Signs and sends a move. It shows exactly what will be signed, and errors where they arise, with what to do.
//
//     const sending = new Sending(foot, trouble, game, { sent, stale, approved });
//     sending.show(steps, head);
//
// `show` displays the commands, and the button signs exactly these. If they waste something, the first press only shows
// what, and the next one signs.

import * as act from "../game/acts.js";
import { Problem } from "../api/api.js";
import { ASKED } from "../flows/consents.js";
import { button, el } from "../ui/dom.js";
import { report } from "./failed-check.js";
import * as keyDialogs from "../flows/key-dialogs.js";
import { VerificationError } from "../record/verification-error.js";
import { guarded } from "../ui/guarded-button.js";
import { commands, line } from "./plan.js";

/** @typedef {import("./plan.js").Step} Step */
/** @typedef {import("./plan.js").Head} Head */
/** @typedef {import("../game/acts.js").Consent} Consent */
/** @typedef {import("../record/entry.js").Entry} Entry */
/** @typedef {{sent: (entry: Entry, steps: Step[]) => void, stale: () => void, approved: () => void}} Does */
/** @typedef {(consent: Consent) => void} Again */

const SEND = "Sign and send";
const MOVES = ["moved", "resigned"];
const NOT_THIS_DEVICE = ["no-key", "no-seat", "seat-gone"];

export class Sending {
  /**
   * @param {HTMLElement} foot with the words that are signed and the button
   * @param {HTMLElement} trouble above it @param {import("./game.js").Game} game @param {Does} does
   */
  constructor(foot, trouble, game, does) {
    this.game = game;
    this.does = does;
    this.busy = false;
    /** Until what is being sent has an answer. @type {Promise<void>} */
    this.sent = Promise.resolve();
    this.proof = game.checked;
    /** @type {AbortController | null} ends the repeated sending */
    this.stop = null;
    /** @type {{steps: Step[], head: Head | null, warnings: string[]}} */
    this.shown = { steps: [], head: null, warnings: [] };
    /** What the move wastes, until the player has been asked. @type {string[]} */
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
    if (isOther || head?.hash !== shown.head?.hash) this.wait(); // the same draft on a new head does something else
    if (isOther || warnings.join() !== shown.warnings.join()) this.#fresh(warnings);
    this.shown = { steps, head, warnings };
    this.signed.replaceChildren(...(steps.length ? this.#what(steps, head) : []));
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
        el("pre", { tabindex: "0" }, JSON.stringify(commands(steps), null, 1)),
      ),
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
    await this.#tried((consent) => act.move(this.proof, commands(steps), head, { ...consent, words }), steps);
  }

  /** After a move that is just being sent: both were confirmed. */
  async resign() {
    await this.sent;
    await this.#tried((consent) => act.resign(this.proof, consent), []);
  }

  /** Sends acts again, byte for byte, that were signed earlier and never answered. */
  async again() {
    if (this.busy) return;
    const pending = await this.proof.memory().then(
      (memory) => memory.pending(),
      () => [],
    );
    const waiting = pending.filter(({ refused }) => refused === null);
    if (!waiting.length) return;
    this.#unsent(
      `You have signed this before, but the server has not answered: ${waiting.map(({ says }) => says).join("; ")}.`,
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
  #working(busy) {
    this.busy = busy;
    this.button.textContent = busy ? "Sending \u2026" : SEND;
    this.button.setAttribute("aria-disabled", String(busy));
  }

  /** @param {unknown} error @param {Again} again */
  #tell(error, again) {
    const says = error instanceof Error ? error.message : String(error);
    if (error instanceof VerificationError) this.#trouble(...report(error, this.proof, () => this.#trouble()));
    else if (error instanceof act.NotSigned) this.#unsigned(error, again);
    else if (error instanceof act.NotSent) this.#unsent(says);
    else {
      this.#trouble(wrong(error instanceof Problem ? `This was not accepted. ${says}` : `Nothing was signed. ${says}`));
      if (error instanceof Problem) this.does.stale();
    }
  }

  /** @param {import("../game/acts.js").NotSigned} error @param {Again} again */
  #unsigned({ code, message, facts }, again) {
    const asked = code === "unsettled" && !facts.answered ? undefined : ASKED[code];
    const agree = asked && el("button", { type: "button", class: "second" }, asked.says);
    if (agree) guarded(agree, () => again(asked.consent)); // this button signs, too
    const let_in = NOT_THIS_DEVICE.includes(code)
      ? button("Approve this device \u2026", () => void this.#letIn(again), { class: "second" })
      : null;
    this.#trouble(wrong(`Nothing was signed. ${message}`), agree, let_in);
    if (code === "stale") this.does.stale();
  }

  /** @param {Again} again */
  async #letIn(again) {
    try {
      if (!(await keyDialogs.enter(this.game.account ?? ""))) return;
      this.does.approved();
      again({});
    } catch (error) {
      this.#tell(error, again);
    }
  }

  /** Sends again by itself, and when a button is pressed. @param {string} says */
  #unsent(says) {
    this.stop?.abort();
    this.stop = new AbortController();
    const stop = this.stop;
    const told = (/** @type {import("../game/outbox.js").Outcome[]} */ became) => {
      const logged = became.find(({ entry }) => entry)?.entry;
      const no = became.find(({ problem }) => problem)?.problem;
      if (!logged && !no) return;
      stop.abort();
      this.#trouble(no && wrong(`Your move was not logged. ${no.message}`));
      if (logged && MOVES.includes(logged.kind)) this.does.sent(logged, []);
      else this.does.stale(); // after another act, such as an offer of the seat, a draft is kept
    };
    const failed = (/** @type {unknown} */ error) => this.#tell(error, () => void this.send());
    const now = () => void act.again(this.proof).then(told, failed);
    this.#trouble(wrong(says), button("Send again now", now, { class: "second" }));
    act.keepSending(this.proof, told, stop.signal).catch(failed);
  }
}

/** @param {string} says */
const wrong = (says) => el("p", { class: "wrong" }, says);
