"""A game as one seat, or anybody, may see it, now or as it was: the view, what is legal, what a move would do.

Everything leaves through the engine's `view` and `redact`; nothing else of the state is read here. Who looks back does
so from the seat that he holds now: whoever took it over reads its events from the beginning, and who held it before
sees what anybody does. After the end every seat is opened, and anybody may look from each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine import reading, replay
from engine.game import Event
from engine.kit import Step, dump_steps, explain, load_steps, redact, tell
from engine.kit import view as engine_view
from engine.record.encoding import base64url
from engine.record.log.table import Table
from server.db.models import Entry, EntryPrivate, Game, Seat
from server.errors import Problem
from server.projections.games import active_seats, game_row, plain, seat_names
from server.projections.holders import former, names_at
from server.projections.listed import listed, spelled
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
        return base64url.encode(self.table.head)

    @property
    def seq(self) -> int:
        """The entry after which it is."""
        return self.table.size - 1

    @property
    def own_seat(self) -> int:
        """The seat, where one is needed."""
        if self.seat is None:
            raise Problem("no-seat")
        return self.seat


def look(
    services: Services, game_id: str, account_id: int | None, *, seq: int | None = None, seat: int | None = None
) -> Look:
    """The game at its head, or after entry `seq`, from the account's chair; after the end from any `seat`."""
    with services.database.read() as session:
        game = game_row(session, game_id)
        chair = _chair(game, _seat_of(session, game, account_id), seat)
        names = tuple(clean(name or "") or f"Seat {seat + 1}" for seat, name in enumerate(seat_names(session, game)))
        if seq is None or seq == game.head_seq:
            return Look(game, services.tables.of(session, game), chair, names)
        if seq > game.head_seq:
            raise Problem("no-such-entry", found=seq, last=game.head_seq)
        then = names_at(names, former(session, game_id), seq)
        return Look(game, services.earlier.of(session, game, seq), chair, then)


def _chair(game: Game, own: int | None, asked: int | None) -> int | None:
    """Whose eyes these are: somebody else's only when the game is over, and all that was sealed is open."""
    if asked is None or asked == own:
        return own
    if asked >= game.seats:
        raise Problem("no-such-seat", found=asked, expected=f"0..{game.seats - 1}")
    if game.status != "finished":
        raise Problem("seat-not-open", found=asked, status=game.status)
    return asked


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
        "status": at.table.stage,
        "seat": at.seat,
        "seq": at.seq,
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


def sentences(services: Services, at: Look) -> list[str]:
    """What the entry brought at which it is looked, as the chair may know it."""
    same = sa.and_(EntryPrivate.game_id == Entry.game_id, EntryPrivate.seq == Entry.seq)
    asked = sa.select(Entry.line, EntryPrivate.opening).join(EntryPrivate, same, isouter=True)
    with services.database.read() as session:
        line, opening = session.execute(asked.where(Entry.game_id == at.game.id, Entry.seq == at.seq)).one()
    events = at.table.load_events(msgspec.json.decode(opening or line, type=Happened).events)
    return told(events, at.seat, at.names)


class Happened(msgspec.Struct):
    """The events of an entry, or of its opening."""

    events: list[Mapping[str, Any]] = []


def told(events: Iterable[Event], seat: int | None, names: tuple[str, ...]) -> list[str]:
    """Events in sentences, as a seat or anybody may know them."""
    return [text for event in events if (text := tell(redact(event, seat), names))]


def picture(at: Look) -> str:
    """The position as SVG."""
    if at.table.state is None:
        raise Problem("not-found")
    return _drawn(at, engine_view(at.table.game, at.table.state, at.seat))


def _drawn(at: Look, position: Any) -> str:
    return str(at.table.game.picture(position, at.names))


def legal_commands(at: Look) -> list[dict[str, Any]]:
    """Every command that the seat may give now; [] if it owes none."""
    seat = at.own_seat
    return listed(at.table.game, at.table.state, seat, at.names) if at.table.stage == "running" else []


def preview(at: Look, commands: list[Any] | None, notation: str | None) -> dict[str, Any]:
    """What the seat's move would do as far as it is certain; nothing is committed."""
    seat, table = at.own_seat, at.table
    if table.stage != "running":
        raise Problem("game-over" if table.is_over else "not-started")
    steps = load_steps(table.game, commands) if notation is None else read_steps(table, seat, notation)
    seen = replay.preview(table.game, table.state, seat, steps)
    position = engine_view(table.game, seen.state, seat)
    return {
        "type": at.game.type,
        "events": plain([redact(event, seat) for event in seen.events]),
        "sentences": told(seen.events, seat, at.names),
        "others": told(seen.events, None, at.names),
        "board": table.game.board(position, at.names),
        "picture": _drawn(at, position),
        "view": plain(position),
        "done": seen.done,
        "refusal": _refusal(at, seen.refusal),
        "certain": seen.certain,
        "commands": dump_steps(steps),
        "steps": [spelled(table.game, step, at.names) for step in steps],
        "legal": listed(table.game, seen.state, seat, at.names) if seen.certain else [],
    }


def _refusal(at: Look, refusal: Any) -> dict[str, str] | None:
    return None if refusal is None else {"code": refusal.code, "says": explain(at.table.game, refusal, at.names)}


def read_steps(table: Table, seat: int, text: str) -> tuple[Step, ...]:
    """The steps of a text; a shortened one is completed among what is legal after those before it."""
    return reading.read(table.game, table.state, seat, text)
