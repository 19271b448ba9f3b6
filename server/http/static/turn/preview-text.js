// The preview of a draft move in the game's sentences, and the part that others will see if that is less.

import { el } from "../ui/dom.js";

/** @param {string[]} said */
const list = (said) => el("ul", {}, ...said.map((one) => el("li", {}, el("bdi", {}, one))));

/** @param {string} says */
const note = (says) => el("p", { class: "quiet" }, says);

/** @param {import("./preview.js").Preview} preview @param {boolean} hidden */
export function previewText({ sentences, others, certain, steps }, hidden) {
  if (!steps.length) return [];
  const less = hidden && others.join("\n") !== sentences.join("\n");
  return [
    ...(sentences.length ? [el("h3", {}, "Effect of your move"), list(sentences)] : []),
    ...(certain
      ? []
      : [
          note(
            hidden
              ? "Chance or hidden information decides next: the preview ends here, and you cannot undo the move " +
                  "once you have sent it."
              : "Chance decides next: the preview ends here, and you cannot undo the move once you have sent it.",
          ),
        ]),
    ...(less
      ? [el("h3", {}, "What other players see"), others.length ? list(others) : el("p", {}, "Nothing yet.")]
      : []),
    ...(hidden
      ? [note("Until the game ends, other players see only the result of your move, not these commands.")]
      : []),
  ];
}
