"""Mail settings: for an account, and the exceptions for one table.

`decide` decides from plain values whether a mail is sent; the stored settings follow below it. Security notices, and
notices that a seat was offered or taken, cannot be switched off: a thief with a stolen key would do that first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, TypeVar
from zoneinfo import ZoneInfo

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel.db.models import Account, MailChoice, MailException, PushMessage, PushSubscription, Seat, WebSession
from server.kernel.text import end_of_quiet, following_hour, zone_of
from server.mailbox.switched_off import LAST_MAILS, is_unconfirmed

Mode = Literal["on", "digest", "off"]
Remind = Literal["usual", "hours"]
MODES: tuple[Mode, ...] = ("on", "digest", "off")
REMINDS: tuple[Remind, ...] = ("usual", "hours")

KINDS = ("turn", "reminder", "started", "over", "absent")
# The kind of each notification that can be switched off.
KIND_OF = {kind: kind for kind in KINDS} | {"cancelled": "over", "time": "turn"}
# The kinds that `always` of the settings names; a released document has no others.
NAMED_ALWAYS = ("login", "confirm", "waiting", "paused", "offered", "taken", "answer", "unproven")
# Rare, each about one table.
NOTICES = ("invited", "removed", "hosts", "full", "ending", "wish", "wish-pause", "own-wish", "own-pause")
ALWAYS = (*NAMED_ALWAYS, "holiday", *NOTICES, *LAST_MAILS)

QUESTIONS = ("turn", "reminder")
ASKED_AGAIN = (*QUESTIONS, "digest")  # sent even after days without a mail server, if still true; news is not

LONGEST_DELAY = 1440  # minutes
MOST_HOURS, EARLIEST_HOUR = 5, 336


class Choices(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The settings in force. Times of day are `HH:MM` in the account's time zone; `delay` is in minutes.

    `remind` says whether reminders come at the `usual` time, or that many `hours` before the deadline.
    """

    turn: Mode = "on"
    reminder: Mode = "on"
    started: Mode = "on"
    over: Mode = "on"
    absent: Mode = "on"
    delay: int = 0
    remind: Remind = "usual"
    hours: tuple[int, ...] = (24, 3)
    picture: bool = True
    talk: bool = True
    on_site: bool = True
    with_push: bool = True
    digest_hour: str = "08:00"
    quiet_from: str | None = None
    quiet_until: str | None = None

    def mode(self, kind: str) -> Mode:
        """The mode for a notification's kind."""
        found: Mode = getattr(self, KIND_OF[kind])
        return found


