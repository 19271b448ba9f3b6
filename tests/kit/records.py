"""Short records, for laws and bundles: lobbies, running games, and seats that change hands, keys or time."""

from __future__ import annotations

from typing import Any

from tests.kit.play_record import CLOCK, Record, seed_of

BACK = seed_of(0, 50)  # the recovery key of seat 0, where it has one


def lobby(game: str = "pig", *joined: int, **created: Any) -> Record:
    record = Record(game, 2, start=False, **created)
    for seat in joined:
        record.join(seat)
    return record


def full() -> Record:
    return lobby("pig", 0, 1)


def running(game: str = "pig", seats: int = 3, recovery: bytes | None = None, **created: Any) -> Record:
    """Seat 0 has the recovery key, and in pig the turn."""
    record = Record(game, seats, start=False, **{"handover": "both", **created})
    for seat in range(seats):
        record.join(seat, recovery=None if seat else recovery)
    record.start()
    return record


def absent(**created: Any) -> Record:
    """The clock played seat 0 once, which is enough here to be absent."""
    record = running(clock=CLOCK | {"missed": 1}, **created)
    record.expire(0)
    return record


def opened(times: int = 1, **created: Any) -> Record:
    """Seat 0 was offered this many times, and is offered now."""
    record = running(**created)
    for number in range(times):
        if number:
            record.offer(0, is_open=False)
        record.offer(0)
    return record


def taken(times: int) -> Record:
    """Seat 0 changed hands this many times, and is offered now."""
    record = opened()
    for number in range(times):
        record.take(0, 10 + number)
        record.offer(0)
    return record


def gone() -> Record:
    record = running()
    record.resign(0)
    return record


def crowded(joins: int) -> Record:
    """A lobby that people have joined and left; seat 0 is empty."""
    record = lobby()
    for number in range(joins):
        record.seeds[0] = seed_of(0, number)
        record.join(0)
        record.leave(0)
    return record


def keyed(adds: int, restored: int = 0) -> Record:
    """Seat 0 has added this many keys, and its recovery key this many more."""
    record = running(recovery=BACK)
    for number in range(adds):
        record.add_key(0, 100 + number)
    for number in range(restored):
        record.recover(0, BACK, 200 + number)
    return record


def hastened(times: int) -> Record:
    """The recovery key offered seat 0 this many times; the offer is withdrawn."""
    record = running(recovery=BACK)
    for _ in range(times):
        record.offer(0, by=BACK)
        record.offer(0, is_open=False)
    return record


def waiting(**created: Any) -> Record:
    """A device key offered seat 0 60 seconds ago; the offer waits an hour."""
    record = running(recovery=BACK, **{"handover": {"by": "both", "wait": 3600}, **created})
    record.offer(0)
    return record


def given(seconds: int, times: int = 1) -> Record:
    """Seat 0 was granted this much time in total; the game allows 1,000 seconds."""
    record = running(clock=CLOCK | {"grants": 1000})
    for _ in range(times):
        record.grant([0], seconds // times)
    return record


def finished() -> Record:
    return Record("pig", 2, seed=4).play()


def withdrawn(times: int) -> Record:
    record = opened(times)
    record.offer(0, is_open=False)
    return record


def overdue(seconds: int) -> Record:
    """This many seconds after the deadline of seat 0."""
    record = running()
    record.now = record.table.deadline(0) + seconds
    return record


def waited(seconds: int) -> Record:
    """This many seconds after the offer of seat 0 may be taken."""
    record = waiting()
    record.now = (record.table.free_from(0) or 0) + seconds
    return record


def opened_by_recovery() -> Record:
    record = running(recovery=BACK)
    record.offer(0, by=BACK)
    return record


def rekeyed(record: Record) -> Record:
    """Seat 0 changes hands, and its next holder adds sixteen keys."""
    record.offer(0)
    record.take(0)
    for number in range(16):
        record.add_key(0, 300 + number)
    return record


def replaced() -> Record:
    record = keyed(0, 15)
    record.replace_recovery(0, BACK, seed_of(0, 51))
    return record


def back() -> Record:
    record = absent(handover="none")
    record.offer(0, is_open=False)
    return record


def joined_again() -> Record:
    record = lobby("pig", 0)
    record.leave(0)
    record.seeds[1] = record.seeds[0]
    record.join(1)
    return record


def absent_and_waiting() -> Record:
    record = running(clock=CLOCK | {"missed": 1}, handover={"by": "both", "wait": 2**25})
    record.offer(0)
    record.expire(0)
    return record


def hastened_once() -> Record:
    record = waiting()
    record.offer(0, by=BACK)
    return record


def taken_back() -> Record:
    """By a former holder, with the same key."""
    record = taken(1)
    record.take(0, seed=seed_of(0))
    return record


def outage() -> Record:
    record = given(640, 64)
    record.grant([0], 10**6, "outage")
    return record


def offered_by_both() -> Record:
    record = running(recovery=BACK)
    for by in (BACK, None):
        for _ in range(16):
            record.offer(0, by=by)
            record.offer(0, is_open=False)
    return record


def after_outage() -> Record:
    """The outage counts neither towards the time of the seat nor towards the number of grants."""
    record = running(clock=CLOCK | {"grants": 1000})
    record.grant([0], 10**6, "outage")
    for _ in range(63):
        record.grant([0], 10)
    record.grant([0], 370)
    return record
