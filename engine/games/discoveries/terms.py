"""Words for what a View shows, shared by the text board and the picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.game import Outcome
from engine.games.discoveries.cards import BOARD, FACES, SPECIES, Discovery, Exploration, Need, Tribe
from engine.games.discoveries.dice import COLOURS, GREY, colour_of, face_of
from engine.games.discoveries.state import Action, Doing
from engine.games.discoveries.view import DiscoveriesView, SeenPlayer
from engine.kit import Supply, count, cut

NAME = 20  # columns of a player's name
BOUND = "\u00a0"  # a blank at which no line breaks

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
    if view.ended:
        return f"The game is over. {who_won(view, view.ended, names)}"
    seat = called(view, names, view.seat)
    if view.choosing:
        return f"{seat} chooses the first card to explore."
    return f"{seat} {_doing(view.doing)}."


def called(view: DiscoveriesView, names: tuple[str, ...], seat: int) -> str:
    """`Ann (seat 1, red)`."""
    return f"{cut(names[seat], NAME)} (seat {seat + 1}, {view.players[seat].colour})"


def who_won(view: DiscoveriesView, ended: Outcome, names: tuple[str, ...]) -> str:
    """And by what, if points alone do not tell."""
    first = [cut(names[seat], NAME) for seat in ended.places[0]] if ended.won and ended.places else []
    if not first:
        return "Nobody has won."
    by = " by more dice" if ended.points and _is_tied(view, ended) else ""
    return f"{first[0]} has won{by}." if len(first) == 1 else f"{' and '.join(first)} share the victory."


def _is_tied(view: DiscoveriesView, ended: Outcome) -> bool:
    """Are the first and the second place alike in points?"""
    staying = [view.players[seats[0]] for seats in ended.places if not view.players[seats[0]].gone]
    return len(staying) > 1 and total(staying[0]) == total(staying[1])


def ranking(view: DiscoveriesView, names: tuple[str, ...]) -> Iterator[str]:
    """The places of a game that is over, with what decided them."""
    assert view.ended is not None
    for place, seats in enumerate(view.ended.places, 1):
        for seat in seats:
            player = view.players[seat]
            fate = ", has resigned" if player.gone else ""
            counts = f"{count(total(player), 'point')}, {count(player.dice, 'die', 'dice')}"
            yield f"{place}. {called(view, names, seat)}: {counts}{fate}"


def owing(view: DiscoveriesView, names: tuple[str, ...]) -> Iterator[str]:
    """Grey dice that are owed."""
    for owed in view.owed:
        words = examples(view, owed.giver) if owed.giver != view.seat else ""
        which = f"which, for example {words}" if words else "which"
        yield f"{cut(names[owed.giver], NAME)} owes {cut(names[owed.taker], NAME)} a grey die, and says {which}."


def examples(view: DiscoveriesView, seat: int) -> str:
    """What may be typed, as it is legal now."""
    return ", or ".join(text.replace(" ", BOUND) for whose, text in view.examples if whose == seat)


def last_round(view: DiscoveriesView, names: tuple[str, ...]) -> str:
    """Who still has a turn once somebody has finished; "" before."""
    if view.last is None or view.over:
        return ""
    coming = ", ".join(cut(names[seat], NAME) for seat in view.last)
    return f"The last round; after this turn: {coming or 'nobody'}."


def _doing(doing: Doing) -> str:
    """What the seat is about: what must come next, if anything must."""
    if doing.held:
        return f"must lay the {doing.held.replace('-', ' ')} that the Sioux turned"
    if doing.due:
        return f"must lay {count(doing.due, 'more die', 'more dice')} as {doing.face} on {doing.space}"
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
        counts = {colour_of(die): number for die, number in reserve.rest if face_of(die) == face}
        yield face, tuple((colour, counts[colour]) for colour in (*COLOURS, GREY) if colour in counts)


def by_colour(dice: Supply) -> tuple[tuple[str, int], ...]:
    return tuple((colour, dice.count(colour)) for colour in (*COLOURS, GREY) if dice.count(colour))


def counted(counts: Iterable[tuple[str, int]], none: str = "-") -> str:
    """`2 red, grey`: a count is told from two on."""
    return ", ".join(name if number == 1 else f"{number} {name}" for name, number in counts) or none


def worth(discovery: Discovery) -> str:
    """`4 points`, `fish`, `1 tipi`, or several of them."""
    parts = (points(discovery), discovery.species or "", tipis(discovery))
    return ", ".join(part for part in parts if part) or "nothing"


def tipis(side: Tribe | Discovery) -> str:
    return count(side.tipis, "tipi") if side.tipis else ""


def species(view: DiscoveriesView, player: SeenPlayer) -> str:
    """`fish, 2 bird: sets of 2, 1`; "" without any."""
    found = [view.card(number).discovery.species for number in player.journal]
    counts = [(name, found.count(name)) for name in SPECIES if name in found]
    sets = [sum(n > at for _, n in counts) for at in range(max((n for _, n in counts), default=0))]
    return f"{counted(counts)}: {'set' if len(sets) == 1 else 'sets'} of {', '.join(map(str, sets))}" if sets else ""


def points(discovery: Discovery) -> str:
    return count(discovery.points, "point") if discovery.points else ""


def doing_words(doing: Doing) -> Iterator[str]:
    """What has happened in the running turn, as far as it still matters."""
    if doing.faces:
        yield f"played as: {counted((face, doing.faces.count(face)) for face in FACES if face in doing.faces)}"
    if doing.shifts:
        yield f"helped by the Sioux: {', '.join(f'{own} as {face}' for own, face in doing.shifts)}"
    if doing.done:
        yield f"done: {', '.join(doing.done)}"
    if doing.left and not doing.owes:
        yield f"may turn {count(doing.left, 'die', 'dice')} more"
    if doing.crossed:
        yield f"explored: {', '.join(map(str, doing.crossed))}"
    if doing.turned.total:
        dice = counted((die.replace("-", " "), number) for die, number in doing.turned.rest)
        yield f"turned, so to be used next turn: {dice}"
    if doing.coming.total:
        yield f"about to be thrown: {counted(by_colour(doing.coming))}"
    if doing.fresh.total:
        dice = counted((die.replace("-", " "), number) for die, number in doing.fresh.rest)
        yield f"just thrown, may be turned, played next turn: {dice}"


def total(player: SeenPlayer) -> int:
    return sum(points for _, points in player.points)


def points_by(player: SeenPlayer) -> list[str]:
    """`4 for cards`: the parts of the total that are not nought."""
    return [f"{points} for {heading}" for heading, points in player.points if points]
