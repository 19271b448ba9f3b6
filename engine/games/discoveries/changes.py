"""Small changes of a position that several events share."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.games.discoveries.dice import BANKS, die_of, face_of
from engine.games.discoveries.state import NOTHING, Action, DiscoveriesState, Doing, Player


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    return tuple(other for other in cards if other != card)


def drawn(state: DiscoveriesState, cards: tuple[int, ...]) -> DiscoveriesState:
    """The state without these cards in the deck; the top one may be among them."""
    top = 0 if state.top in cards else state.top
    return replace(state, top=top, deck=tuple(card for card in state.deck if card not in cards))


def with_action(actions: tuple[Action, ...], action: Action) -> tuple[Action, ...]:
    """The actions with this one replaced by space, or removed if it holds no dice."""
    others = [other for other in actions if other.space != action.space]
    kept = [action] if action.colours else []
    return tuple(sorted((*others, *kept), key=lambda each: each.space))


def played(doing: Doing, space: str, die: str, due: int, **more: object) -> Doing:
    """The running turn after this die was played for an action that needs `due` more, with more changes."""
    face = face_of(die)
    faces = tuple(sorted((*doing.faces, face))) if doing.faces else (face,)
    changes = {"faces": faces, "held": "", "space": space, "due": due, "greys": 0, "face": face, "left": 0}
    return replace(doing, **{**changes, **more})


def settled(state: DiscoveriesState, seat: int) -> dict[str, object]:
    """The changes at the end of a turn: dice that lay apart join the reserve, and `doing` is cleared."""
    doing = state.doing
    if not (doing.turned.rest or doing.fresh.rest):
        return {"doing": NOTHING}
    apart = [die for die, count in (*doing.turned.rest, *doing.fresh.rest) for _ in range(count)]
    return {"doing": NOTHING, "players": state.players_with(seat, reserve=state.players[seat].reserve.add(apart))}


# --- places of dice ---------------------------------------------------------------------------------------------------


def place_of(space: str, slot: int) -> str:
    """A prerequisite space as a word: `foot`, `14`, and `14.2` for the second space of a card."""
    return f"{space}.{slot + 1}" if slot else space


def lifted(player: Player, colour: str, places: Sequence[str]) -> Player:
    """The player without these dice; a face names a die of the reserve, anything else a space."""
    faces = [die_of(colour, place) for place in places if place in BANKS]
    if faces:
        player = replace(player, reserve=player.reserve.take(faces))
    for place in places:
        if place not in BANKS:
            player = _cleared(player, place)
    return player


def _cleared(player: Player, place: str) -> Player:
    """The player without the die on this space of an action."""
    space, _, number = place.partition(".")
    slot = int(number or 1) - 1
    action = player.action(space) or Action(space=space, dice=())
    dice = (*action.dice[:slot], "", *action.dice[slot + 1 :])
    return replace(player, actions=with_action(player.actions, replace(action, dice=dice)))


def without_dice(state: DiscoveriesState, colour: str, places: tuple[str, ...]) -> dict[str, object]:
    """The changes without these dice. `left` is a bank, `2.walk` is in the reserve of seat 2, `2.foot` on an action."""
    by_owner: dict[str, list[str]] = {}
    for place in places:
        owner, _, rest = place.partition(".")
        by_owner.setdefault(owner, []).append(rest)
    players, changes = state.players, dict[str, object]()
    for owner, found in by_owner.items():
        if owner in _OF_BANKS:
            changes[owner] = getattr(state, owner).take([colour] * len(found))
        else:
            seat = int(owner) - 1
            players = (*players[:seat], lifted(players[seat], colour, found), *players[seat + 1 :])
    return changes if players is state.players else {"players": players, **changes}


_OF_BANKS = frozenset(BANKS.values())
