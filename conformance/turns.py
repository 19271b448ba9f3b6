"""Turns on a given state with lanes of their own, whose draws come from a word."""

from __future__ import annotations

from typing import Any

from engine import selfplay
from engine.chance import Lane
from engine.game import Turn


def turn_at(state: Any, label: str = "turn", secret: str | None = None) -> Turn:
    """A turn on this state with lanes of its own; the same label gives the same draws."""
    return Turn(state, lane(label, "public"), lane(label if secret is None else secret, "hidden"))


def lanes(label: str, begins: int | None = 0) -> tuple[Lane, Lane]:
    """Both lanes of draws by this word, for the setup of a game that seat `begins` begins; None: a drawn one."""
    public = lane(label, "public")
    return public if begins is None else selfplay.begun_by(public, begins), lane(label, "hidden")


def lane(label: str, kind: str) -> Lane:
    return selfplay.lanes(selfplay.seed_of(label), kind)
