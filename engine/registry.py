"""Finds every game: each folder of `engine/games`, and each entry point `sealedmove.games` of an installed package.

Nobody edits a list. The name of a folder or of an entry point is the game's key, so that one game is found without
loading the others:

    [project.entry-points."sealedmove.games"]
    oysters = "sealedmove_oysters:game"

A game that cannot be loaded has a flaw, one sentence; all others are found.
"""

from __future__ import annotations

import importlib
import pkgutil
import traceback
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from engine.errors import Refused
from engine.game import Game

GROUP = "sealedmove.games"
OURS = "engine.games"


class Source(NamedTuple):
    """Where a game comes from. `home` is the package with its rules, guide, players and golden games."""

    key: str
    home: str
    name: str = "game"  # of the game in its home
    package: str = ""  # the installed package that brings it, with its version; "" for those of `engine/games`
    version: str = ""


_flaws: dict[Source, str] = {}


def forget() -> None:
    """Look for games again the next time one is requested: packages have been installed, or have gone."""
    for known in (games, sources, _load):
        known.cache_clear()
    _flaws.clear()


@cache
def games() -> Mapping[str, Game[Any]]:
    """All games by key, except those that cannot be loaded (`flaws`)."""
    found = {source.key: game for source in sources() if (game := _load(source)) is not None}
    return MappingProxyType(dict(sorted(found.items())))


@cache
def sources() -> tuple[Source, ...]:
    """Where each game comes from, also those that cannot be loaded: ours first, then by package."""
    return (*_folders(), *_entry_points())


def source(key: str) -> Source:
    """Where the game of this key comes from. Refused like `find`."""
    find(key)
    found = _named(key)
    assert found is not None
    return found


def flaws() -> Mapping[str, str]:
    """Games that cannot be loaded, by their home, each with the reason in one sentence."""
    games()
    return MappingProxyType({one.home: _flaws[one] for one in sources() if one in _flaws})


def flaw(key: str) -> str:
    """Why the game of this key cannot be loaded; "" if it can."""
    games()
    return next((why for one, why in _flaws.items() if one.key == key), "")


def find(key: str) -> Game[Any]:
    """The game of this key. Refused `game-out` if it cannot be loaded, `unknown-game` if it does not exist."""
    named = _named(key)
    if named is None:
        raise Refused("unknown-game", found=key, expected=tuple(games()))
    game = _load(named)
    if game is None:
        raise Refused("game-out", found=key)
    return game


def has(key: str, version: int) -> bool:
    """Are the rules of this game here, in this version?"""
    try:
        first, current = find(key).meta.rules
    except Refused:
        return False
    return first <= version <= current


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
    return source(key).home


# --- where games are ------------------------------------------------------------------------------------------------


@cache
def _folders() -> tuple[Source, ...]:
    found = pkgutil.iter_modules(importlib.import_module(OURS).__path__)
    return tuple(Source(folder.name, f"{OURS}.{folder.name}") for folder in found)


def _entry_points() -> Iterator[Source]:
    from importlib import metadata  # takes longer to load than a game of ours

    for point in sorted(metadata.entry_points(group=GROUP), key=lambda one: (one.dist.name if one.dist else "", one)):
        package, version = (point.dist.name, point.dist.version) if point.dist else ("", "")
        yield Source(point.name, point.module, point.attr, package, version)


def _named(key: str) -> Source | None:
    """The first of this name; ours is found without looking at packages."""
    return next((one for found in (_folders, sources) for one in found() if one.key == key), None)


@cache
def _load(source: Source) -> Game[Any] | None:
    """The game; None if it cannot be loaded: the flaw is kept, and other games still load."""
    try:
        home = importlib.import_module(source.home)
        game: Game[Any] = getattr(home, source.name)
        says = _misnamed(source, game.meta.key)
        home.__path__  # noqa: B018 - a package, with the guide and the golden games beside the rules
    except Exception as no:  # noqa: BLE001
        where = traceback.extract_tb(no.__traceback__)[-1]
        place = f"{where.filename.rpartition('/')[2]}:{where.lineno}"
        says = f"{_called(source)} cannot be loaded: {type(no).__name__}: {no} ({place})"
    if says:
        _flaws[source] = says
    return None if says else game


def _misnamed(source: Source, key: str) -> str:
    """Why a game cannot have its key; "" if it can."""
    if key != source.key:
        what = "entry point" if source.package else "folder"
        return f"{_called(source)} has the key `{key}`, and its {what} is called `{source.key}`: name both alike"
    first = _named(key)
    if first is not None and first != source:
        return f"{_called(source)} has the key `{key}` of {_called(first)}: only that one is served"
    return ""


def _called(source: Source) -> str:
    of = f" of {source.package} {source.version}" if source.package else ""
    return f"the game in `{source.home}`{of}"
