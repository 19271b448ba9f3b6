"""The rest of the game, played on by Livingstone's strong player in its thoughts."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.games.livingstone.components import COLUMNS
from engine.games.livingstone.players.outlook import ENOUGH, Rest, world
from engine.games.livingstone.state import NO_DICE, LivingstoneState
from tests.games.livingstone.positions import position

WORLDS = 20
POINTS = (40, 0, 0, 0, 0)


def outlook(state: LivingstoneState, seat: int = 0) -> float:
    """The mean of some plays, in worlds that are the same for every position."""
    rng, rest = random.Random(1), Rest(state, seat)
    return sum(rest.place(world(state.seats, rng)) for _ in range(WORLDS)) / WORLDS


def test_a_world_has_two_dice_a_player_for_every_column() -> None:
    rolls = world(4, random.Random(1)).rolls
    assert len(rolls) == COLUMNS + 1
    assert {sum(dice) for dice in rolls} == {8}


def test_four_dice_never_show_less_than_four_or_more_than_24() -> None:
    assert ENOUGH[3] == 0
    assert ENOUGH[4] == 1 / 6**4
    assert ENOUGH[23] < ENOUGH[24] == 1


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize(
    "better", [{"points": POINTS}, {"coins": 20}, {"gems": (0, 3, 3)}, {"hand": ("lion", "rhino")}]
)
def test_more_points_coins_gems_or_cards_are_a_better_outlook(seats: int, better: dict[str, Any]) -> None:
    plain, rich = (position(seats, {0: change}, column=6, seat=1) for change in ({}, better))
    assert 0 <= outlook(plain) < outlook(rich) <= 1


def test_the_poorest_has_no_outlook_however_many_points_it_has() -> None:
    """In the last round, when nobody can take a die."""
    rivals = {1: {"coins": 30, "last": 6}, 2: {"coins": 30, "last": 6}}
    state = position(3, {0: {"points": POINTS, "chest": 20}, **rivals}, column=COLUMNS, seat=1, dice=NO_DICE)
    assert outlook(state) < 0.01


def test_coins_in_the_purse_are_lost_without_another_turn() -> None:
    """A seat that cannot take a die any more gives nothing."""
    rivals = {1: {"coins": 30, "last": 6}, 2: {"coins": 30, "last": 6}}
    me = {"points": POINTS, "last": 6}
    purse, chest = (
        position(3, {0: {**me, **coins}, **rivals}, column=COLUMNS, seat=1, dice=NO_DICE)
        for coins in ({"coins": 40}, {"chest": 40})
    )
    assert outlook(purse) < 0.01
    assert outlook(chest) > 0.99


def test_a_die_that_is_left_is_taken_for_the_queen() -> None:
    """The seat has 27 coins and can take a 6; the others have had their last die."""
    rivals = {1: {"coins": 30, "last": 6}, 2: {"coins": 30, "last": 6}}
    taken, left = (
        position(
            3,
            {0: {"points": POINTS, "chest": 27, "last": last}, **rivals},
            column=COLUMNS,
            seat=1,
            dice=(0,) * 5 + (1,),
        )
        for last in (6, 5)
    )
    assert outlook(taken) < 0.01
    assert outlook(left) > 0.5


def test_the_position_is_not_changed_by_playing_on() -> None:
    rest = Rest(position(3), 0)
    chance = world(3, random.Random(1))
    assert rest.place(chance) == rest.place(chance)
