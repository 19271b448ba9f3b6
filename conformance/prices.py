"""The cost of a command as players read it, compared with what it takes from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from conformance.turns import turn_at
from engine.game import Command, Game
from engine.kit import decide, format_command
from engine.selfplay import Walked

FEW = 6  # commands of a kind at one position
Paid = Callable[[Any, Any, int], str]


class WrongPrice(AssertionError):
    """A command that takes something else than its `costs` say."""


def costs_what_it_says(game: Game[Any], step: Walked, paid: Paid | None) -> None:
    """`costs` of legal commands are what `paid(before, after, seat)` of the game's notes finds. Raises WrongPrice."""
    tried: Counter[type[Command]] = Counter()
    seat = step.seat
    assert seat is not None
    for command in step.legal:
        kind = type(command)
        tried[kind] += 1
        if tried[kind] > FEW or kind.costs is Command.costs:
            continue
        if paid is None:
            raise WrongPrice(
                f"`{kind.__name__}` has `costs`, and the notes of {game.meta.key} have no "
                "`paid(before, after, seat)` that compares them with two positions"
            )
        turn = turn_at(step.before)
        decide(game, turn, seat, command)
        says, took = command.costs(step.before, seat), paid(step.before, turn.state, seat)
        if says != took:
            raise WrongPrice(
                f"`{format_command(command)}` says that it costs {says or 'nothing'!r} and takes "
                f"{took or 'nothing'!r}: `costs` and `play` of `{kind.__name__}` count differently"
            )
