"""The public data of a game: in a list, and in full except for its position."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine import registry
from engine.kit import active, choices, count
from engine.record.encoding import canonical
from engine.record.log.clock import MEMBERS
from engine.record.log.table import Table
from server.kernel import text
from server.kernel.db.models import Account, Entry, Game, Hint, LoweredMove, Place, Seat
from server.kernel.db.models.games import CONTRADICTED, Stoppable
from server.kernel.db.session import Prepared
from server.kernel.db.tables import Row
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import badged, iso
from server.log import deadlines, places, seats
from server.tables.calendar import pauses


def game_row(session: Session, game_id: str) -> Game:
    """The row; Problem if there is none."""
    game = session.get(Game, game_id)
    if game is None:
        raise Problem("no-such-game")
    return game


GAME = Prepared(sa.select(Game.__table__).where(Game.id == sa.bindparam("id")), kind=Stoppable)


def game_facts(session: Session, game_id: str) -> Any:
    """The same columns without the ORM, for what is asked very often."""
    game = GAME.one_or_none(session.connection(), {"id": game_id})
    if game is None:
        raise Problem("no-such-game")
    return game


class SeatHolder(NamedTuple):
    """A seat with its holder: name and handle (None if unknown), when another may take it, whether it is a bot.

    And the holder's account, for the server alone, with the entry since which it holds the seat.
    """

    name: str | None
    handle: str | None
    free_from: datetime | None
    bot: bool
    account_id: int | None
    since_seq: int


HANDLE = sa.case((Account.guest_since.is_(None), Account.handle))  # a guest has no page, and is invited by nobody
# Built once: building a statement costs more than running it.
ALL_HOLDERS = (
    sa.select(Seat.game_id, Seat.seat, Account.name, HANDLE, Seat.free_from, Account.bot)
    .add_columns(Seat.account_id, Seat.since_seq)
    .join(Account, Seat.account_id == Account.id, isouter=True)
)
HOLDERS = ALL_HOLDERS.where(Seat.game_id.in_(sa.bindparam("games", expanding=True)))
HOLDERS_OF_GAME = Prepared(ALL_HOLDERS.where(Seat.game_id == sa.bindparam("game")))


def seat_holders(session: Session, games: list[str]) -> dict[str, dict[int, SeatHolder]]:
    """The players by game and seat; an erased account has no name."""
    if len(games) == 1:
        found: Any = HOLDERS_OF_GAME.all(session.connection(), {"game": games[0]})
    else:
        found = session.connection().execute(HOLDERS, {"games": games})
    sits: dict[str, dict[int, SeatHolder]] = {}
    for game_id, seat, name, handle, free_from, bot, *held in found:
        sits.setdefault(game_id, {})[seat] = SeatHolder(name, handle, free_from, bool(bot), *held)
    return sits


def reserved_seats(session: Session, games: list[str], now: datetime) -> dict[str, dict[int, str]]:
    """By game and seat, for whom a seat is reserved: the level of a house player, or `person`."""
    query = sa.select(Place.game_id, Place.seat, Account.level).join(
        Account, Account.id == Place.account_id, isouter=True
    )
    found: dict[str, dict[int, str]] = {}
    for game_id, seat, level in session.execute(query.where(Place.game_id.in_(games), seats.is_kept(now))):
        found.setdefault(game_id, {})[seat] = level or "person"
    return found


def kept_seats(session: Session, game_id: str, account_id: int, now: datetime) -> list[int]:
    """The seats that are kept for this account."""
    mine = places.is_of(session.get_one(Account, account_id))
    return list(session.scalars(sa.select(Place.seat).where(Place.game_id == game_id, mine, seats.is_kept(now))))


def seat_names(session: Session, game: Row) -> list[str | None]:
    """The players as people read them; names that look alike show their seats."""
    return names_of(game, seat_holders(session, [game.id]).get(game.id, {}))


def names_of(game: Row, sits: Mapping[int, SeatHolder]) -> list[str | None]:
    """The same, of players who have been read."""
    return text.distinct_names([_read_name(sits.get(seat)) for seat in range(game.seats)])


def _read_name(one: SeatHolder | None) -> str | None:
    return None if one is None or one.name is None else badged(one.name, bot=one.bot)


def summary(
    game: Game, sits: Mapping[int, SeatHolder], levels: Mapping[int, str], host_pause: int, now: datetime
) -> dict[str, Any]:
    """A game in a list. `levels` are those of reserved seats, which are free for nobody else."""
    shown = [seat_summary(seat, sits.get(seat), levels.get(seat), now) for seat in range(game.seats)]
    return {
        "id": game.id,
        "type": game.type,
        "rules": game.rules,
        "status": game.status,
        "hidden": game.hidden,
        "stopped": game.is_stopped,
        "stopped_because": stopped_because(game),
        "seats": shown,
        "free_seats": _free_seats(game, sits, levels, now),
        "clock": clock(game),
        "clock_words": text.clock(clock(game)),
        "handover": game.handover,
        "offer_wait": game.offer_wait,
        "bots": game.bots,
        "related": game.related,
        "stand_in": game.stand_in,
        **_choices(game),
        **_rests(game, host_pause),
        **_asks(game),
        "options": options(game),
        "options_words": options_words(game),
        "head": head(game),
        "created_at": iso(game.created_at),
    }


def _choices(game: Game) -> dict[str, Any]:
    """How the table is found and starts, and whether its players may talk and have hints."""
    found = {"listed": game.door == "open", "door": game.door, "start": game.start}
    return found | {"talk": game.talk, "hints": game.hints}


def _free_seats(game: Game, sits: Mapping[int, SeatHolder], levels: Mapping[int, str], now: datetime) -> list[int]:
    """Seats at which anybody may sit down now: empty ones before the start, then those that may be taken."""
    empty = game.status == "lobby"
    free = (seat for seat in range(game.seats) if (seats.is_free(sits[seat].free_from, now) if seat in sits else empty))
    return [seat for seat in free if seat not in levels]


def detail(services: Services, game_id: str, reader: int | None = None) -> dict[str, Any]:
    """The public data of a game except for its position; its players also see the server's deadlines."""
    now = services.now()
    with services.database.read() as session:
        game = game_row(session, game_id)
        table = services.tables.of(session, game)
        sits = seat_holders(session, [game_id]).get(game_id, {})
        levels = reserved_seats(session, [game_id], now).get(game_id, {})
        host = session.scalar(sa.select(HANDLE).where(Account.id == game.host_id))
        ready = set(session.scalars(sa.select(Seat.seat).where(Seat.game_id == game_id, Seat.ready)))
        created = session.scalar(sa.select(Entry.line).where(Entry.game_id == game_id, Entry.seq == 0)) or b""
        due = deadlines.due(session, game, table, now, is_seated=is_seated(session, game_id, reader))
        beside = _beside_the_log(session, game, reader, now)
        shown = summary(game, sits, levels, pauses.agreed_days(session, [game])[game_id], now)
    return shown | {
        "seats": [
            _seat(table, one) | {"free": one["seat"] in shown["free_seats"], "ready": one["seat"] in ready}
            for one in shown["seats"]
        ],
        "host": host,
        "ends_at": iso(game.ends_at) if game.ends_at and game.status == "lobby" else None,
        "terms": game.terms,
        "unsigned": table.created["unsigned"],
        "active": active_seats(table),
        **beside,
        "deadlines": [] if game.is_stopped else [_deadline(seat, one) for seat, one in due.items()],
        "result": dict(table.outcome) if table.outcome else None,
        "created": created.decode("ascii"),
        "note": services.note_of(game, game.head_seq + 1, game.head_hash),
    }


