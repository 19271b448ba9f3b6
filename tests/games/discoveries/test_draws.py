"""The facts behind the bound of public draws (`engine/games/discoveries/meta.py`), checked in random games."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

import pytest

from engine.game import Event
from engine.games.discoveries.cards import COUNT
from engine.games.discoveries.dice import PER_COLOUR
from engine.games.discoveries.events import (
    BankTaken,
    CardExplored,
    DiceRecalled,
    DiceThrown,
    DieOwed,
    DieSpent,
    ExtraTurn,
    GameEnded,
    GreyTaken,
    SetOut,
    TribeWon,
    TurnEnded,
)
from engine.games.discoveries.meta import DRAWS, MOST_DICE, SETUP
from tests.kit.worlds import Table, walked

each_game = pytest.mark.parametrize("table", [Table("discoveries", seats) for seats in (2, 3, 4)], ids=str)
ENDS = (SetOut, TurnEnded, ExtraTurn, GameEnded)
Events = list[Event]


def turns(table: Table) -> Iterator[Events]:
    """The events of each turn, from the one after the setup on."""
    events = [event for step in walked(table) for event in step.events]
    while events:
        end = next(at for at, event in enumerate(events) if isinstance(event, ENDS))
        if not isinstance(events[end], SetOut):
            yield events[: end + 1]
        del events[: end + 1]


def count(events: Events, *kinds: type[Event]) -> int:
    return sum(isinstance(event, kinds) for event in events)


def thrown(events: Events) -> int:
    return sum(len(event.dice) for event in events if isinstance(event, DiceThrown))


def from_bank(events: Events) -> int:
    return sum(len(event.dice) for event in events if isinstance(event, BankTaken))


@each_game
def test_a_rest_rolls_the_dice_it_took(table: Table) -> None:
    """Those of one bank, or at most five of one colour."""
    rests = [turn for turn in turns(table) if count(turn, BankTaken, DiceRecalled)]
    assert rests
    for turn in rests:
        own = [len(event.places) for event in turn if isinstance(event, DiceRecalled)]
        assert thrown(turn) == from_bank(turn) + sum(own)
        assert max(own, default=0) <= PER_COLOUR


@each_game
def test_a_turn_rolls_no_die_that_it_sends_to_a_bank(table: Table) -> None:
    """Without an exploration it rolls only a grey die for each tribe."""
    for turn in turns(table):
        if count(turn, BankTaken, DiceRecalled):
            continue
        back = thrown(turn) - count(turn, GreyTaken, DieOwed)
        assert back == 0 or count(turn, CardExplored)
        assert back + count(turn, DieSpent) <= MOST_DICE


@each_game
def test_rests_take_no_more_from_banks_than_was_sent_there(table: Table) -> None:
    each = accumulate(count(turn, DieSpent) - from_bank(turn) for turn in turns(table))
    assert min(each) >= 0


@each_game
def test_explorations_and_tribes_use_up_cards(table: Table) -> None:
    """Each uses its own card, and a tribe brings at most one grey die."""
    played = [event for turn in turns(table) for event in turn]
    used = [event.card for event in played if isinstance(event, (CardExplored, TribeWon))]
    assert used
    assert len(used) == len(set(used)) <= COUNT
    assert count(played, GreyTaken, DieOwed) <= count(played, TribeWon)


@each_game
def test_the_bound_includes_the_draws_before_the_first_turn(table: Table) -> None:
    """The bound is far above what a random game draws."""
    before = sum(step.public for step in walked(table)) - sum(map(thrown, turns(table)))
    assert 0 < before <= SETUP < DRAWS
