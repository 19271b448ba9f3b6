"""Words for what a view shows, shared by the text board and the picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.game import Outcome
from engine.games.discoveries.cards import BOARD, FACES, SPECIES, Discovery, Exploration, Need, Tribe
from engine.games.discoveries.dice import COLOURS, GREY, colour_of, face_of
from engine.games.discoveries.house import HOUSE
from engine.games.discoveries.state import Action, Doing
from engine.games.discoveries.view import DiscoveriesView, SeenPlayer
from engine.kit import Supply, count, cut, names_of

NAME = 20  # columns of a player's name
BOUND = "\u00a0"  # a blank at which no line breaks
PLURALS = {"fish": "fish"}

EFFECTS = {
    "minnetaree": "reserve a discovery",
    "yankton": "play any die as {face}",
    "teton": "play {face} as the turn's face",
    "flathead": "play two different faces",
    "blackfeet": "hide one grey die",
    "arikara": "friendly and wary are alike",
    "wishram": "turn to different faces",
    "wanapum": "turn one more die",
}
DUTIES = {
    "choose": "{player} chooses the first card to explore.",
    "held": "{player} must lay the {die} that a Sioux card has turned.",
    "due": "{player} must lay {dice} as {face} on {space}.",
    "befriend": "{player} must take a tribe card.",
    "reserve": "{player} must reserve a discovery card.",
    "ask": "{player} must choose who gives a grey die.",
    "turn": "{player} must turn a die.",
    "swap": "{player} must take another card to explore.",
    "cross": "{player} may write more, then must cross a card.",
    "next": "{player} must choose the next card to explore.",
    "go-on": "{player} may go on or end the turn.",
    "begin": "{player} is to move.",
}
OVER = {  # by the reason for the end
    "complete": "The game is over. {result}",
    "resigned": "The game ended early because the others have resigned. {result}",
    "undecided": "The game ended at its last possible turn. {result}",
}
NOBODY = "Nobody has won."
WON = "{player} has won."
WON_BY_DICE = "{player} has won with more dice."
SHARED = "{players} share the victory."
RANKED = "{place}. {player}: {points}, {dice}"
RANKED_RESIGNED = "{place}. {player}: {points}, {dice}, resigned"
OWING = "{giver} owes {taker} a grey die and chooses which."
OWING_EXAMPLE = "{giver} owes {taker} a grey die and chooses which, for example: {example}."
LAST_ROUND = "This is the last round. After this turn: {players}."
LAST_TURN = "This is the last turn of the game."
ONE_SET = "{kinds}: a set of {sizes}"
SETS = "{kinds}: sets of {sizes}"
EDITION = "Card values: edition {edition}."
HOUSE_EDITION = "Card values: the house edition, not the printed cards."
DOING = {
    "faces": "Dice played this turn: {dice}.",
    "shifts": "Turned by Sioux cards: {dice}.",
    "done": "Actions used this turn: {actions}.",
    "left": "The action `turn` may still turn {dice}.",
    "crossed": "Explored this turn: {cards}.",
    "turned": "Turned for the next turn: {dice}.",
    "coming": "About to be rolled: {dice}.",
    "fresh": "Just rolled for the next turn, and may still be turned: {dice}.",
}


def duty(view: DiscoveriesView, names: tuple[str, ...]) -> str:
    """The next step and the player who owes it; the result once the game is over."""
    if view.ended:
        return OVER[view.ended.reason].format(result=who_won(view, view.ended, names))
    doing = view.doing
    return DUTIES[_due(view)].format(
        player=called(view, names, view.seat),
        die=doing.held.replace("-", " "),
        dice=count(doing.due, "more die", "more dice"),
        face=doing.face,
        space=doing.space,
    )


def _due(view: DiscoveriesView) -> str:
    """The word of `DUTIES` for what must come next."""
    doing = view.doing
    if view.choosing:
        return "choose"
    if doing.held:
        return "held"
    if doing.due:
        return "due"
    if doing.owes:
        return doing.owes[0]
    return "go-on" if doing.faces else "begin"


def called(view: DiscoveriesView, names: tuple[str, ...], seat: int) -> str:
    """`Ann (seat 1, red)`, or `Seat 1 (red)` for a seat without a name."""
    colour = view.players[seat].colour
    if names[seat] == names_of(len(names))[seat]:
        return f"{names[seat]} ({colour})"
    return f"{cut(names[seat], NAME)} (seat {seat + 1}, {colour})"


def who_won(view: DiscoveriesView, ended: Outcome, names: tuple[str, ...]) -> str:
    """The winner, and the tie-break if it decided."""
    first = [cut(names[seat], NAME) for seat in ended.places[0]] if ended.won and ended.places else []
    if not first:
        return NOBODY
    if len(first) > 1:
        return SHARED.format(players=" and ".join(first))
    return (WON_BY_DICE if ended.points and _is_tied(view, ended) else WON).format(player=first[0])


def _is_tied(view: DiscoveriesView, ended: Outcome) -> bool:
    """Are the first two places equal in points?"""
    staying = [view.players[seats[0]] for seats in ended.places if not view.players[seats[0]].gone]
    return len(staying) > 1 and total(staying[0]) == total(staying[1])


def ranking(view: DiscoveriesView, names: tuple[str, ...]) -> Iterator[str]:
    """A line for each player of a finished game, with what decided the places."""
    assert view.ended is not None
    for place, seats in enumerate(view.ended.places, 1):
        for seat in seats:
            player = view.players[seat]
            yield (RANKED_RESIGNED if player.gone else RANKED).format(
                place=place,
                player=called(view, names, seat),
                points=count(total(player), "point"),
                dice=count(player.dice, "die", "dice"),
            )


def owing(view: DiscoveriesView, names: tuple[str, ...]) -> Iterator[str]:
    """A sentence for each grey die that is owed."""
    for owed in view.owed:
        example = examples(view, owed.giver) if owed.giver != view.seat else ""
        giver, taker = cut(names[owed.giver], NAME), cut(names[owed.taker], NAME)
        yield (OWING_EXAMPLE if example else OWING).format(giver=giver, taker=taker, example=example)


def edition(view: DiscoveriesView) -> str:
    """The edition that the card values come from."""
    return (HOUSE_EDITION if view.edition == HOUSE.name else EDITION).format(edition=view.edition)


def examples(view: DiscoveriesView, seat: int) -> str:
    """Legal commands of the seat, as they are typed."""
    return ", or ".join(text.replace(" ", BOUND) for whose, text in view.examples if whose == seat)


def last_round(view: DiscoveriesView, names: tuple[str, ...]) -> str:
    """The players with a turn left once somebody has finished; "" before."""
    if view.last is None or view.over:
        return ""
    coming = ", ".join(cut(names[seat], NAME) for seat in view.last)
    return LAST_ROUND.format(players=coming) if coming else LAST_TURN


def effect(tribe: Tribe) -> str:
    """The effect of a tribe card: `walk + ride: RRRRR`, or the words of a permanent effect."""
    if tribe.exploration:
        return f"{needs(tribe.exploration)}: {gives(tribe.exploration)}"
    return EFFECTS[tribe.effect].format(face=tribe.face)


def lasting(player: SeenPlayer, number: int, tribe: Tribe) -> str:
    """The effect of a card without dice for its owner; for a Minnetaree the card that it keeps."""
    if tribe.effect != "minnetaree":
        return effect(tribe)
    card = dict(player.reserved).get(number)
    return f"keeps card {card}" if card else "has been used"


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
    """The seat's exploration actions, board first, each with its name and the dice on it."""
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
    """`2 red, grey`: numbers from two on."""
    return ", ".join(name if number == 1 else f"{number} {name}" for name, number in counts) or none


