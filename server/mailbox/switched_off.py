"""Mail that a reply or a link has switched off. Anyone who has one of our mails can do that, so it is never silent.

The reader gets one last mail with a way back, at most one a day for each kind, and a notice on every page until they
decide there (`MailOff`). A reply that is not proven stops mail less than a link: reminders still come, until the reader
confirms it with the link in the last mail.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel.db.models import MailOff, Notification, Seat
from server.log import outbox

How = Literal["reply", "link"]
EVERYWHERE = ""  # in place of a game
LAST_MAILS = ("stop", "muted", "off", "no-digest", "bounced")  # their kinds, by what has switched mail off
A_DAY = timedelta(days=1)


def stop_table(session: Session, seat: Seat, how: How | None, now: datetime) -> list[int]:
    """Mute the table for this holder; the outbox rows of the last mail. None: a proven reply, which is answered."""
    was_muted, account_id, game_id = seat.muted, seat.account_id, seat.game_id
    seat.muted = True
    if account_id is None:
        return []
    if was_muted:
        if how != "reply":
            _confirm(session, account_id, game_id)
        return []
    if how is None:
        settle(session, account_id, game_id)
        return []
    session.merge(MailOff(account_id=account_id, game_id=game_id, how=how, at=now))
    return [outbox.row_of_mail(session, "stop" if how == "reply" else "muted", account_id, game_id, now)]


def stop_everywhere(session: Session, account_id: int, kind: str, now: datetime) -> list[int]:
    """Note that a link has switched mail off for all tables; the outbox rows of the last mail.

    Until the reader has decided, the same link says nothing new; another one may stop more.
    """
    found = session.get(MailOff, (account_id, EVERYWHERE))
    if found is None:
        session.add(MailOff(account_id=account_id, game_id=EVERYWHERE, how="link", at=now))
    elif session.scalar(_last_mails(account_id, kind, None).where(Notification.created_at >= found.at)) is not None:
        return []
    return [outbox.row_of_mail(session, kind, account_id, None, now)]


def settle(session: Session, account_id: int, game_id: str | None = None) -> None:
    """The reader has decided: no notice any more."""
    session.execute(sa.delete(MailOff).where(*_of(account_id, game_id)))


def _confirm(session: Session, account_id: int, game_id: str) -> None:
    session.execute(sa.update(MailOff).where(*_of(account_id, game_id)).values(how="link"))


def _of(account_id: int, game_id: str | None) -> tuple[sa.ColumnElement[bool], ...]:
    return MailOff.account_id == account_id, MailOff.game_id == (game_id or EVERYWHERE)


def is_unconfirmed(session: Session, account_id: int, game_id: str | None) -> bool:
    """Did only an unproven reply mute this table?"""
    return session.scalar(sa.select(MailOff.how).where(*_of(account_id, game_id))) == "reply"


def was_told(session: Session, account_id: int, kind: str, game_id: str | None, now: datetime) -> bool:
    """Was the same last mail made within a day? Anyone who has a link could press it all day."""
    since = Notification.created_at > now - A_DAY
    return session.scalar(_last_mails(account_id, kind, game_id).where(since)) is not None


def _last_mails(account_id: int, kind: str, game_id: str | None) -> sa.Select[int]:
    row = Notification
    same = (row.account_id == account_id, row.kind == kind, row.game_id == game_id)
    return sa.select(row.id).where(*same).limit(1)
