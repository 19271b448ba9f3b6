"""The players of this game reach the Pacific: it can be won well within the turns after which it is stopped."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from engine import golden
from engine.games.lewis_clark import boats, game
from engine.games.lewis_clark.meta import CAP
from engine.games.lewis_clark.route import FORT
from engine.kit import legal
from engine.players import Positions, level
from tests.games.lewis_clark.notes import pieces
from tests.games.lewis_clark.policy import line, moves, script, walk
from tests.games.lewis_clark.positions import play, position

MOST_TURNS = 60  # for each player
SEATS = [2, 3, *(pytest.param(seats, marks=pytest.mark.long) for seats in (4, 5))]


@pytest.mark.parametrize("seats", SEATS)
def test_it_reaches_the_pacific(seats: int) -> None:
    """With two to five players, each of them with a plan."""
    last = walk(seats).states[-1]
    assert last.over == "pacific"
    assert last.players[last.winner or 0].camp >= FORT
    assert last.turns <= min(MOST_TURNS * seats, CAP)


@pytest.mark.slow
def test_one_that_slips_reaches_it_too() -> None:
    """Four times easy."""
    last = walk(4, name="easy").states[-1]
    assert last.over == "pacific"
    assert last.turns <= 0.75 * CAP


@pytest.mark.slow
def test_strong_reaches_it_before_mackenzie() -> None:
    """Mackenzie takes at most 38 turns. It does not always succeed; that it can is enough."""
    last = walk(1, "x", "strong").states[-1]
    assert (last.over, last.winner) == ("pacific", 0)
    assert last.turns < FORT


@pytest.mark.parametrize("seats", SEATS)
def test_its_games_lose_and_make_nothing(seats: int) -> None:
    """Cards, Indians and boat tiles are the same at every step; goods find room."""
    states = walk(seats).states
    assert all(pieces(state) == pieces(states[0]) for state in states)
    held = [player for state in states for player in state.players]
    assert all(player.goods.total <= boats.room(player.tiles) for player in held)


def test_every_command_is_one_of_the_legal_ones() -> None:
    """It chooses from the list and from what its seat sees."""
    walked = walk(3)
    for (seat, command), state in zip(walked.commands, walked.states, strict=False):
        assert command in list(legal(game, state, seat))


def test_whole_turns_are_planned() -> None:
    """An answer is a turn, unless a card is drawn on the way."""
    walked = walk(3)
    assert len(moves(walked)) == walked.states[-1].turns


@pytest.mark.parametrize("name", ["fair", "strong"])
def test_it_camps_at_once_where_that_wins(name: str) -> None:
    """Whatever else could be done."""
    state = position(me={"scout": 48, "camp": 30})
    assert [command.__struct_config__.tag for command in line(level(game, name), state, 0, random.Random(1))] == [
        "camp"
    ]


def test_a_copied_action_does_not_explode() -> None:
    """Copies of copies are followed twice at most: with three ways to copy in hand, thought stays small."""
    lying = position(
        2,
        me={"hand": ("sacagawea", "the-partisan", "hunter", "commander"), "indians": 3, "goods": "2 food, 2 wood"},
        village="1 hunting, 1 shamanism, 1 pow-wow",
    )
    state = replace(lying, seats=2)
    budget = Positions(10**6)
    line(level(game, "fair"), state, 0, random.Random(1), budget)
    assert 0 < budget.seen < 10_000


def test_a_turn_that_somebody_else_began_is_finished() -> None:
    """A card has been laid and has no strength yet, as when a seat is taken in the middle of a turn."""
    state = play(position(2), "play hunter").state
    answer = line(level(game, "fair"), state, 0, random.Random(1))
    assert answer[0].__struct_config__.tag in {"under", "indians"}


def test_a_game_of_it_is_a_golden_script() -> None:
    """Its moves, written as a script, lead to the same end."""
    text = golden.write(script(2, "purposeful"))
    assert f"The game is over: {walk(2).states[-1].over}." in text
