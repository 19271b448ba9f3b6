"""Bundles in which a recovery key does what it may not, or is treated like another key."""

from __future__ import annotations

from collections.abc import Iterator

from engine.record.signed.keys import sign_jws
from tests.audit.bundles.tools import BACK, ROLL, forced, handing, pig, written
from tests.kit.attempts import STRANGER, attempt, kid_of
from tests.kit.play_record import Record, seed_of
from tests.kit.play_record import acts as a

NEXT = seed_of(0, 51)


def recovery() -> Iterator[tuple[str, bytes]]:
    for source in (played(), brought(), replaced()):
        yield from ((f"recovery-{name}", data) for name, data in source)


def table(**given: object) -> Record:
    return handing(**{"recovery": BACK, **given})  # type: ignore[arg-type]  # what a game is created with


def keyed(record: Record, **unusual: object) -> bytes:
    return written(record, attempt(record, "keyed", **unusual))


def played() -> Iterator[tuple[str, bytes]]:
    """It signs `key` acts of its seat and nothing else."""
    record = table()
    move = sign_jws(BACK, a.move(**record.where(0), commands=ROLL))
    yield "key-moves", forced(record, ROLL, kind="moved", seat=0, jws=move).bundle()
    record = table()
    jws = sign_jws(BACK, a.resign(**record.where(0)))
    yield "key-resigns", forced(record, kind="resigned", seat=0, jws=jws).bundle()
    record = table()
    yield "key-opens-the-seat", written(record, attempt(record, "offered", seed=BACK))
    record = handing()
    yield "key-of-nobody-adds", keyed(record, seed=BACK)
    record = table()
    yield "key-adds-at-another-seat", written(record, attempt(record, "keyed", 1, seed=BACK))


def brought() -> Iterator[tuple[str, bytes]]:
    """It is new when it comes, and no key of the seat."""
    for name, key in (("the-seats-key", STRANGER), ("a-rivals-key", seed_of(0)), ("a-rivals-recovery-key", BACK)):
        record = lobby()
        yield f"key-is-{name}", written(record, attempt(record, "joined", 1, recovery=key))
    yield "key-becomes-a-key", keyed(table(), add=BACK)
    yield "key-where-there-was-none", keyed(handing(), recovery=NEXT)


def lobby() -> Record:
    record = pig(start=False)
    record.join(0, recovery=BACK)
    return record


def replaced() -> Iterator[tuple[str, bytes]]:
    """It alone replaces itself, and is not dropped."""
    yield "key-replaced-by-a-key-of-the-seat", keyed(table(), recovery=NEXT)
    yield "key-replaced-by-itself", keyed(table(), recovery=BACK, seed=BACK)
    yield "key-dropped", keyed(table(), drop=kid_of(BACK))
    yield "key-drops-itself", keyed(table(), drop=kid_of(BACK), seed=BACK)
    yield "key-drops-the-last-key", keyed(table(), drop=kid_of(seed_of(0)), seed=BACK)
    yield "key-adds-after-it-was-replaced", keyed(of_next(), seed=BACK)
    yield "key-comes-back", keyed(of_next(), recovery=BACK, seed=NEXT)


def of_next() -> Record:
    record = table()
    record.replace_recovery(0, BACK, NEXT)
    return record
