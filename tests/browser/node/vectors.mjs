// The vectors of conformance/vectors, and helpers that the tests in node share.
import { readFileSync } from "node:fs";

export const FOLDER = new URL("../../../conformance/vectors/", import.meta.url);

/** The whole file. */
export const file = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf-8"));

/** The cases of a file. */
export const vectors = (name) => file(name).cases;

/** An input as a text; bytes that are not UTF-8 become letters that no line may hold. */
export function text(input) {
  if (typeof input === "string") return input;
  if (input.parts) return input.parts.map(([part, times]) => part.repeat(times)).join("");
  return Buffer.from(input.hex, "hex").toString("utf-8");
}

/** True if it returns. Only a refusal counts as false: any other error is a fault of the script. */
export function accepts(read) {
  try {
    read();
    return true;
  } catch (error) {
    return refusal(error);
  }
}

/** The same of a promise. */
export const acceptsLater = (promise) => promise.then(() => true, refusal);

function refusal(error) {
  if (error?.name === "BadRecord") return false;
  throw error;
}
