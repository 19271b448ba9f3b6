// Converts the form for a new table into a request of the API (pure).

/** @typedef {{pace: string, clock: Record<string, number> | null}} Offered of `GET /v1/clocks` */

/**
 * @param {string} type @param {FormData} given
 * @param {Map<string, string>} kinds the kind of each option: `choice`, `yes-no` or `number`
 * @param {Offered[]} clocks @returns {Record<string, any>}
 */
export function tableRequest(type, given, kinds, clocks) {
  const seats = Number(given.get("seats"));
  /** @type {Record<string, any>} */
  const made = {
    type,
    seats,
    options: Object.fromEntries([...kinds].map(([name, kind]) => [name, value(kind, given.get(`option-${name}`))])),
    listed: given.get("listed") !== "false",
    house: house(given, seats),
  };
  for (const name of ["bots", "handover", "stand_in"]) if (given.get(name)) made[name] = given.get(name);
  if (given.get("offer_wait")) made.offer_wait = Number(given.get("offer_wait"));
  if (given.get("unsigned")) made.unsigned = true;
  if (seats > 1) made.clock = clocks.find((one) => one.pace === given.get("pace"))?.clock ?? null;
  return made;
}

/** @param {string} kind @param {FormDataEntryValue | null} text null for a box that is not ticked */
function value(kind, text) {
  if (kind === "yes-no") return text !== null;
  return kind === "number" ? Number(text) : text;
}

/** Seats reserved for house players; people count seats from 1. @param {FormData} given @param {number} seats */
function house(given, seats) {
  const numbers = Array.from({ length: seats }, (_, at) => at);
  return numbers.flatMap((seat) => {
    const level = given.get(`seat-${seat + 1}`);
    return level ? [{ seat, level }] : [];
  });
}
