"""When a mail goes, by what its reader chose: one function, asked when it is made and when it goes out (pure).

In this order, and the first that holds is the answer:

1. What concerns the safety of the account goes at once, whatever was chosen.
2. What is muted at this table, or switched off, does not go.
3. A mail of which nothing is left when its time has come goes at once: a digest, a delay or quiet hours that would
   end after its deadline are as good as none.
4. Who has just been at the table, wants his turns after some minutes, or is on the site now, gets it later.
5. What is for the digest goes with the next one.
6. What would go in quiet hours goes when they end.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from server.mailing.choices import ALWAYS, Choices
from server.mailing.hours import end_of, following

Do = Literal["send", "wait", "digest", "not"]
Reason = Literal["always", "now", "muted", "off", "there", "delay", "on-site", "digest", "quiet", "deadline"]

HERE = timedelta(minutes=10)  # so long after the last use of a page its reader counts as being on the site
LONGEST_HERE = timedelta(hours=1)  # a page that was left open keeps no mail for longer


@dataclass(frozen=True, slots=True)
class Asked:
    """A mail to be: of which kind, since when, until when it is of any use.

    `there_until` is when its reader will have forgotten that he knows; `seen` his last use of a page of this site.
    """

    kind: str
    made: datetime
    deadline: datetime | None = None
    there_until: datetime | None = None
    seen: datetime | None = None
    muted: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is done, at what time if it is not now, and why."""

    do: Do
    reason: Reason
    at: datetime | None = None


def decide(asked: Asked, choices: Choices, zone: ZoneInfo, now: datetime) -> Verdict:
    """What becomes of it, as things stand now."""
    if asked.kind in ALWAYS:
        return Verdict("send", "always")
    if asked.muted:
        return Verdict("not", "muted")
    mode = choices.mode(asked.kind)
    if mode == "off":
        return Verdict("not", "off")
    at, reason = _digest(choices, zone, now) if mode == "digest" else _later(asked, choices, now)
    at, reason = _quiet(at, reason, choices, zone)
    if at > now and asked.deadline is not None and asked.deadline <= at:
        return Verdict("send", "deadline")
    if mode == "digest":
        return Verdict("digest", "digest", at)
    return Verdict("wait", reason, at) if at > now else Verdict("send", "now")


def _later(asked: Asked, choices: Choices, now: datetime) -> tuple[datetime, Reason]:
    """When it goes if it goes by itself, and what it waits for."""
    waits: list[tuple[datetime, Reason]] = [(now, "now")]
    if asked.there_until is not None:
        waits.append((asked.there_until, "there"))
    if asked.kind == "turn" and choices.delay:
        waits.append((asked.made + timedelta(minutes=choices.delay), "delay"))
    if not choices.on_site and asked.seen is not None and asked.seen + HERE > now:
        waits.append((min(asked.seen + HERE, asked.made + LONGEST_HERE), "on-site"))
    return max(waits, key=lambda wait: wait[0])


def _digest(choices: Choices, zone: ZoneInfo, now: datetime) -> tuple[datetime, Reason]:
    return following(choices.digest_hour, now, zone), "digest"


def _quiet(at: datetime, reason: Reason, choices: Choices, zone: ZoneInfo) -> tuple[datetime, Reason]:
    """At the end of the quiet hours, if it would come in them."""
    if choices.quiet_from is None or choices.quiet_until is None:
        return at, reason
    ends = end_of(choices.quiet_from, choices.quiet_until, at, zone)
    return (at, reason) if ends is None else (ends, "quiet")
