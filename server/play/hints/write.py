"""A hint for a seat that owes a move, from what that seat sees. Everyone can see that it was given, and where.

The same seat gets the same hint at the same entry, however often it asks and from wherever: page, API or mail. A
process of its own finds it, since the code of a house player may come from anyone and never end.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from engine import replay
from engine.kit import Step, dump_steps, format_steps, legal, load_steps, view
from server.kernel.db.models import Hint
from server.kernel.errors import Problem
from server.kernel.logs import log
from server.kernel.services import Services
from server.play import read
from server.play.hints import IMPOSSIBLE
from server.play.read import Perspective
from server.tables.read import active_seats

MODULE = "server.play.hints.process"
LONGEST = 20.0  # seconds until a process that hangs is killed


class FoundHint(msgspec.Struct):
    """The answer of the process."""

    level: str
    commands: list[dict[str, Any]]
    reason: str = ""


def give(services: Services, game_id: str, account_id: int) -> dict[str, Any]:
    """The hint for the seat of this account, which is marked."""
    at = read.perspective(services, game_id, account_id)
    check(at)
    if (known := kept(services, at)) is not None:
        return known
    found = find(at)
    with services.database.write() as session:
        mark(services, session, at, msgspec.json.encode(found))
    return told(at, found)


def kept(services: Services, at: Perspective) -> dict[str, Any] | None:
    """The hint that the reader's seat had at this entry; None if it had none, or had it by mail."""
    if at.seat is None or not at.game.hints:
        return None
    with services.database.read() as session:
        row = session.get(Hint, (at.game.id, at.seat, at.seq))
    return None if row is None or row.found is None else told(at, msgspec.json.decode(row.found, type=FoundHint))


def check(at: Perspective) -> None:
    """Problem unless the seat may have a hint now."""
    seat = at.own_seat
    if not at.game.hints:
        raise Problem("hints-off")
    if at.table.stage != "running":
        raise Problem("game-over" if at.table.is_over else "not-started")
    if at.game.is_stopped:
        raise Problem("game-stopped")
    if seat not in active_seats(at.table):
        raise Problem("no-hint")


def mark(services: Services, session: Session, at: Perspective, found: bytes | None = None) -> None:
    """Note that the seat had a hint at this entry; once, however often it asks."""
    key = {"game_id": at.game.id, "seat": at.own_seat, "seq": at.seq}
    row = services.database.insert(Hint).values(**key, made_at=services.now(), found=found)
    again = (
        row.on_conflict_do_nothing() if found is None else row.on_conflict_do_update(list(key), set_={"found": found})
    )
    session.execute(again)


def told(at: Perspective, found: FoundHint) -> dict[str, Any]:
    """The hint: the line as signed, as typed and in words, its reason and effect, and the level that would play it."""
    game, state, seat = at.table.game, at.table.state, at.own_seat
    among = len(list(legal(game, state, seat)))
    steps = load_steps(game, found.commands)
    spelled = [read.spelled(game, step, at.names) for step in steps]
    effects = read.event_sentences(replay.preview(game, state, seat, steps).events, seat, at.names)
    return {
        "type": at.game.type,
        "seq": at.seq,
        "level": found.level,
        "commands": dump_steps(steps),
        "notation": format_steps(steps),
        "steps": spelled,
        "says": f"The {found.level} house player would play this, out of {among} commands to begin with.",
        "reason": found.reason,
        "effect": " ".join(effects or [str(one["label"]) for one in spelled]),  # a draw ends the effects
    }


def find(at: Perspective) -> FoundHint:
    """Ask the process. Problem `no-hint` if the game has no house players, `unavailable` if the process fails."""
    question = {
        "game": at.game.type,
        "options": msgspec.json.decode(at.game.options),
        "seat": at.own_seat,
        "view": view(at.table.game, at.table.state, at.own_seat),
        "legal": dump_steps(map(Step, legal(at.table.game, at.table.state, at.own_seat))),
        "seed": f"{at.game.id} {at.seq}",
    }
    command = [sys.executable, "-m", MODULE]
    try:
        done = subprocess.run(  # noqa: S603 - our own module
            command, input=msgspec.json.encode(question), capture_output=True, timeout=LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        log.error("hint-failed", game=at.game.id, type=at.game.type, exit=None)
        raise Problem("unavailable", says="The house player did not answer in time.") from None
    if done.returncode == IMPOSSIBLE:
        raise Problem("no-hint")
    if done.returncode:  # its own words could tell a secret of the seat
        log.error("hint-failed", game=at.game.id, type=at.game.type, exit=done.returncode)
        raise Problem("unavailable", says=f"The house player failed (exit {done.returncode}).")
    return msgspec.json.decode(done.stdout, type=FoundHint)
