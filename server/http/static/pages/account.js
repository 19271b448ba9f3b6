// The account's page: what needs a signature is signed with this device's key, and then it happens at once.
//
// Without this script the same forms ask for the same things, which then wait for seven days. So a device that cannot
// sign, or whose key does not count, is told so, and sends the form as it is.
import * as api from "../api/api.js";
import { ask, paragraph } from "../ui/dialog.js";
import { letIn, ready, renew } from "../flows/key-dialogs.js";
import { mine, statement } from "../keys/device-key.js";
import { dropEverywhere } from "../game/seat-keys.js";
import { erase as forgetHere } from "../keys/store.js";

/** @typedef {import("../keys/device-key.js").DeviceKey} DeviceKey */

const account = document.body.dataset.account ?? "";
const news = document.querySelector("#news");

/** @param {string} says */
const tell = (says) => void (news && (news.textContent = says));

/** The zone of this device is one press away, where another one is kept. */
function offerZone() {
  const [field, offer] = [document.getElementById("zone"), document.getElementById("zone-here")];
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (!(field instanceof HTMLInputElement) || !offer || !timeZone || field.value === timeZone) return;
  offer.textContent = `This device's is ${timeZone}: take it`;
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

// What each form asks for, what is said before it is signed, and how it is done by the API.
/**
 * @type {Record<string, {title: string, says: string, button: string, does: (key: DeviceKey, about: string, tell:
 *   (says: string) => void) => Promise<string>}>}
 */
const ACTS = {
  address: {
    title: "Change your address?",
    says:
      "You sign it with this device's key. A link goes to both addresses; when both are pressed, mail goes to " +
      "the new one.",
    button: "Sign it",
    does: async (key, email) => {
      await api.post("/v1/me/address", { email }, { headers: await proof(key, "address", email) });
      return "/account";
    },
  },
  "drop-key": {
    title: "Lost or stolen?",
    says:
      "The key is dropped from your account and from all your running seats now. Whoever has that device " +
      "moves for you no more.",
    button: "Drop it everywhere",
    does: dropped,
  },
  "drop-box": {
    title: "Delete the key box?",
    says: "Your recovery code opens nothing any more. If all your devices are lost then, so are your seats.",
    button: "Delete it",
    does: async (key, kid) => {
      const headers = { "If-Match": `"${kid}"`, ...(await proof(key, "drop-box", kid)) };
      await api.del("/v1/me/keybox", undefined, { headers });
      return "/account";
    },
  },
  erase: {
    title: "Erase the account now?",
    says:
      "Address, name, keys, tokens and bots go for good, at once. Games stay, and the clock plays your seats. " +
      "Nobody can undo it.",
    button: "Erase it for good",
    does: async (key) => {
      await api.del("/v1/me", undefined, { headers: await proof(key, "erase", "") });
      await forgetHere(account);
      return "/";
    },
  },
};

/** @param {DeviceKey} key @param {string} kid @param {(says: string) => void} say */
async function dropped(key, kid, say) {
  await api.del(`/v1/me/keys/${kid}`, undefined, { headers: await proof(key, "drop-key", kid) });
  const done = await dropEverywhere(account, kid, key, ({ game }, count) =>
    say(`Seat at ${game.type}, one of ${count}.`),
  );
  const left = done.flatMap(({ game, wrong }) => (wrong ? [`${game.type}: ${wrong.message}`] : []));
  if (left.length) await ask("Not every seat", left.map(paragraph), [{ value: "ok", says: "Go on" }]);
  return "/account";
}

/** Whoever has the code has the recovery key: a new one takes its place at every seat. */
async function newCode() {
  const answer = await ask(
    "And your recovery code?",
    [
      paragraph(
        "Was it kept on that device, or together with it? Then make a new one now, and the old one opens nothing " +
          "any more.",
      ),
    ],
    [
      { value: "yes", says: "Yes, make a new one" },
      { value: "no", says: "No, it is elsewhere", second: true },
    ],
  );
  if (answer === "yes") await renew(account);
}

/** What the form is about, as its statement names it. @param {HTMLFormElement} form */
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
  const check = async (/** @type {(says: string) => void} */ say) =>
    void (then = await act.does(key, subject(form), say));
  const answer = await ask(
    act.title,
    [paragraph(act.says)],
    [
      { value: "yes", says: act.button, check },
      { value: "no", says: "Not now", second: true },
    ],
  );
  if (answer !== "yes") return;
  if (form.dataset.act === "drop-key" && document.querySelector("[data-act=drop-box]")) await newCode();
  location.assign(then);
}

/** This device's key does not count, or there is none: it waits. @param {HTMLFormElement} form */
async function unsigned(form) {
  const says =
    "No key of this device signs for your account. So it is asked for without a signature, and waits for seven " +
    "days; a mail says so, and every page has a button that cancels it.";
  const answer = await ask(
    "Without a signature",
    [paragraph(says)],
    [
      { value: "wait", says: "Ask for it, and wait" },
      { value: "no", says: "Not now", second: true },
    ],
  );
  if (answer === "wait") form.submit();
}

/** A session of another device ends; whoever has the device still has its key. @param {HTMLFormElement} form */
async function ended(form) {
  const [key, kid] = [await signer(), form.dataset.ends ?? ""];
  if (!key) return form.submit();
  const check = async (/** @type {(says: string) => void} */ say) => void (await dropped(key, kid, say));
  const answer = await ask(
    "End that session?",
    [
      paragraph(
        "Is the device lost, or not yours any more? Then drop its key, too: from your account and from all your " +
          "running seats.",
      ),
    ],
    [
      { value: "both", says: "End it and drop its key", check },
      { value: "one", says: "End the session only", second: true },
      { value: "no", says: "Not now", second: true },
    ],
  );
  if (answer === "both") await newCode();
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
      tell(error instanceof Error ? error.message : "That did not work here.");
    }
  });
}

offerZone();

// What only a script can do, and which of the keys is this device's: that one is dropped from another device.
const here = await mine(account).catch(() => null);
for (const one of document.querySelectorAll(".scripted")) one.removeAttribute("hidden");
for (const one of document.querySelectorAll(`[data-needs=${here ? "none" : "key"}]`)) one.setAttribute("hidden", "");
const own = here && document.querySelector(`[data-kid="${here.kid}"]`);
own?.querySelector(".here")?.removeAttribute("hidden");
if (own?.hasAttribute("data-counts")) own.querySelector("form")?.remove();
