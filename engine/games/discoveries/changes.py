"""Small changes of a position that several events share."""

from __future__ import annotations

from operator import attrgetter

from msgspec.structs import replace

from engine.games.discoveries.dice import BANKS, die_of, face_of
from engine.games.discoveries.state import Action, DiscoveriesState, Doing, Player
from engine.kit import Supply


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    return tuple([other for other in cards if other != card])


def undrawn(deck: tuple[int, ...], drawn: tuple[int, ...]) -> tuple[int, ...]:
    """The deck without these cards; the top one, which is not in it, may be among them."""
    return tuple([card for card in deck if card not in drawn])


def with_action(actions: tuple[Action, ...], action: Action) -> tuple[Action, ...]:
    """The actions with this one replaced by space, or removed if it holds no dice."""
    kept = [other for other in actions if other.space != action.space]
    if any(action.dice) or action.write:
        kept.append(action)
        kept.sort(key=attrgetter("space"))
    return tuple(kept)


def played(doing: Doing, space: str, die: str, due: int, greys: int = 0) -> Doing:
    """The running turn after this die was played for an action that needs `due` more."""
    face = face_of(die)
    faces = tuple(sorted((*doing.faces, face))) if doing.faces else (face,)
    return replace(doing, faces=faces, held="", space=space, due=due, greys=greys, face=face, left=0)


def settled(state: DiscoveriesState, seat: int) -> tuple[Player, ...]:
    """The players at the end of a turn: dice that lay apart join the reserve."""
    doing = state.doing
    if not (doing.turned.rest or doing.fresh.rest):
        return state.players
    apart = (*doing.turned.pieces, *doing.fresh.pieces)
    return state.players_with(seat, state.players[seat].with_dice(apart))


# --- places of dice ---------------------------------------------------------------------------------------------------


def place_of(space: str, slot: int) -> str:
    """A prerequisite space as a word: `foot`, `14`, and `14.2` for the second space of a card."""
    return f"{space}.{slot + 1}" if slot else space


def lifted(player: Player, colour: str, place: str) -> Player:
    """The player without this die; a face names a die of the reserve, anything else a space."""
    return player.without_dice([die_of(colour, place)]) if place in BANKS else _cleared(player, place)


def _cleared(player: Player, place: str) -> Player:
    """The player without the die on this space of an action."""
    space, _, number = place.partition(".")
    slot = int(number or 1) - 1
    action = player.action(space) or Action(space=space, dice=())
    dice = (*action.dice[:slot], "", *action.dice[slot + 1 :])
    return replace(player, actions=with_action(player.actions, replace(action, dice=dice)))


def without_dice(state: DiscoveriesState, colour: str, places: tuple[str, ...]) -> tuple[Player, ...]:
    """The players without these dice: `2.walk` is in the reserve of seat 2, `2.foot` on an action, `left` a bank."""
    players = list(state.players)
    for place in places:
        number, _, own = place.partition(".")
        if own:
            seat = int(number) - 1
            players[seat] = lifted(players[seat], colour, own)
    return tuple(players)


def without_colour(bank: Supply, colour: str, count: int) -> Supply:
    """A bank without this many dice of a colour."""
    return bank.take([colour] * count) if count else bank
