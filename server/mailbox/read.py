"""The mails sent to an account, when, and how each fared: for its owner alone."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel.db.models import Account, Game, LoginLink, MailOff, MailReport, MailStop, Notification, Seat
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import iso, zone_of
from server.mailbox.choices import ASKED_AGAIN, KINDS, NAMED_ALWAYS, Choices, StoredChoices, load_choices
from server.mailbox.explanation import MailRecord, explain, mail_state, server_words
from server.mailbox.switched_off import EVERYWHERE
from server.tables.read import title_of

NOTHING = "It is not your turn at this table, so there is no email to send."
NO_ADDRESS = "It is your turn. This account has no email address, so no email is sent."
MADE_LATER = "It is your turn. The email is being prepared, which usually takes a few seconds."


def listed_mails(
    services: Services, account_id: int, game_id: str | None, after: int | None = None, limit: int = 50
) -> dict[str, Any]:
    """Newest first; `next` continues the list. Includes sign-in mails to the address."""
    with services.database.read() as session:
        account = session.get_one(Account, account_id)
        links = sa.select(LoginLink.id).where(LoginLink.email == account.email)
        mine = sa.or_(Notification.account_id == account_id, Notification.login_link_id.in_(links))
        query = sa.select(Notification).where(mine, *_page(game_id, after))
        rows = list(session.scalars(query.order_by(Notification.id.desc()).limit(limit + 1)))
        shown = [_as_json(row, services.now(), account) for row in rows[:limit]]
    return {"mails": shown, "next": shown[-1]["id"] if len(rows) > limit else None}


def _page(game_id: str | None, after: int | None) -> list[sa.ColumnElement[bool]]:
    here = [] if game_id is None else [Notification.game_id == game_id]
    return here + ([] if after is None else [Notification.id < after])


def _as_json(row: Notification, now: datetime, account: Account) -> dict[str, Any]:
    mail = _mail(row)
    how = mail_state(mail)
    return {
        "id": row.id,
        "kind": row.kind,
        "game": row.game_id,
        "seat": row.seat,
        "state": how,
        "reason": row.reason if how == "not-sent" else row.waited,
        "made_at": iso(row.created_at),
        "sent_at": None if row.sent_at is None else iso(row.sent_at),
        "next_at": iso(row.next_at) if how in ("waits", "tried") else None,
        "server": server_words(mail),
        "says": explain(mail, now, zone_of(account.zone)),
    }


def _mail(row: Notification) -> MailRecord:
    return MailRecord(
        state=row.state,
        reason=row.reason,
        waited=row.waited,
        attempts=row.attempts,
        made=row.created_at,
        sent=row.sent_at,
        next=row.next_at,
        said=row.said,
        digested=row.digest_id is not None,
        again=row.kind in ASKED_AGAIN,
    )


def why_mailed(services: Services, account_id: int, game_id: str) -> str:
    """Why the account was or was not mailed about its turn at this table, as a sentence. Problem `no-seat`."""
    with services.database.read() as session:
        held = sa.select(Seat).where(Seat.game_id == game_id, Seat.account_id == account_id)
        seat = session.scalars(held).one_or_none()
        if seat is None:
            raise Problem("no-seat")
        if seat.question_seq is None:
            return NOTHING
        row, account = _of_question(session, seat), session.get_one(Account, account_id)
    if row is None:
        return NO_ADDRESS if account.email is None else MADE_LATER
    return explain(_mail(row), services.now(), zone_of(account.zone))


def _of_question(session: Session, seat: Seat) -> Notification | None:
    """The mail that asks the present question."""
    query = (
        sa.select(Notification)
        .where(Notification.game_id == seat.game_id, Notification.account_id == seat.account_id)
        .where(Notification.kind == "turn", Notification.seq >= seat.question_seq)
    )
    return session.scalars(query.order_by(Notification.id.desc()).limit(1)).one_or_none()


# --- Mails that were not delivered ------------------------------------------------------------------------------------
# for the operator, for Prometheus, and for the recipient.


STATES = ("pending", "leased", "failed", "waits")
LATE = timedelta(minutes=5)


def failed_mails(services: Services) -> list[dict[str, Any]]:
    """Every mail that was refused or given up, oldest first: recipient, subject, and the relay's answer."""
    address = sa.func.coalesce(Account.email, LoginLink.email)
    query = (
        sa.select(Notification, address)
        .join(Account, Account.id == Notification.account_id, isouter=True)
        .join(LoginLink, LoginLink.id == Notification.login_link_id, isouter=True)
        .where(Notification.state == "failed")
        .order_by(Notification.id)
    )
    with services.database.read() as session:
        return [_failed_mail(row, to) for row, to in session.execute(query)]


def _failed_mail(row: Notification, to: str | None) -> dict[str, Any]:
    return {
        "mail": row.id,
        "kind": row.kind,
        "to": to,
        "game": row.game_id,
        "since": iso(row.created_at),
        "tries": row.attempts,
        "why": row.reason,
        "says": row.last_error,
    }


def frame_facts(services: Services, account_id: int | None) -> dict[str, Any]:
    """For the head of every page: the last mail was not delivered, or mail to the reader is stopped or switched off."""
    if account_id is None:
        return {}
    with services.database.read() as session:
        stopped = mail_stopped(session, account_id)
        trouble = None if stopped else mail_trouble(session, account_id)
        return {"mail_stop": stopped, "trouble": trouble, "mail_off": switched_off(session, account_id)}


