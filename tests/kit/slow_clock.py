"""Section 4.4 of the specification, word for word: bank, absence and deadline of a seat from the whole list of entries.

Nothing is carried from entry to entry: every answer is computed from entry 0 on, in quadratic or cubic time. It judges
`engine.record.log.clock` and shares no line with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

ENDS_ABSENCE = ("moved", "keyed", "offered", "taken")


class Fact(NamedTuple):
    """One entry as the clock sees it. `owing`: the seats that owe after it. `opens`: what an `offered` says.

    `recovers`: the recovery key signed it; `only`: a `keyed` that names the only device keys.
    """

    kind: str
    at: int
    owing: frozenset[int] = frozenset()
    seats: tuple[int, ...] = ()
    seconds: int = 0
    opens: bool = False
    recovers: bool = False
    only: bool = False


class SlowClock:
    """The promises of a log: each method answers for a seat after entry number `i`."""

    def __init__(self, clock: Mapping[str, int] | None, log: Sequence[Fact], wait: int = 0) -> None:
        self.clock = clock
        self.log = log
        self.wait = wait

    # --- owing ----------------------------------------------------------------------------------------------------

    def owes(self, seat: int, i: int) -> bool:
        return i >= 0 and seat in self.log[i].owing

    def stretch(self, seat: int, i: int) -> int | None:
        """The entry with which the stretch began that runs after entry i."""
        if not self.owes(seat, i):
            return None
        return next(j for j in range(i, -1, -1) if not self.owes(seat, j - 1) or self.passes(seat, j))

    def passes(self, seat: int, j: int) -> bool:
        """True if entry j is a move of this seat after which somebody else begins to owe."""
        fact = self.log[j]
        new = fact.owing - (self.log[j - 1].owing if j else frozenset())
        return fact.kind == "moved" and seat in fact.seats and bool(new - {seat})

    def question(self, seat: int, i: int) -> int | None:
        """The last entry up to i after which the seat owes a move: one that asks it, or its own answer."""
        first = self.stretch(seat, i)
        own = [j for j in range(i + 1) if self.log[j].kind in ("moved", "expired") and seat in self.log[j].seats]
        return None if first is None else max([first, *(j for j in own if j >= first)])

    def has_gone(self, seat: int, i: int) -> bool:
        return any(fact.kind == "resigned" and seat in fact.seats for fact in self.log[: i + 1])

    def offers(self, seat: int, i: int) -> list[Fact]:
        """The entries that offered the seat and, perhaps, hastened the offer, since it was last withdrawn."""
        said: list[Fact] = []
        for fact in self.log[: i + 1]:
            if seat not in fact.seats:
                continue
            if fact.kind == "offered" and fact.opens:
                said.append(fact)
            elif fact.kind in ("offered", "taken", "resigned") or fact.only:
                said = []
        return said

    def is_open(self, seat: int, i: int) -> bool:
        return bool(self.offers(seat, i))

    def may_be_taken(self, seat: int, i: int, at: int) -> bool:
        """True if the offer of the seat after entry i may be taken at this time."""
        said = self.offers(seat, i)
        return bool(said) and (said[0].at + self.wait <= at or any(fact.recovers for fact in said))

    # --- absence ----------------------------------------------------------------------------------------------------

    def is_absent(self, seat: int, i: int) -> bool:
        if not self.clock or not self.clock["missed"] or self.has_gone(seat, i):
            return False
        about = [fact.kind for fact in self.log[: i + 1] if seat in fact.seats]
        last = max((n for n, kind in enumerate(about) if kind in ENDS_ABSENCE), default=-1)
        return about[last + 1 :].count("expired") >= self.clock["missed"]

    def begins_anew(self, seat: int, j: int) -> bool:
        """True if a running stretch restarts with entry j, because the seat was absent until then."""
        fact = self.log[j]
        if seat not in fact.seats or fact.kind not in ENDS_ABSENCE or not self.is_absent(seat, j - 1):
            return False
        return not (fact.kind == "taken" and self.may_be_taken(seat, j - 1, fact.at))

    # --- time -------------------------------------------------------------------------------------------------------

    def start(self, seat: int, first: int, i: int) -> int:
        """The time from which the stretch that began with entry `first` counts, as of entry i."""
        return self.log[max([first, *(j for j in range(first + 1, i + 1) if self.begins_anew(seat, j))])].at

    def granted(self, seat: int, first: int, i: int) -> int:
        return sum(f.seconds for f in self.log[first : i + 1] if f.kind == "granted" and seat in f.seats)

    def bank(self, seat: int, i: int) -> int:
        assert self.clock is not None
        bank = self.clock["bank"]
        for j in range(i + 1):
            if self.log[j].kind == "taken" and self.begins_anew(seat, j):
                bank = max(bank, self.clock["bank"])
            if self.owes(seat, j - 1) and (not self.owes(seat, j) or self.passes(seat, j)):
                bank = self.after_stretch(seat, bank, j)
        return bank

    def after_stretch(self, seat: int, bank: int, j: int) -> int:
        """The bank after entry j has ended a stretch."""
        assert self.clock is not None
        fact, first = self.log[j], self.stretch(seat, j - 1)
        assert first is not None
        took = fact.at - self.start(seat, first, j) - self.granted(seat, first, j)
        bank = max(0, bank - max(0, took - self.clock["move"]))
        if fact.kind == "moved" and seat in fact.seats:
            bank = min(bank + self.clock["increment"], self.clock["cap"])
        return bank

    def deadline(self, seat: int, i: int) -> int | None:
        first, asked = self.stretch(seat, i), self.question(seat, i)
        if first is None or asked is None:
            return None
        if self.has_gone(seat, i):
            return self.log[asked].at
        if self.clock is None:
            return None
        since = self.start(seat, first, i) + self.granted(seat, first, i)
        if self.is_absent(seat, i):
            return since + self.clock["grace"]
        return since + self.clock["move"] + self.bank(seat, i) + self.clock["grace"]

    # --- a running hidden game --------------------------------------------------------------------------------------

    def earliest(self, seat: int, i: int) -> int | None:
        """The deadline for a reader who does not know who owes: the seat always owes, nothing is banked or granted."""
        begun = next(j for j, fact in enumerate(self.log) if fact.kind == "started")
        mine = [j for j in range(begun + 1, i + 1) if seat in self.log[j].seats]
        if self.has_gone(seat, i):
            return self.log[max([begun, *(j for j in mine if self.log[j].kind in ("moved", "expired"))])].at
        if self.clock is None:
            return None
        anew = [j for j in mine if self.log[j].kind == "expired" or self.begins_anew(seat, j)]
        since = self.log[max([begun, *anew])].at
        return since + self.clock["grace"] + (0 if self.is_absent(seat, i) else self.clock["move"])
