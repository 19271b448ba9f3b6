"""The mails that one process holds: waiting for a lane, being sent, or done with their result not stored yet.

Shared by the threads of `mailer`. Urgent mail (`FIRST`) is kept apart and goes before all others in every lane.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from datetime import datetime

from workers.mail.leases import FIRST, LeasedMail, MailResult


class MailsInFlight:
    """The mails held, under one lock, with a condition that signals changes."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._first: deque[LeasedMail] = deque()
        self._rest: deque[LeasedMail] = deque()
        self._held: dict[int, tuple[LeasedMail, datetime]] = {}
        self._ends: list[MailResult] = []
        self._aside: list[MailResult] = []  # results that could not be stored
        self._is_woken = False
        self.is_closed = False

    def add(self, leased: Iterable[LeasedMail], until: datetime) -> None:
        with self._changed:
            for one in leased:
                self._held[one.id] = one, until
                (self._first if one.kind in FIRST else self._rest).append(one)
            self._changed.notify_all()

    def take(self, *, first_only: bool, patience: float) -> LeasedMail | None:
        """The next mail for a lane; None if none comes in time, or this is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_closed or self._first or (self._rest and not first_only), patience)
            if self.is_closed:
                return None
            waits = self._first or (() if first_only else self._rest)
            return waits.popleft() if isinstance(waits, deque) and waits else None

    def is_ours(self, one: LeasedMail, now: datetime) -> bool:
        """True if the lease is still valid. If this process was suspended, another one may send the mail by now."""
        with self._changed:
            held = self._held.get(one.id)
            return held is not None and held[0] == one and now < held[1]

    def end(self, end: MailResult) -> None:
        with self._changed:
            self._ends.append(end)
            self._changed.notify_all()

    def wait_for(self, end: MailResult) -> None:
        """Wait until the result is stored or set aside, or this is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_closed or end not in self._ends)

    def forget(self, one: LeasedMail) -> None:
        """Drop a mail whose lease another process has."""
        with self._changed:
            self._drop(one)
            self._changed.notify_all()

    def ended(self) -> list[MailResult]:
        with self._changed:
            return list(self._ends)

    def noted(self, ends: list[MailResult]) -> None:
        """Drop mails whose results are stored."""
        with self._changed:
            self._ends = [end for end in self._ends if end not in ends]
            self._aside = [end for end in self._aside if end not in ends]
            for end in ends:
                self._drop(end.of)
            self._changed.notify_all()

    def set_aside(self, end: MailResult) -> None:
        """Keep a result that could not be stored for later. Its mail stays held."""
        with self._changed:
            self._ends = [one for one in self._ends if one != end]
            self._aside = [*(one for one in self._aside if one != end), end]
            self._changed.notify_all()

    def aside(self) -> list[MailResult]:
        with self._changed:
            return list(self._aside)

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
        """Remove and return the waiting mails, so that their leases can be given back."""
        with self._changed:
            left = [*self._first, *self._rest]
            self._first.clear()
            self._rest.clear()
            return left

    def waiting(self, *, first: bool) -> int:
        """How many wait for a lane: sign-in mails, or all others."""
        return len(self._first if first else self._rest)

    def wake_up(self) -> None:
        """Wake the loop: there may be new mail."""
        with self._changed:
            self._is_woken = True
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self.is_closed = True
            self._changed.notify_all()

    def wait(self, seconds: float, has_room: Callable[[], bool]) -> bool:
        """Wait until a mail is done, there is room, or the loop was woken; returns whether it was woken."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_closed or self._ends or self._is_woken or has_room(), seconds)
            woken, self._is_woken = self._is_woken, False
            return woken
