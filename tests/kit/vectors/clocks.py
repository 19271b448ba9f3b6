"""The time that a seat is promised (section 4.4), computed by the slow clock from lists of entries."""

from __future__ import annotations

from typing import Any

from tests.kit.slow_clock import Fact, SlowClock

CLOCK = {"move": 1000, "bank": 300, "increment": 50, "cap": 400, "grace": 100, "missed": 2, "grants": 10000}
Log = list[Fact]


def clock_cases() -> list[dict[str, Any]]:
    return [_case(*game) for game in _games()] + [_case(*game, wait=2000) for game in _waiting()]


def _case(name: str, clock: dict[str, int] | None, log: Log, wait: int = 0) -> dict[str, Any]:
    """The log, and after each entry the times promised to each of the two seats."""
    slow = SlowClock(clock, log, wait)
    return {
        "name": name,
        "clock": clock,
        "wait": wait,
        "log": [_written(fact) for fact in log],
        "after": [[_promised(slow, seat, i) for seat in (0, 1)] for i in range(len(log))],
    }


def _written(fact: Fact) -> dict[str, Any]:
    whole: dict[str, Any] = {"kind": fact.kind, "at": fact.at, "seats": list(fact.seats), "owing": sorted(fact.owing)}
    if fact.kind == "granted":
        whole["seconds"] = fact.seconds
    if fact.kind == "offered":
        whole |= {"open": fact.opens, "recovers": fact.recovers}
    return whole | ({"only": fact.only} if fact.kind == "keyed" else {})


def _promised(slow: SlowClock, seat: int, i: int) -> dict[str, Any]:
    return {
        "bank": slow.bank(seat, i) if slow.clock else None,
        "open": slow.is_open(seat, i),
        "absent": slow.is_absent(seat, i),
        "deadline": slow.deadline(seat, i),
        "earliest": slow.earliest(seat, i),
    }


# --- the games: seats 0 and 1, the first entry `started` --------------------------------------------------------------


def fact(kind: str, at: int, seats: tuple[int, ...], owing: str, **more: Any) -> Fact:
    """`owing` are the seats that owe after it, as digits."""
    return Fact(kind, at, frozenset(map(int, owing)), seats, **more)


def started(owing: str = "0") -> Fact:
    return fact("started", 0, (), owing)


def moved(at: int, seat: int, owing: str) -> Fact:
    return fact("moved", at, (seat,), owing)


def expired(at: int, seat: int, owing: str) -> Fact:
    return fact("expired", at, (seat,), owing)


def granted(at: int, seconds: int, owing: str, *seats: int) -> Fact:
    return fact("granted", at, seats, owing, seconds=seconds)


def offered(at: int, seat: int, owing: str, *, opens: bool, recovers: bool = False) -> Fact:
    return fact("offered", at, (seat,), owing, opens=opens, recovers=recovers)


def keyed(at: int, seat: int, owing: str, *, only: bool) -> Fact:
    return fact("keyed", at, (seat,), owing, only=only, recovers=only)


def taken(at: int, seat: int, owing: str) -> Fact:
    return fact("taken", at, (seat,), owing)


# Seat 0 is played by the clock twice, seat 1 answers in between: then seat 0 is absent, and owes since 2900.
GONE = [started(), expired(1400, 0, "1"), moved(1500, 1, "0"), expired(2800, 0, "1"), moved(2900, 1, "0")]


def _games() -> list[tuple[str, dict[str, int] | None, Log]]:
    never, none = {**CLOCK, "missed": 0}, {**CLOCK, "bank": 0, "cap": 0}
    return [
        ("turns in time win the increment, up to the cap", CLOCK, _turns()),
        ("a turn in pieces has one time", CLOCK, _pieces()),
        ("a slow turn takes from the bank, a later one has less", CLOCK, _slow()),
        ("no bank", none, _slow()),
        ("both owe at once, and one answers for the other", CLOCK, _both()),
        ("time granted lengthens the stretch and saves the bank", CLOCK, _granted()),
        ("time granted to a seat that owes nothing does not lengthen its next stretch", CLOCK, _granted_late()),
        ("absent, then back with a move", CLOCK, [*GONE, moved(2950, 0, "1"), moved(2960, 1, "0")]),
        ("absent, then back in pieces", CLOCK, [*GONE, moved(2950, 0, "0"), moved(3990, 0, "1")]),
        ("absent, then back by word", CLOCK, [*GONE, offered(2990, 0, "0", opens=False), expired(4100, 0, "1")]),
        ("absent, then another key", CLOCK, [*GONE, keyed(2980, 0, "0", only=False)]),
        ("absent, then recovered", CLOCK, [*GONE, keyed(2980, 0, "0", only=True)]),
        ("absent, granted time, then back: the deadline does not go back", CLOCK, _granted_and_back()),
        ("absent, then taken", CLOCK, [*GONE, taken(2960, 0, "0"), moved(2970, 0, "1")]),
        ("absent and open, then taken", CLOCK, _open_and_absent()),
        ("open, then taken in its turn", CLOCK, _open_in_turn()),
        ("open, then closed, then open and taken out of turn", CLOCK, _open_out_of_turn()),
        ("never absent where missed is 0", never, GONE),
        ("the row of missed stretches begins anew with a move", CLOCK, _row()),
        ("resigned while it owes", CLOCK, [started(), fact("resigned", 500, (0,), "0"), expired(500, 0, "1")]),
        ("resigned while it does not owe", CLOCK, _resigned()),
        ("absent, then resigned", CLOCK, [*GONE, fact("resigned", 2910, (0,), "0"), expired(2910, 0, "1")]),
        ("without a clock only who has resigned is played", None, _resigned()),
    ]


