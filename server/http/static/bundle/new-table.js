import {
  open
} from "./chunk-ECQHRSJW.js";
import {
  busy,
  ready
} from "./chunk-2IZIRG73.js";
import "./chunk-5Y45MAQH.js";
import "./chunk-XG3CP7JW.js";
import "./chunk-GKU24XFM.js";
import "./chunk-J374VYKZ.js";
import {
  get
} from "./chunk-KHBG72CQ.js";
import "./chunk-WTO7KCRN.js";
import "./chunk-2WYNB7VX.js";

// server/http/static/flows/table-form.js
function tableRequest(type, given, kinds, clocks) {
  const seats = Number(given.get("seats"));
  const made = {
    type,
    seats,
    options: Object.fromEntries([...kinds].map(([name, kind]) => [name, value(kind, given.get(`option-${name}`))])),
    door: given.get("door") ?? "open",
    house: house(given, seats)
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
function isSlow(clock) {
  return Boolean(clock && (clock.move ?? 0) + (clock.bank ?? 0) >= 86400);
}
function rests(given) {
  const days = String(given.get("rest") ?? "").split(" ").filter(Boolean);
  return {
    rest: days.length ? { days, zone: given.get("rest_zone") } : null,
    holidays: given.get("holidays") ?? "yes",
    host_pause: Number(given.get("host_pause") ?? 0)
  };
}
function value(kind, text) {
  if (kind === "yes-no") return text !== null;
  return kind === "number" ? Number(text) : text;
}
function house(given, seats) {
  const numbers = Array.from({ length: seats }, (_, at) => at);
  return numbers.flatMap((seat) => {
    const level = given.get(`seat-${seat + 1}`);
    return level ? [{ seat, level }] : [];
  });
}

// server/http/static/pages/new-table.js
var OFFERS = ["offer", "both"];
var SLOW = ["day", "days", "week"];
var form = document.getElementById("new-table");
if (form instanceof HTMLFormElement) begin(form);
function begin(form2) {
  const said = form2.querySelector(".said");
  form2.addEventListener("change", () => fit(form2));
  form2.addEventListener("submit", (event) => busy(event, said, "Opening the table …", () => make(form2)));
  const zone = form2.elements.namedItem("rest_zone");
  if (zone instanceof HTMLInputElement) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
  fit(form2);
  ready(form2);
}
function fit(form2) {
  const seats = Number(chosen(form2, "seats"));
  for (const field of fields(form2, "[data-seat]")) show(field, Number(field.dataset.seat) <= seats);
  for (const field of fields(form2, "#offer-wait-field")) show(field, OFFERS.includes(chosen(form2, "handover")));
  for (const field of fields(form2, "#rests")) show(field, SLOW.includes(chosen(form2, "pace")) && seats > 1);
  for (const field of fields(form2, "[data-only]")) show(field, holds(form2, field.dataset.only ?? ""));
}
function holds(form2, only) {
  const wanted = only.split(" ").filter(Boolean).map((one) => one.split("="));
  return wanted.every(([name, value2]) => chosen(form2, name === "seats" ? "seats" : `option-${name}`) === value2);
}
function chosen(form2, name) {
  return String(new FormData(form2).get(name ?? "") ?? "false");
}
function show(field, is) {
  field.hidden = !is;
  for (const one of field.querySelectorAll("input, select")) {
    one.disabled = !is;
  }
}
function fields(form2, selector) {
  return form2.querySelectorAll(selector);
}
async function make(form2) {
  const given = new FormData(form2);
  const clocks = await get("/v1/clocks", { anonymous: true });
  const kinds = new Map(
    [...fields(form2, "[data-option]")].filter((one) => !one.hidden).map((one) => [one.dataset.option ?? "", one.dataset.kind ?? ""])
  );
  const address = await open(tableRequest(form2.dataset.type ?? "", given, kinds, clocks), { sit: given.has("sit") });
  if (!address) return "";
  location.assign(address);
  return "The table is open.";
}