def _beside_the_log(session: Session, game: Game, reader: int | None, now: datetime) -> dict[str, Any]:
    """What no entry states: hints, lowered moves, and for its players and its host the pauses of the game."""
    is_shown = reader is not None and (reader == game.host_id or is_seated(session, game.id, reader))
    until = pauses.current(session, game.id, now) if is_shown and game.status == "running" else None
    return {
        "hinted": hinted(session, game),
        "lowered": lowered(session, game),
        "host_pause_left": game.host_pause if is_shown else None,
        "paused_until": until and iso(until),
    }


def hinted(session: Session, game: Game) -> list[dict[str, Any]]:
    """The seats that had a hint, and the last entry before it, in order."""
    if not game.hints:
        return []
    found = session.scalars(sa.select(Hint).where(Hint.game_id == game.id).order_by(Hint.seq, Hint.seat))
    return [{"seat": one.seat, "seq": one.seq, "at": iso(one.made_at)} for one in found]


def lowered(session: Session, game: Game) -> list[dict[str, Any]]:
    """The moves that another level than the house player's own has made, in order."""
    found = session.scalars(sa.select(LoweredMove).where(LoweredMove.game_id == game.id).order_by(LoweredMove.seq))
    return [{"seq": one.seq, "own": one.own, "level": one.level} for one in found]


def active_seats(table: Table) -> list[int]:
    """Seats that owe a move."""
    return list(active(table.game, table.state)) if table.stage == "running" else []


def free_seats(table: Table, now: datetime) -> list[int]:
    """Seats at which anybody may sit down now: empty ones before the start, then those that may be taken."""
    if table.stage == "lobby":
        return [seat for seat, occupant in enumerate(table.occupants) if occupant is None]
    return [seat for seat in range(table.seats) if table.is_free(seat, int(now.timestamp()))]


