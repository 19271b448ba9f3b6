"""The mails that one process holds: those that wait for a lane, those on the wire, those whose result is not noted yet.

Shared by the threads of `mailer`. What cannot wait (`FIRST`) is kept apart, and goes before all others in every lane.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from datetime import datetime

from workers.mail.leases import FIRST, LeasedMail, MailResult


class MailsInFlight:
    """What is held, under one lock; whoever waits for a change of it waits here."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._first: deque[LeasedMail] = deque()
        self._rest: deque[LeasedMail] = deque()
        self._held: dict[int, tuple[LeasedMail, datetime]] = {}
        self._ends: list[MailResult] = []
        self._is_woken = False
        self.is_closed = False

    def add(self, leased: Iterable[LeasedMail], until: datetime) -> None:
        with self._changed:
            for one in leased:
                self._held[one.id] = one, until
                (self._first if one.kind in FIRST else self._rest).append(one)
            self._changed.notify_all()

    def take(self, *, first_only: bool, patience: float) -> LeasedMail | None:
        """The next one for a lane; None if none comes in time, or this is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_closed or self._first or (self._rest and not first_only), patience)
            if self.is_closed:
                return None
            waits = self._first or (() if first_only else self._rest)
            return waits.popleft() if isinstance(waits, deque) and waits else None

    def is_ours(self, one: LeasedMail, now: datetime) -> bool:
        """Does the lease still run? A process that stood still finds it gone, and another sends the mail."""
        with self._changed:
            held = self._held.get(one.id)
            return held is not None and held[0] == one and now < held[1]

    def end(self, end: MailResult) -> None:
        with self._changed:
            self._ends.append(end)
            self._changed.notify_all()

    def forget(self, one: LeasedMail) -> None:
        """It is somebody else's."""
        with self._changed:
            self._drop(one)
            self._changed.notify_all()

    def ended(self) -> list[MailResult]:
        with self._changed:
            return list(self._ends)

    def noted(self, ends: list[MailResult]) -> None:
        """The rows say so now."""
        with self._changed:
            del self._ends[: len(ends)]
            for end in ends:
                self._drop(end.of)
            self._changed.notify_all()

    def _drop(self, one: LeasedMail) -> None:
        if one.id in self._held and self._held[one.id][0] == one:
            del self._held[one.id]

    def held(self) -> list[LeasedMail]:
        with self._changed:
            return [one for one, _ in self._held.values()]

    def renewed(self, held: Iterable[LeasedMail], until: datetime) -> None:
        with self._changed:
            self._held |= {one.id: (one, until) for one in held if one.id in self._held}

    def untried(self) -> list[LeasedMail]:
        """What waits and is given back: no lane takes it any more."""
        with self._changed:
            left = [*self._first, *self._rest]
            self._first.clear()
            self._rest.clear()
            return left

    def waiting(self, *, first: bool) -> int:
        """How many wait for a lane: sign-in mails, or all others."""
        return len(self._first if first else self._rest)

    def wake_up(self) -> None:
        """There may be something new."""
        with self._changed:
            self._is_woken = True
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self.is_closed = True
            self._changed.notify_all()

    def wait(self, seconds: float, has_room: Callable[[], bool]) -> bool:
        """Until something ended, it was woken up, or there is room; was it woken up?"""
        with self._changed:
            self._changed.wait_for(lambda: self.is_closed or self._ends or self._is_woken or has_room(), seconds)
            woken, self._is_woken = self._is_woken, False
            return woken
