// server/http/static/api/api.js
var PROBLEM = "application/problem+json";
var Problem = class extends Error {
  /** @param {number} status @param {string} code @param {Record<string, any>} whole */
  constructor(status, code, whole) {
    super(whole.detail ?? whole.title ?? `${status} ${code}`);
    this.name = "Problem";
    this.status = status;
    this.code = code;
    this.detail = this.message;
    this.extra = whole;
  }
};
var NoAnswer = class extends Error {
  /** @param {string} says @param {number | null} [pause] @param {number} [status] */
  constructor(says, pause2 = null, status = 0) {
    super(says);
    this.name = "NoAnswer";
    this.pause = pause2;
    this.status = status;
  }
};
var get = async (path, given) => (await ask("GET", path, void 0, given)).value;
var post = async (path, body = {}, given) => (await ask("POST", path, body, given)).value;
var put = async (path, body = {}, given) => (await ask("PUT", path, body, given)).value;
var del = async (path, body, given) => (await ask("DELETE", path, body, given)).value;
async function ask(method, path, body, { headers = {}, anonymous = false, signal } = {}) {
  const options = {
    method,
    headers: { Accept: "application/json", "X-Sealed-Move": "page", ...headers },
    credentials: anonymous ? "omit" : "same-origin",
    redirect: "error",
    cache: "no-store",
    ...signal ? { signal } : {}
  };
  if (body !== void 0) {
    options.headers = { ...options.headers, "Content-Type": "application/json" };
    options.body = JSON.stringify(body);
  }
  return read(await sent(path, options));
}
async function sent(path, options) {
  try {
    const answer = await fetch(path, options);
    return { answer, text: await answer.text() };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new NoAnswer(navigator.onLine === false ? "This device is offline." : "The server did not answer.");
  }
}
function read({ answer, text }) {
  const kind = answer.headers.get("Content-Type") ?? "";
  const value = kind.includes("json") ? parsed(text) : text || null;
  if (answer.ok) return { status: answer.status, value, headers: answer.headers };
  const known = kind.startsWith(PROBLEM) && typeof value?.code === "string";
  if (known && answer.status < 500 && answer.status !== 429) throw new Problem(answer.status, value.code, value);
  const says = known && (value.detail ?? value.title) || `The server answered with status ${answer.status}.`;
  throw new NoAnswer(says, pause(answer), answer.status);
}
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
function pause(answer) {
  const asked = answer.headers.get("Retry-After") ?? "";
  return /^\d{1,8}$/.test(asked) ? Number(asked) : null;
}

export {
  Problem,
  NoAnswer,
  get,
  post,
  put,
  del,
  ask
};
