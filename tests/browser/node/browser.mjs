// As much of a browser as the scripts of a seat need: one account with a device key and one game, whose server logs
// every act that it is sent.
import { checkedGame } from "../../../server/http/static/game/checked-game.js";
import { publicJwk, thumbprint } from "../../../server/http/static/record/jwk.js";

const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** A key pair that this name yields. */
async function keyNamed(name) {
  const seed = Buffer.alloc(32, name);
  const key = await crypto.subtle.importKey("pkcs8", Buffer.concat([PKCS8, seed]), "Ed25519", true, ["sign"]);
  const jwk = await publicJwk(key);
  return { kid: await thumbprint(jwk), jwk, key, registered: true };
}

const own = await keyNamed("own");
const mine = (seat) => ({ games: [{ id: "g", type: "pig", seat }], next: null });

const request = (result) => {
  const made = { result };
  queueMicrotask(() => made.onsuccess?.());
  return made;
};
const objectStore = () => ({
  get: (key) => request(key === "key" ? own : undefined),
  getAllKeys: () => request([]),
});
const locks = { request: async (_name, work) => work() };
Object.defineProperty(globalThis, "navigator", { value: { locks, onLine: true }, configurable: true });
globalThis.location = { host: "games.example" };
globalThis.indexedDB = { open: () => request({ transaction: () => ({ objectStore }) }) };

const pair = (key) => key && [key.kid, new Uint8Array()];
const payload = (jws) => JSON.parse(Buffer.from(jws.split(".")[1], "base64url").toString());
const header = (jws) => JSON.parse(Buffer.from(jws.split(".")[0], "base64url").toString());

/**
 * Does this with the account's one game, in which its seat has this holder; returns the result, and what was sent.
 * @param {{keys: any[], recovery: any, signed: any[], offer?: any}} holder
 * @param {(game: any) => Promise<any>} does
 * @param {object} how `listed`: the seat in the server's list of games; `named`: the one that the page names
 */
async function seated(holder, does, { stage = "running", listed = 0, named = null, registered = true } = {}) {
  const sent = [];
  own.registered = registered;
  const signed = holder.signed.map(({ kid }) => kid);
  const seat = {
    signed,
    holder: { offer: null, ...holder, signed, keys: holder.keys.map(pair), recovery: pair(holder.recovery) },
  };
  const created = { unsigned: false, hidden: false };
  const table = { stage, seats: [seat], size: 1, head: "", at: "2026-11-21T10:00:00Z", created };
  const game = checkedGame(7, "g");
  const memory = { pending: async () => [], kept: async () => ({}), keep: async () => {} };
  Object.assign(memory, { sign: async () => {}, settle: async () => {} });
  Object.assign(game, { named, hashes: [""], entries: [{}], memory: async () => memory });
  game.check = async () => ({ table, waits: false, ahead: 0, skew: 0, odd: [] });
  game.take = async (_lines, _note, { sent: jws }) =>
    void (game.entries[1] = { seq: 1, at: new Date().toISOString(), body: { jws } });
  globalThis.fetch = async (path, { body }) => {
    if (body === undefined) return Response.json(path.includes("running") ? mine(listed) : { games: [], next: null });
    const { jws } = JSON.parse(body);
    sent.push({ ...payload(jws), by: header(jws).kid });
    return Response.json({ entry: "", note: "" });
  };
  return { done: await does(game), sent };
}

export const browser = { keyNamed, seated };
