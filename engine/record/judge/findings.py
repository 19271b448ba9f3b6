"""The faults that are found while an entry is examined, each under the check that it fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from engine.errors import BadRecord, EngineFault, Refused, SealedMoveError, Uncertain
from engine.record.laws import admission

T = TypeVar("T")


class Fault(msgspec.Struct, frozen=True):
    """A check that failed, and why."""

    check: str
    error: BadRecord


class Findings:
    """Faults gathered while an entry is examined; `run` keeps the first of each piece of work.

    `seq` is the entry's place in the file: the number that it gives itself may be wrong.
    """

    def __init__(self, seq: int) -> None:
        self.seq = seq
        self.faults: list[Fault] = []

    def run(self, check: str, work: Callable[..., T], *given: object) -> T | None:
        """The result of the work; None if it fails, which is a fault of this check."""
        try:
            return work(*given)
        except SealedMoveError as error:
            self.fail(check, error)
        return None

    def fail(self, check: str, error: SealedMoveError) -> None:
        self.faults.append(Fault(_check_of(error, check), self._named(error)))

    def failed(self, check: str) -> bool:
        return any(fault.check == check for fault in self.faults)

    def _named(self, error: SealedMoveError) -> BadRecord:
        if isinstance(error, Refused):
            return admission.as_bad_record(error, self.seq)
        if isinstance(error, (EngineFault, Uncertain)):
            return BadRecord(error.code, f"the engine cannot play this: {error}", self.seq)
        assert isinstance(error, BadRecord)
        return type(error)(error.code, error.says, self.seq)


def _check_of(error: SealedMoveError, check: str) -> str:
    """The check that a fault belongs to, where it shows in the work of another one."""
    return {"draws-missing": "draws", "wrong-seal": "seals", "opening-missing": "seals"}.get(error.code, check)
