"""Lists of games: all games with filters, your own with their heads, and the moves that you owe.

Only rows are read and no log is folded, so a list costs the same however long its games are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel.db.models import Account, Game, Place, Seat
from server.kernel.services import Services
from server.kernel.text import iso
from server.log import seats
from server.tables import blocks, time_controls, waits
from server.tables.calendar import pauses
from server.tables.game_types import installed_rules
from server.tables.invitations import read as invitations
from server.tables.read import (
    SeatHolder,
    game_row,
    head,
    options_words,
    reserved_seats,
    seat_holders,
    seat_summary,
    summary,
    title_of,
)

Filters = Mapping[str, Any]  # query parameters, by their names in the document
Where = sa.ColumnElement[bool]
_other = sa.orm.aliased(Seat)  # a list may be of seats itself
NO_PLACE = -1  # no row has it, and looking for it reads none; for `false` SQLite would read them all


class Viewer(NamedTuple):
    """The account that reads a list (None for the public), and the time."""

    reader: int | None
    now: datetime


def games(services: Services, filters: Filters, limit: int, reader: int | None = None) -> dict[str, Any]:
    """Games, newest first; `next` continues the list. `mine` refers to `reader`."""
    eyes = Viewer(reader, services.now())
    query = sa.select(Game).where(*_wanted(filters, eyes), _is_shown(filters))
    if reader is not None and not (filters.get("mine") or filters.get("made")):
        query = query.where(sa.not_(blocks.is_hidden(reader)))
    with services.database.read() as session:
        found = list(session.scalars(_page(session, query, filters, limit)))
        ids = [game.id for game in found[:limit]]
        sits, levels = seat_holders(session, ids), reserved_seats(session, ids, eyes.now)
        days = pauses.agreed_days(session, found[:limit])
    shown = [
        summary(game, sits.get(game.id, {}), levels.get(game.id, {}), days[game.id], eyes.now) for game in found[:limit]
    ]
    return {"games": shown, "next": shown[-1]["id"] if len(found) > limit else None}


def own_games(services: Services, account_id: int, filters: Filters, limit: int) -> dict[str, Any]:
    """The account's games with their heads, which show which of them have moved, and with what waits for it there.

    With `kept` also the tables that keep a seat for it. The number of statements does not depend on that of the games.
    """
    eyes = Viewer(account_id, services.now())
    waiting = waits.conditions(account_id, eyes.now)
    with services.database.read() as session:
        kept = invitations.lasting(services, session, account_id) if filters.get("kept") else None
        query = _own_rows(account_id, kept).where(*_wanted(filters, eyes))
        if "owes" in filters:
            query = query.where(waits.owes() if filters["owes"] else sa.not_(waits.owes()))
        if "waits" in filters:
            anything = sa.or_(*waiting.values())
            query = query.where(anything if filters["waits"] else sa.not_(anything))
        ids_only = query.with_only_columns(Game.id)
        if filters.get("order") == "urgent":
            found = list(session.scalars(_urgent(session, ids_only, filters, limit, sa.or_(*waiting.values()))))
        else:
            found = list(session.scalars(_page(session, ids_only, filters, limit)))
        ids = found[:limit]  # only these rows are read in full: sorting whole rows of all games would cost more
        more: list[sa.Label[Any]] = [condition.label(f"waits_{name}") for name, condition in waiting.items()]
        more.append(_paused_until(eyes.now))
        here = _own_rows(account_id, kept).with_only_columns(Seat, Game, Place, *more).where(Game.id.in_(ids))
        rows = sorted(session.execute(here).all(), key=lambda row: ids.index(row.Game.id))
        sits, levels = seat_holders(session, ids), reserved_seats(session, ids, eyes.now)
        shown = [_own_game(row, sits.get(row.Game.id, {}), levels.get(row.Game.id, {}), eyes.now) for row in rows]
    return {"games": shown, "next": shown[-1]["id"] if len(found) > limit else None}


def _own_rows(account_id: int, kept: Sequence[Where] | None) -> sa.Select[Any]:
    """The account's games, each with its `Seat`; given what makes a place last, also with the `Place` instead."""
    mine = sa.and_(Seat.game_id == Game.id, Seat.account_id == account_id)
    if kept is None:
        return sa.select(Game).join(Seat, mine).join(Place, Place.id == NO_PLACE, isouter=True)
    asked = sa.select(sa.func.min(Place.id)).join(Game, Game.id == Place.game_id).where(*kept)
    first = Place.id.in_(asked.group_by(Place.game_id).correlate(None))  # one person may be asked by handle and address
    query = sa.select(Game).join(Seat, mine, isouter=True)
    query = query.join(Place, sa.and_(Place.game_id == Game.id, Seat.seat.is_(None), first), isouter=True)
    held = sa.select(_other.game_id).where(_other.account_id == account_id)
    places = sa.select(Place.game_id).where(first).correlate(None)
    return query.where(Game.id.in_(sa.union(held, places)), sa.or_(Seat.seat.is_not(None), Place.id.is_not(None)))