class Exceptions(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The settings that differ at one table; null means the general setting."""

    turn: Mode | None = None
    reminder: Mode | None = None
    started: Mode | None = None
    over: Mode | None = None
    absent: Mode | None = None
    delay: int | None = None
    remind: Remind | None = None
    hours: tuple[int, ...] | None = None
    picture: bool | None = None
    talk: bool | None = None
    on_site: bool | None = None

    @property
    def is_empty(self) -> bool:
        return self == Exceptions()


def at_table(choices: Choices, exceptions: Exceptions | None) -> Choices:
    """The settings in force there."""
    if exceptions is None:
        return choices
    return msgspec.structs.replace(choices, **_set_values(exceptions))


def _set_values(exceptions: Exceptions) -> dict[str, Any]:
    return {name: value for name, value in msgspec.structs.asdict(exceptions).items() if value is not None}


# --- Whether and when a mail is sent, by its reader's settings --------------------------------------------------------
# one function, called when the mail is made and again when it is sent (pure).
#
# The first of these that applies decides:
#
# 1. Security notices are sent at once, whatever the settings.
# 2. Mail that is muted at this table, or switched off, is not sent; a reminder is sent if only an unproven reply has
#    asked to mute it.
# 3. A mail that would be outdated by then is sent at once: a digest, a delay or quiet hours that would
#    end after its deadline are ignored.
# 4. Mail that a device has shown is not sent if its reader wants no such mail, and waits while that is not known.
# 5. Mail waits for a reader who was just at the table, delays their turns, or is on the site now.
# 6. Mail for the digest waits for the next one.
# 7. Mail that falls into quiet hours waits for their end.


Do = Literal["send", "wait", "digest", "not"]
Reason = Literal[
    "always", "now", "muted", "off", "there", "delay", "on-site", "push", "pushed", "digest", "quiet", "deadline"
]

HERE = timedelta(minutes=10)  # for this long after their last use of a page a reader counts as being on the site
LONGEST_HERE = timedelta(hours=1)  # a page that was left open holds mail back for at most this long
REPLACED = ("turn", "started", "over", "absent", "cancelled", "time")  # a reminder is mailed in any case
FOR_PUSH = timedelta(minutes=10)  # for this long a mail waits for a push service to take the notification


@dataclass(frozen=True, slots=True)
class MailCandidate:
    """A possible mail: its kind, since when it applies, and until when it is of use.

    `there_until`: until then its reader remembers the position anyway; `seen`: the reader's last use of a page of this
    site. `pushed`: a device has shown it; `push_until`: a notification is on its way, and the mail waits this long.
    """

    kind: str
    made: datetime
    deadline: datetime | None = None
    there_until: datetime | None = None
    seen: datetime | None = None
    muted: bool = False
    unconfirmed: bool = False  # muted by a reply that was not proven
    pushed: bool = False
    push_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision, when to send it if not now, and why."""

    do: Do
    reason: Reason
    at: datetime | None = None


def decide(mail: MailCandidate, choices: Choices, zone: ZoneInfo, now: datetime) -> Verdict:
    """The verdict at this moment."""
    if mail.kind in ALWAYS:
        return Verdict("send", "always")
    if mail.muted and not (mail.unconfirmed and mail.kind == "reminder"):
        return Verdict("not", "muted")
    mode = choices.mode(mail.kind)
    if mode == "off":
        return Verdict("not", "off")
    if mail.pushed and mode == "on" and mail.kind in REPLACED:
        return Verdict("not", "pushed")
    at, reason = _digest(choices, zone, now) if mode == "digest" else _later(mail, choices, now)
    at, reason = _quiet(at, reason, choices, zone)
    if at > now and mail.deadline is not None and mail.deadline <= at:
        return Verdict("send", "deadline")
    if mode == "digest":
        return Verdict("digest", "digest", at)
    return Verdict("wait", reason, at) if at > now else Verdict("send", "now")


def _later(mail: MailCandidate, choices: Choices, now: datetime) -> tuple[datetime, Reason]:
    """When it is sent if not with the digest, and what it waits for."""
    waits: list[tuple[datetime, Reason]] = [(now, "now")]
    if mail.there_until is not None:
        waits.append((mail.there_until, "there"))
    if mail.kind == "turn" and choices.delay:
        waits.append((mail.made + timedelta(minutes=choices.delay), "delay"))
    if mail.push_until is not None and mail.kind in REPLACED:
        waits.append((mail.push_until, "push"))
    if not choices.on_site and mail.seen is not None and mail.seen + HERE > now:
        waits.append((min(mail.seen + HERE, mail.made + LONGEST_HERE), "on-site"))
    return max(waits, key=lambda wait: wait[0])


def _digest(choices: Choices, zone: ZoneInfo, now: datetime) -> tuple[datetime, Reason]:
    return following_hour(choices.digest_hour, now, zone), "digest"


def _quiet(at: datetime, reason: Reason, choices: Choices, zone: ZoneInfo) -> tuple[datetime, Reason]:
    """The end of the quiet hours, if it would come in them."""
    if choices.quiet_from is None or choices.quiet_until is None:
        return at, reason
    ends = end_of_quiet(choices.quiet_from, choices.quiet_until, at, zone)
    return (at, reason) if ends is None else (ends, "quiet")


# --- The times of the reminders that a player chose -------------------------------------------------------------------
# a number of hours before the deadline of a stretch (pure).


def marks(hours: Iterable[int], since: datetime, deadline: datetime) -> list[tuple[datetime, int]]:
    """Each with its hours, earliest first; only those after `since`, when the player knew of the turn anyway."""
    found = ((deadline - timedelta(hours=hour), hour) for hour in hours)
    return sorted((at, hour) for at, hour in found if at > since)


def due(hours: Iterable[int], since: datetime, deadline: datetime, now: datetime) -> tuple[datetime, int] | None:
    """The next one, or the last that has passed, which a clock that was down still sends. None: no more."""
    all_of_them = marks(hours, since, deadline)
    passed = [mark for mark in all_of_them if mark[0] <= now]
    coming = [mark for mark in all_of_them if mark[0] > now]
    return passed[-1] if passed else coming[0] if coming else None


# --- The stored settings, and the verdict on a mail from the rows -----------------------------------------------------

T = TypeVar("T", Choices, Exceptions)


@dataclass(frozen=True, slots=True)
class StoredChoices:
    """The settings in force, at one table if given; `since`: when the reminders were last set."""

    choices: Choices
    exceptions: Exceptions
    zone: ZoneInfo
    since: datetime | None

    @property
    def in_force(self) -> Choices:
        return at_table(self.choices, self.exceptions)


def load_choices(session: Session, account_id: int, game_id: str | None = None) -> StoredChoices:
    """In one query."""
    there = sa.and_(MailException.account_id == Account.id, MailException.game_id == game_id)
    query = (
        sa.select(Account.zone, MailChoice.says, MailChoice.hours_since, MailException.says, MailException.hours_since)
        .join(MailChoice, MailChoice.account_id == Account.id, isouter=True)
        .join(MailException, there, isouter=True)
        .where(Account.id == account_id)
    )
    zone, says, set_at, otherwise, set_there_at = session.execute(query).one()
    since = max(filter(None, (set_at, set_there_at)), default=None)
    return StoredChoices(_decode(says, Choices), _decode(otherwise, Exceptions), zone_of(zone), since)


def _decode(says: str | None, kind: type[T]) -> T:
    return kind() if says is None else msgspec.json.decode(says, type=kind)


@dataclass(frozen=True, slots=True)
class ProposedMail:
    """A possible mail: for which account, of which kind, about which game, since when.

    Until `there_until` the reader knows it anyway. `dedupe_key` names the news, for a device that may have shown it.
    """

    kind: str
    account_id: int | None
    made: datetime
    game_id: str | None = None
    there_until: datetime | None = None
    dedupe_key: str | None = None


def verdict(session: Session, mail: ProposedMail, now: datetime, *, is_push: bool = False) -> Verdict:
    """The verdict, by the settings and the present state; the same on a notification, which no digest collects."""
    if mail.kind in ALWAYS or mail.account_id is None:
        return Verdict("send", "always")
    stored = load_choices(session, mail.account_id, mail.game_id)
    choices = _as_pushed(stored.in_force) if is_push else stored.in_force
    seat = _seat(session, mail)
    candidate = MailCandidate(
        kind=mail.kind,
        made=mail.made,
        deadline=seat.deadline if seat is not None and mail.kind in ("turn", "time", "reminder") else None,
        there_until=mail.there_until,
        seen=None if choices.on_site else last_seen(session, mail.account_id),
        muted=seat is not None and seat.muted,
        unconfirmed=mail.kind == "reminder" and is_unconfirmed(session, mail.account_id, mail.game_id),
        **({} if choices.with_push else _pushed(session, mail)),
    )
    return decide(candidate, choices, stored.zone, now)


def _as_pushed(choices: Choices) -> Choices:
    collected = {kind: "on" for kind in KINDS if choices.mode(kind) == "digest"}
    return msgspec.structs.replace(choices, with_push=True, **collected)


def _pushed(session: Session, mail: ProposedMail) -> dict[str, Any]:
    """Whether a device has shown the news, or may soon: one on which its owner has opened a notification before."""
    here = (PushSubscription.account_id == mail.account_id, PushSubscription.clicked_at.is_not(None))
    sent = sa.select(PushMessage.state, PushMessage.attempts, PushMessage.next_at)
    sent = sent.join(PushSubscription, PushSubscription.id == PushMessage.subscription_id)
    rows = session.execute(sent.where(*here, PushMessage.dedupe_key == mail.dedupe_key)).all()
    untried = [next_at + FOR_PUSH for state, tries, next_at in rows if state == "leased" or (state, tries) == WAITS]
    return {"pushed": any(row.state == "sent" for row in rows), "push_until": max(untried, default=None)}


WAITS = ("waiting", 0)


def _seat(session: Session, mail: ProposedMail) -> Seat | None:
    where = (Seat.game_id == mail.game_id, Seat.account_id == mail.account_id)
    return session.scalars(sa.select(Seat).where(*where)).one_or_none()


def last_seen(session: Session, account_id: int) -> datetime | None:
    """When the reader last used a page of this site."""
    used = sa.select(sa.func.max(WebSession.last_used_at)).where(WebSession.account_id == account_id)
    return session.scalar(used)
