"""Time and offers of a seat (4.4 and 4.5).

A `Timer` counts twice: exactly, if it is given the seats that owe, and the earliest possible, which does not need them.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

ENDS_ABSENCE = ("moved", "keyed", "offered", "taken")
CHANGES_HOLDER = ("joined", "left", "taken")


class Event(NamedTuple):
    """The meaning of an entry for time. `opens` is None if no offer can be read; `only`: it names device keys."""

    kind: str
    at: int
    seats: list[int]
    seconds: int = 0
    opens: bool | None = None
    only: bool = False
    recovers: bool = False


class Offer(NamedTuple):
    since: int
    by_recovery: bool


@dataclass
class Timer:
    clock: dict[str, Any] | None
    wait: int
    bank: int | None = None
    offer: Offer | None = None
    resigned: bool = False
    missed: int = 0
    owes: bool = False
    start: int = 0
    granted: int = 0
    question: int = 0
    earliest_start: int = 0
    earliest_question: int = 0

    def __post_init__(self) -> None:
        if self.clock is not None:
            self.bank = int(self.clock["bank"])

    @property
    def open(self) -> bool:
        return self.offer is not None

    @property
    def absent(self) -> bool:
        return bool(self.clock and not self.resigned and 0 < self.clock["missed"] <= self.missed)

    def is_ripe(self, at: int) -> bool:
        """Return whether the seat's offer may be taken at this time."""
        return self.offer is not None and (self.offer.by_recovery or at >= self.offer.since + self.wait)

    def deadline(self) -> int | None:
        """The exact deadline of a seat that owes."""
        return self._deadline(self.start, self.granted, self.bank or 0, self.question) if self.owes else None

    def earliest(self) -> int | None:
        """The deadline for a reader who does not know which seats owe."""
        return self._deadline(self.earliest_start, 0, 0, self.earliest_question)

    def _deadline(self, start: int, granted: int, bank: int, question: int) -> int | None:
        if self.resigned:
            return question
        if self.clock is None:
            return None
        return start + granted + int(self.clock["grace"]) + (0 if self.absent else int(self.clock["move"]) + bank)

    def happens(self, event: Event) -> None:
        """Apply an entry about this seat, before the seats that owe are known."""
        if event.kind in ("moved", "expired"):
            self.earliest_question = event.at
        if event.kind == "granted" and self.owes:
            self.granted += event.seconds
        elif event.kind == "expired":
            self.missed, self.earliest_start = self.missed + 1, event.at
        elif event.kind in ENDS_ABSENCE:
            self._returns(event)
        elif event.kind == "resigned":
            self.resigned, self.offer = True, None
        self._offers(event)

    def _returns(self, event: Event) -> None:
        if self.absent and not (event.kind == "taken" and self.is_ripe(event.at)):
            self.start = self.earliest_start = event.at
            if event.kind == "taken" and self.clock and self.bank is not None:
                self.bank = max(self.bank, self.clock["bank"])
        self.missed = 0

    def _offers(self, event: Event) -> None:
        if event.kind == "offered" and event.opens:
            self.offer = Offer(self.offer.since if self.offer else event.at, event.recovers)
        elif (event.kind == "offered" and event.opens is False) or event.kind in CHANGES_HOLDER or event.only:
            self.offer = None

    def settles(self, at: int, *, moved: bool) -> None:
        """End a stretch, by a move of this seat or otherwise."""
        if self.clock is None or self.bank is None:
            return
        self.bank = max(0, self.bank - max(0, at - self.start - self.granted - self.clock["move"]))
        if moved:
            self.bank = min(self.bank + self.clock["increment"], self.clock["cap"])

    def begins(self, at: int) -> None:
        self.start, self.granted = at, 0


def starts(timers: list[Timer], at: int) -> None:
    for timer in timers:
        timer.earliest_start = timer.earliest_question = at


def follow(timers: list[Timer], event: Event, owing: set[int] | None = None) -> None:
    """Count an entry from `started` on; `owing` are the seats that owe after it, if they are known."""
    if event.kind == "started":
        starts(timers, event.at)
    for seat in event.seats:
        timers[seat].happens(event)
    if owing is None:
        return
    begin = {seat for seat in owing if not timers[seat].owes}
    for seat, timer in enumerate(timers):
        own = seat in event.seats
        moved = own and event.kind == "moved"
        if timer.owes and (seat not in owing or (moved and begin)):
            timer.settles(event.at, moved=moved)
        if seat in begin or (seat in owing and moved and begin):
            timer.begins(event.at)
        if seat in begin or (seat in owing and own and event.kind in ("moved", "expired")):
            timer.question = event.at
        timer.owes = seat in owing
