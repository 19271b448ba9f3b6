// Bits as letters that can be read aloud and typed: without I, L, O and U; I, L and O are still understood if typed.

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Five bits a letter, the most significant first. @param {string} bits a text of 0 and 1 @returns {string} */
export const lettersOf = (bits) => (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[parseInt(five, 2)]).join("");

/** @param {string} letters @returns {string} a text of 0 and 1 */
export const bitsIn = (letters) =>
  [...letters].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");

/** @param {Uint8Array} data @returns {string} a text of 0 and 1 */
export const bitsOf = (data) => [...data].map((byte) => byte.toString(2).padStart(8, "0")).join("");

/** In groups of four. @param {string} letters */
export const grouped = (letters) => (letters.match(/.{4}/g) ?? []).join("-");

/** Normalises typed letters: lower case, spaces, hyphens, look-alikes. @param {string} typed */
export const plain = (typed) =>
  typed
    .toUpperCase()
    .replace(/[\s\-\u2010-\u2015]/g, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");

/** The first invalid letter. @param {string} letters */
export const stranger = (letters) => [...letters].find((letter) => !ALPHABET.includes(letter));
