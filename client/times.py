"""What is odd about the times in a log, by one's own clock: said to the player, and no verdict.

`at` is the server's word, and clocks of honest people are wrong too. But who has looked knows what was not there yet,
and who has sent an act knows when: an entry that is dated otherwise was perhaps dated so that somebody's time ran out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from client.memory import Observation
from engine.record.encoding import canonical
from engine.record.log.entry import Entry

SKEW = 30  # seconds by which two honest clocks may differ
FAR = 120  # seconds from which on a difference is worth a word


def ahead(entry: Entry, now: float) -> float:
    """By how many seconds the entry is dated further ahead of our clock than honest clocks differ; 0 if it is not."""
    return max(canonical.seconds(entry.at) - now - SKEW, 0.0)


def warnings(new: Sequence[Entry], looks: Sequence[Observation], now: float) -> Iterator[str]:
    """New entries that are dated before a look that did not have them, or ahead of our clock."""
    for entry in new:
        at = canonical.seconds(entry.at)
        missed = max((look.last for look in looks if look.size <= entry.seq and look.last > at + FAR), default=None)
        if missed is not None:
            yield f"entry {entry.seq} is dated {entry.at}, but at {_at(missed)} by this clock it was not there"
        if ahead(entry, now):
            yield f"entry {entry.seq} is dated {entry.at}, and by this clock it is {_at(now)}: nothing is signed before"


def own_act(entry: Entry, sent: float, now: float) -> str | None:
    """What is odd about the time of an act that we sent between these two times of our clock, if anything is."""
    at = canonical.seconds(entry.at)
    if sent - FAR <= at <= now + FAR:
        return None
    when = _at(sent) if now - sent < FAR else f"{_at(sent)} to {_at(now)}"
    return f"entry {entry.seq} logs what we sent at {when} by this clock, and is dated {entry.at}"


def _at(when: float) -> str:
    return canonical.instant(int(when))
