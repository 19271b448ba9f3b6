"""After the end of a hidden game: were all views that a player was shown true?

In an open game a player checks each view when it comes. In a hidden one that is impossible, but the bundle of the
finished game opens everything, and each stored view must be the one that the true state of its moment gives.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from client.errors import DistrustError
from engine.kit import view as kit_view
from engine.record.encoding import canonical
from engine.record.judge.entries import follow
from engine.record.log import bundle
from engine.record.log.entry import read_entry
from engine.record.log.fold import open_table
from engine.record.log.table import Table


class ShownView(msgspec.Struct, frozen=True):
    """A view that was shown to a seat when the log had `size` entries."""

    size: int
    seat: int | None
    view: Any


def tables(data: bytes) -> list[Table]:
    """The table after each entry of a fully checked bundle; BadRecord if something does not hold."""
    whole = bundle.read(data)
    openings = {opening["seq"]: opening for opening in whole.openings}
    entries = [read_entry(line) for line in whole.lines]
    shown = entries[-1].body.get("secret")
    secret = None if shown is None else canonical.from_base64url(shown, 32)
    found = [open_table(entries[0], whole.data)]
    for entry in entries[1:]:
        found.append(follow(found[-1], entry, openings.get(entry.seq), secret))
    return found


def check_views(data: bytes, seen: Iterable[ShownView]) -> int:
    """Compare views with the bundle of a finished game; returns their number, or DistrustError with the first false
    one.
    """
    told, count = tables(data), 0
    for one in seen:
        table = told[one.size - 1]
        if canonical.dumps(kit_view(table.game, table.state, one.seat)) != canonical.dumps(one.view):
            eyes = "a player without a seat" if one.seat is None else f"seat {one.seat + 1}"
            raise DistrustError("other-view", f"{eyes} was shown a false position after entry {one.size - 1}")
        count += 1
    return count
