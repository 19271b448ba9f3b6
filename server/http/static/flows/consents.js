// Refusals to sign that the player may overrule, by their code: the words of the button, and what pressing it allows.

/** @typedef {{says: string, consent: import("../game/outbox.js").Consent}} Agreed */
/** @type {Record<string, Agreed>} */
export const ASKED = {
  unsettled: { says: "Sign anyway (either move may be logged)", consent: { either: true } },
  "unsigned-table": { says: "Play at a table with unsigned moves", consent: { unsigned: true } },
  "wrong-clock": { says: "Sign anyway", consent: { odd: true } },
  "odd-times": { says: "Sign anyway", consent: { odd: true } },
};
