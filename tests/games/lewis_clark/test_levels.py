"""The levels of house players: each beats the one below it, and each keeps to its budget."""

from __future__ import annotations

import random

import pytest

from client.players.arena import Pairing, matches, run
from client.players.matches import Match, play
from engine.games.lewis_clark import game
from engine.games.lewis_clark.commands import Concede
from engine.games.lewis_clark.meta import CAP, META
from engine.games.lewis_clark.players.evaluate import KEEP
from engine.games.lewis_clark.players.levels import weight
from engine.games.lewis_clark.route import MOUNTAINS
from engine.kit import legal, turns, view
from engine.players import Facts, Positions, Sensible, level, levels, players
from engine.players.baselines import rivals
from tests.games.lewis_clark.policy import line, walk


@pytest.mark.slow
def test_fair_beats_easy() -> None:
    """At both seats of two seeds; `docs/players.md` has the match that measured the strength."""
    result = run(Pairing(game=game, seats=2, options=META.options(), one="fair", others="easy", games=4, seed="arena"))
    assert result.won >= 3
    assert result.reasons == {"pacific": 4}
    assert result.longest < 0.75 * CAP


@pytest.mark.slow
def test_no_level_goes_in_circles_until_the_cap() -> None:
    """A plan for one turn may end where it was a camp ago, so from turn 200 on every level searches."""
    pairing = Pairing(game=game, seats=2, options=META.options(), one="fair", others="easy", games=31, seed="players")
    ended = play([*matches(pairing)][-1])
    assert ended.outcome.reason == "pacific"
    assert turns(game, ended.state) < 0.9 * CAP


@pytest.mark.slow
def test_no_slip_gives_up_a_card_that_cannot_be_replaced() -> None:
    """An easy player who had discarded the Interpreter in a slip stood still for thirty turns."""
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
def test_a_level_keeps_to_its_budget(name: str, most: int) -> None:
    """A spent budget ends the search with a legal answer."""
    state, budget = walk(2).states[60], Positions(most)
    answer = line(level(game, name), state, state.seat, random.Random(1), budget)
    assert answer[0] in set(legal(game, state, state.seat))
    assert budget.seen <= most


@pytest.mark.slow
def test_no_level_gives_up_a_race() -> None:
    """Although `concede` is legal throughout a game against Mackenzie."""
    state = walk(1, name="easy").states
    assert all(not isinstance(command, Concede) for _, command in walk(1, name="easy").commands)
    assert state[-1].over in {"mackenzie", "pacific"}


@pytest.mark.slow
def test_strong_has_none_of_the_absurd_habits() -> None:
    """It plays nearly every card that it holds, camps for progress, and camps with few cards in hand.

    The first command of the list is left out: most lists are short, and their first is often right.
    """
    policies, names = (level(game, "strong"), level(game, "fair")), ("strong", "fair")
    ended = play(Match(game=game, options=META.options(), names=names, policies=policies, seed="habits", positions=200))
    found = players("lewis_clark").habits(ended.story, ended.state, 0)
    assert found["cards never played, of those held"].rate < 1 / 4
    assert found["camps no further than the last"].rate < 1 / 3
    assert found["cards still in hand at a camp"].rate < 3


@pytest.mark.slow
def test_the_rule_of_thumb_travels() -> None:
    """To the mountains at least; it stood still once, so a level that beat it had shown little."""
    policies, names = (rivals(game)["thumb"], rivals(game)["greedy"]), ("thumb", "greedy")
    ended = play(Match(game=game, options=META.options(), names=names, policies=policies, seed="travels"))
    assert ended.state.players[0].camp >= MOUNTAINS[0].start - 2 > ended.state.players[1].camp
