"""Livingstone's house players: stronger levels win, and they give the Queen enough."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from client.players.arena import Pairing, run
from client.players.matches import Ended, Match, play
from engine import replay
from engine.games.livingstone import game
from engine.games.livingstone.commands import Coins, Donate
from engine.games.livingstone.events import GameEnded, Passed
from engine.games.livingstone.meta import LivingstoneOptions
from engine.games.livingstone.players.easy import weight
from engine.games.livingstone.players.evaluate import QUEEN
from engine.games.livingstone.players.next_die import next_die
from engine.games.livingstone.players.search import STRONG, plain, shrewd, tidy
from engine.games.livingstone.state import NO_DICE, LivingstoneState, Player
from engine.kit import Step, format_steps, legal, parse, view
from engine.players import Facts, Positions, level, players
from engine.players.contract import Worth
from engine.players.habits import of_any_game
from tests.games.livingstone.positions import play as moved
from tests.games.livingstone.positions import position
from tests.kit.worlds import turn_at

THOUGHT = 100  # positions for an answer; in play it is 20,000
TURNS = 60  # with three players; the cap is 200
GAMES = 4


def match(*names: str, number: int = 0, most: int = THOUGHT) -> Ended:
    policies = tuple(level(game, name) for name in names)
    chosen = LivingstoneOptions()
    return play(
        Match(game=game, options=chosen, names=names, policies=policies, seed="queen", number=number, positions=most)
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
        assert budget.seen <= most + STRONG.wide.samples


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


# --- the Queen at the falls -------------------------------------------------------------------------------------------

AHEAD = (40, 0, 0, 0, 0)
SEARCHERS = ("fair", "strong")


def at_the_falls(name: str, rivals: Mapping[int, Mapping[str, Any]], dice: tuple[int, ...] = NO_DICE) -> Player:
    """Seat 1 leads by far with a chest of 12, a coin and two gems; it is its last turn. Return it after the turn."""
    me = {"points": AHEAD, "chest": 12, "coins": 1, "gems": (0, 1, 1), "last": 6}
    state = position(3, {0: me, **rivals}, column=10, seat=0, dice=dice)
    return after_turn(name, state).players[0]


def after_turn(name: str, state: LivingstoneState, chance: int = 1) -> LivingstoneState:
    """The position after the whole turn of seat 1 by this level."""
    turn, rng = turn_at(state), random.Random(chance)
    while not any(isinstance(event, Passed | GameEnded) for event in turn.events):
        facts = Facts(game=game, seat=0, options=LivingstoneOptions())
        listed = tuple(legal(game, turn.state, 0))
        line = level(game, name).line(facts, view(game, turn.state, 0), listed, rng)
        replay.move(game, turn, 0, tuple(map(Step, line)))
    return turn.state


@pytest.mark.parametrize("name", SEARCHERS)
def test_gems_are_sold_when_the_poorest_rival_can_still_sell_its_own(name: str) -> None:
    """A rival with 9 coins and 10 coins' worth of gems may give 19 in its next turn; 12 and a coin were too few."""
    poor = {"coins": 9, "chest": 0, "gems": (0, 0, 2)}
    me = at_the_falls(name, {1: {**poor, "last": 5}, 2: {"coins": 30}}, dice=(0, 0, 0, 0, 0, 1))
    assert me.chest == 21


@pytest.mark.parametrize("name", SEARCHERS)
def test_gems_are_sold_when_the_poorest_rival_can_still_take_dice(name: str) -> None:
    """A rival with 11 coins may take 6 more."""
    me = at_the_falls(name, {1: {"coins": 11}, 2: {"coins": 30}}, dice=(0, 0, 0, 0, 1, 1))
    assert me.chest > 11 + 6


@pytest.mark.parametrize("name", SEARCHERS)
def test_gems_stay_unsold_when_the_chest_has_enough(name: str) -> None:
    """Each of them is a point at the end."""
    me = at_the_falls(name, {1: {"coins": 5, "last": 6}, 2: {"coins": 30}}, dice=(0, 0, 0, 0, 0, 1))
    assert me.gems == (0, 1, 1)


@pytest.mark.parametrize("worth", [shrewd])
def test_gems_that_the_queen_will_want_are_not_held_for_long(worth: Worth) -> None:
    """The mine accident takes gems, not coins: with rivals far richer, 24 coins are worth more than such gems."""
    rivals = {1: {"coins": 30}, 2: {"coins": 30}}
    held = position(3, {0: {"coins": 2, "gems": (0, 3, 3)}, **rivals}, column=8)
    sold = position(3, {0: {"coins": 2, "chest": 24}, **rivals}, column=8)
    assert worth(sold, 0) > worth(held, 0)


SEATS = [5, *(pytest.param(seats, marks=pytest.mark.long) for seats in (2, 4))]


@pytest.mark.slow
@pytest.mark.parametrize("seats", SEATS)
def test_easy_beats_three_of_four_random_players(seats: int) -> None:
    """At two seats and at most, in the games of `docs/players.md`."""
    assert _ahead("easy", "random", seats, games=40) >= 0.75


