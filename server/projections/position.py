"""A game as one seat, or anybody, may see it: the view, what is legal, what a move would do.

Everything leaves through the engine's `view` and `redact`; nothing else of the state is read here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine import reading, replay
from engine.kit import Step, describe, dump_steps, explain, format_command, legal, load_steps, redact, tell
from engine.kit import view as engine_view
from engine.record import base64url
from engine.record.table import Table
from server.db.models import Game, Seat
from server.errors import Problem
from server.projections.games import active_seats, game_row, plain, seat_names
from server.services import Services
from server.wording import clean


@dataclass(frozen=True, slots=True)
class Look:
    """A consistent look at a game from one chair; `seat` None is anybody's."""

    game: Game
    table: Table
    seat: int | None
    names: tuple[str, ...]

    @property
    def head(self) -> str:
        return base64url.encode(self.game.head_hash)

    @property
    def own_seat(self) -> int:
        """The seat, where one is needed."""
        if self.seat is None:
            raise Problem("no-seat")
        return self.seat


def look(services: Services, game_id: str, account_id: int | None) -> Look:
    """The game at its head, from the account's chair."""
    with services.database.read() as session:
        game = game_row(session, game_id)
        table = services.tables.of(session, game)
        names = tuple(clean(name or "") or f"Seat {seat + 1}" for seat, name in enumerate(seat_names(session, game)))
        return Look(game, table, _seat_of(session, game, account_id), names)


def _seat_of(session: Session, game: Game, account_id: int | None) -> int | None:
    """The seat that the account holds at this head: not yet one that a later entry gives to it."""
    if account_id is None:
        return None
    where = (Seat.game_id == game.id, Seat.account_id == account_id, Seat.since_seq <= game.head_seq)
    return session.scalar(sa.select(Seat.seat).where(*where))


def view(at: Look) -> dict[str, Any]:
    """What may be seen, as values and as text."""
    shown = {
        "type": at.game.type,
        "status": at.game.status,
        "seat": at.seat,
        "head": at.head,
        "active": active_seats(at.table),
        "view": None,
        "board": "",
        "picture_url": None,
    }
    if at.table.state is None:
        return shown
    seen = engine_view(at.table.game, at.table.state, at.seat)
    picture = f"/v1/games/{at.game.id}/picture"
    return shown | {"view": plain(seen), "board": at.table.game.board(seen, at.names), "picture_url": picture}


def picture(at: Look) -> str:
    """The position as SVG."""
    if at.table.state is None:
        raise Problem("not-found")
    return str(at.table.game.picture(engine_view(at.table.game, at.table.state, at.seat), at.names))


def legal_commands(at: Look) -> list[dict[str, Any]]:
    """Every command that the seat may give now; [] if it owes none."""
    seat = at.own_seat
    return _legal(at, at.table.state, seat) if at.table.stage == "running" else []


def _legal(at: Look, state: Any, seat: int) -> list[dict[str, Any]]:
    """In this state, which is the one that is looked at, or where a preview leads."""
    return [
        {
            "type": at.game.type,
            "command": plain(command),
            "notation": format_command(command),
            "label": describe(at.table.game, command, at.names),
        }
        for command in legal(at.table.game, state, seat)
    ]


def preview(at: Look, commands: list[Any] | None, notation: str | None) -> dict[str, Any]:
    """What the seat's move would do as far as it is certain; nothing is committed."""
    seat, table = at.own_seat, at.table
    if table.stage != "running":
        raise Problem("game-over" if table.is_over else "not-started")
    steps = load_steps(table.game, commands) if notation is None else read_steps(table, seat, notation)
    seen = replay.preview(table.game, table.state, seat, steps)
    position = engine_view(table.game, seen.state, seat)
    events = [redact(event, seat) for event in seen.events]
    return {
        "type": at.game.type,
        "events": plain(events),
        "sentences": [text for event in events if (text := tell(event, at.names))],
        "board": table.game.board(position, at.names),
        "view": plain(position),
        "done": seen.done,
        "refusal": _refusal(at, seen.refusal),
        "certain": seen.certain,
        "commands": dump_steps(steps),
        "legal": _legal(at, seen.state, seat) if seen.certain else [],
    }


def _refusal(at: Look, refusal: Any) -> dict[str, str] | None:
    return None if refusal is None else {"code": refusal.code, "says": explain(at.table.game, refusal, at.names)}


def read_steps(table: Table, seat: int, text: str) -> tuple[Step, ...]:
    """The steps of a text; a shortened one is completed among what is legal after those before it."""
    return reading.read(table.game, table.state, seat, text)
