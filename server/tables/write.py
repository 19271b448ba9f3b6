"""A new game: its row, its secret's `r`, and entry 0, written before anybody joins."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from engine import registry
from engine.errors import Refused
from engine.kit import as_ascii
from engine.record.compose.entries import compose_cancelled, compose_created, compose_granted
from engine.record.encoding import canonical
from engine.record.log import clock
from engine.record.log.entry import OUTAGE
from engine.record.log.options import FILE, load_options
from engine.record.log.table import Table
from server.kernel import operator_log, own_keys, secrets, text
from server.kernel.db.models import Account, Game, IdempotencyKey, Seat
from server.kernel.db.models.entries import EntryRow
from server.kernel.errors import Problem
from server.kernel.operator_log import Operator
from server.kernel.services import Services
from server.kernel.text import iso
from server.log import outbox
from server.log.ledger import INSERT_ENTRY, Ledger, Logged, check_host, entry_row, open_for_writing
from server.tables import guests, house_players, limits
from server.tables.hosting.write import WAITS

SHORTEST_WAIT, LONGEST_WAIT = 3600, 7 * 86400  # of an offered seat, by default


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRequest:
    """The creator's choices. `clock` has all members of a clock or is None, `edition` is component data or None.

    `offer_wait` is in seconds; None is the default.

    `terms` is the hash, in base64url, of a salted text that is kept elsewhere, or None. `house` are seats reserved for
    house players, each with its level. `door` is `open` (in public lists), `link` or `invited`, `talk` is `seats` or
    `off`, and `hints` says whether house players advise. At an `unsigned` table a mail from the holder of a seat is a
    move. `rest` has the `days` of the week on which no clock runs and their `zone`; `holidays` says which of its
    players' count, `host_pause` for how many days its host may pause the game. `asks` are the least `games` finished
    and turns before the `clock`, in per cent, of those who sit down.
    """

    type: str
    seats: int
    options: Mapping[str, Any]
    clock: Mapping[str, int] | None = None
    edition: Mapping[str, Any] | None = None
    handover: str = "both"
    offer_wait: int | None = None
    terms: str | None = None
    bots: str = "any"
    related: bool = False
    stand_in: str | None = None
    house: house_players.HouseSeats = ()
    talk: str = "seats"
    hints: bool = False
    door: str = "open"
    start: str = "full"
    unsigned: bool = False
    rest: Mapping[str, Any] | None = None
    holidays: str = "no"
    host_pause: int = 0
    asks: Mapping[str, int] | None = None

    @property
    def wait(self) -> int:
        """Seconds that an offered seat waits: as chosen, or by default a turn's time, within an hour to seven days."""
        if self.offer_wait is not None:
            return self.offer_wait
        if self.handover not in ("offer", "both"):
            return 0
        return LONGEST_WAIT if self.clock is None else min(max(self.clock["move"], SHORTEST_WAIT), LONGEST_WAIT)

    @property
    def hash(self) -> bytes:
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).digest()


def create_game(services: Services, account_id: int, requested: GameRequest, key: str | None = None) -> str:
    """The new game's id; the same id again for the same request under the same idempotency key."""
    invited: list[int] = []
    try:
        with services.database.write() as session:
            game = _made_before(session, account_id, requested, key)
            if game is None:
                host = session.get_one(Account, account_id)
                check_suspended(services, host)
                guests.check_opens(host, requested.seats, requested.house, requested.handover)
                _check_zone(requested)
                limits.check(services, session, account_id, "open_tables")
                house_players.check_house_seats(session, requested.bots, requested.stand_in, requested.house)
                game, table = create_in(services, session, account_id, requested)
                invited = house_players.reserve_all(services, session, table, requested.house, account_id)
                if key is not None:
                    session.add(_remember(services, account_id, requested, key, game))
            else:
                table = None
    except IntegrityError:  # two requests with one key at once, on PostgreSQL: the other one was first
        with services.database.write() as session:
            game, table = _made_before(session, account_id, requested, key), None
    if table is not None:
        services.tables.keep(table)
        services.waker.wake([], outbox.topics(invited))
    if game is None:
        raise Problem("unavailable")
    return game


