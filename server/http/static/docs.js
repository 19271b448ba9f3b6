// Sends what a form of the API page says and shows the answer. The token is read when a request is sent, and kept nowhere.
"use strict";

const token = document.getElementById("token");
document.getElementById("caller").addEventListener("submit", (event) => event.preventDefault());

for (const form of document.querySelectorAll("form.try")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}

openTarget();
addEventListener("hashchange", openTarget);

// A link into a closed part opens it.
function openTarget() {
  const part = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (part instanceof HTMLDetailsElement) {
    part.open = true;
    part.scrollIntoView();
  }
}

const running = new WeakMap();  // form -> what ends its request: a stream goes on until the form is sent again

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
      show(form, `${answer.status} ${answer.statusText} · ${took} ms · ${options.method} ${url}`, headers(answer) + text);
    };
    if (answer.headers.get("Content-Type")?.startsWith("text/event-stream")) await follow(answer, tell);
    else tell(pretty(await answer.text()));
  } catch (error) {
    if (!ends.signal.aborted) show(form, "No answer came", String(error));
  }
}

// A stream has no end to wait for: it is shown as it comes.
async function follow(answer, tell) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = { value: "" }; !part.done; part = await reader.read()) tell((text = (text + part.value).slice(-20000)));
}

function request(form) {
  const headers = new Headers();
  const query = new URLSearchParams();
  const options = { method: form.dataset.method, headers, cache: "no-store", credentials: "omit" };
  let path = form.dataset.path;
  if (token.value.trim()) headers.set("Authorization", `Bearer ${token.value.trim()}`);
  for (const field of form.querySelectorAll("[data-in]")) {
    const value = field.value.trim();
    if (field.dataset.in === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(value));
    else if (!value) continue;
    else if (field.dataset.in === "query") query.append(field.name, value);
    else if (field.dataset.in === "header") headers.set(field.name, value);
    else {
      headers.set("Content-Type", field.dataset.kind);
      options.body = value;
    }
  }
  return { url: query.size ? `${path}?${query}` : path, options };
}

function headers(answer) {
  const told = ["ETag", "Location", "Link", "Retry-After"].filter((name) => answer.headers.has(name));
  return told.map((name) => `${name}: ${answer.headers.get(name)}\n`).join("") + (told.length ? "\n" : "");
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function show(form, code, text) {
  const answer = form.querySelector(".answer");
  answer.hidden = false;
  answer.querySelector(".code").textContent = code;
  answer.querySelector("pre").textContent = text;
}
