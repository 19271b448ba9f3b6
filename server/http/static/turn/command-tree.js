// The tree of words: a player chooses one word after the other until one legal command is left. It is the same for
// every game.
//
//     let picks = [];
//     const asked = ask(list, picks);                 // list: the answer of `legal`
//     if (asked.choice) plan.add(asked.choice);       // one command is left
//     else picks = asked.options[3].picks;            // after choosing the fourth option
//
// First come the kinds, of small ones each command if there is room for all of them; then each word that continues a
// legal command. A word that all of them share is skipped. If a word is a set (`a+b+b`), its parts are chosen one by
// one: a part is offered if a legal set contains it in addition to those taken, "that is all" if those taken are a
// legal set, and the whole set if it contains all others. Places are never merged, since the picture could not
// highlight them.

/** @typedef {{word: string, says?: string}} Part */
/** @typedef {Part & {kind: string | null, seat?: number, parts?: Part[]}} Word */
/**
 * @typedef {object} Choice
 * @property {unknown} command
 * @property {string} notation
 * @property {string} label
 * @property {string} kind
 * @property {string} says
 * @property {boolean} closes
 * @property {Word[]} words
 */

/** @typedef {{kind: string, notation?: string} | {word: string, seat?: number} | {part: string} | {end: true}} Pick */

/**
 * @typedef {object} Option
 * @property {"kind" | "word" | "part" | "all" | "end"} is
 * @property {string} word as typed; "" for the end of a command
 * @property {string} says its name for people
 * @property {string} about a sentence on its effect, if known
 * @property {string[]} marks its places on the picture
 * @property {number | null} seat the owner of the piece
 * @property {boolean} closes
 * @property {Choice | null} choice the command, if only one is left
 * @property {Pick[]} picks
 */

/**
 * @typedef {object} Asked
 * @property {Option[]} options
 * @property {Choice | null} choice
 * @property {string} so the choices so far, as typed
 * @property {Map<string, number> | null} taken how many of each part of a set were taken
 * @property {boolean} numbers so many numbers that a stepper is better
 */

export const MANY = 12;
const LISTED = 9; // buttons of the first question, with the commands of small kinds each on its own
export const FEW = [3, 2, 1]; // commands of a small kind
const NUMBER = /^(0|[1-9][0-9]{0,8})$/;

/** The options after these picks. @param {Choice[]} list @param {Pick[]} picks @returns {Asked} */
export function ask(list, picks) {
  const [first, ...rest] = picks;
  if (!first || !("kind" in first)) return answer(kinds(list), null, "", null);
  const at = placeAfter(list, first, rest);
  const only = at.left.length === 1 ? (at.left[0] ?? null) : null;
  if (only) return answer([], only, only.notation, null);
  const next = options(at, picks);
  const [end] = next;
  if (at.parts && end?.is === "end" && next.length === 1) return ask(list, end.picks); // the set is complete
  return answer(next, null, typed(at), at.parts);
}

/**
 * Where these picks lead, with the other words of the place that was chosen: to a command, or to the next question.
 * @param {Choice[]} list @param {Pick[]} picks @param {string[]} [others]
 * @returns {{choice: Choice | null, picks: Pick[]}}
 */
export function followed(list, picks, others = []) {
  const { choice, options } = ask(list, picks);
  const next = choice ? null : options.find(({ marks }) => marks.some((mark) => others.includes(mark)));
  if (!next) return { choice, picks };
  const left = others.filter((mark) => !next.marks.includes(mark));
  return followed(list, next.picks, left);
}

/** The picks before the last question. @param {Choice[]} list @param {Pick[]} picks @returns {Pick[]} */
export function stepBack(list, picks) {
  let before = picks;
  do before = before.slice(0, -1);
  while (before.length && ask(list, before).choice);
  return before;
}

/** The commands that these picks can still become. @param {Choice[]} list @param {Pick[]} picks @returns {Choice[]} */
export function reachable(list, picks) {
  const [first, ...rest] = picks;
  if (!first || !("kind" in first)) return list;
  const { left, at, parts } = placeAfter(list, first, rest);
  return parts ? left.filter(({ words }) => holds(setOf(words[at]), parts)) : left;
}

/** Puts one part of a set back. @param {Pick[]} picks @param {string} part @returns {Pick[]} */
export function without(picks, part) {
  const at = picks.findLastIndex((pick) => "part" in pick && pick.part === part);
  return at < 0 ? picks : picks.toSpliced(at, 1);
}

/**
 * @param {Option[]} options
 * @param {Choice | null} choice
 * @param {string} so
 * @param {string[] | null} parts
 * @returns {Asked}
 */
