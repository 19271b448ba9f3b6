"""An account's calendar link: made, shown once, revoked. It reveals the times of deadlines and nothing else."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.encoding import canonical
from server.http import credentials
from server.http.credentials import Principal
from server.kernel import text
from server.kernel.db.models import CalendarLink, Game, Seat
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.log import seats
from server.mailbox.choices import load_choices
from server.tables.read import title_of

NOTED = timedelta(hours=1)  # the last use is written at most this often: calendars fetch often


def make_link(services: Services, principal: Principal) -> str:
    """Make a link that replaces the one before; it is not shown again."""
    secret, account_id = canonical.to_base64url(services.random(32)), principal.account_id
    with services.database.write() as session:
        credentials.check_in_force(services, session, principal)
        drop_link_in(session, account_id)
        session.add(CalendarLink(account_id=account_id, hash=_hash(secret), created_at=services.now()))
    return f"{services.settings.public_url}/me/calendar.ics?link={secret}"


def show_link(services: Services, account_id: int) -> CalendarLink:
    """When it was made and last used; Problem `not-found` if there is none."""
    with services.database.read() as session:
        found = session.get(CalendarLink, account_id)
    if found is None:
        raise Problem("not-found")
    return found


def drop_link(services: Services, account_id: int) -> None:
    """Revoke it. Problem `not-found` if there is none."""
    with services.database.write() as session:
        if not drop_link_in(session, account_id):
            raise Problem("not-found")


def drop_link_in(session: Session, account_id: int) -> bool:
    """The same in the caller's transaction; whether there was one."""
    gone = sa.delete(CalendarLink).where(CalendarLink.account_id == account_id).returning(CalendarLink.account_id)
    return session.scalar(gone) is not None


def link_reader(services: Services, secret: str) -> int:
    """The account of a link; Problem `bad-link` if it is unknown."""
    with services.database.read() as session:
        found = session.scalar(sa.select(CalendarLink).where(CalendarLink.hash == _hash(secret)))
    if found is None:
        raise Problem("bad-link")
    if found.last_used_at is None or services.now() - found.last_used_at >= NOTED:
        _note_use(services, found.hash, services.now())
    return found.account_id


def _note_use(services: Services, hashed: bytes, now: datetime) -> None:
    with services.database.write() as session:
        session.execute(sa.update(CalendarLink).where(CalendarLink.hash == hashed).values(last_used_at=now))


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


# --- Every deadline of an account as a calendar (RFC 5545), from rows alone -------------------------------------------
# the same rows give the same bytes.
#
# A seat has one event, which moves with each new deadline: its UID is the seat's, its SEQUENCE the number of the
# deadline, and its dates of change that deadline's. A seat that owes nothing has no event, and a calendar that fetches
# again drops the old one. Its content, the table and the deadline, is public.


PRODUCT = "-//Sealed Move//Deadlines//EN"


@dataclass(frozen=True, slots=True)
class Deadline:
    """A deadline: `own` is the end of the seat's own time, `changed` when it became the seat's deadline number `n`."""

    game: str
    title: str
    seat: int
    own: datetime
    grace: timedelta
    n: int
    changed: datetime
    alarms: tuple[timedelta, ...]


def deadlines_of(services: Services, account_id: int) -> bytes:
    """The account's deadlines, next first."""
    host = services.settings.server_name
    with services.database.read() as session:
        found = [_deadline(session, *row) for row in session.execute(_owing(account_id))]
    return calendar(found, services.settings.public_url, host)


def _owing(account_id: int) -> sa.Select[Seat, Game]:
    """Seats whose clock runs; without those of stopped games."""
    return (
        sa.select(Seat, Game)
        .join(Game, Game.id == Seat.game_id)
        .where(Seat.account_id == account_id, Seat.deadline.is_not(None), Seat.question_seq.is_not(None))
        .where(Game.status == "running", Game.faulted_at.is_(None), Game.missing_since.is_(None))
        .order_by(Seat.deadline, Game.id)
    )


def _deadline(session: Session, seat: Seat, game: Game) -> Deadline:
    assert seat.own_until is not None
    assert seat.changed_at is not None
    alarms, told = _alarms(session, seat, seat.own_until), (seats.grace(seat), seat.deadline_n, seat.changed_at)
    return Deadline(game.id, title_of(game.type), seat.seat, seat.own_until, *told, alarms)


def _alarms(session: Session, seat: Seat, own: datetime) -> tuple[timedelta, ...]:
    """The times before the end at which the reader wants reminders; absent players get none."""
    if seat.account_id is None or seat.remind_at is None:
        return ()
    choices = load_choices(session, seat.account_id, seat.game_id).in_force
    if choices.remind == "usual":
        return (own - seat.remind_at,)
    return tuple(timedelta(hours=hours) for hours in choices.hours)


def calendar(deadlines: list[Deadline], site: str, host: str) -> bytes:
    """As bytes (pure)."""
    import icalendar  # slow to import, and only calendars need it

    made = icalendar.Calendar()
    for name, value in (("prodid", PRODUCT), ("version", "2.0"), ("x-wr-calname", "Sealed Move")):
        made.add(name, value)
    made.add("refresh-interval", icalendar.vDuration(timedelta(hours=1)), parameters={"VALUE": "DURATION"})
    for one in deadlines:
        made.add_component(_event(icalendar, one, site, host))
    return made.to_ical()  # type: ignore[no-any-return]  # the library's annotation has no type here


def _event(icalendar: Any, one: Deadline, site: str, host: str) -> Any:
    name, link = f"{one.title} #{one.game[:4]}", f"{site}/games/{one.game}"
    says = f"Your time at seat {one.seat + 1} runs out."
    if one.grace:
        says += f" A grace period of {text.seconds(int(one.grace.total_seconds()))} follows."
    event = icalendar.Event()
    event.add("uid", f"{one.game}.{one.seat}@{host}")
    event.add("sequence", one.n)
    for stamp in ("dtstamp", "last-modified"):
        event.add(stamp, one.changed)
    event.add("dtstart", one.own)
    event.add("summary", f"Your turn: {name}")
    event.add("description", f"{says} {link}")
    event.add("url", link)
    event.add("transp", "TRANSPARENT")
    for before in one.alarms:
        event.add_component(_alarm(icalendar, before, f"Your turn: {name}"))
    return event


def _alarm(icalendar: Any, before: timedelta, says: str) -> Any:
    alarm = icalendar.Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", says)
    alarm.add("trigger", -before)
    return alarm
