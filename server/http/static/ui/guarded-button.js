// A button that cannot be hit by mistake: it works only half a second after what it says has changed, or after the
// window came to the front. So no click that was meant for something else signs anything.

export const WAIT = 500;

/**
 * @param {HTMLButtonElement} button @param {() => void} does
 * @returns {() => void} to be called whenever what the button is about has changed
 */
export function guarded(button, does) {
  let since = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const wait = () => {
    since = performance.now();
    button.dataset.waits = "";
    clearTimeout(timer);
    timer = setTimeout(() => delete button.dataset.waits, WAIT);
  };
  button.addEventListener("click", (event) => {
    event.preventDefault();
    if (performance.now() - since >= WAIT && button.getAttribute("aria-disabled") !== "true") does();
  });
  addEventListener("focus", wait);
  document.addEventListener("visibilitychange", wait);
  wait();
  return wait;
}
