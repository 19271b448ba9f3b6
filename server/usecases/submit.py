"""A seat's move."""

from __future__ import annotations

from engine.record.compose.entries import Composed, compose_moved
from engine.record.signed.acts import SignedAct
from server.log.ledger import Ledger
from server.services import Services
from server.usecases.act import Answer, log_act
from server.usecases.gone import play_gone


def submit(services: Services, game_id: str, compact: str, text: str | None = None) -> Answer:
    """Log a signed move; `text` is what the signature of a hidden game's move seals."""

    def play(ledger: Ledger, signed: SignedAct) -> Composed:
        return compose_moved(ledger.table, ledger.secret, ledger.at, signed, text)

    answer = log_act(services, game_id, compact, "move", play)
    play_gone(services, game_id)
    return answer
