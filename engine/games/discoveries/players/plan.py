"""A simple player with a plan: it prepares what its card needs, writes, crosses, wins tribes on the way, and rests.

It looks only at its own card, which is enough for games that a person can follow. If the card needs more dice than the
player can keep on actions at once (others take theirs back), it takes another card, or wins tribes for their grey dice.
Without this rule, a player could exchange two such cards for each other until the cap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.game import Command
from engine.games.discoveries.cards import FACES
from engine.games.discoveries.dice import PER_COLOUR, face_of
from engine.games.discoveries.exploration import crossing
from engine.games.discoveries.explore import Cross, Write, first_numbers, unwritten
from engine.games.discoveries.lay import Lay, Turning
from engine.games.discoveries.playing import most
from engine.games.discoveries.rest import End, Rest, RestNone, RestOwn, own_places
from engine.games.discoveries.sioux import Use
from engine.games.discoveries.spaces import explorations, laid_on
from engine.games.discoveries.state import DiscoveriesState

SETS_WORTH = 5  # estimated points of a species
MANY = 3  # with this many dice to take, a rest is better than turning dice
Plan = tuple[tuple[int, ...], tuple[str, ...]]  # cards to cross, actions to write on


def choose(state: DiscoveriesState, seat: int, options: Sequence[Command]) -> Command:
    """The legal command that this player plays."""
    kinds = {type(option) for option in options}
    if {Lay, End, RestOwn, Cross} & kinds and not state.doing.due and state.doing.owes in ((), ("cross",)):
        wanted = _act(state, seat, options)
        if wanted in options:
            return wanted
    return max(options, key=lambda option: _liking(state, seat, option))


def _liking(state: DiscoveriesState, seat: int, option: Command) -> float:
    """How much the player likes an option: cards that bring much for little, dice turned to what it lacks."""
    match option.__struct_config__.tag:
        case "choose" | "next" | "swap" | "reserve":
            return worth(state, seat, option.card)  # type: ignore[attr-defined]  # these have a card
        case "befriend":
            tribe = state.edition.card(option.card).tribe  # type: ignore[attr-defined]  # so has this
            return tribe.tipis + 2 * (tribe.exploration is not None)
        case "turn":
            lacking = _lacking(state, seat)
            return option.face == lacking and not option.die.endswith(lacking)  # type: ignore[attr-defined]  # a die
    return 0


def worth(state: DiscoveriesState, seat: int, card: int) -> float:
    """The gain of a card for the dice it still needs, squared: a long road keeps all dice busy.

    Below 0, or just above, if the card is out of reach for now.
    """
    discovery = state.edition.card(card).discovery
    gain = discovery.points + 2 * discovery.tipis + SETS_WORTH * (discovery.species is not None)
    needed = needs(state, seat, card)
    if not needed:
        return -1
    return gain / (1 + _missing(state, seat, needed)) ** 2 - (not _affords(state, seat, needed))


def _affords(state: DiscoveriesState, seat: int, spaces: Sequence[str]) -> bool:
    """Can the player keep enough dice on these actions at once, counting its own dice and its grey ones?"""
    actions = explorations(state, seat)
    return sum(len(actions[space].needs) + 1 for space in spaces) <= PER_COLOUR + state.greys(seat)


def _act(state: DiscoveriesState, seat: int, options: Sequence[Command]) -> Command:
    plan = _plan(state, seat)
    return next(
        filter(
            None,
            (
                plan and _write(plan, options),
                _prepare(state, seat, options),
                _befriend(options),
                _go_on(state, seat, options),
            ),
        ),
        _rest(state, seat),
    )


def _plan(state: DiscoveriesState, seat: int) -> Plan | None:
    """The cards that can be crossed this turn, two if possible, and the actions to write on for it."""
    spaces = tuple(a.space for a in state.players[seat].actions if a.ready)
    actions = explorations(state, seat)
    gives = [actions[space].gives for space in spaces]
    if state.doing.crossed or not spaces:
        return None
    for cards in _targets(state, seat):
        way = crossing(gives, [state.edition.card(card).discovery for card in cards])
        used = tuple(spaces[place] for leg in way.legs for place in leg.actions) if way else ()
        more = [space for space in used if space in unwritten(state, seat)]
        if way and most(state, "write", len(more)) == len(more):
            return cards, tuple(more)
    return None


def _targets(state: DiscoveriesState, seat: int) -> Iterator[tuple[int, ...]]:
    firsts = sorted(first_numbers(state, seat), key=lambda card: -worth(state, seat, card))
    yield from ((first, second) for first in firsts for second in state.territories)
    yield from ((first,) for first in firsts)


def _write(plan: Plan, options: Sequence[Command]) -> Command | None:
    """The next command of the plan; None if no legal one fits, in a turn that another player began."""
    cards, more = plan
    if not more:
        return Cross(*cards)
    writes = [option for option in options if isinstance(option, Write) and option.space == more[0]]
    uses = (option for option in options if isinstance(option, Use) and option.face == "write")
    return next((option for option in (*writes, *uses)), None)


def needs(state: DiscoveriesState, seat: int, card: int) -> tuple[str, ...]:
    """Actions that would cross the card, without those that lack the most dice where possible; () if none would.

    If they need too many dice at once, a choice of fewer actions.
    """
    actions = explorations(state, seat)
    nearest = _crossing(state, seat, card, sorted(actions, key=lambda space: -_missing(state, seat, (space,))))
    if not nearest or _affords(state, seat, nearest):
        return nearest
    fewest = _crossing(state, seat, card, sorted(actions, key=lambda space: len(actions[space].gives)))
    return fewest if _affords(state, seat, fewest) else nearest


def _crossing(state: DiscoveriesState, seat: int, card: int, spaces: list[str]) -> tuple[str, ...]:
    """The actions needed to cross the card; earlier ones are left out if the others suffice. () if all fail.

    The time doubles with every action, so as few of the last ones as suffice are looked at.
    """
    actions, discovery = explorations(state, seat), [state.edition.card(card).discovery]

    def suffice(some: Sequence[str]) -> bool:
        return crossing([actions[space].gives for space in some], discovery) is not None

    found = next((spaces[-count:] for count in range(1, len(spaces) + 1) if suffice(spaces[-count:])), [])
    for space in tuple(found):
        rest = [other for other in found if other != space]
        if suffice(rest):
            found = rest
    return tuple(found)


def _missing(state: DiscoveriesState, seat: int, spaces: Sequence[str]) -> int:
    actions = explorations(state, seat)
    return len(spaces) + sum(
        need.dice
        for space in spaces
        for need, colour in zip(actions[space].needs, laid_on(state, seat, space), strict=True)
        if not colour
    )


def _prepare(state: DiscoveriesState, seat: int, options: Sequence[Command]) -> Command | None:
    """Lay a die for the card, of the face that helps most, Write dice last; or change the card if no die helps."""
    lays = [option for option in options if isinstance(option, Lay)]
    wanted = [option for option in lays if option.space in _goals(state, seat, lays)]
    spaces: dict[str, int] = {
        face: len({option.space for option in wanted if option.die.endswith(face)}) for face in FACES
    }
    return max(wanted, key=lambda option: (not _is_write(option), spaces[face_of(option.die)]), default=None)


def _goals(state: DiscoveriesState, seat: int, lays: Sequence[Lay]) -> tuple[str, ...]:
    """The actions to lay dice on: what the card needs, or actions that bring another card or a tribe."""
    exploring = state.players[seat].exploring
    needed = needs(state, seat, exploring) if exploring else ()
    if not exploring or (needed and _affords(state, seat, needed)):
        return needed
    if any(worth(state, seat, card) > 0 for card in state.territories):
        return ("route",)
    friends = tuple(space for space in ("friendly", "wary") if any(lay.space == space for lay in lays))
    return friends or needed


def _befriend(options: Sequence[Command]) -> Command | None:
    lays = [option for option in options if isinstance(option, Lay)]
    return next((option for space in ("wary", "friendly") for option in lays if option.space == space), None)


def _go_on(state: DiscoveriesState, seat: int, options: Sequence[Command]) -> Command | None:
    """Turn a second die, end a turn that has begun, or turn dice if a rest would bring few."""
    lacking = _lacking(state, seat)
    more = [option for option in options if isinstance(option, Turning) and option.face == lacking]
    more = [option for option in more if not option.die.endswith(lacking)]
    if more or End() in options:
        return min(more, key=_is_write, default=End())
    spare = [option for option in options if isinstance(option, Lay) and option.space == "turn"]
    spare = [option for option in spare if not option.die.endswith(lacking)]
    others = sum(count for die, count in state.players[seat].reserve.rest if not die.endswith(lacking))
    tired = max(count for _, count in _rests(state, seat)) >= MANY
    return min(spare, key=_is_write) if spare and others > 1 and not tired else None


def _is_write(option: Lay | Turning) -> bool:
    return option.die.endswith("write")


def _lacking(state: DiscoveriesState, seat: int) -> str:
    """The face that the card needs next, or Parley if the card is out of reach."""
    exploring = state.players[seat].exploring
    needed = needs(state, seat, exploring) if exploring else ()
    if exploring and state.encounters and not (needed and _affords(state, seat, needed)):
        return "parley"
    for space in needed:
        colours = laid_on(state, seat, space)
        for need, colour in zip(explorations(state, seat)[space].needs, colours, strict=True):
            if not colour:
                return "walk" if need.face == "any" else need.face
    return "write"


def _rest(state: DiscoveriesState, seat: int) -> Command:
    """The rest that brings the most dice."""
    return max(_rests(state, seat), key=lambda way: way[1])[0]


def _own(state: DiscoveriesState, seat: int, places: tuple[str, ...]) -> Command:
    return RestOwn(places).meant(state, seat) if places else RestNone()


def _rests(state: DiscoveriesState, seat: int) -> tuple[tuple[Command, float], ...]:
    """Every rest with its number of dice. A rest with own dice leaves Write dice and needed ones if others can come."""
    own = own_places(state, seat)
    exploring, home = state.players[seat].exploring, f"{seat + 1}."
    kept = ("write", *(needs(state, seat, exploring) if exploring else ()))
    back = tuple(place for place in own if not place.startswith(home) or place.split(".")[1] not in kept)
    return (
        (_own(state, seat, back), len(back)),
        (Rest("right"), state.right.total),
        (Rest("left"), state.left.total),
        (_own(state, seat, own), 0.5),
    )
