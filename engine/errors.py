"""The tree of refusals: each has a stable code, and the branch says whose fault it is.

SealedMoveError
├── Refused          the player: the rules do not allow it here
│   └── BadNotation  the player: the text is not a command
│       └── Ambiguous    the text fits several commands
├── Uncertain        nobody: a preview has reached a draw or a reveal
├── BadRecord        the record: bytes that no honest server or client writes
│   └── NewerRecord      bytes of a version that this auditor does not know
├── EngineFault      us: a rule broke the contract; nothing may be logged
├── BadAnswer        a policy (`engine.players`): its answer is not a line of legal commands
└── BudgetSpent      a policy of one game: the time for this answer is used up

Every exception of `engine` is in this tree and named after what happened, without a suffix; only the root is called an
error. Python's own are raised for three things that no caller handles: ValueError and IndexError where a container is
misused (`kit.supply`, a load without a boat), NotImplementedError where a subclass is incomplete, and ValueError in
`__post_init__` of component data, which msgspec turns into a ValidationError that names the place in the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class SealedMoveError(Exception):
    """The root. `code` is stable and for machines; `facts` are what was expected and what was found."""

    def __init__(self, code: str, /, **facts: object) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts = facts

    def __str__(self) -> str:
        facts = ", ".join(f"{name}={value!r}" for name, value in self.facts.items())
        return f"{self.code} ({facts})" if facts else self.code


@dataclass(frozen=True)
class About:
    """The command of a move that was refused: `number` of `of`. The `forced` steps ran before it, in order."""

    number: int
    of: int
    command: Any
    forced: tuple[Any, ...] = ()


class Refused(SealedMoveError):
    """The rules do not allow it here, and nothing has changed. Facts contain nothing that is hidden from the seat."""

    about: About | None = None  # of a command of a move that is played


class BadNotation(Refused):
    """The text is not a command."""


class Ambiguous(BadNotation):
    """The text fits several legal commands; `candidates` lists them."""


class Uncertain(SealedMoveError):
    """A preview has reached a draw or a reveal and ends before it."""


class BadRecord(SealedMoveError):
    """Bytes of the record that break its specification; `seq` is the entry's number where it is known."""

    def __init__(self, code: str, says: str, seq: int | None = None) -> None:
        super().__init__(code, says=says, seq=seq)
        self.says = says
        self.seq = seq

    def __str__(self) -> str:
        return self.says if self.seq is None else f"entry {self.seq}: {self.says}"


class NewerRecord(BadRecord):
    """A record with a version, or with rules, that this engine does not have, so it cannot be judged here."""


class EngineFault(SealedMoveError):
    """A fault of ours: nothing is logged, the game's clocks stop, and the operator is notified."""


def as_people_count(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts for a sentence: people count seats from 1, the data from 0."""
    seat = facts.get("seat")
    return {**facts, "seat": seat + 1} if isinstance(seat, int) else dict(facts)
