// A store of files that only their owner can read; each file is whole or not there.
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";

/** @param {string} folder @returns {import("./store.js").Store} */
export function fileStore(folder) {
  const path = (/** @type {string} */ name) => join(folder, `${encodeURIComponent(name)}.json`);
  return {
    async get(name) {
      try {
        return JSON.parse(await readFile(path(name), "utf8"));
      } catch (error) {
        if (/** @type {any} */ (error).code === "ENOENT") return null;
        throw error;
      }
    },
    async put(name, value) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const part = `${path(name)}.${crypto.randomUUID()}`;
      const file = await open(part, "wx", 0o600);
      try {
        await file.writeFile(JSON.stringify(value));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, path(name));
    },
  };
}
