"""The holders of each seat, from entry to entry, gathered while the log is walked."""

from __future__ import annotations

from msgspec.structs import replace

from engine.record.audit.report import Holder, Recovery, TwoSeats, Way
from engine.record.log.entry import Entry
from engine.record.log.table import Table
from engine.record.signed.acts import SignedAct


class Holders:
    """`note` takes each entry that made sense, with its act and the table before and after it."""

    def __init__(self) -> None:
        self._past: list[Holder] = []
        self._now: dict[int, Holder] = {}
        self._signed: dict[str, set[int]] = {}
        self.recoveries: list[Recovery] = []

    def note(self, before: Table, entry: Entry, after: Table, signed: SignedAct | None) -> None:
        if signed is not None:
            self._note_signer(before, entry, signed.jws.kid)
        if entry.kind in ("joined", "taken", "left"):
            self._note_change(before, entry, after)

    def two_seats(self) -> tuple[TwoSeats, ...]:
        """The keys that signed for two seats or more."""
        found = sorted(self._signed.items())
        return tuple(TwoSeats(kid, tuple(sorted(seats))) for kid, seats in found if len(seats) > 1)

    def listed(self) -> tuple[Holder, ...]:
        """By seat, the first holder first."""
        return tuple(sorted([*self._past, *self._now.values()], key=lambda one: (one.seat, one.since)))

    def _note_change(self, before: Table, entry: Entry, after: Table) -> None:
        seat = entry.body["seat"]
        occupant = after.occupants[seat] if seat < after.seats else None
        if seat in self._now:
            self._past.append(replace(self._now.pop(seat), until=entry.seq))
        if occupant is not None and occupant.since == entry.seq:
            by: Way = "join" if entry.kind == "joined" else _way(before, entry)
            self._now[seat] = Holder(seat, occupant.kid, occupant.bot, entry.seq, None, by)

    def _note_signer(self, before: Table, entry: Entry, kid: str) -> None:
        seat = entry.body["seat"]
        self._signed.setdefault(kid, set()).add(seat)
        occupant = before.occupants[seat] if seat < before.seats else None
        if entry.kind in ("keyed", "offered") and occupant and occupant.recovers(kid):
            self.recoveries.append(Recovery(entry.seq, seat))


def _way(before: Table, entry: Entry) -> Way:
    """A seat that is absent while its offer still waits counts as taken for absence."""
    since = before.offered_from(entry.body["seat"])
    return "offer" if since is not None and since <= entry.time else "absence"
