"""Hostile files: with any value in any place, the audit answers in bounded time and without a crash."""

import json
import time
from functools import cache

import pytest

from engine.chance import _marks
from engine.record.audit import audit
from engine.record.encoding import canonical
from engine.record.encoding.canonical import H, leaf
from tests.audit.bundles.good import everything
from tests.kit.games.pig import PigOptions
from tests.kit.play_record import CLOCK, Record, bundle_of, rewrite

STRANGE = (None, True, 0, 1, 63, 2**53 - 1, "", "joined", [], {}, [[]], canonical.to_base64url(bytes(32)))
OTHERS = [pytest.param(value, marks=pytest.mark.long) for value in STRANGE[2:]]
EVENTS = {"events": [], "state": canonical.to_base64url(bytes(32))}


@cache
def finished(game):
    return everything() if game == "bids" else Record("pig", seed=4, options=PigOptions(goal=5)).play()


def flooded(record, bodies):
    """The record with many forged entries after it, chained."""
    lines, first = list(record.lines), {"v": 1, "game": record.table.game_id, "at": record.at}
    for body in bodies:
        lines.append(
            canonical.dumps(first | {"seq": len(lines), "prev": canonical.to_base64url(leaf(lines[-1]))} | body)
        )
    return bundle_of(lines)


@pytest.mark.parametrize("game", ["pig", "bids"])
@pytest.mark.parametrize("value", [*STRANGE[:2], *OTHERS], ids=json.dumps)
def test_no_value_in_any_member_of_any_entry_passes(game, value):
    """Chained again and noted by the server: a finished game has no member that could be another."""
    record = finished(game)
    for seq, line in enumerate(record.lines):
        for member in canonical.loads(line).keys() - {"seq", "prev"}:
            changed = rewrite(
                record.lines, lambda body, s=seq, m=member: body | ({m: value} if body["seq"] == s else {})
            )
            report = audit(bundle_of(changed, record.openings or None))
            assert report.verdict != "holds" or changed == record.lines, (seq, member)


@pytest.mark.parametrize("member", ["seats", "hidden", "options", "clock", "rules", "chance", "unsigned"])
def test_no_value_deep_in_entry_0_stops_the_audit(member):
    """The acts are not signed again, so the walk continues with a table that does not fit its entries."""
    record = finished("bids")
    for value in (
        1,
        2,
        64,
        {},
        {"lots": 2**40},
        dict.fromkeys(CLOCK, 2**25),
        {"draws": 0, "chain": EVENTS["state"]},
    ):
        lines = rewrite(record.lines, lambda body, v=value: body | ({member: v} if body["seq"] == 0 else {}))
        assert audit(bundle_of(lines, record.openings)).verdict in ("fails", "unknown")


def test_a_far_deadline_costs_nothing():
    """Even with many grants and early entries the calendar is computed in one step."""
    record = Record("pig", clock=dict.fromkeys(CLOCK, 2**25))
    granted = [{"kind": "granted", "seats": [0], "seconds": 2**25, "why": "outage"}] * 100
    began = time.process_time()
    report = audit(flooded(record, granted + [{"kind": "expired", "seat": 0, **EVENTS}] * 100))
    assert report.checks["rules"].first_failure == 104
    assert time.process_time() - began < 5
    assert canonical.instant(2**52) == "142715360-12-06T03:48:16Z"


def test_only_one_secret_is_followed():
    """A forger may show another secret in each entry, and a chain has up to a million hashes."""
    record, before = Record("pig"), _marks.cache_info().misses
    ends = [
        {"kind": "expired", "seat": 0, **EVENTS, "outcome": {}, "secret": canonical.to_base64url(H(b"%d" % i))}
        for i in range(9)
    ]
    assert audit(flooded(record, ends)).verdict == "fails"
    assert _marks.cache_info().misses - before <= 2


def test_many_removals_of_nobody_are_not_kept():
    """Removals that did not happen are not stored, so a long list of them is not copied for each entry."""
    record = Record("pig", start=False)
    report = audit(flooded(record, [{"kind": "left", "seat": 0, "jws": None}] * 500))
    assert report.checks["chain"].first_failure == 1
    assert not any("removed" in line for line in report.cannot_know)


def test_more_draws_than_entry_0_commits_to_fail():
    """Their keys are hashed back no further than the line is long."""
    record = Record("pig")
    draws = {"first": 1, "got": [[1, 0]] * 10_000, "key": EVENTS["state"]}
    assert audit(flooded(record, [{"kind": "expired", "seat": 0, **EVENTS, "draws": draws}])).checks["draws"].says == (
        "entry 0 commits to 720 draws"
    )
