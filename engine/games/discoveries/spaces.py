"""The actions of a seat: four that happen at once, three explorations of the player board, and those of tribe cards.

An action is a word: its name on the board, or the number of the tribe card.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta as Bounds

from engine.errors import Refused
from engine.games.discoveries.cards import BOARD, Exploration, Need
from engine.games.discoveries.playing import count_of
from engine.games.discoveries.state import DiscoveriesState

AT_ONCE = {
    "friendly": Need(face="parley"),
    "wary": Need(face="parley", dice=2),
    "turn": Need(face="any"),
    "route": Need(face="any"),
}
BRINGS = {"friendly": "befriend", "wary": "befriend", "turn": "turn", "route": "swap"}
TO_TURN = 2  # dice, and one more for each Wanapum card

_CARD = r"[1-9]|[12][0-9]|3[0-6]"  # the tribe cards that bring an exploration action
_COLOUR = "red|blue|green|yellow|grey"
_FACE = "walk|ride|parley|write"

Space = Annotated[str, Bounds(pattern=rf"^(friendly|wary|turn|route|horse|foot|mountain|{_CARD})$")]
Exploring = Annotated[str, Bounds(pattern=rf"^(horse|foot|mountain|{_CARD})$")]
Die = Annotated[str, Bounds(pattern=rf"^({_COLOUR})-({_FACE})$")]
OwnPlace = Annotated[str, Bounds(pattern=rf"^({_FACE}|(horse|foot|mountain|{_CARD})(\.[23])?)$")]
Place = Annotated[str, Bounds(pattern=rf"^(left|right|[1-4]\.({_FACE}|(horse|foot|mountain|{_CARD})(\.[23])?))$")]


def explorations(state: DiscoveriesState, seat: int) -> dict[str, Exploration]:
    """The exploration actions of a seat, those of the board first."""
    cards = ((str(number), state.edition.card(number).tribe.exploration) for number in state.players[seat].tribes)
    return {**BOARD, **{space: exploration for space, exploration in cards if exploration is not None}}


def laid_on(state: DiscoveriesState, seat: int, space: str) -> tuple[str, ...]:
    """The colours on the prerequisite spaces of an exploration action, "" for each that is open."""
    action = state.players[seat].action(space)
    return action.dice if action else ("",) * len(explorations(state, seat)[space].needs)


def slot_for(state: DiscoveriesState, seat: int, space: str, face: str) -> int:
    """The open prerequisite space for a die played as this face: one of this face, or else one of any; the first."""
    needs = explorations(state, seat)[space].needs
    open_needs = [at for at, colour in enumerate(laid_on(state, seat, space)) if not colour]
    if not open_needs:
        raise Refused("nothing-open", space=space)
    fitting = [at for word in (face, "any") for at in open_needs if needs[at].face == word]
    if not fitting:
        raise Refused("wrong-face", space=space, found=face, expected=tuple(needs[at].face for at in open_needs))
    return fitting[0]


def eligible(state: DiscoveriesState, seat: int, space: str) -> tuple[int, ...]:
    """Tribes in the Camp that this action can win; with the Arikara, any."""
    if count_of(state, seat, "arikara"):
        return state.encounters
    return tuple(card for card in state.encounters if state.edition.card(card).tribe.attitude == space)
