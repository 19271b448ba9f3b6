"""The server's own audits: of each game once it has ended, and of running games from time to time.

Each judges the file that everyone can download. A game's row has the time of its next audit, which `Ledger` sets, so
finding the games that are due costs the same however many have ended. An audit applies to the log at which it was made.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record import audit
from engine.record.audit.report import Report, unknown
from server.evidence.read import bundled
from server.kernel import operator_log
from server.kernel.db.models import Audit, Game, OperatorAct
from server.kernel.db.models.games import UNSOUND as IS_UNSOUND
from server.kernel.logs import log
from server.kernel.operator_log import Operator
from server.kernel.services import Services

CLAIM = timedelta(minutes=10)  # until another auditor takes a game whose auditor was killed
UNSOUND = ("fails", "unknown")
ACKNOWLEDGED = "audit-acknowledged"
IS_KNOWN = sa.exists().where(
    OperatorAct.act == ACKNOWLEDGED,
    OperatorAct.about == sa.literal("game ") + Audit.game_id,
    OperatorAct.at >= Audit.made_at,
)


def due(now: datetime) -> sa.Select[str, datetime | None]:
    """Games to audit, the longest due first, each with the time at which it was due."""
    return sa.select(Game.id, Game.audit_at).where(Game.audit_at <= now).order_by(Game.audit_at)


def make_audit(services: Services, game_id: str, at: datetime) -> str | None:
    """Audit a game that was due `at` that time, and store the verdict; None if another process audits it."""
    claimed = services.now() + CLAIM
    if not _schedule(services, game_id, at, claimed):
        return None
    game, report = judged(services, game_id)
    with services.database.write() as session:
        kept = session.get(Audit, game_id)
        is_first = kept is None or kept.verdict != "fails"
        session.merge(Audit(game_id=game_id, made_at=services.now(), **_found(game, report)))
        later = services.now() + timedelta(hours=services.settings.audit_every)
        next_at = sa.case((Game.head_hash == game.head_hash, None), else_=later)
        session.execute(_time(game_id, claimed).values(audit_at=next_at))
    if report.verdict == "fails" and is_first:
        check, entry = first_failure(report)
        log.error("audit-fails", game=game_id, entry=entry, check=check)
    return report.verdict


def _schedule(services: Services, game_id: str, at: datetime, claimed: datetime) -> bool:
    with services.database.write() as session:
        done = session.execute(_time(game_id, at).values(audit_at=claimed).returning(Game.id))
        return done.first() is not None


def _time(game_id: str, at: datetime) -> sa.Update:
    """The game, if the time of its audit is still this one: a game that has ended meanwhile is due again."""
    found = sa.update(Game).where(Game.id == game_id, Game.audit_at == at)
    return found.execution_options(synchronize_session=False)


def _found(game: Game, report: Report) -> Mapping[str, Any]:
    head = {"size": game.head_seq + 1, "head_hash": game.head_hash}
    return head | {"verdict": report.verdict, "entry": first_failure(report)[1], "says": report.text()}


def first_failure(report: Report) -> tuple[str | None, int | None]:
    """The check that fails at the earliest entry, and that entry; one without an entry comes last."""
    failed = [(name, check.first_failure) for name, check in report.checks.items() if check.ok is False]
    return min(failed, key=lambda one: (one[1] is None, one[1] or 0), default=(None, None))


def judged(services: Services, game_id: str) -> tuple[Game, Report]:
    """The game, and the report on its file.

    A crash of the audit proves nothing about the game, and another attempt would crash, too.
    """
    game, data = bundled(services, game_id)
    try:
        return game, audit.audit(data)
    except Exception as fault:  # noqa: BLE001 - whatever it is, the fault is the auditor's
        log.error("auditor-fault", game=game_id, error=type(fault).__name__)
        return game, unknown("a fault of this auditor, which has judged nothing")


# --- for the operator -------------------------------------------------------------------------------------------------


def unsound(services: Services) -> list[dict[str, Any]]:
    """Games whose last audit failed or could not judge them, the latest first."""
    wanted = sa.select(Audit, IS_KNOWN).where(IS_UNSOUND).order_by(Audit.made_at.desc(), Audit.game_id)
    with services.database.read() as session:
        names = ("verdict", "entry", "size", "made_at")
        return [
            {"game": one.game_id, **{name: getattr(one, name) for name in names}, "acknowledged": is_known}
            for one, is_known in session.execute(wanted)
        ]


def repeat(services: Services, by: Operator) -> int:
    """Make these games due again; return how many."""
    wanted = sa.select(Audit.game_id).where(IS_UNSOUND)
    again = sa.update(Game).where(Game.id.in_(wanted)).values(audit_at=services.now()).returning(Game.id)
    with services.database.write() as session:
        found = session.scalars(again.execution_options(synchronize_session=False)).all()
        for game_id in found:
            operator_log.record(services, session, by, "audit-again", f"game {game_id}")
    return len(found)


def acknowledge(services: Services, by: Operator, game_id: str) -> bool:
    """The operator knows of this failure, which then needs no alarm until the next audit; False if it did not fail."""
    with services.database.write() as session:
        is_failure = session.scalar(sa.select(Audit.verdict).where(Audit.game_id == game_id)) == "fails"
        if is_failure:
            operator_log.record(services, session, by, ACKNOWLEDGED, f"game {game_id}")
    return is_failure


def counted(session: Session) -> dict[str, int]:
    """How many games failed their last audit, are known for it, or could not be judged."""
    kind = sa.case((IS_KNOWN, "acknowledged"), else_=Audit.verdict).label("kind")
    kinds = sa.select(kind).where(IS_UNSOUND).subquery()
    found = session.execute(sa.select(kinds.c.kind, sa.func.count()).group_by(kinds.c.kind))
    return dict.fromkeys((*UNSOUND, "acknowledged"), 0) | {row[0]: row[1] for row in found}


def waiting(session: Session, now: datetime) -> int:
    """How many games are due."""
    return session.scalar(sa.select(sa.func.count()).select_from(due(now).subquery())) or 0