@pytest.mark.slow
@pytest.mark.parametrize("seats", SEATS)
def test_fair_beats_three_of_four_greedy_players(seats: int) -> None:
    """In the first ten of those games, with all its usual positions: with 100 of them it looks at too little."""
    assert _ahead("fair", "greedy", seats, games=10) >= 0.75


@pytest.mark.slow
@pytest.mark.long
def test_strong_beats_three_of_four_fair_players() -> None:
    """In the first six games of two, with all its usual positions."""
    assert _ahead("strong", "fair", seats=2, games=6) >= 0.75


def _ahead(one: str, others: str, seats: int, games: int) -> float:
    chosen = LivingstoneOptions()
    pairing = Pairing(game=game, seats=seats, options=chosen, one=one, others=others, games=games, seed="players")
    return run(pairing).ahead


# --- the dice of a round ----------------------------------------------------------------------------------------------


def test_the_next_die_is_worth_less_the_more_players_choose_before() -> None:
    """A 6 leaves none, and with nobody else it is a die above the last one for sure."""
    dice = (0, 0, 1, 1, 0, 1)
    assert next_die(dice, 6, 0) == 0
    assert next_die(dice, 3, 0) == 5
    assert 5 > next_die(dice, 3, 1) > next_die(dice, 3, 2) > next_die(dice, 3, 3) == 0


def test_easy_likes_a_low_die_that_leaves_a_high_one() -> None:
    """If the others have had their last die, 2 and then 6 bring more than 6 alone."""
    state = position(3, {1: {"last": 6}, 2: {"last": 6}}, dice=(0, 1, 0, 0, 0, 1))
    seen = view(game, state, 0)
    assert weight(seen, 0, Coins(2)) > weight(seen, 0, Coins(6))


def test_strong_takes_a_low_die_before_the_last_high_one() -> None:
    """Rivals have 30 coins and no die left; 22 and a 6 are too few for the Queen, with a 5 before they are enough."""
    rivals = {1: {"coins": 30, "last": 6}, 2: {"coins": 30, "last": 6}}
    state = position(3, {0: {"chest": 22, "points": AHEAD}, **rivals}, column=10, dice=(0, 0, 0, 0, 1, 1))
    me = after_turn("strong", state).players[0]
    assert me.last == 5
    assert me.wealth >= 27


@pytest.mark.parametrize("worth", [plain, shrewd])
def test_a_die_that_can_still_be_taken_is_worth_something(worth: Worth) -> None:
    """To a player whose chest lacks coins."""
    rivals = {1: {"coins": 30, "last": 6}, 2: {"coins": 30, "last": 6}}
    taken, left = (position(3, {0: {"last": last}, **rivals}, dice=(0, 0, 0, 0, 0, 1)) for last in (6, 5))
    assert worth(left, 0) > worth(taken, 0)


def test_the_last_coins_of_the_game_go_to_the_queen() -> None:
    """The chests of others are hidden, but not their sums: 26 coins may be too few, and 34 are not."""
    me = {"points": AHEAD, "coins": 8, "chest": 26, "gems": (2, 0, 0), "last": 6}
    rivals = {1: {"coins": 35, "last": 6}, 2: {"coins": 30, "last": 6}}
    for chance in range(5):
        state = position(3, {0: me, **rivals}, column=10, seat=0, todo=0, dice=NO_DICE)
        assert after_turn("strong", state, chance).players[0].chest > 30


# --- how a turn is written --------------------------------------------------------------------------------------------


def test_sales_of_a_colour_and_gifts_are_made_at_once() -> None:
    """In a line that leads to the same position, and begins with a legal command; what is between draws stays there."""
    state = position(3, {0: {"coins": 4, "gems": (1, 3, 0)}})
    pieces = (
        "donate 1; donate 1; sell 1 blue; donate 5; sell 1 blue; sell 1 clear; donate 1; coins 2; donate 1; donate 2"
    )
    line = tidy(tuple(step.command for step in parse(game, pieces)))
    neat = format_steps(tuple(map(Step, line)))
    assert neat == "sell 2 blue; sell 1 clear; donate 8; coins 2; donate 3"
    assert line[0] in tuple(legal(game, state, 0))
    assert moved(state, neat).state == moved(state, pieces).state


@pytest.mark.parametrize("name", SEARCHERS)
def test_a_search_splits_no_gift(name: str) -> None:
    """Strong once gave 13 coins one by one."""
    state = position(
        3, {0: {"coins": 30, "last": 6}, 1: {"coins": 29}, 2: {"coins": 30}}, column=10, seat=0, dice=NO_DICE
    )
    listed, facts = tuple(legal(game, state, 0)), Facts(game=game, seat=0, options=LivingstoneOptions())
    line = level(game, name).line(facts, view(game, state, 0), listed, random.Random(1))
    assert sum(isinstance(command, Donate) for command in line) == 1


# --- habits -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_strong_has_none_of_the_absurd_habits() -> None:
    """It is not out with coins and gems that would have saved it, and seldom takes the first command of its list."""
    ended = match(*["strong"] * 3, most=400)
    for seat in range(3):
        found = players("livingstone").habits(ended.story, ended.state, seat)
        assert found["out, and coins and gems would have saved it"].count == 0
        assert of_any_game(ended.story, seat)["first of its list"].rate < 1 / 3
