// Learns of new entries while a game's page is open: by a stream of events if possible, otherwise by polling.
//
// A browser opens at most six connections to a host. So only one tab of a game holds the stream, under a lock, and
// informs the others, and at most three games have a stream. Other tabs poll every few seconds, or as rarely as the
// server asks. Browsers without locks (plain HTTP from another machine) poll too.

import * as api from "../api/api.js";
import { pause } from "../api/retry.js";

const STREAMS = 3;
const ASK = 5_000;
const ASK_HIDDEN = 60_000;
const TRIES = 100;
const ASIDE = 30_000; // between checks by tabs that another one informs, and until a stream is tried again

/** @param {import("./game.js").Game} game */
export function start(game) {
  const told = new BroadcastChannel(`sealedmove-${game.id}`);
  const news = new News(game);
  const tell = (/** @type {number} */ seq) => {
    told.postMessage(seq);
    void news.hear(seq);
  };
  told.onmessage = ({ data }) => void news.hear(data);
  game.addEventListener("news", () => over(game) && void judged(game));
  addEventListener("offline", () => over(game) || connected(false)); // a stream notices it late
  if (over(game)) void judged(game);
  else if (navigator.locks) {
    void navigator.locks.request(`sealedmove-${game.id}`, () => lead(game, tell));
    void aside(game, (seq) => void news.hear(seq));
  } else void ask(game, tell, Infinity);
}

/** Updates the page when the server has audited the finished game. @param {import("./game.js").Game} game */
async function judged(game) {
  if (game.stage !== "finished") return;
  for (let wait = 1; wait < 100 && !document.querySelector("#audit[data-verdict]"); wait *= 2) {
    await pause(wait);
    const { verdict } = await api.get(`/v1/games/${game.id}/audit`).catch(() => ({ verdict: null }));
    if (verdict) await game.renew().catch(() => undefined);
  }
}

/** The newest known entry; the page is updated until it shows it, one request at a time. */
class News {
  /** @param {import("./game.js").Game} game */
  constructor(game) {
    this.game = game;
    this.last = game.head;
    this.busy = false;
  }

  /** @param {number} seq */
  async hear(seq) {
    this.last = seq;
    if (this.busy) return;
    this.busy = true;
    for (let tries = 0; this.last !== this.game.head && tries < TRIES; tries += 1) await this.#renew();
    this.busy = false;
  }

  async #renew() {
    const heard = this.last;
    try {
      await this.game.renew();
      connected(true);
      if (this.last === heard) this.last = this.game.head; // the page may show more, or less after a restore
    } catch (error) {
      connected(false);
      await pause((error instanceof api.NoAnswer && error.pause) || ASK / 1000);
    }
  }
}

/**
 * Runs while this tab holds the lock: streams, or polls for a while.
 * @param {import("./game.js").Game} game
 * @param {(seq: number) => void} tell
 */
async function lead(game, tell) {
  while (!over(game)) {
    await slot((free) => (free ? stream(game, tell) : undefined));
    if (!over(game)) await ask(game, tell, ASIDE);
  }
}

/**
 * Takes one of the few places for streams, which all games in this browser share.
 * @param {(free: boolean) => Promise<void> | undefined} use
 */
async function slot(use) {
  let used = false;
  for (let number = 0; number < STREAMS && !used; number += 1) {
    await navigator.locks.request(`sealedmove-stream-${number}`, { ifAvailable: true }, (lock) => {
      used = lock !== null;
      return lock ? use(true) : undefined;
    });
  }
}

/**
 * Streams until the game ends or the server refuses.
 * @param {import("./game.js").Game} game
 * @param {(seq: number) => void} tell
 * @returns {Promise<void>}
 */
function stream(game, tell) {
  const source = new EventSource(`/v1/games/${game.id}/events?after=${game.head}`);
  source.onopen = () => connected(true);
  source.onmessage = ({ data }) => tell(JSON.parse(data).seq); // in a `reset`, too: the present end of the log
  return new Promise((ended) => {
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) ended();
      else connected(false);
    };
  });
}

/**
 * Polls every few seconds for this long.
 * @param {import("./game.js").Game} game
 * @param {(seq: number) => void} tell
 * @param {number} most
 */
async function ask(game, tell, most) {
  const until = performance.now() + most;
  while (!over(game) && performance.now() < until) {
    const wait = await look(game, tell);
    await pause(wait ?? (document.hidden ? ASK_HIDDEN : ASK) / 1000);
  }
}

/**
 * Polls now and then, and when the tab becomes visible, in case the informing tab has died.
 * @param {import("./game.js").Game} game
 * @param {(seq: number) => void} hear
 */
async function aside(game, hear) {
  /** @type {Promise<unknown> | null} */
  let asked = null; // a network that comes and goes starts no second request beside the first
  const once = () => (asked ??= look(game, hear).finally(() => (asked = null)));
  document.addEventListener("visibilitychange", () => document.hidden || over(game) || void once());
  addEventListener("online", () => void once());
  while (!over(game)) {
    await pause(ASIDE / 1000);
    if (!document.hidden) await once();
  }
}

/**
 * Polls once; returns the seconds until the next poll, if the server asks for a delay.
 * @param {import("./game.js").Game} game
 * @param {(seq: number) => void} tell
 */
async function look(game, tell) {
  try {
    const { head } = await api.get(`/v1/games/${game.id}`, { anonymous: true });
    connected(true);
    if (head.seq !== game.head) tell(head.seq);
    return null;
  } catch (error) {
    if (!(error instanceof api.NoAnswer)) throw error;
    connected(false);
    return error.pause;
  }
}

/** @param {import("./game.js").Game} game */
function over(game) {
  return game.stage === "finished" || game.stage === "cancelled";
}

/** @param {boolean} is */
function connected(is) {
  const says = document.getElementById("connection");
  if (says) says.hidden = is;
}
