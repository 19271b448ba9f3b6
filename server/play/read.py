"""A game as a seat, or the public, may see it, now or earlier: the view, legal commands, previews.

All of it comes from the engine's `view` and `redact`; nothing else of the state is read here. Players look back from
the seat that they hold now: a successor reads the seat's events from the beginning, a former holder sees the public
view. After the end every seat's view is public.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine import registry, replay
from engine.game import Command, Event
from engine.game import Game as Rules
from engine.kit import (
    Palette,
    Step,
    Word,
    called,
    describe,
    dump_steps,
    explain,
    format_command,
    format_steps,
    kind_of,
    label,
    legal,
    load_steps,
    pointed,
    redact,
    tell,
)
from engine.kit import view as engine_view
from engine.record.compose.entries import seat_opening
from engine.record.encoding import canonical
from engine.record.log.table import Table
from server.kernel import secrets
from server.kernel.db.models import Account, Entry, EntryPrivate, FormerHolder, Game
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import badged, clean
from server.tables.read import SeatHolder, active_seats, game_facts, names_of, plain, seat_holders


@dataclass(frozen=True, slots=True)
class Perspective:
    """A consistent read of a game as one seat sees it; `seat` None is the public."""

    game: Game
    table: Table
    seat: int | None
    names: tuple[str, ...]
    handles: tuple[str | None, ...] = ()  # of the present holders

    @property
    def head(self) -> str:
        return canonical.to_base64url(self.table.head)

    @property
    def seq(self) -> int:
        """The number of the last entry that it includes."""
        return self.table.size - 1

    @property
    def fingerprint(self) -> str:
        """A hash of everything that an answer is derived from, all of which its reader may know.

        The head commits to the game's whole log and with it to its state; the seat says what is visible of that.
        """
        derived = (_program(self.game.type), self.game.id, self.head, self.seat, self.names)
        return hashlib.sha256(msgspec.json.encode(derived)).hexdigest()[:32]

    def check_seated(self) -> None:
        """Problem if the reader holds no seat."""
        self.own_seat  # noqa: B018 - it raises

    @property
    def own_seat(self) -> int:
        """The seat; Problem if the reader holds none."""
        if self.seat is None:
            raise Problem("no-seat")
        return self.seat


@cache
def _program(key: str) -> str:
    """Changes with any file of the engine, the server and the game: another program may say the same otherwise."""
    found = hashlib.sha256()
    for name in ("engine", "server", registry.home(key)):
        for folder in importlib.import_module(name).__path__:
            files = sorted(path for path in Path(folder).rglob("*") if path.is_file() and path.suffix != ".pyc")
            for path in files:
                found.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return found.hexdigest()


def perspective(
    services: Services, game_id: str, account_id: int | None, *, seq: int | None = None, seat: int | None = None
) -> Perspective:
    """The game at its head, or after entry `seq`, as the account's seat sees it; after the end as any `seat`."""
    with services.database.read() as session:
        game = game_facts(session, game_id)
        sits = seat_holders(session, [game_id]).get(game_id, {})
        chair = _perspective_seat(game, _seat_of(game, sits, account_id), seat)
        names = tuple(clean(name or "") or f"Seat {seat + 1}" for seat, name in enumerate(names_of(game, sits)))
        if seq is None or seq == game.head_seq:
            handles = tuple(sits[seat].handle if seat in sits else None for seat in range(game.seats))
            return Perspective(game, services.tables.of(session, game), chair, names, handles)
        if seq > game.head_seq:
            raise Problem("no-such-entry", found=seq, last=game.head_seq)
        then = names_at(names, past_holders(session, game_id), seq)
        return Perspective(game, services.past_tables.of(session, game, seq), chair, then)


def _perspective_seat(game: Game, own: int | None, requested: int | None) -> int | None:
    """The seat whose view is shown; another player's only after the end, when everything is public."""
    if requested is None or requested == own:
        return own
    if requested >= game.seats:
        raise Problem("no-such-seat", found=requested, expected=f"0..{game.seats - 1}")
    if game.status != "finished":
        raise Problem("seat-not-open", found=requested, status=game.status)
    return requested


def _seat_of(game: Game, sits: Mapping[int, SeatHolder], account_id: int | None) -> int | None:
    """The seat that the account holds at this head; not one that a later entry gives to it."""
    mine = (one for one, held in sits.items() if held.account_id == account_id and held.since_seq <= game.head_seq)
    return None if account_id is None else next(mine, None)


