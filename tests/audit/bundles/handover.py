"""Bundles in which a seat changes hands illegally, or a former holder acts."""

from __future__ import annotations

from collections.abc import Iterator

from engine.record.compose import entries as c
from engine.record.signed.keys import sign_jws
from tests.audit.bundles.tools import ROLL, SHORT, at_start, forced, handing, pig, turn_of, written
from tests.kit.attempts import STRANGER, Attempt, attempt
from tests.kit.play_record import Record, bundle_of, canonical, rewrite, seed_of
from tests.kit.play_record import acts as a
from tests.kit.records import BACK


def handover() -> Iterator[tuple[str, bytes]]:
    for source in (takes(), offers(), after()):
        yield from ((f"handover-{name}", data) for name, data in source)


def opened(**given: object) -> Record:
    record = handing(**given)  # type: ignore[arg-type]  # what a game is created with
    record.offer(0)
    return record


def absent(**given: object) -> Record:
    """Seat 0 was played by the clock, and owes again."""
    record = handing(clock=SHORT, **given)  # type: ignore[arg-type]
    record.expire(0)
    return turn_of(record, 0)


def tried(record: Record, kind: str, seat: int = 0, **unusual: object) -> bytes:
    return written(record, attempt(record, kind, seat, **unusual))


def takes() -> Iterator[tuple[str, bytes]]:
    yield "taken-while-its-holder-is-there", tried(handing(), "taken")
    closed = opened()
    closed.offer(0, is_open=False)
    yield "taken-after-it-was-closed", tried(closed, "taken")
    yield "taken-as-absent-where-only-offers-count", tried(absent(handover="offer"), "taken")
    yield "taken-as-absent-where-nothing-is-handed-over", tried(absent(handover="none"), "taken")
    back = absent()
    back.offer(0, is_open=False)
    yield "taken-after-its-holder-came-back", tried(back, "taken")
    yield "taken-twice-by-one-offer", tried(taken(), "taken", seed=seed_of(0, 9))
    waiting = opened(handover={"by": "both", "wait": 3600})
    waiting.now += 3600 - 60 - 1
    yield "taken-a-second-too-early", tried(waiting, "taken")
    yield "taken-with-one-key-in-both-offices", tried(opened(), "taken", recovery=STRANGER)
    yield "taken-after-resigning", tried(gone(), "taken")
    yield "taken-before-the-start", tried(lobby(), "taken")
    yield "taken-with-a-key-that-did-not-sign", another_signer()
    yield "taken-after-its-holder-left-a-running-game", taken_when_left().bundle()
    yield "taken-after-a-key-act-that-cannot-be-read-ended-the-absence", unreadable_return()


def taken() -> Record:
    record = opened()
    record.take(0)
    return record


def gone() -> Record:
    record = handing(seats=3)
    record.offer(0)
    record.resign(0)
    return record


def lobby() -> Record:
    record = pig(start=False, handover="both")
    record.join(0)
    return record


def another_signer() -> bytes:
    """The old holder signs a take with somebody else's key."""
    record = opened()
    usual = attempt(record, "taken").jws
    payload = canonical.loads_sent(canonical.from_base64url((usual or "").split(".")[1]))
    jws = sign_jws(seed_of(0), payload)
    return written(record, Attempt("taken", {"seat": 0, "bot": False, "jws": jws}))


def taken_when_left() -> Record:
    """The chain fails where the holder leaves. The next holder counts all the same, and moves."""
    record = handing()
    record.put(c._plain(record.table, record.at, kind="left", seat=0, jws=None))
    written(record, attempt(record, "taken"))
    move = sign_jws(STRANGER, a.move(**record.where(0), commands=ROLL))
    return forced(record, ROLL, kind="moved", seat=0, jws=move)


def unreadable_return() -> bytes:
    record = absent()
    record.add_key(0)
    back = record.table.size - 1
    tried(record, "taken")
    unread = {"jws": "unreadable"}
    return bundle_of(rewrite(record.lines, lambda body: body | (unread if body["seq"] == back else {})))


def offers() -> Iterator[tuple[str, bytes]]:
    yield "opened-where-nothing-is-handed-over", tried(pig(handover="none"), "offered")
    yield "opened-where-only-absence-counts", tried(pig(handover="absent"), "offered")
    yield "opened-twice", tried(opened(), "offered")
    yield "hastened-twice", tried(hastened(), "offered", seed=BACK)
    yield "with-a-wait-where-nothing-is-offered", tried_wait()
    yield "closed-while-it-was-not-open", tried(handing(), "offered", is_open=False)
    yield "opened-by-a-rival", tried(handing(), "offered", 0, seed=seed_of(1))
    yield "opened-after-resigning", tried(gone(), "offered")
    yield "opened-before-the-start", tried(lobby(), "offered")


def hastened() -> Record:
    record = opened(recovery=BACK)
    record.offer(0, by=BACK)
    return record


def tried_wait() -> bytes:
    return bundle_of(at_start(pig(start=False).lines, handover={"by": "none", "wait": 60}))


def after() -> Iterator[tuple[str, bytes]]:
    """Keys of the former holder of the seat."""
    record = taken()
    move = sign_jws(seed_of(0), a.move(**record.where(0), commands=ROLL))
    yield "moved-by-who-held-it-before", forced(record, ROLL, kind="moved", seat=0, jws=move).bundle()
    yield "resigned-by-who-held-it-before", forced_resignation()
    yield "key-added-by-who-held-it-before", tried(taken(), "keyed", seed=seed_of(0))
    yield "opened-by-who-held-it-before", tried(taken(), "offered", seed=seed_of(0))
    record = opened(recovery=BACK)
    record.take(0)
    yield "key-added-by-the-old-recovery-key", tried(record, "keyed", seed=BACK)


def forced_resignation() -> bytes:
    record = taken()
    jws = sign_jws(seed_of(0), a.resign(**record.where(0)))
    return forced(record, kind="resigned", seat=0, jws=jws).bundle()
