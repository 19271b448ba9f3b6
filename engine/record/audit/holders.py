"""The holders of each seat, from entry to entry, gathered while the log is walked."""

from __future__ import annotations

from msgspec.structs import replace

from engine.record.audit.report import Holder, Recovery, Way
from engine.record.log.entry import Entry
from engine.record.log.table import Table
from engine.record.signed import keys


class Holders:
    """`note` takes each entry that made sense, with the table before and after it."""

    def __init__(self) -> None:
        self._past: list[Holder] = []
        self._now: dict[int, Holder] = {}
        self.recoveries: list[Recovery] = []

    def note(self, before: Table, entry: Entry, after: Table) -> None:
        if entry.kind == "keyed":
            self._note_recovery(before, entry)
        elif entry.kind in ("joined", "taken", "left"):
            self._note_change(before, entry, after)

    def listed(self) -> tuple[Holder, ...]:
        """By seat, the first holder first."""
        return tuple(sorted([*self._past, *self._now.values()], key=lambda one: (one.seat, one.since)))

    def _note_change(self, before: Table, entry: Entry, after: Table) -> None:
        seat = entry.body["seat"]
        occupant = after.occupants[seat] if seat < after.seats else None
        if seat in self._now:
            self._past.append(replace(self._now.pop(seat), until=entry.seq))
        if occupant is not None and occupant.since == entry.seq:
            by: Way = "join" if entry.kind == "joined" else "offer" if before.is_open(seat) else "absence"
            self._now[seat] = Holder(seat, occupant.kid, occupant.bot, entry.seq, None, by)

    def _note_recovery(self, before: Table, entry: Entry) -> None:
        seat = entry.body["seat"]
        occupant = before.occupants[seat] if seat < before.seats else None
        if occupant and occupant.recovery and keys.kid_of(entry.body["jws"]) == occupant.recovery[0]:
            self.recoveries.append(Recovery(entry.seq, seat))
