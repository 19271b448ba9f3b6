// Sending: what is signed stands there before it is signed, and nothing else is signed. What went wrong is said where it
// arose, with what can be done about it.
//
//     const sending = new Sending(part, game, { sent, stale });
//     sending.show(steps, head, outlook);
//
// The commands that are signed are those that were shown: `show` takes them, and the button sends them as they are.

import * as act from "./act.js";
import { Problem } from "./api.js";
import { button, el } from "./dom.js";
import * as evidence from "./evidence.js";
import * as keydialog from "./keydialog.js";
import { Lie } from "./lie.js";
import { patient } from "./patient.js";
import { commands } from "./plan.js";

/** @typedef {import("./plan.js").Step} Step */
/** @typedef {import("./plan.js").Head} Head */
/** @typedef {import("./outlook.js").Outlook} Outlook */
/** @typedef {import("./act.js").Said} Said */
/** @typedef {{seq: number}} Entry */
/** @typedef {{sent: (entry: Entry, steps: Step[]) => void, stale: () => void}} Does */

/** What a person is asked before an act that he has to agree to in words, by the code of the refusal to sign. */
/** @type {Record<string, {says: string, said: Said}>} */
const ASKED = {
  unsettled: { says: "Sign all the same: either of the two may be logged then", said: { either: true } },
  "unsigned-table": { says: "Play at a table where moves need no signature", said: { unsigned: true } },
};

export class Sending {
  /** @param {HTMLElement} part @param {import("./turn.js").Game} game @param {Does} does */
  constructor(part, game, does) {
    this.game = game;
    this.does = does;
    this.busy = false;
    /** @type {{steps: Step[], head: Head | null}} */
    this.shown = { steps: [], head: null };
    this.signed = el("div", { class: "signed" });
    this.trouble = el("div", { class: "trouble", role: "alert" });
    this.button = el("button", { type: "button", class: "send" }, "Sign and send");
    this.wait = patient(this.button, () => void this.send({}));
    this.part = part;
  }

  /** @param {Step[]} steps @param {Head | null} head @param {Outlook} outlook */
  show(steps, head, outlook) {
    const commandsNow = JSON.stringify(commands(steps));
    if (commandsNow !== JSON.stringify(commands(this.shown.steps))) this.wait();
    this.shown = { steps, head };
    this.trouble.replaceChildren();
    if (!steps.length) {
      this.part.replaceChildren(this.trouble);
      return;
    }
    this.signed.replaceChildren(...this.#what(steps, head, outlook));
    this.part.replaceChildren(this.signed, this.button, this.trouble);
  }

  focus() {
    if (this.button.isConnected) this.button.focus({ preventScroll: true });
    return this.button.isConnected;
  }

  /** @param {Step[]} steps @param {Head | null} head @param {Outlook} outlook */
  #what(steps, head, outlook) {
    const { seat, hidden } = this.game;
    const place = `You sign as seat ${(seat ?? 0) + 1}${head ? `, upon entry ${head.seq}` : ""}: `;
    const json = JSON.stringify(commands(steps), null, 1);
    return [
      el("p", {}, place, el("code", {}, steps.map(({ notation }) => notation).join("; "))),
      hidden && el("p", { class: "quiet" }, "Others see a seal in the place of these commands until the game is over."),
      !outlook.certain && el("p", { class: "quiet" }, "Chance or others decide how it goes on: what is signed cannot be taken back."),
      el("details", {}, el("summary", {}, "The commands as they are signed"), el("pre", { tabindex: "0" }, json)),
    ].filter((one) => one instanceof HTMLElement);
  }

  /** @param {Said} said */
  async send(said) {
    const { steps, head } = this.shown;
    await this.#tried(() => act.move(this.#proof(), commands(steps), head ?? undefined, said), said, (entry) =>
      this.does.sent(entry, steps),
    );
  }

  /** @param {Said} [said] */
  async resign(said = {}) {
    await this.#tried(() => act.resign(this.#proof(), said), said, (entry) => this.does.sent(entry, []), "resign");
  }

  #proof() {
    return evidence.game(this.game.account ?? "", this.game.id);
  }

  /** @param {() => Promise<Entry>} does @param {Said} said @param {(entry: Entry) => void} then @param {"send" | "resign"} [what] */
  async #tried(does, said, then, what = "send") {
    if (this.busy) return;
    this.#working(true);
    this.trouble.replaceChildren();
    this.part.append(this.trouble);
    try {
      if (!(await keydialog.ready(this.game.account ?? ""))) throw new act.NotSigned("no-key", "There is no key on this device, so nothing was signed.");
      then(await does());
    } catch (error) {
      this.#tell(error, said, what);
    } finally {
      this.#working(false);
    }
  }

  /** @param {boolean} busy */
  #working(busy) {
    this.busy = busy;
    this.button.textContent = busy ? "Signing and sending \u2026" : "Sign and send";
    this.button.setAttribute("aria-disabled", String(busy));
  }

  /** @param {unknown} error @param {Said} said @param {"send" | "resign"} what */
  #tell(error, said, what) {
    const says = error instanceof Error ? error.message : String(error);
    if (error instanceof Lie) this.trouble.replaceChildren(...lie(error));
    else if (error instanceof act.NotSigned) this.#unsigned(error, said, what);
    else if (error instanceof Problem) {
      this.trouble.replaceChildren(el("p", { class: "wrong" }, `Refused: ${says}`));
      if (error.status === 409 || error.status === 410) this.does.stale();
    } else this.trouble.replaceChildren(...this.#unanswered(says, said, what));
  }

  /** @param {import("./act.js").NotSigned} error @param {Said} said @param {"send" | "resign"} what */
  #unsigned(error, said, what) {
    const asked = ASKED[error.code];
    const again = asked && button(asked.says, () => void this[what]({ ...said, ...asked.said }), { class: "second" });
    this.trouble.replaceChildren(...[el("p", { class: "wrong" }, `Nothing was signed. ${error.message}`), again].filter((one) => one !== undefined));
    if (error.code === "stale") this.does.stale();
  }

  /** Kept before it was sent: the same bytes go again. @param {string} says @param {Said} said @param {"send" | "resign"} what */
  #unanswered(says, said, what) {
    return [
      el("p", { class: "wrong" }, `${says} Whether it was logged is not known; what you signed is kept here, and the same is sent again.`),
      button("Send it again", () => void this[what](said)),
    ];
  }
}

/** @param {Lie} lie */
function lie({ message, expected, found, seq }) {
  const facts = Object.entries({ "At entry": seq, Expected: expected, Found: found }).filter(([, value]) => value !== undefined);
  const lines = facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, el("code", {}, typeof value === "string" ? value : JSON.stringify(value)))]);
  return [
    el("p", { class: "wrong" }, `What the server shows does not hold, so nothing was signed. ${message}`),
    el("dl", { class: "answers" }, ...lines),
    el("p", {}, "It is kept in this browser as evidence. Ask your opponents what they have been shown before you play on."),
  ];
}
