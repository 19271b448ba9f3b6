"""What somebody chose about mails, as the API and the pages show it."""

from __future__ import annotations

from typing import Any

import msgspec

from server.mailing.choices import ALWAYS, Choices
from server.mailing.kept import Kept


def shown(kept: Kept) -> dict[str, Any]:
    """Everywhere."""
    return _words(kept.choices) | _beside(kept)


def shown_there(kept: Kept, game_id: str, *, muted: bool) -> dict[str, Any]:
    """At one table."""
    in_force = _words(kept.in_force) | _beside(kept)
    return {"game": game_id, **_words(kept.exceptions), "muted": muted, "in_force": in_force}


def _words(choices: Any) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(msgspec.structs.asdict(choices))
    return found


def _beside(kept: Kept) -> dict[str, Any]:
    return {"zone": kept.zone.key, "always": list(ALWAYS)}


def usual() -> dict[str, Any]:
    """What counts for who has chosen nothing."""
    return _words(Choices())