def check_suspended(services: Services, account: Account) -> None:
    """Raise Problem if the operator keeps the account from opening tables and taking seats for now."""
    if account.suspended_until is not None and account.suspended_until > services.now():
        raise Problem("suspended", until=iso(account.suspended_until))


def _check_zone(requested: GameRequest) -> None:
    if requested.rest is not None and requested.rest["zone"] not in text.zones():
        raise Problem("unknown-zone", found=requested.rest["zone"])


def _made_before(session: Any, account_id: int, requested: GameRequest, key: str | None) -> str | None:
    where = (IdempotencyKey.account_id == account_id, IdempotencyKey.key == key)
    before = session.scalar(sa.select(IdempotencyKey).where(*where)) if key is not None else None
    if before is None:
        return None
    if before.request_hash != requested.hash:
        raise Problem("idempotency-reused")
    return str(before.game_id)


def _remember(services: Services, account_id: int, requested: GameRequest, key: str, game_id: str) -> IdempotencyKey:
    return IdempotencyKey(
        account_id=account_id, key=key, request_hash=requested.hash, game_id=game_id, created_at=services.now()
    )


def create_in(services: Services, session: Any, account_id: int, requested: GameRequest) -> tuple[str, Table]:
    """The new game's id and its table, in the caller's transaction."""
    game = registry.find(requested.type)
    edition = None if requested.edition is None else canonical.dumps(as_ascii(requested.edition))
    game_id, r, now = str(uuid.UUID(bytes=services.random(16), version=4)), services.random(32), services.now()
    number = services.settings.key_number
    own_key = services.server_key(number)
    composed = compose_created(
        game,
        load_options(game, requested.options, edition),
        requested.seats,
        server=services.settings.server_name,
        server_key=own_key,
        game_id=game_id,
        secret=secrets.game_secret(services.master, r),
        at=canonical.instant(int(now.timestamp())),
        clock=requested.clock,
        handover={"by": requested.handover, "wait": requested.wait},
        unsigned=requested.unsigned,
        terms=requested.terms,
    )
    own_keys.record(services.database, session, number, own_key)
    session.add(_row(requested, composed.table, account_id, r, now, number))
    session.flush()
    INSERT_ENTRY.run(session.connection(), entry_row(game_id, composed)._asdict())
    return game_id, composed.table


def _row(requested: GameRequest, table: Table, account_id: int, r: bytes, now: datetime, key_number: int) -> Game:
    return Game(
        id=table.game_id,
        type=requested.type,
        rules=table.rules,
        options=canonical.dumps(table.created["options"]).decode(),
        edition=table.data.get(FILE),
        status="lobby",
        seats=requested.seats,
        hidden=table.hidden,
        **{f"clock_{name}": requested.clock and requested.clock[name] for name in clock.MEMBERS},
        handover=requested.handover,
        offer_wait=requested.wait,
        terms=requested.terms,
        bots=requested.bots,
        related=requested.related,
        stand_in=requested.stand_in,
        **{name: getattr(requested, name) for name in ("talk", "hints", "door", "start")},
        **_rests_and_asks(requested),
        ends_at=now + WAITS,
        head_seq=0,
        head_hash=table.head,
        creator_id=account_id,
        host_id=account_id,
        secret_r=r,
        key_number=key_number,
        created_at=now,
    )


def _rests_and_asks(requested: GameRequest) -> dict[str, Any]:
    rest = requested.rest or {"days": (), "zone": None}
    days = sum(1 << text.WEEKDAYS.index(day) for day in rest["days"])
    chosen = {"holidays": requested.holidays, "host_pause": requested.host_pause}
    asks = {f"asks_{name}": least for name, least in (requested.asks or {}).items()}
    return {"rest_days": days, "rest_zone": rest["zone"], **chosen, **asks}


# --- Cancelling a game before it starts, by its host ------------------------------------------------------------------
# The entry reveals the secret: nothing was drawn with it.


