import {
  del,
  get,
  post
} from "./chunk-KHBG72CQ.js";

// server/http/static/flows/notifications.js
var SUPPORTED = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
var RENEWED = "sealedmove-push-renewed";
async function start(section) {
  const says = section.querySelector(".says");
  const button = section.querySelector("button[data-push]");
  if (!(button instanceof HTMLButtonElement) || !says) return;
  const shown = async () => {
    const { words, label } = await standing();
    says.textContent = words;
    button.hidden = !label;
    button.textContent = label;
  };
  button.addEventListener("click", () => {
    button.disabled = true;
    const done = button.textContent === OFF ? stop() : begin();
    void done.then(() => location.reload()).catch((error) => {
      says.textContent = error.message;
      button.disabled = false;
    });
  });
  await shown();
}
var ON = "Notify me on this device";
var OFF = "Stop notifying me on this device";
async function standing() {
  if (!SUPPORTED && /iPhone|iPad/.test(navigator.userAgent)) {
    return { words: "On an iPhone or iPad, first add this site to the home screen and open it from there.", label: "" };
  }
  if (!SUPPORTED) return { words: "This browser cannot show notifications.", label: "" };
  if (await current()) return { words: "This device shows a notification when it is your turn.", label: OFF };
  if (Notification.permission === "denied") {
    return { words: "This browser blocks notifications of this site. Allow them in its settings first.", label: "" };
  }
  return { words: "This device shows no notifications.", label: ON };
}
async function current() {
  const registration = SUPPORTED ? await navigator.serviceWorker.getRegistration("/") : void 0;
  return await registration?.pushManager.getSubscription() ?? null;
}
async function begin() {
  if (await Notification.requestPermission() !== "granted") {
    throw new Error("This browser did not allow notifications. Allow them in its settings first.");
  }
  const registration = await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  await navigator.serviceWorker.ready;
  await subscribed(registration);
}
async function subscribed(registration) {
  const { key } = await get("/v1/me/push");
  if (!key) throw new Error("This server sends no notifications to browsers.");
  const former = await registration.pushManager.getSubscription();
  if (former && encoded(former.options.applicationServerKey) !== key) await former.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const made = await registration.pushManager.subscribe(options).catch(() => {
    throw new Error("This browser could not reach its push service. Try again later.");
  });
  await post("/v1/me/push", made.toJSON());
}
function encoded(key) {
  const text = btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0))));
  return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
async function stop() {
  const subscription = await current();
  if (!subscription) return;
  const { subscriptions } = await get("/v1/me/push");
  for (const one of subscriptions) if (one.here) await del(`/v1/me/push/${one.id}`);
  await subscription.unsubscribe();
}
async function renew() {
  if (!SUPPORTED || Notification.permission !== "granted" || sessionStorage.getItem(RENEWED)) return;
  const registration = await navigator.serviceWorker.getRegistration("/");
  if (!registration || !await registration.pushManager.getSubscription()) return;
  sessionStorage.setItem(RENEWED, "yes");
  await subscribed(registration);
}

export {
  start,
  stop,
  renew
};
