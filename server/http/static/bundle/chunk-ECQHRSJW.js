import {
  NotSent,
  NotSigned,
  checkedGame,
  join
} from "./chunk-5Y45MAQH.js";
import {
  ready
} from "./chunk-GKU24XFM.js";
import {
  NoAnswer,
  Problem,
  post
} from "./chunk-KHBG72CQ.js";

// server/http/static/flows/open-table.js
async function open(wish, { sit }) {
  const account = mine();
  if (sit && !await ready(account)) return null;
  if ("guest" in document.body.dataset) Object.assign(wish, { handover: "none", door: "link" });
  const made = await opened(wish);
  if (sit) await seated(account, made.id, { unsigned: Boolean(wish.unsigned) });
  return `/games/${made.id}`;
}
function mine() {
  return document.body.dataset.account ?? "";
}
async function begin() {
  if (mine()) return;
  const { account } = await post("/v1/guests");
  Object.assign(document.body.dataset, { account: String(account), guest: "" });
}
async function seated(account, id, consent) {
  try {
    await join(checkedGame(account, id), 0, consent);
  } catch (error) {
    if (!(error instanceof Problem || error instanceof NoAnswer || error instanceof NotSigned || error instanceof NotSent)) {
      throw error;
    }
  }
}
var unanswered = (
  /** @type {Map<string, string>} */
  /* @__PURE__ */ new Map()
);
async function opened(wish) {
  const asked = JSON.stringify(wish);
  const key = unanswered.get(asked) ?? crypto.randomUUID();
  unanswered.delete(asked);
  try {
    return await patient(() => post("/v1/games", wish, { headers: { "Idempotency-Key": key } }));
  } catch (error) {
    if (error instanceof NoAnswer) unanswered.set(asked, key);
    throw error;
  }
}
async function patient(ask) {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    await new Promise((done) => setTimeout(done, (error.pause ?? 1) * 1e3));
    return ask();
  }
}

export {
  open,
  begin
};