def worth(discovery: Discovery) -> str:
    """`4 points`, `fish`, `1 tipi`, or several of these."""
    parts = (points(discovery), discovery.species or "", tipis(discovery))
    return ", ".join(part for part in parts if part) or "nothing"


def tipis(side: Tribe | Discovery) -> str:
    return count(side.tipis, "tipi") if side.tipis else ""


def species(view: DiscoveriesView, player: SeenPlayer) -> str:
    """`1 fish, 2 birds: sets of 2, 1`; "" without any."""
    found = [view.card(number).discovery.species for number in player.journal]
    counts = [(name, found.count(name)) for name in SPECIES if name in found]
    sets = [sum(n > at for _, n in counts) for at in range(max((n for _, n in counts), default=0))]
    if not sets:
        return ""
    kinds = ", ".join(count(n, name, PLURALS.get(name, "")) for name, n in counts)
    return (SETS if len(sets) > 1 else ONE_SET).format(kinds=kinds, sizes=", ".join(map(str, sets)))


def points(discovery: Discovery) -> str:
    return count(discovery.points, "point") if discovery.points else ""


def doing_words(doing: Doing) -> Iterator[str]:
    """A sentence for everything in the running turn that still matters."""
    faces = counted((face, doing.faces.count(face)) for face in FACES if face in doing.faces)
    shifts = ", ".join(f"{own} as {face}" for own, face in doing.shifts)
    found = {
        "faces": doing.faces and faces,
        "shifts": shifts,
        "done": ", ".join(doing.done),
        "left": count(doing.left, "more die", "more dice") if doing.left and not doing.owes else "",
        "crossed": ", ".join(map(str, doing.crossed)),
        "turned": doing.turned.total and _dice(doing.turned),
        "coming": doing.coming.total and counted(by_colour(doing.coming)),
        "fresh": doing.fresh.total and _dice(doing.fresh),
    }
    for what, words in found.items():
        if words:
            yield DOING[what].format(dice=words, actions=words, cards=words)


def _dice(dice: Supply) -> str:
    """`red walk, 2 grey write`."""
    return counted((die.replace("-", " "), number) for die, number in dice.rest)


def total(player: SeenPlayer) -> int:
    return sum(points for _, points in player.points)


def points_by(player: SeenPlayer) -> list[str]:
    """`4 for cards`: each part of the total that is not 0."""
    return [f"{points} for {heading}" for heading, points in player.points if points]
