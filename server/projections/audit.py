"""What the house's own audit of a game found."""

from __future__ import annotations

from typing import Any

from server.db.models import Audit
from server.projections.games import game_row
from server.services import Services
from server.wording import iso

NONE = {"verdict": None, "says": None, "made_at": None}


def found(services: Services, game_id: str) -> dict[str, Any]:
    """The verdict on the log as it stands now; nothing but nulls until there is one."""
    with services.database.read() as session:
        game, kept = game_row(session, game_id), session.get(Audit, game_id)
    if kept is None or kept.head_hash != game.head_hash:
        return dict(NONE)
    return {"verdict": kept.verdict, "says": kept.says, "made_at": iso(kept.made_at)}
