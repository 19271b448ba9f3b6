"""The row of an analysis: requested by a player, made once by a worker, kept for good.

Like the audit it is a statement on the bundle that everybody can download. It has no names: players are seats in it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal, NamedTuple

import msgspec
import sqlalchemy as sa

from engine.analysis.results import Analysis as Found
from server.kernel import quarantine
from server.kernel.db.models import Analysis, Game, Quarantined
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.tables.read import game_row

LOOP = quarantine.Loop("analyses", Game.id)
CLAIM = timedelta(minutes=10)  # until another worker takes a game whose worker was killed
MOST_WAITING = 100

# Those that fail are tried again for good, so they do not count: others would wait for them.
WAITING = LOOP.new(
    sa.select(sa.func.count(Analysis.game_id))
    .join(Game, Game.id == Analysis.game_id)
    .where(Analysis.next_at.is_not(None))
)

State = Literal["none", "waiting", "failed", "made", "impossible"]


class AnalysisStatus(NamedTuple):
    """Whether there is an analysis, and if so, which."""

    state: State
    found: Found | None = None


def request(services: Services, game_id: str) -> AnalysisStatus:
    """Request the analysis of a finished game. All later requests are for the same one."""
    with services.database.write() as session:
        game = game_row(session, game_id)
        if game.status != "finished":
            raise Problem("not-over", status=game.status)
        row = session.get(Analysis, game_id)
        if row is None or _is_outdated(row):
            waiting = session.scalar(WAITING) or 0
            if waiting >= MOST_WAITING:
                raise Problem("unavailable", says=f"{waiting} games are waiting for their analysis.")
            new = {"asked_at": services.now(), "next_at": services.now()}
            made = services.database.insert(Analysis).values(game_id=game_id, **new)
            kept = made.on_conflict_do_nothing() if row is None else made.on_conflict_do_update(["game_id"], set_=new)
            session.execute(kept)
    return answer(services, game_id)


def answer(services: Services, game_id: str) -> AnalysisStatus:
    """The analysis, or how far it is."""
    with services.database.read() as session:
        game_row(session, game_id)
        row = session.get(Analysis, game_id)
        failure = LOOP.failure(session, game_id)
    if row is None or _is_outdated(row):
        return AnalysisStatus("none")
    if row.next_at is not None:
        return AnalysisStatus(_pending(failure))
    if not row.found:
        return AnalysisStatus("impossible")
    return AnalysisStatus("made", msgspec.json.decode(row.found, type=Found))


def _pending(failure: Quarantined | None) -> State:
    """How it is with an analysis that is not made yet; an item that the operator has dropped is not tried again."""
    if failure is None:
        return "waiting"
    return "impossible" if failure.next_at >= quarantine.NEVER else "failed"


def _is_outdated(row: Analysis) -> bool:
    """Was it made by another version of this program, in another form? Then it can be requested again."""
    if row.next_at is not None or not row.found:
        return False
    try:
        msgspec.json.decode(row.found, type=Found)
    except msgspec.ValidationError:
        return True
    return False


# --- for the worker ---------------------------------------------------------------------------------------------------


def due(now: datetime) -> sa.Select[str, datetime | None]:
    """Games to analyse, the longest waiting first, each with the time at which it was due."""
    chosen = sa.select(Game.id, Analysis.next_at).join(Analysis, Analysis.game_id == Game.id)
    return chosen.where(Analysis.next_at <= now).order_by(Analysis.next_at)


def claim(services: Services, game_id: str, at: datetime) -> datetime | None:
    """Take a game that was due `at` that time; returns until when, or None if another worker has it."""
    until = services.now() + CLAIM
    return until if _is_moved(services, game_id, at, until) else None


def give_back(services: Services, game_id: str, at: datetime, until: datetime) -> None:
    """End the claim after a failure: the quarantine decides when the game is tried again."""
    _is_moved(services, game_id, until, at)


def _is_moved(services: Services, game_id: str, since: datetime, to: datetime) -> bool:
    """Make the game due at another time; False if another worker was first."""
    moved = sa.update(Analysis).where(Analysis.game_id == game_id, Analysis.next_at == since).values(next_at=to)
    with services.database.write() as session:
        return session.scalar(moved.returning(Analysis.game_id)) is not None


def store(services: Services, game_id: str, found: bytes | None) -> None:
    """Keep the analysis as JSON; None: this game cannot be analysed."""
    with services.database.write() as session:
        made = {"found": found, "made_at": services.now(), "next_at": None}
        session.execute(sa.update(Analysis).where(Analysis.game_id == game_id).values(**made))