function answer(options, choice, so, parts) {
  const words = options.filter(({ is }) => is === "word");
  const numbers =
    words.length >= MANY && words.length === options.length && words.every(({ word }) => NUMBER.test(word));
  return { options, choice, so, taken: parts && counted(parts), numbers };
}

// --- the position in the tree ----------------------------------------------------------------------------------------

/**
 * @typedef {{left: Choice[], at: number, parts: string[] | null}} Place `parts`: those taken from the set at word `at`
 */

/** @param {Choice[]} list @param {{kind: string, notation?: string}} first @param {Pick[]} rest @returns {Place} */
function placeAfter(list, { kind, notation }, rest) {
  const begun = list.filter((one) => one.kind === kind && (notation === undefined || one.notation === notation));
  return rest.reduce(after, shared({ left: begun, at: 0, parts: null }));
}

/** @param {Place} place @param {Pick} pick @returns {Place} */
function after({ left, at, parts }, pick) {
  if ("part" in pick) return { left, at, parts: [...(parts ?? []), pick.part] };
  if ("end" in pick) {
    const ended = parts
      ? left.filter(({ words }) => same(setOf(words[at]), parts))
      : left.filter(({ words }) => words.length === at);
    return shared({ left: ended, at: parts ? at + 1 : at, parts: null });
  }
  if (!("word" in pick)) return { left, at, parts };
  const goes = left.filter(({ words }) => words[at]?.word === pick.word && words[at]?.seat === pick.seat);
  return shared({ left: goes, at: at + 1, parts: null });
}

/** Skips the words that all commands share. @param {Place} place @returns {Place} */
function shared({ left, at, parts }) {
  let next = at;
  while (left.length > 1 && left.every(({ words }) => alike(words[next], left[0]?.words[next]))) next += 1;
  return { left, at: next, parts };
}

/** @param {Word | undefined} one @param {Word | undefined} other */
const alike = (one, other) => one !== undefined && one.word === other?.word && one.seat === other?.seat;

/** The choices as typed. @param {Place} place */
function typed({ left, at, parts }) {
  const words = left[0]?.words.slice(0, at).map(({ word }) => word) ?? [];
  return [...words, ...(parts?.length ? [parts.join("+")] : [])].join(" ");
}

// --- options ---------------------------------------------------------------------------------------------------------

/** The kinds in the game's order, those that end the turn last. @param {Choice[]} list @returns {Option[]} */
function kinds(list) {
  const groups = [...grouped(list, ({ kind }) => kind)];
  const listed = (/** @type {number} */ most) =>
    groups.reduce((sum, [, { length }]) => sum + (length > most ? 1 : length), 0);
  const most = FEW.find((one) => listed(one) <= LISTED) ?? 1;
  const found = groups.flatMap(([kind, of]) =>
    of.length > most ? [kindOption(kind, of)] : of.map((one) => kindOption(kind, [one])),
  );
  return [...found.filter(({ closes }) => !closes), ...found.filter(({ closes }) => closes)];
}

/** @param {string} kind @param {Choice[]} of @returns {Option} */
function kindOption(kind, of) {
  const one = of.length === 1 ? (of[0] ?? null) : null;
  const { at } = shared({ left: of, at: 0, parts: null });
  const head = (of[0]?.words ?? []).slice(0, Math.max(1, at)).map(({ word }) => word);
  const word = one ? one.notation : head.join(" ");
  return {
    is: "kind",
    word,
    says: one ? one.label : "",
    about: of[0]?.says ?? "",
    marks: one ? one.words.flatMap(marksOf) : [],
    seat: null,
    closes: of.every(({ closes }) => closes),
    choice: one,
    picks: [one ? { kind, notation: one.notation } : { kind }],
  };
}

/** @param {Place} place @param {Pick[]} picks @returns {Option[]} */
function options({ left, at, parts }, picks) {
  const going = left.filter(({ words }) => words.length > at);
  const sets = going.filter(({ words }) => words[at]?.parts);
  const ended = parts
    ? sets.filter(({ words }) => same(setOf(words[at]), parts))
    : left.filter(({ words }) => words.length === at);
  return [
    ...partOptions(sets, at, parts ?? [], picks),
    ...(parts
      ? []
      : wordOptions(
          going.filter(({ words }) => !words[at]?.parts),
          at,
          picks,
        )),
    ...(ended.length ? [endOption(ended, picks)] : []),
  ];
}