def view(at: Perspective) -> dict[str, Any]:
    """The view as values and as text."""
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


def sentences(services: Services, at: Perspective) -> list[str]:
    """The effect of the last included entry in sentences, as far as this reader may know it."""
    same = sa.and_(EntryPrivate.game_id == Entry.game_id, EntryPrivate.seq == Entry.seq)
    query = sa.select(Entry.line, EntryPrivate.opening).join(EntryPrivate, same, isouter=True)
    with services.database.read() as session:
        line, opening = session.execute(query.where(Entry.game_id == at.game.id, Entry.seq == at.seq)).one()
    events = at.table.load_events(msgspec.json.decode(opening or line, type=EntryEvents).events)
    return event_sentences(events, at.seat, at.names)


class EntryEvents(msgspec.Struct):
    """The events of an entry, or of its opening."""

    events: list[Mapping[str, Any]] = []


def event_sentences(events: Iterable[Event], seat: int | None, names: tuple[str, ...]) -> list[str]:
    """Events in sentences, as a seat or the public may know them."""
    return [text for event in events if (text := tell(redact(event, seat), names))]


def picture(at: Perspective, palette: Palette = "light") -> str:
    """The position as SVG."""
    if at.table.state is None:
        raise Problem("not-found")
    position = engine_view(at.table.game, at.table.state, at.seat)
    return str(at.table.game.picture(position, at.names, palette))


def legal_commands(at: Perspective) -> list[dict[str, Any]]:
    """Every command that the seat may give now; [] if it does not owe a move."""
    seat = at.own_seat
    return legal_list(at.table.game, at.table.state, seat, at.names) if at.table.stage == "running" else []


def preview(
    at: Perspective, commands: list[Any] | None, notation: str | None, palette: Palette = "light"
) -> dict[str, Any]:
    """Preview the certain effects of a seat's move; nothing is logged."""
    seat, table = at.own_seat, at.table
    if table.stage != "running":
        raise Problem("game-over" if table.is_over else "not-started")
    return previewed(Sight(table.game, table.state, seat, at.names), commands, notation, palette)


class Sight(NamedTuple):
    """A position as one seat sees it, wherever it is from."""

    game: Rules[Any]
    state: Any
    seat: int
    names: tuple[str, ...]

    def steps(self, commands: list[Any] | None, notation: str | None) -> tuple[Step, ...]:
        """The steps of a move; shortened text is completed from the commands that are legal after the steps before."""
        if notation is None:
            return load_steps(self.game, commands)
        return replay.read(self.game, self.state, self.seat, notation)


def previewed(
    at: Sight, commands: list[Any] | None, notation: str | None, palette: Palette = "light"
) -> dict[str, Any]:
    """The certain effects of a move in this position."""
    game, _, seat, names = at
    steps = at.steps(commands, notation)
    seen = replay.preview(game, at.state, seat, steps)
    position = engine_view(game, seen.state, seat)
    return {
        "type": game.meta.key,
        "events": plain([redact(event, seat) for event in seen.events]),
        "sentences": event_sentences(seen.events, seat, names),
        "others": event_sentences(seen.events, None, names),
        "board": game.board(position, names),
        "picture": str(game.picture(position, names, palette)),
        "view": plain(position),
        "done": seen.done,
        "refusal": _refusal(at, seen.refusal),
        "certain": seen.certain,
        "warnings": list(seen.warnings),
        "commands": dump_steps(steps),
        "steps": [spelled(game, step, names) for step in steps],
        "legal": legal_list(game, seen.state, seat, names) if seen.certain else [],
    }


def _refusal(at: Sight, refusal: Any) -> dict[str, str] | None:
    return None if refusal is None else {"code": refusal.code, "says": explain(at.game, refusal, at.names)}


# --- Legal commands for people and pages: each with its words, and what each word refers to ---------------------------


