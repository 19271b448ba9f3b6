// The page behind a mailed link: asks before signing in if another account has a key in this browser, since each could
// play for both.
//
// The server itself asks if another account is *signed in* here; only this browser knows about keys.
import { open } from "../keys/store.js";

const NAME = /^sealedmove-(\d+)$/;

/**
 * Does an account other than these have a key in this browser?
 * @param {(string | undefined)[]} known
 * @returns {Promise<boolean>}
 */
export async function hasOthers(known) {
  const names = (await indexedDB.databases?.()) ?? [];
  const accounts = names.map(({ name }) => NAME.exec(name ?? "")?.[1]);
  const others = accounts.filter((one) => one !== undefined && !known.includes(one));
  const keys = await Promise.all(others.map(async (one) => (await open(String(one))).get("device", "key")));
  return keys.some((key) => key !== undefined);
}

/** @param {HTMLFormElement} form @param {HTMLElement} question */
function guard(form, question) {
  let sent = false; // the link works once: a second request would take the place of the one that has used it
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (sent) return;
    sent = true;
    const known = [form.dataset.account, form.dataset.known];
    if (!question.hidden || !(await hasOthers(known).catch(() => false))) return form.submit();
    sent = false;
    question.hidden = false;
    question.focus();
  });
  window.addEventListener("pageshow", () => (sent = false)); // back again, because the server could not be reached
}

const form = document.querySelector("form[data-sign-in]");
const question = document.getElementById("other-keys");
if (form instanceof HTMLFormElement && question) guard(form, question);
