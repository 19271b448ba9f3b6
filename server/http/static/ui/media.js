// What the device and its window are like now, and when that changes.

/**
 * A media query that can be read at any time. Chromium reports no change to a `MediaQueryList` that was read between
 * the change and the next frame, so one list is read and another one listens.
 */
export class Media {
  #read;
  #heard;

  /** @param {string} query */
  constructor(query) {
    this.#read = matchMedia(query);
    this.#heard = matchMedia(query);
  }

  get matches() {
    return this.#read.matches;
  }

  /** @param {() => void} call */
  onChange(call) {
    this.#heard.addEventListener("change", call);
  }
}
