"""The server's audit of a finished game: made once by a job, stored, and shown with instructions to repeat it.

It audits the file that everyone can download. It applies to the head at which it was made: entries that are recovered
after a restore have it made again.
"""

from __future__ import annotations

import sqlalchemy as sa

from engine.record import audit
from engine.record.audit.report import unknown
from server.evidence.read import bundled
from server.kernel.db.models import Audit, Game
from server.kernel.logs import log
from server.kernel.services import Services


def make_audit(services: Services, game_id: str) -> bool:
    """Audit the game and store the result; False if it is not over, or its head has been audited."""
    with services.database.read() as session:
        game, kept = session.get(Game, game_id), session.get(Audit, game_id)
        if game is None or game.status != "finished" or (kept is not None and kept.head_hash == game.head_hash):
            return False
    game, data = bundled(services, game_id)
    report = _report(game_id, data)
    with services.database.write() as session:
        found = {"head_hash": game.head_hash, "verdict": report.verdict, "says": report.text()}
        session.merge(Audit(game_id=game_id, made_at=services.now(), **found))
    return True


def _report(game_id: str, data: bytes) -> audit.Report:
    """The report. A fault of ours says nothing about the game, and another attempt would find the same."""
    try:
        return audit.audit(data)
    except Exception as fault:  # noqa: BLE001 - whatever it is, it is the auditor's
        log.error("audit-failed", game=game_id, error=type(fault).__name__)
        return unknown("a fault of this auditor, which has judged nothing")


def unjudged(services: Services, most: int) -> list[str]:
    """Finished games whose head has not been audited, newest first."""
    kept = sa.and_(Audit.game_id == Game.id, Audit.head_hash == Game.head_hash)
    query = sa.select(Game.id).join(Audit, kept, isouter=True).where(Game.status == "finished", Audit.game_id.is_(None))
    with services.database.read() as session:
        return list(session.scalars(query.order_by(Game.created_at.desc()).limit(most)))
