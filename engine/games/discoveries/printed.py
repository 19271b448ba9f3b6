"""Words of the record as people read them: an action, and the place of a die. `@2` becomes a player's name.

The words of actions are part of `RoadTravelled` in every log, so they cannot change.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.games.discoveries.cards import BOARD, COUNT, FACES
from engine.games.discoveries.dice import BANKS, COLOURS

_ACTIONS = {
    **{space: f"the action {space}" for space in ("friendly", "wary", "turn", "route", *BOARD)},
    **{str(number): f"card {number}" for number in range(1, COUNT + 1)},
}


def _own() -> dict[str, str]:
    """Places of one seat: `walk`, `foot`, `14.2`."""
    reserve = {face: f"the reserve ({face})" for face in FACES}
    return reserve | {f"{space}{slot}": said for space, said in _ACTIONS.items() for slot in ("", ".2", ".3")}


def _all() -> dict[str, str]:
    """Places as a rest names them: `left`, `2.walk`."""
    banks = {bank: f"the {bank} bank" for bank in BANKS.values()}
    seats = range(1, len(COLOURS) + 1)
    return banks | {f"{seat}.{place}": f"{said} of @{seat}" for seat in seats for place, said in _own().items()}


_PLACES = _own() | _all()
PRINTED: Mapping[str, Mapping[str, str]] = {
    "space": _ACTIONS,
    "spaces": _ACTIONS,
    "actions": _ACTIONS,
    "place": _PLACES,
    "places": _PLACES,
}
