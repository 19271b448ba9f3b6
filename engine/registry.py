"""Finds every game: each folder in `engine/games` that offers `game`. Nobody edits a list.

Tests, and an operator with games of his own, name further packages once, where the process is put together.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any

from engine.errors import EngineFault, Refused
from engine.game import Game

_packages = ["engine.games"]


def search(package: str) -> None:
    """Look for games in this package too, for the rest of the process."""
    if package not in _packages:
        _packages.append(package)
        games.cache_clear()
        _by_folder.cache_clear()


@cache
def games() -> Mapping[str, Game[Any]]:
    """All games by key."""
    found: dict[str, Game[Any]] = {}
    for folder in _folders():
        game: Game[Any] = importlib.import_module(folder).game
        if game.meta.key in found:
            raise EngineFault("game-twice", key=game.meta.key)
        found[game.meta.key] = game
    return MappingProxyType(dict(sorted(found.items())))


def _folders() -> Iterator[str]:
    for package in _packages:
        for folder in pkgutil.iter_modules(importlib.import_module(package).__path__):
            yield f"{package}.{folder.name}"


def find(key: str) -> Game[Any]:
    """The game of this key; Refused `unknown-game` with the known keys if there is none."""
    game = _by_folder(key) or games().get(key)
    if game is None:
        raise Refused("unknown-game", found=key, expected=tuple(games()))
    return game


@lru_cache(maxsize=64)
def _by_folder(key: str) -> Game[Any] | None:
    """The game whose folder is called like it, as nearly all are: found without importing the others."""
    named = [folder for folder in _folders() if folder.rpartition(".")[2] == key]
    game = importlib.import_module(named[0]).game if len(named) == 1 else None
    return game if game is not None and game.meta.key == key else None


def home(key: str) -> str:
    """The package of a game, where its golden games and its README lie."""
    game = find(key)
    return next(folder for folder in _folders() if importlib.import_module(folder).game is game)
