// A store of files that only their owner can read; each file is whole or not there.
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
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
      try {
        await forced(await open(part, "wx", 0o600), JSON.stringify(value));
        await rename(part, path(name));
      } finally {
        await rm(part, { force: true });
      }
      const names = await open(folder).catch(() => null); // Windows opens no folder
      if (names) await forced(names);
    },
  };
}

/**
 * Write the text, if there is one, and force the file, or the names in a folder, to the disk.
 * @param {import("node:fs/promises").FileHandle} file @param {string} [text]
 */
async function forced(file, text) {
  try {
    if (text !== undefined) await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
