"""The actions of a seat: four that take effect at once, three explorations on the board, and those of tribe cards.

An action is a word: its name on the board, or the number of the tribe card.
"""

from __future__ import annotations

from typing import Annotated

from engine.errors import Refused
from engine.games.discoveries.cards import BOARD, EXPLORERS, FACES, Exploration, Need, one_of
from engine.games.discoveries.dice import BANKS, COLOURS, GREY, die_of
from engine.games.discoveries.playing import count_of
from engine.games.discoveries.state import DiscoveriesState
from engine.kit import OWN, named, on_table

AT_ONCE = {
    "friendly": Need(face="parley"),
    "wary": Need(face="parley", dice=2),
    "turn": Need(face="any"),
    "route": Need(face="any"),
}
BRINGS = {"friendly": "befriend", "wary": "befriend", "turn": "turn", "route": "swap"}
TO_TURN = 2  # dice, and one more for each Wanapum card

_EXPLORING = (*BOARD, *map(str, EXPLORERS))
_DICE = tuple(die_of(colour, face) for colour in (*COLOURS, GREY) for face in FACES)
_WITH_SLOTS = tuple(f"{space}{slot}" for space in _EXPLORING for slot in ("", ".2", ".3"))
_OWN_PLACES = (*FACES, *_WITH_SLOTS)
_SEATS = range(1, len(COLOURS) + 1)
_PLACES = tuple(sorted({*BANKS.values(), *(f"{seat}.{place}" for seat in _SEATS for place in _OWN_PLACES)}))

_OWN = rf"({one_of(FACES)}|{one_of(_EXPLORING)}(\.[23])?)"
_WHERE = "left, right, or a seat's place such as 2.walk, 3.foot or 1.14.2"

Space = Annotated[
    str,
    named("an action of the board or a tribe card", (*AT_ONCE, *_EXPLORING), f"^{one_of((*AT_ONCE, *_EXPLORING))}$"),
    on_table("space", OWN),
]
Exploring = Annotated[
    str, named("an exploration action", _EXPLORING, f"^{one_of(_EXPLORING)}$"), on_table("space", OWN)
]
Die = Annotated[
    str,
    named("a die such as red-walk", _DICE, f"^{one_of((*COLOURS, GREY))}-{one_of(FACES)}$"),
    on_table("die", OWN),
]
OwnPlace = Annotated[
    str,
    named("a face of the reserve or an action's space", _OWN_PLACES, f"^{_OWN}$"),
    on_table("spot", OWN),
]
Place = Annotated[str, named(_WHERE, _PLACES, rf"^(left|right|[1-4]\.{_OWN})$"), on_table("place")]


def explorations(state: DiscoveriesState, seat: int) -> dict[str, Exploration]:
    """The exploration actions of a seat, board first."""
    cards = ((str(number), state.edition.card(number).tribe.exploration) for number in state.players[seat].tribes)
    return {**BOARD, **{space: exploration for space, exploration in cards if exploration is not None}}


def exploration_of(state: DiscoveriesState, seat: int, space: str) -> Exploration | None:
    """The exploration action of this name; None if the seat does not have it."""
    if not space.isdigit():
        return BOARD.get(space)
    number = int(space)
    return state.edition.card(number).tribe.exploration if number in state.players[seat].tribes else None


def laid_on(state: DiscoveriesState, seat: int, space: str) -> tuple[str, ...]:
    """The colours on the prerequisite spaces of an exploration action, "" for an open one."""
    action = state.players[seat].action(space)
    return action.dice if action else ("",) * len(needs_of(state, seat, space))


def needs_of(state: DiscoveriesState, seat: int, space: str) -> tuple[Need, ...]:
    exploration = exploration_of(state, seat, space)
    return exploration.needs if exploration else ()


def slot_for(state: DiscoveriesState, seat: int, space: str, face: str) -> int:
    """The index of the open space for a die played as this face: the first of this face, else the first of any."""
    needs = needs_of(state, seat, space)
    open_needs = [at for at, colour in enumerate(laid_on(state, seat, space)) if not colour]
    if not open_needs:
        raise Refused("nothing-open", space=space)
    fitting = [at for word in (face, "any") for at in open_needs if needs[at].face == word]
    if not fitting:
        raise Refused("wrong-face", space=space, found=face, expected=tuple(needs[at].face for at in open_needs))
    return fitting[0]


def eligible(state: DiscoveriesState, seat: int, space: str) -> tuple[int, ...]:
    """The tribes in the Camp that this action can win; with the Arikara, all of them."""
    if count_of(state, seat, "arikara"):
        return state.encounters
    return tuple(card for card in state.encounters if state.edition.card(card).tribe.attitude == space)


def camp_of(state: DiscoveriesState) -> tuple[str, ...]:
    """The tribes in the Camp, as words for a refusal: `2 Osage (wary)`."""
    tribes = ((card, state.edition.card(card).tribe) for card in state.encounters)
    return tuple(f"{card} {tribe.name} ({tribe.attitude})" for card, tribe in tribes)
