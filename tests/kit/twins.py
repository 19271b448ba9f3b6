"""The twins law: two worlds that a watcher cannot tell apart, played on by acts that look alike to him, stay so.

They may part only after a secret draw, whose result he may see, or in a reveal. Anything else that differs, in what he
is shown, told, allowed, refused, or played for him by the clock, is a leak. No game needs a hook for it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from engine import replay
from engine.errors import Refused
from engine.game import Command, Game, Turn
from engine.kit import Step, active, legal, names_of, outcome, redact, redact_command, view
from tests.kit.worlds import Table, lane

LOOK_EVERY = 13  # steps; a board and a picture are made of the view alone, and views are compared at every step


class Leak(AssertionError):
    """What the watcher could tell, and where."""


def play_twins(table: Table, watcher: int | None, number: int, game: Game[Any] | None = None) -> int:
    """Play one pair to its end; how many steps the worlds truly differed. Raises Leak."""
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


def _begin(game: Game[Any], table: Table, watcher: int | None, number: int) -> tuple[Any, Any] | None:
    """Two setups with the same public draws and other secret ones that look alike to the watcher."""
    label = f"{table}-{number}"
    a = replay.start(game, table.seats, table.chosen, lane(label, "public"), lane(label, "hidden")).state
    for other in range(30):
        secret = lane(f"{label}-{other}", "hidden")
        b = replay.start(game, table.seats, table.chosen, lane(label, "public"), secret).state
        if view(game, a, watcher) == view(game, b, watcher):
            return a, b
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
        if _told(ta, watcher) == _told(tb, watcher):
            return ta.state, tb.state
        if ta.secret.drawn and tb.secret.drawn:
            continue
        if _parted_in_a_reveal(ta, tb, watcher):
            return None
        raise Leak(f"{watcher} is told {_told(ta, watcher)} in one world, {_told(tb, watcher)} in the other")
    return None


def _parted_in_a_reveal(ta: Turn, tb: Turn, watcher: int | None) -> bool:
    """Is the first thing told differently the same kind of reveal in both worlds?"""
    for x, y in zip(ta.events, tb.events, strict=False):
        if redact(x, watcher) != redact(y, watcher):
            return x.reveals and type(x) is type(y)
    return False


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
            raise Leak(f"{what} tells {watcher} the worlds apart: {mine!r} and {other!r}")


def _names() -> tuple[str, ...]:
    return ("active", "forced", "outcome", "view", "board", "picture", "legal", "default", "refusals")


def _seen(game: Game[Any], state: Any, watcher: int | None, pool: Sequence[Command], look: bool) -> Iterator[Any]:
    """Everything that leaves the engine for this watcher."""
    waiting = active(game, state)
    seen, names = view(game, state, watcher), names_of(state.seats)
    yield waiting
    yield [redact_command(c, watcher, s) for s in waiting if (c := game.forced(state, s)) is not None]
    yield outcome(game, state)
    yield seen
    yield game.board(seen, names) if look else ""
    yield game.picture(seen, names) if look else ""
    own = watcher is not None and watcher in waiting
    yield list(legal(game, state, watcher)) if own and watcher is not None else []
    yield game.default(state, watcher) if own and watcher is not None else None
    yield [_answer(game, state, watcher, c) for c in pool] if watcher is not None else []


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
