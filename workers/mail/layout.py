"""Lines of a plain mail: wrapped sentences, lists, the table of points (pure)."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from itertools import groupby

from markupsafe import Markup, escape

WIDTH = 76
TALK_WIDTH, LONGEST_SPEAKER = 64, 24
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


def spoken(seat: int, name: str, text: str) -> list[str]:
    """A message of the table talk as short lines, each of which begins with its author's seat and name.

    So no line of it reads as a command or a word of a reply that quotes it without marks, whatever the author or their
    name says. They are shorter than other lines: a mail program that wraps one makes a line without its beginning.
    """
    begin = f"Seat {seat + 1}, {name}: "
    lines = (piece for line in text.splitlines() for piece in textwrap.wrap(line, TALK_WIDTH - len(begin)))
    return [begin + line for line in lines]


def runs(sentences: Sequence[str]) -> list[str]:
    """Merge repeated sentences into one with a count: `Ben rolled 2 (twice).`."""
    return [_times(sentence, len(list(same))) for sentence, same in groupby(sentences)]


def _times(sentence: str, count: int) -> str:
    if count == 1:
        return sentence
    body, stop = (sentence[:-1], sentence[-1]) if sentence[-1:] in (".", ":") else (sentence, "")
    return f"{body} ({'twice' if count == 2 else f'{count} times'}){stop}"


def once(lines: Sequence[str]) -> tuple[str, ...]:
    """Merge commands that differ only in an optional last word into one line: `rest own [2.ride|3.write]`."""
    merged = {line: f"{line} [{longer[len(line) + 1 :]}]" for line in lines if (longer := _longer(line, lines))}
    dropped = {_longer(line, lines) for line in merged}
    return tuple(merged.get(line, line) for line in lines if line not in dropped)


def _longer(line: str, lines: Sequence[str]) -> str:
    """The only line that is this one with one more word; "" if there are several or none."""
    found = [other for other in lines if other.startswith(f"{line} ")]
    return found[0] if len(found) == 1 and len(found[0].split()) == len(line.split()) + 1 else ""


def breaking(line: str) -> Markup:
    """For HTML: let a list of commands that differ in one word break after each `|`."""
    return Markup("|<wbr>").join(map(escape, line.split("|")))


def code(text: str) -> Markup:
    """For HTML: words in backticks as code that does not break."""
    shown = Markup('<code style="white-space:nowrap">{}</code>')
    return Markup("").join(shown.format(part) if at % 2 else escape(part) for at, part in enumerate(text.split("`")))


def points(players: Sequence[str], headings: Sequence[tuple[str, Sequence[int]]]) -> str:
    """Headings down, players across; a block per player if that is too wide for a mail."""
    first = max((len(heading) for heading, _ in headings), default=0)
    if first + (COLUMN + 1) * len(players) > WIDTH:
        return "\n".join(_block(seat, player, headings) for seat, player in enumerate(players))
    rows = [("", [_cut(player) for player in players]), *((name, [str(n) for n in got]) for name, got in headings)]
    return "\n".join(f"{name:{first}}" + "".join(f" {cell:>{COLUMN}}" for cell in cells) for name, cells in rows)


def _cut(name: str) -> str:
    return name if len(name) <= COLUMN else name[: COLUMN - 2] + ".."


def _block(seat: int, player: str, headings: Sequence[tuple[str, Sequence[int]]]) -> str:
    return item(f"{player}: " + ", ".join(f"{heading} {got[seat]}" for heading, got in headings))
