// The service worker, at `/sw.js`: shows notifications, and opens their game.
//
// It has no fetch handler and caches nothing: a stale script would be a risk to what people sign. A notification
// contains the kind of the news, the game and the number of games that wait; the words are here.

const worker = /** @type {any} */ (self); // the types of a page are those of a window

/** @type {Record<string, string>} */
const WORDS = {
  turn: "It is your turn.",
  reminder: "Your time is running out.",
  time: "Your deadline has moved.",
  started: "A game has started.",
  over: "A game has finished.",
  cancelled: "A game was cancelled.",
  absent: "You count as absent.",
  offered: "Your seat is offered to others.",
  taken: "Another player has taken your seat.",
};
const NEWS = "There is news in one of your games.";
const GAME = /^[0-9a-f-]{36}$/;

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("push", (/** @type {any} */ event) => event.waitUntil(show(event.data)));
worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(Promise.all([open(event.notification.data.path), post("/v1/me/push/clicks")]));
});
worker.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => event.waitUntil(renew(event)));

/** Every push shows a notification: browsers end subscriptions that stay silent. @param {any} data */
async function show(data) {
  const { kind, game, count } = read(data);
  const about = game ? { tag: game, renotify: true } : {};
  await worker.registration.showNotification("Sealed Move", {
    body: WORDS[kind] ?? NEWS,
    icon: "/static/icons/192.png",
    badge: "/static/icons/badge.png",
    data: { path: game ? `/games/${game}` : "/" },
    ...about,
  });
  await waiting(count);
}

/** @param {any} data @returns {{kind: string, game: string | null, count: number}} */
function read(data) {
  try {
    const { kind, game, count } = data.json();
    return { kind, game: GAME.test(game) ? game : null, count: Number.isInteger(count) ? count : 0 };
  } catch {
    return { kind: "", game: null, count: 0 };
  }
}

/** The number of games that wait, on the app's icon and in open pages. @param {number} count */
async function waiting(count) {
  await worker.navigator.setAppBadge?.(count).catch(() => undefined);
  for (const page of await pages()) page.postMessage({ count });
}

const pages = () => worker.clients.matchAll({ type: "window", includeUncontrolled: true });

/** @param {string} path */
async function open(path) {
  const shown = (await pages()).find((/** @type {any} */ page) => new URL(page.url).pathname === path);
  await (shown ? shown.focus() : worker.clients.openWindow(path));
}

/** @param {any} event */
async function renew({ oldSubscription, newSubscription }) {
  const made = newSubscription ?? (await worker.registration.pushManager.subscribe(oldSubscription.options));
  await post("/v1/me/push", made.toJSON());
}

/** Signed in like a page; a refusal changes nothing here. @param {string} path @param {unknown} [body] */
async function post(path, body) {
  const json = body === undefined ? {} : { "Content-Type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { "X-Sealed-Move": "page", ...json };
  await fetch(path, { method: "POST", headers, credentials: "same-origin", ...sent }).catch(() => undefined);
}
