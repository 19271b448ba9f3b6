"""A simple purposeful player: it prepares what its card needs, writes, crosses, makes friends on the way, and rests.

It sees no further than its own card, which is enough for games that a person can follow; the golden games are made
with it (`python -m tests.games.discoveries.policy 3 WORD`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from engine import golden, registry, replay
from engine.game import Command, Turn
from engine.games.discoveries.cards import FACES
from engine.games.discoveries.dice import face_of
from engine.games.discoveries.exploration import crossing
from engine.games.discoveries.explore import Cross, Write, first_numbers, unwritten
from engine.games.discoveries.lay import Lay, Turning
from engine.games.discoveries.playing import most
from engine.games.discoveries.rest import End, Rest, RestNone, RestOwn, own_places
from engine.games.discoveries.sioux import Use
from engine.games.discoveries.spaces import explorations, laid_on
from engine.games.discoveries.state import DiscoveriesState
from engine.kit import Step, active, format_steps, legal
from tests.kit.worlds import lanes

SETS_WORTH = 5  # points that a species is taken to be worth
MANY = 3  # dice for which a rest is better than to turn some
Plan = tuple[tuple[int, ...], tuple[str, ...]]  # cards to cross, actions to write on


def choose(state: DiscoveriesState, seat: int) -> Command:
    """The command that this player plays."""
    game = registry.find("discoveries")
    options = list(legal(game, state, seat))
    kinds = {type(option) for option in options}
    if {Lay, End, RestOwn, Cross} & kinds and not state.doing.due and state.doing.owes in ((), ("cross",)):
        return _act(state, seat, options)
    return max(options, key=lambda option: _liking(state, seat, option))


def _liking(state: DiscoveriesState, seat: int, option: Command) -> float:
    """Of several cards or dice: cards that bring much for little, dice turned to what is lacking."""
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
    """What it brings for the dice that it still asks, which count twice: a long road keeps all dice busy."""
    discovery = state.edition.card(card).discovery
    gain = discovery.points + 2 * discovery.tipis + SETS_WORTH * (discovery.species is not None)
    needed = needs(state, seat, card)
    return gain / (1 + _missing(state, seat, needed)) ** 2 if needed else -1


def _act(state: DiscoveriesState, seat: int, options: Sequence[Command]) -> Command:
    plan = _plan(state, seat)
    if plan is not None:
        return _write(state, seat, plan, options)
    return next(
        filter(None, (_prepare(state, seat, options), _befriend(options), _go_on(state, seat, options))),
        _rest(state, seat),
    )


def _plan(state: DiscoveriesState, seat: int) -> Plan | None:
    """What can be crossed in this turn, two cards if possible, and on what to write for it."""
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


def _write(state: DiscoveriesState, seat: int, plan: Plan, options: Sequence[Command]) -> Command:
    cards, more = plan
    if not more:
        return Cross(*cards)
    writes = [option for option in options if isinstance(option, Write) and option.space == more[0]]
    return (*writes, *(option for option in options if isinstance(option, Use) and option.face == "write"))[0]


def needs(state: DiscoveriesState, seat: int, card: int) -> tuple[str, ...]:
    """Actions that would cross the card, those left out first that lack most dice; () if none would."""
    actions = explorations(state, seat)
    spaces = sorted(actions, key=lambda space: -_missing(state, seat, (space,)))
    discovery = [state.edition.card(card).discovery]
    if crossing([actions[space].gives for space in spaces], discovery) is None:
        return ()
    for space in tuple(spaces):
        rest = [other for other in spaces if other != space]
        if crossing([actions[other].gives for other in rest], discovery) is not None:
            spaces = rest
    return tuple(spaces)


def _missing(state: DiscoveriesState, seat: int, spaces: Sequence[str]) -> int:
    actions = explorations(state, seat)
    return len(spaces) + sum(
        need.dice
        for space in spaces
        for need, colour in zip(actions[space].needs, laid_on(state, seat, space), strict=True)
        if not colour
    )


def _prepare(state: DiscoveriesState, seat: int, options: Sequence[Command]) -> Command | None:
    """Dice for what the card needs, of the face of which most help, Write dice last; another card if none would do."""
    exploring = state.players[seat].exploring
    needed = needs(state, seat, exploring) if exploring else ()
    lays = [option for option in options if isinstance(option, Lay)]
    wanted = [option for option in lays if option.space in (needed or ("route",) * (exploring > 0))]
    spaces = {face: len({option.space for option in wanted if option.die.endswith(face)}) for face in FACES}
    return max(wanted, key=lambda option: (not _is_write(option), spaces[face_of(option.die)]), default=None)


def _befriend(options: Sequence[Command]) -> Command | None:
    lays = [option for option in options if isinstance(option, Lay)]
    return next((option for space in ("wary", "friendly") for option in lays if option.space == space), None)


def _go_on(state: DiscoveriesState, seat: int, options: Sequence[Command]) -> Command | None:
    """Turns a second die, ends a turn that is begun, or turns dice if a rest would bring few."""
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
    """The face of the dice that the card needs next."""
    exploring = state.players[seat].exploring
    for space in needs(state, seat, exploring) if exploring else ():
        colours = laid_on(state, seat, space)
        for need, colour in zip(explorations(state, seat)[space].needs, colours, strict=True):
            if not colour:
                return "walk" if need.face == "any" else need.face
    return "write"


def _rest(state: DiscoveriesState, seat: int) -> Command:
    """The way that brings most dice."""
    return max(_rests(state, seat), key=lambda way: way[1])[0]


def _own(state: DiscoveriesState, seat: int, places: tuple[str, ...]) -> Command:
    return RestOwn(places).meant(state, seat) if places else RestNone()


def _rests(state: DiscoveriesState, seat: int) -> tuple[tuple[Command, float], ...]:
    """A bank, or own dice, with how many come; those on own actions and for writing stay if anything else does come."""
    own = own_places(state, seat)
    home = f"{seat + 1}."
    back = tuple(p for p in own if not p.startswith(home) or p in (f"{home}walk", f"{home}ride", f"{home}parley"))
    return (
        (_own(state, seat, back), len(back)),
        (Rest("right"), state.right.total),
        (Rest("left"), state.left.total),
        (_own(state, seat, own), 0.5),
    )


def record(
    seats: int,
    chance: str,
    options: str = "{}",
    leave: Sequence[tuple[int, int]] = (),
    begins: int | None = 1,
) -> golden.Script:
    """A whole game of this player against itself, as the script of a golden game.

    `leave` has (after moves, seat); `begins` counts from 1, None: as it is drawn.
    """
    game = registry.find("discoveries")
    turn = replay.start(
        game, seats, golden._options(game, options), *lanes(chance, None if begins is None else begins - 1)
    )
    moves: list[tuple[int, str]] = []
    while waiting := active(game, turn.state):
        seat = next((s for s in waiting if s != turn.state.seat), waiting[0])
        turn = Turn(turn.state, turn.chance.onward(), turn.secret.onward())
        gone = next((who for after, who in leave if after <= len(moves) and who not in turn.state.gone), None)
        moves.append((seat, _move(turn, seat)) if gone is None else (gone, _leave(turn, gone)))
    return golden.Script("discoveries", seats, game.meta.rules[1], options, chance, begins, tuple(moves))


def whole_turn(state: DiscoveriesState, seat: int) -> tuple[Step, ...]:
    """What this player does until its turn is over, or until something is thrown or drawn."""
    game, now = registry.find("discoveries"), state
    steps: list[Step] = []
    while True:
        steps.append(Step(choose(now, seat)))
        shown = replay.preview(game, state, seat, steps)
        if not shown.certain or seat not in active(game, shown.state):
            return tuple(steps)
        now = shown.state


def _move(turn: Turn, seat: int) -> str:
    game = registry.find("discoveries")
    if seat in turn.state.gone:
        replay.expire(game, turn, seat)
        return "clock"
    steps = whole_turn(turn.state, seat)
    replay.move(game, turn, seat, steps)
    return format_steps(steps)


def _leave(turn: Turn, seat: int) -> str:
    replay.resign(registry.find("discoveries"), turn, seat)
    return "resigns"


if __name__ == "__main__":
    sys.stdout.write(golden.write(record(int(sys.argv[1]), sys.argv[2])))
