import {
  NotYet,
  ask,
  counted,
  dropAll,
  el,
  field,
  fingerprint,
  letInBy,
  opened,
  otherKeys,
  paragraph,
  put,
  ready,
  seatKeys,
  secured,
  shown,
  tellLeft
} from "./chunk-GKU24XFM.js";
import {
  grouped,
  keptBox,
  kidOf,
  makeRecovery,
  mine,
  plain,
  recoveryOf
} from "./chunk-J374VYKZ.js";
import {
  forgetOwn
} from "./chunk-WTO7KCRN.js";
import {
  erase
} from "./chunk-2WYNB7VX.js";

// server/http/static/flows/key-changes.js
var OLD_SEATS = "Your seats keep the recovery key that they have. The new code covers only the tables that you join from now on.";
async function letIn(account) {
  const key = await mine(account);
  if (!key) return Boolean(await ready(account));
  const typed = field("Sixteen characters shown on the new device", { size: "24" });
  const check = async (tell) => {
    const found = await asking(plain(typed.input.value), key);
    await letInBy(account, found, key);
    const { addEverywhere } = await seatKeys();
    await addEverywhere(account, found, key, counted(tell, "Adding the device to your seats"));
  };
  const answer = await ask(
    "Approve a device",
    [paragraph("The new device will be able to sign for all your seats."), ...typed.parts],
    [
      { value: "in", says: "Approve", check },
      { value: "back", says: "Cancel", second: true }
    ]
  );
  return answer === "in";
}
async function asking(letters, own) {
  const found = (await otherKeys(own.kid)).find(({ kid }) => plain(fingerprint(kid)) === letters);
  if (found) return found;
  throw new NotYet(
    letters ? `No device with the characters ${grouped(letters)} is waiting for approval. Check them there; they expire after ten minutes.` : "Type the sixteen characters that the new device shows."
  );
}
async function renew(account) {
  const key = await ready(account);
  const kept = key && await keptBox();
  if (!key) return false;
  if (!kept) return secured(account, key, OLD_SEATS);
  const typed = field("Old recovery code", { type: "password" });
  const old = { recovery: null, done: null };
  const parts = [
    paragraph(
      "A new code comes with a new recovery key. Enter the old code to replace the old key at all your seats. If that failed at some seats, enter the old code again: they get the new key, and the new code stays the same."
    ),
    ...typed.parts
  ];
  const check = async (tell) => {
    old.recovery = await opened(account, typed.input.value, true);
    const current = await recoveryOf(account);
    if (old.recovery.kid === kidOf(kept.box) || !current?.confirmed || current.kid !== kidOf(kept.box)) return;
    old.done = await changed(account, { keys: null, recovery: current.jwk }, old.recovery, tell);
  };
  const answer = await ask("New recovery code", parts, [
    { value: "old", says: "Continue", check },
    { value: "lost", says: "Continue without the old code", second: true }
  ]);
  if (old.done) await tellOld(old.done);
  return answer !== null && (old.done !== null || renewed(account, key, old.recovery, null));
}
async function changed(account, next, old, tell) {
  const { replaceEverywhere } = await seatKeys();
  return replaceEverywhere(account, next, old, counted(tell, "Changing the keys of your seats"));
}
var tellOld = (done) => tellLeft(
  "Seats with the old keys",
  "These seats could not be changed. Keep the old code. To try again, choose “Replace the recovery code” and enter it.",
  done
);
async function renewed(account, key, old, keys) {
  const [made, kept] = await Promise.all([makeRecovery(account), keptBox()]);
  let done = [];
  const keep = async (tell) => {
    await put(account, made, key, kept && (kept.etag || `"${kidOf(kept.box)}"`));
    if (old) done = await changed(account, { keys, recovery: made.recovery.jwk }, old, tell);
  };
  const answer = await shown(made.code, keep, { optional: false, more: old ? "" : OLD_SEATS });
  if (answer === "kept") await tellOld(done);
  return answer === "kept";
}
async function dropFromSeats(account, kid, key) {
  const typed = field("Recovery code", { type: "password" });
  const got = { recovery: null, done: [] };
  const others = (await otherKeys(key.kid)).filter((one) => one.kid !== kid);
  const remaining = others.filter(({ counts }) => counts);
  const keys = [key, ...remaining];
  const says = "Removing the key from your seats";
  const open = async () => void (got.recovery = await opened(account, typed.input.value));
  const replace = async (tell, only) => {
    const { replaceEverywhere } = await seatKeys();
    const recovery = (
      /** @type {RecoveryKey} */
      got.recovery
    );
    got.done = await replaceEverywhere(account, { keys: only }, recovery, counted(tell, says));
  };
  const check = async (tell) => (await open(), replace(tell, keys));
  const alone = async (tell) => {
    await open();
    await dropAll(
      account,
      others,
      /** @type {RecoveryKey} */
      got.recovery
    );
    await replace(tell, [key]);
  };
  const drop = async (tell) => {
    const { dropEverywhere } = await seatKeys();
    got.done = await dropEverywhere(account, kid, key, counted(tell, says));
  };
  const parts = [
    paragraph(
      remaining.length ? "Enter your recovery code. Your seats then keep only this device's key and, where they have them already, these other keys of your account:" : "Enter your recovery code. Your seats then keep only this device's key."
    ),
    ...remaining.length ? [listed(remaining)] : [],
    paragraph("If the code was on or near the lost device, make a new one now."),
    ...typed.parts
  ];
  const answer = await keptBox() ? await ask("Remove the key from your seats", parts, [
    { value: "keep", says: "Remove the key", check },
    ...others.length ? [{ value: "alone", says: "Remove all other devices", second: true, check: alone }] : [],
    { value: "new", says: "Remove the key and make a new code", second: true, check: open },
    { value: "without", says: "Continue without the code", second: true, check: drop }
  ]) : await ask(
    "Remove the key from your seats",
    [
      paragraph(
        "You have no key backup, so this device's key removes the other one. Keys that anyone has added to your seats with the lost device stay there."
      )
    ],
    [{ value: "without", says: "Remove the key", check: drop }]
  );
  if (answer === "new" && !await renewed(account, key, got.recovery, keys)) await replace(() => {
  }, keys);
  if (answer === null) await drop(() => {
  });
  await tellLeft("Seats that still have the key", "The key could not be removed at these tables:", got.done);
}
var listed = (remaining) => el(
  "div",
  {},
  el("ul", {}, ...remaining.map(({ kid }) => el("li", {}, el("code", { translate: "no" }, kid)))),
  paragraph("If one of them is not yours, the lost device may have approved it: remove all other devices.")
);
async function signOut(account) {
  const all = el("input", { type: "checkbox" });
  const key = await mine(account).catch(() => null);
  const parts = [
    paragraph(
      "On a shared device, delete what this browser stores: your key, your draft moves and the logs it has checked."
    ),
    el("label", { class: "tick" }, all, " Also delete the list of your games and the server's last checkpoint of each"),
    el(
      "p",
      { class: "quiet" },
      "With the checkpoints, this browser still notices if the server changes the history of your games."
    )
  ];
  const isGuest = "guest" in document.body.dataset;
  if (isGuest || key && !(await recoveryOf(account))?.confirmed) {
    const warning = isGuest ? "You play as a guest, and nobody can sign in to your account again. To keep it, add your email address first." : "You do not have a recovery code. If none of your other devices has a key, you lose your seats with this one.";
    parts.push(el("p", { class: "notice" }, warning));
  }
  const answer = await ask("Sign out", parts, [
    { value: "delete", says: "Sign out and delete my data", check: () => (all.checked ? erase : forgetOwn)(account) },
    { value: "keep", says: "Sign out and keep my data", second: true },
    { value: "stay", says: "Stay signed in", second: true }
  ]);
  return answer === "delete" || answer === "keep";
}

export {
  letIn,
  renew,
  dropFromSeats,
  signOut
};