def switched_off(session: Session, account_id: int) -> list[dict[str, Any]]:
    """For the head of every page: the tables whose mail is off, and how; a row without a game is for all tables.

    `whole`: all of its mail is off, not just the digest.
    """
    held = sa.and_(Seat.game_id == MailOff.game_id, Seat.account_id == MailOff.account_id, Seat.muted)
    going = sa.and_(Game.id == Seat.game_id, Game.status.in_(("lobby", "running")))
    query = (
        sa.select(MailOff.game_id, MailOff.how, Game.type)
        .join(Seat, held, isouter=True)
        .join(Game, going, isouter=True)
        .where(MailOff.account_id == account_id, sa.or_(MailOff.game_id == EVERYWHERE, Game.id.is_not(None)))
    )
    rows = session.execute(query.order_by(MailOff.at)).all()
    whole = any(game == EVERYWHERE for game, _, _ in rows) and _is_all_off(session, account_id)
    return [
        {"game": game or None, "how": how, "title": kind and title_of(kind), "whole": bool(game) or whole}
        for game, how, kind in rows
    ]


def _is_all_off(session: Session, account_id: int) -> bool:
    choices = load_choices(session, account_id).choices
    return all(choices.mode(kind) == "off" for kind in KINDS)


def mail_trouble(session: Session, account_id: int) -> dict[str, Any] | None:
    """The last mail to this account, if it was not delivered; None once one is."""
    ended = (Notification.account_id == account_id, Notification.state.in_(("sent", "failed")))
    last = session.scalar(sa.select(Notification).where(*ended).order_by(Notification.id.desc()).limit(1))
    if last is None or last.state == "sent":
        return None
    return {"since": iso(last.created_at), "why": last.reason, "says": last.last_error}


def mail_stopped(session: Session, account_id: int) -> dict[str, Any] | None:
    """Since when and why mail to this account is stopped; None if it is not."""
    row = session.get(MailStop, account_id)
    return None if row is None else {"since": iso(row.since), "why": row.why, "says": row.says}


def all_stopped(services: Services) -> list[dict[str, Any]]:
    """For the operator: every address to which mail is stopped, latest last."""
    query = sa.select(MailStop, Account.email).join(Account, Account.id == MailStop.account_id)
    with services.database.read() as session:
        rows = session.execute(query.order_by(MailStop.since, MailStop.account_id))
        return [
            {"account": row.account_id, "to": to, "since": iso(row.since), "why": row.why, "says": row.says}
            for row, to in rows
        ]


def reports(services: Services) -> list[dict[str, Any]]:
    """For the operator: recent delivery reports, oldest first. Those marked `ours` are the operator's to fix."""
    query = sa.select(MailReport, Account.email).join(Account, Account.id == MailReport.account_id)
    with services.database.read() as session:
        return [
            {"mail": row.notification_id, "to": to, "at": iso(row.at), "kind": row.kind, "via": row.via}
            | {"says": row.says}
            for row, to in session.execute(query.order_by(MailReport.id))
        ]


def counted_reports(services: Services) -> dict[str, dict[str, int]]:
    """How many reports of each kind are stored, and how many people's mail is stopped, by reason."""
    reported = sa.select(MailReport.kind, sa.func.count()).group_by(MailReport.kind)
    stops = sa.select(MailStop.why, sa.func.count()).group_by(MailStop.why)
    with services.database.read() as session:
        found = [{row[0]: row[1] for row in session.execute(query)} for query in (reported, stops)]
    return {"reports": found[0], "stops": found[1]}


def counted_mails(services: Services) -> dict[str, int]:
    """How many mails are due or retried, on their way, or failed; `waits`: postponed by their readers' settings."""
    row = Notification
    later = sa.and_(row.state == "pending", row.waited.is_not(None), row.next_at > services.now())
    state = sa.case((sa.or_(row.state == "held", later), "waits"), else_=row.state)
    named = sa.select(state.label("state")).where(row.state.in_((*STATES, "held"))).subquery()
    query = sa.select(named.c.state, sa.func.count()).group_by(named.c.state)
    with services.database.read() as session:
        found = {row[0]: row[1] for row in session.execute(query)}
    return {name: found.get(name, 0) for name in STATES}


def late_mails(services: Services) -> int:
    """How many mails have not been sent minutes after they were due for the first time."""
    row, before = Notification, services.now() - LATE
    first = sa.case((row.waited.is_not(None), row.next_at), else_=row.created_at)
    query = sa.select(sa.func.count()).where(row.state.in_(("pending", "leased")), first <= before)
    with services.database.read() as session:
        return session.scalar(query) or 0


# --- Mail settings, as the API and the pages show them ----------------------------------------------------------------


def shown_choices(stored: StoredChoices) -> dict[str, Any]:
    """The general settings."""
    return _words(stored.choices) | _beside(stored)


def shown_exceptions(stored: StoredChoices, game_id: str, *, muted: bool) -> dict[str, Any]:
    """The exceptions at one table."""
    in_force = _words(stored.in_force) | _beside(stored)
    return {"game": game_id, **_words(stored.exceptions), "muted": muted, "in_force": in_force}


def _words(choices: Any) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(msgspec.structs.asdict(choices))
    return found


def _beside(stored: StoredChoices) -> dict[str, Any]:
    return {"zone": stored.zone.key, "always": list(NAMED_ALWAYS)}


def usual() -> dict[str, Any]:
    """The default settings."""
    return _words(Choices())
