"""The report of an audit: a verdict, the game's stage, seven checks, the holders of the seats, and the limitations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from engine.kit.words import count

Verdict = Literal["holds", "fails", "unknown", "open"]
CHECKS = ("chain", "signatures", "draws", "seals", "rules", "outcome", "note")
Way = Literal["join", "offer", "absence"]
Compared = Literal["pin", "list", "given"]
_STAGES = {
    "lobby": "a game that has not started",
    "running": "a running game",
    "finished": "a finished game",
    "cancelled": "a cancelled game",
}
EXITS = {"holds": 0, "fails": 1, "unknown": 2, "open": 3}


class Check(msgspec.Struct, frozen=True):
    """One check: how much it looked at, and the first entry that fails it, if it has a number.

    `ok` is None for a check that looked at nothing: there was nothing to look at, or it is still hidden.
    """

    ok: bool | None
    count: int
    first_failure: int | None
    says: str


class Holder(msgspec.Struct, frozen=True):
    """A player who held a seat: the key they brought, whether they declared a bot, and how they came to the seat.

    `since` is the entry that began it, `until` the one that ended it, or None. `by` is `join`, or for a
    seat that was taken over `offer` or `absence`.
    """

    seat: int
    kid: str
    bot: bool
    since: int
    until: int | None
    by: Way


class Recovery(msgspec.Struct, frozen=True):
    """Entry `seq` is signed by the recovery key of the seat."""

    seq: int
    seat: int


class TwoSeats(msgspec.Struct, frozen=True):
    """A key that signed for more than one seat: its owner holds them all."""

    kid: str
    seats: tuple[int, ...]


class ServerKey(msgspec.Struct, frozen=True):
    """The server's key in entry 0, by its thumbprint, and what it was compared with (None: nothing).

    `pin` is a key that this reader has kept of the server, `list` the server's list, `given` a key from elsewhere.
    """

    kid: str
    compared: Compared | None


class Lost(msgspec.Struct, frozen=True):
    """Entry `seq` states that the server lost its log up to `size` entries, the last of which had this hash."""

    seq: int
    size: int
    hash: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The report on one file. `stage` is None if it cannot be read; `why` names what nobody could judge."""

    verdict: Verdict
    stage: str | None
    checks: dict[str, Check]
    why: str = ""
    server_key: ServerKey | None = None
    lost: tuple[Lost, ...] = ()
    holders: tuple[Holder, ...] = ()
    recoveries: tuple[Recovery, ...] = ()
    two_seats: tuple[TwoSeats, ...] = ()
    cannot_know: tuple[str, ...] = ()

    @property
    def exit(self) -> int:
        """0 all holds, 1 something fails or is missing, 2 cannot be judged, 3 nothing fails but some is hidden."""
        return EXITS[self.verdict]

    def to_json(self) -> dict[str, Any]:
        """The report as plain values."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain

    @property
    def headline(self) -> str:
        """Verdict and stage, then the reservations."""
        said = f"{self.verdict}: {_STAGES[self.stage]}" if self.stage else self.verdict
        return ", ".join(filter(None, (said, self.reservations)))

    @property
    def reservations(self) -> str:
        """The number of entries that the server lost, and what its key was compared with; "" if it has none."""
        said = [f"the server lost {count(entries, 'entry', 'entries')}"] if (entries := self.entries_lost) else []
        said += [f"under {COMPARED[self.server_key.compared]}"] if self.server_key else []
        return ", ".join(said)

    @property
    def entries_lost(self) -> int:
        """How many entries the server says it lost."""
        return sum(one.size - one.seq for one in self.lost)

    def text(self) -> str:
        """The report as text, one line per check. Seats count from 1 here, and from 0 in the data."""
        if self.verdict == "unknown":
            return f"cannot judge: {self.why}"
        lines = [self.headline, *([f"  {self.why}"] if self.why else [])]
        lines += [_line(name, check) for name, check in self.checks.items()]
        lines += ["", "Seats:", *map(_held, self.holders)] if self.holders else []
        lines += [f"- seat {one.seat + 1}: its recovery key signed entry {one.seq}" for one in self.recoveries]
        lines += [f"- key {one.kid} signed for seats {_seats(one.seats)}" for one in self.two_seats]
        if self.cannot_know:
            lines += ["", "No audit can know:", *(f"- {item}" for item in self.cannot_know)]
        return "\n".join(lines)


COMPARED: Mapping[Compared | None, str] = {
    None: "a key that was compared with nothing",
    "pin": "the key that was kept of this server",
    "list": "a key of the server's list",
    "given": "the key that was given",
}


def _seats(seats: tuple[int, ...]) -> str:
    return " and ".join(str(seat + 1) for seat in seats)


def unknown(why: str) -> Report:
    """Not a bundle, or a newer one."""
    checks = dict.fromkeys(CHECKS, Check(None, 0, None, "not checked"))
    return Report(verdict="unknown", stage=None, checks=checks, why=why)


def unread(check: str, why: str, seq: int | None = None) -> Report:
    """A bundle, but broken before its log could be walked."""
    checks = dict.fromkeys(CHECKS, Check(None, 0, None, "not checked"))
    return Report(verdict="fails", stage=None, checks=checks | {check: Check(False, 0, seq, why)})


def _line(name: str, check: Check) -> str:
    where = "" if check.first_failure is None else f" at entry {check.first_failure}"
    mark = {True: "ok", False: "FAIL", None: "-"}[check.ok]
    return f"  {mark:<4} {name:<10} {check.count:>6}{where}  {check.says}"


def _held(one: Holder) -> str:
    until = "" if one.until is None else f", until entry {one.until}"
    how = {"join": "joined", "offer": "took the offered seat", "absence": "took the absent seat"}[one.by]
    return f"- seat {one.seat + 1}: {one.kid}{', a bot,' if one.bot else ''} {how} at entry {one.since}{until}"
