"""Any change in a bundle, finished or running, open or hidden, makes the audit fail."""

from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.record.audit import audit
from tests.kit.games.bids import BidsOptions
from tests.kit.games.pig import PigOptions
from tests.kit.play_record import Record

KINDS = ("pig finished", "pig running", "bids finished", "bids running")


@cache
def bundle_of(kind: str) -> bytes:
    game, stage = kind.split()
    options = PigOptions(goal=5) if game == "pig" else BidsOptions(lots=1)
    record = Record(game, seats=2, seed=4, options=options)
    return record.play(1 if stage == "running" else 100).bundle()


@pytest.mark.parametrize("kind", KINDS)
def test_the_whole_bundle_holds(kind):
    """The bundle that the tests below change is sound."""
    report = audit(bundle_of(kind))
    assert (report.verdict, report.stage) == ("open" if kind == "bids running" else "holds", kind.split()[1])


def caught(data: bytes) -> bool:
    """The verdict is neither `holds` nor `open`, with which a running hidden game passes."""
    return audit(data).verdict in ("fails", "unknown")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("first", "bit"), [(0, 0x01), (1, 0x20)])
def test_a_changed_byte_is_caught(kind, first, bit):
    """One bit of every byte is flipped: the lowest at even places, the one for upper case at odd ones."""
    data = bundle_of(kind)
    for at in range(first, len(data), 2):
        changed = data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]
        assert caught(changed), (at, data[at - 20 : at + 20])


@settings(max_examples=150)
@given(kind=st.sampled_from(KINDS), at=st.integers(0, 10**6), new=st.binary(max_size=4), old=st.integers(0, 4))
@example(kind="pig finished", at=0, new=b"\n", old=0)
def test_any_other_edit_is_caught(kind, at, new, old):
    """A few bytes taken out, put in or written over, anywhere."""
    data = bundle_of(kind)
    at %= len(data) + 1
    changed = data[:at] + new + data[at + old :]
    assert changed == data or caught(changed)


@pytest.mark.parametrize("kind", KINDS)
def test_a_dropped_line_is_caught(kind):
    """Every line in turn, entries, note and openings alike."""
    lines = bundle_of(kind).splitlines(keepends=True)
    for at in range(len(lines)):
        assert caught(b"".join(lines[:at] + lines[at + 1 :])), at


@pytest.mark.parametrize("kind", KINDS)
def test_a_repeated_line_is_caught(kind):
    """Every line in turn, written twice."""
    lines = bundle_of(kind).splitlines(keepends=True)
    for at in range(len(lines)):
        assert caught(b"".join(lines[: at + 1] + lines[at:])), at


@pytest.mark.parametrize("kind", KINDS)
def test_swapped_lines_are_caught(kind):
    """Every pair of lines, but equal ones."""
    lines = bundle_of(kind).splitlines(keepends=True)
    for a in range(len(lines)):
        for b in range(a + 1, len(lines)):
            swapped = [*lines[:a], lines[b], *lines[a + 1 : b], lines[a], *lines[b + 1 :]]
            assert lines[a] == lines[b] or caught(b"".join(swapped)), (a, b)


@given(st.binary(max_size=300))
@example(b"sealedmove bundle 1\n\n\n\n")
@example(b"sealedmove bundle 1")
@example(b"sealedmove bundle 1\n{}\n\n\n\n\n\n")
def test_garbage_is_refused_in_one_sentence(data):
    """Any bytes, with and without the first line of a bundle, are answered and never hold."""
    for text in (data, b"sealedmove bundle 1\n" + data):
        report = audit(text)
        assert report.exit in (1, 2)
        assert report.why or [check.says for check in report.checks.values() if check.ok is False]
