// This browser's store for an account: an IndexedDB for each, so that accounts do not see each other's data.
//
//     const store = await open(account);
//     await store.put("games", id, { note });
//
// The promise of a write resolves when the transaction is on disk (`durability: "strict"`).

/** @typedef {"device" | "games" | "lines" | "sent" | "evidence" | "plans"} StoreName */

const VERSION = 1;
/** @type {StoreName[]} */
const STORES = ["device", "games", "lines", "sent", "evidence", "plans"];

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

/** Deletes everything stored for this account; other tabs close it. @param {string | number} account */
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
  asked.onupgradeneeded = () => STORES.forEach((store) => asked.result.createObjectStore(store));
  const database = await done(asked);
  database.onversionchange = () => {
    database.close(); // another tab signs out, and must not wait for this one
    opened.delete(name);
  };
  database.onclose = () => opened.delete(name); // the browser has closed it by itself
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

  /** @param {StoreName} store @param {IDBValidKey} key @returns {Promise<any>} undefined if there is none */
  get(store, key) {
    return done(this.database.transaction(store).objectStore(store).get(key));
  }

  /**
   * All values of keys that begin with these parts, by key.
   * @param {StoreName} store
   * @param {...IDBValidKey} begin
   * @returns {Promise<any[]>}
   */
  all(store, ...begin) {
    return done(this.database.transaction(store).objectStore(store).getAll(under(begin)));
  }

  /** Their keys. @param {StoreName} store @param {...IDBValidKey} begin @returns {Promise<any[]>} */
  keys(store, ...begin) {
    return done(this.database.transaction(store).objectStore(store).getAllKeys(under(begin)));
  }

  /** @param {StoreName} store @param {IDBValidKey} key @param {any} value */
  put(store, key, value) {
    return this.change([store], (at) => void at(store).put(value, key));
  }

  /** @param {StoreName} store @param {IDBValidKey} key */
  del(store, key) {
    return this.change([store], (at) => void at(store).delete(key));
  }

  /**
   * Several changes in one transaction. `make` must request them all without waiting for anything.
   * @param {StoreName[]} stores
   * @param {(at: (store: StoreName) => IDBObjectStore) => void} make
   * @returns {Promise<void>}
   */
  change(stores, make) {
    const all = this.database.transaction(stores, "readwrite", { durability: "strict" });
    const end = new Promise((keep, fail) => {
      all.oncomplete = () => keep(undefined);
      all.onabort = all.onerror = () => fail(all.error);
    });
    make((store) => all.objectStore(store));
    return /** @type {Promise<void>} */ (end);
  }
}

/** @param {IDBValidKey[]} begin */
const under = (begin) => (begin.length ? IDBKeyRange.bound(begin, [...begin, []]) : undefined);
