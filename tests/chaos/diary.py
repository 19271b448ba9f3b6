"""The diary of the troubles, and which second copies they explain.

A copy comes again because the acceptance before it was never recorded. So a trouble explains it only if it happened
while that acceptance waited for its record, and each trouble explains no more copies than were on their way then.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

TO_RECORD = 15.0  # seconds from an acceptance to its record, on a busy machine
TO_ARRIVE = 5.0  # seconds until the receiver reads what a killed process had sent
TO_SEND = 30.0  # seconds until both of two processes have sent what they have leased: a mail may need a picture
AROUND = 20.0  # seconds; troubles so near are told with a copy
WRONG_CLOCK = "wrong clock"


@dataclass(frozen=True)
class Trouble:
    """What happened, between which times of this machine, and to whom.

    `names`: of all that was on its way while a clock was wrong.
    """

    what: str
    begun: float
    over: float
    whose: str = ""
    names: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Copy:
    """Something that was accepted but not recorded. `again` is when the copy came; None if none came, or if unknown."""

    name: str
    accepted: float
    again: float | None = None


@dataclass
class Diary:
    """All troubles, in the order in which they were over."""

    troubles: list[Trouble] = field(default_factory=list)

    @contextmanager
    def during(self, what: str, whose: str = "") -> Iterator[set[str]]:
        """Note the trouble with its begin, its end, and the names that are added to this set."""
        begun, names = time.monotonic(), set[str]()
        yield names
        self.troubles.append(Trouble(what, begun, time.monotonic(), whose, frozenset(names)))

    @property
    def unsettled(self) -> frozenset[str]:
        """The names of what was on its way while a clock was wrong."""
        return frozenset[str]().union(*(trouble.names for trouble in self.troubles))

    def check(self, copies: Sequence[Copy], most: Mapping[str, float]) -> None:
        """Each copy has a trouble of its own; `most`: how many copies one trouble of this kind explains."""
        left = unexplained(copies, self.troubles, most)
        assert not left, "\n".join(["no trouble explains", *(self.told(copy) for copy in left)])

    def told(self, copy: Copy) -> str:
        """The copy, with the troubles around it; times count from the acceptance before it."""
        since, again = copy.accepted, copy.again
        near = [one for one in self.troubles if any(_is_near(one, at) for at in (since, again) if at is not None)]
        lines = [f"{one.begun - since:9.1f} to {one.over - since:.1f}: {one.what} {one.whose}" for one in near]
        later = "" if again is None else f", again after {again - since:.1f} s"
        return "\n".join([copy.name + later, *lines])


def copies(arrived: Iterable[tuple[str, float]]) -> list[Copy]:
    """Those names that came again, each with the time before."""
    last, again = dict[str, float](), list[Copy]()
    for name, at in arrived:
        if name in last:
            again.append(Copy(name, last[name], at))
        last[name] = at
    return again


def unexplained(copies: Sequence[Copy], troubles: Sequence[Trouble], most: Mapping[str, float]) -> list[Copy]:
    """Those that are left when each trouble explains as many copies as it can."""
    taken: dict[int, list[int]] = {number: [] for number in range(len(troubles))}
    found = [[n for n, one in enumerate(troubles) if one.what in most and explains(one, copy)] for copy in copies]

    def has_place(copy: int, tried: set[int]) -> bool:
        """Finds it a trouble, if need be by finding another one for a copy that has a place there."""
        for number in found[copy]:
            if number not in tried:
                tried.add(number)
                others = taken[number]
                if len(others) < most[troubles[number].what]:
                    others.append(copy)
                    return True
                for place, other in enumerate(others):
                    if has_place(other, tried):
                        others[place] = copy
                        return True
        return False

    return [copy for number, copy in enumerate(copies) if not has_place(number, set())]


def explains(trouble: Trouble, copy: Copy) -> bool:
    """Was what it repeats accepted, and not yet recorded, while the trouble lasted? The copy came after it had begun.

    While a clock is wrong, two processes may lease what is on its way, and both may send it when the clock is right
    again.
    """
    again = trouble.begun if copy.again is None else copy.again
    if again < trouble.begun or copy.accepted < trouble.begun - TO_RECORD:
        return False
    if trouble.what == WRONG_CLOCK:
        return copy.name in trouble.names and max(copy.accepted, again) <= trouble.over + TO_SEND
    return copy.accepted <= trouble.over + TO_ARRIVE


def _is_near(trouble: Trouble, at: float) -> bool:
    return trouble.begun - AROUND <= at <= trouble.over + AROUND
