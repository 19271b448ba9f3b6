"""What a watcher may see of an event or a command: sealed fields are None for everybody but their seat."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec.structs import replace

from engine.game import Command, Event

E = TypeVar("E", bound=Event)


def redact(event: E, watcher: int | None) -> E:
    """The event as `watcher` (None: anybody) may know it."""
    if not event.sealed:
        return event
    owner = event.seat  # type: ignore[attr-defined]  # an event with sealed fields has a seat: a law of the suite
    return event if watcher == owner else _without(event, event.sealed)


def redact_command(command: Command, watcher: int | None, seat: int) -> Command:
    """A command of `seat` as `watcher` may know it; two commands equal here look alike to him."""
    return command if watcher == seat or not command.sealed else _without(command, command.sealed)


def _without(thing: Any, fields: tuple[str, ...]) -> Any:
    return replace(thing, **dict.fromkeys(fields))
