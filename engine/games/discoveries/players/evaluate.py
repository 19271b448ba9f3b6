"""The value of a position for a seat: its points, its tribes, and what the cards in sight bring less their dice.

The cost of a card is linear, die by die. A product of gain and progress stalls: dice in the reserve are then worth as
much as dice on actions, so nobody lays any, and four such players wait until the cap. All figures below come from
`sealedmove arena discoveries`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from engine.games.discoveries.cards import Discovery, Need
from engine.games.discoveries.dice import PER_COLOUR, face_of
from engine.games.discoveries.exploration import reach
from engine.games.discoveries.explore import first_numbers
from engine.games.discoveries.scoring import RANKS, SETS, journal, points_by, ranked, species_points, tipis
from engine.games.discoveries.spaces import explorations
from engine.games.discoveries.state import DiscoveriesState
from engine.players import Part

IN_RESERVE = 0.35  # points for a needed die that is in the reserve but must still be laid
MISSING = 0.65  # points for a needed die that must first be got or turned
OPEN_CARD = 0.25  # share of the best card that anyone may take
BUSY_TRIBE, OTHER_TRIBE = 2.0, 1.5  # points for a tribe that brings an action, and for any other
TIPIS = 0.8  # share of the current points for tipis: the ranks may change
A_TIPI = 0.8  # points for one more tipi on a card
SPECIES = 0.5  # share of what a species adds now; the rest is what it adds on average
RIVAL = 0.3  # share of the best opponent's points
FINISHED = 3.0  # a final point counts more than an expected one
TOO_MANY = 2.0  # points for each die beyond those that the seat can keep on actions: others take theirs back
NEVER = 20.0  # cost of a card that no actions cross
OTHER_CARD = 0.3  # share of the other cards that the seat may explore
NO_CARD = 0.8  # share of the best open card, for a seat without a card

Wanted = tuple[tuple[str, int], ...]  # face, number of dice


def worth(state: DiscoveriesState, seat: int) -> float:
    """The value in points. Nothing is hidden in this game, so it reads the whole state."""
    totals = [_points(state, each) for each in range(state.seats)]
    rival = max((totals[other] for other in state.staying if other != seat), default=0.0)
    if state.over:
        return FINISHED * (totals[seat] - rival) + 0.01 * state.dice(seat)
    return totals[seat] - RIVAL * rival + _tribes(state, seat) + _coming(state, seat)


def parts(state: DiscoveriesState, seat: int) -> tuple[Part, ...]:
    """Return the parts of `worth`."""
    total, found = _points(state, seat), journal(state, seat)
    if state.over:
        return Part("scores {amount}", total), Part("ends the game ahead", worth(state, seat) - total)
    cards, species = sum(card.points for card in found), species_points(found)
    tribes, coming = _tribes(state, seat), _coming(state, seat)
    return (
        Part("gains discovery cards worth {amount}", float(cards)),
        Part("gains species worth {amount}", float(species)),
        Part("gains tipis worth about {amount} in their ranking", total - cards - species),
        Part("gains the help of tribes, worth about {amount}", tribes),
        Part("brings the next card closer", coming),
        Part("takes about {amount} from the best rival", worth(state, seat) - total - tribes - coming),
    )


def _points(state: DiscoveriesState, seat: int) -> float:
    """Points for cards and species, and part of those for tipis; the final score once the game is over."""
    found = journal(state, seat)
    counts = {each: tipis(state, each) for each in state.staying}
    rank = ranked(counts, RANKS[state.seats]).get(seat, 0)
    if state.over:
        return float(sum(row[seat] for _, row in points_by(state)))
    return sum(card.points for card in found) + species_points(found) + TIPIS * rank


def _tribes(state: DiscoveriesState, seat: int) -> float:
    """The value of the tribes' help while there are cards to explore, and a little for each tipi."""
    won = [state.edition.card(number).tribe for number in state.players[seat].tribes]
    helps = sum(BUSY_TRIBE if tribe.exploration else OTHER_TRIBE for tribe in won)
    return _left(state) * helps + 0.3 * A_TIPI * sum(tribe.tipis for tribe in won)


def _left(state: DiscoveriesState) -> float:
    """The share of the game that is left: 1 while the deck has at least twenty cards."""
    return min(1.0, (len(state.deck) + bool(state.top)) / 20)


