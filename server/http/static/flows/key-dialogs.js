// Dialogs about keys: the first key and its recovery code, and a new device. The later ones are in `key-changes.js`.
//
//     const key = await keyDialogs.ready(account);       // before joining; null if the player cancelled
//     if (!key) return;
//
// The recovery code is shown and typed only here. It never gets into a URL, a form, storage or a request.
import * as api from "../api/api.js";
import { BackupError, open as openBox } from "../keys/key-backup.js";
import { b64, bytes, sha256 } from "../record/canonical.js";
import { ask, field, NotYet, paragraph } from "../ui/dialog.js";
import { el } from "../ui/dom.js";
import { thumbprint } from "../record/jwk.js";
import { fingerprint } from "../keys/fingerprint.js";
import { make, mine, persist, register, statement, trouble } from "../keys/device-key.js";
import { plain } from "../keys/base32.js";
import { keepRecovery, keptBox, makeRecovery, recoveryOf } from "../keys/recovery-key.js";
import { open as openStore } from "../keys/store.js";

/** @typedef {import("../keys/device-key.js").DeviceKey} DeviceKey */
/** @typedef {import("../keys/device-key.js").Signer} Signer */
/** @typedef {import("../keys/key-backup.js").RecoveryKey} RecoveryKey */
/** @typedef {import("../keys/recovery-key.js").Recovery} Recovery */
/** @typedef {import("../record/jwk.js").PublicJwk} PublicJwk */
/** @typedef {import("../game/seat-keys.js").Done} Done */

export const seatKeys = () => import("../game/seat-keys.js"); // no page needs it to be read

/**
 * A key on this device, and a recovery code that is kept or knowingly declined; asks only what is still open.
 * @param {string | number} account @returns {Promise<DeviceKey | null>}
 */
export async function ready(account) {
  const why = await trouble();
  if (why) return cannot(why);
  const key = await mine(account);
  if (key?.registered && (isGuest() || (await isSafe(account)))) return key;
  if (!key && (await isGuarded())) return enter(account);
  const made = await make(account);
  void persist(); // some browsers ask their user, who need not answer now
  if (isGuest() || (await isSafe(account))) return made;
  const hasBox = (await keptBox()) !== null; // with a code that another device knows
  return (hasBox ? await safeHere(account) : await secured(account, made)) ? made : null;
}

/** A guest is offered the code together with the account: before that, both are lost with this browser's data. */
const isGuest = () => "guest" in document.body.dataset;

/** @param {string} why */
async function cannot(why) {
  await ask("This browser cannot sign", [paragraph(why)], [{ value: "ok", says: "Continue without signing" }]);
  return null;
}

/** Is the code kept, or knowingly declined? @param {string | number} account */
async function isSafe(account) {
  const [recovery, declined] = await Promise.all([
    recoveryOf(account),
    (await openStore(account)).get("device", "declined"),
  ]);
  return Boolean(recovery?.confirmed || declined);
}

/** Does the account have another device or a key backup? */
async function isGuarded() {
  const [box, keys] = await Promise.all([keptBox(), api.get("/v1/me/keys")]);
  return box !== null || keys.length > 0;
}

// --- the recovery code -----------------------------------------------------------------------------------------------

/**
 * Shows the code until it is kept or declined.
 * @param {string | number} account
 * @param {DeviceKey} key
 * @param {string} [more] a further paragraph
 * @returns {Promise<boolean>} false: cancelled
 */
export async function secured(account, key, more = "") {
  const made = await makeRecovery(account);
  for (;;) {
    const answer = await shown(made.code, () => put(account, made, key, null), { more });
    if (answer !== "without") return answer === "kept";
    if (await declined(account)) return true;
  }
}

/**
 * @param {string} code
 * @param {(tell: (says: string) => void) => Promise<void>} keep
 * @param {{optional?: boolean, more?: string}} [how] `optional`: may it be declined?
 */
