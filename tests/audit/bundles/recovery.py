"""Bundles in which a recovery key oversteps its rights, or is treated like another key."""

from __future__ import annotations

from collections.abc import Iterator

from engine.record.signed.keys import sign_jws
from tests.audit.bundles.tools import ROLL, forced, handing, pig, written
from tests.kit.attempts import STRANGER, Attempt, attempt, kid_of, logged
from tests.kit.play_record import Record, jwk_of, seed_of
from tests.kit.play_record import acts as a
from tests.kit.records import BACK

NEXT = seed_of(0, 51)


def recovery() -> Iterator[tuple[str, bytes]]:
    for source in (played(), brought(), replaced()):
        yield from ((f"recovery-{name}", data) for name, data in source)


def table(**given: object) -> Record:
    return handing(**{"recovery": BACK, **given})  # type: ignore[arg-type]  # what a game is created with


def keyed(record: Record, **unusual: object) -> bytes:
    return written(record, attempt(record, "keyed", **unusual))


def played() -> Iterator[tuple[str, bytes]]:
    """It signs `only` and `recovery`, and `offer`, at its own seat."""
    record = table()
    move = sign_jws(BACK, a.move(**record.where(0), commands=ROLL))
    yield "key-moves", forced(record, ROLL, kind="moved", seat=0, jws=move).bundle()
    record = table()
    jws = sign_jws(BACK, a.resign(**record.where(0)))
    yield "key-resigns", forced(record, kind="resigned", seat=0, jws=jws).bundle()
    record = handing()
    yield "key-of-nobody-adds", keyed(record, seed=BACK)
    record = table()
    yield "key-adds-at-another-seat", written(record, attempt(record, "keyed", 1, seed=BACK))


def brought() -> Iterator[tuple[str, bytes]]:
    """It is not a device key of the seat, nor any key that comes with it."""
    yield "key-is-the-seats-key", written(record := lobby(), attempt(record, "joined", 1, recovery=STRANGER))
    yield "key-becomes-a-key", keyed(table(), add=BACK)
    yield "key-where-there-was-none", keyed(handing(), recovery=NEXT)
    yield "only-names-a-key-twice", keyed(table(), only=[STRANGER, STRANGER], seed=BACK)
    yield "only-names-the-recovery-key", keyed(table(), only=[BACK], seed=BACK)
    yield "only-names-the-new-recovery-key", keyed(table(), only=[NEXT], recovery=NEXT, seed=BACK)
    yield "only-by-a-device", keyed(table(), only=[STRANGER])
    yield "key-becomes-a-device-key", keyed(table(), recovery=seed_of(0), seed=BACK)
    for name, form in (("five-only-keys", FIVE), ("no-only-key", {"only": [], "recovery": None}), ("nothing", NOTHING)):
        record = table()
        payload = a.replace_keys(**record.where(0), recovery=jwk_of(NEXT)) | form
        tried = Attempt("keyed", {"seat": 0, "jws": sign_jws(BACK, payload)})
        yield f"act-of-{name}", logged(record, tried)


FIVE = {"only": [jwk_of(seed_of(0, 200 + number)) for number in range(5)], "recovery": None}
NOTHING = {"only": None, "recovery": None}


def lobby() -> Record:
    record = pig(start=False)
    record.join(0, recovery=BACK)
    return record


def replaced() -> Iterator[tuple[str, bytes]]:
    """It alone replaces itself, and neither adds nor drops a key."""
    yield "key-replaced-by-a-key-of-the-seat", keyed(table(), recovery=NEXT)
    yield "key-replaced-by-itself", keyed(table(), recovery=BACK, seed=BACK)
    yield "key-dropped", keyed(table(), drop=kid_of(BACK))
    yield "key-adds", keyed(table(), add=STRANGER, seed=BACK)
    yield "key-drops", keyed(with_two_keys(), drop=kid_of(seed_of(0)), seed=BACK)
    yield "key-replaces-after-it-was-replaced", keyed(of_next(), only=[STRANGER], seed=BACK)


def with_two_keys() -> Record:
    record = table()
    record.add_key(0)
    return record


def of_next() -> Record:
    record = table()
    record.replace_recovery(0, BACK, NEXT)
    return record
