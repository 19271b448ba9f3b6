import {
  start
} from "./chunk-4IU3AWJ4.js";
import {
  isOn,
  play,
  set
} from "./chunk-AN2AJJKW.js";
import {
  dropFromSeats,
  letIn,
  renew
} from "./chunk-RFIKSDOG.js";
import {
  ask,
  dropFromAccount,
  paragraph,
  ready
} from "./chunk-GKU24XFM.js";
import {
  mine,
  statement
} from "./chunk-J374VYKZ.js";
import {
  del,
  post
} from "./chunk-KHBG72CQ.js";
import "./chunk-WTO7KCRN.js";
import {
  erase
} from "./chunk-2WYNB7VX.js";

// server/http/static/pages/account.js
var account = document.body.dataset.account ?? "";
var news = document.querySelector("#news");
var tell = (says) => void (news && (news.textContent = says));
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
async function signer() {
  const key = await mine(account).catch(() => null);
  return key && document.querySelector(`[data-kid="${key.kid}"][data-counts]`) ? key : null;
}
var proof = async (key, act, about) => ({ "Sealed-Move-Proof": await statement(account, act, about, key) });
var ACTS = {
  address: {
    title: "Change your email address?",
    says: "You sign the request with this device's key. We send a link to both addresses. The change takes effect once both are confirmed.",
    button: "Sign the request",
    does: async (key, email) => {
      await post("/v1/me/address", { email }, { headers: await proof(key, "address", email) });
      return "/account";
    }
  },
  "drop-key": {
    title: "Remove this key?",
    says: "This removes the key from your account, and then from your seats. Its device can no longer move for you.",
    button: "Remove the key everywhere",
    does: dropped
  },
  "drop-box": {
    title: "Delete the key backup?",
    says: "Your recovery code stops working. If you then lose all your devices, you lose your seats.",
    button: "Delete the key backup",
    does: async (key, kid) => {
      const headers = { "If-Match": `"${kid}"`, ...await proof(key, "drop-box", kid) };
      await del("/v1/me/keybox", void 0, { headers });
      return "/account";
    }
  },
  erase: {
    title: "Delete the account now?",
    says: "Your email address, name, keys, tokens and bots are deleted at once. Your games remain, and the server plays default moves for your seats. This cannot be undone.",
    button: "Delete the account for good",
    does: async (key) => {
      await del("/v1/me", void 0, { headers: await proof(key, "erase", "") });
      await erase(account);
      return "/";
    }
  }
};
async function dropped(key, kid) {
  await dropFromAccount(account, kid, key);
  return "/account";
}
function subject(form) {
  const given = new FormData(form);
  return form.dataset.act === "address" ? String(given.get("email")).trim().toLowerCase() : String(given.get("about") ?? "");
}
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
      { value: "no", says: "Cancel", second: true }
    ]
  );
  if (answer !== "yes") return;
  if (form.dataset.act === "drop-key") await dropFromSeats(account, subject(form), key);
  location.assign(then);
}
async function unsigned(form) {
  const says = "This device has no approved key, so the request is sent without a signature and waits for seven days. We email you about it, and you can cancel it on any page.";
  const answer = await ask(
    "Unsigned request",
    [paragraph(says)],
    [
      { value: "wait", says: "Send the request" },
      { value: "no", says: "Cancel", second: true }
    ]
  );
  if (answer === "wait") form.submit();
}
async function ended(form) {
  const [key, kid] = [await signer(), form.dataset.ends ?? ""];
  if (!key) return form.submit();
  const check = async () => void await dropped(key, kid);
  const answer = await ask(
    "Sign out that browser?",
    [paragraph("If the device is lost or no longer yours, also remove its key from your account and your seats.")],
    [
      { value: "both", says: "Sign out and remove its key", check },
      { value: "one", says: "Sign out only", second: true },
      { value: "no", says: "Cancel", second: true }
    ]
  );
  if (answer === "both") await dropFromSeats(account, kid, key);
  if (answer === "both" || answer === "one") form.submit();
}
var BUTTONS = {
  "let-in": () => letIn(account),
  renew: () => renew(account),
  ready: () => ready(account)
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
var push = document.getElementById("push");
if (push) void start(push);
var noise = document.getElementById("sound");
if (noise instanceof HTMLInputElement) {
  noise.checked = isOn();
  noise.addEventListener("change", () => {
    set(noise.checked);
    if (noise.checked) play();
  });
}
var here = await mine(account).catch(() => null);
for (const one of document.querySelectorAll(".scripted")) one.removeAttribute("hidden");
for (const one of document.querySelectorAll(`[data-needs=${here ? "none" : "key"}]`)) one.setAttribute("hidden", "");
var own = here && document.querySelector(`[data-kid="${here.kid}"]`);
own?.querySelector(".here")?.removeAttribute("hidden");
if (own?.hasAttribute("data-counts")) own.querySelector("form")?.remove();
