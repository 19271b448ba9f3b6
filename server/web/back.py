"""Looking back through a game: what the turn page shows of an earlier position, and where its links lead."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from flask import request

from server.db.models import Entry
from server.errors import Problem
from server.projections import position
from server.projections.events import Author
from server.projections.position import Look
from server.services import Services


class Asked(NamedTuple):
    """Which position a page is asked for: after entry `at` (None: the newest), through the eyes of `seat`."""

    at: int | None
    seat: int | None

    @property
    def query(self) -> str:
        """As it stands in an address."""
        return "&".join(f"{name}={value}" for name, value in self._asdict().items() if value is not None)


def asked() -> Asked:
    """By the address; what is no number asks for nothing."""
    return Asked(*(_number(name) for name in Asked._fields))


def _number(name: str) -> int | None:
    value = request.args.get(name, type=int)
    return value if value is not None and 0 <= value < 2**31 else None


def looked(services: Services, game_id: str, account_id: int | None, wish: Asked) -> tuple[Look, Look]:
    """The game now, and the position that is shown: now too, if there is none as it was asked for."""
    now = position.look(services, game_id, account_id)
    try:
        then = position.look(services, game_id, account_id, seq=wish.at, seat=wish.seat)
    except Problem:
        return now, now
    same = (then.seq, then.seat) == (now.seq, now.seat)
    return (now, now) if same or then.table.state is None else (now, then)


def past(services: Services, now: Look, then: Look) -> dict[str, Any]:
    """What the page needs to lead through the entries, and to say what the shown one brought."""
    turns = _turns(services, now)
    first = min((seq for seq, kind, _ in turns if kind == "started"), default=0)
    last, at = now.table.size - 1, then.seq
    steps = (("First", first), ("Back", at - 1), ("On", at + 1), ("Now", last))
    return {
        "first": first,
        "past": {"at": at, "sentences": position.sentences(services, then)} if then is not now else None,
        "turns": " ".join(f"{seq}:{seat}" for seq, kind, seat in turns if kind == "moved"),
        "steps": [(says, to if first <= to <= last and to != at else None) for says, to in steps],
        "eyes": then.seat,
    }


def _turns(services: Services, now: Look) -> list[tuple[int, str, int | None]]:
    """The entries with which the game began and seats moved: number, kind, seat."""
    where = (Entry.game_id == now.game.id, Entry.seq < now.table.size, Entry.kind.in_(("started", "moved", "expired")))
    with services.database.read() as session:
        rows = session.execute(sa.select(Entry.seq, Entry.kind, Entry.line).where(*where).order_by(Entry.seq)).all()
    return [(seq, kind, msgspec.json.decode(line, type=Author).seat) for seq, kind, line in rows]
