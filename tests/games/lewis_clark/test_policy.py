"""House players reach the Pacific well before the cap."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from engine import golden
from engine.games.lewis_clark import boats, game
from engine.games.lewis_clark.commands import Camp
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
def test_fair_players_reach_the_pacific(seats: int) -> None:
    """With two to five players."""
    last = walk(seats).states[-1]
    assert last.over == "pacific"
    assert last.players[last.winner or 0].camp >= FORT
    assert last.turns <= min(MOST_TURNS * seats, CAP)


@pytest.mark.slow
def test_easy_players_reach_the_pacific() -> None:
    """Four times easy."""
    last = walk(4, name="easy").states[-1]
    assert last.over == "pacific"
    assert last.turns <= 0.75 * CAP


@pytest.mark.slow
def test_a_strong_player_can_beat_mackenzie() -> None:
    """Mackenzie takes at most 38 turns. The player does not always win; one win is enough."""
    last = walk(1, "x", "strong").states[-1]
    assert (last.over, last.winner) == ("pacific", 0)
    assert last.turns < FORT


@pytest.mark.parametrize("seats", SEATS)
def test_games_of_levels_conserve_their_pieces(seats: int) -> None:
    """Cards, Indians and boat tiles stay the same at every step, and goods have room."""
    states = walk(seats).states
    assert all(pieces(state) == pieces(states[0]) for state in states)
    held = [player for state in states for player in state.players]
    assert all(player.goods.total <= boats.room(player.tiles) for player in held)


def test_every_command_of_a_level_is_legal() -> None:
    """It chooses from the list and the view of its seat."""
    walked = walk(3)
    for (seat, command), state in zip(walked.commands, walked.states, strict=False):
        assert command in list(legal(game, state, seat))


def test_a_level_answers_with_a_whole_turn() -> None:
    """An answer is a turn, unless a card is drawn on the way."""
    walked = walk(3)
    assert len(moves(walked)) == walked.states[-1].turns


@pytest.mark.parametrize("name", ["fair", "strong"])
def test_a_level_camps_at_once_if_that_wins(name: str) -> None:
    """With any other choices."""
    state = position(me={"scout": 48, "camp": 30})
    assert [command.__struct_config__.tag for command in line(level(game, name), state, 0, random.Random(1))] == [
        "camp"
    ]


@pytest.mark.parametrize("name", ["easy", "fair", "strong"])
def test_a_level_that_is_stuck_camps(name: str) -> None:
    """A single card without strength, and nothing to bring back."""
    state = position(me={"hand": ("hunter",), "indians": 0, "table": (), "goods": ""})
    assert line(level(game, name), state, 0, random.Random(1)) == (Camp(),)


def test_thinking_about_copies_stays_small() -> None:
    """Copies of copies are followed at most twice, even with three ways to copy in hand."""
    lying = position(
        2,
        me={"hand": ("sacagawea", "the-partisan", "hunter", "commander"), "indians": 3, "goods": "2 food, 2 wood"},
        village="1 hunting, 1 shamanism, 1 pow-wow",
    )
    state = replace(lying, seats=2)
    budget = Positions(10**6)
    line(level(game, "fair"), state, 0, random.Random(1), budget)
    assert 0 < budget.seen < 10_000


def test_a_level_finishes_a_turn_that_another_player_began() -> None:
    """A card has been played and has no strength yet, as when a seat changes hands in the middle of a turn."""
    state = play(position(2), "play hunter").state
    answer = line(level(game, "fair"), state, 0, random.Random(1))
    assert answer[0].__struct_config__.tag in {"under", "indians"}


def test_a_game_of_levels_can_become_a_golden_game() -> None:
    """Its moves, written as a script, lead to the same end."""
    text = golden.write(script(2, "purposeful"))
    assert f"The game is over: {walk(2).states[-1].over}." in text
