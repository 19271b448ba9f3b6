"""Output for a terminal: colours where it has any, and no control characters from others.

Texts of a server are untrusted, so every text is reduced to printable characters before it is shown, and all colours
come from us. A pipe and `NO_COLOR` get the same text without them.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from rich.console import Console
from rich.text import Text

from engine.game import Game
from engine.kit import spans

STYLES = {
    "dim": "dim",
    "here": "bold reverse",
    "bold": "bold",
    "water": "blue",
    "brown": "yellow",
    "red": "red",
    "blue": "bright_blue",
    "green": "green",
    "yellow": "bright_yellow",
}
NARROWEST = 30  # narrowest width for folding
SEATS = ("red", "bright_blue", "green", "bright_yellow", "magenta", "cyan")  # by seat, again from the first


@cache
def console() -> Console:
    """Standard output; whether it is a terminal, its width and its colours are determined once."""
    return Console(highlight=False, soft_wrap=True)


def is_terminal() -> bool:
    """Can a person be asked? Both input and output must be a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def safe(text: object) -> str:
    """Remove control characters from a text: others' texts may hold anything."""
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in str(text))


def say(text: str | Text = "") -> None:
    """Print a line, which may contain others' text."""
    console().print(Text(safe(text)) if isinstance(text, str) else text)


def quiet(text: str) -> None:
    """Print a dim line of lesser importance."""
    console().print(Text(safe(text), "dim"))


def folded(text: str, indent: int) -> str:
    """Fold the text to the width of the terminal, indenting all but the first line; a pipe gets one line."""
    room = console().width - indent
    if not console().is_terminal or room < NARROWEST:
        return safe(text)
    return f"\n{' ' * indent}".join(textwrap.wrap(safe(text), room, break_on_hyphens=False))


def heading(text: str) -> None:
    console().print(Text(safe(text), "bold"))


def bullets(lines: Iterable[str]) -> None:
    """Print a list of sentences."""
    for line in lines:
        say(f"  - {line}")


def board(game: Game[Any], text: str, names: Sequence[str]) -> Text:
    """A board, coloured by its spans."""
    clean = safe(text)
    painted, starts = Text(clean), [0]
    for line in clean.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for span in spans(game, clean, names):
        start = starts[span.row] + span.column
        painted.stylize(style(span.role), start, start + span.length)
    return painted


def style(role: str) -> str:
    """The style of a role; unknown roles are not styled."""
    if role.startswith("seat-"):
        return f"bold {SEATS[(int(role[5:]) - 1) % len(SEATS)]}"
    return STYLES.get(role, "")


def columns(rows: Sequence[Sequence[str]], heads: Sequence[str], strong: int = 0) -> None:
    """Print a table as wide as its content; the last column may run on. The first `strong` rows are highlighted."""
    cells = [[*map(safe, row)] for row in (heads, *rows)]
    wide = [max(len(row[at]) for row in cells) for at in range(len(heads))]
    for number, row in enumerate(cells):
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip()
        console().print(Text(line, "bold" if not number else "green" if number <= strong else ""))
