// On every page of a signed-in person: how many games wait for them, and what stays in this browser when they sign out.

import * as waiting from "../flows/waiting.js";

const { account, waiting: count } = document.body.dataset;
const notifications = () => import("../flows/notifications.js"); // few pages need it

waiting.start(Number(count));
if ("Notification" in window && Notification.permission === "granted") {
  void notifications().then(({ renew }) => renew().catch(() => undefined)); // at the next visit
}

for (const form of document.querySelectorAll("form[data-sign-out]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const keys = await import("../flows/key-changes.js").catch(() => null); // not before: no page needs it to be read
    if (!keys) return location.reload(); // the page is from before an upgrade of the server, which has another script
    if (!(form instanceof HTMLFormElement) || !account || !(await keys.signOut(account))) return;
    await notifications()
      .then(({ stop }) => stop())
      .catch(() => undefined); // the server ends it with the session, too
    form.submit();
  });
}
