"""Livingstone's house players: stronger levels win, and they give the Queen enough."""

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

THOUGHT = 100  # positions for an answer; in play it is 20,000
TURNS = 60  # with three players; the cap is 200
GAMES = 4


def match(*names: str, number: int = 0) -> Ended:
    policies = tuple(level(game, name) for name in names)
    chosen = LivingstoneOptions()
    return play(
        Match(game=game, options=chosen, names=names, policies=policies, seed="queen", number=number, positions=THOUGHT)
    )


@pytest.mark.slow
def test_fair_beats_easy() -> None:
    """It wins most games of two, with a small part of its usual positions and at either seat."""
    won = sum(
        match(*names, number=number).share(seat)
        for number in range(GAMES)
        for seat, names in enumerate((("fair", "easy"), ("easy", "fair")))
    )
    assert won > GAMES  # of 2 * GAMES


@pytest.mark.parametrize("name", ["easy", "fair", pytest.param("strong", marks=pytest.mark.slow)])
def test_three_of_a_level_reach_the_falls_far_below_the_cap(name: str) -> None:
    ended = match(*[name] * 3)
    assert ended.outcome.reason == "waterfall"
    assert game.turns(ended.state) <= TURNS


def test_a_search_stops_when_its_budget_is_spent() -> None:
    """It finishes the line that it is looking at, and looks at no other position."""
    state = position(4)
    for most in (1, 7, 50, 333):
        budget = Positions(most)
        listed = tuple(legal(game, state, 0))
        facts = Facts(game=game, seat=0, options=LivingstoneOptions(), budget=budget)
        line = level(game, "strong").line(facts, view(game, state, 0), listed, random.Random(1))
        assert line[0] in listed
        assert budget.seen <= most + STRONG.samples


@pytest.mark.parametrize("worth", [plain, shrewd])
def test_a_coin_the_chest_does_not_need_is_worth_more_in_the_purse(worth: Worth) -> None:
    """Until the last column."""
    enough = int(QUEEN) + 4
    kept, given = ({0: {"coins": 4 - coins, "chest": enough + coins}} for coins in (0, 4))
    assert worth(position(2, kept), 0) > worth(position(2, given), 0)


@pytest.mark.parametrize("worth", [plain, shrewd])
def test_a_coin_the_chest_needs_is_worth_more_there(worth: Worth) -> None:
    """In the last column a coin counts for the Queen alone."""
    points = (20, 0, 0, 0, 0)
    kept, given = ({0: {"coins": 8 - coins, "chest": 8 + coins, "points": points}} for coins in (0, 8))
    last = {"column": 10, "seat": 1}
    assert worth(position(2, given, **last), 0) > worth(position(2, kept, **last), 0)
