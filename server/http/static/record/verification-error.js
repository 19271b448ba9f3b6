// A failed check of the server's data: what was expected, what was found, and where. After it nothing is signed.

export class VerificationError extends Error {
  /**
   * @param {string} code stable
   * @param {string} says in words
   * @param {{expected?: unknown, found?: unknown, seq?: number}} [facts]
   */
  constructor(code, says, { expected, found, seq } = {}) {
    super(says);
    this.name = "VerificationError";
    this.code = code;
    this.expected = expected;
    this.found = found;
    this.seq = seq;
  }
}
