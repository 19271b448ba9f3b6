// A draft move: the steps that a player wants to sign, in order, and the earlier versions, so that it can be undone.
//
//     let plan = planned(steps);
//     plan = changed(plan, added(plan.steps, choice));
//     plan = undone(plan);
//
// A draft is a value. This browser stores it by account and game until it is sent, with the entry on which it was made
// and where it is from. Two drafts are never merged: the player chooses.

/** @typedef {{command: unknown, notation: string, label: string}} Step as a preview spells it */
/** @typedef {{seq: number, hash: string}} Head the entry that it was made on */
/** @typedef {{steps: Step[], before: Step[][]}} Plan `before`: what the steps were, the newest first */
/** @typedef {{steps: Step[], head: Head | null, at: string}} Kept */

export const MOST = 64; // steps in a move
const REMEMBERED = 50;

/** @param {Step[]} [steps] @returns {Plan} */
export const planned = (steps = []) => ({ steps, before: [] });

/** @param {Plan} plan @param {Step[]} steps @returns {Plan} */
export const changed = (plan, steps) =>
  same(plan.steps, steps) ? plan : { steps, before: [plan.steps, ...plan.before].slice(0, REMEMBERED) };

/** The draft before the last change. @param {Plan} plan @returns {Plan} */
export const undone = ({ steps, before: [last, ...before] }) => ({ steps: last ?? steps, before });

/** @param {Step[]} steps @param {Step} step @returns {Step[]} */
export const added = (steps, { command, notation, label }) => [...steps, { command, notation, label }];

/** @param {Step[]} steps @param {number} at @returns {Step[]} */
export const without = (steps, at) => steps.toSpliced(at, 1);

/**
 * Moves a step to another place; unchanged if there is no such place.
 * @param {Step[]} steps
 * @param {number} from
 * @param {number} to
 * @returns {Step[]}
 */
export function moved(steps, from, to) {
  const step = steps[from];
  return step && to >= 0 && to < steps.length ? steps.toSpliced(from, 1).toSpliced(to, 0, step) : steps;
}

/** The steps as typed, one on a line. @param {Step[]} steps */
export const typed = (steps) => steps.map(({ notation }) => notation).join("\n");

/** The same in one line. @param {Step[]} steps */
export const line = (steps) => steps.map(({ notation }) => notation).join("; ");

/** The commands to sign. @param {Step[]} steps */
export const commands = (steps) => steps.map(({ command }) => command);

/** @param {Step[]} one @param {Step[]} other */
export const same = (one, other) => typed(one) === typed(other);

/** Where a draft is from, as a sentence. @param {"here" | "tab" | "mail" | "oldMail"} from @param {string} at */
export function origin(from, at) {
  const when = new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const where = {
    here: `You have a draft move from this browser, saved on ${when}.`,
    tab: `Another tab of this browser has a different draft move, saved on ${when}.`,
    mail: `You have a draft move from your email reply of ${when}.`,
    oldMail: `You have a draft move from your email reply of ${when}. The game has moved on since then.`,
  };
  return where[from];
}

/** The stored draft; null for anything else. @param {any} found @returns {Kept | null} */
export function read(found) {
  if (!found || !Array.isArray(found.steps) || !found.steps.length || found.steps.length > MOST) return null;
  if (!found.steps.every(isStep) || typeof found.at !== "string") return null;
  const { head } = found;
  const known = head && Number.isInteger(head.seq) && typeof head.hash === "string";
  return { steps: found.steps.map(only), head: known ? { seq: head.seq, hash: head.hash } : null, at: found.at };
}

/** @param {any} step */
const isStep = (step) =>
  Boolean(step?.command) &&
  typeof step.command === "object" &&
  typeof step.notation === "string" &&
  typeof step.label === "string";

/** @param {Step} step @returns {Step} */
const only = ({ command, notation, label }) => ({ command, notation, label });
