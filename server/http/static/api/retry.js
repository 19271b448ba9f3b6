// Repeats requests that got no answer, because of a restart or a lost connection. Refused ones are not repeated.

import * as api from "./api.js";

const TRIES = 6;

/** @template T @param {() => Promise<T>} ask @returns {Promise<T>} */
export async function withRetries(ask) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof api.NoAnswer) || tries === TRIES) throw error;
      await pause(error.pause ?? tries);
    }
  }
}

/** Waits this long, or until the device is online again. @param {number} seconds @returns {Promise<void>} */
export function pause(seconds) {
  return new Promise((done) => {
    const ends = () => {
      clearTimeout(timer);
      removeEventListener("online", ends);
      done();
    };
    const timer = setTimeout(ends, seconds * 1000);
    addEventListener("online", ends);
  });
}
