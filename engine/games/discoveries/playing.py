"""Which dice may be played as what in the running turn.

All dice of a turn show one face. Three tribes loosen that. Flathead: as many different dice as one has of these cards,
and one more, may be played instead, and no other. Yankton: one die of any face is played as the card's face. Teton: one
die of the card's face is played as any face. Each Sioux card helps once in a turn; which of them helped which die is
never asked, it is enough that each die can have one of its own.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.games.discoveries.cards import Tribe
from engine.games.discoveries.dice import face_of
from engine.games.discoveries.state import DiscoveriesState
from engine.kit import Supply

Shift = tuple[str, str]  # own face, played as


def tribes_of(state: DiscoveriesState, seat: int) -> tuple[Tribe, ...]:
    return tuple(state.edition.card(number).tribe for number in state.players[seat].tribes)


def count_of(state: DiscoveriesState, seat: int, effect: str) -> int:
    """How many tribe cards with this effect the seat has."""
    return sum(tribe.effect == effect for tribe in tribes_of(state, seat))


def together(faces: tuple[str, ...], flatheads: int) -> bool:
    """May dice played as these faces be played in one turn?"""
    kinds = len(set(faces))
    return kinds <= 1 or kinds == len(faces) <= 1 + flatheads


def helped(shifts: tuple[Shift, ...], sioux: tuple[Tribe, ...]) -> bool:
    """Is there a Sioux card for each of these dice?"""
    if not shifts:
        return True
    own, face = shifts[0]
    return any(
        tribe.face == (face if tribe.effect == "yankton" else own) and helped(shifts[1:], sioux[:at] + sioux[at + 1 :])
        for at, tribe in enumerate(sioux)
    )


def played_as(state: DiscoveriesState, die: str, face: str) -> tuple[tuple[str, ...], tuple[Shift, ...]] | None:
    """The turn's faces and shifts with this die; None if it may not be played so."""
    doing, own = state.doing, face_of(die)
    faces = tuple(sorted((*doing.faces, face)))
    shifts = doing.shifts if own == face else tuple(sorted((*doing.shifts, (own, face))))
    if faces[0] != faces[-1] and not together(faces, count_of(state, state.seat, "flathead")):
        return None
    if shifts and not helped(shifts, sioux(state)):
        return None
    return faces, shifts


def after(state: DiscoveriesState, die: str, face: str) -> DiscoveriesState | None:
    """The position with this die played and gone; None if it may not be played so."""
    played = played_as(state, die, face)
    if played is None:
        return None
    reserve = state.player.reserve.take([die])
    doing = replace(state.doing, faces=played[0], shifts=played[1])
    return replace(state, players=state.players_with(state.seat, reserve=reserve), doing=doing)


def words_of(dice: Supply) -> tuple[str, ...]:
    """Dice as words for a refusal, each as often as it is there."""
    return tuple(die for die, count in dice.rest for _ in range(count))


def sioux(state: DiscoveriesState) -> tuple[Tribe, ...]:
    return tuple(tribe for tribe in tribes_of(state, state.seat) if tribe.face is not None)


def most(state: DiscoveriesState, face: str, enough: int) -> int:
    """How many dice can still be played as this face, counted up to `enough`.

    Dice that show it come first. Then any that a Sioux card helps: taking one never leaves room for fewer in all.
    """
    if not enough:
        return 0
    for die in _natural_first(state, face):
        left = after(state, die, face)
        if left is not None:
            return 1 + most(left, face, enough - 1)
    return 0


def more_after(state: DiscoveriesState, die: str, enough: int) -> int:
    """How many dice can be played as what this one shows once it is gone, counted up to `enough`."""
    left = after(state, die, face_of(die))
    return most(left, face_of(die), enough) if left is not None and enough else 0


def _natural_first(state: DiscoveriesState, face: str) -> list[str]:
    return sorted((die for die, _ in state.player.reserve.rest), key=lambda die: (face_of(die) != face, die))


def plays(state: DiscoveriesState) -> tuple[str, ...]:
    """Dice of the reserve that can be played now as what they show; one that the Sioux have turned comes at once."""
    dice = (state.doing.held,) if state.doing.held else tuple(die for die, _ in state.player.reserve.rest)
    return tuple(die for die in dice if played_as(state, die, face_of(die)) is not None)