def _paused_until(now: datetime) -> sa.Label[datetime | None]:
    """Of a row of `Game` and `Seat`: until when its player, but no invited one, is told that it is paused."""
    is_shown = sa.and_(Game.status == "running", Seat.seat.is_not(None))
    return sa.case((is_shown, pauses.latest(Game.id, now).scalar_subquery())).label("paused_until")


def turns(services: Services, account_id: int) -> list[dict[str, Any]]:
    """Games in which the account owes a move, least time left first; games without a clock last."""
    query = (
        sa.select(Seat, Game)
        .join(Game, Seat.game_id == Game.id)
        .where(Seat.account_id == account_id, waits.owes())
        .order_by(Seat.deadline.is_(None), Seat.deadline, Seat.active_since, Game.id)
    )
    with services.database.read() as session:
        return [_turn(seat, game) for seat, game in session.execute(query)]


def owed(services: Services, account_id: int | None) -> list[str]:
    """The games in which the account owes a move that can be made."""
    found = [] if account_id is None else turns(services, account_id)
    return [one["game"] for one in found if not one["stopped"]]


def frame_facts(services: Services, account_id: int | None) -> dict[str, Any]:
    """For the head of every page: a link to the next game that waits for the reader, and the seats they offer."""
    return {"owed": owed(services, account_id), "offers": offers(services, account_id)}


def offers(services: Services, account_id: int | None) -> list[dict[str, Any]]:
    """The seats that the account offers, with when they can be taken: None if at once."""
    if account_id is None:
        return []
    query = (
        sa.select(Seat, Game.type)
        .join(Game, Game.id == Seat.game_id)
        .where(Seat.account_id == account_id, Seat.open.is_(True), Game.status == "running")
        .where(Game.faulted_at.is_(None), Game.missing_since.is_(None))
        .order_by(Seat.free_from, Game.id)
    )
    now = services.now()
    with services.database.read() as session:
        return [
            {"game": seat.game_id, "title": title_of(key), "until": seats.waits_until(seat.free_from, now)}
            for seat, key in session.execute(query)
        ]


def _page(session: Session, query: sa.Select[Any], filters: Filters, limit: int) -> sa.Select[Any]:
    """Reads one row more than a page holds, to find out whether it is the last."""
    if "after" in filters:
        last = game_row(session, str(filters["after"]))
        older = sa.and_(Game.created_at == last.created_at, Game.id < last.id)
        # The first condition follows from the second, and lets the index begin there.
        query = query.where(Game.created_at <= last.created_at, sa.or_(Game.created_at < last.created_at, older))
    return query.order_by(Game.created_at.desc(), Game.id.desc()).limit(limit + 1)


def _urgent(session: Session, query: sa.Select[Any], filters: Filters, limit: int, waiting: Where) -> sa.Select[Any]:
    """The same, with games in which a move is owed first, then those where something else waits, then running ones."""
    over = Game.status.in_(("finished", "cancelled"))
    standing = sa.case((waits.owes(), 0), (waiting, 1), (over, 3), else_=2)
    late = sa.case((waits.owes(), Seat.deadline))
    order = (standing, late.is_(None), late, Game.created_at.desc(), Game.id)
    if "after" in filters:
        game_row(session, str(filters["after"]))
        numbered = query.with_only_columns(Game.id, sa.func.row_number().over(order_by=order).label("n")).subquery()
        last = sa.select(numbered.c.n).where(numbered.c.id == str(filters["after"])).scalar_subquery()
        query = query.where(Game.id.in_(sa.select(numbered.c.id).where(numbered.c.n > last)))
    return query.order_by(*order).limit(limit + 1)


def _is_shown(filters: Filters) -> Where:
    """Tables that are not open are shown only to those who sit there or opened them."""
    own = filters.get("mine") or filters.get("made")
    return sa.true() if own else Game.door == "open"


def _wanted(filters: Filters, eyes: Viewer) -> list[Where]:
    """The conditions of every given filter; all must hold."""
    return [condition(filters[name], eyes) for name, condition in FILTERS.items() if name in filters]


def _sits(*where: Where) -> Where:
    """Uses an alias, since the list may be of seats itself."""
    return sa.exists().where(Seat.game_id == Game.id, *where).correlate(Game)


