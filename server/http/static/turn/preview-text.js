// The preview of a draft move in the game's sentences, and the part that others will see if that is less.

import { el } from "../ui/dom.js";

/** @param {string[]} said */
const list = (said) => el("ul", {}, ...said.map((one) => el("li", {}, el("bdi", {}, one))));

/** @param {import("./preview.js").Preview} preview @param {boolean} hidden */
export function previewText({ sentences, others, certain, steps }, hidden) {
  if (!steps.length) return [];
  const less = hidden && others.join("\n") !== sentences.join("\n");
  return [
    ...(sentences.length ? [el("h3", {}, "Effect of your move"), list(sentences)] : []),
    ...(certain ? [] : [el("p", { class: "quiet" }, "Chance decides next, so the preview ends here.")]),
    ...(less
      ? [el("h3", {}, "What other players see"), others.length ? list(others) : el("p", {}, "Nothing yet.")]
      : []),
  ];
}
