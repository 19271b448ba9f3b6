// server/http/static/flows/waiting.js
var EVERY = 6e4;
var MOST = 10;
var shown = null;
function start(count2) {
  const channel = new BroadcastChannel("sealedmove-waiting");
  const tell = (known) => {
    if (known !== shown) channel.postMessage(known);
    show(known);
  };
  channel.onmessage = ({ data }) => show(data);
  document.addEventListener("waiting", (event) => tell(
    /** @type {CustomEvent} */
    event.detail
  ));
  navigator.serviceWorker?.addEventListener("message", ({ data }) => tell(data.count));
  document.addEventListener("visibilitychange", () => document.hidden || void ask(tell));
  void navigator.locks?.request("sealedmove-waiting", async () => {
    for (; ; ) {
      await new Promise((done) => setTimeout(done, EVERY));
      await ask(tell);
    }
  });
  tell(count2);
}
async function ask(tell) {
  const answer = await fetch("/v1/me/turns", { cache: "no-store" }).catch(() => null);
  const games = answer?.ok ? await answer.json().catch(() => null) : null;
  if (games) tell(games.filter((one) => !one.stopped).length);
}
function show(count2) {
  if (shown !== null && count2 > shown && localStorage.getItem("sealedmove-sound") === "on") {
    void import("./sound-6QZF6XCD.js").then((sound) => sound.play());
  }
  shown = count2;
  document.title = `${count2 ? `(${count2}) ` : ""}${document.title.replace(/^\(\d+\) /, "")}`;
  const icon = (
    /** @type {HTMLLinkElement | null} */
    document.querySelector("link[rel=icon]")
  );
  if (icon) {
    icon.dataset.plain ??= icon.href;
    icon.href = count2 ? `/seal/${Math.min(count2, MOST)}.svg` : icon.dataset.plain;
  }
  const badged = count2 ? navigator.setAppBadge?.(count2) : navigator.clearAppBadge?.();
  void badged?.catch(() => void 0);
}

// server/http/static/pages/signed-in.js
var { account, waiting: count } = document.body.dataset;
var notifications = () => import("./notifications-FRCNGTP6.js");
start(Number(count));
if ("Notification" in window && Notification.permission === "granted") {
  void notifications().then(({ renew }) => renew().catch(() => void 0));
}
for (const form of document.querySelectorAll("form[data-sign-out]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const keys = await import("./key-changes-OINKBWRZ.js").catch(() => null);
    if (!keys) return location.reload();
    if (!(form instanceof HTMLFormElement) || !account || !await keys.signOut(account)) return;
    await notifications().then(({ stop }) => stop()).catch(() => void 0);
    form.submit();
  });
}
