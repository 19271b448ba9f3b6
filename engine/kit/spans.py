"""Parts of a board's text with a meaning: a player's name or piece, or a mere frame.

A board is plain text and needs no colour; a terminal may colour it by its spans. This module finds the parts that all
boards share: players' names, the mark of the player to act, and drawn lines. A game adds its own, such as the form of
its pieces, as `inks`: pairs of a regular expression and a role. Where the role is `seat`, the group `seat` of the
expression holds the seat as people count. Earlier pairs win, and pairs of a game come before the shared ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from engine.game import Game
from engine.kit.letters import MARK

Ink = tuple[str, str]

# Roles that any board may use. A seat's is `seat-1`, `seat-2`, ...; a game may also use names of colours.
DIM, HERE, SEAT = "dim", "here", "seat"
_HERE = r"^ ?(?:[-=]> ?|\* )"  # the player to act, at the start of a line
_FRAME = r"[-=_.+|\\/]{3,}|\||(?<!\S)\.(?!\S)|(?<![^\s_])[\\/]|[\\/](?![^\s_])"


class Span(msgspec.Struct, frozen=True):
    """`length` characters from `column` on, in line `row`; both count from 0."""

    row: int
    column: int
    length: int
    role: str


def spans(game: Game[Any], text: str, names: Sequence[str]) -> tuple[Span, ...]:
    """The spans of a board that was drawn with these names, from the top left on; no two overlap."""
    rules = (*_compiled(tuple(getattr(game, "inks", ()))), *_shared(tuple(names)))
    found: list[Span] = []
    for row, line in enumerate(text.split("\n")):
        found += _of_line(row, line, rules)
    return tuple(found)


Rule = tuple[re.Pattern[str], str]


def _of_line(row: int, line: str, rules: Sequence[Rule]) -> list[Span]:
    taken = [False] * len(line)
    found: list[Span] = []
    for pattern, role in rules:
        for start, end, name in _hits(pattern, role, line):
            if not any(taken[start:end]):
                taken[start:end] = [True] * (end - start)
                found.append(Span(row, start, end - start, name))
    return sorted(found, key=lambda span: span.column)


def _hits(pattern: re.Pattern[str], role: str, line: str) -> Iterator[tuple[int, int, str]]:
    for hit in pattern.finditer(line):
        yield hit.start(), hit.end(), f"{SEAT}-{hit['seat']}" if role == SEAT else role


@cache
def _compiled(inks: tuple[Ink, ...]) -> tuple[Rule, ...]:
    return tuple((re.compile(pattern), role) for pattern, role in inks)


@cache
def _shared(names: tuple[str, ...]) -> tuple[Rule, ...]:
    """Longer names come first, so that `Ann` is not found in `Ann Lee`. A cut name is found by its mark."""
    by_length = sorted(enumerate(names, 1), key=lambda one: -len(one[1]))
    people = ((re.compile(_name(name)), f"{SEAT}-{seat}") for seat, name in by_length if name)
    return (*people, (re.compile(_HERE), HERE), (re.compile(_FRAME), DIM))


def _name(name: str) -> str:
    """The name as a word, whole or cut to at least three letters."""
    cuts = "|".join(re.escape(name[:at]) + MARK for at in range(len(name) - 1, 2, -1))
    whole = rf"{re.escape(name)}(?!\w)"
    return rf"(?<!\w)(?:{whole}|{cuts})" if cuts else rf"(?<!\w){whole}"