def _coming(state: DiscoveriesState, seat: int) -> float:
    """The best card that the seat may explore, a share of its others, and a share of the best open card."""
    means = _means(state, seat)
    own = [_card(state, seat, card, means) for card in first_numbers(state, seat)]
    best_open = max((_card(state, seat, card, means) for card in state.territories), default=0.0)
    if not own:
        return NO_CARD * best_open
    return max(own) + OTHER_CARD * (sum(own) - max(own)) + OPEN_CARD * best_open


def _card(state: DiscoveriesState, seat: int, card: int, means: Means) -> float:
    """A card's gain, less the dice that its cheapest route costs."""
    discovery = state.edition.card(card).discovery
    return _gain(state, seat, discovery) - _cost(discovery.routes, means)


def _gain(state: DiscoveriesState, seat: int, discovery: Discovery) -> float:
    gain = discovery.points + A_TIPI * discovery.tipis
    if discovery.species:
        found = journal(state, seat)
        now = species_points((*found, discovery)) - species_points(found)
        gain += SPECIES * now + (1 - SPECIES) * SETS[3] / 3
    return gain


class Means(NamedTuple):
    """A seat's means to explore: what its actions give, the dice each still needs, and the faces of its reserve.

    `lying` is the number of dice on each action when it is used, `own` the number that nobody can take from the seat.
    """

    gives: tuple[str, ...]
    needs: tuple[Wanted, ...]
    reserve: tuple[tuple[str, int], ...]
    lying: tuple[int, ...]
    own: int


def _means(state: DiscoveriesState, seat: int) -> Means:
    actions = explorations(state, seat)
    needs = tuple(_open_needs(state, seat, space, each.needs) for space, each in actions.items())
    faces: dict[str, int] = {}
    for die, count in state.players[seat].reserve.rest:
        faces[face_of(die)] = faces.get(face_of(die), 0) + count
    gives, lying = zip(*((each.gives, len(each.needs) + 1) for each in actions.values()), strict=True)
    return Means(gives, needs, tuple(sorted(faces.items())), lying, PER_COLOUR + state.greys(seat))


def _open_needs(state: DiscoveriesState, seat: int, space: str, needs: tuple[Need, ...]) -> Wanted:
    """The dice that the action still needs, including the Write die."""
    action = state.players[seat].action(space)
    laid = action.dice if action else ("",) * len(needs)
    write = () if action and action.write else (("write", 1),)
    return (*((need.face, need.dice) for need, colour in zip(needs, laid, strict=True) if not colour), *write)


@lru_cache(maxsize=65536)
def _cost(routes: tuple[str, ...], means: Means) -> float:
    """The cost of the dice for the cheapest way over one of the routes."""
    ways = _ways(means.gives, routes)
    return min((_way(means, way) for way in ways), default=NEVER)


def _way(means: Means, way: tuple[int, ...]) -> float:
    more = sum(means.lying[at] for at in way) - means.own
    return _dice(means.reserve, [means.needs[at] for at in way]) + TOO_MANY * max(0, more)


@lru_cache(maxsize=4096)
def _ways(gives: tuple[str, ...], routes: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """Every minimal set of actions, by index, that crosses one of the routes."""
    smallest: list[int] = []
    for subset in sorted(_crossing(gives, routes), key=lambda one: (one.bit_count(), one)):
        if not any(one & subset == one for one in smallest):
            smallest.append(subset)
    return tuple(tuple(at for at in range(len(gives)) if one >> at & 1) for one in smallest)


def _crossing(gives: tuple[str, ...], routes: tuple[str, ...]) -> set[int]:
    far = [(len(route), reach(gives, route, len(gives))) for route in routes]
    return {subset for length, sets in far for subset, end in sets.items() if end == length}


def _dice(reserve: tuple[tuple[str, int], ...], spaces: list[Wanted]) -> float:
    """The cost of these needs; each die of the reserve meets one, named faces first."""
    left, cost = dict(reserve), 0.0
    for face, count in _named_first(spaces):
        kind = max(left, key=left.__getitem__, default="walk") if face == "any" else face
        ready = min(count, left.get(kind, 0))
        left[kind] = left.get(kind, 0) - ready
        cost += IN_RESERVE * ready + MISSING * (count - ready)
    return cost


def _named_first(spaces: list[Wanted]) -> Iterator[tuple[str, int]]:
    wanted = [need for space in spaces for need in space]
    yield from (need for need in wanted if need[0] != "any")
    yield from (need for need in wanted if need[0] == "any")
