// The form that opens a table: hides fields that have no effect with the other choices, and sends the request.
import * as api from "../api/api.js";
import { busy, ready } from "../ui/busy.js";
import { open } from "../flows/open-table.js";
import { tableRequest } from "../flows/table-form.js";

const OFFERS = ["offer", "both"]; // ways in which seats change hands
const SLOW = ["day", "days", "week"]; // paces whose clock gives a turn at least a day

const form = document.getElementById("new-table");
if (form instanceof HTMLFormElement) begin(form);

/** @param {HTMLFormElement} form */
function begin(form) {
  const said = form.querySelector(".said");
  form.addEventListener("change", () => fit(form));
  form.addEventListener("submit", (event) => busy(event, said, "Opening the table …", () => make(form)));
  const zone = form.elements.namedItem("rest_zone");
  if (zone instanceof HTMLInputElement) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
  fit(form);
  ready(form);
}

/** Hides fields that have no effect with the other choices. @param {HTMLFormElement} form */
function fit(form) {
  const seats = Number(chosen(form, "seats"));
  for (const field of fields(form, "[data-seat]")) show(field, Number(field.dataset.seat) <= seats);
  for (const field of fields(form, "#offer-wait-field")) show(field, OFFERS.includes(chosen(form, "handover")));
  for (const field of fields(form, "#rests")) show(field, SLOW.includes(chosen(form, "pace")) && seats > 1);
  for (const field of fields(form, "[data-only]")) show(field, holds(form, field.dataset.only ?? ""));
}

/** @param {HTMLFormElement} form @param {string} only `variant=auction seats=1` */
function holds(form, only) {
  const wanted = only
    .split(" ")
    .filter(Boolean)
    .map((one) => one.split("="));
  return wanted.every(([name, value]) => chosen(form, name === "seats" ? "seats" : `option-${name}`) === value);
}

/** @param {HTMLFormElement} form @param {string | undefined} name */
function chosen(form, name) {
  return String(new FormData(form).get(name ?? "") ?? "false");
}

/** @param {HTMLElement} field @param {boolean} is */
function show(field, is) {
  field.hidden = !is;
  for (const one of field.querySelectorAll("input, select")) {
    /** @type {HTMLInputElement} */ (one).disabled = !is;
  }
}

/** @param {HTMLFormElement} form @param {string} selector @returns {NodeListOf<HTMLElement>} */
function fields(form, selector) {
  return form.querySelectorAll(selector);
}

/** @param {HTMLFormElement} form */
async function make(form) {
  const given = new FormData(form);
  const clocks = await api.get("/v1/clocks", { anonymous: true });
  const kinds = new Map(
    [...fields(form, "[data-option]")]
      .filter((one) => !one.hidden)
      .map((one) => [one.dataset.option ?? "", one.dataset.kind ?? ""]),
  );
  const address = await open(tableRequest(form.dataset.type ?? "", given, kinds, clocks), { sit: given.has("sit") });
  if (!address) return "";
  location.assign(address);
  return "The table is open.";
}
