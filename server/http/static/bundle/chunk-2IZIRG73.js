// server/http/static/ui/busy.js
async function busy(event, said, words, work, origin = (
  /** @type {Element} */
  event.currentTarget
)) {
  event.preventDefault();
  const buttons = origin instanceof HTMLButtonElement ? [origin] : [...origin.querySelectorAll("button")];
  if (buttons.some((button) => button.getAttribute("aria-disabled") === "true")) return;
  for (const button of buttons) button.setAttribute("aria-disabled", "true");
  say(said, words);
  try {
    say(said, await work() ?? "");
  } catch (error) {
    say(said, error instanceof Error ? error.message : String(error), true);
  } finally {
    for (const button of buttons) button.removeAttribute("aria-disabled");
  }
}
function ready(form) {
  for (const button of form.querySelectorAll("button")) button.disabled = false;
}
function say(said, words, wrong = false) {
  if (!said) return;
  said.textContent = words;
  said.classList.toggle("wrong", wrong);
}

export {
  busy,
  ready
};
