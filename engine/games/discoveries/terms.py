"""Words for what a View shows, shared by the text board and the picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.games.discoveries.cards import BOARD, FACES, Discovery, Exploration, Need, Tribe
from engine.games.discoveries.dice import COLOURS, GREY, colour_of, face_of
from engine.games.discoveries.state import Action, Doing
from engine.games.discoveries.view import DiscoveriesView, SeenPlayer
from engine.kit import Supply, cut

EFFECTS = {
    "minnetaree": "reserves a discovery",
    "yankton": "any die played as {face}",
    "teton": "{face} played as the turn's face",
    "flathead": "two different dice",
    "blackfeet": "a grey die not counted",
    "arikara": "friendly or wary alike",
    "wishram": "turns to different faces",
    "wanapum": "turns one die more",
}
DUTIES = {
    "befriend": "takes a tribe card",
    "reserve": "reserves a discovery card",
    "ask": "says who gives a grey die",
    "turn": "turns dice",
    "swap": "takes another discovery card to explore",
    "cross": "may write more, and must cross a card",
    "next": "chooses the next card to explore",
}


def duty(view: DiscoveriesView, names: tuple[str, ...]) -> str:
    """Who is to do what."""
    if view.over:
        return "The game is over."
    seat = f"{cut(names[view.seat], 12)} ({view.players[view.seat].colour})"
    if view.choosing:
        return f"{seat} chooses the first card to explore."
    return f"{seat} {_doing(view.doing)}."


def _doing(doing: Doing) -> str:
    """What the seat is about: what must come next, if anything must."""
    if doing.held:
        return f"must lay the {doing.held.replace('-', ' ')} that the Sioux turned"
    if doing.due:
        return f"must lay {doing.due} more for the action {doing.space}"
    if doing.owes:
        return DUTIES[doing.owes[0]]
    return "may go on, or end the turn" if doing.faces else "is to move"


def effect(tribe: Tribe) -> str:
    """What a tribe card does: `walk, ride: RRRRR`, or the words of a permanent effect."""
    if tribe.exploration:
        return f"{needs(tribe.exploration)}: {gives(tribe.exploration)}"
    return EFFECTS[tribe.effect].format(face=tribe.face)


def lasting(player: SeenPlayer, number: int, tribe: Tribe) -> str:
    """What a card without dice does for the seat that has it; Minnetaree: what lies on it."""
    if tribe.effect != "minnetaree":
        return effect(tribe)
    card = dict(player.reserved).get(number)
    return f"card {card} lies on it" if card else "has been used"


def needs(action: Exploration) -> str:
    return " + ".join(need_words(need) for need in action.needs)


def need_words(need: Need) -> str:
    """`walk`, `2 walk`, or `3 alike` for any face."""
    if need.face != "any":
        return f"{need.dice} {need.face}" if need.dice > 1 else need.face
    return f"{need.dice} alike" if need.dice > 1 else "any"


def gives(action: Exploration) -> str:
    """`RRR`, `RR or M`, `RR then M`, `+R`, or the change of an icon."""
    if action.changes:
        return "R<->M"
    if len(action.moves) > 1:
        return " or ".join(action.moves)
    turn = max(action.gives.find("RM"), action.gives.find("MR")) + 1
    return f"{action.gives[:turn]} then {action.gives[turn:]}" if turn else action.gives


def explorations(view: DiscoveriesView, player: SeenPlayer) -> Iterator[tuple[str, Exploration, Action]]:
    """The seat's exploration actions, of its board first, each with its name and the dice on it."""
    tribes = ((str(number), view.card(number).tribe.exploration) for number in player.tribes)
    for space, exploration in (*BOARD.items(), *tribes):
        if exploration:
            yield space, exploration, _laid(player, space, exploration)


def _laid(player: SeenPlayer, space: str, exploration: Exploration) -> Action:
    found = next((action for action in player.actions if action.space == space), None)
    return found or Action(space=space, dice=("",) * len(exploration.needs))


def by_face(reserve: Supply) -> Iterator[tuple[str, tuple[tuple[str, int], ...]]]:
    """Each face with the colours of its dice, in the order of seats, grey last."""
    for face in FACES:
        counts = {colour_of(die): count for die, count in reserve.rest if face_of(die) == face}
        yield face, tuple((colour, counts[colour]) for colour in (*COLOURS, GREY) if colour in counts)


def by_colour(dice: Supply) -> tuple[tuple[str, int], ...]:
    return tuple((colour, dice.count(colour)) for colour in (*COLOURS, GREY) if dice.count(colour))


def counted(counts: Iterable[tuple[str, int]], none: str = "-") -> str:
    """`2 red, grey`: a count is told from two on."""
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in counts) or none


def worth(discovery: Discovery) -> str:
    """`4 points`, `fish`, or both."""
    return ", ".join(part for part in (points(discovery), discovery.species or "") if part) or "nothing"


def points(discovery: Discovery) -> str:
    return many(discovery.points, "point") if discovery.points else ""


def many(count: int, word: str) -> str:
    """`1 tipi`, `2 tipis`."""
    return f"{count} {word}{'s' * (count != 1)}"


def doing_words(doing: Doing) -> Iterator[str]:
    """What has happened in the running turn, as far as it still matters."""
    if doing.done:
        yield f"done: {', '.join(doing.done)}"
    if doing.turned.total:
        dice = counted((die.replace("-", " "), count) for die, count in doing.turned.rest)
        yield f"turned, so to be used next turn: {dice}"
    if doing.coming.total:
        yield f"thrown at the turn's end: {counted(by_colour(doing.coming))}"


def total(player: SeenPlayer) -> int:
    return sum(points for _, points in player.points)


def points_by(player: SeenPlayer) -> list[str]:
    """`4 for cards`: the parts of the total that are not nought."""
    return [f"{points} for {heading}" for heading, points in player.points if points]
