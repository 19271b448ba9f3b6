"""The phases of a turn: legal commands, forced ones, and the default move.

before the first turn       choose
a grey die is owed          give: during another player's turn, or before anything else in your own
a turn begins               lay, write or rest
an action has begun         lay, until its dice are there
it brings a choice          befriend, reserve, ask, turn, swap, next
a Write die was laid        cross, or write more
otherwise                   end, or lay, write or turn more
"""

from __future__ import annotations

from itertools import islice

from engine.game import Command
from engine.games.discoveries.dice import BANKS
from engine.games.discoveries.explore import Cross, Write
from engine.games.discoveries.lay import Lay, Turning
from engine.games.discoveries.rest import End, Rest, RestNone, RestOwn, own_places
from engine.games.discoveries.sioux import Use, lays
from engine.games.discoveries.state import DiscoveriesState
from engine.games.discoveries.territories import Choose, Next, Reserve, Swap
from engine.games.discoveries.tribes import Ask, Befriend, Give, owed_by
from engine.kit import allowed

Kinds = tuple[type[Command], ...]
OWED: dict[str, Kinds] = {
    "befriend": (Befriend,),
    "reserve": (Reserve,),
    "ask": (Ask,),
    "turn": (Turning,),
    "swap": (Swap,),
    "cross": (Cross, Write, Use),
    "next": (Next,),
}


ALONE = tuple((seat,) for seat in range(4))


def active(state: DiscoveriesState) -> tuple[int, ...]:
    """The seat whose turn it is, and those that owe a grey die."""
    if state.over:
        return ()
    return tuple(sorted({state.seat, *(owed.giver for owed in state.owed)})) if state.owed else ALONE[state.seat]


def phase(state: DiscoveriesState, seat: int) -> Kinds:
    doing = state.doing
    if owed_by(state, seat):
        return (Give,)
    if state.choosing:
        return (Choose,)
    if doing.held:
        return lays(state)
    if doing.due:
        return (Lay, Use)
    if doing.owes:
        return OWED[doing.owes[0]]
    if not doing.faces:
        return (Lay, Write, Use, Rest, RestOwn, RestNone)
    return (End, Turning, Lay, Write, Use) if doing.left else (End, Lay, Write, Use)


def forced(state: DiscoveriesState, seat: int) -> Command | None:
    """A due command that has only one form, or `end` when no dice are left. Reads only public facts."""
    doing = state.doing
    if owed_by(state, seat) or doing.due or doing.held or doing.owes:
        return _only(state, seat)
    if not doing.faces or state.players[seat].reserve.rest or (doing.left and doing.fresh.rest):
        return None
    return End()


def _only(state: DiscoveriesState, seat: int) -> Command | None:
    found = list(islice(allowed(phase(state, seat), state, seat), 2))
    return found[0] if len(found) == 1 else None


def default(state: DiscoveriesState, seat: int) -> Command:
    """A rest with the seat's own dice from the Camp; a turn that has begun is completed in the first legal way."""
    kinds = phase(state, seat)
    if End in kinds:
        return End()
    if RestOwn in kinds:
        camp = tuple(place for place in own_places(state, seat) if place in BANKS.values())
        return RestOwn(camp).meant(state, seat) if camp else RestNone()
    first: Command = next(allowed(phase(state, seat), state, seat))
    return first