export function shown(code, keep, { optional = true, more = "" } = {}) {
  const last = code.slice(-4);
  const typed = field("Last four characters of the code", { size: "8", maxlength: "12", class: "group" });
  const check = async (/** @type {(says: string) => void} */ tell) => {
    if (plain(typed.input.value) !== last) {
      throw new NotYet("These are not the last four characters. Save the whole code first, then type them.");
    }
    await keep(tell);
  };
  const parts = [
    paragraph("This browser has made a key for you. The key signs your moves and never leaves this browser."),
    paragraph(
      "If you clear this browser or lose the device, you need this recovery code to continue on another one. It is " +
        "shown once, and the server never sees it:",
    ),
    el("p", { class: "code", translate: "no" }, code),
    el("p", { class: "quiet" }, `Sealed Move at ${location.host}`),
    ...(more ? [paragraph(more)] : []),
    waysToKeep(code),
    ...typed.parts,
  ];
  const without = { value: "without", says: "Continue without a code", second: true };
  return ask("Your recovery code", parts, [
    { value: "kept", says: "I have saved it", check },
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
      async () => (say.textContent = await does().catch(() => "This browser does not allow that. Try another way.")),
    );
    return button;
  };
  bar.append(
    way(
      "Copy for your password manager",
      async () => (await navigator.clipboard.writeText(code), "Copied. Paste it where only you can see it."),
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
    `Recovery code for Sealed Move at ${location.host}\n\n${code}\n\nAnyone who has this code can use your seats ` +
    `on a new device. Keep it where only you can see it.\n`;
  const link = el("a", {
    download: "sealed-move-recovery-code.txt",
    href: URL.createObjectURL(new Blob([text], { type: "text/plain" })),
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * Sends the encrypted backup to the server, without the code.
 * @param {string | number} account
 * @param {{recovery: Recovery, box: string}} made
 * @param {Signer} by
 * @param {string | null} etag of the backup that it replaces
 */
export async function put(account, { recovery, box }, by, etag) {
  const about = b64(await sha256(bytes(box)));
  const proof = await statement(account, "box", about, by);
  const known = etag === null ? { "If-None-Match": "*" } : { "If-Match": etag };
  await api.put("/v1/me/keybox", { box, x: recovery.jwk.x }, { headers: { ...known, "Sealed-Move-Proof": proof } });
  await keepRecovery(account, { ...recovery, confirmed: true });
}

/** Asks the player to accept a possible loss. @param {string | number} account */
async function declined(account) {
  const keeps = await persist();
  const parts = [
    paragraph(
      keeps
        ? "This browser keeps your key until you clear its data for this site."
        : "This browser may delete your key by itself when it runs out of space.",
    ),
    paragraph(
      "Without the key or a recovery code nobody can sign for your seats: not you, not the server, not its operator. " +
        "The server then plays default moves when your time runs out.",
    ),
  ];
  const answer = await ask("No recovery code", parts, [
    { value: "back", says: "Back" },
    { value: "lose", says: "Continue without a code and risk my seats", second: true },
  ]);
  if (answer !== "lose") return false;
  await (await openStore(account)).put("device", "declined", new Date().toISOString());
  return true;
}

// --- a new device ----------------------------------------------------------------------------------------------------

/**
 * On a device whose key does not sign for all the seats of its account.
 * @param {string | number} account
 * @returns {Promise<DeviceKey | null>}
 */
export async function enter(account) {
  const why = await trouble();
  if (why) return cannot(why);
  const parts = [
    paragraph(
      "You have a key on another device, or this browser has lost its key. This browser gets a key of its own, which " +
        "you now approve for your seats.",
    ),
  ];
  const answer = await ask("New device", parts, [
    { value: "code", says: "Enter my recovery code" },
    { value: "device", says: "Approve it on my other device", second: true },
    { value: "new", says: "Play at new tables only", second: true },
  ]);
  if (answer === "code") return recover(account);
  if (answer === "device") return beLetIn(account);
  if (answer !== "new") return null;
  const key = await make(account);
  return (await safeHere(account)) ? key : null;
}

/**
 * Asks for the code, which alone proves the recovery key that new seats should name. The server could name its own.
 * @param {string | number} account
 */
async function safeHere(account) {
  while (!(await isSafe(account))) {
    const answer = await ask(
      "Recovery code on this device",
      [paragraph("Enter your recovery code so that it also covers the tables you join from this device.")],
      [
        { value: "code", says: "Enter my recovery code" },
        { value: "without", says: "Continue without it", second: true },
      ],
    );
    if (answer === null) return false;
    if (answer === "code") await recover(account);
    else await declined(account);
  }
  return true;
}

/**
 * On a new device: reads the code and gives every seat this device's key. The recovery key is not kept.
 * @param {string | number} account @returns {Promise<DeviceKey | null>}
 */
export async function recover(account) {
  const why = await trouble();
  if (why) return cannot(why);
  const typed = field("Recovery code", { type: "password" });
  /** @type {{key: DeviceKey | null, done: Done[]}} */
  const got = { key: null, done: [] };
  const check = (/** @type {boolean} */ alone) => async (/** @type {Tell} */ tell) => {
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
      "If another device was lost or stolen, remove all other devices. After that nobody can move for you with them.",
    ),
  ];
  const answer = await ask("Your recovery code", parts, [
    { value: "open", says: "Open the key backup", check: check(false) },
    { value: "open", says: "Open it and remove all other devices", second: true, check: check(true) },
    { value: "back", says: "Cancel", second: true },
  ]);
  if (answer !== "open") return null;
  await tellLeft("Seats without this device", "This device's key could not be added at these tables:", got.done);
  return got.key;
}

/** @typedef {(says: string) => void} Tell */

/** @param {Tell} tell @param {string} says @returns {import("../game/seat-keys.js").Tell} */
export const counted =
  (tell, says) =>
  ({ game }, count) =>
    tell(`${says} (${count}): ${game.type}`);

/** Tables at which something could not be done. @param {string} heading @param {string} says @param {Done[]} done */
export async function tellLeft(heading, says, done) {
  const left = done.flatMap(({ game, wrong }) => (wrong ? [`${game.type}: ${wrong.message}`] : []));
  const list = el("ul", {}, ...left.map((line) => el("li", {}, line)));
  if (left.length) await ask(heading, [paragraph(says), list], [{ value: "ok", says: "Continue" }]);
}

/**
 * The account's keys but this one, by the kids that their bytes have.
 * @param {string} own @returns {Promise<{kid: string, jwk: PublicJwk, counts: boolean}[]>}
 */
export async function otherKeys(own) {
  const found = [];
  for (const { x, counts } of await api.get("/v1/me/keys")) {
    const jwk = { crv: "Ed25519", kty: "OKP", x };
    found.push({ kid: await thumbprint(jwk), jwk, counts });
  }
  return found.filter(({ kid }) => kid !== own);
}

/** @param {string | number} account @param {{kid: string}[]} keys @param {Signer} by */
export async function dropAll(account, keys, by) {
  for (const { kid } of keys) await dropFromAccount(account, kid, by);
}

/** @param {string | number} account @param {string} kid @param {Signer} by */
export async function dropFromAccount(account, kid, by) {
  const proof = await statement(account, "drop-key", kid, by);
  await api.del(`/v1/me/keys/${kid}`, undefined, { headers: { "Sealed-Move-Proof": proof } });
}

/**
 * The recovery key in the backup.
 * @param {string | number} account @param {string} code
 * @param {boolean} [also] may it be the key in a former backup?
 * @returns {Promise<RecoveryKey>}
 */
export async function opened(account, code, also = false) {
  const kept = await keptBox();
  for (const box of kept && also ? [kept.box, ...kept.former] : []) {
    const found = await openBox(box, code, account).catch(unlessWrongCode);
    if (found) return found;
  }
  if (kept) return openBox(kept.box, code, account);
  throw new NotYet(
    "The server does not have a key backup of your account, so the code opens nothing here. Your seats keep the " +
      "recovery key that they have.",
  );
}

/** @param {unknown} error */
const unlessWrongCode = (error) =>
  error instanceof BackupError && error.code === "wrong-code" ? null : Promise.reject(error);

/**
 * Approves the key, which then signs for the account too.
 * @param {string | number} account
 * @param {{kid: string}} key
 * @param {Signer} by
 */
export async function letInBy(account, { kid }, by) {
  const known = (await api.get("/v1/me/keys")).find((/** @type {any} */ one) => one.kid === kid);
  if (known?.counts !== false) return;
  const proof = await statement(account, "let-in", kid, by);
  await api.post(`/v1/me/keys/${kid}/let-in`, {}, { headers: { "Sealed-Move-Proof": proof } });
}

/**
 * Shows the letters that the player types on the other device.
 * @param {string | number} account @returns {Promise<DeviceKey | null>}
 */
async function beLetIn(account) {
  const key = await make(account);
  await register(key); // asks again: a request for approval is valid for ten minutes
  const check = async () => {
    const listed = await api.get("/v1/me/keys");
    if (!listed.find((/** @type {any} */ one) => one.kid === key.kid)?.counts) {
      throw new NotYet("Your other device has not approved this one yet.");
    }
  };
  const parts = [
    paragraph(
      "On your other device, open your account page within ten minutes, choose “Approve a device” and type these " +
        "sixteen characters. They identify this device's key.",
    ),
    el("p", { class: "code", translate: "no" }, fingerprint(key.kid)),
  ];
  const answer = await ask("Approval of this device", parts, [
    { value: "done", says: "Continue", check },
    { value: "back", says: "Cancel", second: true },
  ]);
  return answer === "done" && (await safeHere(account)) ? key : null;
}
