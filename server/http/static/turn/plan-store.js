// Stores the draft move by account and game until it is sent; other tabs are informed.
//
// In a browser that stores nothing the draft lasts as long as the page. The server may have another one, which the
// player has mailed.

import * as api from "../api/api.js";
import * as plans from "./plan.js";
import { open } from "../keys/store.js";

/** @typedef {import("./plan.js").Kept} Kept */

export class PlanStore {
  /**
   * @param {string | number | null} account
   * @param {string} id
   * @param {(kept: Kept | null) => void} heard another tab has changed it
   */
  constructor(account, id, heard) {
    this.account = account;
    this.id = id;
    this.channel = new BroadcastChannel(`sealedmove-plan-${account}-${id}`);
    this.channel.onmessage = () => void this.load().then(heard);
  }

  /** @returns {Promise<Kept | null>} */
  async load() {
    return this.#tried(async (store) => plans.read(await store.get("plans", this.id)));
  }

  /** @param {import("./plan.js").Step[]} steps @param {import("./plan.js").Head | null} head */
  async save(steps, head) {
    await this.#tried(async (store) => {
      if (steps.length) await store.put("plans", this.id, { steps, head, at: new Date().toISOString() });
      else await store.del("plans", this.id);
      this.channel.postMessage(null);
      return null;
    });
  }

  /** @template T @param {(store: import("../keys/store.js").Store) => Promise<T>} does @returns {Promise<T | null>} */
  async #tried(does) {
    if (this.account === null) return null;
    try {
      return await does(await open(this.account));
    } catch {
      return null;
    }
  }
}

/** @typedef {{notation: string, at: string, fresh: boolean}} Mailed */

/** The mailed draft of this seat, or null. @param {string} id @returns {Promise<Mailed | null>} */
export function mailed(id) {
  return api.get(`/v1/games/${id}/plan`).catch(() => null); // deleted in the meantime
}

/** @param {string} id */
export const dropMailed = (id) => api.del(`/v1/games/${id}/plan`).catch(() => null);
