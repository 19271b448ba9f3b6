"""A new game: its row, its secret's `r`, and entry 0, written before anybody joins."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from engine import registry
from engine.kit import as_ascii
from engine.record.compose.entries import compose_created
from engine.record.encoding import canonical, instants
from engine.record.log import clock
from engine.record.log.options import FILE, load_options
from engine.record.log.table import Table
from server import keeping
from server.db.models import Game, IdempotencyKey
from server.errors import Problem
from server.log import events
from server.log.ledger import entry_row
from server.services import Services
from server.usecases import house


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the creator chose. `clock` has all members of a clock or is None, `edition` is component data or None.

    `terms` is the hash, in base64url, of a salted text that is kept elsewhere, or None. `house` are seats kept for
    house players, each with its level. A table that is not `listed` is found by its link alone. At
    an `unsigned` one a mail from the holder of a seat is a move.
    """

    type: str
    seats: int
    options: Mapping[str, Any]
    clock: Mapping[str, int] | None = None
    edition: Mapping[str, Any] | None = None
    handover: str = "both"
    terms: str | None = None
    bots: str = "any"
    related: bool = False
    stand_in: str | None = None
    house: house.Wishes = ()
    listed: bool = True
    unsigned: bool = False

    @property
    def hash(self) -> bytes:
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).digest()


def create_game(services: Services, account_id: int, wish: Wish, key: str | None = None) -> str:
    """The new game's id; the same id again for the same wish under the same idempotency key."""
    asked: list[int] = []
    try:
        with services.database.write() as session:
            game = _made_before(session, account_id, wish, key)
            if game is None:
                house.check_wishes(session, wish.bots, wish.stand_in, wish.house)
                game, table = _create(services, session, account_id, wish)
                asked = house.keep_all(session, table, wish.house, account_id, services.now())
                if key is not None:
                    session.add(_remember(services, account_id, wish, key, game))
            else:
                table = None
    except IntegrityError:  # the same key at once, on PostgreSQL: the other one has won
        with services.database.write() as session:
            game, table = _made_before(session, account_id, wish, key), None
    if table is not None:
        services.tables.keep(table)
        services.waker.wake([], events.pokes(asked))
    if game is None:
        raise Problem("unavailable")
    return game


def _made_before(session: Any, account_id: int, wish: Wish, key: str | None) -> str | None:
    where = (IdempotencyKey.account_id == account_id, IdempotencyKey.key == key)
    before = session.scalar(sa.select(IdempotencyKey).where(*where)) if key is not None else None
    if before is None:
        return None
    if before.request_hash != wish.hash:
        raise Problem("idempotency-reused")
    return str(before.game_id)


def _remember(services: Services, account_id: int, wish: Wish, key: str, game_id: str) -> IdempotencyKey:
    return IdempotencyKey(
        account_id=account_id, key=key, request_hash=wish.hash, game_id=game_id, created_at=services.now()
    )


def _create(services: Services, session: Any, account_id: int, wish: Wish) -> tuple[str, Table]:
    game = registry.find(wish.type)
    edition = None if wish.edition is None else canonical.dumps(as_ascii(wish.edition))
    game_id, r, now = str(uuid.UUID(bytes=services.random(16), version=4)), services.random(32), services.now()
    composed = compose_created(
        game,
        load_options(game, wish.options, edition),
        wish.seats,
        server=services.settings.server_name,
        server_key=services.server_key(services.settings.key_number),
        game_id=game_id,
        secret=keeping.game_secret(services.settings.master, r),
        at=instants.instant(int(now.timestamp())),
        clock=wish.clock,
        handover=wish.handover,
        unsigned=wish.unsigned,
        terms=wish.terms,
    )
    session.add(_row(wish, composed.table, account_id, r, now, services.settings.key_number))
    session.flush()
    session.add(entry_row(game_id, composed))
    return game_id, composed.table


def _row(wish: Wish, table: Table, account_id: int, r: bytes, now: datetime, key_number: int) -> Game:
    return Game(
        id=table.game_id,
        type=wish.type,
        rules=table.rules,
        options=canonical.dumps(table.created["options"]).decode(),
        edition=table.data.get(FILE),
        status="lobby",
        seats=wish.seats,
        hidden=table.hidden,
        **{f"clock_{name}": wish.clock and wish.clock[name] for name in clock.MEMBERS},
        handover=wish.handover,
        terms=wish.terms,
        bots=wish.bots,
        related=wish.related,
        stand_in=wish.stand_in,
        listed=wish.listed,
        head_seq=0,
        head_hash=table.head,
        creator_id=account_id,
        secret_r=r,
        key_number=key_number,
        created_at=now,
    )
