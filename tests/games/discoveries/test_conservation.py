"""No die and no card is lost or made at any step of random games with any number of players."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.games.discoveries.cards import COUNT
from engine.games.discoveries.dice import COLOURS, GREYS, PER_COLOUR
from engine.games.discoveries.state import DiscoveriesState
from tests.games.discoveries.notes import cards_of, dice_of, variants
from tests.kit.worlds import Table, walked

IN_PLAY = {2: 30, 3: 40, 4: 50}

each_game = pytest.mark.parametrize(
    "table", [Table("discoveries", seats, name) for seats in IN_PLAY for name in ("default", *variants)], ids=str
)


def states(table: Table) -> list[DiscoveriesState]:
    return [step.after for step in walked(table)]


@each_game
def test_the_number_of_dice_of_each_colour_never_changes(table: Table) -> None:
    """Five of each player's colour and the grey ones of the stock, before and after each step."""
    expected = {**dict.fromkeys(COLOURS[: table.seats], PER_COLOUR), "grey": GREYS[table.seats]}
    assert all({colour: n for colour, n in dice_of(state).items() if n} == expected for state in states(table))


@each_game
def test_every_card_is_in_one_place(table: Table) -> None:
    """All 55 are in the deck, in the Camp, with a player, or not in the game."""
    assert all(sorted(cards_of(state)) == list(range(1, COUNT + 1)) for state in states(table))


@each_game
def test_the_number_of_players_decides_how_many_cards_are_used(table: Table) -> None:
    """30, 40 or 50 cards play; the others are out from the first step to the last."""
    set_aside = {state.removed for state in states(table)}
    assert [len(cards) for cards in set_aside] == [COUNT - IN_PLAY[table.seats]]


@each_game
def test_the_deck_only_shrinks(table: Table) -> None:
    """No card comes back into the deck, and the top card was below before."""
    for before, after in pairwise(states(table)):
        assert {*after.deck, after.top} <= {*before.deck, before.top, 0}


@each_game
def test_journals_and_tribes_only_grow(table: Table) -> None:
    for before, after in pairwise(states(table)):
        for old, new in zip(before.players, after.players, strict=True):
            assert new.journal[: len(old.journal)] == old.journal
            assert new.tribes[: len(old.tribes)] == old.tribes


@each_game
def test_the_camp_is_full_between_turns(table: Table) -> None:
    """There are three tribes and three territories as long as the deck has cards."""
    for step in walked(table):
        state = step.after
        if state.top and not state.choosing and any(type(event).__name__ == "TurnEnded" for event in step.events):
            assert (len(state.encounters), len(state.territories)) == (3, 3)


@each_game
def test_a_write_die_lies_only_on_a_prepared_action_of_its_owner(table: Table) -> None:
    for state in states(table):
        for player in state.players:
            for action in player.actions:
                assert action.ready or not action.write
                assert not action.space.isdigit() or int(action.space) in player.tribes
