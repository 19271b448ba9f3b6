"""A player's guess about others: any unseen card, any division of purse and chest."""

from __future__ import annotations

import pytest

from conformance.imagined import shares
from engine.games.livingstone import game
from engine.games.livingstone.components import HOUSE, names_and_counts
from tests.games.livingstone.positions import position

HANDS = {0: {"hand": ("cave", "lion")}, 1: {"hand": ("steamer",), "coins": 1, "chest": 2}, 2: {"hand": ("market",)}}


def test_a_hidden_card_is_imagined_in_proportion_to_the_unseen_copies() -> None:
    """The player has seen the two in their own hand; the accident is in no hand."""
    left = names_and_counts(HOUSE.copies) | {"mine-accident": 0}
    left |= {"cave": left["cave"] - 1, "lion": left["lion"] - 1}
    found = shares(game, position(players=HANDS), 0, lambda world: world.players[2].hand[0])
    expected = {card: count / sum(left.values()) for card, count in left.items() if count}
    assert found == pytest.approx(expected, abs=0.03)


def test_a_card_is_imagined_in_one_hand_only() -> None:
    """A copy that one player is imagined to hold is not left for another."""
    one = {card: 1 for card, count in names_and_counts(HOUSE.copies).items() if count == 1 and card != "mine-accident"}
    found = shares(game, position(players=HANDS), 0, lambda world: (world.players[1].hand[0], world.players[2].hand[0]))
    assert not [pair for pair in found if pair[0] == pair[1] and pair[0] in one]


def test_the_sum_of_purse_and_chest_is_imagined_divided_in_every_way() -> None:
    """Of three coins none to three are in the chest."""
    found = shares(game, position(players=HANDS), 0, lambda world: world.players[1].chest)
    assert found == pytest.approx({0: 1 / 4, 1: 1 / 4, 2: 1 / 4, 3: 1 / 4}, abs=0.03)


def test_a_player_does_not_imagine_their_own_cards_and_coins() -> None:
    """Every imagined world has the true ones."""
    found = shares(game, position(players=HANDS), 1, lambda world: (world.players[1].hand, world.players[1].chest))
    assert found == {(("steamer",), 2): 1}
