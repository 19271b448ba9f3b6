"""Boats are loaded for the least delay; trying every load checks the quick way."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.lewis_clark.boats import camp_time, fleet, room, stow, time
from engine.games.lewis_clark.components import TILES

tiles_of = {load: [boat.name for boat in TILES if boat.holds == load] for load in ("goods", "indians")}
some_tiles = st.fixed_dictionaries(
    {load: st.lists(st.sampled_from(names), max_size=3).map(tuple) for load, names in tiles_of.items()}
)


def least(tiles: tuple[str, ...], load: str, amount: int) -> int:
    """Return the least delay over every way to load these boats."""
    boats = fleet(tiles, load)
    rooms = [range(min(amount if boat.room is None else boat.room, amount) + 1) for boat in boats]
    ways = (loads for loads in product(*rooms) if sum(loads) == amount)
    return min(time(tuple(zip(boats, loads, strict=True))) for loads in ways)


@given(some_tiles, st.integers(0, 8))
def test_goods_are_stowed_for_least_time(tiles: dict[str, tuple[str, ...]], amount: int) -> None:
    assert time(stow(tiles["goods"], "goods", amount)) == least(tiles["goods"], "goods", amount)


@given(some_tiles, st.integers(0, 6))
def test_indians_are_stowed_for_least_time(tiles: dict[str, tuple[str, ...]], amount: int) -> None:
    assert time(stow(tiles["indians"], "indians", amount)) == least(tiles["indians"], "indians", amount)


@given(some_tiles, st.integers(0, 40))
def test_stowing_loses_nothing_and_overloads_no_boat(tiles: dict[str, tuple[str, ...]], amount: int) -> None:
    """For every load that has room."""
    amount = min(amount, room(tiles["goods"]))
    loads = stow(tiles["goods"], "goods", amount)
    assert sum(held for _, held in loads) == amount
    assert all(0 <= held <= (boat.room or 0) for boat, held in loads)


@pytest.mark.parametrize(("goods", "cost"), [(0, 0), (3, 0), (4, 1), (6, 1), (7, 2), (11, 6)])
def test_goods_cost_time_by_their_boat(goods: int, cost: int) -> None:
    """Three cost nothing, three more cost one together, each of the last five costs one."""
    assert camp_time((), goods, 0) == cost


@pytest.mark.parametrize(("indians", "cost"), [(0, 0), (1, 0), (2, 1), (6, 5)])
def test_indians_cost_time_by_their_boat(indians: int, cost: int) -> None:
    """One costs nothing, each further one costs one."""
    assert camp_time((), 0, indians) == cost


def test_boats_cost_as_much_as_in_the_rulebooks_example() -> None:
    """One for three goods, two for two goods, one for an Indian; the card in hand made it five."""
    assert camp_time((), 3 + 3 + 2, 1 + 1) == 1 + 2 + 1


def test_tiles_carry_a_load_for_less_time() -> None:
    """Two goods for nothing, or five for one; one Indian for nothing, or three for one."""
    assert room(("goods-2", "goods-5", "indians-3")) == 11 + 2 + 5
    assert camp_time(("goods-2",), 5, 0) == 0
    assert camp_time(("goods-5",), 8, 0) == 1
    assert camp_time(("indians-1",), 0, 2) == 0
    assert camp_time(("indians-3",), 0, 4) == 1


def test_a_load_without_room_cannot_be_stowed() -> None:
    """The rules for taking goods never allow it."""
    with pytest.raises(ValueError, match="no room for 1 of the goods"):
        stow((), "goods", 12)
