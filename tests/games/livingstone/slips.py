"""How the engine answers what players type by a slip or in short."""

from __future__ import annotations

from engine.chance import closed_lane
from engine.errors import Refused, Uncertain
from engine.game import Turn
from engine.games.livingstone import game
from engine.games.livingstone.state import LivingstoneState
from engine.kit import complete, decide, explain, format_steps
from tests.games.livingstone.positions import position

FULL = (11, 11, 21, 22, 23, 31, 32, 33, 34, 35, 36)
HAND = ("elephants", "explorer", "market", "raised-tent", "steamer", "two-dice")
RICH = {"hand": HAND, "coins": 5, "gems": (2, 0, 1), "tents": (11, 21)}

# Unless stated otherwise, seat 1 is in turn, the steamer is at column 4, and two dice of each face are left.
POSITIONS: dict[str, LivingstoneState] = {
    "full hand": position(players={0: RICH, 1: {"tents": (26, 43)}}),
    "three dice": position(players={0: {"last": 2, "coins": 1}, 1: {"tents": (43,)}}, dice=(1, 0, 1, 0, 1, 0)),
    "die taken": position(players={0: {**RICH, "last": 3}}, todo=0),
    "second die": position(players={0: {"last": 3}}, todo=1, second=True),
    "two, no tent left": position(2, {0: {"tents": FULL, "coins": 9}}),
}


def answer(where: str, text: str) -> str:
    """Return `= command`, in its full form, if the line is accepted; otherwise the sentence that refuses it."""
    state = POSITIONS[where]
    turn = Turn(state, closed_lane(), closed_lane())
    try:
        steps = complete(game, state, 0, text)
        for step in steps:
            decide(game, turn, 0, step.command)
    except Uncertain:
        pass  # allowed; it draws
    except Refused as no:
        return explain(game, no)
    return f"= {format_steps(steps)}"
