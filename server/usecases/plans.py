"""A plan that was mailed is dropped: it was signed and sent, or its holder thinks better of it."""

from __future__ import annotations

from server.projections.games import game_row
from server.projections.plans import of_holder
from server.services import Services


def drop(services: Services, game_id: str, account_id: int) -> None:
    """By the seat's holder."""
    with services.database.write() as session:
        game_row(session, game_id)
        session.delete(of_holder(session, game_id, account_id))
