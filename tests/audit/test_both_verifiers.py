"""Counts, places and holders, which the specification fixes, are the same in both verifiers' reports."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from engine.record.audit import Report, audit
from engine.record.log import bundle
from engine.record.log.entry import EVENTFUL, read_entry
from engine.record.signed import note
from tests.audit.bundles.__main__ import FOLDER
from tests.audit.bundles.clock import WHOLE, expired
from tests.audit.bundles.tools import SHORT, pig, written
from tests.kit.attempts import Attempt
from tests.kit.play_record import GAME_ID, OTHER_SEED, SERVER, SERVER_SEED, Record, bundle_of
from tests.stranger.judge import judge

GOOD = sorted(path.name for path in FOLDER.glob("good/*.txt"))
UNUSUAL = ["handover-taken-after-its-holder-left-a-running-game", "handover-taken-twice-by-one-offer"]


def both(data: bytes, kept: str | None = None) -> tuple[Report, dict[str, Any]]:
    return audit(data, note=kept), judge(data, kept)


@cache
def of_file(path: str) -> tuple[Report, dict[str, Any]]:
    return both((FOLDER / path).read_bytes())


def of_notes(data: bytes, notes: Sequence[str]) -> list[tuple[str, int, int | None]]:
    """Verdict of each verifier on notes that somebody kept, their number, and the place of the failure."""
    ours, theirs = both(data, "".join(notes))
    mine, other = ours.checks["note"], theirs["checks"]["note"]
    return [
        (ours.verdict, mine.count, mine.first_failure),
        (theirs["verdict"], other["count"], other["first_failure"]),
    ]


def forged(size: int, seed: bytes = SERVER_SEED) -> str:
    """A note on another last entry."""
    return note.write(SERVER, GAME_ID, size, bytes(32), seed)


def test_the_bad_note_on_the_earliest_entry_is_named() -> None:
    """In whatever order they are given. One that is on no entry of the file, or not signed, hides no other."""
    record = Record("pig").play(4)
    bad = [forged(5), forged(3), forged(99), forged(4, OTHER_SEED), record.note(size=4)]
    for order in itertools.permutations(bad):
        assert of_notes(record.bundle(), order) == [("fails", 6, 2)] * 2


def test_a_bad_kept_note_does_not_hide_the_bundle_s_own() -> None:
    """The file has lost its last entry, and an earlier one is not the one that a mail names."""
    record = Record("pig").play(4)
    cut = bundle_of(record.lines[:-1]).replace(record.note(size=len(record.lines) - 1).encode(), record.note().encode())
    assert of_notes(cut, [forged(3)]) == [("fails", 2, 2)] * 2
    assert of_notes(cut, [forged(99)]) == [("fails", 2, None)] * 2


@pytest.mark.parametrize("name", GOOD)
def test_each_check_counts_the_same_things(name: str) -> None:
    """Without the rules of the game only the last seal of an entry can be compared."""
    ours, theirs = of_file(f"good/{name}")
    counted = {check: it.count for check, it in ours.checks.items()}
    entries = [read_entry(line) for line in bundle.read((FOLDER / "good" / name).read_bytes()).lines]
    seats = entries[0].body["seats"] if entries[0].body["hidden"] and counted["seals"] else 0
    counted["seals"] -= seats * sum(entry.kind in EVENTFUL for entry in entries)
    for check in ("chain", "signatures", "draws", "seals", "outcome", "note"):
        assert theirs["checks"][check]["count"] == counted[check], check


@pytest.mark.parametrize("path", [*(f"good/{name}" for name in GOOD), *(f"broken/{name}.txt" for name in UNUSUAL)])
def test_the_same_holders_are_named(path: str) -> None:
    """Also in a log that breaks a law before they come."""
    ours, theirs = of_file(path)
    listed = sorted(theirs["holders"], key=lambda one: (one["seat"], one["since"]))
    assert listed == list(ours.to_json()["holders"])


def test_a_grant_that_names_a_seat_that_is_none_is_not_counted() -> None:
    """It breaks `no-such-seat`. The other seat that it names may get as much time as before, and has no more."""
    record = pig(clock=SHORT)
    for seats, seconds in ([0, 9], SHORT["grants"]), ([0], 60):
        written(record, Attempt("granted", {"seats": seats, "seconds": seconds, "why": "host"}))
    ours, theirs = both(expired(record, WHOLE + 60))
    assert {name: check.first_failure for name, check in ours.checks.items() if check.ok is False} == {"chain": 4}
    assert [name for name, check in theirs["checks"].items() if check["ok"] is False] == ["chain"]
