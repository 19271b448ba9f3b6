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
    door: given.get("door") ?? "open",
    house: house(given, seats),
  };
  for (const name of ["bots", "handover", "stand_in"]) if (given.get(name)) made[name] = given.get(name);
  if (given.get("offer_wait")) made.offer_wait = Number(given.get("offer_wait"));
  if (given.get("unsigned")) made.unsigned = true;
  if (given.get("talk")) made.talk = given.get("talk");
  if (given.get("hints")) made.hints = true;
  const asks = { games: Number(given.get("asks_games") ?? 0), clock: Number(given.get("asks_clock") ?? 0) };
  if (asks.games || asks.clock) made.asks = asks;
  if (seats > 1) made.clock = clocks.find((one) => one.pace === given.get("pace"))?.clock ?? null;
  return isSlow(made.clock) ? { ...made, ...rests(given) } : made;
}

/** Does the clock give a turn at least a day? Only then may it rest. @param {Record<string, number> | null} clock */
export function isSlow(clock) {
  return Boolean(clock && (clock.move ?? 0) + (clock.bank ?? 0) >= 86400);
}

/** When no clock runs. @param {FormData} given */
function rests(given) {
  const days = String(given.get("rest") ?? "")
    .split(" ")
    .filter(Boolean);
  return {
    rest: days.length ? { days, zone: given.get("rest_zone") } : null,
    holidays: given.get("holidays") ?? "yes",
    host_pause: Number(given.get("host_pause") ?? 0),
  };
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
