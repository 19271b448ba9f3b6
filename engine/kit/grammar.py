"""Reading one typed command, and naming the words that would fit where reading fails.

The written form (`notation.py`) is tried first, then any other reading that has one meaning:

    tent 3 explorer row 2    options in any order, also before a field
    rest own walk+left       a set (`spelling.sets`) in any order
    tent 3 2                 an option of one number, where nothing else fits, without its word (`row`)
    use red-walk ride        without a word (`as`) between two fields
    enter a1 3, use 3        repeated (`spelling.times`): three commands; no number goes without its word then
    place r2 c3              fields in another order, if they fit in no other way: each takes the first word it can
    end turn                 a whole line that means a command (`spelling.also`)

Reading has no access to the state, so its answers cannot depend on anything hidden. Forms that depend on the position
(words cut short, the only possible value left out, a turn that looks alike) are read among the legal commands:
`typed.py`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher, get_close_matches
from typing import Any, TypeVar

import msgspec

from engine.errors import BadNotation
from engine.game import Command, Game
from engine.kit.notation import MOST_STEPS, NUMBER, Group, Slot, Step, head, slots, template

LONGEST_TEXT = 4096
MOST_SHOWN = 24  # words in a refusal
OFTEN = "how often"
Fields = dict[str, Any]
T = TypeVar("T")


# --- a text ---------------------------------------------------------------------------------------------------------


def parse(game: Game[Any], text: str) -> tuple[Step, ...]:
    """Read the steps of any text, or raise BadNotation with what was found and expected."""
    return within_bounds(text, [step for line in lines_of(text) for step in parse_line(game, line)])


def lines_of(text: str) -> list[str]:
    """The texts of single commands; BadNotation if there are none or too many."""
    lines = [line for line in re.split(r"[;\n]", text[: LONGEST_TEXT + 1]) if line.strip()]
    within_bounds(text, lines)
    return lines


def within_bounds(text: str, parts: Sequence[T]) -> tuple[T, ...]:
    """The parts of a text, 1 to 64."""
    if len(text) > LONGEST_TEXT or not 1 <= len(parts) <= MOST_STEPS:
        expected = (f"1 to {MOST_STEPS} commands",)
        says = f"A move has {expected[0]}, in {LONGEST_TEXT} characters at most"
        raise BadNotation("bad-notation", found=text[:40], word="", expected=expected, nearest="", says=says)
    return tuple(parts)


def parse_line(game: Game[Any], text: str) -> tuple[Step, ...]:
    """The step of one line, with its `try`; several if the line says how often."""
    words, may_skip = words_of(text)
    return tuple(Step(command, may_skip) for command in read(game.commands, words))


def words_of(text: str) -> tuple[list[str], bool]:
    """The words of a line without capitals and accents, and whether it begins with `try`."""
    plain = unicodedata.normalize("NFKD", text.lower())
    words = "".join(char for char in plain if not unicodedata.combining(char)).split()
    return (words[1:], True) if words[:1] == ["try"] else (words, False)


# --- a command ------------------------------------------------------------------------------------------------------


def read(kinds: Sequence[type[Command]], words: Sequence[str]) -> tuple[Command, ...]:
    """Read the words as a command (several only by `spelling.times`), or raise BadNotation with what would fit."""
    tried, meanings = _tried(kinds, words)
    if len(meanings) == 1:
        return meanings[0]
    raise _several(words, meanings) if meanings else _trouble(kinds, words, tried)


def read_as(kind: type[Command], words: Sequence[str]) -> tuple[Command, ...]:
    """As `read`, but () where that would be refused: saying why takes longer than reading."""
    _, meanings = _tried((kind,), words)
    return meanings[0] if len(meanings) == 1 else ()


def _tried(
    kinds: Sequence[type[Command]], words: Sequence[str]
) -> tuple[Sequence[Reading], Sequence[tuple[Command, ...]]]:
    """The readings of the words, and what they mean: the written form, or anything else that it can be."""
    tried = [Reading(kind, words) for kind in kinds if words[: len(head(kind))] == list(head(kind))]
    for reading in tried:
        if reading.exact:
            return tried, [(reading.exact,)]
    meanings = {meaning: None for reading in tried for meaning in reading.meanings()}
    meanings = meanings or {(kind(),): None for kind in kinds if " ".join(words) in kind.spelling.also}
    meanings = meanings or {meaning: None for reading in tried for meaning in reading.in_another_order()}
    return tried, list(meanings)


class Reading:
    """One attempt to read words as a kind of command; it collects by place what would fit there."""

    def __init__(self, kind: type[Command], words: Sequence[str]) -> None:
        self.kind = kind
        self.words = list(words)
        self.slots = slots(kind)
        self._misfits: dict[int, list[str | Slot]] = {}
        self.reason = ""  # msgspec's, when the words fit but their values are out of bounds
        groups = template(kind)
        self._needed = [token for group in groups if not group.optional for token in group.tokens]
        self._options = [group for group in groups if group.optional]

    @property
    def exact(self) -> Command | None:
        """The command whose written form these words are."""
        fields: Fields = {}
        at = 0
        for group in template(self.kind):
            found = self._group(group, at, self.words)
            if found is not None:
                fields |= found
                at += len(group.tokens)
            elif not group.optional:
                return None
        return self._made(fields) if at == len(self.words) else None

    def meanings(self) -> Iterator[tuple[Command, ...]]:
        """Every loose reading of the words, repeated as often as they say."""
        for command in self._commands(self.words):
            yield (command,)
        if self.kind.spelling.times > 1:
            yield from self._repeated()

    def _repeated(self) -> Iterator[tuple[Command, ...]]:
        """`use 3`, `use as wood 3` or `use 3 as wood`: the last word, or the first after the head, says how often."""
        most, last = self.kind.spelling.times, len(self.words) - 1
        for at in sorted({len(head(self.kind)), last}):
            if not 0 < at <= last or not NUMBER.fullmatch(self.words[at]):
                continue
            if not 1 <= int(self.words[at]) <= most:
                self._note(at, f"{OFTEN} (1 to {most})")
                continue
            for command in self._commands([*self.words[:at], *self.words[at + 1 :]]):
                yield (command,) * int(self.words[at])

    def in_another_order(self) -> Iterator[tuple[Command, ...]]:
        """Every reading in which each field takes the first word that it can read, wherever that is."""
        start = len(head(self.kind))
        left, taken = self.words[start:], self.words[:start]
        for token in self._needed[start:]:
            slot = self.slots.get(token[1:-1])
            word = next((word for word in left if (slot.read(word) is not None if slot else word == token)), None)
            if word is None:
                return
            left.remove(word)
            taken.append(word)
        if taken + left != self.words:
            yield from Reading(self.kind, taken + left).meanings()

    def _commands(self, words: list[str]) -> Iterator[Command]:
        start = len(head(self.kind))
        for fields in self._walk(words, start, start, frozenset(range(len(self._options)))):
            command = self._made(fields)
            if command is not None:
                yield command

    def _made(self, fields: Fields) -> Command | None:
        try:
            return msgspec.convert({"do": self.kind.__struct_config__.tag, **fields}, self.kind)
        except msgspec.ValidationError as no:
            self.reason = str(no).replace("`", "'")
            return None

    def _walk(self, words: list[str], at: int, need: int, left: frozenset[int]) -> Iterator[Fields]:
        """Read fields from the words at `at` on, with the template's words from `need` on and these options still to
        come.
        """
        if at == len(words) and need == len(self._needed):
            yield {}
            return
        for option in sorted(left):
            yield from self._take(words, at, need, left, option)
        if need < len(self._needed):
            yield from self._take_needed(words, at, need, left)
        for option in sorted(left):
            yield from self._take_bare(words, at, need, left, option)

    def _take(self, words: list[str], at: int, need: int, left: frozenset[int], option: int) -> Iterator[Fields]:
        group = self._options[option]
        found = self._group(group, at, words)
        if found is not None:
            for rest in self._walk(words, at + len(group.tokens), need, left - {option}):
                yield found | rest

    def _take_needed(self, words: list[str], at: int, need: int, left: frozenset[int]) -> Iterator[Fields]:
        token = self._needed[need]
        found = self._token(token, at, words)
        if found is not None:
            for rest in self._walk(words, at + 1, need + 1, left):
                yield found | rest
        elif not token.startswith("{"):
            yield from self._walk(words, at, need + 1, left)

    def _take_bare(self, words: list[str], at: int, need: int, left: frozenset[int], option: int) -> Iterator[Fields]:
        """`tent 3 2`: the number of an option without its word, unless a bare number says how often."""
        group = self._options[option]
        if (
            self.kind.spelling.times == 1
            and at < len(words)
            and len(group.tokens) == 2
            and len(group.fields) == 1
            and need == len(self._needed)
        ):
            slot = self.slots[group.fields[0]]
            value = slot.read(words[at]) if slot.is_number else None
            if value is not None:
                for rest in self._walk(words, at + 1, need, left - {option}):
                    yield {slot.name: value} | rest

    def _group(self, group: Group, at: int, words: list[str]) -> Fields | None:
        fields: Fields = {group.flag: True} if group.flag else {}
        for step, token in enumerate(group.tokens):
            found = self._token(token, at + step, words)
            if found is None:
                return None
            fields |= found
        return fields

    def _token(self, token: str, at: int, words: list[str]) -> Fields | None:
        """The field that the word at this place gives, {} for a word of the template, None if it does not fit."""
        word = words[at] if at < len(words) else None
        if not token.startswith("{"):
            if word == token:
                return {}
            self._note(at, token)
            return None
        slot = self.slots[token[1:-1]]
        value = None if word is None else slot.read(word)
        if value is None:
            self._note(at, slot)
            return None
        return {slot.name: value}

    def _note(self, at: int, fits: str | Slot) -> None:
        """Remember what would fit; it is spelled out only for a refusal, since a slot may have thousands of words."""
        self._misfits.setdefault(at, []).append(fits)

    @property
    def furthest(self) -> int:
        """The last place at which a word did not fit, or none was left."""
        return max(self._misfits, default=0)

    def expected(self, at: int) -> Iterator[str]:
        """The words that would fit at this place."""
        for fits in self._misfits.get(at, ()):
            yield from (fits,) if isinstance(fits, str) else fits.expected()


# --- refusals -------------------------------------------------------------------------------------------------------


def _several(words: Sequence[str], meanings: Sequence[tuple[Command, ...]]) -> BadNotation:
    notations = tuple(dict.fromkeys(type(commands[0]).notation for commands in meanings))
    return refusal(words, len(words), notations, says="can be read in several ways; write it out")


def _trouble(kinds: Sequence[type[Command]], words: Sequence[str], tried: Sequence[Reading]) -> BadNotation:
    """The error of the reading that went furthest."""
    if not tried:
        verbs = tuple(dict.fromkeys(" ".join(head(kind)) for kind in kinds))
        heads = [list(head(kind)) for kind in kinds]
        at = next((at for at in range(len(words)) if not any(known[: at + 1] == words[: at + 1] for known in heads)), 0)
        return refusal(words, at, verbs)
    reason = next((reading.reason for reading in tried if reading.reason), "")
    at = min(max(reading.furthest for reading in tried), len(words))
    expected = tuple(dict.fromkeys(text for reading in tried for text in reading.expected(at)))
    if reason:
        return refusal(
            words, len(words), tuple(r.kind.notation for r in tried if r.reason), says=f"is not a command: {reason}"
        )
    if not expected:
        return refusal(words, at, tuple(reading.kind.notation for reading in tried), says="has too many words")
    return refusal(words, at, expected)


def refusal(
    words: Sequence[str], at: int, expected: Sequence[str], *, known: Sequence[str] = (), says: str = ""
) -> BadNotation:
    """BadNotation for the word at this place, with everything that would fit; a near word may also come from `known`.

    Facts: `found` the text, `word` the one that does not fit ("" if one is missing), `expected`, `nearest`, and `says`,
    the whole sentence.
    """
    text, word = " ".join(words)[:80], words[at][:40] if at < len(words) else ""
    near = _nearest(word, [text for text in (*expected, *known) if text != word])
    would_do = ", ".join(expected[:MOST_SHOWN]) + (", ..." if len(expected) > MOST_SHOWN else "")
    sentence = f"'{text}' {says}" if says else _wrong(text, word, at)
    sentence += f"; the nearest word is {near}" if near else ""
    return BadNotation(
        "bad-notation",
        found=text,
        word=word,
        expected=tuple(expected[:MOST_SHOWN]),
        nearest=near,
        says=f"{sentence}; possible: {would_do}" if expected else f"{sentence}; nothing more may follow",
    )


def _nearest(word: str, among: Sequence[str]) -> str:
    """Catch a slip; the parts of a set may be in any order."""
    found = [
        (SequenceMatcher(None, typed, near).ratio(), near)
        for typed in {word: None, "+".join(sorted(word.split("+"))): None}
        for near in get_close_matches(typed, among, 1, 0.6)
    ]
    return max(found, default=(0.0, ""), key=lambda one: one[0])[1]


def _wrong(text: str, word: str, at: int) -> str:
    if not word:
        return f"'{text}' is incomplete"
    return f"'{word}' does not fit in '{text}'" if at else f"'{word}' does not start a command"
