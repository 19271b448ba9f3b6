"""The dice that may be played this turn, each with its face.

All dice of a turn show one face. Three tribes loosen that. Flathead: instead, two different dice may be played (three
with both cards), and no others. Yankton: one die of any face is played as the card's face. Teton: one die of the card's
face is played as any face. Each Sioux card helps once a turn. No command names it: it is enough that each die can have
a card of its own.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.games.discoveries.cards import Tribe
from engine.games.discoveries.dice import face_of
from engine.games.discoveries.state import DiscoveriesState

Shift = tuple[str, str]  # own face, played as


def tribes_of(state: DiscoveriesState, seat: int) -> tuple[Tribe, ...]:
    return tuple(state.edition.card(number).tribe for number in state.players[seat].tribes)


def count_of(state: DiscoveriesState, seat: int, effect: str) -> int:
    """The number of the seat's tribe cards with this effect."""
    return sum(tribe.effect == effect for tribe in tribes_of(state, seat))


def together(faces: tuple[str, ...], flatheads: int) -> bool:
    """May dice be played as these faces in one turn?"""
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
    """The turn's faces and shifts with this die added; None if it cannot be played as this face."""
    doing, own = state.doing, face_of(die)
    faces = tuple(sorted((*doing.faces, face)))
    shifts = doing.shifts if own == face else tuple(sorted((*doing.shifts, (own, face))))
    if faces[0] != faces[-1] and not together(faces, count_of(state, state.seat, "flathead")):
        return None
    if shifts and not helped(shifts, sioux(state)):
        return None
    return faces, shifts


def after(state: DiscoveriesState, die: str, face: str) -> DiscoveriesState | None:
    """The position after this die is played; None if it cannot be played as this face."""
    played = played_as(state, die, face)
    if played is None:
        return None
    players = state.players_with(state.seat, state.player.without_dice([die]))
    return replace(state, players=players, doing=replace(state.doing, faces=played[0], shifts=played[1]))


def sioux(state: DiscoveriesState) -> tuple[Tribe, ...]:
    return tuple(tribe for tribe in tribes_of(state, state.seat) if tribe.face is not None)


def most(state: DiscoveriesState, face: str, enough: int) -> int:
    """The number of dice that can still be played as this face, counted up to `enough`.

    Dice that show it come first, then any that a Sioux card helps. Taking one greedily never lowers the total.
    """
    if not enough:
        return 0
    for die in _natural_first(state, face):
        left = after(state, die, face)
        if left is not None:
            return 1 + most(left, face, enough - 1)
    return 0


def more_after(state: DiscoveriesState, die: str, enough: int) -> int:
    """The number of dice that can be played as this die's face once it is gone, counted up to `enough`."""
    left = after(state, die, face_of(die))
    return most(left, face_of(die), enough) if left is not None and enough else 0


def _natural_first(state: DiscoveriesState, face: str) -> list[str]:
    return sorted((die for die, _ in state.player.reserve.rest), key=lambda die: (face_of(die) != face, die))


def in_hand(state: DiscoveriesState) -> list[str]:
    """The dice of the reserve, each word once; only the one that the Sioux turned, if there is one."""
    held = state.doing.held
    return [held] if held else [die for die, _ in state.player.reserve.rest]


def plays(state: DiscoveriesState) -> tuple[str, ...]:
    """The dice in hand that can be played now as they are."""
    return tuple([die for die in in_hand(state) if played_as(state, die, face_of(die)) is not None])
