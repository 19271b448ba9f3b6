"""Mackenzie's scout and the village's badges, by themselves and in play."""

from __future__ import annotations

import pytest

from engine import replay
from engine.chance import closed_lane
from engine.game import Turn
from engine.games.lewis_clark import game, route, solo
from engine.games.lewis_clark.commands import Concede, End
from engine.games.lewis_clark.components import MACKENZIE
from engine.games.lewis_clark.meta import LewisClarkOptions
from engine.kit import legal, outcome
from tests.games.lewis_clark.positions import after, lay, play, position, supply


@pytest.mark.parametrize("level", range(MACKENZIE[0], MACKENZIE[1] + 1))
def test_the_level_is_mackenzies_head_start(level: int) -> None:
    """At level 0 the scout starts at Saint Louis."""
    assert solo.start(level) == level


def test_mackenzie_moves_one_space_over_any_terrain() -> None:
    assert [solo.step(space, ()) for space in (0, 18, 31)] == [1, 19, 32]


def test_mackenzie_steps_over_the_player() -> None:
    assert solo.step(4, (5,)) == 6


def test_mackenzie_wins_at_the_fort() -> None:
    assert [solo.won(space) for space in (route.FORT - 1, route.FORT)] == [False, True]


def test_each_occupied_place_lends_its_badge() -> None:
    """Hunting and shamanism are food, and two Indians on one place lend it once."""
    assert solo.badges(("hunting", "shamanism", "canoes"), "food") == 2
    assert solo.badges(("hunting", "shamanism", "canoes"), "wood") == 1
    assert solo.badges((), "food") == 0


# --- in play --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", range(8))
def test_a_game_starts_mackenzie_by_the_level(level: int) -> None:
    assert lay(1, LewisClarkOptions(level=level)).state.mackenzie == level


def test_mackenzie_moves_after_each_turn() -> None:
    """One space, and over the scout of the player to the next free one."""
    assert play(position(1, mackenzie=7), "play hunter; under commander; stop; end").state.mackenzie == 8
    assert play(position(1, mackenzie=1), "play hunter; under commander; stop; end").state.mackenzie == 3


def test_mackenzie_wins_at_fort_clatsop() -> None:
    turn = play(position(1, mackenzie=38), "play hunter; under commander; stop; end")
    ended = outcome(game, turn.state)
    assert ended is not None
    assert (ended.places, ended.out, ended.won, ended.reason) == (((0,),), (0,), False, "mackenzie")


def test_a_single_player_wins_with_the_camp() -> None:
    turn = play(position(1, me={"scout": 40, "hand": (), "indians": 0}, mackenzie=38), "camp")
    ended = outcome(game, turn.state)
    assert ended is not None
    assert (ended.places, ended.out, ended.reason) == (((0,),), (), "pacific")


def test_occupied_places_lend_their_badges_to_a_single_player() -> None:
    """Hunting and shamanism show food; two Indians on one place show it once."""
    state = position(1, me={"hand": ("hunter",), "indians": 1}, village="1 hunting, 1 shamanism, 1 pow-wow")
    assert after(state, "play hunter; indians 1; use").goods == supply("3 food")


def test_the_village_lends_no_badges_to_several_players() -> None:
    state = position(2, me={"hand": ("hunter",), "indians": 1}, village="1 hunting")
    assert after(state, "play hunter; indians 1; use").goods == supply("2 food")


def test_a_scout_does_not_share_mackenzies_space() -> None:
    state = position(1, me={"hand": ("commander",), "indians": 1, "goods": "1 food"}, mackenzie=4)
    assert after(state, "play commander; indians 1; use as food").scout == 5


def test_the_default_move_of_a_single_player_gives_up_the_race() -> None:
    """Nobody else waits, and the player would be to move again at once."""
    state = position(1, mackenzie=4)
    assert game.default(state, 0) == Concede()
    assert play(state, "concede").state.over == "mackenzie"


def test_no_end_is_forced_on_a_single_player() -> None:
    """Giving up is always allowed between actions, so nothing else is the only step."""
    state = position(1, me={"hand": ("hunter",), "goods": ""}, mackenzie=4, acted=True, camped=True)
    assert game.forced(state, 0) is None
    assert set(legal(game, state, 0)) == {End(), Concede()}


def test_a_single_player_who_resigns_comes_last() -> None:
    turn = Turn(position(1, mackenzie=4), closed_lane(), closed_lane())
    replay.resign(game, turn, 0)
    ended = outcome(game, turn.state)
    assert ended is not None
    assert (ended.places, ended.reason) == (((0,),), "resigned")
