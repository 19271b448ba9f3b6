"""Finds every game: each folder in `engine/games` that offers `game`. Nobody edits a list.

Tests, and operators with games of their own, add further packages once, where the process is set up.
"""

from __future__ import annotations

import importlib
import pkgutil
import traceback
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any

from engine.errors import EngineFault, Refused
from engine.game import Game

_packages = ["engine.games"]
_flaws: dict[str, str] = {}  # by folder


def search(package: str) -> None:
    """Look for games in this package, too, for the rest of the process."""
    if package not in _packages:
        _packages.append(package)
        forget()


def forget() -> None:
    """Look at every folder again the next time a game is requested."""
    for known in (games, _load, _by_folder):
        known.cache_clear()
    _flaws.clear()


@cache
def games() -> Mapping[str, Game[Any]]:
    """All games by key, except those that cannot be loaded (`flaws`)."""
    found: dict[str, Game[Any]] = {}
    for game in filter(None, map(_load, _folders())):
        if game.meta.key in found:
            raise EngineFault("game-twice", key=game.meta.key)
        found[game.meta.key] = game
    return MappingProxyType(dict(sorted(found.items())))


def flaws() -> Mapping[str, str]:
    """Games that cannot be loaded, by folder, each with the reason in one sentence."""
    games()
    return MappingProxyType({folder: why for folder in _folders() if (why := _flaws.get(folder))})


def flaw(key: str) -> str:
    """Why the game in the folder of this name cannot be loaded; "" if it can."""
    return next((why for folder, why in flaws().items() if folder.rpartition(".")[2] == key), "")


def _folders() -> Iterator[str]:
    for package in _packages:
        for folder in pkgutil.iter_modules(importlib.import_module(package).__path__):
            yield f"{package}.{folder.name}"


@cache
def _load(folder: str) -> Game[Any] | None:
    """The game of a folder; None if it cannot be loaded: the flaw is kept, and other games still load."""
    try:
        game: Game[Any] = importlib.import_module(folder).game
        game.meta.key  # noqa: B018 - a game has a key
    except Exception as no:  # noqa: BLE001
        where = traceback.extract_tb(no.__traceback__)[-1]
        place = f"{where.filename.rpartition('/')[2]}:{where.lineno}"
        _flaws[folder] = f"the game in `{folder}` cannot be loaded: {type(no).__name__}: {no} ({place})"
        return None
    return game


def find(key: str) -> Game[Any]:
    """The game of this key. Refused `game-out` if its folder cannot be loaded, `unknown-game` if it does not exist."""
    game = _by_folder(key) or games().get(key)
    if game is None and flaw(key):
        raise Refused("game-out", found=key)
    if game is None:
        raise Refused("unknown-game", found=key, expected=tuple(games()))
    return game


def has(key: str, version: int) -> bool:
    """Are the rules of this game here, in this version?"""
    try:
        first, current = find(key).meta.rules
    except Refused:
        return False
    return first <= version <= current


@lru_cache(maxsize=64)
def _by_folder(key: str) -> Game[Any] | None:
    """The game in the folder of this name, which nearly all have: found without importing the others."""
    named = [folder for folder in _folders() if folder.rpartition(".")[2] == key]
    game = _load(named[0]) if len(named) == 1 else None
    return game if game is not None and game.meta.key == key else None


def guide(key: str) -> str:
    """The guide to this game for players: `guide.md` of its folder, as Markdown; "" if it has none."""
    return read(key, "guide.md")


def read(key: str, name: str) -> str:
    """A text file in the folder of a game; "" if it does not exist."""
    try:
        found = pkgutil.get_data(home(key), name)
    except FileNotFoundError:
        found = None
    return (found or b"").decode("utf-8")


def home(key: str) -> str:
    """The package of a game, which has its golden games and its README."""
    game = find(key)
    return next(folder for folder in _folders() if _load(folder) is game)
