"""Times, spans and names in words, for pages and mails alike (pure)."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta


def moment(at: datetime) -> str:
    """A time as every reader can place it: `Monday 23 November 2026, 10:00 UTC`."""
    utc = at.astimezone(UTC)
    return f"{utc:%A} {utc.day} {utc:%B %Y}, {utc:%H:%M} UTC"


def span(length: timedelta) -> str:
    """A span in its two largest units: `2 days 3 hours`, `45 minutes`, `less than a minute`."""
    left = max(0, int(length.total_seconds()))
    parts: list[str] = []
    for unit, seconds in (("day", 86400), ("hour", 3600), ("minute", 60)):
        count, left = divmod(left, seconds)
        if count or parts:
            parts.append(f"{count} {unit}{'' if count == 1 else 's'}" if count else "")
    return " ".join(part for part in parts[:2] if part) or "less than a minute"


def people(names: Sequence[str]) -> str:
    """`Ada`, `Ada and Ben`, `Ada, Ben and Cy`."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def clean(name: str) -> str:
    """A name as one printable line: nothing in it turns the text around it."""
    printable = "".join(char if unicodedata.category(char)[0] != "C" else " " for char in name)
    return " ".join(printable.split())
