// "Play now": opens a table with the reader and house players, which starts at once.
import { busy, ready } from "../ui/busy.js";
import { begin as beginGuest, open } from "../flows/open-table.js";

const form = document.getElementById("play-now");
if (form instanceof HTMLFormElement) begin(form);

/** @param {HTMLFormElement} form */
function begin(form) {
  const [type, others, level] = ["type", "others", "level"].map(
    (name) => /** @type {any} */ (form.elements.namedItem(name)),
  );
  const fit = () => fitting(others, Math.min(known(type, "most") - 1, known(level, "players")));
  form.addEventListener("change", fit);
  fit();
  const said = form.querySelector(".said");
  form.addEventListener("submit", (event) => busy(event, said, "Opening the table …", () => play(new FormData(form))));
  ready(form);
}

/** The number in a data attribute of the chosen option. @param {HTMLSelectElement} select @param {string} name */
function known(select, name) {
  return Number(select.selectedOptions[0]?.dataset[name] ?? 1);
}

/**
 * Offers no more players than the game has seats and the level has players.
 * @param {HTMLSelectElement} others
 * @param {number} most
 */
function fitting(others, most) {
  for (const option of others.options) option.hidden = option.disabled = Number(option.value) > most;
  if (Number(others.value) > most) others.value = String(most);
}

/** @param {FormData} chosen */
async function play(chosen) {
  const count = Number(chosen.get("others"));
  const house = Array.from({ length: count }, (_, at) => ({ seat: at + 1, level: chosen.get("level") }));
  await beginGuest();
  const address = await open({ type: chosen.get("type"), seats: count + 1, house }, { sit: true });
  if (!address) return "";
  location.assign(address);
  return "The table is open.";
}
