"""What a player imagines of others: any card that he has not seen, any way to part purse and chest."""

from __future__ import annotations

import pytest

from engine.games.livingstone import game
from engine.games.livingstone.components import HOUSE, names_and_counts
from tests.games.livingstone.positions import position
from tests.kit.imagined import shares

HANDS = {0: {"hand": ("cave", "lion")}, 1: {"hand": ("steamer",), "coins": 1, "chest": 2}, 2: {"hand": ("market",)}}


def test_a_hidden_card_is_any_of_the_unseen_by_their_number() -> None:
    """Seen are the own two; the accident is in no hand."""
    left = names_and_counts(HOUSE.copies) | {"mine-accident": 0}
    left |= {"cave": left["cave"] - 1, "lion": left["lion"] - 1}
    found = shares(game, position(players=HANDS), 0, lambda world: world.players[2].hand[0])
    expected = {card: count / sum(left.values()) for card, count in left.items() if count}
    assert found == pytest.approx(expected, abs=0.03)


def test_a_second_hidden_card_is_not_one_that_somebody_else_holds() -> None:
    """What one is imagined to hold is not left for another."""
    one = {card: 1 for card, count in names_and_counts(HOUSE.copies).items() if count == 1 and card != "mine-accident"}
    found = shares(game, position(players=HANDS), 0, lambda world: (world.players[1].hand[0], world.players[2].hand[0]))
    assert not [pair for pair in found if pair[0] == pair[1] and pair[0] in one]


def test_the_sum_of_purse_and_chest_may_be_parted_in_any_way() -> None:
    """Three coins: none to three of them in the chest."""
    found = shares(game, position(players=HANDS), 0, lambda world: world.players[1].chest)
    assert found == pytest.approx({0: 1 / 4, 1: 1 / 4, 2: 1 / 4, 3: 1 / 4}, abs=0.03)


def test_what_is_ones_own_is_not_imagined() -> None:
    """The owner's worlds hold his cards and coins."""
    found = shares(game, position(players=HANDS), 1, lambda world: (world.players[1].hand, world.players[1].chest))
    assert found == {(("steamer",), 2): 1}
