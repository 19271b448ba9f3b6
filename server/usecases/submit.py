"""A seat's move."""

from __future__ import annotations

from engine.record.compose import Composed, compose_moved
from engine.record.door import Signed
from server.log.ledger import Ledger, Logged
from server.services import Services
from server.usecases.act import log_act
from server.usecases.gone import play_gone


def submit(services: Services, game_id: str, compact: str, text: str | None = None) -> Logged:
    """Log a signed move; `text` is what the signature of a hidden game's move seals."""

    def play(ledger: Ledger, signed: Signed) -> Composed:
        return compose_moved(ledger.table, ledger.secret, ledger.at, signed, text)

    answer = log_act(services, game_id, compact, "move", play)
    play_gone(services, game_id)
    return answer
