// The account page: signs requests with this device's key, so that they take effect at once.
//
// Without this script the same forms send the same requests, which then wait for seven days. A device that cannot sign,
// or whose key is not approved, explains that and sends the form as it is.
import * as api from "../api/api.js";
import * as notifications from "../flows/notifications.js";
import * as sound from "../ui/sound.js";
import { ask, paragraph } from "../ui/dialog.js";
import { dropFromSeats, letIn, renew } from "../flows/key-changes.js";
import { dropFromAccount, ready } from "../flows/key-dialogs.js";
import { mine, statement } from "../keys/device-key.js";
import { erase as forgetHere } from "../keys/store.js";

/** @typedef {import("../keys/device-key.js").DeviceKey} DeviceKey */

const account = document.body.dataset.account ?? "";
const news = document.querySelector("#news");

/** @param {string} says */
const tell = (says) => void (news && (news.textContent = says));

/** Offers this device's time zone where another one is stored. */
function offerZone() {
  const [field, offer] = [document.getElementById("zone"), document.getElementById("zone-here")];
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (!(field instanceof HTMLInputElement) || !offer || !timeZone || field.value === timeZone) return;
  offer.textContent = `Use this device's time zone, ${timeZone}`;
  offer.hidden = false;
  offer.addEventListener("click", () => {
    field.value = timeZone;
    offer.hidden = true;
    field.focus();
  });
}

/** The key of this device, if it signs for the account. @returns {Promise<DeviceKey | null>} */
async function signer() {
  const key = await mine(account).catch(() => null);
  return key && document.querySelector(`[data-kid="${key.kid}"][data-counts]`) ? key : null;
}

/** @param {DeviceKey} key @param {string} act @param {string} about @returns {Promise<Record<string, string>>} */
const proof = async (key, act, about) => ({ "Sealed-Move-Proof": await statement(account, act, about, key) });

// For each form: what is shown before it is signed, and the API request that does it.
/**
 * @type {Record<string, {title: string, says: string, button: string, does: (key: DeviceKey, about: string) =>
 *   Promise<string>}>}
 */
const ACTS = {
  address: {
    title: "Change your email address?",
    says:
      "You sign the request with this device's key. We send a link to both addresses. The change takes effect once " +
      "both are confirmed.",
    button: "Sign the request",
    does: async (key, email) => {
      await api.post("/v1/me/address", { email }, { headers: await proof(key, "address", email) });
      return "/account";
    },
  },
  "drop-key": {
    title: "Remove this key?",
    says: "This removes the key from your account, and then from your seats. Its device can no longer move for you.",
    button: "Remove the key everywhere",
    does: dropped,
  },
  "drop-box": {
    title: "Delete the key backup?",
    says: "Your recovery code stops working. If you then lose all your devices, you lose your seats.",
    button: "Delete the key backup",
    does: async (key, kid) => {
      const headers = { "If-Match": `"${kid}"`, ...(await proof(key, "drop-box", kid)) };
      await api.del("/v1/me/keybox", undefined, { headers });
      return "/account";
    },
  },
  erase: {
    title: "Delete the account now?",
    says:
      "Your email address, name, keys, tokens and bots are deleted at once. Your games remain, and the server plays " +
      "default moves for your seats. This cannot be undone.",
    button: "Delete the account for good",
    does: async (key) => {
      await api.del("/v1/me", undefined, { headers: await proof(key, "erase", "") });
      await forgetHere(account);
      return "/";
    },
  },
};

/** @param {DeviceKey} key @param {string} kid */
async function dropped(key, kid) {
  await dropFromAccount(account, kid, key);
  return "/account";
}

/** The subject of the form, as its statement names it. @param {HTMLFormElement} form */
function subject(form) {
  const given = new FormData(form);
  return form.dataset.act === "address"
    ? String(given.get("email")).trim().toLowerCase()
    : String(given.get("about") ?? "");
}

/** @param {HTMLFormElement} form */
async function asked(form) {
  const act = ACTS[form.dataset.act ?? ""];
  const key = await signer();
  if (!act || !key) return unsigned(form);
  let then = "";
  const check = async () => void (then = await act.does(key, subject(form)));
  const answer = await ask(
    act.title,
    [paragraph(act.says)],
    [
      { value: "yes", says: act.button, check },
      { value: "no", says: "Cancel", second: true },
    ],
  );
  if (answer !== "yes") return;
  if (form.dataset.act === "drop-key") await dropFromSeats(account, subject(form), key);
  location.assign(then);
}

/** Without an approved key on this device the request waits. @param {HTMLFormElement} form */
async function unsigned(form) {
  const says =
    "This device has no approved key, so the request is sent without a signature and waits for seven days. We email " +
    "you about it, and you can cancel it on any page.";
  const answer = await ask(
    "Unsigned request",
    [paragraph(says)],
    [
      { value: "wait", says: "Send the request" },
      { value: "no", says: "Cancel", second: true },
    ],
  );
  if (answer === "wait") form.submit();
}

/** Ends the session of another device, which still has its key. @param {HTMLFormElement} form */
async function ended(form) {
  const [key, kid] = [await signer(), form.dataset.ends ?? ""];
  if (!key) return form.submit();
  const check = async () => void (await dropped(key, kid));
  const answer = await ask(
    "Sign out that browser?",
    [paragraph("If the device is lost or no longer yours, also remove its key from your account and your seats.")],
    [
      { value: "both", says: "Sign out and remove its key", check },
      { value: "one", says: "Sign out only", second: true },
      { value: "no", says: "Cancel", second: true },
    ],
  );
  if (answer === "both") await dropFromSeats(account, kid, key);
  if (answer === "both" || answer === "one") form.submit();
}

/** @type {Record<string, () => Promise<unknown>>} */
const BUTTONS = {
  "let-in": () => letIn(account),
  renew: () => renew(account),
  ready: () => ready(account),
};

for (const form of document.querySelectorAll("form[data-act]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form instanceof HTMLFormElement) void asked(form).catch((error) => tell(error.message));
  });
}
for (const form of document.querySelectorAll("form[data-ends]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form instanceof HTMLFormElement) void ended(form).catch((error) => tell(error.message));
  });
}
for (const button of document.querySelectorAll("button[data-do]")) {
  button.addEventListener("click", async () => {
    const does = BUTTONS[button.getAttribute("data-do") ?? ""];
    try {
      if (await does?.()) location.reload();
    } catch (error) {
      tell(error instanceof Error ? error.message : "Something went wrong. Try again.");
    }
  });
}

offerZone();

const push = document.getElementById("push");
if (push) void notifications.start(push);
const noise = document.getElementById("sound");
if (noise instanceof HTMLInputElement) {
  noise.checked = sound.isOn();
  noise.addEventListener("change", () => {
    sound.set(noise.checked);
    if (noise.checked) sound.play(); // so that its owner knows it, and the browser allows it
  });
}

// Show what needs a script, and mark this device's own key: only another device can remove it.
const here = await mine(account).catch(() => null);
for (const one of document.querySelectorAll(".scripted")) one.removeAttribute("hidden");
for (const one of document.querySelectorAll(`[data-needs=${here ? "none" : "key"}]`)) one.setAttribute("hidden", "");
const own = here && document.querySelector(`[data-kid="${here.kid}"]`);
own?.querySelector(".here")?.removeAttribute("hidden");
if (own?.hasAttribute("data-counts")) own.querySelector("form")?.remove();
