"""Hidden games that are partly unseen and still fail: `open` does not excuse a fault."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.record.compose import entries as c
from engine.record.encoding import canonical
from tests.audit.bundles.tools import OTHER, bids, changed_last, pig
from tests.kit.play_record import Record, bundle_of
from tests.kit.vectors.example import example


def unseen() -> Iterator[tuple[str, bytes]]:
    for source in (told(), sealed(), lost()):
        yield from ((f"open-{name}", data) for name, data in source)


def begun() -> Record:
    """The last entry is the bid of seat 0."""
    record = bids()
    record.move(0, [{"do": "bid", "amount": 3}])
    return record


def told() -> Iterator[tuple[str, bytes]]:
    """Public events are events of the rules, and contain no secret."""
    (bid,) = begun().entries[-1].body["events"]
    wrong: dict[str, list[Any]] = {
        "told-a-bid": [{**bid, "amount": 3}],
        "told-a-false-bid": [{**bid, "amount": 9}],
        "unknown-event": [{"is": "YouLose"}],
        "unknown-event-beside": [bid, {"is": "YouLose", "seat": 1}],
        "unknown-member-of-an-event": [{**bid, "hint": "red"}],
        "a-member-of-another-kind": [{**bid, "amount": "3"}],
        "a-secret-left-out": [{"is": "BidSealed", "seat": 0}],
        "an-event-of-another-game": [{"is": "Rolled", "seat": 0, "die": 6, "pot": 6}],
    }
    for name, events in wrong.items():
        yield name, bundle_of(changed_last(begun(), events=events))
    record = bids()
    dealt = [{**event, **_card(event)} for event in record.entries[-1].body["events"]]
    yield "told-a-card", bundle_of(changed_last(record, events=dealt))


def _card(event: dict[str, Any]) -> dict[str, Any]:
    return {"colour": "red"} if event["is"] == "FavouriteDealt" else {}


def sealed() -> Iterator[tuple[str, bytes]]:
    """Faults in the visible part of a running hidden game."""
    seals = begun().entries[-1].body["seals"]
    yield "a-seal-too-few", bundle_of(changed_last(begun(), seals=seals[:-1]))
    yield "a-seal-too-many", bundle_of(changed_last(begun(), seals=[*seals, seals[0]]))
    yield "no-seals", bundle_of(changed_last(begun(), seals=None))
    yield "no-state", bundle_of(changed_last(begun(), state=None))
    record = bids(seats=3).play(2)
    yield "openings-before-the-end", bundle_of(record.lines, record.openings)
    yield "an-outcome-without-its-secret", bundle_of(changed_last(begun(), outcome=OUTCOME))
    yield "seals-in-an-open-game", bundle_of(changed_last(_rolled(), seals=seals))


OUTCOME = {"out": [], "places": [[0], [1]], "points": [], "reason": "sold-out", "won": True}


def _rolled() -> Record:
    record = pig()
    record.move(0, [{"do": "roll"}])
    return record


def lost() -> Iterator[tuple[str, bytes]]:
    """A server that claims to have lost the secret, and still shows parts of it."""
    record = begun()
    record.put(c.compose_cancelled(record.table, None, record.at, "lost"))
    yield "openings-though-the-secret-is-lost", bundle_of(record.lines, record.openings)
    false = bundle_of(changed_last(record, secret=canonical.to_base64url(OTHER)))
    yield "cancelled-with-a-false-secret", false
    whole = begun()
    whole.cancel()
    yield "cancelled-with-its-secret-and-no-openings", bundle_of(whole.lines)
    yield "cancelled-by-a-player", bundle_of(changed_last(record, seat=0))
    ended = example()
    yield "cancelled-after-the-end", bundle_of([*ended.lines, _cancelled(ended)])


def _cancelled(record: Record) -> bytes:
    body = {"kind": "cancelled", "reason": "lost", "secret": None}
    return c.write_entry(c._first(record.table, record.at) | body).line
