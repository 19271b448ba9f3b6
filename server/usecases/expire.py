"""The clock plays for a seat whose time is over: an entry that the server alone writes and anybody can check."""

from __future__ import annotations

from engine.errors import EngineFault, Refused
from engine.record.compose.entries import compose_expired
from server.log.ledger import opened
from server.services import Services
from server.usecases.fault import stop_game

NOT_NOW = ("not-due", "not-started", "game-over")


def expire(services: Services, game_id: str, seat: int) -> bool:
    """Log what the clock plays; False if the seat is not due (any more), so that two clocks may ask at once."""
    try:
        with opened(services, game_id) as ledger:
            if ledger.is_faulted or not ledger.is_whole:
                return False
            ledger.append(compose_expired(ledger.table, ledger.secret, ledger.at, seat))
    except Refused as no:
        if no.code in NOT_NOW:
            return False
        raise
    except EngineFault as fault:
        stop_game(services, game_id, fault)
        return False
    return True
