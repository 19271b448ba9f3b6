// Asks one question at a time in a dialog: a heading, content, buttons. Escape gives no answer.
//
//     const answer = await ask("A new device", [paragraph], [{ value: "code", says: "Type the code" }]);
//
// An answer's `check` runs before the dialog closes; an error is shown in the dialog. Meanwhile there is no other
// answer: what it has begun, such as the removal of a key, must not go on behind a dialog that counts as cancelled.
import { el } from "./dom.js";

const PATIENCE = 500; // ms during which buttons do nothing, so that no click meant for something else answers

/**
 * @typedef {{value: string, says: string, second?: boolean, check?: (tell: (says: string) => void) => Promise<void>}}
 *   Answer
 */

/** An error to show in the dialog, which stays open. */
export class NotYet extends Error {}

/** @param {string} heading @param {Node[]} parts @param {Answer[]} answers @returns {Promise<string | null>} */
export function ask(heading, parts, answers) {
  const title = el("h2", { id: `dialog-${crypto.randomUUID()}`, tabindex: "-1" }, heading);
  const dialog = el("dialog", { class: "question", "aria-labelledby": title.id });
  const told = el("p", { class: "told", role: "alert" });
  const bar = el("p", { class: "answers-bar" });
  dialog.append(title, ...parts, told, bar);
  bar.append(...answers.map((answer) => buttonOf(answer, dialog, told, bar)));
  document.body.append(dialog);
  const isBusy = () => bar.hasAttribute("aria-busy");
  return new Promise((keep) => {
    dialog.addEventListener("cancel", (event) => isBusy() && event.preventDefault());
    dialog.addEventListener("close", () => {
      if (isBusy()) return dialog.showModal(); // some browsers do not let a page prevent a second Escape
      dialog.remove();
      keep(dialog.returnValue || null);
    });
    dialog.showModal();
    title.focus();
    const wait = held(bar);
    addEventListener("focus", wait);
    dialog.addEventListener("close", () => removeEventListener("focus", wait));
    wait();
  });
}

/**
 * Returns a function to call when the dialog comes to the front: buttons do nothing for a while after the last call.
 * @param {HTMLElement} bar
 */
function held(bar) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return () => {
    bar.setAttribute("aria-disabled", "true");
    clearTimeout(timer);
    timer = setTimeout(() => bar.removeAttribute("aria-disabled"), PATIENCE);
  };
}

/** @param {string} says */
export const paragraph = (says) => el("p", {}, says);

/**
 * A labelled field outside of any form, so that nothing sends it and no browser fills it in.
 * @param {string} label
 * @param {Record<string, string>} given
 */
export function field(label, given) {
  const input = el("input", { autocomplete: "off", autocapitalize: "none", spellcheck: "false", ...given });
  input.id = `field-${crypto.randomUUID()}`;
  input.addEventListener("keydown", (event) => {
    const first = input.closest("dialog")?.querySelector(".answers-bar button");
    if (event.key === "Enter" && first instanceof HTMLElement) first.click();
  });
  return { input, parts: [el("label", { for: input.id }, label), input] };
}

/** @param {Answer} answer @param {HTMLDialogElement} dialog @param {HTMLElement} told @param {HTMLElement} bar */
function buttonOf({ value, says, second, check }, dialog, told, bar) {
  const button = el("button", { type: "button", ...(second ? { class: "second" } : {}) }, says);
  button.addEventListener("click", async () => {
    if (bar.hasAttribute("aria-busy") || bar.hasAttribute("aria-disabled")) return;
    bar.setAttribute("aria-busy", "true");
    button.setAttribute("aria-disabled", "true");
    told.textContent = "";
    try {
      await check?.((text) => (told.textContent = text));
      dialog.close(value);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      told.textContent = error.message;
      told.scrollIntoView({ block: "nearest" });
      if (!KNOWN.has(error.name)) throw error;
    } finally {
      bar.removeAttribute("aria-busy");
      button.removeAttribute("aria-disabled");
    }
  });
  return button;
}

/** Errors with a message for the player; any other is a fault of ours, which is shown too. */
const KNOWN = new Set(["NotYet", "BackupError", "Problem", "NoAnswer", "NotSigned", "NotSent", "VerificationError"]);
Object.defineProperty(NotYet.prototype, "name", { value: "NotYet" });
