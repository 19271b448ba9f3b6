"""Moves as text and on the wire: `parse(format(c))` is `c`.

A text holds 1 to 64 steps, separated by `;` or line ends; a step after `try` is skipped if it is refused. The form of
one command is in `form.py`, the reading of it in `grammar.py`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec

from engine.errors import BadNotation, Refused
from engine.game import Command, Game
from engine.kit import form, grammar

MOST_STEPS = 64
LONGEST_TEXT = 4096
T = TypeVar("T")


class Step(msgspec.Struct, frozen=True):
    """A command of a move; `may_skip` is the word `try` in text, `{"try": ...}` on the wire."""

    command: Command
    may_skip: bool = False


# --- as text --------------------------------------------------------------------------------------------------------


def format_command(command: Command) -> str:
    """The one text form of a command."""
    return " ".join(word for _, words in form.write(command) for word in words)


def format_steps(steps: Iterable[Step]) -> str:
    """The one text form of a move."""
    return "; ".join(("try " if step.may_skip else "") + format_command(step.command) for step in steps)


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
    return tuple(Step(command, may_skip) for command in grammar.read(game.commands, words))


def words_of(text: str) -> tuple[list[str], bool]:
    """The words of a line without capitals and accents, and whether it begins with `try`."""
    plain = unicodedata.normalize("NFKD", text.lower())
    words = "".join(char for char in plain if not unicodedata.combining(char)).split()
    return (words[1:], True) if words[:1] == ["try"] else (words, False)


# --- on the wire ----------------------------------------------------------------------------------------------------


def load_steps(game: Game[Any], listed: object) -> tuple[Step, ...]:
    """The steps of a signed list of commands; Refused `bad-move` if it is not one. Duplicate keys are refused
    earlier.
    """
    if not isinstance(listed, list) or not 1 <= len(listed) <= MOST_STEPS:
        raise Refused("bad-move", says=f"a move is a list of 1 to {MOST_STEPS} commands")
    return tuple(_load(game, item) for item in listed)


def _load(game: Game[Any], item: object) -> Step:
    may_skip = isinstance(item, dict) and item.keys() == {"try"}
    try:
        return Step(convert(item["try"] if may_skip else item, game.commands), may_skip)  # type: ignore[index]
    except msgspec.ValidationError as no:
        raise Refused("bad-move", says=str(no).replace("`", "'")) from None


def dump_steps(steps: Iterable[Step]) -> list[Any]:
    """The signed form of a move: plain JSON values."""
    plain = ((msgspec.to_builtins(step.command), step.may_skip) for step in steps)
    return [{"try": command} if may_skip else command for command, may_skip in plain]


def convert(plain: object, kinds: tuple[type[Any], ...]) -> Any:
    """Make the Struct of one of these tagged kinds from its plain value, or raise msgspec.ValidationError.

    The tag chooses the kind, because msgspec would analyse the union at every call: 20 times as long as the reading
    itself.
    """
    tag = plain.get(kinds[0].__struct_config__.tag_field) if isinstance(plain, dict) else None
    kind = _by_tag(kinds).get(tag) if isinstance(tag, str) else None
    return msgspec.convert(plain, kind or union(kinds))  # its message says what is wrong


@cache
def _by_tag(kinds: tuple[type[Any], ...]) -> dict[str, type[Any]]:
    return {kind.__struct_config__.tag: kind for kind in kinds}


@cache
def union(kinds: tuple[type[Any], ...]) -> Any:
    """The union type of tagged Structs, for msgspec."""
    whole: Any = kinds[0]
    for kind in kinds[1:]:
        whole = whole | kind
    return whole
