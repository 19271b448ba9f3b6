// server/http/static/keys/store.js
var VERSION = 1;
var STORES = ["device", "games", "lines", "sent", "evidence", "plans"];
var nameOf = (account) => `sealedmove-${account}`;
var opened = /* @__PURE__ */ new Map();
function open(account) {
  const name = nameOf(account);
  const found = opened.get(name) ?? connected(name).then((database) => new Store(database));
  opened.set(name, found);
  found.catch(() => opened.delete(name));
  return found;
}
async function erase(account) {
  const name = nameOf(account);
  const found = await opened.get(name)?.catch(() => null);
  found?.close();
  opened.delete(name);
  await done(indexedDB.deleteDatabase(name));
}
async function connected(name) {
  const asked = indexedDB.open(name, VERSION);
  asked.onupgradeneeded = () => STORES.forEach((store) => asked.result.createObjectStore(store));
  const database = await done(asked);
  database.onversionchange = () => {
    database.close();
    opened.delete(name);
  };
  database.onclose = () => opened.delete(name);
  return database;
}
var done = (request) => new Promise((keep, fail) => {
  request.onsuccess = () => keep(request.result);
  request.onerror = () => fail(request.error);
});
var Store = class {
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
      all.oncomplete = () => keep(void 0);
      all.onabort = all.onerror = () => fail(all.error);
    });
    make((store) => all.objectStore(store));
    return (
      /** @type {Promise<void>} */
      end
    );
  }
};
var under = (begin) => begin.length ? IDBKeyRange.bound(begin, [...begin, []]) : void 0;

export {
  open,
  erase
};
