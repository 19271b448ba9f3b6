"""Odd times in a log, compared with our own clock: warnings for the player, not proof.

`at` is the server's claim, and honest clocks are wrong, too. But a client that has looked knows which entries were
missing then, and it knows when it sent an act: an entry with another date may have been dated so that a player's time
ran out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from client.memory import Observation
from engine.record.encoding import canonical
from engine.record.log.entry import Entry

SKEW = 30  # seconds by which two honest clocks may differ
FAR = 120  # smallest difference in seconds that is reported


def ahead(entry: Entry, now: float) -> float:
    """The seconds by which an entry's date is further ahead of our clock than honest clocks differ; otherwise 0."""
    return max(canonical.seconds(entry.at) - now - SKEW, 0.0)


def warnings(new: Sequence[Entry], looks: Sequence[Observation], now: float) -> Iterator[str]:
    """Warnings about new entries that are dated before a look that did not have them, or ahead of our clock."""
    for entry in new:
        at = canonical.seconds(entry.at)
        missed = max((look.last for look in looks if look.size <= entry.seq and look.last > at + FAR), default=None)
        if missed is not None:
            yield f"entry {entry.seq} is dated {entry.at}, but by this clock it did not exist yet at {_at(missed)}"
        if ahead(entry, now):
            dated = f"entry {entry.seq} is dated {entry.at}, but by this clock it is only {_at(now)}"
            yield f"{dated}: nothing is signed until then"


def own_act(entry: Entry, sent: float, now: float) -> str | None:
    """A warning about the date of an act that we sent between these two times of our clock, if it is odd."""
    at = canonical.seconds(entry.at)
    if sent - FAR <= at <= now + FAR:
        return None
    when = _at(sent) if now - sent < FAR else f"{_at(sent)} to {_at(now)}"
    return f"entry {entry.seq} is dated {entry.at}, but its act was sent at {when} by this clock"


def _at(when: float) -> str:
    return canonical.instant(int(when))
