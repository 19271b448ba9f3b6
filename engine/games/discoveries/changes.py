"""Small changes of a position that several events share."""

from __future__ import annotations

from msgspec.structs import replace

from engine.games.discoveries.dice import BANKS, die_of, face_of
from engine.games.discoveries.state import Action, DiscoveriesState, Doing, Player

NOTHING = Doing()


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    return tuple(other for other in cards if other != card)


def drawn(state: DiscoveriesState, cards: tuple[int, ...]) -> DiscoveriesState:
    """These cards have left the deck, the open one perhaps among them."""
    top = 0 if state.top in cards else state.top
    return replace(state, top=top, deck=tuple(card for card in state.deck if card not in cards))


def with_action(actions: tuple[Action, ...], action: Action) -> tuple[Action, ...]:
    """With this one in the place of the one on the same space; without it if no die lies on it."""
    others = [other for other in actions if other.space != action.space]
    kept = [action] if action.colours else []
    return tuple(sorted((*others, *kept), key=lambda each: each.space))


def played(doing: Doing, space: str, die: str, due: int) -> Doing:
    """A die was played for this action; so many must follow."""
    face = face_of(die)
    faces = tuple(sorted((*doing.faces, face)))
    return replace(doing, faces=faces, held="", space=space, due=due, greys=0, face=face, left=0)


def to_bank(state: DiscoveriesState, bank: str, colour: str) -> DiscoveriesState:
    if bank == "right":
        return replace(state, right=state.right.add([colour]))
    return replace(state, left=state.left.add([colour]))


def settled(state: DiscoveriesState, seat: int) -> DiscoveriesState:
    """The turn is over: dice that lay apart are back in the reserve, and what was done in it is forgotten."""
    apart = [die for die, count in (*state.doing.turned.rest, *state.doing.fresh.rest) for _ in range(count)]
    rested = replace(state, doing=NOTHING)
    return rested.with_player(seat, reserve=state.players[seat].reserve.add(apart)) if apart else rested


# --- places: where a die lies -----------------------------------------------------------------------------------------


def place_of(space: str, slot: int) -> str:
    """A prerequisite space of an action as a word: `foot`, `14`, and `14.2` for the second of a card."""
    return f"{space}.{slot + 1}" if slot else space


def lifted(player: Player, colour: str, place: str) -> Player:
    """The player without this die: a face names a die of the reserve, all else a space."""
    if place in BANKS:
        return replace(player, reserve=player.reserve.take([die_of(colour, place)]))
    space, _, number = place.partition(".")
    slot = int(number or 1) - 1
    action = player.action(space) or Action(space=space, dice=())
    dice = (*action.dice[:slot], "", *action.dice[slot + 1 :])
    return replace(player, actions=with_action(player.actions, replace(action, dice=dice)))


def without_dice(state: DiscoveriesState, colour: str, places: tuple[str, ...]) -> DiscoveriesState:
    """`left` and `right` are banks; `2.walk` lies in the reserve of seat 2, `2.foot` on its action."""
    players, banks = list(state.players), {"left": state.left, "right": state.right}
    for place in places:
        if place in banks:
            banks[place] = banks[place].take([colour])
        else:
            number, _, rest = place.partition(".")
            players[int(number) - 1] = lifted(players[int(number) - 1], colour, rest)
    return replace(state, players=tuple(players), **banks)
