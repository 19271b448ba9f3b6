// server/http/static/pages/api-docs.js
var token = (
  /** @type {HTMLInputElement} */
  document.getElementById("token")
);
document.getElementById("caller")?.addEventListener("submit", (event) => event.preventDefault());
var running = /* @__PURE__ */ new WeakMap();
for (
  const form of
  /** @type {NodeListOf<HTMLFormElement>} */
  document.querySelectorAll("form.try")
) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
}
openTarget();
addEventListener("hashchange", openTarget);
function openTarget() {
  const part = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (part instanceof HTMLDetailsElement) {
    part.open = true;
    part.scrollIntoView();
  }
}
async function send(form) {
  const { url, options } = request(form);
  const ends = new AbortController();
  running.get(form)?.abort();
  running.set(form, ends);
  try {
    const started = performance.now();
    const answer = await fetch(url, { ...options, signal: ends.signal });
    const tell = (text) => {
      const took = Math.round(performance.now() - started);
      show(
        form,
        `${answer.status} ${answer.statusText} · ${took} ms · ${options.method} ${url}`,
        headers(answer) + text
      );
    };
    if (answer.headers.get("Content-Type")?.startsWith("text/event-stream")) await follow(answer, tell);
    else tell(pretty(await answer.text()));
  } catch (error) {
    if (!ends.signal.aborted) show(form, "The request failed", String(error));
  }
}
async function follow(answer, tell) {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  tell(text);
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    text = (text + part).slice(-2e4);
    tell(text);
  }
}
function request(form) {
  const headers2 = new Headers();
  const query = new URLSearchParams();
  const options = { method: form.dataset.method ?? "GET", headers: headers2, cache: "no-store", credentials: "omit" };
  let path = form.dataset.path ?? "";
  if (token.value.trim()) headers2.set("Authorization", `Bearer ${token.value.trim()}`);
  for (
    const field of
    /** @type {NodeListOf<Field>} */
    form.querySelectorAll("[data-in]")
  ) {
    const value = field.value.trim();
    if (field.dataset.in === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(value));
    else if (!value) continue;
    else if (field.dataset.in === "query") query.append(field.name, value);
    else if (field.dataset.in === "header") headers2.set(field.name, value);
    else {
      headers2.set("Content-Type", field.dataset.kind ?? "");
      options.body = value;
    }
  }
  return { url: query.size ? `${path}?${query}` : path, options };
}
function headers(answer) {
  const told = ["ETag", "Location", "Link", "Retry-After"].filter((name) => answer.headers.has(name));
  return told.map((name) => `${name}: ${answer.headers.get(name)}
`).join("") + (told.length ? "\n" : "");
}
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
function show(form, code, text) {
  const answer = (
    /** @type {HTMLElement} */
    form.querySelector(".answer")
  );
  answer.hidden = false;
  answer.querySelector(".code")?.replaceChildren(code);
  answer.querySelector("pre")?.replaceChildren(text);
}
