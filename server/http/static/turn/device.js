// Tells players whose device cannot sign for their seat, before they plan anything, and approves it.

import { button, el } from "../ui/dom.js";
import * as keyDialogs from "../flows/key-dialogs.js";
import { mine } from "../keys/device-key.js";

export class Device {
  part = el("div", { class: "device", role: "status" });

  /** @param {import("./game.js").Game} game */
  constructor(game) {
    this.game = game;
  }

  async look() {
    const { game } = this;
    if (game.stage !== "running" || (await this.#signs())) return this.part.replaceChildren();
    this.part.replaceChildren(
      el("p", { class: "notice" }, "This device cannot sign moves for your seat yet."),
      button("Approve this device \u2026", () => void this.#approve(), { class: "second" }),
    );
  }

  /** Does this device's key play the reader's seat? A log that fails its check is reported elsewhere. */
  async #signs() {
    const { game } = this;
    try {
      const key = await mine(game.account ?? "");
      return Boolean(key?.registered) && (await game.checked.check()).seat !== null;
    } catch {
      return true;
    }
  }

  async #approve() {
    try {
      await keyDialogs.enter(this.game.account ?? "");
      await this.look();
    } catch (error) {
      this.part.append(el("p", { class: "wrong" }, error instanceof Error ? error.message : String(error)));
    }
  }
}
