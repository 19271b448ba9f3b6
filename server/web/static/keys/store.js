// What this browser keeps for one account, in an IndexedDB of its own: nothing of one person is found by another.
//
//     const store = await open(account);
//     await store.put("games", id, { note });
//
// A promise for a write is kept when the transaction is on disk (`durability: "strict"`), not before.

/** @typedef {"device" | "games" | "lines" | "sent" | "evidence" | "plans"} Shelf */

const VERSION = 1;
/** @type {Shelf[]} */
const SHELVES = ["device", "games", "lines", "sent", "evidence", "plans"];

/** @param {string | number} account */
const nameOf = (account) => `sealedmove-${account}`;

/** @type {Map<string, Promise<Store>>} */
const opened = new Map();

/** The store of this account, made if there is none. @param {string | number} account @returns {Promise<Store>} */
export function open(account) {
  const name = nameOf(account);
  const found = opened.get(name) ?? connected(name).then((database) => new Store(database));
  opened.set(name, found);
  found.catch(() => opened.delete(name));
  return found;
}

/** Everything that is kept here for this account is gone; other tabs let go of it. @param {string | number} account */
export async function erase(account) {
  const name = nameOf(account);
  const found = await opened.get(name)?.catch(() => null);
  found?.close();
  opened.delete(name);
  await done(indexedDB.deleteDatabase(name));
}

/** @param {string} name @returns {Promise<IDBDatabase>} */
async function connected(name) {
  const asked = indexedDB.open(name, VERSION);
  asked.onupgradeneeded = () => SHELVES.forEach((shelf) => asked.result.createObjectStore(shelf));
  const database = await done(asked);
  database.onversionchange = () => {
    database.close(); // another tab signs out, and must not wait for this one
    opened.delete(name);
  };
  return database;
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) =>
  new Promise((keep, fail) => {
    request.onsuccess = () => keep(request.result);
    request.onerror = () => fail(request.error);
  });

export class Store {
  /** @param {IDBDatabase} database */
  constructor(database) {
    this.database = database;
  }

  close() {
    this.database.close();
  }

  /** @param {Shelf} shelf @param {IDBValidKey} key @returns {Promise<any>} undefined if there is none */
  get(shelf, key) {
    return done(this.database.transaction(shelf).objectStore(shelf).get(key));
  }

  /** All values of keys that begin with these parts, by key. @param {Shelf} shelf @param {...IDBValidKey} begin @returns {Promise<any[]>} */
  all(shelf, ...begin) {
    return done(this.database.transaction(shelf).objectStore(shelf).getAll(under(begin)));
  }

  /** Their keys. @param {Shelf} shelf @param {...IDBValidKey} begin @returns {Promise<any[]>} */
  keys(shelf, ...begin) {
    return done(this.database.transaction(shelf).objectStore(shelf).getAllKeys(under(begin)));
  }

  /** @param {Shelf} shelf @param {IDBValidKey} key @param {any} value */
  put(shelf, key, value) {
    return this.change([shelf], (at) => void at(shelf).put(value, key));
  }

  /** @param {Shelf} shelf @param {IDBValidKey} key */
  del(shelf, key) {
    return this.change([shelf], (at) => void at(shelf).delete(key));
  }

  /**
   * Several changes, all or none of them. `make` says them at once, without waiting for anything.
   * @param {Shelf[]} shelves @param {(at: (shelf: Shelf) => IDBObjectStore) => void} make @returns {Promise<void>}
   */
  change(shelves, make) {
    const all = this.database.transaction(shelves, "readwrite", { durability: "strict" });
    const end = new Promise((keep, fail) => {
      all.oncomplete = () => keep(undefined);
      all.onabort = all.onerror = () => fail(all.error);
    });
    make((shelf) => all.objectStore(shelf));
    return /** @type {Promise<void>} */ (end);
  }
}

/** @param {IDBValidKey[]} begin */
const under = (begin) => (begin.length ? IDBKeyRange.bound(begin, [...begin, []]) : undefined);
