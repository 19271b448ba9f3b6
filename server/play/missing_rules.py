"""Games whose rules are not installed here: since when, so that once they are, the lost time is given back."""

from __future__ import annotations

import sqlalchemy as sa

from server.kernel import quarantine
from server.kernel.db.models import Game
from server.kernel.db.models.games import LACKS_RULES
from server.kernel.services import Services
from server.log import recovery
from server.log.before_writing import ON
from server.log.ledger import open_for_writing
from server.play.overdue import has_rules
from server.tables.game_types import without_rules

RETURNED = quarantine.Loop("rules", Game.id)


def stop_games(services: Services) -> None:
    """Stop the games that go on without their rules.

    For the start of a process: a later game without rules is one of a newer process, which has them.
    """
    stopped = {"faulted_at": services.now(), "fault": LACKS_RULES}
    with services.database.write() as session:
        for key, version in without_rules(session):
            theirs = (Game.type == key, Game.rules == version, Game.status.in_(ON), Game.faulted_at.is_(None))
            session.execute(sa.update(Game).where(*theirs).values(stopped))


def returned() -> sa.Select[str]:
    """Games that were stopped so and whose rules are installed here."""
    stopped = (Game.faulted_at.is_not(None), Game.fault == LACKS_RULES)
    return sa.select(Game.id).where(*stopped, Game.status.in_(ON), has_rules()).order_by(Game.id)


def resume(services: Services, game_id: str) -> None:
    """Continue the game, with the time since it was stopped; one with missing entries still waits for them."""
    with open_for_writing(services, game_id) as ledger:
        if ledger.game.fault != LACKS_RULES:
            return  # another clock was first
        recovery.clear_fault(ledger)
        if ledger.is_whole:
            recovery.resume(ledger)
