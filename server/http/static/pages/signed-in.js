// On every page of a signed-in person: before they sign out, asks which data should stay in this browser.

const { account } = document.body.dataset;

for (const form of document.querySelectorAll("form[data-sign-out]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { signOut } = await import("../flows/key-changes.js"); // not before: no page needs it to be read
    if (form instanceof HTMLFormElement && account && (await signOut(account))) form.submit();
  });
}