def _is_mine(wanted: bool, eyes: Viewer) -> Where:
    own = Game.id.in_(sa.select(_other.game_id).where(_other.account_id == eyes.reader))
    return own if wanted else sa.not_(own)


def _has_player(name: str, _eyes: Viewer) -> Where:
    """From the name to the games: asking each game who plays would ask all of them."""
    named = sa.select(_other.game_id).join(Account, Account.id == _other.account_id)
    return Game.id.in_(named.where(Account.name == name, Account.erased_at.is_(None)))


def _count(rows: type[Seat | Place], *where: Where) -> sa.ScalarSelect[int]:
    return sa.select(sa.func.count()).where(rows.game_id == Game.id, *where).correlate(Game).scalar_subquery()


def _has_free(wanted: bool, eyes: Viewer) -> Where:
    """As `free_seats` counts them: empty ones before the start, then those that may be taken."""
    is_kept = seats.is_kept(eyes.now)
    taken, kept = _count(Seat), _count(Place, is_kept)
    empty = sa.and_(Game.status == "lobby", taken + kept < Game.seats)
    kept_here = sa.exists().where(Place.game_id == Game.id, Place.seat == Seat.seat, is_kept)
    free = sa.or_(empty, sa.and_(Game.status == "running", _sits(Seat.free_from <= eyes.now, sa.not_(kept_here))))
    return free if wanted else sa.not_(free)


def _is_stopped(wanted: bool, _eyes: Viewer) -> Where:
    """Each reason is looked up by its own index; together they are a few games."""
    one = sa.orm.aliased(Game)
    installed = (sa.and_(one.type == key, one.rules.between(*rules)) for key, rules in installed_rules())
    lacks_rules = sa.and_(one.status.in_(("lobby", "running")), sa.not_(sa.or_(sa.false(), *installed)))
    reasons = (one.faulted_at.is_not(None), one.missing_since.is_not(None), lacks_rules)
    stopped = Game.id.in_(sa.union(*(sa.select(one.id).where(reason) for reason in reasons)))
    return stopped if wanted else sa.not_(stopped)


def _is_made(wanted: bool, eyes: Viewer) -> Where:
    made = Game.creator_id == eyes.reader
    return made if wanted else sa.not_(made)


def _has_time_control(key: str, _eyes: Viewer) -> Where:
    return time_controls.matches(key, Game.clock_move, Game.clock_bank, Game.clock_increment)


FILTERS: Mapping[str, Callable[[Any, Viewer], Where]] = {
    "status": lambda value, _: Game.status == value,
    "type": lambda value, _: Game.type == value,
    "handover": lambda value, _: Game.handover == value,
    "bots": lambda value, _: Game.bots == value,
    "hidden": lambda value, _: Game.hidden.is_(value),
    "seats": lambda value, _: Game.seats == value,
    "pace": _has_time_control,
    "mine": _is_mine,
    "made": _is_made,
    "player": _has_player,
    "free": _has_free,
    "stopped": _is_stopped,
}


def _own_game(row: Any, sits: Mapping[int, SeatHolder], levels: Mapping[int, str], now: datetime) -> dict[str, Any]:
    game, seat, place = row.Game, row.Seat, row.Place
    standing = {"seat": place.seat, "deadline": None, "absent": False, "open": False} if seat is None else None
    return {
        "id": game.id,
        "type": game.type,
        "rules": game.rules,
        "status": game.status,
        "stopped": game.is_stopped,
        "head": head(game),
        "seats": [seat_summary(number, sits.get(number), levels.get(number), now) for number in range(game.seats)],
        "options_words": options_words(game),
        **(standing or _standing(seat, game)),
        "owes": seat is not None and game.status == "running" and seat.question_seq is not None,
        "waits": [name for name in waits.WAITS if getattr(row, f"waits_{name}")],
        "paused_until": row.paused_until and iso(row.paused_until),
        "invitation": place.id if seat is None else None,
    }


def _turn(seat: Seat, game: Game) -> dict[str, Any]:
    return {
        "game": game.id,
        "type": game.type,
        **_standing(seat, game),
        "question_seq": seat.question_seq,
        "since": iso(seat.active_since) if seat.active_since else None,
        "bank": None if seat.bank is None else seat.bank + seat.spare,
        "stopped": game.is_stopped,
    }


def _standing(seat: Seat, game: Game) -> dict[str, Any]:
    """The clock of a stopped game does not run, so it has no deadline."""
    return {
        "seat": seat.seat,
        "deadline": iso(seat.deadline) if seat.deadline and not game.is_stopped else None,
        "absent": seat.absent,
        "open": seat.open,
    }
