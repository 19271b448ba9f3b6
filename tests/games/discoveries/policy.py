"""Whole games of the player with a plan (`engine/games/discoveries/players/plan.py`), of which golden games are made.

`python -m tests.games.discoveries.policy 3 WORD` writes one.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from engine import golden, registry, replay
from engine.game import Command, Turn
from engine.games.discoveries.players import plan
from engine.games.discoveries.state import DiscoveriesState
from engine.kit import Step, active, format_steps, legal
from tests.kit.worlds import lanes


def choose(state: DiscoveriesState, seat: int) -> Command:
    """The command that the player with a plan chooses. Nothing is hidden in this game, so it may read the state."""
    return plan.choose(state, seat, list(legal(registry.find("discoveries"), state, seat)))


def record(
    seats: int,
    chance: str,
    options: str = "{}",
    leave: Sequence[tuple[int, int]] = (),
    begins: int | None = 1,
) -> golden.Script:
    """A whole game of this player against itself, as the script of a golden game.

    `leave` has (after moves, seat); `begins` counts from 1, None: as it is drawn.
    """
    game = registry.find("discoveries")
    turn = replay.start(
        game, seats, golden._options(game, options), *lanes(chance, None if begins is None else begins - 1)
    )
    moves: list[tuple[int, str]] = []
    while waiting := active(game, turn.state):
        seat = next((s for s in waiting if s != turn.state.seat), waiting[0])
        turn = Turn(turn.state, turn.chance.onward(), turn.secret.onward())
        gone = next((who for after, who in leave if after <= len(moves) and who not in turn.state.gone), None)
        moves.append((seat, _move(turn, seat)) if gone is None else (gone, _leave(turn, gone)))
    return golden.Script("discoveries", seats, game.meta.rules[1], options, chance, begins, tuple(moves))


def whole_turn(state: DiscoveriesState, seat: int) -> tuple[Step, ...]:
    """The commands of this player until its turn is over or something is rolled or drawn."""
    game, now = registry.find("discoveries"), state
    steps: list[Step] = []
    while True:
        steps.append(Step(choose(now, seat)))
        shown = replay.preview(game, state, seat, steps)
        if not shown.certain or seat not in active(game, shown.state):
            return tuple(steps)
        now = shown.state


def _move(turn: Turn, seat: int) -> str:
    game = registry.find("discoveries")
    if seat in turn.state.gone:
        replay.expire(game, turn, seat)
        return "clock"
    steps = whole_turn(turn.state, seat)
    replay.move(game, turn, seat, steps)
    return format_steps(steps)


def _leave(turn: Turn, seat: int) -> str:
    replay.resign(registry.find("discoveries"), turn, seat)
    return "resigns"


if __name__ == "__main__":
    sys.stdout.write(golden.write(record(int(sys.argv[1]), sys.argv[2])))
