"""What a person chose, from the rows; and the question whether a mail goes, put to `decide` with what the rows say."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar
from zoneinfo import ZoneInfo

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel.db.models import Account, MailChoice, MailException, Seat, WebSession
from server.kernel.text import zone_of
from server.mailbox.choices import ALWAYS, Choices, Exceptions, MailCandidate, Verdict, at_table, decide

T = TypeVar("T", Choices, Exceptions)


@dataclass(frozen=True, slots=True)
class StoredChoices:
    """What is in force for somebody, at one table if one was asked for; `since` when his reminders were last set."""

    choices: Choices
    exceptions: Exceptions
    zone: ZoneInfo
    since: datetime | None

    @property
    def in_force(self) -> Choices:
        return at_table(self.choices, self.exceptions)


def load(session: Session, account_id: int, game_id: str | None = None) -> StoredChoices:
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
    """A mail to be: whose, of which kind, about which seat, since when, and until when its reader knows anyhow."""

    kind: str
    account_id: int | None
    made: datetime
    game_id: str | None = None
    there_until: datetime | None = None


def verdict(session: Session, mail: ProposedMail, now: datetime) -> Verdict:
    """What becomes of it, by what was chosen and how things stand now."""
    if mail.kind in ALWAYS or mail.account_id is None:
        return Verdict("send", "always")
    stored = load(session, mail.account_id, mail.game_id)
    choices = stored.in_force
    seat = _seat(session, mail)
    candidate = MailCandidate(
        kind=mail.kind,
        made=mail.made,
        deadline=seat.deadline if seat is not None and mail.kind in ("turn", "reminder") else None,
        there_until=mail.there_until,
        seen=None if choices.on_site else last_seen(session, mail.account_id),
        muted=seat is not None and seat.muted,
    )
    return decide(candidate, choices, stored.zone, now)


def _seat(session: Session, mail: ProposedMail) -> Seat | None:
    where = (Seat.game_id == mail.game_id, Seat.account_id == mail.account_id)
    return session.scalars(sa.select(Seat).where(*where)).one_or_none()


def last_seen(session: Session, account_id: int) -> datetime | None:
    """When a page of ours was last used by him."""
    used = sa.select(sa.func.max(WebSession.last_used_at)).where(WebSession.account_id == account_id)
    return session.scalar(used)
