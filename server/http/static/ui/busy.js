// Runs something that takes a moment: shows that it is running, does not start it twice, and shows errors in place.
//
//     form.addEventListener("submit", (event) => busy(event, said, "Opening the table …", work));

/**
 * @param {Event} event its trigger, whose default action is prevented
 * @param {Element | null} said the live region for messages
 * @param {string} words @param {() => Promise<string | void>} work returns the message at the end
 * @param {Element} [origin] the button or form, if the listener is elsewhere
 */
export async function busy(event, said, words, work, origin = /** @type {Element} */ (event.currentTarget)) {
  event.preventDefault();
  const buttons = origin instanceof HTMLButtonElement ? [origin] : [...origin.querySelectorAll("button")];
  if (buttons.some((button) => button.getAttribute("aria-disabled") === "true")) return;
  for (const button of buttons) button.setAttribute("aria-disabled", "true"); // `disabled` would lose the focus
  say(said, words);
  try {
    say(said, (await work()) ?? "");
  } catch (error) {
    say(said, error instanceof Error ? error.message : String(error), true);
  } finally {
    for (const button of buttons) button.removeAttribute("aria-disabled");
  }
}

/** Enables a form that cannot be sent without its script. @param {HTMLFormElement} form */
export function ready(form) {
  for (const button of form.querySelectorAll("button")) button.disabled = false;
}

/** @param {Element | null} said @param {string} words @param {boolean} [wrong] */
export function say(said, words, wrong = false) {
  if (!said) return;
  said.textContent = words;
  said.classList.toggle("wrong", wrong);
}
