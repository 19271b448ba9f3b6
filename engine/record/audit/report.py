"""What an audit says: a verdict, the stage of the game, seven checks, and what it cannot know."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Verdict = Literal["holds", "fails", "unknown"]
CHECKS = ("chain", "signatures", "draws", "seals", "rules", "outcome", "note")
EXITS = {"holds": 0, "fails": 1, "unknown": 2}


class Check(msgspec.Struct, frozen=True):
    """One check: how much it looked at, and the first entry that fails it, if it has a number."""

    ok: bool
    count: int
    first_failure: int | None
    says: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The report on one file. `stage` is None if the file cannot be read so far."""

    verdict: Verdict
    stage: str | None
    checks: dict[str, Check]
    cannot_know: tuple[str, ...] = ()

    @property
    def exit(self) -> int:
        """0 all that the stage promises holds, 1 something fails or is missing, 2 cannot judge."""
        return EXITS[self.verdict]

    def to_json(self) -> dict[str, Any]:
        """The report as plain values."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain

    def text(self) -> str:
        """The report for people, a line a check."""
        if self.verdict == "unknown":
            return f"cannot judge: {self.checks['chain'].says}"
        lines = [f"{self.verdict}: a {self.stage} game" if self.stage else self.verdict]
        lines += [_line(name, check) for name, check in self.checks.items()]
        if self.cannot_know:
            lines += ["", "No audit can know:", *(f"- {item}" for item in self.cannot_know)]
        return "\n".join(lines)


def unknown(why: str) -> Report:
    """Not a bundle, or a newer one."""
    return _nothing("unknown", {"chain": why})


def unread(check: str, why: str) -> Report:
    """A bundle, but broken before its log could be walked."""
    return _nothing("fails", {check: why})


def _nothing(verdict: Verdict, said: dict[str, str]) -> Report:
    checks = {name: Check(False, 0, None, said.get(name, "not checked")) for name in CHECKS}
    return Report(verdict=verdict, stage=None, checks=checks)


def _line(name: str, check: Check) -> str:
    where = "" if check.first_failure is None else f" at entry {check.first_failure}"
    return f"  {'ok  ' if check.ok else 'FAIL'} {name:<10} {check.count:>6}{where}  {check.says}"
