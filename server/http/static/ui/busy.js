// Something that takes a moment: said while it goes on, not begun twice, and refused in words where it was asked for.
//
//     form.addEventListener("submit", (event) => busy(event, said, "Opening the table …", work));

/**
 * @param {Event} event what began it; whatever else it would do is left undone
 * @param {Element | null} said where to say so: a live region
 * @param {string} words @param {() => Promise<string | void>} work gives what is to be said at the end
 * @param {Element} [origin] the button or form, if the ear is not at it
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

/** A form cannot be sent before its script is here: then it can. @param {HTMLFormElement} form */
export function ready(form) {
  for (const button of form.querySelectorAll("button")) button.disabled = false;
}

/** @param {Element | null} said @param {string} words @param {boolean} [wrong] */
export function say(said, words, wrong = false) {
  if (!said) return;
  said.textContent = words;
  said.classList.toggle("wrong", wrong);
}
