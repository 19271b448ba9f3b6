import {
  begin,
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
import "./chunk-KHBG72CQ.js";
import "./chunk-WTO7KCRN.js";
import "./chunk-2WYNB7VX.js";

// server/http/static/pages/home.js
var form = document.getElementById("play-now");
if (form instanceof HTMLFormElement) begin2(form);
function begin2(form2) {
  const [type, others, level] = ["type", "others", "level"].map(
    (name) => (
      /** @type {any} */
      form2.elements.namedItem(name)
    )
  );
  const fit = () => fitting(others, Math.min(known(type, "most") - 1, known(level, "players")));
  form2.addEventListener("change", fit);
  fit();
  const said = form2.querySelector(".said");
  form2.addEventListener("submit", (event) => busy(event, said, "Opening the table …", () => play(new FormData(form2))));
  ready(form2);
}
function known(select, name) {
  return Number(select.selectedOptions[0]?.dataset[name] ?? 1);
}
function fitting(others, most) {
  for (const option of others.options) option.hidden = option.disabled = Number(option.value) > most;
  if (Number(others.value) > most) others.value = String(most);
}
async function play(chosen) {
  const count = Number(chosen.get("others"));
  const house = Array.from({ length: count }, (_, at) => ({ seat: at + 1, level: chosen.get("level") }));
  await begin();
  const address = await open({ type: chosen.get("type"), seats: count + 1, house }, { sit: true });
  if (!address) return "";
  location.assign(address);
  return "The table is open.";
}
