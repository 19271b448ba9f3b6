"""Laws on games played with a plan: random play, which the conformance suite uses, rarely explores."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from engine import replay
from engine.game import Command, Event, Turn, fold
from engine.games.discoveries import game
from engine.games.discoveries.events import CardOpened, DiceThrown
from engine.games.discoveries.meta import META
from engine.kit import Step, active, legal, outcome
from tests.games.discoveries import notes, policy
from tests.kit.worlds import lanes, turn_at

GAMES = ((2, "a"), (3, "b"), (4, "c"))
each_game = pytest.mark.parametrize(("seats", "word"), GAMES)


class Played:
    """One command of a game, with the position before it, its events and its draws."""

    def __init__(self, before: Any, seat: int, chosen: Command, turn: Turn) -> None:
        self.before, self.seat, self.chosen = before, seat, chosen
        self.events: list[Event] = turn.events
        self.after: Any = turn.state
        self.drawn = len(turn.chance.got)


@cache
def walked(seats: int, word: str) -> tuple[Played, ...]:
    return tuple(_walk(seats, word))


def _walk(seats: int, word: str) -> Iterator[Played]:
    turn = replay.start(game, seats, META.options(), *lanes(word))
    while waiting := active(game, turn.state):
        before, seat = turn.state, waiting[0]
        chosen = policy.choose(before, seat)
        turn = Turn(before, turn.chance.onward(), turn.secret.onward())
        replay.move(game, turn, seat, (Step(chosen),))
        yield Played(before, seat, chosen, turn)


@pytest.mark.slow
@each_game
def test_a_game_with_a_plan_ends_by_itself(seats: int, word: str) -> None:
    """The players use up all cards in fewer turns than the cap."""
    last = walked(seats, word)[-1].after
    ended = outcome(game, last)
    assert ended is not None
    assert ended.reason == "complete"
    assert last.turns < META.cap
    assert not last.territories
    assert all(player.journal for player in last.players)


@each_game
def test_dice_and_cards_are_conserved(seats: int, word: str) -> None:
    """After each command."""
    counts = {str(notes.pieces(step.after)) for step in walked(seats, word)}
    assert len(counts) == 1


@pytest.mark.slow
@each_game
def test_fold_equals_live_play(seats: int, word: str) -> None:
    for step in walked(seats, word):
        assert fold(step.events, step.before) == step.after


@each_game
def test_only_rolled_dice_and_opened_cards_are_drawn(seats: int, word: str) -> None:
    """So every other command can be previewed."""
    for step in walked(seats, word):
        assert not step.drawn or any(isinstance(event, (DiceThrown, CardOpened)) for event in step.events)
        shown = replay.preview(game, step.before, step.seat, (Step(step.chosen),))
        assert shown.certain or step.drawn


@each_game
def test_lists_of_legal_commands_stay_short_and_hold_the_chosen_one(seats: int, word: str) -> None:
    for step in walked(seats, word)[::3]:
        listed = list(legal(game, step.before, step.seat))
        assert step.chosen in listed
        assert len(set(listed)) == len(listed) < 300


@each_game
def test_the_default_move_ends_any_turn(seats: int, word: str) -> None:
    """In every phase: exploring, turning, giving, choosing."""
    for step in walked(seats, word)[::5]:
        turn = turn_at(step.before, "clock")
        assert 1 <= replay.expire(game, turn, step.seat) <= 8
        assert step.seat not in active(game, turn.state)


@each_game
def test_public_draws_stay_within_the_bound(seats: int, word: str) -> None:
    assert sum(step.drawn for step in walked(seats, word)) < META.draws


@pytest.mark.slow
def test_the_same_word_gives_the_same_game() -> None:
    """A golden game can be made again."""
    assert policy.record(2, "same").moves == policy.record(2, "same").moves
