"""The clock of a game: the time that a seat is promised, as one pure function of the log.

A *stretch* is the time in which a seat owes something without a break. It begins with the entry after which the seat
owes something and before which it did not, and ends with the one after which it owes nothing. A seat has `move` once a
stretch, and its `bank` beside that; time used beyond `move` is taken from the bank at the end of the stretch. So a turn
in many pieces gains no time, and a quick one loses none. Then comes `grace`, and then the clock plays. If all seats owe
at once, the last one to answer owes again from the same entry on, in the next round; so a move after which somebody
else begins to owe ends its author's stretch, too.

    stretch     deadline = start + move + granted + bank + grace
    absent      deadline = start + granted + grace     after `missed` stretches in a row that the clock ended
    resigned    deadline = the question's own time     (`Table.deadline`: the clock plays at once)

In a running hidden game an auditor does not know which seats owe an answer, and assumes the earliest possible time:
bank and granted time are 0, and a stretch began with the start of the game or with what surely ended the one before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.errors import BadRecord
from engine.record.encoding import members as m

LEAST_TIME = 60
MEMBERS: m.Members = {
    "move": m.seconds,
    "bank": m.seconds,
    "increment": m.seconds,
    "cap": m.seconds,
    "grace": m.seconds,
    "missed": m.seconds,
    "grants": m.seconds,
}
Rules = Mapping[str, int]


class Stretch(msgspec.Struct, frozen=True):
    """The seat owes something since entry `seq`, dated `start` (seconds since 1970). `granted`: extra seconds."""

    seq: int
    start: int
    granted: int = 0


class Time(msgspec.Struct, frozen=True):
    """A seat's time: its bank in seconds, stretches in a row that ended with `expired`, and the stretch that runs."""

    bank: int = 0
    missed: int = 0
    stretch: Stretch | None = None


class Moment(msgspec.Struct, frozen=True):
    """An entry as the clock sees it: its number, its time in seconds since 1970, its kind and the seat it is about."""

    seq: int
    at: int
    kind: str
    seat: int | None = None


def check(clock: Mapping[str, Any] | None, seats: int) -> None:
    """BadRecord unless these numbers are within bounds and make a clock for a game with this many seats."""
    if clock is None:
        return
    if seats == 1:
        raise BadRecord("bad-clock", "a game with one seat cannot have a clock")
    if clock["bank"] > clock["cap"]:
        raise BadRecord("bad-clock", f"the bank of {clock['bank']} seconds exceeds its cap of {clock['cap']}")
    if clock["move"] + clock["bank"] < LEAST_TIME or clock["grace"] < LEAST_TIME:
        raise BadRecord("bad-clock", f"move and bank together must be at least {LEAST_TIME} seconds, and so must grace")


def opened(clock: Rules | None, seats: int) -> tuple[Time, ...]:
    """Each seat's time before the start."""
    return (Time(bank=clock["bank"] if clock else 0),) * seats


def is_absent(time: Time, clock: Rules | None) -> bool:
    """Has the clock ended enough stretches in a row for the seat to count as absent?"""
    return bool(clock and clock["missed"]) and time.missed >= clock["missed"]  # type: ignore[index]  # bool(clock) is asked


def deadline(time: Time, clock: Rules | None, *, exact: bool = True) -> int | None:
    """When the clock may play, in seconds since 1970; None if the seat owes nothing or there is no clock.

    `exact` False counts the earliest that is possible: see above.
    """
    if time.stretch is None or clock is None:
        return None
    promised = clock["grace"] if is_absent(time, clock) else clock["move"] + clock["grace"] + time.bank * exact
    return time.stretch.start + promised + time.stretch.granted * exact


def signed(time: Time, clock: Rules | None, now: Moment) -> Time:
    """The seat has signed something, so it is present. If it was absent, its running stretch begins anew.

    Granted time stays, or the deadline could move earlier: an absent seat has `grace` and its granted time.
    """
    if not time.missed:
        return time
    run = time.stretch
    if run is not None and is_absent(time, clock):
        run = Stretch(now.seq, now.at, run.granted)
    return replace(time, missed=0, stretch=run)


def taken(time: Time, clock: Rules | None, now: Moment, *, by_offer: bool) -> Time:
    """Another holder. A seat whose offer could be taken keeps bank and stretch; one taken as absent begins anew."""
    if by_offer:
        return replace(time, missed=0)
    return replace(signed(time, clock, now), bank=max(time.bank, clock["bank"] if clock else 0))


def granted(times: tuple[Time, ...], seats: Collection[int], seconds: int) -> tuple[Time, ...]:
    """The running stretches of these seats get this many seconds more."""
    return tuple(_lengthened(time, seconds) if seat in seats else time for seat, time in enumerate(times))


def _lengthened(time: Time, seconds: int) -> Time:
    run = time.stretch
    return time if run is None else replace(time, stretch=replace(run, granted=run.granted + seconds))


def played(
    times: tuple[Time, ...], clock: Rules | None, now: Moment, owing: Collection[int] | None
) -> tuple[Time, ...]:
    """The times after an entry with events. `owing` is None if nobody can know it, as in a running hidden game."""
    if clock is None:
        return times
    author = now.seat if now.kind in ("moved", "expired") else None
    after = [
        _after(time, clock, now, None if owing is None else seat in owing, mine=seat == author)
        for seat, time in enumerate(times)
    ]
    if author is not None and _asks_others(times, now, owing):
        after[author] = replace(_ended(after[author], clock, now, mine=True), stretch=Stretch(now.seq, now.at))
    return tuple(after)


def _asks_others(times: tuple[Time, ...], now: Moment, owing: Collection[int] | None) -> bool:
    """Do the author of this move and somebody who did not owe before it both owe after it?"""
    if now.kind != "moved" or owing is None or now.seat not in owing:
        return False
    return any(times[seat].stretch is None for seat in owing if seat != now.seat)


def _after(time: Time, clock: Rules, now: Moment, owes: bool | None, *, mine: bool) -> Time:
    """One seat's time. An unknown answer counts as still owed, but a stretch that the clock has played is over."""
    if not mine and (time.stretch is not None) == (owes is not False):
        return time
    if mine:
        time = signed(time, clock, now) if now.kind == "moved" else replace(time, missed=time.missed + 1)
    if owes is None:
        begins = time.stretch is None or (mine and now.kind == "expired")
        return replace(time, stretch=Stretch(now.seq, now.at)) if begins else time
    if owes:
        return replace(time, stretch=Stretch(now.seq, now.at)) if time.stretch is None else time
    return _ended(time, clock, now, mine=mine)


def _ended(time: Time, clock: Rules, now: Moment, *, mine: bool) -> Time:
    run = time.stretch
    if run is None:
        return time
    over = max(0, now.at - run.start - run.granted - clock["move"])
    bank = max(0, time.bank - over)
    if mine and now.kind == "moved":
        bank = min(bank + clock["increment"], clock["cap"])
    return replace(time, bank=bank, stretch=None)
