"""The public log in sentences: what each entry says to anybody, newest first, a page at a time.

Made from the lines themselves. In a hidden game a line holds its events as anybody may know them; private openings
are not read here, so no mistake in this file can show one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from engine.kit import redact, tell
from engine.record import instants
from server.db.models import Entry
from server.projections.position import Look
from server.services import Services

A_PAGE = 60


class Line(msgspec.Struct):
    """The members of an entry that are told."""

    seq: int
    kind: str
    at: str
    seat: int | None = None
    reason: str | None = None
    events: list[Mapping[str, Any]] = []
    outcome: Mapping[str, Any] | None = None


# What an entry says before its events; `{who}` is the seat's name.
WORDS: Mapping[str, str] = {
    "created": "The game was made, and its chance committed to.",
    "joined": "{who} sat down.",
    "left": "{who} left.",
    "started": "Everybody is here: the game began.",
    "moved": "{who} moved.",
    "keyed": "{who} changed the keys of the seat.",
    "resigned": "{who} resigned.",
    "expired": "The clock played for {who}.",
    "cancelled": "The game was cancelled ({reason}).",
}


def told(services: Services, at: Look, names: tuple[str, ...], before: int | None) -> dict[str, Any]:
    """Entries before number `before` (None: the newest), newest first; `earlier` is the next `before`, or None."""
    end = at.table.size if before is None else max(0, min(before, at.table.size))
    where = (Entry.game_id == at.game.id, Entry.seq < end)
    with services.database.read() as session:
        rows = session.scalars(sa.select(Entry.line).where(*where).order_by(Entry.seq.desc()).limit(A_PAGE))
        lines = [msgspec.json.decode(row, type=Line) for row in rows]
    earlier = lines[-1].seq if lines and lines[-1].seq > 0 else None
    return {
        "entries": [_entry(at, names, line) for line in lines],
        "earlier": earlier,
        "is_newest": end == at.table.size,
    }


def _entry(at: Look, names: tuple[str, ...], line: Line) -> dict[str, Any]:
    events = (redact(event, None) for event in at.table.load_events(line.events))
    who = "" if line.seat is None else names[line.seat]
    return {
        "seq": line.seq,
        "kind": line.kind,
        "at": datetime.fromtimestamp(instants.seconds(line.at), UTC),
        "iso": line.at,
        "says": WORDS[line.kind].format(who=who, reason=line.reason),
        "sentences": [sentence for event in events if (sentence := tell(event, names))],
        "ends": line.outcome is not None,
    }
