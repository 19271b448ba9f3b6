import {
  BackupError,
  bitsOf,
  grouped,
  keepRecovery,
  keptBox,
  lettersOf,
  make,
  makeRecovery,
  mine,
  open,
  persist,
  plain,
  recoveryOf,
  register,
  statement,
  trouble
} from "./chunk-J374VYKZ.js";
import {
  del,
  get,
  post,
  put
} from "./chunk-KHBG72CQ.js";
import {
  b64,
  bytes,
  sha256,
  thumbprint,
  unb64
} from "./chunk-WTO7KCRN.js";
import {
  open as open2
} from "./chunk-2WYNB7VX.js";

// server/http/static/ui/dom.js
function el(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === void 0 || value === false) continue;
    if (typeof value === "object") for (const [kind, does] of Object.entries(value)) made.addEventListener(kind, does);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter(
    /** @returns {child is Node | string} */
    (child) => Boolean(child)
  ));
  return made;
}
function button(says, does, given = {}) {
  return el("button", { type: "button", ...given, on: { click: does } }, says);
}
function sign(sign2, says, does) {
  return button(sign2, does, { class: "second", "aria-label": says, title: says });
}
var focused = (part) => Boolean(part?.contains(document.activeElement));

// server/http/static/ui/dialog.js
var PATIENCE = 500;
var NotYet = class extends Error {
};
function ask(heading, parts, answers) {
  const title = el("h2", { id: `dialog-${crypto.randomUUID()}`, tabindex: "-1" }, heading);
  const dialog = el("dialog", { class: "question", "aria-labelledby": title.id });
  const told = el("p", { class: "told", role: "alert" });
  const bar = el("p", { class: "answers-bar" });
  dialog.append(title, ...parts, told, bar);
  bar.append(...answers.map((answer) => buttonOf(answer, dialog, told, bar)));
  document.body.append(dialog);
  const isBusy = () => bar.hasAttribute("aria-busy");
  return new Promise((keep) => {
    dialog.addEventListener("cancel", (event) => isBusy() && event.preventDefault());
    dialog.addEventListener("close", () => {
      if (isBusy()) return dialog.showModal();
      dialog.remove();
      keep(dialog.returnValue || null);
    });
    dialog.showModal();
    title.focus();
    const wait = held(bar);
    addEventListener("focus", wait);
    dialog.addEventListener("close", () => removeEventListener("focus", wait));
    wait();
  });
}
function held(bar) {
  let timer;
  return () => {
    bar.setAttribute("aria-disabled", "true");
    clearTimeout(timer);
    timer = setTimeout(() => bar.removeAttribute("aria-disabled"), PATIENCE);
  };
}
var paragraph = (says) => el("p", {}, says);
function field(label, given) {
  const input = el("input", { autocomplete: "off", autocapitalize: "none", spellcheck: "false", ...given });
  input.id = `field-${crypto.randomUUID()}`;
  input.addEventListener("keydown", (event) => {
    const first = input.closest("dialog")?.querySelector(".answers-bar button");
    if (event.key === "Enter" && first instanceof HTMLElement) first.click();
  });
  return { input, parts: [el("label", { for: input.id }, label), input] };
}
function buttonOf({ value, says, second, check }, dialog, told, bar) {
  const button2 = el("button", { type: "button", ...second ? { class: "second" } : {} }, says);
  button2.addEventListener("click", async () => {
    if (bar.hasAttribute("aria-busy") || bar.hasAttribute("aria-disabled")) return;
    bar.setAttribute("aria-busy", "true");
    button2.setAttribute("aria-disabled", "true");
    told.textContent = "";
    try {
      await check?.((text) => told.textContent = text);
      dialog.close(value);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      told.textContent = error.message;
      told.scrollIntoView({ block: "nearest" });
      if (!KNOWN.has(error.name)) throw error;
    } finally {
      bar.removeAttribute("aria-busy");
      button2.removeAttribute("aria-disabled");
    }
  });
  return button2;
}
var KNOWN = /* @__PURE__ */ new Set(["NotYet", "BackupError", "Problem", "NoAnswer", "NotSigned", "NotSent", "VerificationError"]);
Object.defineProperty(NotYet.prototype, "name", { value: "NotYet" });

// server/http/static/keys/fingerprint.js
var fingerprint = (kid) => grouped(lettersOf(bitsOf(unb64(kid, 32)).slice(0, 80)));

