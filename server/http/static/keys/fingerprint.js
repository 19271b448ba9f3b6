// Sixteen characters of a key's thumbprint, to be read on one device and typed on another.
import { unb64 } from "../record/canonical.js";
import { bitsOf, grouped, lettersOf } from "./base32.js";

/** @param {string} kid */
export const fingerprint = (kid) => grouped(lettersOf(bitsOf(unb64(kid, 32)).slice(0, 80)));
