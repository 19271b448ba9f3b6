// A button that cannot be pressed by mistake: it works only half a second after its subject has changed or the window
// has come to the front, so that no click meant for something else signs anything.

export const WAIT = 500;

/**
 * @param {HTMLButtonElement} button @param {() => void} does
 * @returns {() => void} call it whenever the button's subject has changed
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
