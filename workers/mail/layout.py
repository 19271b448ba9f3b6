"""Lines of a plain mail: wrapped sentences, lists, the table of points (pure)."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

WIDTH = 76
COLUMN = 12


class _Wrapper(textwrap.TextWrapper):
    """Breaks at spaces, and after the `|` of a list of commands that differ in one word."""

    wordsep_simple_re = re.compile(r"(\s+|(?<=\|)(?=\S))")


def wrap(text: str, indent: str = "") -> str:
    """A paragraph of short lines; a link or a word longer than a line is left whole."""
    return _Wrapper(
        WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ).fill(text)


def item(text: str) -> str:
    """One item of a list, its further lines indented below the first."""
    return wrap(text, "  ").replace("  ", "- ", 1)


def points(players: Sequence[str], headings: Sequence[tuple[str, Sequence[int]]]) -> str:
    """Headings down, players across; one player a block if that is too wide for a mail."""
    first = max((len(heading) for heading, _ in headings), default=0)
    if first + (COLUMN + 1) * len(players) > WIDTH:
        return "\n".join(_block(seat, player, headings) for seat, player in enumerate(players))
    rows = [("", [_cut(player) for player in players]), *((name, [str(n) for n in got]) for name, got in headings)]
    return "\n".join(f"{name:{first}}" + "".join(f" {cell:>{COLUMN}}" for cell in cells) for name, cells in rows)


def _cut(name: str) -> str:
    return name if len(name) <= COLUMN else name[: COLUMN - 2] + ".."


def _block(seat: int, player: str, headings: Sequence[tuple[str, Sequence[int]]]) -> str:
    return item(f"{player}: " + ", ".join(f"{heading} {got[seat]}" for heading, got in headings))
