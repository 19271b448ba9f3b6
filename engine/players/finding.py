"""The players of a game, from its own folder `players`; a game without one is played by chance."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from functools import cache
from typing import Any

from engine import registry
from engine.errors import Refused
from engine.game import Game
from engine.players.contract import Players, Policy
from engine.players.simple import Anything

NOBODY: Mapping[str, Policy] = {"easy": Anything()}


@cache
def players(key: str) -> Players | None:
    """The players in the game's folder; None if it has none."""
    package = f"{registry.home(key)}.players"
    if importlib.util.find_spec(package) is None:
        return None
    offered: Players = importlib.import_module(package).players
    return offered


def levels(game: Game[Any]) -> Mapping[str, Policy]:
    """The levels of a game by name, the weakest first."""
    offered = players(game.meta.key)
    return NOBODY if offered is None else offered.levels


def level(game: Game[Any], name: str) -> Policy:
    """The policy of this level; Refused `unknown-level` with the known ones if it does not exist."""
    found = levels(game)
    if name not in found:
        raise Refused("unknown-level", found=name, expected=tuple(found))
    return found[name]
