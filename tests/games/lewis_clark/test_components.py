"""The figures of the box: complete, with sources, and marked where they are our own choice."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.games.lewis_clark import components, route
from engine.games.lewis_clark.components import BOARD, FIGURES, GOODS, INDIANS, PRIMARY, TILES, VILLAGE, stock


def test_every_figure_exists() -> None:
    """A figure names a constant of the components or the route, or a field of its rows."""
    for figure in FIGURES:
        name, _, field = figure.field.partition(".")
        found = getattr(components, name, None) or getattr(route, name)
        assert not field or all(hasattr(row, field) for row in found)


def test_house_figures_are_marked() -> None:
    """Six of the eight badges of the solo game."""
    assert {figure.field for figure in FIGURES if figure.confidence == "house"} == {"VILLAGE.badge"}


def test_the_two_known_badges_of_the_village_are_food() -> None:
    """And every primary good has two of the eight."""
    assert {place.name for place in VILLAGE if place.badge == "food"} == {"hunting", "shamanism"}
    assert Counter(place.badge for place in VILLAGE) == dict.fromkeys(PRIMARY, 2)


def test_the_village_has_seven_circles_and_two_semicircles() -> None:
    """Only the expedition upgrade has two circles."""
    circles = {place.name: place.circles for place in VILLAGE}
    assert circles.pop("upgrade") == 2
    assert Counter(circles.values()) == {1: 5, 0: 2}


@pytest.mark.parametrize(("seats", "beside"), [(1, 4), (2, 6), (3, 8), (4, 10), (5, 12)])
def test_the_number_of_indians_follows_from_the_number_of_players(seats: int, beside: int) -> None:
    """Three and three for each player; without one aboard each and one newcomer, two and two for each player."""
    assert INDIANS[seats - 1] == 3 + 3 * seats
    assert stock(seats) == beside


def test_the_board_carries_eleven_goods_and_any_number_of_indians() -> None:
    assert sum(boat.room or 0 for boat in BOARD if boat.holds == "goods") == 11
    assert [boat.room for boat in BOARD if boat.holds == "indians"] == [1, None]


def test_a_tile_has_a_small_side_that_costs_nothing_and_a_large_one_that_costs_one() -> None:
    for small, large in (TILES[:2], TILES[2:]):
        assert small.holds == large.holds
        assert (small.room or 0) < (large.room or 0)
        assert (small.time, large.time) == ("none", "once")


def test_four_goods_are_primary_and_two_are_made() -> None:
    assert set(GOODS) - set(PRIMARY) == {"canoe", "horse"}
