"""The levels of this game: one beats the one below it, and none thinks for longer than it may."""

from __future__ import annotations

import random

import pytest

from client.players.arena import Pairing, matches, run
from client.players.matches import play
from engine.games.lewis_clark import game
from engine.games.lewis_clark.commands import Concede
from engine.games.lewis_clark.meta import CAP, META
from engine.games.lewis_clark.players.evaluate import KEEP
from engine.games.lewis_clark.players.levels import weight
from engine.kit import legal, turns, view
from engine.players import Facts, Positions, Sensible, level, levels
from tests.games.lewis_clark.policy import line, walk


@pytest.mark.slow
def test_fair_beats_easy() -> None:
    """At both seats of two seeds; `docs/players.md` has the match from which the strength is known."""
    result = run(Pairing(game=game, seats=2, options=META.options(), one="fair", others="easy", games=4, seed="arena"))
    assert result.won >= 3
    assert result.reasons == {"pacific": 4}
    assert result.longest < 0.75 * CAP


@pytest.mark.slow
def test_nobody_goes_round_until_the_cap() -> None:
    """Plans for one turn found themselves where they were a camp ago; from turn 200 on everybody searches."""
    pairing = Pairing(game=game, seats=2, options=META.options(), one="fair", others="easy", games=31, seed="players")
    ended = play([*matches(pairing)][-1])
    assert ended.outcome.reason == "pacific"
    assert turns(game, ended.state) < 0.9 * CAP


@pytest.mark.slow
def test_no_slip_gives_up_who_cannot_be_replaced() -> None:
    """Without his interpreter, discarded for a recruit by a slip, an easy player stood still for thirty turns."""
    slip, rng = Sensible(weight), random.Random(1)
    given: set[str | None] = set()
    for state in walk(2).states[:-1]:
        listed = tuple(legal(game, state, state.seat))
        facts = Facts(game=game, seat=state.seat, budget=Positions())
        chosen = [slip.choose(facts, view(game, state, state.seat), listed, rng) for _ in range(5)]
        given |= {getattr(command, "discard", None) for command in chosen}
    assert given - {None}  # some cards are
    assert not given & KEEP.keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", list(levels(game)))
@pytest.mark.parametrize("most", [1, 40, 400])
def test_a_level_looks_at_no_more_than_it_may(name: str, most: int) -> None:
    """A budget that is spent ends the thought, with an answer that is legal."""
    state, budget = walk(2).states[60], Positions(most)
    answer = line(level(game, name), state, state.seat, random.Random(1), budget)
    assert answer[0] in set(legal(game, state, state.seat))
    assert budget.seen <= most


@pytest.mark.slow
def test_a_race_is_not_given_up() -> None:
    """Whatever else is to be done: to concede is legal throughout a game against Mackenzie."""
    state = walk(1, name="easy").states
    assert all(not isinstance(command, Concede) for _, command in walk(1, name="easy").commands)
    assert state[-1].over in {"mackenzie", "pacific"}