// server/http/static/flows/key-dialogs.js
var seatKeys = () => import("./seat-keys-IYEQQJPL.js");
async function ready(account) {
  const why = await trouble();
  if (why) return cannot(why);
  const key = await mine(account);
  if (key?.registered && (isGuest() || await isSafe(account))) return key;
  if (!key && await isGuarded()) return enter(account);
  const made = await make(account);
  void persist();
  if (isGuest() || await isSafe(account)) return made;
  const hasBox = await keptBox() !== null;
  return (hasBox ? await safeHere(account) : await secured(account, made)) ? made : null;
}
var isGuest = () => "guest" in document.body.dataset;
async function cannot(why) {
  await ask("This browser cannot sign", [paragraph(why)], [{ value: "ok", says: "Continue without signing" }]);
  return null;
}
async function isSafe(account) {
  const [recovery, declined2] = await Promise.all([
    recoveryOf(account),
    (await open2(account)).get("device", "declined")
  ]);
  return Boolean(recovery?.confirmed || declined2);
}
async function isGuarded() {
  const [box, keys] = await Promise.all([keptBox(), get("/v1/me/keys")]);
  return box !== null || keys.length > 0;
}
async function secured(account, key, more = "") {
  const made = await makeRecovery(account);
  for (; ; ) {
    const answer = await shown(made.code, () => put2(account, made, key, null), { more });
    if (answer !== "without") return answer === "kept";
    if (await declined(account)) return true;
  }
}
function shown(code, keep, { optional = true, more = "" } = {}) {
  const last = code.slice(-4);
  const typed = field("Last four characters of the code", { size: "8", maxlength: "12", class: "group" });
  const check = async (tell) => {
    if (plain(typed.input.value) !== last) {
      throw new NotYet("These are not the last four characters. Save the whole code first, then type them.");
    }
    await keep(tell);
  };
  const parts = [
    paragraph("This browser has made a key for you. The key signs your moves and never leaves this browser."),
    paragraph(
      "If you clear this browser or lose the device, you need this recovery code to continue on another one. It is shown once, and the server never sees it:"
    ),
    el("p", { class: "code", translate: "no" }, code),
    el("p", { class: "quiet" }, `Sealed Move at ${location.host}`),
    ...more ? [paragraph(more)] : [],
    waysToKeep(code),
    ...typed.parts
  ];
  const without = { value: "without", says: "Continue without a code", second: true };
  return ask("Your recovery code", parts, [
    { value: "kept", says: "I have saved it", check },
    ...optional ? [without] : []
  ]);
}
function waysToKeep(code) {
  const bar = el("p", { class: "answers-bar" });
  const say = el("span", { class: "quiet", role: "status" });
  const way = (says, does) => {
    const button2 = el("button", { type: "button", class: "second" }, says);
    button2.addEventListener(
      "click",
      async () => say.textContent = await does().catch(() => "This browser does not allow that. Try another way.")
    );
    return button2;
  };
  bar.append(
    way(
      "Copy for your password manager",
      async () => (await navigator.clipboard.writeText(code), "Copied. Paste it where only you can see it.")
    ),
    way("Save as a file", async () => (saved(code), "Saved as a file.")),
    way("Print", async () => (window.print(), "")),
    say
  );
  return bar;
}
function saved(code) {
  const text = `Recovery code for Sealed Move at ${location.host}

${code}

Anyone who has this code can use your seats on a new device. Keep it where only you can see it.
`;
  const link = el("a", {
    download: "sealed-move-recovery-code.txt",
    href: URL.createObjectURL(new Blob([text], { type: "text/plain" }))
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 6e4);
}
async function put2(account, { recovery, box }, by, etag) {
  const about = b64(await sha256(bytes(box)));
  const proof = await statement(account, "box", about, by);
  const known = etag === null ? { "If-None-Match": "*" } : { "If-Match": etag };
  await put("/v1/me/keybox", { box, x: recovery.jwk.x }, { headers: { ...known, "Sealed-Move-Proof": proof } });
  await keepRecovery(account, { ...recovery, confirmed: true });
}
async function declined(account) {
  const keeps = await persist();
  const parts = [
    paragraph(
      keeps ? "This browser keeps your key until you clear its data for this site." : "This browser may delete your key by itself when it runs out of space."
    ),
    paragraph(
      "Without the key or a recovery code nobody can sign for your seats: not you, not the server, not its operator. The server then plays default moves when your time runs out."
    )
  ];
  const answer = await ask("No recovery code", parts, [
    { value: "back", says: "Back" },
    { value: "lose", says: "Continue without a code and risk my seats", second: true }
  ]);
  if (answer !== "lose") return false;
  await (await open2(account)).put("device", "declined", (/* @__PURE__ */ new Date()).toISOString());
  return true;
}
async function enter(account) {
  const why = await trouble();
  if (why) return cannot(why);
  const parts = [
    paragraph(
      "You have a key on another device, or this browser has lost its key. This browser gets a key of its own, which you now approve for your seats."
    )
  ];
  const answer = await ask("New device", parts, [
    { value: "code", says: "Enter my recovery code" },
    { value: "device", says: "Approve it on my other device", second: true },
    { value: "new", says: "Play at new tables only", second: true }
  ]);
  if (answer === "code") return recover(account);
  if (answer === "device") return beLetIn(account);
  if (answer !== "new") return null;
  const key = await make(account);
  return await safeHere(account) ? key : null;
}
async function safeHere(account) {
  while (!await isSafe(account)) {
    const answer = await ask(
      "Recovery code on this device",
      [paragraph("Enter your recovery code so that it also covers the tables you join from this device.")],
      [
        { value: "code", says: "Enter my recovery code" },
        { value: "without", says: "Continue without it", second: true }
      ]
    );
    if (answer === null) return false;
    if (answer === "code") await recover(account);
    else await declined(account);
  }
  return true;
}
async function recover(account) {
  const why = await trouble();
  if (why) return cannot(why);
  const typed = field("Recovery code", { type: "password" });
  const got = { key: null, done: [] };
  const check = (alone) => async (tell) => {
    const recovery = await opened(account, typed.input.value);
    const key = await make(account);
    await letInBy(account, key, recovery);
    const others = await otherKeys(key.kid);
    if (alone) await dropAll(account, others, recovery);
    const { replaceEverywhere } = await seatKeys();
    const keys = alone ? [key] : [key, ...others.filter(({ counts }) => counts)];
    got.done = await replaceEverywhere(account, { keys }, recovery, counted(tell, "Adding this device to your seats"));
    await keepRecovery(account, { kid: recovery.kid, jwk: recovery.jwk, confirmed: true });
    got.key = key;
    typed.input.value = "";
  };
  const parts = [
    paragraph("The code opens your key backup in this browser. It is not sent anywhere."),
    ...typed.parts,
    paragraph(
      "If another device was lost or stolen, remove all other devices. After that nobody can move for you with them."
    )
  ];
  const answer = await ask("Your recovery code", parts, [
    { value: "open", says: "Open the key backup", check: check(false) },
    { value: "open", says: "Open it and remove all other devices", second: true, check: check(true) },
    { value: "back", says: "Cancel", second: true }
  ]);
  if (answer !== "open") return null;
  await tellLeft("Seats without this device", "This device's key could not be added at these tables:", got.done);
  return got.key;
}
var counted = (tell, says) => ({ game }, count) => tell(`${says} (${count}): ${game.type}`);
async function tellLeft(heading, says, done) {
  const left = done.flatMap(({ game, wrong }) => wrong ? [`${game.type}: ${wrong.message}`] : []);
  const list = el("ul", {}, ...left.map((line) => el("li", {}, line)));
  if (left.length) await ask(heading, [paragraph(says), list], [{ value: "ok", says: "Continue" }]);
}
async function otherKeys(own) {
  const found = [];
  for (const { x, counts } of await get("/v1/me/keys")) {
    const jwk = { crv: "Ed25519", kty: "OKP", x };
    found.push({ kid: await thumbprint(jwk), jwk, counts });
  }
  return found.filter(({ kid }) => kid !== own);
}
async function dropAll(account, keys, by) {
  for (const { kid } of keys) await dropFromAccount(account, kid, by);
}
async function dropFromAccount(account, kid, by) {
  const proof = await statement(account, "drop-key", kid, by);
  await del(`/v1/me/keys/${kid}`, void 0, { headers: { "Sealed-Move-Proof": proof } });
}
async function opened(account, code, also = false) {
  const kept = await keptBox();
  for (const box of kept && also ? [kept.box, ...kept.former] : []) {
    const found = await open(box, code, account).catch(unlessWrongCode);
    if (found) return found;
  }
  if (kept) return open(kept.box, code, account);
  throw new NotYet(
    "The server does not have a key backup of your account, so the code opens nothing here. Your seats keep the recovery key that they have."
  );
}
var unlessWrongCode = (error) => error instanceof BackupError && error.code === "wrong-code" ? null : Promise.reject(error);
async function letInBy(account, { kid }, by) {
  const known = (await get("/v1/me/keys")).find((one) => one.kid === kid);
  if (known?.counts !== false) return;
  const proof = await statement(account, "let-in", kid, by);
  await post(`/v1/me/keys/${kid}/let-in`, {}, { headers: { "Sealed-Move-Proof": proof } });
}
async function beLetIn(account) {
  const key = await make(account);
  await register(key);
  const check = async () => {
    const listed = await get("/v1/me/keys");
    if (!listed.find((one) => one.kid === key.kid)?.counts) {
      throw new NotYet("Your other device has not approved this one yet.");
    }
  };
  const parts = [
    paragraph(
      "On your other device, open your account page within ten minutes, choose “Approve a device” and type these sixteen characters. They identify this device's key."
    ),
    el("p", { class: "code", translate: "no" }, fingerprint(key.kid))
  ];
  const answer = await ask("Approval of this device", parts, [
    { value: "done", says: "Continue", check },
    { value: "back", says: "Cancel", second: true }
  ]);
  return answer === "done" && await safeHere(account) ? key : null;
}

export {
  el,
  button,
  sign,
  focused,
  NotYet,
  ask,
  paragraph,
  field,
  fingerprint,
  seatKeys,
  ready,
  secured,
  shown,
  put2 as put,
  enter,
  counted,
  tellLeft,
  otherKeys,
  dropAll,
  dropFromAccount,
  opened,
  letInBy
};
