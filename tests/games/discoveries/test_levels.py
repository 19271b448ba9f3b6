"""The levels of the house players: each finishes its games, beats the level below, and keeps to its budget."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from client.players.arena import Pairing, run
from client.players.matches import Match, play
from engine import replay
from engine.games.discoveries import game
from engine.games.discoveries.exploration import crossing
from engine.games.discoveries.meta import META
from engine.games.discoveries.players import plan
from engine.games.discoveries.players.levels import LATE, PLAN
from engine.games.discoveries.spaces import explorations
from engine.kit import Step, active, legal, view
from engine.players import Facts, Positions, level, players
from engine.players.habits import of_any_game
from tests.games.discoveries.positions import position
from tests.kit.worlds import lanes

MOST_TURNS = 300
SAMPLES = 4  # of each draw; a mean that has begun is completed


@pytest.mark.slow
@pytest.mark.parametrize("name", ["easy", "fair"])
def test_each_level_finishes_a_game_against_itself(name: str) -> None:
    """The game ends by itself, well before the cap."""
    policies = (level(game, name),) * 4
    ended = play(
        Match(game=game, options=META.options(), names=(name,) * 4, policies=policies, seed="its-like", positions=200)
    )
    assert ended.outcome.reason == "complete"
    assert ended.state.turns < MOST_TURNS < META.cap


@pytest.mark.slow
def test_two_cards_out_of_reach_are_not_exchanged_for_each_other() -> None:
    """Four plans with these dice once did so in half of their 337 turns."""
    options, names = META.options(), ("plan",) * 4
    ended = play(Match(game=game, options=options, names=names, policies=(PLAN,) * 4, seed="len", number=4))
    assert ended.outcome.reason == "complete"
    assert ended.state.turns < MOST_TURNS - 50


@pytest.mark.slow
@pytest.mark.parametrize(("one", "other"), [("fair", "easy"), ("strong", "fair")])
def test_each_level_beats_the_one_below(one: str, other: str) -> None:
    """In both seats with one seed; `docs/players.md` has the match that measured the strength."""
    result = run(Pairing(game=game, seats=2, options=META.options(), one=one, others=other, games=2, seed="plan"))
    assert result.won == 2
    assert result.reasons == {"complete": 2}
    assert result.longest < MOST_TURNS


def test_strong_keeps_to_its_budget() -> None:
    """A spent budget ends the search with an answer."""
    turn = replay.start(game, 2, META.options(), *lanes("deadline"))
    while turn.state.choosing:
        seat = active(game, turn.state)[0]
        replay.move(game, turn, seat, (Step(next(iter(legal(game, turn.state, seat)))),))
    seat, budget = turn.state.seat, Positions(30)
    listed = tuple(legal(game, turn.state, seat))
    seen = view(game, turn.state, seat)
    answer = level(game, "strong").line(Facts(game=game, seat=seat, budget=budget), seen, listed, random.Random(1))
    assert answer[0] in listed
    assert budget.seen <= budget.most + SAMPLES


def test_strong_follows_the_plan_late_in_a_game() -> None:
    """So it never stalls until the cap."""
    state = replay.start(game, 2, META.options(), *lanes("late")).state
    seat = active(game, state)[0]
    listed, late = tuple(legal(game, state, seat)), replace(view(game, state, seat), turns=LATE)
    planned = PLAN.line(Facts(game=game, seat=seat), late, listed, random.Random(1))
    budget = Positions()
    strong = level(game, "strong").line(Facts(game=game, seat=seat, budget=budget), late, listed, random.Random(1))
    assert strong == planned
    assert budget.seen == len(planned)


@pytest.mark.slow
def test_strong_has_none_of_the_absurd_habits() -> None:
    """It never rests without dice, rests in few of its turns and rarely twice in a row, and finds tribes and cards."""
    policies, names = (level(game, "strong"),) * 2, ("strong",) * 2
    ended = play(Match(game=game, options=META.options(), names=names, policies=policies, seed="habits", positions=200))
    for seat in range(2):
        found = players("discoveries").habits(ended.story, ended.state, seat)
        assert of_any_game(ended.story, seat)["first of its list"].rate < 1 / 3
        assert found["rests without dice"].count == 0
        assert found["turns that rest"].rate < 1 / 2
        assert found["rests right after a rest"].rate < 1 / 2
        assert min(found["cards explored"].count, found["tribes won"].count) > 0


def test_a_plan_looks_at_few_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time doubles with every action: with the tribes of a long game one answer took nine seconds."""
    empty = position(2)
    tribes = tuple(card.number for card in empty.edition.cards if card.tribe.exploration)[:14]
    state = position(2, {0: {"exploring": 22, "tribes": tribes}})
    asked: list[int] = []
    monkeypatch.setattr(plan, "crossing", lambda given, cards: asked.append(len(given)) or crossing(given, cards))
    assert plan.needs(state, 0, 22)
    assert len(explorations(state, 0)) > 14
    assert max(asked) <= 6
