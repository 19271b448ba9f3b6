"""What a reveal opens: worlds that agree in the parts of the state that it declares show the same reveal.

A path has names of fields, places of tuples, `*` for all places, and `{seat}` for the event's own field of that name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.errors import SealedMoveError
from engine.game import Event, Turn


class Undeclared(AssertionError):
    """A reveal that opens more than it declares."""


def carried_over(state: Any, source: Any, path: list[str]) -> Any:
    """The state with the part at this path as it is in the source. Raises Undeclared if there is no such part."""
    if not path:
        return source
    name, rest = path[0], path[1:]
    if isinstance(state, tuple) and isinstance(source, tuple) and len(state) == len(source):
        places = range(len(state)) if name == "*" else [int(name)]
        return tuple(carried_over(one, source[n], rest) if n in places else one for n, one in enumerate(state))
    if isinstance(state, msgspec.Struct) and name in state.__struct_fields__:
        return replace(state, **{name: carried_over(getattr(state, name), getattr(source, name), rest)})
    return source if state == source or isinstance(state, tuple) else _nowhere(name, state)


def _nowhere(name: str, state: Any) -> Any:
    raise Undeclared(f"`reveals` names `{name}`, which {type(state).__name__} does not have")


def parts(event: Event) -> list[list[str]]:
    """The paths that an event declares, with its own fields filled in."""
    fields = {name: getattr(event, name) for name in event.__struct_fields__}
    return [path.format(**fields).split(".") for path in event.reveals]


def agreed(other: Any, state: Any, events: list[Event]) -> Any:
    """The other world with everything that these events declare as it is in this state."""
    for event in events:
        for path in parts(event):
            other = carried_over(other, state, path)
    return other


def opens_what_it_declares(state: Any, other: Any, turn: Turn, play: Callable[[Any], Turn]) -> None:
    """Each reveal of a turn is the same in another world that agrees in what it declares. Raises Undeclared.

    `play` plays the same command with the same draws in another state. A world in which the reveal does not happen,
    or something else was drawn before it, shows nothing.
    """
    for number, event in enumerate(turn.events):
        if not event.reveals:
            continue
        try:
            again = play(agreed(other, state, [event])).events
        except SealedMoveError:  # the mixed world cannot be played
            continue
        place = _place(again, event, turn.events[:number])
        if place is None or _unrevealed(again, place) != _unrevealed(turn.events, number):
            continue
        shown = again[place]
        if shown != event:
            fields = [name for name in event.__struct_fields__ if getattr(event, name) != getattr(shown, name)]
            raise Undeclared(
                f"`{type(event).__name__}` declares that it opens {', '.join(event.reveals)}, and worlds that agree in "
                f"it show {event} and {shown}: declare what `{', '.join(fields)}` opens, or do not show it"
            )


def _unrevealed(events: list[Event], number: int) -> list[Event]:
    """The events before this one that open nothing."""
    return [event for event in events[:number] if not event.reveals]


def _place(events: list[Event], event: Event, earlier: list[Event]) -> int | None:
    """The place of the same kind of reveal for the same seat; of several in one turn, the one with as many before."""
    seat = getattr(event, "seat", None) if any("{seat}" in path for path in event.reveals) else None
    places = [n for n, one in enumerate(events) if _is_alike(one, event, seat)]
    nth = sum(_is_alike(one, event, seat) for one in earlier)
    return places[nth] if nth < len(places) else None


def _is_alike(one: Event, event: Event, seat: int | None) -> bool:
    return type(one) is type(event) and seat in (None, getattr(one, "seat", None))
