// The text field for players who know the notation. It suggests legal commands and shows refusals below.

import { el } from "../ui/dom.js";

/** @typedef {import("./command-tree.js").Choice} Choice */

export class CommandInput {
  /** @param {(text: string) => void} add */
  constructor(add) {
    const given = { autocomplete: "off", autocapitalize: "none", spellcheck: "false" };
    this.input = el("input", { id: "typed", name: "typed", list: "typable", "aria-describedby": "refused", ...given });
    this.list = el("datalist", { id: "typable" });
    this.refused = el("p", { id: "refused", class: "wrong", role: "alert" });
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (text) add(text);
    };
    const form = el(
      "form",
      { on: { submit } },
      el("label", { for: "typed" }, "Command"),
      el("span", { class: "line" }, this.input, el("button", { type: "submit", class: "second" }, "Add")),
      this.list,
      this.refused,
    );
    this.part = el("details", { class: "typed", hidden: true }, el("summary", {}, "Type it"), form);
  }

  /** @param {Choice[]} legal */
  show(legal) {
    this.list.replaceChildren(...legal.map(({ notation, label }) => el("option", { value: notation }, label)));
    this.part.hidden = !legal.length;
    this.refuse("");
  }

  /** Shows the refusal and keeps the text. @param {string} says */
  refuse(says) {
    this.refused.textContent = says;
    if (says) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
    if (says) this.input.focus({ preventScroll: true });
  }

  /** Empties the field for the next command. */
  next() {
    this.input.value = "";
    const used = !this.part.hidden && this.part.open;
    if (used) this.input.focus({ preventScroll: true });
    return used;
  }
}
