// Hears of new entries while a page of a game is open: by a stream of events where one is to be had, else by asking.
//
// A browser opens six connections to a host and no more, so of all tabs of a game one holds the stream, under a lock,
// and tells the others; and of all games three at most have one. Whoever has none asks every few seconds, and waits as
// long as the server says. Browsers without locks (plain http elsewhere than on this machine) ask.

import * as api from "../api/api.js";
import { pause } from "../api/retry.js";

const STREAMS = 3;
const ASK = 5_000;
const ASK_HIDDEN = 60_000;
const TRIES = 100;
const ASIDE = 30_000; // how often a tab that is told by another makes sure, and when a stream is tried again

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
  if (over(game)) void judged(game);
  else if (navigator.locks) {
    void navigator.locks.request(`sealedmove-${game.id}`, () => lead(game, tell));
    void aside(game, (seq) => void news.hear(seq));
  } else void ask(game, tell, Infinity);
}

/** Soon after the end the server's audit is made: then it is shown, too. @param {import("./game.js").Game} game */
async function judged(game) {
  if (game.stage !== "finished") return;
  for (let wait = 1; wait < 100 && !document.querySelector("#audit details"); wait *= 2) {
    await pause(wait);
    const { verdict } = await api.get(`/v1/games/${game.id}/audit`).catch(() => ({ verdict: null }));
    if (verdict) await game.renew().catch(() => undefined);
  }
}

/** What was heard of last; the page is renewed until it shows it, one time after the other. */
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
      if (this.last === heard) this.last = this.game.head; // it may show more by now, or less after a restore
    } catch (error) {
      connected(false);
      await pause((error instanceof api.NoAnswer && error.pause) || ASK / 1000);
    }
  }
}

/**
 * This tab holds the lock for as long as it is open: it streams, or asks for a while.
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
 * One of the few places for streams that all games of this browser share.
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
 * Until it ends: with the game, or since the server holds none.
 * @param {import("./game.js").Game} game
 * @param {(seq: number) => void} tell
 * @returns {Promise<void>}
 */
function stream(game, tell) {
  const source = new EventSource(`/v1/games/${game.id}/events?after=${game.head}`);
  source.onopen = () => connected(true);
  source.onmessage = ({ data }) => tell(JSON.parse(data).seq); // also of a `reset`: where the log ends now
  return new Promise((ended) => {
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) ended();
      else connected(false);
    };
  });
}

/**
 * Ask every few seconds, for so long.
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
 * Make sure now and then, and when the tab comes forward, that the one who tells is alive.
 * @param {import("./game.js").Game} game
 * @param {(seq: number) => void} hear
 */
async function aside(game, hear) {
  document.addEventListener("visibilitychange", () => document.hidden || over(game) || void look(game, hear));
  addEventListener("online", () => void look(game, hear));
  while (!over(game)) {
    await pause(ASIDE / 1000);
    if (!document.hidden) await look(game, hear);
  }
}

/**
 * One question; in how many seconds to ask again, if the server has said.
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
