"""Positions for tests of rules: three expeditions on their way, with changes, and seat 1 (number 0) to move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from engine import replay
from engine.game import Turn
from engine.games.lewis_clark import game
from engine.games.lewis_clark.meta import LewisClarkOptions
from engine.games.lewis_clark.state import LewisClarkState, Played, Player
from engine.kit import Supply, decide, parse
from tests.kit.worlds import lanes, turn_at

JOURNAL = ("hay", "john-dame", "big-white", "black-cat", "cut-nose")  # strengths 1 1 2 3 3
NEAR = (
    {"table": (Played(card="hunter", under="lumberjack"),), "scout": 12},
    {"table": (Played(card="blacksmith", indians=1),), "scout": 30},
)


def position(
    seats: int = 3,
    me: Mapping[str, Any] | None = None,
    players: Mapping[int, Mapping[str, Any]] | None = None,
    options: LewisClarkOptions | None = None,
    **fields: Any,
) -> LewisClarkState:
    """Scouts on 2, 12, 30; seat 2 shows food (and wood face down), seat 3 equipment; with the changes given."""
    state: LewisClarkState = replace(lay(seats, options).state, seat=0, journal=JOURNAL)
    for seat, changes in enumerate(NEAR[: seats - 1], 1):
        state = state.with_player(seat, **changes)
    state = state.with_player(0, **{"scout": 2, "goods": Supply(), **_plain(me or {})})
    for seat, changes in (players or {}).items():
        state = state.with_player(seat, **_plain(changes))
    return replace(state, **_plain(fields))


def lay(seats: int, options: LewisClarkOptions | None = None, word: str = "rules") -> Turn:
    """Return a game after its setup; `word` makes its draws."""
    return replay.start(game, seats, options or LewisClarkOptions(), *lanes(word, None if seats == 1 else 0))


def play(state: LewisClarkState, text: str, word: str = "rules") -> Turn:
    """Return the turn after these commands of the seat to move, decided one by one without forced steps."""
    turn = turn_at(state, word)
    for step in parse(game, text):
        decide(game, turn, turn.state.seat, step.command)
    return turn


def after(state: LewisClarkState, text: str) -> Player:
    """Return seat 1 after these commands."""
    player: Player = play(state, text).state.players[0]
    return player


def supply(text: str) -> Supply:
    """Return `2 wood, 1 food` as a supply."""
    pairs = (part.split() for part in text.split(", ") if part)
    return Supply.of({name: int(n) for n, name in pairs})


def face_up(*cards: str) -> tuple[Played, ...]:
    return tuple(Played(card=card, indians=1) for card in cards)


def _plain(changes: Mapping[str, Any]) -> dict[str, Any]:
    supplies = ("goods", "village", "deck", "discards", "boats")
    return {
        name: supply(value) if name in supplies and isinstance(value, str) else value for name, value in changes.items()
    }
