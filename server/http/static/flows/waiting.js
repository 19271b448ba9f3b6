// The number of games that wait for the reader: in the title, on the icon of the tab and on that of the installed app.
//
// One tab of the browser asks the server now and then and tells the others. A game's page, which learns of each move at
// once, tells them too, and so does the service worker.

// It imports nothing that it may not need: every page loads it.

const EVERY = 60_000; // milliseconds
const MOST = 10; // the icon then shows 9+

/** @type {number | null} */
let shown = null;

/** Starts with the number that the page came with. @param {number} count */
export function start(count) {
  const channel = new BroadcastChannel("sealedmove-waiting");
  const tell = (/** @type {number} */ known) => {
    if (known !== shown) channel.postMessage(known);
    show(known);
  };
  channel.onmessage = ({ data }) => show(data);
  document.addEventListener("waiting", (event) => tell(/** @type {CustomEvent} */ (event).detail));
  navigator.serviceWorker?.addEventListener("message", ({ data }) => tell(data.count));
  document.addEventListener("visibilitychange", () => document.hidden || void ask(tell));
  void navigator.locks?.request("sealedmove-waiting", async () => {
    for (;;) {
      await new Promise((done) => setTimeout(done, EVERY));
      await ask(tell);
    }
  });
  tell(count);
}

/** @param {(count: number) => void} tell */
async function ask(tell) {
  const answer = await fetch("/v1/me/turns", { cache: "no-store" }).catch(() => null); // otherwise another time
  const games = answer?.ok ? await answer.json().catch(() => null) : null; // it may be cut off
  if (games) tell(games.filter((/** @type {{stopped: boolean}} */ one) => !one.stopped).length);
}

/** @param {number} count */
function show(count) {
  if (shown !== null && count > shown && localStorage.getItem("sealedmove-sound") === "on") {
    void import("../ui/sound.js").then((sound) => sound.play());
  }
  shown = count;
  document.title = `${count ? `(${count}) ` : ""}${document.title.replace(/^\(\d+\) /, "")}`;
  const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
  if (icon) {
    icon.dataset.plain ??= icon.href;
    icon.href = count ? `/seal/${Math.min(count, MOST)}.svg` : icon.dataset.plain;
  }
  const badged = count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  void badged?.catch(() => undefined);
}
