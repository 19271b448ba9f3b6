"""Commands that are completed in any position, because their meaning does not depend on it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.game import Command, State
from engine.kit import format_command


class Unsteady(AssertionError):
    """A command that means different things in two positions, though its spelling says `anywhere`."""


def means_the_same_anywhere(command: Command, states: Sequence[State]) -> None:
    """`meant` of a kind with `spelling.anywhere` is the same in all positions, for every seat. Raises Unsteady."""
    if not command.spelling.anywhere:
        return
    for typed in (command, replace(command, **dict.fromkeys(command.spelling.implied))):
        found = {typed.meant(state, seat) for state in states for seat in range(state.seats)}
        if len(found) > 1:
            meanings = ", ".join(sorted(f"`{format_command(meant)}`" for meant in found))
            raise Unsteady(
                f"`{format_command(typed)}` means {meanings}, each in some position: `{type(command).__name__}.meant` "
                "reads the position, so its spelling cannot have `anywhere`"
            )
