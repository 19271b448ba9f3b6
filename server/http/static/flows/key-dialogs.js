// Dialogs about keys: the first key and its recovery code, a new device, signing out. Opened by lobby, account and
// panel.
//
//     const key = await keyDialogs.ready(account);       // before anybody joins; null if the person turned away
//     if (!key) return;
//
// The recovery code is shown and typed here and nowhere else. It is put into no address, no form, no store and no
// request.
import * as api from "../api/api.js";
import { kidOf, open as openBox } from "../keys/key-backup.js";
import { b64, bytes, sha256 } from "../record/canonical.js";
import { ask, field, NotYet, paragraph } from "../ui/dialog.js";
import { el } from "../ui/dom.js";
import { thumbprint } from "../record/jwk.js";
import { fingerprint } from "../keys/fingerprint.js";
import { make, mine, persist, register, statement, trouble } from "../keys/device-key.js";
import { grouped, plain } from "../keys/base32.js";
import { keepRecovery, keptBox, makeRecovery, recoveryOf } from "../keys/recovery-key.js";
import { addEverywhere, replaceEverywhere } from "../game/seat-keys.js";
import { erase, open as openStore } from "../keys/store.js";

/** @typedef {import("../keys/device-key.js").DeviceKey} DeviceKey */
/** @typedef {import("../keys/device-key.js").Signer} Signer */
/** @typedef {import("../keys/key-backup.js").RecoveryKey} RecoveryKey */
/** @typedef {import("../keys/recovery-key.js").Recovery} Recovery */

/**
 * A key on this device, and a recovery code that is kept or declined in words; asks only what is still open.
 * @param {string | number} account @returns {Promise<DeviceKey | null>}
 */
export async function ready(account) {
  const why = await trouble();
  if (why) return cannot(why);
  const key = await mine(account);
  if (key?.registered && (await isSafe(account))) return key;
  if (!key && (await isGuarded())) return enter(account);
  const made = await make(account);
  void persist(); // some browsers ask their user, who need not answer now
  return (await isSafe(account)) || (await secured(account, made)) ? made : null;
}

/** @param {string} why */
async function cannot(why) {
  await ask("This browser cannot sign", [paragraph(why)], [{ value: "ok", says: "Just watch" }]);
  return null;
}

/** Is the code kept, or its lack accepted? @param {string | number} account */
async function isSafe(account) {
  const [recovery, declined] = await Promise.all([
    recoveryOf(account),
    (await openStore(account)).get("device", "declined"),
  ]);
  return Boolean(recovery?.confirmed || declined);
}

/** Has the account another device already, or a key box? */
async function isGuarded() {
  const [box, keys] = await Promise.all([keptBox(), api.get("/v1/me/keys")]);
  return box !== null || keys.length > 0;
}

// --- the recovery code -----------------------------------------------------------------------------------------------

/**
 * The code is shown, and kept or declined.
 * @param {string | number} account
 * @param {DeviceKey} key
 * @returns {Promise<boolean>} false: turned away
 */
async function secured(account, key) {
  const made = await makeRecovery(account);
  for (;;) {
    const answer = await shown(made.code, () => put(account, made, key, null));
    if (answer !== "without") return answer === "kept";
    if (await declined(account)) return true;
  }
}

/** @param {string} code @param {() => Promise<void>} keep @param {boolean} [optional] may it be declined? */
function shown(code, keep, optional = true) {
  const last = code.slice(-4);
  const typed = field("To be sure: type its last group of four", { size: "8", maxlength: "12", class: "group" });
  const check = async () => {
    if (plain(typed.input.value) !== last) {
      throw new NotYet("That is not the last group. Keep the whole code first, then type its last four letters.");
    }
    await keep();
  };
  const parts = [
    paragraph(
      "A key was made for you. It stays in this browser, nobody can take it out, and every move of yours is " +
        "signed with it.",
    ),
    paragraph(
      "If this browser is cleared, or the device is lost, this recovery code lets your next one go on. It is " +
        "shown once, and the server never sees it:",
    ),
    el("p", { class: "code", translate: "no" }, code),
    el("p", { class: "quiet" }, `Sealed Move at ${location.host}`),
    waysToKeep(code),
    ...typed.parts,
  ];
  const without = { value: "without", says: "Go on without a code", second: true };
  return ask("Your recovery code", parts, [
    { value: "kept", says: "I have kept it", check },
    ...(optional ? [without] : []),
  ]);
}