def _waiting() -> list[tuple[str, dict[str, int] | None, Log]]:
    """Games in which an offer by a device key waits for 2,000 seconds."""
    absent = [started(), offered(10, 0, "0", opens=True), expired(1410, 0, "1"), moved(1420, 1, "0")]
    return [
        ("an offer that may be taken, at its second", CLOCK, _offered_and_taken(2400)),
        ("an offer hastened by the recovery key", CLOCK, _hastened()),
        ("an absent seat whose offer waits, taken anew", {**CLOCK, "missed": 1}, [*absent, taken(2009, 0, "0")]),
        ("an absent seat whose offer may be taken", {**CLOCK, "missed": 1}, [*absent, taken(2010, 0, "0")]),
        ("an offer closed by the only keys", CLOCK, [*absent[:2], keyed(20, 0, "0", only=True), moved(30, 0, "1")]),
    ]


def _offered_and_taken(at: int) -> Log:
    return [
        started(),
        offered(400, 0, "0", opens=True),
        moved(500, 0, "1"),
        moved(600, 1, "0"),
        taken(at, 0, "0"),
        moved(at + 10, 0, "1"),
    ]


def _hastened() -> Log:
    opened = [started(), offered(400, 0, "0", opens=True), offered(450, 0, "0", opens=True, recovers=True)]
    return [*opened, taken(460, 0, "0"), moved(1290, 0, "1")]


def _turns() -> Log:
    return [started(), moved(10, 0, "1"), moved(990, 1, "0"), moved(1000, 0, "1"), moved(2000, 1, "0")]


def _pieces() -> Log:
    return [started(), *(moved(at, 0, "0") for at in (300, 900, 1100)), moved(1200, 0, "1"), moved(1201, 1, "0")]


def _slow() -> Log:
    return [started(), moved(1200, 0, "1"), moved(1300, 1, "0"), expired(2550, 0, "1"), moved(2551, 1, "0")]


def _both() -> Log:
    return [started("01"), moved(1100, 1, "0"), moved(1150, 0, "01"), moved(1200, 0, "1"), moved(2300, 1, "")]


def _granted() -> Log:
    return [started(), granted(900, 500, "0", 0), granted(950, 50, "0", 0), moved(1560, 0, "1"), moved(1570, 1, "0")]


def _granted_late() -> Log:
    return [started("01"), moved(10, 0, "1"), granted(20, 700, "1", 1), moved(30, 1, "0"), moved(40, 0, "1")]


def _granted_and_back() -> Log:
    return [*GONE, granted(2910, 9000, "0", 0), offered(2920, 0, "0", opens=False), moved(13_100, 0, "1")]


def _open_and_absent() -> Log:
    return [*GONE, offered(2910, 0, "0", opens=True), *_away(2910), offered(6000, 0, "0", opens=True)]


def _away(since: int) -> Log:
    """Seat 0, open, is played twice more by the clock, and taken while it owes."""
    return [
        expired(since + 1400, 0, "1"),
        moved(since + 1410, 1, "0"),
        expired(since + 2800, 0, "1"),
        moved(since + 2810, 1, "0"),
        taken(since + 2850, 0, "0"),
    ]


def _open_in_turn() -> Log:
    return [started(), offered(400, 0, "0", opens=True), taken(1250, 0, "0"), moved(1260, 0, "1")]


def _open_out_of_turn() -> Log:
    opened = [started("1"), offered(5, 0, "1", opens=True), offered(6, 0, "1", opens=False)]
    return [*opened, offered(7, 0, "1", opens=True), taken(8, 0, "1"), moved(9, 1, "0")]


def _row() -> Log:
    after = [moved(1500, 1, "0"), moved(1600, 0, "1"), moved(1700, 1, "0"), expired(3100, 0, "1"), moved(3200, 1, "0")]
    return [started(), expired(1400, 0, "1"), *after]


def _resigned() -> Log:
    return [started("1"), fact("resigned", 50, (0,), "1"), moved(60, 1, "0"), expired(60, 0, "1")]