def legal_list(game: Rules[Any], state: Any, seat: int, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Every command that the seat may give in this state, in the game's own order."""
    return [
        _choice(game, command, seat, names) | {"label": label(game, state, seat, command, names)}
        for command in legal(game, state, seat)
    ]


def spelled(game: Rules[Any], step: Step, names: tuple[str, ...]) -> dict[str, Any]:
    """A step of a move: as signed, as typed, and in words."""
    return {
        "command": dump_steps((step,))[0],
        "notation": format_steps((step,)),
        "label": describe(game, step.command, names),
    }


def _choice(game: Rules[Any], command: Command, seat: int, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "type": game.meta.key,
        "command": plain(command),
        "notation": format_command(command),
        "kind": command.__struct_config__.tag,
        "says": kind_of(command),
        "closes": command.closes,
        "words": [_word(word, called(game, command, word, names)) for word in pointed(command, seat)],
    }


def _word(word: Word, says: tuple[str, ...]) -> dict[str, Any]:
    """Only members with a value: a list has hundreds of words."""
    shown = _word_part(word.text, ", ".join(says)) | {"kind": word.kind or None}
    if word.seat is not None:
        shown |= {"seat": word.seat}
    if word.parts:
        shown |= {"parts": [_word_part(part, said) for part, said in zip(word.parts, says, strict=True)]}
    return shown


def _word_part(word: str, says: str) -> dict[str, Any]:
    return {"word": word} if says == word else {"word": word, "says": says}


# --- The holders of seats over time, by name: the log has keys, the database has the owners of keys -------------------


class PastHolder(NamedTuple):
    """A former holder until entry `until`: `left` before the start, or the seat was taken by `offer` or `absence`."""

    seat: int
    until: int
    ended: str
    name: str


def past_holders(session: Session, game_id: str) -> list[PastHolder]:
    """All former holders, earliest first; an erased account has no name."""
    found = session.execute(
        sa.select(FormerHolder.seat, FormerHolder.until_seq, FormerHolder.ended, Account.name, Account.bot)
        .join(Account, FormerHolder.account_id == Account.id, isouter=True)
        .where(FormerHolder.game_id == game_id)
        .order_by(FormerHolder.until_seq)
    )
    return [
        PastHolder(seat, until, ended, badged(name or f"Seat {seat + 1}", bot=bool(bot)))
        for seat, until, ended, name, bot in found
    ]


def names_at(names: Sequence[str], before: Sequence[PastHolder], seq: int) -> tuple[str, ...]:
    """The names of the holders when entry `seq` was logged; `names` are the present ones."""
    then = list(names)
    for one in reversed(before):
        if seq < one.until:
            then[one.seat] = one.name
    return tuple(then)


# --- The part of each entry that only one seat may read ---------------------------------------------------------------


def openings(services: Services, at: Perspective, after: int, limit: int) -> tuple[list[dict[str, Any]], int | None]:
    """The private part of each entry for one seat: its opening, and how far its holder's moves went.

    `after` for the next page comes with them if there is one; rows that reveal nothing to this seat count too. A player
    who took the seat over reads its events from the beginning, and nothing of the former holder's moves.
    """
    seat, secret = at.own_seat, secrets.game_secret(services.master, at.game.secret_r)
    query = (
        sa.select(EntryPrivate, Entry.line)
        .join(Entry, sa.and_(Entry.game_id == EntryPrivate.game_id, Entry.seq == EntryPrivate.seq))
        .where(EntryPrivate.game_id == at.game.id, EntryPrivate.seq > after, EntryPrivate.seq <= at.game.head_seq)
        .order_by(EntryPrivate.seq)
        .limit(limit + 1)
    )
    named: dict[str, Any] = {"type": at.game.type}
    with services.database.read() as session:
        rows = session.execute(query).all()
        found = [_opening(at.table, secret, row, line, seat) for row, line in rows[:limit]]
    last = rows[limit - 1][0].seq if len(rows) > limit else None
    return [named | opening for opening in found if opening is not None], last


class EntrySeat(msgspec.Struct):
    """The seat that made a move."""

    seat: int | None = None


def _opening(table: Table, secret: bytes, row: EntryPrivate, line: bytes, seat: int) -> dict[str, Any] | None:
    occupant = table.occupants[seat]
    is_mine = occupant is not None and row.seq > occupant.since
    own = row.done is not None and is_mine and msgspec.json.decode(line, type=EntrySeat).seat == seat
    if row.opening is None and not own:
        return None
    opened = {"seq": row.seq, "salt": None, "events": None}
    if row.opening is not None:
        opened = seat_opening(table, secret, msgspec.json.decode(row.opening), seat)
    refusal = msgspec.json.decode(row.refusal) if own and row.refusal else None
    return opened | {"done": row.done if own else None, "refusal": refusal}
