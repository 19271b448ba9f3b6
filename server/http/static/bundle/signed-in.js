// server/http/static/pages/signed-in.js
var { account } = document.body.dataset;
for (const form of document.querySelectorAll("form[data-sign-out]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { signOut } = await import("./key-changes-QFA54ZSC.js");
    if (form instanceof HTMLFormElement && account && await signOut(account)) form.submit();
  });
}
