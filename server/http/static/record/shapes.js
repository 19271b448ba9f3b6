// Exact members: an object of the record has the members in the specification, each of its kind, and no others.
import { BadRecord, isObject, unb64 } from "./canonical.js";

/** @typedef {(value: any) => void} Check throws BadRecord for an invalid value */
/** @typedef {Record<string, Check>} Members */

/** @param {string} says */
export const bad = (says) => new BadRecord("bad-member", says);

/** @param {boolean} holds @param {string} says */
export function due(holds, says) {
  if (!holds) throw bad(`expected ${says}`);
}

/**
 * An object with every required member, possibly optional ones, and no others.
 * @param {string} what
 * @param {Members} required
 * @param {Members} [optional]
 * @returns {Check}
 */
export const shape =
  (what, required, optional = {}) =>
  (value) => {
    if (!isObject(value)) throw new BadRecord("not-an-object", `${what} must be an object`);
    const lacking = Object.keys(required).find((name) => !Object.hasOwn(value, name));
    if (lacking) throw new BadRecord("missing-member", `${what} lacks the member ${lacking}`);
    for (const [name, member] of Object.entries(value)) {
      const check = Object.hasOwn(required, name)
        ? required[name]
        : Object.hasOwn(optional, name)
          ? optional[name]
          : null;
      if (!check) throw new BadRecord("unknown-member", `${what} has no member ${name.slice(0, 40)}`);
      check(member);
    }
  };

/** @param {number} low @param {number} [high] @returns {Check} */
export const integer =
  (low, high = Number.MAX_SAFE_INTEGER) =>
  (value) =>
    due(Number.isInteger(value) && low <= value && value <= high, `an integer from ${low} to ${high}`);

/** @param {RegExp} pattern of the whole text @param {string} says @returns {Check} */
export const matching = (pattern, says) => (value) => due(typeof value === "string" && pattern.test(value), says);

/** @param {Check} check @returns {Check} */
export const nullable = (check) => (value) => (value === null ? undefined : check(value));

/** @param {...string} names @returns {Check} */
export const oneOf =
  (...names) =>
  (value) =>
    due(names.includes(value), `one of ${names.join(", ")}`);

/**
 * A list whose items are each of this kind.
 * @param {Check} check
 * @param {number} [least]
 * @param {number} [most]
 * @returns {Check}
 */
export const list =
  (check, least = 0, most = Infinity) =>
  (value) => {
    due(Array.isArray(value) && least <= value.length && value.length <= most, "a list with a valid number of items");
    value.forEach(check);
  };

/** @type {Check} */
export const boolean = (value) => due(typeof value === "boolean", "true or false");
/** @type {Check} */
export const text = (value) => due(typeof value === "string", "a string");
/** @type {Check} */
export const object = (value) => due(isObject(value), "an object");
/** @type {Check} */
export const binary32 = (value) => void unb64(value, 32);
/** @type {Check} */
export const anything = () => undefined;

export const seat = integer(0, 63);
export const seq = integer(0, 2 ** 20 - 1);
export const seconds = integer(0, 2 ** 25);
export const gameId = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "a UUID in lower case");
export const host = matching(/^[A-Za-z0-9._:[\]-]{1,255}$/, "a host, with its port if it has one");
export const name = matching(/^[a-z][a-z0-9_-]{0,63}$/, "a name in lower case");
export const fileName = matching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, "a file name");

/** Seats, at least one, ascending, each once. @type {Check} */
export const seats = (value) => {
  list(seat, 1)(value);
  due(
    value.every((/** @type {number} */ one, /** @type {number} */ at) => at === 0 || value[at - 1] < one),
    "a list in ascending order, each item once",
  );
};

/** A time of the record, `2026-11-21T10:00:00Z`; `secondsOf` reads it. @type {Check} */
export const instant = (value) => {
  const found = typeof value === "string" && /^(\d{4})-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.exec(value);
  const time = found ? new Date(value) : null;
  const exact = time && !Number.isNaN(+time) && time.toISOString() === value.replace("Z", ".000Z");
  if (!exact || Number(found && found[1]) < 1970) {
    throw new BadRecord("bad-time", "times must look like 2026-11-21T10:00:00Z");
  }
};

/** Seconds since 1970 of a time of the record. @param {string} at */
export const secondsOf = (at) => Date.parse(at) / 1000;
