// Where a game keeps what it has checked and signed: `get` and `put` of JSON values by name. Keep it as long as the game
// runs. Without it a restarted program could sign a second act for one place of the log.

/** @typedef {{get(name: string): Promise<any>, put(name: string, value: any): Promise<void>}} Store */

/** A store that ends with the process. @returns {Store} */
export function memoryStore() {
  /** @type {Map<string, string>} */
  const kept = new Map();
  return {
    get: async (name) => JSON.parse(kept.get(name) ?? "null"),
    put: async (name, value) => void kept.set(name, JSON.stringify(value)),
  };
}
