"""Minimal house players of Pig: nothing is hidden, and one number decides."""

from __future__ import annotations

from engine.players import Beam, Best, Heat, Part, Players, Rng, Sensible
from engine.players.unseen import carried
from tests.kit.games.pig import Hold, PigState, PigView


def imagine(view: PigView, rng: Rng) -> PigState:
    return PigState(**carried(view), goal=view.goal, scores=view.scores, turn=view.turn, pot=view.pot, rolls=view.rolls)


def worth(state: PigState, seat: int) -> float:
    """The points kept, and during the seat's turn its pot: one more roll gains 3.3 on average and fails once in six."""
    return state.scores[seat] + (state.pot * 5 / 6 + 2 if state.seat == seat else 0)


def parts(state: PigState, seat: int) -> tuple[Part, ...]:
    kept = float(state.scores[seat])
    return Part("keeps {amount}", kept), Part("rolls on, worth {amount}", worth(state, seat) - kept)


def weight(view: PigView, seat: int, command: object) -> float:
    """Avoid holding a small pot."""
    return float(not isinstance(command, Hold) or view.pot > 3)


def likes(view: PigView, seat: int, command: object) -> float:
    """Hold from ten points on."""
    return float(isinstance(command, Hold) == (view.pot >= 10 or view.scores[seat] + view.pot >= view.goal))


players = Players(
    view=PigView,
    imagine=imagine,
    levels={"easy": Sensible(weight), "fair": Best(likes), "strong": Beam(imagine, worth, width=2, samples=24)},
    worth=worth,
    parts=parts,
    heat=Heat(first=12.0, last=3.0),
)
