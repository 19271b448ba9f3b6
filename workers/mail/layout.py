"""Lines of a plain mail: wrapped sentences, lists, spans of time, the table of points (pure)."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

WIDTH = 76
COLUMN = 12


def wrap(text: str, indent: str = "") -> str:
    """A paragraph of short lines; a link or a word longer than a line is left whole."""
    return textwrap.fill(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def item(text: str) -> str:
    """One item of a list, its further lines indented below the first."""
    return wrap(text, "  ").replace("  ", "- ", 1)


def span(length: timedelta) -> str:
    """A span in its two largest units: `2 days 3 hours`, `45 minutes`, `no time`."""
    left = max(0, int(length.total_seconds()))
    parts: list[str] = []
    for unit, seconds in (("day", 86400), ("hour", 3600), ("minute", 60)):
        count, left = divmod(left, seconds)
        if count or parts:
            parts.append(f"{count} {unit}{'' if count == 1 else 's'}" if count else "")
    return " ".join(part for part in parts[:2] if part) or "less than a minute"


def moment(at: datetime) -> str:
    """A time as every reader can place it: `Monday 23 November 2026, 10:00 UTC`."""
    utc = at.astimezone(UTC)
    return f"{utc:%A} {utc.day} {utc:%B %Y}, {utc:%H:%M} UTC"


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
