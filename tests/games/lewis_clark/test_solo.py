"""Mackenzie's scout and the village's badges in the solo game."""

from __future__ import annotations

import pytest

from engine.games.lewis_clark import route, solo
from engine.games.lewis_clark.components import MACKENZIE


@pytest.mark.parametrize("level", range(MACKENZIE[0], MACKENZIE[1] + 1))
def test_he_starts_as_far_ahead_as_the_level_says(level: int) -> None:
    """At level 0 he stands at Saint Louis, too."""
    assert solo.start(level) == level


def test_he_moves_one_forward_over_any_terrain() -> None:
    assert [solo.step(space, ()) for space in (0, 18, 31)] == [1, 19, 32]


def test_he_goes_on_to_a_free_space() -> None:
    assert solo.step(4, (5,)) == 6


def test_he_wins_at_the_fort() -> None:
    assert [solo.won(space) for space in (route.FORT - 1, route.FORT)] == [False, True]


def test_each_occupied_place_lends_its_badge() -> None:
    """Hunting and shamanism are food, and two Indians on one place lend it once."""
    assert solo.badges(("hunting", "shamanism", "canoes"), "food") == 2
    assert solo.badges(("hunting", "shamanism", "canoes"), "wood") == 1
    assert solo.badges((), "food") == 0
