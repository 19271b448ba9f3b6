"""The end of a game: a camp at the fort, or the last turn that may be played."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import replay
from engine.chance import closed_lane
from engine.errors import Refused
from engine.game import Turn
from engine.games.lewis_clark import boats, game
from engine.games.lewis_clark.meta import CAP
from engine.games.lewis_clark.state import LewisClarkState
from engine.kit import active, outcome, parse
from tests.games.lewis_clark.positions import play, position

FOLDER = Path(boats.__file__).parent


def moved(state: LewisClarkState, text: str) -> Turn:
    """Play a whole move with forced steps and without a draw."""
    turn = Turn(state, closed_lane(), closed_lane())
    replay.move(game, turn, state.seat, parse(game, text))
    return turn


def test_a_camp_at_fort_clatsop_ends_the_game_at_once() -> None:
    """Even before the action. More commands after it are refused, and no other seat plays on; the scouts rank them."""
    state = position(me={"scout": 41, "hand": (), "indians": 0})
    with pytest.raises(Refused, match="not-active"):
        moved(state, "camp; play hunter; end")
    turn = moved(state, "camp")
    ended = outcome(game, turn.state)
    assert ended is not None
    assert (ended.places, ended.reason) == (((0,), (2,), (1,)), "pacific")
    assert active(game, turn.state) == ()


def test_below_the_winner_camps_count_before_scouts() -> None:
    """Level players share a place."""
    way = {1: {"camp": 9, "scout": 30}, 2: {"camp": 14, "scout": 15}, 3: {"camp": 9, "scout": 30}}
    ended = outcome(game, position(4, players=way, over="pacific", winner=0))
    assert ended is not None
    assert ended.places == ((0,), (2,), (1, 3))


def test_under_the_first_rules_all_others_share_second_place() -> None:
    """So do games that began before the second version, whatever is installed when they end."""
    ended = outcome(game, position(rules=1, over="pacific", winner=1))
    assert ended is not None
    assert ended.places == ((1,), (0, 2))


def test_a_camp_that_falls_short_does_not_end_it() -> None:
    """The scout beyond the fort went back to 38."""
    state = position(me={"scout": 39, "hand": ("hunter",), "indians": 0})
    assert not play(state, "camp").state.over


def test_a_scout_at_the_fort_does_not_end_it() -> None:
    state = position(me={"scout": 38, "hand": ("commander",), "indians": 1, "goods": "1 food"})
    assert not play(state, "play commander; indians 1; use as food").state.over


def test_at_the_cap_the_race_is_ranked() -> None:
    """By camps, then by scouts, and not one turn earlier."""
    assert outcome(game, moved(position(acted=True, turns=CAP - 1), "end").state) is None
    turn = moved(position(acted=True, turns=CAP), "end")
    ended = outcome(game, turn.state)
    assert ended is not None
    assert (ended.places, ended.reason) == (((2,), (1,), (0,)), "undecided")


def test_at_the_cap_camps_count_before_scouts() -> None:
    """A scout far ahead does not make up for its camp; scouts decide between level camps."""
    camps = {0: {"camp": 9, "scout": 20}, 1: {"camp": 14, "scout": 15}, 2: {"camp": 9, "scout": 30}}
    ended = outcome(game, position(players=camps, turns=CAP + 1))
    assert ended is not None
    assert ended.places == ((1,), (2,), (0,))
