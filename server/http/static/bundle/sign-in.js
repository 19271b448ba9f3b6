import {
  open
} from "./chunk-2WYNB7VX.js";

// server/http/static/pages/sign-in.js
var NAME = /^sealedmove-(\d+)$/;
async function hasOthers(known) {
  const names = await indexedDB.databases?.() ?? [];
  const accounts = names.map(({ name }) => NAME.exec(name ?? "")?.[1]);
  const others = accounts.filter((one) => one !== void 0 && !known.includes(one));
  const keys = await Promise.all(others.map(async (one) => (await open(String(one))).get("device", "key")));
  return keys.some((key) => key !== void 0);
}
function guard(form2, question2) {
  let sent = false;
  form2.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (sent) return;
    sent = true;
    const known = [form2.dataset.account, form2.dataset.known];
    if (!question2.hidden || !await hasOthers(known).catch(() => false)) return form2.submit();
    sent = false;
    question2.hidden = false;
    question2.focus();
  });
  window.addEventListener("pageshow", () => sent = false);
}
var form = document.querySelector("form[data-sign-in]");
var question = document.getElementById("other-keys");
if (form instanceof HTMLFormElement && question) guard(form, question);
export {
  hasOthers
};
