"""Replay: moves of several commands as they are typed, previewed and played; forced steps, the clock, resignations.

One loop, `settle`, plays forced steps before and after each command, never from inside a rule. A draw or a reveal
*fixes* a move: a refusal before that refuses the whole move and changes nothing; after it, the steps already played are
logged and the rest is dropped. A command after the end of the game is refused like any other.

What callers use guards the rules (`kit.play.guarded`), once for all that it plays; the functions with an underscore
rely on that.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from engine.chance import Lane, closed_lane, imagined_lane
from engine.errors import About, BadNotation, EngineFault, Refused, Uncertain
from engine.game import Command, Event, Game, State, Turn
from engine.kit.grammar import lines_of, within_bounds
from engine.kit.notation import Step
from engine.kit.play import decide, guarded, owing
from engine.kit.resigned import SeatResigned
from engine.kit.typed import complete

MOST_FORCED = 500
MOST_DEFAULTS = 50
IMAGINED = 8  # draws, of which a rare one that gives a line another meaning may be missing: the rules judge the command


class Moved(msgspec.Struct, frozen=True):
    """How far a move went: the steps that were played or skipped, and the refusal that stopped it, if any."""

    done: int
    refusal: Refused | None = None


class Preview(msgspec.Struct, frozen=True):
    """The effect of a move as far as it is certain, up to the first draw or reveal."""

    state: Any
    events: tuple[Event, ...]
    done: int
    refusal: Refused | None
    certain: bool
    warnings: tuple[str, ...] = ()  # what its commands waste


def start(game: Game[Any], seats: int, options: Any, chance: Lane, secret: Lane, rules: int | None = None) -> Turn:
    """Set the game up under a rules version (default: the current one) and play the forced steps."""
    options.check(seats)
    turn = Turn(None, chance, secret, rules=game.meta.rules[1] if rules is None else rules)
    guarded(game.setup, turn, seats, options)
    settle(game, turn)
    return turn


def settle(game: Game[Any], turn: Turn) -> None:
    """Play forced steps until none is left."""
    guarded(_settle, game, turn)


def _settle(game: Game[Any], turn: Turn, named: tuple[int, Command] | None = None) -> tuple[Command, ...]:
    """As `settle`, or until a step that the player names; return the steps played."""
    played: tuple[Command, ...] = ()
    while (step := _next_forced(game, turn.state)) is not None and step != named:
        if len(played) == MOST_FORCED:
            raise EngineFault("forced-without-end")
        _must(game, turn, *step)
        played += (step[1],)
    return played


def next_forced(game: Game[Any], state: State) -> tuple[int, Command] | None:
    """The step that everybody can see is the only one, with its seat; None if there is a choice."""
    return guarded(_next_forced, game, state)


def _next_forced(game: Game[Any], state: State) -> tuple[int, Command] | None:
    for seat in owing(game, state):
        command = game.forced(state, seat)
        if command is not None:
            return seat, command
    return None


def move(game: Game[Any], turn: Turn, seat: int, steps: Sequence[Step]) -> Moved:
    """Play a move. Refused if nothing was fixed yet: the caller drops the turn, and nothing has changed."""
    return guarded(_move, game, turn, seat, steps)


def _move(game: Game[Any], turn: Turn, seat: int, steps: Sequence[Step]) -> Moved:
    played = _Played()
    _play(game, turn, seat, steps, played)
    if played.refusal and not turn.fixed:
        raise played.refusal
    if not played.refusal and not played.stood:
        raise Refused("nothing-done") if seat in owing(game, turn.state) else Refused("not-active", seat=seat)
    _settle(game, turn)
    return Moved(played.done, played.refusal)


class _Played:
    """The progress of a running move: steps done, those of them that were played, and what stopped it."""

    done = 0
    stood = 0
    forced: tuple[Command, ...] = ()
    begun: tuple[tuple[State, Command], ...] = ()  # each command of a preview with the position before it
    refusal: Refused | None = None


def _play(game: Game[Any], turn: Turn, seat: int, steps: Sequence[Step], played: _Played) -> None:
    """Play the steps of a move and the forced steps between them; the state before the first is already settled."""
    for number, step in enumerate(steps, 1):
        if played.done:
            played.forced += _settle(game, turn, named=(seat, step.command))
        if turn.preview:
            played.begun += ((turn.state, step.command),)
        try:
            _step(game, turn, seat, step.command)
            played.stood += 1
        except Refused as no:
            played.begun = played.begun[:-1]
            if not step.may_skip:
                no.about = About(number, len(steps), step.command, played.forced)
                played.refusal = no
                return
        played.done += 1


def _step(game: Game[Any], turn: Turn, seat: int, command: Command) -> None:
    """Decide one command, or raise and leave the turn unchanged."""
    state, events = turn.state, len(turn.events)
    try:
        decide(game, turn, seat, command)
    except Uncertain:
        turn.back_to(state, events)
        raise


def _must(game: Game[Any], turn: Turn, seat: int, command: Command) -> None:
    """A step that the engine itself chose: if it is refused, that is a fault of ours."""
    try:
        _step(game, turn, seat, command)
    except Refused as no:
        raise EngineFault("own-step-refused", command=repr(command), refusal=str(no)) from no


def preview(game: Game[Any], state: State, seat: int, steps: Sequence[Step]) -> Preview:
    """The effect of the move; ends before the first command that draws or reveals."""
    turn, played, certain = Turn(state, closed_lane(), closed_lane(), preview=True), _Played(), True
    try:
        guarded(_play, game, turn, seat, steps, played)
        if not played.refusal:
            settle(game, turn)
    except Uncertain:
        certain = False
    warnings = (guarded(command.wastes, before, seat) for before, command in played.begun)
    return Preview(turn.state, tuple(turn.events), played.done, played.refusal, certain, tuple(filter(None, warnings)))


def expire(game: Game[Any], turn: Turn, seat: int) -> int:
    """Play `default` until the seat owes nothing; returns the number of commands, at least one."""
    return guarded(_expire, game, turn, seat)


def _expire(game: Game[Any], turn: Turn, seat: int) -> int:
    for count in range(MOST_DEFAULTS + 1):
        _settle(game, turn)
        if seat not in owing(game, turn.state):
            if not count:
                raise Refused("not-active", seat=seat)
            return count
        _must(game, turn, seat, game.default(turn.state, seat))
    raise EngineFault("default-without-end", seat=seat)


def resign(game: Game[Any], turn: Turn, seat: int) -> None:
    """Let the seat leave, in turn or not."""
    if seat in turn.state.gone:
        raise Refused("already-resigned", seat=seat)
    turn.emit(SeatResigned(seat))
    settle(game, turn)


# --- a move as it is typed -------------------------------------------------------------------------------------------


def read(game: Game[Any], state: State, seat: int, text: str) -> tuple[Step, ...]:
    """The steps of a text. Ambiguous or BadNotation if a line has several meanings or none.

    The position after a line is known as far as a preview is certain. After a draw, a line has the meaning that it has
    whatever is drawn; without one, and after a reveal, the position before the draw counts.
    """
    steps: tuple[Step, ...] = ()
    seen, *imagined = (_World(state, lane) for lane in (closed_lane(), *map(imagined_lane, range(IMAGINED))))
    for line in lines_of(text):
        seen.follow(game, seat, steps)
        found = None if seen.certain else _whatever_is_drawn(game, imagined, seat, steps, line)
        steps += found or _at(game, seen.turn, seat, steps, line)
    return within_bounds(text, steps)


class _World:
    """A text's position from line to line, with no draws or with imagined ones: no step is played twice.

    A reveal would show the truth, and what is left for secret draws may be known to nobody.
    """

    def __init__(self, state: State, chance: Lane) -> None:
        self.turn, self.played, self.certain = Turn(state, chance, closed_lane(), preview=True), _Played(), True

    def follow(self, game: Game[Any], seat: int, steps: tuple[Step, ...]) -> bool:
        """Play the steps that are new; False if that is refused or not certain, now or before."""
        if self.certain and not self.played.refusal:
            try:
                guarded(_play, game, self.turn, seat, steps[self.played.done :], self.played)
            except Uncertain:
                self.certain = False
        return self.certain and not self.played.refusal


def _at(game: Game[Any], turn: Turn, seat: int, steps: tuple[Step, ...], line: str) -> tuple[Step, ...]:
    """A line may name the forced step, or leave it out and continue after it. The turn itself stays."""
    turn = Turn(turn.state, turn.chance.onward(), closed_lane(), preview=True)
    forced = next_forced(game, turn.state) if steps else None
    if forced is not None and forced != (seat, _first(game, turn.state, seat, line)):
        with suppress(Uncertain):
            settle(game, turn)
    return complete(game, turn.state, seat, line)


def _first(game: Game[Any], state: State, seat: int, line: str) -> object:
    try:
        return complete(game, state, seat, line)[0].command
    except BadNotation:
        return None


def _whatever_is_drawn(
    game: Game[Any], worlds: Sequence[_World], seat: int, steps: tuple[Step, ...], line: str
) -> tuple[Step, ...] | None:
    """The one meaning that the line has after each of many imagined draws; None if there is none or another."""
    meaning = None
    for world in worlds:
        try:
            found = _at(game, world.turn, seat, steps, line) if world.follow(game, seat, steps) else None
        except BadNotation:
            return None
        if found is None or (meaning or found) != found:
            return None
        meaning = found
    return meaning
