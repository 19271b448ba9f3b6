// The public API for pages: requests and answers in JSON, refusals as `Problem` with a code, no answer as `NoAnswer`.
//
//     import * as api from "./api.js";
//     const me = await api.get("/v1/me");
//
// The browser adds the cookie. The server accepts it for a change only with the header `X-Sealed-Move`, which no form
// can send. Use `{ anonymous: true }` for what anyone may read.

/** @typedef {{headers?: Record<string, string>, anonymous?: boolean, signal?: AbortSignal}} Given */
/** @typedef {{status: number, value: any, headers: Headers}} Answer */

const PROBLEM = "application/problem+json";

/** The server refused, with a stable `code` (docs/refusals.md); `extra` are the facts in its answer. */
export class Problem extends Error {
  /** @param {number} status @param {string} code @param {Record<string, any>} whole */
  constructor(status, code, whole) {
    super(whole.detail ?? whole.title ?? `${status} ${code}`);
    this.name = "Problem";
    this.status = status;
    this.code = code;
    this.detail = this.message;
    this.extra = whole;
  }
}

/** The fate of the request is unknown: no answer, 5xx, 429, or a page of a proxy. `pause` is in seconds. */
export class NoAnswer extends Error {
  /** @param {string} says @param {number | null} [pause] @param {number} [status] */
  constructor(says, pause = null, status = 0) {
    super(says);
    this.name = "NoAnswer";
    this.pause = pause;
    this.status = status;
  }
}

/** @param {string} path @param {Given} [given] @returns {Promise<any>} */
export const get = async (path, given) => (await ask("GET", path, undefined, given)).value;

/** @param {string} path @param {unknown} [body] @param {Given} [given] @returns {Promise<any>} */
export const post = async (path, body = {}, given) => (await ask("POST", path, body, given)).value;

/** @param {string} path @param {unknown} [body] @param {Given} [given] @returns {Promise<any>} */
export const put = async (path, body = {}, given) => (await ask("PUT", path, body, given)).value;

/** @param {string} path @param {unknown} [body] @param {Given} [given] @returns {Promise<any>} */
export const del = async (path, body, given) => (await ask("DELETE", path, body, given)).value;

/**
 * Sends a request once; returns the answer with its status and headers, such as an ETag.
 * @param {string} method @param {string} path @param {unknown} [body] @param {Given} [given] @returns {Promise<Answer>}
 */
export async function ask(method, path, body, { headers = {}, anonymous = false, signal } = {}) {
  /** @type {RequestInit} */
  const options = {
    method,
    headers: { Accept: "application/json", "X-Sealed-Move": "page", ...headers },
    credentials: anonymous ? "omit" : "same-origin",
    redirect: "error",
    cache: "no-store",
    ...(signal ? { signal } : {}),
  };
  if (body !== undefined) {
    options.headers = { ...options.headers, "Content-Type": "application/json" };
    options.body = JSON.stringify(body);
  }
  return read(await sent(path, options));
}

/** @param {string} path @param {RequestInit} options */
async function sent(path, options) {
  try {
    const answer = await fetch(path, options);
    return { answer, text: await answer.text() };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new NoAnswer(navigator.onLine === false ? "This device is offline." : "The server did not answer.");
  }
}

/** @param {{answer: Response, text: string}} got @returns {Answer} */
function read({ answer, text }) {
  const kind = answer.headers.get("Content-Type") ?? "";
  const value = kind.includes("json") ? parsed(text) : text || null;
  if (answer.ok) return { status: answer.status, value, headers: answer.headers };
  const known = kind.startsWith(PROBLEM) && typeof value?.code === "string";
  if (known && answer.status < 500 && answer.status !== 429) throw new Problem(answer.status, value.code, value);
  const says = (known && (value.detail ?? value.title)) || `The server answered with status ${answer.status}.`;
  throw new NoAnswer(says, pause(answer), answer.status);
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @param {Response} answer */
function pause(answer) {
  const asked = answer.headers.get("Retry-After") ?? "";
  return /^\d{1,8}$/.test(asked) ? Number(asked) : null;
}
