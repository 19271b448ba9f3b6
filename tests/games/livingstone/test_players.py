"""Livingstone's players: their games end in the order of their levels, and they give the Queen what is her due."""

from __future__ import annotations

import random

import pytest

from client.players.matches import Ended, Match, play
from engine.games.livingstone import game
from engine.games.livingstone.meta import LivingstoneOptions
from engine.games.livingstone.players.evaluate import QUEEN
from engine.games.livingstone.players.search import STRONG, plain, shrewd
from engine.kit import legal, view
from engine.players import Facts, Positions, level
from engine.players.contract import Worth
from tests.games.livingstone.positions import position

THOUGHT = 100  # positions for an answer, where players have 20,000
TURNS = 60  # of three; the cap is 200
GAMES = 4


def match(*names: str, number: int = 0) -> Ended:
    policies = tuple(level(game, name) for name in names)
    chosen = LivingstoneOptions()
    return play(
        Match(game=game, options=chosen, names=names, policies=policies, seed="queen", number=number, positions=THOUGHT)
    )


@pytest.mark.slow
def test_a_plan_beats_what_is_merely_sensible() -> None:
    """Fair is first in most games of two, with a small part of its thought and at either seat."""
    won = sum(
        match(*names, number=number).share(seat)
        for number in range(GAMES)
        for seat, names in enumerate((("fair", "easy"), ("easy", "fair")))
    )
    assert won > GAMES  # of twice as many


@pytest.mark.parametrize("name", ["easy", "fair", pytest.param("strong", marks=pytest.mark.slow)])
def test_three_of_a_level_reach_the_falls(name: str) -> None:
    """In turns far below the cap."""
    ended = match(*[name] * 3)
    assert ended.outcome.reason == "waterfall"
    assert game.turns(ended.state) <= TURNS


def test_a_search_stops_when_its_budget_is_spent() -> None:
    """At any point: the plays of one line more, and no other position."""
    state = position(4)
    for most in (1, 7, 50, 333):
        budget = Positions(most)
        listed = tuple(legal(game, state, 0))
        facts = Facts(game=game, seat=0, options=LivingstoneOptions(), budget=budget)
        line = level(game, "strong").line(facts, view(game, state, 0), listed, random.Random(1))
        assert line[0] in listed
        assert budget.seen <= most + STRONG.samples


@pytest.mark.parametrize("worth", [plain, shrewd])
def test_a_coin_in_the_chest_buys_no_tent(worth: Worth) -> None:
    """While there are columns to come, one that is not needed there is worth more in the purse."""
    enough = int(QUEEN) + 4
    kept, given = ({0: {"coins": 4 - coins, "chest": enough + coins}} for coins in (0, 4))
    assert worth(position(2, kept), 0) > worth(position(2, given), 0)


@pytest.mark.parametrize("worth", [plain, shrewd])
def test_a_chest_that_lacks_is_worth_more_than_the_purse(worth: Worth) -> None:
    """In the last column nothing else is: a coin counts for the Queen alone."""
    points = (20, 0, 0, 0, 0)
    kept, given = ({0: {"coins": 8 - coins, "chest": 8 + coins, "points": points}} for coins in (0, 8))
    last = {"column": 10, "seat": 1}
    assert worth(position(2, given, **last), 0) > worth(position(2, kept, **last), 0)
