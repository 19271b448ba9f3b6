"""When the reminders come that somebody chose: so many hours before the deadline of a stretch of time (pure)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta


def marks(hours: Iterable[int], since: datetime, deadline: datetime) -> list[tuple[datetime, int]]:
    """Each with its hours, the earliest first; none that is not after `since`, when he heard of it anyhow."""
    found = ((deadline - timedelta(hours=hour), hour) for hour in hours)
    return sorted((at, hour) for at, hour in found if at > since)


def due(hours: Iterable[int], since: datetime, deadline: datetime, now: datetime) -> tuple[datetime, int] | None:
    """The next one; but the last that has passed, since a clock that stood still tells it yet. None: no more."""
    all_of_them = marks(hours, since, deadline)
    passed = [mark for mark in all_of_them if mark[0] <= now]
    coming = [mark for mark in all_of_them if mark[0] > now]
    return passed[-1] if passed else coming[0] if coming else None
