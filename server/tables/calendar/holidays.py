"""Holidays: whole days on which an account does not play, at the tables that count them.

A holiday is made of moments when it is announced, so a change of zone never moves it. A signed or mailed act of its
account ends it (`server.log.ledger`). Its tables follow in transactions of their own: here, or in the clock's next
round if the process dies between them (`applied_at`). The clock computes each deadline under the game's lock anyway.

The days left are not stored. They follow from the account's age and its holidays: 5 at first, one more in ten days, at
most 30.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import partial
from math import ceil
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel import quarantine, text
from server.kernel.db.account_lock import lock_account
from server.kernel.db.models import Account, Game, Holiday, Seat
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import iso
from server.log import deadlines, outbox
from server.log.ledger import open_for_writing

LOOP = quarantine.Loop("holidays", Holiday.id)
DAY = timedelta(days=1)
FIRST, EVERY, MOST = 5, 10 * DAY, 30
LONGEST, APART, AT_ONCE = 14, 7 * DAY, 3
FURTHEST = 365  # days ahead
SHIFT = timedelta(hours=2)  # the most by which a day of a zone is longer or shorter than 24 hours


def announce(services: Services, account_id: int, begins: date | None, days: int) -> tuple[Holiday, bool]:
    """Announce so many days from a date of the account's zone on, or from now; and whether it is a new one."""
    with services.database.write() as session:
        account = _account(session, account_id)
        zone, now = text.zone_of(account.zone), services.now().replace(microsecond=0)
        today = now.astimezone(zone).date()
        first = today if begins is None else begins
        if abs((first - today).days) > FURTHEST:  # its days may be outside of the calendar
            raise Problem("bad-holiday")
        starts = now if begins is None else text.at_hour("00:00", first, zone)
        ends = text.at_hour("00:00", first + timedelta(days=days), zone)
        others = [one for one in _of(session, account_id) if end_of(one) > one.starts_at]
        same = next((one for one in others if _is_same(one, starts, ends, now)), None)
        if same is not None:
            return same, False
        made = Holiday(account_id=account_id, starts_at=starts, ends_at=ends, made_at=now)
        _check(account, others, made, now)
        session.add(made)
        session.flush()
        mail = outbox.row_of_holiday(session, made.id, now)
    services.waker.wake([mail], [])
    _try_apply(services, made.id)
    return made, True


def _account(session: Session, account_id: int) -> Account:
    """Locked, so that two announcements see each other."""
    account = lock_account(session, account_id)
    if account.bot:
        raise Problem("no-holidays")
    return account


def _of(session: Session, account_id: int) -> Sequence[Holiday]:
    query = sa.select(Holiday).where(Holiday.account_id == account_id)
    return session.scalars(query.order_by(Holiday.made_at, Holiday.id)).all()


def _is_same(one: Holiday, starts: datetime, ends: datetime, now: datetime) -> bool:
    """Has it been announced already? One that begins now is the one that runs until the same day."""
    return one.ended_at is None and one.ends_at == ends and (one.starts_at == starts or one.starts_at <= starts == now)


def _check(account: Account, others: Sequence[Holiday], made: Holiday, now: datetime) -> None:
    if made.starts_at < now or made.starts_at > now + FURTHEST * DAY:
        raise Problem("bad-holiday")
    for one in others:
        if made.starts_at < end_of(one) + APART and one.starts_at < made.ends_at + APART:
            raise Problem("holiday-too-close", starts=iso(one.starts_at), ends=iso(end_of(one)))
    left = balance(account.created_at, others, now)
    if cost(made) > left:
        raise Problem("holiday-balance", found=cost(made), left=left)


def end_of(one: Holiday) -> datetime:
    """When it ends, or ended early; one that was cancelled ended before it began."""
    return one.ends_at if one.ended_at is None else min(one.ends_at, one.ended_at)


def cost(one: Holiday) -> int:
    """The days that it takes from the balance: those announced, or those begun if it ended early."""
    days = ceil((one.ends_at - one.starts_at - SHIFT) / DAY)
    if one.ended_at is not None:
        days = min(days, max(0, ceil((one.ended_at - one.starts_at) / DAY)))
    return max(days, AT_ONCE) if one.made_at == one.starts_at else days


