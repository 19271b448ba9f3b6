"""The twins law: two worlds that a watcher cannot tell apart stay so while the acts in them look alike to the watcher.

They may part only in a reveal, or after a secret draw whose result the watcher may see. Any other difference in what
the watcher sees, may do or is refused, or in a default move for them, is a leak. No game needs a hook for it.

Worlds that part by a secret draw also part in the watcher's view: events that reveal more than the view are a leak.
Public draws are in the record for all, so worlds with the same events have the same public draws.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

from conformance.imagined import differences, reader
from conformance.opened import agreed, opens_what_it_declares
from conformance.turns import lane
from conformance.worlds import Table
from engine import replay
from engine.errors import Refused, SealedMoveError
from engine.game import Command, Event, Game, Turn
from engine.kit import Step, active, label, legal, names_of, outcome, redact, redact_command, view
from engine.selfplay import Walked

MOST_COMPARED = 12  # commands of a kind at one position
LOOK_EVERY = 13  # steps; a board and a picture are made of the view alone, and views are compared at every step


class Leak(AssertionError):
    """The difference that the watcher could see, and its place."""


def play_twins(table: Table, watcher: int | None, number: int, game: Game[Any] | None = None) -> int:
    """Play one pair to its end; returns the number of steps in which the worlds differed. Raises Leak."""
    game = game or table.game
    rnd = random.Random(f"{table}-{watcher}-{number}")
    pair = _begin(game, table, watcher, number)
    differed = steps = 0
    pool: list[Command] = []
    while pair is not None:
        a, b = pair
        _compare(game, a, b, watcher, pool, look=steps % LOOK_EVERY == 0)
        steps += 1
        differed += a != b
        pair = _step(game, a, b, watcher, rnd)
        pool = _sample(game, a, rnd, pool)
    return differed


def _onward(
    game: Game[Any], a: Any, b: Any, ta: Turn, play: Callable[[Any], Turn], watcher: int | None
) -> tuple[Any, Any] | None:
    """The pair goes on in a world that agrees in all that was opened; None if that one can be told apart."""
    try:
        tc = play(agreed(b, a, [event for event in ta.events if event.reveals]))
    except SealedMoveError:  # the mixed world cannot be played
        return None
    is_alike = _told(ta, watcher) == _told(tc, watcher)
    return (ta.state, tc.state) if is_alike and view(game, ta.state, watcher) == view(game, tc.state, watcher) else None


def pairs_of_twins(table: Table, watcher: int | None, number: int) -> Iterator[tuple[Any, Any]]:
    """The positions of one pair, as long as the watcher cannot tell them apart."""
    rnd = random.Random(f"{table}-{watcher}-{number}")
    pair = _begin(table.game, table, watcher, number)
    while pair is not None:
        yield pair
        pair = _step(table.game, *pair, watcher, rnd)


def _begin(game: Game[Any], table: Table, watcher: int | None, number: int) -> tuple[Any, Any] | None:
    """Two setups with the same public draws and other secret ones that look alike to the watcher."""
    label = f"{table}-{number}"
    a = replay.start(game, table.seats, table.chosen, lane(label, "public"), lane(label, "hidden"))
    for other in range(30):
        secret = lane(f"{label}-{other}", "hidden")
        b = replay.start(game, table.seats, table.chosen, lane(label, "public"), secret)
        tells_no_more_than_it_shows(game, a, b, watcher)
        if view(game, a.state, watcher) == view(game, b.state, watcher):
            return a.state, b.state
    return None


def _step(game: Game[Any], a: Any, b: Any, watcher: int | None, rnd: random.Random) -> tuple[Any, Any] | None:
    waiting = active(game, a)
    if not waiting:
        return None
    seat = rnd.choice(waiting)
    there: dict[Command, list[Command]] = {}
    for command in legal(game, b, seat):
        there.setdefault(redact_command(command, watcher, seat), []).append(command)
    mine = [c for c in legal(game, a, seat) if redact_command(c, watcher, seat) in there]
    if not mine:
        return None
    x = rnd.choice(mine)
    y = rnd.choice(there[redact_command(x, watcher, seat)])
    for attempt in range(6):
        key = f"{rnd.random()}"
        ta, tb = _play(game, a, seat, x, key, key), _play(game, b, seat, y, key, f"{key}-{attempt}")
        tells_no_more_than_it_shows(game, ta, tb, watcher)
        if _told(ta, watcher) == _told(tb, watcher):
            return ta.state, tb.state
        if ta.secret.drawn and tb.secret.drawn:
            continue
        if _parted_in_a_reveal(ta, tb, watcher):
            again = partial(_same_move, game, seat, x, key)
            opens_what_it_declares(a, b, ta, again)
            return _onward(game, a, b, ta, again, watcher)
        raise Leak(f"{reader(watcher)} is told {_told(ta, watcher)} in one world, {_told(tb, watcher)} in the other")
    return None


def tells_no_more_than_it_shows(game: Game[Any], ta: Turn, tb: Turn, watcher: int | None) -> None:
    """Two turns began alike for the watcher and differ by secrets: if their events differ, so do the views; if not, the
    public draws are the same. Raises Leak.

    The kind of an event reveals as much as its fields, and so does an event in one world only: a watcher who may not
    see the card drawn must not learn whether it was good. A rule that shows something on purpose has `reveals`.
    """
    parted = _parting(ta, tb, watcher)
    if parted is None:
        if ta.chance.got != tb.chance.got:
            raise Leak(f"public draws tell {reader(watcher)} the worlds apart: {ta.chance.got} and {tb.chance.got}")
        return
    x, y = parted
    is_reveal = any(event is not None and event.reveals for event in (x, y))
    if not is_reveal and view(game, ta.state, watcher) == view(game, tb.state, watcher):
        raise Leak(f"{reader(watcher)} is told what no view shows them: {x} and {y}")


def shows_what_it_draws(game: Game[Any], ta: Turn, tb: Turn, watcher: int | None) -> None:
    """Two turns began in one state and differ by public draws: the watcher sees or is told the effect. Raises Leak.

    Otherwise something hidden depends on a draw that the record shows to all.
    """
    if ta.state == tb.state or _told(ta, watcher) != _told(tb, watcher):
        return
    if view(game, ta.state, watcher) == view(game, tb.state, watcher):
        raise Leak(f"what is hidden from {reader(watcher)} was drawn in public: {ta.chance.got} and {tb.chance.got}")


def seals_what_it_hides(game: Game[Any], step: Walked) -> None:
    """Commands whose effects look alike to others look alike themselves. Raises Leak.

    Otherwise a log that shows commands would give away what the events hide.
    """
    if step.seat is None:
        return
    kinds = Counter(map(type, step.legal))
    for kind in kinds:
        some = [command for command in step.legal if type(command) is kind][-MOST_COMPARED:]
        for watcher in {None, (step.seat + 1) % step.before.seats} - {step.seat} if len(some) > 1 else ():
            _look_alike(game, step, some, watcher)


def _look_alike(game: Game[Any], step: Walked, some: Sequence[Command], watcher: int | None) -> None:
    seat = step.seat
    assert seat is not None
    shown: dict[Any, tuple[Command, Any]] = {}
    for command in some:
        turn = _play(game, step.before, seat, command, "one", "one")
        key = (tuple(_told(turn, watcher)), view(game, turn.state, watcher))
        other, state = shown.setdefault(key, (command, turn.state))
        mine, theirs = (redact_command(one, watcher, seat) for one in (command, other))
        if mine != theirs and turn.state != state:
            fields = [name for name in mine.__struct_fields__ if getattr(mine, name) != getattr(theirs, name)]
            raise Leak(
                f"{command} and {other} show {reader(watcher)} the same, but are not sealed alike: "
                f"name {', '.join(fields)} in `{type(command).__name__}.sealed`"
            )


def try_other_draws(game: Game[Any], seats: int, options: Any, step: Walked, number: int = 0) -> None:
    """The step of a walk with other draws, now in secret, now in public, judged for everybody. Raises Leak."""
    played = _again(game, seats, options, step, "one", "one")
    for lanes, is_drawn, law in (
        (("one", f"other-{number}"), step.secret, tells_no_more_than_it_shows),
        ((f"other-{number}", "one"), step.public, shows_what_it_draws),
    ):
        other = _again(game, seats, options, step, *lanes) if is_drawn else played
        for watcher in (None, *range(seats)) if is_drawn else ():
            law(game, played, other, watcher)


def _again(game: Game[Any], seats: int, options: Any, step: Walked, public: str, secret: str) -> Turn:
    if step.seat is None or step.chosen is None:
        return replay.start(game, seats, options, lane(public, "public"), lane(secret, "hidden"))
    return _play(game, step.before, step.seat, step.chosen, public, secret)


def _same_move(game: Game[Any], seat: int, command: Command, key: str, state: Any) -> Turn:
    """The same command with the same draws, in another world."""
    return _play(game, state, seat, command, key, key)


def _parted_in_a_reveal(ta: Turn, tb: Turn, watcher: int | None) -> bool:
    """True if the first difference in the events is the same kind of reveal in both worlds."""
    one, other = _parting(ta, tb, watcher) or (None, None)
    return one is not None and bool(one.reveals) and type(one) is type(other)


def _parting(ta: Turn, tb: Turn, watcher: int | None) -> tuple[Event | None, Event | None] | None:
    """The first two events that look different, None for a missing one; None if all look alike."""
    told = zip_longest(_told(ta, watcher), _told(tb, watcher))
    return next(((x, y) for x, y in told if x != y), None)


def _play(game: Game[Any], state: Any, seat: int, command: Command, key: str, secret: str) -> Turn:
    turn = Turn(state, lane(key, "public"), lane(secret, "hidden"))
    replay.move(game, turn, seat, (Step(command),))
    return turn


def _told(turn: Turn, watcher: int | None) -> list[Any]:
    return [redact(event, watcher) for event in turn.events]


def _compare(
    game: Game[Any], a: Any, b: Any, watcher: int | None, pool: Sequence[Command], *, look: bool = True
) -> None:
    for what, mine, other in zip(
        *(_names(), *(list(_seen(game, s, watcher, pool, look)) for s in (a, b))), strict=True
    ):
        if mine != other:
            first = differences(mine, other, what).partition("; ")[0]
            raise Leak(
                f"{reader(watcher)} can tell apart two positions that differ only in what it must not see: {first}"
            )


def _names() -> tuple[str, ...]:
    return ("active", "forced", "outcome", "standing", "view", "board", "picture", "legal", "default", "refusals")


def _seen(game: Game[Any], state: Any, watcher: int | None, pool: Sequence[Command], look: bool) -> Iterator[Any]:
    """Everything that leaves the engine for this watcher."""
    waiting = active(game, state)
    seen, names = view(game, state, watcher), names_of(state.seats)
    yield waiting
    yield [redact_command(c, watcher, s) for s in waiting if (c := game.forced(state, s)) is not None]
    yield outcome(game, state)
    yield game.standing(state)
    yield seen
    yield game.board(seen, names) if look else ""
    yield game.picture(seen, names) if look else ""
    own = watcher is not None and watcher in waiting
    yield list(_choices(game, state, watcher, names)) if own and watcher is not None else []
    yield game.default(state, watcher) if own and watcher is not None else None
    yield [_answer(game, state, watcher, c) for c in pool] if watcher is not None else []


def _choices(game: Game[Any], state: Any, seat: int, names: Sequence[str]) -> Iterator[tuple[Command, str, str]]:
    """The legal commands, each with its description, and with what it wastes."""
    for command in legal(game, state, seat):
        yield command, label(game, state, seat, command, names), command.wastes(state, seat)


def _answer(game: Game[Any], state: Any, seat: int, command: Command) -> Any:
    if seat not in active(game, state) or type(command) not in game.phase(state, seat):
        return None
    try:
        command.check(state, seat)
    except Refused as no:
        return no.code, no.facts
    return "allowed"


def _sample(game: Game[Any], state: Any, rnd: random.Random, pool: list[Command]) -> list[Command]:
    """Commands seen on the way, tried later where they may be refused."""
    for seat in active(game, state):
        pool.extend(rnd.sample(found := list(legal(game, state, seat)), min(2, len(found))))
    return pool[-24:]
