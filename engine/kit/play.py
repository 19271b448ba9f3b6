"""Derived from the contract for all games: the outcome, the active seats, the legal commands, the decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from engine.errors import EngineFault, Refused, SealedMoveError
from engine.game import Command, Common, Event, Game, Outcome, Standing, State, Turn, View

T = TypeVar("T")

REFUSALS: Mapping[str, str] = {
    "not-active": "It is not this seat's turn.",
    "not-now": "This command is not possible now. Possible: {expected}.",
    "nothing-done": "Every command of the move was skipped, so there is nothing to log.",
    "bad-notation": "{says}.",
    "ambiguous": "'{found}' fits several commands: {candidates}.",
    "already-resigned": "{seat} has resigned already.",
    "unknown-game": "There is no game {found}. The games are: {expected}.",
    "game-out": "The rules of {found} cannot be loaded here right now.",
    "bad-move": "The move cannot be read: {says}.",
}

RESIGNED, UNDECIDED = "resigned", "undecided"  # the reasons to end that every game shares
ENDINGS: Mapping[str, str] = {
    RESIGNED: "Others have resigned, and too few players are left.",
    UNDECIDED: "The game has reached its maximum length, so it is ranked as it stands.",
}


# --- the end --------------------------------------------------------------------------------------------------------


def guarded(rule: Callable[..., T], *given: Any) -> T:
    """Apply a rule of the game; any exception but a refusal becomes a fault of ours."""
    try:
        return rule(*given)
    except SealedMoveError:
        raise
    except Exception as wrong:
        raise EngineFault("engine-fault", error=repr(wrong)) from wrong


def outcome(game: Game[Any], state: State) -> Outcome | None:
    """The outcome, with resigned seats last; None while the game goes on. The last seat left has won.

    The game's own end takes precedence over resignations, and those over the cap.
    """
    ended = guarded(game.outcome, state)
    if ended is None and _is_deserted(state):
        return _left_alone(state)
    if ended is None and _is_at_cap(game, state):
        now = game.standing(state)
        ended = Outcome(**{name: getattr(now, name) for name in now.__struct_fields__}, reason=UNDECIDED)
    return _resigned_last(ended, state) if ended and state.gone else ended


def standing(game: Game[Any], state: State) -> Standing:
    """How the seats stand: by the outcome, or as the game ranks them while it goes on."""
    return outcome(game, state) or game.standing(state)


def turns(game: Game[Any], state: State) -> int:
    """How many turns have been played."""
    return game.turns(state)


def _is_deserted(state: State) -> bool:
    return bool(state.gone) and len(state.staying) < 2


def _is_at_cap(game: Game[Any], state: State) -> bool:
    return game.turns(state) >= game.meta.cap


def _left_alone(state: State) -> Outcome:
    last = state.staying
    return Outcome(places=(*filter(None, (last,)), *_latecomers_first(state)), won=bool(last), reason=RESIGNED)


def _latecomers_first(state: State) -> tuple[tuple[int, ...], ...]:
    """Seats that stayed longer rank before those that left earlier."""
    return tuple((seat,) for seat in reversed(state.gone))


def _resigned_last(ended: Outcome, state: State) -> Outcome:
    staying = (tuple(seat for seat in place if seat not in state.gone) for place in ended.places)
    return replace(ended, places=(*(place for place in staying if place), *_latecomers_first(state)))


def active(game: Game[Any], state: State) -> tuple[int, ...]:
    """The seats that owe a command now, ascending; () when the game is over."""
    return guarded(owing, game, state)


def owing(game: Game[Any], state: State) -> tuple[int, ...]:
    """As `active`, for callers that guard it together with what they do next."""
    if (state.gone and _is_deserted(state)) or game.turns(state) >= game.meta.cap:
        return ()
    return game.active(state)


def view(game: Game[Any], state: State, seat: int | None) -> Any:
    """The view of a seat (None: a spectator), with what every state has and with the outcome of an ended game."""
    seen: View = game.view(state, seat)
    common = Common(rules=state.rules, seats=state.seats, starter=state.starter, gone=state.gone)
    return replace(seen, common=common, ended=outcome(game, state))


def ranked(scores: Mapping[int, Any]) -> tuple[tuple[int, ...], ...]:
    """Places from a score by seat (a number, or a tuple with what breaks ties): the best first, ties sharing a
    place.
    """
    best_first = sorted(set(scores.values()), reverse=True)
    return tuple(tuple(seat for seat in scores if scores[seat] == score) for score in best_first)


# --- commands -------------------------------------------------------------------------------------------------------


def legal(game: Game[Any], state: State, seat: int) -> Iterator[Command]:
    """Every command that `decide` would accept from this seat now, each once, in a fixed order."""
    if seat not in active(game, state):
        return
    yield from allowed(game.phase(state, seat), state, seat)


def allowed(kinds: Iterable[type[Command]], state: State, seat: int) -> Iterator[Command]:
    """The candidates of these kinds that their own rule accepts, in order."""
    for kind in kinds:
        for command in kind.candidates(state, seat):
            if is_allowed(command, state, seat):
                yield command


def is_allowed(command: Command, state: State, seat: int) -> bool:
    """Does the command's own rule accept it? The caller has checked the seat and the phase."""
    try:
        command.check(state, seat)
    except Refused:
        return False
    return True


def decide(game: Game[Any], turn: Turn, seat: int, command: Command) -> None:
    """Play one command of a seat on the running turn; raise Refused before anything is emitted if it is not allowed."""
    state = turn.state
    kinds = game.phase(state, seat) if seat in owing(game, state) else ()
    if type(command) not in kinds:
        raise _untimely(turn, seat, command, kinds)
    command.check(state, seat)
    try:
        command.play(turn, seat)
    except Refused as no:
        raise EngineFault("refused-in-play", refusal=str(no), command=repr(command)) from no


def _untimely(turn: Turn, seat: int, command: Command, kinds: tuple[type[Command], ...]) -> Refused:
    """The refusal of a command that the phase does not have. An inactive seat has no commands at all, but may have been
    active earlier in this move.
    """
    reason = command.untimely(turn, seat) if kinds or turn.events else None
    if reason:
        return reason
    if not kinds:
        return Refused("not-active", seat=seat)
    return Refused("not-now", found=command.notation, expected=tuple(kind.notation for kind in kinds))


# --- events and commands as a watcher may see them --------------------------------------------------------------------
# Sealed fields are None for everyone but their seat.

E = TypeVar("E", bound=Event)


def owner(event: Event) -> int | None:
    """The only seat that may see the whole event; None if everyone may."""
    if not event.sealed:
        return None
    seat: int = event.seat  # type: ignore[attr-defined]  # an event with sealed fields has a seat: a law of the suite
    return seat


def redact(event: E, watcher: int | None) -> E:
    """The event as `watcher` (None: a spectator) may see it."""
    return event if owner(event) in (None, watcher) else _without(event, event.sealed)


def redact_command(command: Command, watcher: int | None, seat: int) -> Command:
    """A command of `seat` as `watcher` may see it; the watcher cannot tell two commands apart that are equal here."""
    return command if watcher == seat or not command.sealed else _without(command, command.sealed)


def _without(thing: Any, fields: tuple[str, ...]) -> Any:
    return replace(thing, **dict.fromkeys(fields))
