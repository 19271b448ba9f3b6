"""Bundles that break a sentence on time: the clock plays too early, or time is given where none runs."""

from __future__ import annotations

from collections.abc import Iterator

from tests.audit.bundles.tools import SHORT, at_start, bids, changed_last, forced, handing, pig, turn_of, written
from tests.kit.attempts import attempt, logged
from tests.kit.play_record import Record, bundle_of
from tests.kit.records import gone
from tests.kit.vectors.example import example

MOVE, BANK, GRACE = SHORT["move"], SHORT["bank"], SHORT["grace"]
WHOLE = MOVE + BANK + GRACE


def clock() -> Iterator[tuple[str, bytes]]:
    for source in (early(), early_after(), early_unseen(), granted(), bad_clocks()):
        yield from ((f"clock-{name}", data) for name, data in source)


def expired(record: Record, after: int) -> bytes:
    """The clock plays seat 0 this many seconds after the beginning of its stretch."""
    stretch = record.table.times[0].stretch
    assert stretch is not None
    record.now = stretch.start + after
    return forced(record, kind="expired", seat=0).bundle()


def early() -> Iterator[tuple[str, bytes]]:
    yield "early-by-a-second", expired(pig(clock=SHORT), WHOLE - 1)
    yield "early-by-the-grace", expired(pig(clock=SHORT), MOVE + BANK)
    yield "early-by-the-bank", expired(pig(clock=SHORT), MOVE + GRACE)
    yield "early-as-if-absent", expired(pig(clock=SHORT), GRACE)
    yield "early-where-missed-is-0", expired(missed_twice({**SHORT, "missed": 0}), GRACE)
    yield "early-in-a-row-of-two-of-three", expired(missed_twice({**SHORT, "missed": 3}), GRACE)
    record = pig(clock=None)
    record.now += 10_000_000
    yield "where-there-is-none", forced(record, kind="expired", seat=0).bundle()
    late = pig(clock=SHORT)
    late.now += 10_000
    yield "plays-who-owes-nothing", logged(late, attempt(late, "expired", 1))


def missed_twice(rules: dict[str, int]) -> Record:
    """Seat 0 was played by the clock twice in a row, has nothing left in its bank, and owes again."""
    record = pig(goal=50, clock=rules)
    for _ in (1, 2):
        turn_of(record, 0).expire(0)
    return turn_of(record, 0)


def early_after() -> Iterator[tuple[str, bytes]]:
    """Too early after an entry that moved the deadline back."""
    record = pig(clock=SHORT)
    record.grant([0], 3600)
    yield "early-after-a-grant", expired(record, WHOLE + 3599)
    yield "early-after-an-increment", expired(turn_of(turn_of(pig(goal=50, clock=SHORT), 1), 0), WHOLE)
    record = missed_twice(SHORT)
    record.offer(0, is_open=False)
    yield "early-after-it-came-back", expired(record, MOVE + GRACE - 1)
    record = missed_twice(SHORT)
    record.add_key(0)
    yield "early-after-it-signed-a-key", expired(record, MOVE + GRACE - 1)
    record = missed_twice(SHORT)
    record.grant([0], 7200)
    record.offer(0, is_open=False)
    yield "early-after-a-grant-and-it-came-back", expired(record, MOVE + GRACE)
    record = handing(clock=SHORT)
    record.expire(0)
    turn_of(record, 0).take(0)
    yield "early-after-an-absent-seat-was-taken", expired(record, WHOLE - 1)


def early_unseen() -> Iterator[tuple[str, bytes]]:
    """By the earliest that is possible, and by what the end of a hidden game shows."""
    yield "early-in-a-hidden-game", expired(bids(clock=SHORT), MOVE + GRACE - 1)
    record = bids(clock={**SHORT, "missed": 2})
    record.now += 10_000
    record.expire(0)
    yield "early-for-who-was-just-played", logged(record, attempt(record, "expired", 0))
    record = bids(clock=SHORT)
    expired(record, MOVE + GRACE)
    yield "early-by-a-bank-that-the-end-shows", record.play().bundle()


def granted() -> Iterator[tuple[str, bytes]]:
    for name, record, seat in (
        ("to-who-owes-nothing", pig(clock=SHORT), 1),
        ("where-there-is-none", pig(clock=None), 0),
        ("to-who-has-resigned", gone(), 0),
        ("before-the-start", pig(start=False), 0),
        ("after-the-end", example(), 0),
        ("to-a-seat-that-is-none", pig(), 2),
    ):
        yield f"granted-{name}", written(record, attempt(record, "granted", seat))
    record = pig(clock=SHORT)
    record.grant([0], 60)
    for name, members in (("no-time", {"seconds": 0}), ("time-back", {"seconds": -60}), ("to-nobody", {"seats": []})):
        yield f"granted-{name}", bundle_of(changed_last(record, **members))


def bad_clocks() -> Iterator[tuple[str, bytes]]:
    """Malformed clocks, in an entry 0 on which nobody has signed yet."""
    lines = pig(start=False).lines
    wrong = {
        "with-a-bank-above-its-cap": SHORT | {"bank": 401},
        "of-less-than-a-minute": SHORT | {"move": 59, "bank": 0},
        "with-a-short-grace": SHORT | {"grace": 59},
        "of-more-than-a-year": SHORT | {"move": 2**25 + 1},
        "of-two-members": {"move": 600, "grace": 60},
    }
    for name, rules in wrong.items():
        yield name, bundle_of(at_start(lines, clock=rules))
    solo = Record("lewis_clark", seats=1, start=False, rules=1)
    yield "in-a-game-of-one", bundle_of(at_start(solo.lines, clock=SHORT))
