"""Random games for the clock: acts of any kind, waits, grants, offers, takes, default moves.

    step = ("expire", 1, 90)            what is tried, for the nth seat at which it may succeed, and how many
                                        seconds after the entry before
    played = play(Plan("bids", 3, clock, steps))

A step that is not allowed at its turn is left out. `played.facts[i]` is entry i as `slow_clock` reads it,
`played.tables[i]` the table after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.errors import Refused
from engine.record.encoding import canonical
from engine.record.log.entry import Entry
from engine.record.log.table import Table
from engine.record.signed import acts, keys
from tests.kit.play_record import Record, seed_of
from tests.kit.slow_clock import Fact

Step = tuple[str, int, int]


class Plan(NamedTuple):
    """The plan of a game, which a failing test prints."""

    game: str
    seats: int
    clock: Mapping[str, int] | None
    steps: Sequence[Step]
    handover: str = "both"
    wait: int = 0


class Played(NamedTuple):
    """A game and its log, entry by entry."""

    record: Record
    facts: list[Fact]
    tables: list[Table]

    def note(self) -> None:
        self.facts.append(fact_of(self.record.entries[-1], self.record.table))
        self.tables.append(self.record.table)


def play(plan: Plan) -> Played:
    """The game of the plan, once all seats are taken and it has started."""
    handover = {"by": plan.handover, "wait": plan.wait if plan.handover in ("offer", "both") else 0}
    record = Record(plan.game, plan.seats, start=False, clock=plan.clock, handover=handover)
    played = Played(record, [], [])
    played.note()
    for seat in range(plan.seats):
        record.join(seat, recovery=back_of(seat))
        played.note()
    record.start()
    played.note()
    for what, seat, wait in plan.steps:
        record.now = canonical.seconds(record.table.at) + wait
        _try(played, what, seat)
    return played


def _try(played: Played, what: str, number: int) -> None:
    table = played.record.table
    likely = table.active if what in ("move", "expire", "grant") else range(table.seats)
    if what == "take":
        likely = [seat for seat in likely if table.is_free(seat, played.record.now)] or likely
    try:
        ACTS[what](played.record, likely[number % len(likely)] if likely else 0)
    except Refused:
        return
    played.note()


def fact_of(entry: Entry, after: Table) -> Fact:
    body = entry.body
    seats = body["seats"] if entry.kind == "granted" else [body["seat"]] if "seat" in body else []
    act = acts.read_act(keys.read_jws(body["jws"])) if entry.kind in ("offered", "keyed") else None
    opens, only = bool(act and act.open), bool(act and act.only)
    recovers = act is not None and keys.kid_of(body["jws"]) == keys.thumbprint(keys.public_of(back_of(body["seat"])))
    at, owing = canonical.seconds(entry.at), frozenset(after.active)
    return Fact(entry.kind, at, owing, tuple(seats), body.get("seconds", 0), opens, recovers, only)


def back_of(seat: int) -> bytes:
    """The recovery key of a seat, for any holder."""
    return seed_of(seat, 99)


def _chosen(record: Record, seat: int) -> list[Any]:
    if seat not in record.table.active:
        raise Refused("not-active", seat=seat)
    return record.choose(seat)


def _fresh(record: Record) -> int:
    """The number of a key that the game does not know yet."""
    return 100 + record.table.size


ACTS: dict[str, Callable[[Record, int], object]] = {
    "move": lambda record, seat: record.move(seat, _chosen(record, seat)),
    "expire": lambda record, seat: record.expire(seat),
    "grant": lambda record, seat: record.grant([seat], 1 + record.random.randrange(5000)),
    "open": lambda record, seat: record.offer(seat),
    "close": lambda record, seat: record.offer(seat, is_open=False),
    "hasten": lambda record, seat: record.offer(seat, by=back_of(seat)),
    "take": lambda record, seat: record.take(seat, _fresh(record), recovery=back_of(seat)),
    "recover": lambda record, seat: record.recover(seat, back_of(seat), _fresh(record)),
    "key": lambda record, seat: record.add_key(seat, _fresh(record)),
    "resign": lambda record, seat: record.resign(seat),
}