/** @param {string} code */
function waysToKeep(code) {
  const bar = el("p", { class: "answers-bar" });
  const say = el("span", { class: "quiet", role: "status" });
  const way = (/** @type {string} */ says, /** @type {() => Promise<string>} */ does) => {
    const button = el("button", { type: "button", class: "second" }, says);
    button.addEventListener(
      "click",
      async () => (say.textContent = await does().catch(() => "That did not work here.")),
    );
    return button;
  };
  bar.append(
    way(
      "Copy for your password manager",
      async () => (await navigator.clipboard.writeText(code), "Copied. Paste it where only you look."),
    ),
    way("Save as a file", async () => (saved(code), "Saved as a file.")),
    way("Print", async () => (window.print(), "")),
    say,
  );
  return bar;
}

/** @param {string} code */
function saved(code) {
  const text =
    `Recovery code of Sealed Move at ${location.host}\n\n${code}\n\nWho has it can let a device into ` +
    `your seats. Keep it where only you look.\n`;
  const link = el("a", {
    download: "sealed-move-recovery-code.txt",
    href: URL.createObjectURL(new Blob([text], { type: "text/plain" })),
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * The box goes to the server; the code does not.
 * @param {string | number} account
 * @param {{recovery: Recovery, box: string}} made
 * @param {Signer} by
 * @param {string | null} etag of the box that it takes the place of
 */
async function put(account, { recovery, box }, by, etag) {
  const about = b64(await sha256(bytes(box)));
  const proof = await statement(account, "box", about, by);
  const known = etag === null ? { "If-None-Match": "*" } : { "If-Match": etag };
  await api.put("/v1/me/keybox", { box, x: recovery.jwk.x }, { headers: { ...known, "Sealed-Move-Proof": proof } });
  await keepRecovery(account, { ...recovery, confirmed: true });
}

/** The loss is accepted in words. @param {string | number} account */
async function declined(account) {
  const keeps = await persist();
  const says = keeps
    ? "This browser will keep your key until you clear its data for this site. If you do, or if the device is lost,"
    : "This browser may throw your key away by itself, when it needs room. If it does, or if the device is lost,";
  const parts = [
    paragraph(
      `${says} nobody can play your seats any more: not you, not the server, not its operator. The clock will ` +
        `play them.`,
    ),
  ];
  const answer = await ask("Without a code", parts, [
    { value: "back", says: "Back" },
    { value: "lose", says: "I accept that I lose my seats if this browser loses its data", second: true },
  ]);
  if (answer !== "lose") return false;
  await (await openStore(account)).put("device", "declined", new Date().toISOString());
  return true;
}

// --- a new device ----------------------------------------------------------------------------------------------------

/**
 * On a device whose key plays not all the seats of its account.
 * @param {string | number} account
 * @returns {Promise<DeviceKey | null>}
 */
export async function enter(account) {
  const why = await trouble();
  if (why) return cannot(why);
  const parts = [
    paragraph(
      "You have signed on another device, or this browser has lost its key. Here it has a key of its own, which " +
        "is let into your seats.",
    ),
  ];
  const answer = await ask("A new device", parts, [
    { value: "code", says: "Type my recovery code" },
    { value: "device", says: "Let it in from my other device", second: true },
    { value: "new", says: "Play at new tables only", second: true },
  ]);
  if (answer === "code") return recover(account);
  if (answer === "device") return beLetIn(account);
  if (answer !== "new") return null;
  const key = await make(account);
  return (await safeHere(account)) ? key : null;
}

/**
 * Which recovery key the tables that are joined from here name only the code tells: the server's word would not do.
 * @param {string | number} account
 */
async function safeHere(account) {
  while (!(await isSafe(account))) {
    const answer = await ask(
      "Your recovery code, here",
      [paragraph("With it the tables that you join from this device can be got back, too.")],
      [
        { value: "code", says: "Type my recovery code" },
        { value: "without", says: "Go on without it", second: true },
      ],
    );
    if (answer === null) return false;
    if (answer === "code") await recover(account);
    else await declined(account);
  }
  return true;
}

/**
 * On a new device: the code is typed, and this device's key is added to every seat. The recovery key is forgotten
 * again.
 * @param {string | number} account @returns {Promise<DeviceKey | null>}
 */
export async function recover(account) {
  const why = await trouble();
  if (why) return cannot(why);
  const typed = field("Recovery code", { type: "password" });
  /** @type {{key: DeviceKey | null, left: string[]}} */
  const got = { key: null, left: [] };
  const check = async (/** @type {(says: string) => void} */ tell) => {
    const recovery = await opened(account, typed.input.value);
    const key = await make(account);
    await letInBy(account, key, recovery);
    const done = await addEverywhere(account, key, recovery, ({ game }, count) =>
      tell(`Seat at ${game.type}, one of ${count}, is yours here.`),
    );
    await keepRecovery(account, { kid: recovery.kid, jwk: recovery.jwk, confirmed: true });
    got.key = key;
    got.left = done.flatMap(({ game, wrong }) => (wrong ? [`${game.type}: ${wrong.message}`] : []));
    typed.input.value = "";
  };
  const parts = [paragraph("The code opens your key box in this browser; it is not sent anywhere."), ...typed.parts];
  const answer = await ask("Type your recovery code", parts, [
    { value: "open", says: "Open the key box", check },
    { value: "back", says: "Not now", second: true },
  ]);
  if (answer === "open" && got.left.length) {
    await ask(
      "Not every seat",
      [paragraph("At these tables this device's key could not be added:"), listed(got.left)],
      [{ value: "ok", says: "Go on" }],
    );
  }
  return answer === "open" ? got.key : null;
}

/** @param {string[]} lines */
function listed(lines) {
  const list = el("ul");
  list.append(...lines.map((line) => el("li", {}, line)));
  return list;
}

/** @param {string | number} account @param {string} code @returns {Promise<RecoveryKey>} */
async function opened(account, code) {
  const kept = await keptBox();
  if (!kept) throw new NotYet("This account has no key box: no recovery code was made for it.");
  return openBox(kept.box, code, account);
}

/**
 * From now on the key signs for the account, too.
 * @param {string | number} account
 * @param {{kid: string}} key
 * @param {Signer} by
 */
async function letInBy(account, { kid }, by) {
  const known = (await api.get("/v1/me/keys")).find((/** @type {any} */ one) => one.kid === kid);
  if (known?.counts !== false) return;
  const proof = await statement(account, "let-in", kid, by);
  await api.post(`/v1/me/keys/${kid}/let-in`, {}, { headers: { "Sealed-Move-Proof": proof } });
}

/** The other device types what this one shows. @param {string | number} account @returns {Promise<DeviceKey | null>} */
async function beLetIn(account) {
  const key = await make(account);
  await register(key); // asks anew: a device that asks can be let in for ten minutes
  const check = async () => {
    const listed = await api.get("/v1/me/keys");
    if (!listed.find((/** @type {any} */ one) => one.kid === key.kid)?.counts) {
      throw new NotYet("Your other device has not let this one in yet.");
    }
  };
  const parts = [
    paragraph(
      "Within ten minutes, on your other device: open your account page, choose “Let a device in”, " +
        "and type these sixteen letters. They name this device's key.",
    ),
    el("p", { class: "code", translate: "no" }, fingerprint(key.kid)),
  ];
  const answer = await ask("Let this device in", parts, [
    { value: "done", says: "It has let me in", check },
    { value: "back", says: "Not now", second: true },
  ]);
  return answer === "done" && (await safeHere(account)) ? key : null;
}

/**
 * On a device whose key counts: another one is let in by the letters that it shows. There is no yes-button: the list of
 * keys comes from the server, and the letters name the very key.
 * @param {string | number} account @returns {Promise<boolean>}
 */
export async function letIn(account) {
  const key = await mine(account);
  if (!key) return Boolean(await ready(account));
  const typed = field("The sixteen letters that the new device shows", { size: "24" });
  const check = async (/** @type {(says: string) => void} */ tell) => {
    const found = await asking(plain(typed.input.value), key);
    await letInBy(account, found, key);
    await addEverywhere(account, found, key, ({ game }, count) => tell(`Seat at ${game.type}, one of ${count}.`));
  };
  const answer = await ask(
    "Let a device in",
    [paragraph("It will sign for all your seats, as this one does."), ...typed.parts],
    [
      { value: "in", says: "Let it in", check },
      { value: "back", says: "Not now", second: true },
    ],
  );
  return answer === "in";
}

/** The key that is named, by its own bytes. @param {string} letters @param {DeviceKey} own */
async function asking(letters, own) {
  for (const { x } of await api.get("/v1/me/keys")) {
    const jwk = { crv: "Ed25519", kty: "OKP", x };
    const kid = await thumbprint(jwk);
    if (kid !== own.kid && plain(fingerprint(kid)) === letters) return { kid, jwk };
  }
  throw new NotYet(
    `No device asks to be let in that shows ${grouped(letters) || "this"}. ` +
      "It shows its letters for ten minutes; look at them again.",
  );
}

// --- a new code ------------------------------------------------------------------------------------------------------

/**
 * A new recovery key with a new code. With the old code it takes the old key's place at every seat; without it seats
 * keep the old recovery key, and the new one is for new tables.
 * @param {string | number} account @returns {Promise<boolean>}
 */
export async function renew(account) {
  const key = await ready(account);
  const kept = key && (await keptBox());
  if (!key) return false;
  if (!kept) return secured(account, key);
  const typed = field("The old code", { type: "password" });
  /** @type {{recovery: RecoveryKey | null}} */
  const old = { recovery: null };
  const parts = [
    paragraph("A new code means a new recovery key. With the old code it takes the old one's place at all your seats."),
    ...typed.parts,
  ];
  const check = async () => void (old.recovery = await opened(account, typed.input.value));
  const answer = await ask("A new recovery code", parts, [
    { value: "old", says: "Go on with it", check },
    { value: "lost", says: "I have lost the old code", second: true },
  ]);
  if (answer === null) return false;
  const made = await makeRecovery(account);
  const keep = async () => {
    await put(account, made, key, kept.etag || `"${kidOf(kept.box)}"`);
    if (old.recovery) await replaceEverywhere(account, made.recovery, old.recovery);
  };
  return (await shown(made.code, keep, false)) === "kept";
}

// --- signing out -----------------------------------------------------------------------------------------------------

/**
 * Before the session ends: key, plans and logs of this account go from here, unless told otherwise.
 * @param {string | number} account @returns {Promise<boolean>} false: stay
 */
export async function signOut(account) {
  const key = await mine(account).catch(() => null);
  const parts = [
    paragraph(
      "Your key, your plans and the logs that this browser has checked are deleted here. Somebody else may sit at " +
        "this device next.",
    ),
  ];
  if (key && !(await recoveryOf(account))?.confirmed) {
    const warning = el(
      "p",
      { class: "notice" },
      "You have no recovery code: unless another device of yours plays them, your seats are lost with this key.",
    );
    parts.push(warning);
  }
  const answer = await ask("Sign out", parts, [
    { value: "delete", says: "Sign out and delete them", check: async () => erase(account) },
    { value: "keep", says: "Sign out, and keep them here", second: true },
    { value: "stay", says: "Stay signed in", second: true },
  ]);
  return answer === "delete" || answer === "keep";
}
