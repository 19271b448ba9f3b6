// "Play now": a table with the reader and house players, which starts at once.
import { busy, ready } from "./busy.js";
import { open } from "./opening.js";

const form = document.getElementById("play-now");
if (form instanceof HTMLFormElement) begin(form);

/** @param {HTMLFormElement} form */
function begin(form) {
  const type = /** @type {HTMLSelectElement} */ (form.elements.namedItem("type"));
  const others = /** @type {HTMLSelectElement} */ (form.elements.namedItem("others"));
  const fit = () => fitting(others, Number(type.selectedOptions[0]?.dataset.most ?? 2) - 1);
  type.addEventListener("change", fit);
  fit();
  const said = form.querySelector(".said");
  form.addEventListener("submit", (event) => busy(event, said, "The table is being laid ...", () => play(new FormData(form))));
  ready(form);
}

/** A game has so many seats: more is not offered. @param {HTMLSelectElement} others @param {number} most */
function fitting(others, most) {
  for (const option of others.options) option.hidden = option.disabled = Number(option.value) > most;
  if (Number(others.value) > most) others.value = String(most);
}

/** @param {FormData} chosen */
async function play(chosen) {
  const count = Number(chosen.get("others"));
  const house = Array.from({ length: count }, (_, at) => ({ seat: at + 1, level: chosen.get("level") }));
  const address = await open({ type: chosen.get("type"), seats: count + 1, house }, { sit: true });
  if (!address) return "";
  location.assign(address);
  return "The table is ready.";
}
