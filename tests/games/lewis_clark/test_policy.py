"""A purposeful player reaches the Pacific: the game can be won well within the turns after which it is stopped."""

from __future__ import annotations

import pytest

from engine import golden
from engine.games.lewis_clark import boats, game
from engine.games.lewis_clark.meta import CAP
from engine.games.lewis_clark.route import FORT
from engine.kit import legal
from tests.games.lewis_clark.notes import pieces
from tests.games.lewis_clark.policy import ALONE, Mind, Policy, Walk, imagined, script, walk
from tests.games.lewis_clark.positions import position

MOST_TURNS = 60  # for each player
QUICK = Mind(kept=1)  # follows the first good line: plays worse, and in a third of the time


def alone() -> Walk:
    """One player, who is before Mackenzie at the Pacific."""
    return walk(1, "x", ALONE)


def test_it_reaches_the_pacific_before_mackenzie() -> None:
    """Mackenzie takes at most 38 turns. It does not always succeed; that it can is enough."""
    last = alone().states[-1]
    assert (last.over, last.winner) == ("pacific", 0)
    assert last.turns < FORT


@pytest.mark.parametrize("seats", range(2, 6))
def test_it_reaches_the_pacific(seats: int) -> None:
    """With two to five players, each of them purposeful."""
    last = walk(seats, mind=QUICK).states[-1]
    assert last.over == "pacific"
    assert last.players[last.winner or 0].camp >= FORT
    assert last.turns <= min(MOST_TURNS * seats, CAP)


@pytest.mark.parametrize("seats", range(2, 6))
def test_its_games_lose_and_make_nothing(seats: int) -> None:
    """Cards, Indians and boat tiles are the same at every step; goods find room."""
    states = walk(seats, mind=QUICK).states
    assert all(pieces(state) == pieces(states[0]) for state in states)
    held = [player for state in states for player in state.players]
    assert all(player.goods.total <= boats.room(player.tiles) for player in held)


def test_every_command_is_one_of_the_legal_ones() -> None:
    """It chooses from the list and from what its seat sees."""
    walked = alone()
    for (seat, command), state in zip(walked.commands, walked.states, strict=False):
        assert command in list(legal(game, state, seat))


def test_what_it_imagines_looks_like_what_it_sees() -> None:
    """All but what was drawn or will be."""
    state = position()
    seen, thought = game.view(state, 0), game.view(imagined(game.view(state, 0)), 0)
    names = [name for name in seen.__struct_fields__ if name not in {"deck", "discards", "possible", "example"}]
    assert all(getattr(seen, name) == getattr(thought, name) for name in names)


def test_it_camps_at_once_where_that_wins() -> None:
    """Whatever else could be done."""
    state = position(me={"scout": 48, "camp": 30})
    assert Policy(Mind()).choose(game.view(state, 0), legal(game, state, 0)).__struct_config__.tag == "camp"


def test_a_game_of_it_is_a_golden_script() -> None:
    """Its moves, written as a script, lead to the same end."""
    walked = alone()
    text = golden.write(script(1, "x", ALONE))
    assert f"The game is over: {walked.states[-1].over}." in text