def seat_summary(seat: int, one: SeatHolder | None, level: str | None, now: datetime) -> dict[str, Any]:
    """A seat in a list."""
    until = seats.waits_until(one and one.free_from, now)
    shown = {
        "seat": seat,
        "name": one and one.name,
        "handle": one and one.handle,
        "bot": one is not None and one.bot,
        "kept": level,
    }
    return shown | {"free_from": iso(until) if until else None}


def _seat(table: Table, one: dict[str, Any]) -> dict[str, Any]:
    occupant = table.occupants[one["seat"]]
    holder: dict[str, Any] = {"kid": None, "since": None}
    if occupant:
        holder = {"kid": occupant.kid, "bot": occupant.bot, "since": occupant.since}
    return {**one, **holder, **_standing(table, one["seat"])}


def _standing(table: Table, seat: int) -> dict[str, Any]:
    return {
        "resigned": seat in table.gone,
        "absent": seats.is_absent(table, seat),
        "open": seats.is_open(table, seat),
        "bank": seats.bank(table, seat),
    }


def is_seated(session: Session, game_id: str, account_id: int | None) -> bool:
    """Does the account hold a seat of the game?"""
    held = (Seat.game_id == game_id, Seat.account_id == account_id)
    return account_id is not None and session.scalar(sa.select(Seat.seat).where(*held)) is not None


def _deadline(seat: int, one: deadlines.Due) -> dict[str, Any]:
    return {
        "seat": seat,
        "since": iso(one.since),
        "promised": iso(one.promised),
        "deadline": iso(one.deadline),
        "own_until": one.own_until and iso(one.own_until),
        "why": one.why,
    }


def stopped_because(game: Game) -> str | None:
    """Why the game is stopped, in words; None if it is not."""
    if game.missing_since is not None:
        signed = count(game.shown_size, "entry", "entries")
        return (
            f"The server signed for {signed} of this game but has only {game.head_seq + 1}: it was "
            "restored from an older backup. The game waits until someone submits the missing entries. Entries that "
            "any player has kept are not lost, and no clock runs meanwhile."
        )
    if game.lacks_rules:
        return (
            f"The rules of this game ({title_of(game.type)}, version {game.rules}) are not installed on this server. "
            "The operator has to install them. Nothing is lost, and no default move is played meanwhile."
        )
    if game.fault == CONTRADICTED:
        return (
            "The log on this server contradicts a checkpoint that the server signed earlier. It was probably restored "
            "from an older backup, and the game then took another course. The operator has to decide whether it "
            "continues. No clock runs meanwhile."
        )
    if game.faulted_at is not None:
        return "The operator has to fix a fault of this server first. Nothing is lost, and no clock runs meanwhile."
    return None


def is_waiting(services: Services, game_id: str) -> bool:
    """Are entries of this game known to be missing here?"""
    with services.database.read() as session:
        return session.scalar(sa.select(Game.missing_since).where(Game.id == game_id)) is not None


def head(game: Game) -> dict[str, Any]:
    return {"seq": game.head_seq, "hash": canonical.to_base64url(game.head_hash)}


def clock(game: Game) -> dict[str, int] | None:
    """The clock of the game; None without one."""
    return None if game.clock_move is None else {name: getattr(game, f"clock_{name}") for name in MEMBERS}


def _rests(game: Row, host_pause: int) -> dict[str, Any]:
    """When no clock of the table runs. From the days of pause that are left strangers could tell it from a holiday."""
    return {
        "rest": {"days": text.rest_days(game.rest_days), "zone": game.rest_zone} if game.rest_days else None,
        "holidays": game.holidays,
        "host_pause": host_pause,
        "rest_words": text.rests(game.rest_days, game.rest_zone, game.holidays, host_pause),
    }


def _asks(game: Game) -> dict[str, Any]:
    """What the table asks of those who sit down."""
    asks = {"games": game.asks_games, "clock": game.asks_clock}
    return {"asks": asks if any(asks.values()) else None, "asks_words": asks_words(game)}


def asks_words(game: Game) -> str:
    """The same in words; empty if it asks nothing."""
    return text.asks(game.asks_games, game.asks_clock)


def rest_words(session: Session, game: Row) -> str:
    """When no clock of the table runs, in words."""
    return str(_rests(game, pauses.agreed_days(session, [game])[game.id])["rest_words"])


def options(game: Game) -> dict[str, Any]:
    """Its options, without an edition."""
    return dict(msgspec.json.decode(game.options))


def options_words(game: Game) -> list[str]:
    """The options in words; empty if the server no longer has the game."""
    found = registry.games().get(game.type)
    own = ["custom edition of the components"] if game.edition is not None else []
    return own if found is None else [*choices.told(found.meta.options, options(game), game.seats), *own]


def title_of(key: str) -> str:
    """A game's title; its key if the game is no longer installed or cannot be loaded."""
    found = registry.games().get(key)
    return key if found is None else found.meta.title


def plain(value: Any) -> Any:
    """A Struct as JSON values."""
    return msgspec.to_builtins(value)
