"""What a watcher may see of an event or a command: sealed fields are None for everybody but their seat."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec.structs import replace

from engine.game import Command, Event

E = TypeVar("E", bound=Event)


def owner(event: Event) -> int | None:
    """The seat that alone may know the event whole; None if everybody may."""
    if not event.sealed:
        return None
    seat: int = event.seat  # type: ignore[attr-defined]  # an event with sealed fields has a seat: a law of the suite
    return seat


def redact(event: E, watcher: int | None) -> E:
    """The event as `watcher` (None: anybody) may know it."""
    return event if owner(event) in (None, watcher) else _without(event, event.sealed)


def redact_command(command: Command, watcher: int | None, seat: int) -> Command:
    """A command of `seat` as `watcher` may know it; two commands equal here look alike to him."""
    return command if watcher == seat or not command.sealed else _without(command, command.sealed)


def _without(thing: Any, fields: tuple[str, ...]) -> Any:
    return replace(thing, **dict.fromkeys(fields))
