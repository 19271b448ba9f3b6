"""The server's public keys: the document at `/.well-known/sealedmove.json`.

It has all keys up to the number in the settings, used or not, so that clients have the next one before its first game.
It has nothing secret: only signatures and public keys are derived from the master here.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.signed import server_keys
from server.kernel.db.models import Game
from server.kernel.services import Services
from server.kernel.text import iso

SPEC = "sealedmove/1"  # the record's version, as its labels begin


def document(services: Services) -> dict[str, Any]:
    """The keys, oldest first, each signed by the one before it; `from` is when its first game was made."""
    settings = services.settings
    numbers = range(1, settings.key_number + 1)
    with services.database.read() as session:
        since = [_first_game(session, number) for number in numbers]
    seeds = [services.seed(number) for number in numbers]
    return server_keys.document(
        settings.server_name, seeds, since, spec=SPEC, software=_software(), contact=settings.contact
    )


def _first_game(session: Session, number: int) -> str | None:
    made = session.scalar(sa.select(sa.func.min(Game.created_at)).where(Game.key_number == number))
    return None if made is None else iso(made)


@cache
def _software() -> str:
    return f"sealedmove {version('sealedmove')}"
