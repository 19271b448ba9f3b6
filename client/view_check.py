"""After the end: was everything that a player was shown in the middle of a game true?

In an open game a player checks each view when it comes. In a hidden one he cannot; but the finished game's bundle opens
everything, and each view he kept must be the one that the true state of that moment gives.
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
    """A view as it was shown to a seat when the log had `size` entries."""

    size: int
    seat: int | None
    view: Any


def tables(data: bytes) -> list[Table]:
    """The table after each entry of a bundle, everything checked; BadRecord if something does not hold."""
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
    """How many views were compared with a finished game's bundle; DistrustError with the first that was false."""
    told, count = tables(data), 0
    for one in seen:
        table = told[one.size - 1]
        if canonical.dumps(kit_view(table.game, table.state, one.seat)) != canonical.dumps(one.view):
            eyes = "a player without a seat" if one.seat is None else f"seat {one.seat + 1}"
            raise DistrustError("other-view", f"{eyes} was shown a false position after entry {one.size - 1}")
        count += 1
    return count
