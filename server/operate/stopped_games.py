"""The operator's decisions on stopped games: a fault of ours is fixed, or missing entries are given up."""

from __future__ import annotations

from typing import Any, NoReturn

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.compose.entries import compose_cancelled, compose_restored
from server.kernel import operator_log
from server.kernel.db.models import Game, ShownNote
from server.kernel.db.models.games import BROKEN, CONTRADICTED, LACKS_RULES
from server.kernel.errors import Problem
from server.kernel.operator_log import Operator
from server.kernel.services import Services
from server.log import before_writing, note_check, recovery
from server.log.before_writing import ON
from server.log.ledger import Ledger, open_for_writing
from server.tables.game_types import without_rules

ADVICE = {
    BROKEN: "Correct the rules, restart the processes, then run `sealedmove go-on GAME`; "
    "or end the game with `sealedmove cancel GAME`.",
    CONTRADICTED: "An older copy of the database was restored and the game took another course; the checkpoint is "
    'listed as a `fork`. Follow "Restoring an older copy" in docs/operate.md, then run `sealedmove go-on GAME` or '
    "`sealedmove cancel GAME`.",
    LACKS_RULES: "Install the package with these rules, and restart the processes.",
    "lines-missing": "Wait until players have submitted the missing entries. If nobody has them, run "
    "`sealedmove give-up GAME` or `sealedmove cancel GAME`.",
}


def resume(services: Services, by: Operator, game_id: str) -> None:
    """Continue the game after a fault of ours; a game with missing entries still waits for them."""
    with open_for_writing(services, game_id) as ledger:
        if not ledger.is_faulted:
            _refuse(ledger)
        recovery.clear_fault(ledger)
        if ledger.is_whole:
            recovery.resume(ledger)
        operator_log.record(services, ledger.session, by, "go-on", f"game {game_id}")


def give_up(services: Services, by: Operator, game_id: str) -> int:
    """Log the missing entries as lost and continue from the end of our log; returns how many they were."""
    with open_for_writing(services, game_id) as ledger:
        if ledger.is_whole:
            _refuse(ledger)
        count = _log_loss(ledger)
        recovery.resume(ledger)
        operator_log.record(services, ledger.session, by, "give-up", f"game {game_id}")
    before_writing.compare(services, game_id)  # the kept note of the lost end would block notes of the same length
    return count


def _refuse(ledger: Ledger) -> NoReturn:
    """The game is not stopped, or for a reason that another command ends."""
    if not ledger.is_whole:
        raise Problem("lines-missing", says=ADVICE["lines-missing"])
    if ledger.is_faulted:
        raise Problem("game-stopped", says=ADVICE[ledger.game.fault or BROKEN])
    raise Problem("not-stopped")


def cancel(services: Services, by: Operator, game_id: str, reason: str) -> None:
    """End a game, even a running one, on the server's authority; notifies its players and reveals its secret."""
    with open_for_writing(services, game_id) as ledger:
        recovery.clear_fault(ledger)
        if not ledger.is_whole:
            _log_loss(ledger)
        ledger.append(compose_cancelled(ledger.table, ledger.secret, ledger.at, reason))
        operator_log.record(services, ledger.session, by, "cancel", f"game {game_id}")
    before_writing.compare(services, game_id)


def _log_loss(ledger: Ledger) -> int:
    """Log the size and hash of the longest shown note; of two, those of the one that is awaited."""
    longest = (ShownNote.game_id == ledger.game.id, ShownNote.size == ledger.game.shown_size)
    is_awaited = ShownNote.relation == note_check.AWAITED
    end = ledger.session.scalars(sa.select(ShownNote).where(*longest).order_by(is_awaited.desc()).limit(1)).one()
    size, head, here = end.size, end.hash, ledger.table.size
    ledger.restore(compose_restored(ledger.table, ledger.at, size, head))
    recovery.end_waiting(ledger)
    return size - here


def counted(session: Session) -> int:
    """How many games are stopped, other than for missing rules."""
    held = sa.or_(Game.missing_since.is_not(None), Game.faulted_at.is_not(None))
    return session.scalar(sa.select(sa.func.count()).select_from(Game).where(held)) or 0


def stopped(services: Services) -> list[dict[str, Any]]:
    """Every stopped game with what to do, longest stopped first; then every note that proves a fork."""
    with services.database.read() as session:
        lacks = sa.and_(sa.tuple_(Game.type, Game.rules).in_(list(without_rules(session))), Game.status.in_(ON))
        held = sa.or_(Game.missing_since.is_not(None), Game.faulted_at.is_not(None), lacks)
        games = session.scalars(sa.select(Game).where(held).order_by(Game.missing_since, Game.faulted_at, Game.id))
        made = [stopped_json(game) for game in games]
        forks = session.scalars(
            sa.select(ShownNote).where(ShownNote.relation == note_check.FORK).order_by(ShownNote.id)
        )
        return [*made, *({"game": row.game_id, "why": "fork", "shown": row.size, "note": row.note} for row in forks)]


def why_stopped(game: Game) -> dict[str, Any] | None:
    """Why the game is stopped, and what to do; None if it is not."""
    return stopped_json(game) if game.is_stopped else None


def stopped_json(game: Game) -> dict[str, Any]:
    if game.missing_since is None:
        why = (game.fault or BROKEN) if game.faulted_at is not None else LACKS_RULES
        rules = {"type": game.type, "version": game.rules} if why == LACKS_RULES else {}
        return {"game": game.id, "why": why, "since": game.faulted_at, **rules, "advice": ADVICE[why]}
    return {
        "game": game.id,
        "why": "lines-missing",
        "since": game.missing_since,
        "size": game.head_seq + 1,
        "shown": game.shown_size,
        "advice": ADVICE["lines-missing"],
    }
