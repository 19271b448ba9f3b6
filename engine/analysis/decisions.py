"""The decisions of a finished game: the positions in which a seat chose, and the line that it played there.

A line ends at the first draw or reveal, or with the turn; what a player signs after that is a decision of its own.
Lines that were signed in several moves are joined. Moves of the clock are nobody's decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from engine import replay
from engine.errors import Refused
from engine.game import Command, Game, Turn
from engine.kit import active, load_steps, turns
from engine.record.compose.decision import lanes
from engine.record.encoding import canonical
from engine.record.judge.entries import begin, follow
from engine.record.judge.restore import commands_of
from engine.record.log import bundle
from engine.record.log.entry import Entry, read_entry
from engine.record.log.table import Table


class PlayerDecision(msgspec.Struct, frozen=True):
    """A seat's decision in entry `seq`: the position before it, and the line that was played."""

    seq: int
    seat: int
    before: Any
    line: tuple[Command, ...]


class LoggedPosition(msgspec.Struct, frozen=True):
    """The position after entry `seq`, which this seat made; None at the start of the game."""

    seq: int
    seat: int | None
    state: Any


class Finished(msgspec.Struct, frozen=True):
    """A finished game: its last table, its decisions in order, and the positions between turns."""

    table: Table
    decisions: tuple[PlayerDecision, ...]
    positions: tuple[LoggedPosition, ...]


def read(data: bytes) -> Finished:
    """The game in a bundle. BadRecord if it is broken or breaks the rules; Refused `not-over` before the end."""
    found = bundle.read(data)
    entries = [read_entry(line) for line in found.lines]
    openings = {one["seq"]: one for one in found.openings}
    table, secret = begin(entries[0], found.data), _secret(entries[-1])
    reader, positions = _DecisionCollector(), []
    for entry in entries[1:]:
        before = table
        table = follow(before, entry, openings.get(entry.seq), secret)
        reader.note(before, entry, table, openings.get(entry.seq), secret)
        if table.state is not None and _passed(before, table):
            positions.append(
                LoggedPosition(entry.seq, None if before.state is None else entry.body.get("seat"), table.state)
            )
    if table.stage != "finished":
        raise Refused("not-over", stage=table.stage)
    return Finished(table, reader.all(), tuple(positions))


def _secret(last: Entry) -> bytes | None:
    text = last.body.get("secret")
    return canonical.from_base64url(text, 32) if text is not None else None


def _passed(before: Table, after: Table) -> bool:
    """Has a turn ended, or the game begun?"""
    if before.state is None:
        return True
    old, new = ((turns(after.game, state), active(after.game, state)) for state in (before.state, after.state))
    return old != new


class _DecisionCollector:
    """Collects decisions entry by entry; a line stays open until a draw, a reveal or another turn ends it."""

    def __init__(self) -> None:
        self.done: list[PlayerDecision] = []
        self._line: list[Command] = []
        self._began: tuple[int, int, Any] | None = None  # entry, seat, position

    def note(
        self, before: Table, entry: Entry, after: Table, opening: Mapping[str, Any] | None, secret: bytes | None
    ) -> None:
        if entry.kind != "moved":
            if after.state is not before.state:
                self._close()
            return
        seat: int = entry.body["seat"]
        for state, command, turn in _steps(before, entry, opening, secret):
            if self._began is None or self._began[1] != seat:
                self._close()
                self._began = entry.seq, seat, state
            self._line.append(command)
            if turn.fixed or has_passed(after.game, state, turn.state, seat):
                self._close()

    def all(self) -> tuple[PlayerDecision, ...]:
        """The decisions so far, with a line that nothing has ended."""
        self._close()
        return tuple(self.done)

    def _close(self) -> None:
        if self._began is not None:
            self.done.append(PlayerDecision(*self._began, tuple(self._line)))
        self._began, self._line = None, []


def has_passed(game: Game[Any], before: Any, after: Any, seat: int) -> bool:
    """Does the seat no longer play the turn of the earlier position?"""
    return seat not in active(game, after) or turns(game, before) != turns(game, after)


def _steps(
    table: Table, entry: Entry, opening: Mapping[str, Any] | None, secret: bytes | None
) -> Iterator[tuple[Any, Command, Turn]]:
    """Each command of a move that was played, with the position before it and the turn after it."""
    chance, hidden = lanes(table, secret if table.hidden else None, entry.body.get("draws"))
    state, text = table.state, opening["move"] if opening else None
    for step in load_steps(table.game, commands_of(entry, text)):
        turn = Turn(state, chance.onward(), hidden.onward())
        try:
            replay.move(table.game, turn, entry.body["seat"], (step,))
        except Refused:  # a forced step that the player named, or the rest of a move that a draw has ended
            continue
        yield state, step.command, turn
        state, chance, hidden = turn.state, turn.chance, turn.secret
