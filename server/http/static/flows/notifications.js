// Notifications of this device: on and off by a press, and renewed at each visit.
//
// The subscription is the browser's; the server keeps a copy of it until this session ends. Where a browser shows
// notifications only in the installed app (iOS), the page says so.

import * as api from "../api/api.js";

/** @typedef {{words: string, label: string}} Standing */

const SUPPORTED = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
const RENEWED = "sealedmove-push-renewed";

/** The switch on the account's page. @param {HTMLElement} section */
export async function start(section) {
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
    void done
      .then(() => location.reload())
      .catch((error) => {
        says.textContent = error.message;
        button.disabled = false;
      });
  });
  await shown();
}

const ON = "Notify me on this device";
const OFF = "Stop notifying me on this device";

/** What is so on this device, and the button's label: "" if nothing can be done here. @returns {Promise<Standing>} */
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

/** The subscription of this browser, or null. */
async function current() {
  const registration = SUPPORTED ? await navigator.serviceWorker.getRegistration("/") : undefined;
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Asks for the permission first: some browsers accept that only right after a press. */
async function begin() {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Error("This browser did not allow notifications. Allow them in its settings first.");
  }
  const registration = await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  await navigator.serviceWorker.ready;
  await subscribed(registration);
}

/** @param {ServiceWorkerRegistration} registration */
async function subscribed(registration) {
  const { key } = await api.get("/v1/me/push");
  if (!key) throw new Error("This server sends no notifications to browsers.");
  const former = await registration.pushManager.getSubscription();
  if (former && encoded(former.options.applicationServerKey) !== key) await former.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const made = await registration.pushManager.subscribe(options).catch(() => {
    throw new Error("This browser could not reach its push service. Try again later.");
  });
  await api.post("/v1/me/push", made.toJSON());
}

/** @param {ArrayBuffer | null} key */
function encoded(key) {
  const text = btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0))));
  return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Ends the subscription here and at the server. */
export async function stop() {
  const subscription = await current();
  if (!subscription) return;
  const { subscriptions } = await api.get("/v1/me/push");
  for (const one of subscriptions) if (one.here) await api.del(`/v1/me/push/${one.id}`);
  await subscription.unsubscribe();
}

/** Once in a visit: push services change endpoints, and a server may have been restored from a copy. */
export async function renew() {
  if (!SUPPORTED || Notification.permission !== "granted" || sessionStorage.getItem(RENEWED)) return;
  const registration = await navigator.serviceWorker.getRegistration("/");
  if (!registration || !(await registration.pushManager.getSubscription())) return;
  sessionStorage.setItem(RENEWED, "yes");
  await subscribed(registration);
}
