// Sign in without a browser of one's own: show a code that a person types on the server's page (RFC 8628).
import { Refusal } from "./server.js";

/** @typedef {import("./server.js").Server} Server */
/** @typedef {{name: string, url: string, userCode: string, deviceCode: string, seconds: number, pause: number}} Begun */

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const USUAL_PAUSE = 5;

/** The server gives no token: `code` is `access_denied`, `expired_token` or another of OAuth's. */
export class DeviceError extends Error {
  /** @param {string} code @param {string} says */
  constructor(code, says) {
    super(says);
    this.name = "DeviceError";
    this.code = code;
  }
}

/**
 * Begin: show `url` and `userCode` to the person. `name` is what they read about this program.
 * @param {Server} server @param {string} name @param {string[]} [scopes] @returns {Promise<Begun>}
 */
export async function beginDevice(server, name, scopes = ["read", "play", "account"]) {
  const given = await asked(() => server.form("/oauth/device", { client_id: name, scope: scopes.join(" ") }));
  const codes = { url: given.verification_uri, userCode: given.user_code, deviceCode: given.device_code };
  return { name, ...codes, seconds: given.expires_in, pause: given.interval ?? USUAL_PAUSE };
}

/**
 * The server with a token, once the person has answered; DeviceError if they deny it, or if the code expires.
 * @param {Server} server @param {Begun} begun @returns {Promise<Server>}
 */
export async function waitForDevice(server, { name, deviceCode, pause }) {
  for (;;) {
    await server.sleep(pause);
    try {
      const form = { grant_type: GRANT, device_code: deviceCode, client_id: name };
      return server.as((await asked(() => server.form("/oauth/token", form))).access_token);
    } catch (error) {
      const code = error instanceof DeviceError ? error.code : null;
      if (code === "slow_down") pause += USUAL_PAUSE;
      else if (code !== "authorization_pending") throw error;
    }
  }
}

/** @param {() => Promise<any>} ask */
async function asked(ask) {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Refusal && "error" in error.problem) throw new DeviceError(error.code, error.message);
    throw error;
  }
}
