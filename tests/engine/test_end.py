"""How a game ends: by its own rules, by resignations, at its cap; and how a view shows it."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from engine.game import Outcome, Standing
from engine.kit import active, ending, outcome, ranked, view
from tests.kit.games.pig import Pig, PigState

STATE = PigState(rules=1, seats=3, goal=30, scores=(4, 9, 9))
PIG = Pig()
CAP = PIG.meta.cap


def ended(state: PigState, game: Any = PIG) -> Outcome:
    found = outcome(game, state)
    assert found is not None
    return found


def test_the_cap_ends_a_game_with_its_current_standing() -> None:
    """Not one turn earlier; no seat is active any more, and the kit has the sentence."""
    assert outcome(PIG, replace(STATE, turn=CAP - 1)) is None
    state = replace(STATE, turn=CAP)
    assert ended(state) == Outcome(places=((1, 2), (0,)), points=(("pot", (4, 9, 9)),), reason="undecided")
    assert active(PIG, state) == ()
    assert ending(PIG, ended(state)).endswith(".")


def test_a_games_own_end_takes_precedence_over_the_cap() -> None:
    """A game that is won in its last turn is won."""
    assert ended(replace(STATE, scores=(4, 31, 9), turn=CAP)).reason == "goal"


def test_a_deserted_game_is_over() -> None:
    """The last seat left has won, later leavers rank before earlier ones; without a seat left nobody has won."""
    assert outcome(PIG, replace(STATE, gone=(2,))) is None
    assert ended(replace(STATE, gone=(2, 0))) == Outcome(places=((1,), (0,), (2,)), reason="resigned")
    alone = ended(replace(STATE, seats=1, scores=(3,), gone=(0,)))
    assert (alone.places, alone.won) == (((0,),), False)
    assert active(PIG, replace(STATE, gone=(2, 0))) == ()


def test_resigned_seats_come_last_at_any_end() -> None:
    assert ended(replace(STATE, scores=(4, 31, 9), gone=(1,))).places == ((2,), (0,), (1,))
    assert ended(replace(STATE, turn=CAP, gone=(1,))).places == ((2,), (0,), (1,))


def test_a_view_shows_the_end_by_the_same_rule() -> None:
    """The kit decides it for every game, so none can show an unfinished game as finished or the reverse."""
    assert not view(PIG, STATE, 0).over
    for state in (replace(STATE, turn=CAP), replace(STATE, gone=(2, 0)), replace(STATE, scores=(31, 0, 0))):
        assert view(PIG, state, None).ended == outcome(PIG, state)
        assert view(PIG, state, None).over


class NobodyWins(Pig):
    def standing(self, state: PigState) -> Standing:
        return Standing(places=((0, 1, 2),), out=(0, 1, 2), won=False)


def test_nobody_may_have_won() -> None:
    """All five members are written, whatever their values: the record has exactly these."""
    lost = ended(replace(STATE, turn=CAP), NobodyWins())
    whole = {"places": ((0, 1, 2),), "points": (), "out": (0, 1, 2), "won": False, "reason": "undecided"}
    assert msgspec.to_builtins(lost) == whole


def test_places_are_made_from_scores() -> None:
    """Ties share a place, also if the score includes a tie-break."""
    assert ranked({0: (5, 1), 1: (5, 2), 2: (5, 1)}) == ((1,), (0, 2))