def cancel(services: Services, game_id: str, account_id: int) -> Logged:
    """Log it; refused once the game has started."""
    with open_for_writing(services, game_id) as ledger:
        check_host(ledger, account_id)
        if ledger.table.stage == "running":
            raise Refused("already-started")
        entry = ledger.append(compose_cancelled(ledger.table, ledger.secret, ledger.at, "creator"))
    return Logged(entry.line, services.note_of(ledger.game, entry.seq + 1, entry.leaf_hash), again=False)


# --- Time given to seats that owe a move ------------------------------------------------------------------------------
# by the game's host to others, or by the operator after an outage.


HOST = "host"  # why a game's host gives time


@dataclass(frozen=True, slots=True)
class TimeGrant:
    """A grant of time, and the idempotency key of its request."""

    seats: Sequence[int]
    seconds: int
    key: str | None = None

    def hash(self, game_id: str) -> bytes:
        return hashlib.sha256(msgspec.json.encode(["grant", game_id, self.seats, self.seconds])).digest()


def grant(services: Services, game_id: str, account_id: int, granted: TimeGrant) -> Logged:
    """By the game's host, never to their own seat; a repeated request with the same key returns the same entry."""
    try:
        with open_for_writing(services, game_id) as ledger:
            entry = _given_before(ledger, account_id, granted)
            again = entry is not None
            if entry is None:
                entry = _grant(ledger, account_id, granted)
    except IntegrityError:  # the same key at once for another request, which shares no lock with this one
        raise Problem("idempotency-reused") from None
    return Logged(entry.line, services.note_of(ledger.game, entry.seq + 1, entry.leaf_hash), again=again)


def _grant(ledger: Ledger, account_id: int, granted: TimeGrant) -> EntryRow:
    _check_host_of_others(ledger, account_id, granted.seats)
    entry = ledger.append(compose_granted(ledger.table, ledger.at, granted.seats, granted.seconds, HOST))
    if granted.key is not None:
        made = {"account_id": account_id, "key": granted.key, "request_hash": granted.hash(ledger.game.id)}
        placed = {"game_id": ledger.game.id, "seq": entry.seq, "created_at": ledger.services.now()}
        ledger.session.execute(sa.insert(IdempotencyKey).values(**made, **placed))
    return entry


def _given_before(ledger: Ledger, account_id: int, granted: TimeGrant) -> EntryRow | None:
    if granted.key is None:
        return None
    where = (IdempotencyKey.account_id == account_id, IdempotencyKey.key == granted.key)
    before = ledger.session.scalar(sa.select(IdempotencyKey).where(*where))
    if before is None:
        return None
    if before.request_hash != granted.hash(ledger.game.id):
        raise Problem("idempotency-reused")
    assert before.seq is not None
    return ledger.numbered(before.seq)


def grant_as_operator(
    services: Services, by: Operator, game_id: str, seconds: int, seats: Sequence[int] = (), *, is_named: bool = True
) -> Sequence[int]:
    """To these seats, or to every seat whose time runs now; which ones got it.

    If nobody's time runs, a game that the operator named is refused with the reason, and any other gets none.
    """
    with open_for_writing(services, game_id) as ledger:
        given = seats or waiting(ledger) or (ledger.table.active if is_named else ())
        if given or is_named:
            ledger.append(compose_granted(ledger.table, ledger.at, given, seconds, OUTAGE))
            operator_log.record(services, ledger.session, by, "grant", f"game {game_id}")
    return given


def waiting(ledger: Ledger) -> list[int]:
    """Seats whose time runs; not those that have resigned, for which the server plays at once."""
    table = ledger.table
    return [] if table.created["clock"] is None else [seat for seat in table.active if seat not in table.gone]


def running_games(services: Services) -> list[str]:
    """Games in which somebody's time may run, oldest first."""
    query = sa.select(Game.id).where(Game.status == "running", Game.clock_move.is_not(None)).order_by(Game.created_at)
    with services.database.read() as session:
        return list(session.scalars(query))


def _check_host_of_others(ledger: Ledger, account_id: int, seats: Sequence[int]) -> None:
    check_host(ledger, account_id)
    own = (Seat.game_id == ledger.game.id, Seat.account_id == account_id, Seat.seat.in_(seats))
    seat = ledger.session.scalar(sa.select(Seat.seat).where(*own))
    if seat is not None:
        raise Problem("own-seat", seat=seat)