def balance(created_at: datetime, taken: Sequence[Holiday], now: datetime) -> int:
    """The days left, from the account's age and all of its holidays."""
    left, until = FIRST, 0
    for one in [*sorted(taken, key=lambda one: one.made_at), None]:
        gained = max(0, ((now if one is None else one.made_at) - created_at) // EVERY)
        left, until = min(MOST, left + gained - until), gained
        left -= 0 if one is None else cost(one)
    return max(0, left)


def left_of(session: Session, account: Account, now: datetime) -> int:
    """The days that an account has left."""
    return balance(account.created_at, _of(session, account.id), now)


def end(services: Services, account_id: int, number: int) -> None:
    """End or cancel a holiday; one that is over stays as it is. Problem `not-found` if it is not the account's."""
    mine = (Holiday.id == number, Holiday.account_id == account_id)
    with services.database.write() as session:
        if session.scalar(sa.select(Holiday.id).where(*mine)) is None:
            raise Problem("not-found")
        now = services.now().replace(microsecond=0)
        going = sa.update(Holiday).where(*mine, Holiday.ended_at.is_(None), Holiday.ends_at > now)
        session.execute(going.values(ended_at=now, applied_at=None))
    _try_apply(services, number)


def _try_apply(services: Services, number: int) -> None:
    """The holiday is committed: a table that does not follow now refuses nothing, and the clock tries it again."""
    quarantine.attempt(services, LOOP, number, partial(apply, services, number))


def apply(services: Services, number: int) -> None:
    """Move the deadlines of the account's tables. A deadline moves back only if its holder has ended the holiday.

    Raises the first failure of a table after the others have followed.
    """
    with services.database.read() as session:
        one = session.get(Holiday, number)
        if one is None or one.applied_at is not None:
            return
        seats = session.execute(_owing(one.account_id)).all()
    faults: list[Exception] = []
    for game, seat in seats:
        try:
            _follow(services, one, game, seat)
        except Exception as fault:  # noqa: BLE001 - raised below; the other tables follow first
            faults.append(fault)
    if faults:
        raise faults[0]
    same = (Holiday.id == number, Holiday.ended_at.is_not_distinct_from(one.ended_at))
    with services.database.write() as session:
        session.execute(sa.update(Holiday).where(*same).values(applied_at=services.now()))


def _follow(services: Services, one: Holiday, game: str, seat: int) -> None:
    with open_for_writing(services, game) as ledger:
        held = sa.select(Seat.seat).where(Seat.game_id == game, Seat.account_id == one.account_id)
        if ledger.session.scalar(held) == seat:
            ledger.recount([seat] if one.ended_at is not None else [])


def unapplied(now: datetime) -> sa.Select[int]:
    """Holidays that the tables have not followed yet."""
    return sa.select(Holiday.id).where(Holiday.applied_at.is_(None), Holiday.made_at <= now).order_by(Holiday.id)


def _owing(account_id: int) -> sa.Select[str, int]:
    """The seats of the account whose time runs, at tables that may count its holidays."""
    query = sa.select(Seat.game_id, Seat.seat).join(Game, Game.id == Seat.game_id)
    counting = (Game.status == "running", Game.holidays != "no", Seat.deadline.is_not(None))
    return query.where(Seat.account_id == account_id, *counting).order_by(Game.id)


# --- What may be shown ------------------------------------------------------------------------------------------------


class Coming(NamedTuple):
    """A holiday that is not over, and the days that it costs."""

    id: int
    starts_at: datetime
    ends_at: datetime
    cost: int
    runs: bool


class Overview(NamedTuple):
    """The days that an account has left, its holidays that are not over, the next first, and its time zone."""

    left: int
    coming: list[Coming]
    zone: str


def overview(services: Services, account_id: int) -> Overview:
    now = services.now()
    with services.database.read() as session:
        account = session.get_one(Account, account_id)
        left, taken = left_of(session, account, now), _of(session, account_id)
    coming = sorted((one for one in taken if end_of(one) > now), key=lambda one: one.starts_at)
    shown = [Coming(one.id, one.starts_at, end_of(one), cost(one), one.starts_at <= now) for one in coming]
    return Overview(left, shown, account.zone or "UTC")


def values(services: Services, account_id: int) -> dict[str, Any]:
    """The same as the API shows it."""
    found = overview(services, account_id)
    holidays = [one._asdict() | {"starts_at": iso(one.starts_at), "ends_at": iso(one.ends_at)} for one in found.coming]
    return {"left": found.left, "holidays": holidays}


def announced(services: Services, account_id: int, one: Holiday) -> dict[str, Any]:
    """A holiday with its tables: where the account owes a move, by when, and whether the table counts it."""
    with services.database.read() as session:
        query = sa.select(Seat, Game).join(Game, Game.id == Seat.game_id).where(Seat.account_id == account_id)
        query = query.where(Game.status == "running", Seat.question_seq.is_not(None), Seat.deadline.is_not(None))
        rows = session.execute(query.order_by(Seat.deadline, Game.id)).all()
    found = values(services, account_id)
    mine: dict[str, Any] = next(held for held in found["holidays"] if held["id"] == one.id)
    return mine | {"left": found["left"], "tables": [_table(*row, one) for row in rows if not row[1].is_stopped]}


def _table(seat: Seat, game: Game, one: Holiday) -> dict[str, Any]:
    assert seat.deadline is not None
    counts = deadlines.counts(game.holidays, one.starts_at, one.made_at)
    return {"game": game.id, "deadline": iso(seat.deadline), "counts": counts}


def running(services: Services, account_id: int | None) -> datetime | None:
    """Until when the account is on holiday; None if it is not."""
    if account_id is None:
        return None
    now = services.now()
    query = sa.select(Holiday.ends_at).where(Holiday.account_id == account_id, Holiday.ended_at.is_(None))
    with services.database.read() as session:
        return session.scalar(query.where(Holiday.starts_at <= now, Holiday.ends_at > now).limit(1))


def frame_facts(services: Services, account_id: int | None) -> dict[str, Any]:
    """For the head of every page: until when its reader is on holiday."""
    return {"holiday": running(services, account_id)}