/** @param {Choice[]} going @param {number} at @param {Pick[]} picks @returns {Option[]} */
function wordOptions(going, at, picks) {
  const groups = grouped(going, ({ words }) => JSON.stringify([words[at]?.word, words[at]?.seat ?? null]));
  return [...groups.values()].map((of) => {
    const word = /** @type {Word} */ (of[0]?.words[at]);
    const one = of.length === 1 ? (of[0] ?? null) : null;
    const rest = one ? one.words.slice(at + 1).map(({ word, says }) => says ?? word) : [];
    return {
      is: "word",
      word: one
        ? one.words
            .slice(at)
            .map(({ word }) => word)
            .join(" ")
        : word.word,
      says: [word.says ?? word.word, ...rest].join(" "),
      about: one?.label ?? "",
      marks: marksOf(word),
      seat: word.seat ?? null,
      closes: false,
      choice: one,
      picks: [...picks, word.seat === undefined ? { word: word.word } : { word: word.word, seat: word.seat }],
    };
  });
}

/** @param {Choice[]} sets @param {number} at @param {string[]} parts @param {Pick[]} picks @returns {Option[]} */
function partOptions(sets, at, parts, picks) {
  const open = sets.filter(({ words }) => holds(setOf(words[at]), parts));
  const whole = wholeOf(open, at);
  const next = [...new Set(open.flatMap(({ words }) => beyond(setOf(words[at]), parts)))];
  const found = next.map((part) => partOption(part, open, at, picks));
  return whole && setOf(whole).length > parts.length + 1 ? [...found, allOption(whole, picks, parts)] : found;
}

/** @param {string} part @param {Choice[]} open @param {number} at @param {Pick[]} picks @returns {Option} */
function partOption(part, open, at, picks) {
  const word = /** @type {Word} */ (open.find(({ words }) => setOf(words[at]).includes(part))?.words[at]);
  const says = word.parts?.find(({ word }) => word === part)?.says ?? part;
  const base = { about: "", seat: word.seat ?? null, closes: false, choice: null };
  return { is: "part", word: part, says, marks: markOf(word, part), picks: [...picks, { part }], ...base };
}

/** The set that contains all others, or null. @param {Choice[]} open @param {number} at @returns {Word | null} */
function wholeOf(open, at) {
  const sets = open.map(({ words }) => /** @type {Word} */ (words[at]));
  return sets.find((one) => sets.every((other) => holds(setOf(one), setOf(other)))) ?? null;
}

/** @param {Word} whole @param {Pick[]} picks @param {string[]} parts @returns {Option} */
function allOption(whole, picks, parts) {
  const before = picks.slice(0, picks.length - parts.length);
  const pick = whole.seat === undefined ? { word: whole.word } : { word: whole.word, seat: whole.seat };
  const base = { about: "", seat: null, closes: false, choice: null, marks: [] };
  return { is: "all", word: whole.word, says: whole.says ?? whole.word, picks: [...before, pick], ...base };
}

/** @param {Choice[]} ended @param {Pick[]} picks @returns {Option} */
function endOption(ended, picks) {
  const one = ended.length === 1 ? (ended[0] ?? null) : null;
  const base = { marks: [], seat: null, closes: false };
  return {
    is: "end",
    word: "",
    says: "",
    about: one?.label ?? "",
    choice: one,
    picks: [...picks, { end: true }],
    ...base,
  };
}

// --- words and sets --------------------------------------------------------------------------------------------------

/** @param {Choice[]} list @param {(choice: Choice) => string} key @returns {Map<string, Choice[]>} */
function grouped(list, key) {
  /** @type {Map<string, Choice[]>} */
  const found = new Map();
  for (const one of list) found.set(key(one), [...(found.get(key(one)) ?? []), one]);
  return found;
}

/** The places on the picture that a word points at. @param {Word} word */
export const marksOf = (word) => (word.parts ?? [word]).flatMap(({ word: part }) => markOf(word, part));

/** @param {Word} word @param {string} part */
const markOf = (word, part) => (word.kind === null ? [] : [`${word.kind}:${part}`]);

/** @param {Word | undefined} word */
const setOf = (word) => (word?.parts ?? []).map(({ word }) => word);

/** @param {string[]} parts @returns {Map<string, number>} */
function counted(parts) {
  const count = new Map();
  for (const part of parts) count.set(part, (count.get(part) ?? 0) + 1);
  return count;
}

/** Does the set contain these parts, each at least as often? @param {string[]} set @param {string[]} parts */
function holds(set, parts) {
  const has = counted(set);
  return [...counted(parts)].every(([part, n]) => (has.get(part) ?? 0) >= n);
}

/** @param {string[]} set @param {string[]} parts */
const same = (set, parts) => set.length === parts.length && holds(set, parts);

/** The parts that the set contains more often. @param {string[]} set @param {string[]} parts */
function beyond(set, parts) {
  const taken = counted(parts);
  return [...counted(set)].filter(([part, n]) => n > (taken.get(part) ?? 0)).map(([part]) => part);
}
