// Requests to one server. A refusal is final and has a code; without an answer the fate of a request is unknown.

/** @typedef {{token?: string | null, fetch?: typeof globalThis.fetch, sleep?: (seconds: number) => Promise<void>}} Given */

const PROBLEM = "application/problem+json";
const TRIES = 6;
const LONGEST_PAUSE = 60;

/** The server refused, with a stable `code`; `problem` is the whole answer. */
export class Refusal extends Error {
  /** @param {number} status @param {string} code @param {Record<string, any>} problem */
  constructor(status, code, problem) {
    super(problem.detail ?? problem.title ?? problem.error_description ?? `${status} ${code}`);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
    this.problem = problem;
  }
}

/** The fate of the request is unknown; `pause` is the number of seconds that the server asks to wait, if any. */
export class NoAnswer extends Error {
  /** @param {string} says @param {number | null} [pause] */
  constructor(says, pause = null) {
    super(says);
    this.name = "NoAnswer";
    this.pause = pause;
  }
}

/** One server, with or without a token. */
export class Server {
  /** @param {string} url @param {Given} [given] */
  constructor(url, { token = null, fetch = globalThis.fetch, sleep = slept } = {}) {
    this.url = url.replace(/\/+$/, "");
    this.host = new URL(this.url).host;
    this.token = token;
    this.fetch = fetch;
    this.sleep = sleep;
  }

  /** The same server with another token, or without one. @param {string | null} token */
  as(token) {
    return new Server(this.url, { token, fetch: this.fetch, sleep: this.sleep });
  }

  /** @param {string} path @returns {Promise<any>} */
  get(path) {
    return this.again(() => this.send("GET", path));
  }

  /** Repeated without an answer: not for what must happen once. @param {string} path @param {unknown} [body] @returns {Promise<any>} */
  post(path, body = {}) {
    return this.again(() => this.send("POST", path, JSON.stringify(body), "application/json"));
  }

  /** A form, as OAuth has it. @param {string} path @param {Record<string, string>} fields @returns {Promise<any>} */
  form(path, fields) {
    const body = new URLSearchParams(fields).toString();
    return this.again(() => this.send("POST", path, body, "application/x-www-form-urlencoded"));
  }

  /** One try. @param {string} path @param {unknown} body @returns {Promise<any>} */
  once(path, body) {
    return this.send("POST", path, JSON.stringify(body), "application/json");
  }

  /** @template T @param {() => Promise<T>} ask @returns {Promise<T>} */
  async again(ask) {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof NoAnswer) || attempt + 1 === TRIES) throw error;
        await this.sleep(pauseBefore(attempt, error));
      }
    }
  }

  /** @param {string} method @param {string} path @param {string} [body] @param {string} [type] @returns {Promise<any>} */
  async send(method, path, body, type) {
    const headers = {
      Accept: "application/json",
      ...(type ? { "Content-Type": type } : {}),
      ...(this.token ? { Authorization: `Bearer ${this.token}` } : {}),
    };
    /** @type {RequestInit} */
    const options = {
      method,
      headers,
      redirect: "error",
      credentials: "omit",
      ...(body === undefined ? {} : { body }),
    };
    let answer, text;
    try {
      answer = await this.fetch(this.url + path, options);
      text = await answer.text();
    } catch (error) {
      throw new NoAnswer(`${method} ${path}: ${error}`);
    }
    return read(answer, text, `${method} ${path}`);
  }
}

/** Doubled for each try, and at least what the server asks for. @param {number} attempt @param {NoAnswer} lost */
export const pauseBefore = (attempt, lost) => Math.max(0.1 * 2 ** attempt, Math.min(lost.pause ?? 0, LONGEST_PAUSE));

/** @param {number} seconds @returns {Promise<void>} */
const slept = (seconds) => new Promise((done) => void setTimeout(done, seconds * 1000));

/** @param {Response} answer @param {string} text @param {string} what */
function read(answer, text, what) {
  const kind = answer.headers.get("Content-Type") ?? "";
  const value = kind.includes("json") ? parsed(text) : null;
  if (answer.ok) return value;
  const code = (kind.startsWith(PROBLEM) ? value?.code : value?.error) ?? null;
  if (answer.status < 500 && answer.status !== 429 && typeof code === "string") {
    throw new Refusal(answer.status, code, value);
  }
  const asked = answer.headers.get("Retry-After") ?? "";
  throw new NoAnswer(`${what}: status ${answer.status}`, /^\d{1,8}$/.test(asked) ? Number(asked) : null);
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
