"""The audit on two cores says what the audit on one says, whatever the file; a small file pays nothing for it."""

import os
import signal

import pytest

from client import parallel_audit
from engine.record.audit import audit
from engine.record.encoding import canonical
from tests.audit.bundles.__main__ import FOLDER
from tests.audit.test_bundles import VERDICTS
from tests.kit.play_record import OTHER_SEED, SERVER_SEED, Record, keys

SPARE = parallel_audit._has_core_to_spare
GOOD, BROKEN = ([name for name in VERDICTS if name.startswith(kind)] for kind in ("good", "broken"))
LONG = [pytest.param(name, marks=pytest.mark.long) for name in BROKEN[1:]]  # as the first of them


@pytest.fixture
def children(monkeypatch):
    """Every file is long enough, and there are two cores; the children that were started."""
    started, fork = [], os.fork
    monkeypatch.setattr(parallel_audit, "LONG", 0)
    monkeypatch.setattr(parallel_audit, "_has_core_to_spare", lambda: True)
    monkeypatch.setattr(os, "fork", lambda: started.append(fork()) or started[-1])
    yield started
    for child in started:
        with pytest.raises(ChildProcessError):
            os.waitpid(child, 0)


@pytest.fixture(scope="module")
def record():
    return Record("pig", seed=2).play()


def forged(record, seq):
    """The bundle with another signature at this entry, which is all that is wrong with it."""
    line = record.lines[seq]
    text = record.entries[seq].body["jws"]
    signed, _, signature = text.rpartition(".")
    other = bytes([canonical.from_base64url(signature)[0] ^ 1]) + canonical.from_base64url(signature)[1:]
    return record.bundle().replace(
        line, line.replace(text.encode(), f"{signed}.{canonical.to_base64url(other)}".encode())
    )


@pytest.mark.parametrize("name", [*GOOD, BROKEN[0], *LONG])
def test_both_ways_give_one_report(children, name):
    """Verdict, failing entries, sentences, holders: all of it, for good files and broken ones."""
    data = (FOLDER / name).read_bytes()
    assert parallel_audit.audit(data) == audit(data)


def test_what_the_caller_knows_counts_both_ways(children, record):
    """Server key, players and notes are handed on."""
    kept, kids = record.note(size=4), {0: record.table.occupants[0].kid}
    for seed, known in ((SERVER_SEED, kids), (OTHER_SEED, kids), (SERVER_SEED, {1: kids[0]})):
        given = (record.bundle(), keys.public_of(seed), known, kept)
        assert parallel_audit.audit(*given) == audit(*given)
    assert len(children) == 3


@pytest.mark.parametrize("seq", [1, 5, -1])
def test_one_bad_signature_among_many_is_found_at_its_place(children, record, seq):
    """At the first signed entry, in the middle and at the last: what is still on its way at the end counts too."""
    data = forged(record, range(len(record.lines))[seq])
    report = parallel_audit.audit(data)
    assert report == audit(data)
    assert report.checks["signatures"].first_failure == range(len(record.lines))[seq]
    assert len(children) == 1


def test_a_child_that_dies_has_answered_nothing(children, record, monkeypatch):
    """Then the signatures are verified here: good ones hold, a bad one fails."""
    monkeypatch.setattr(parallel_audit, "_verify_until_end", lambda _end: os.kill(os.getpid(), signal.SIGKILL))
    assert parallel_audit.audit(record.bundle()).verdict == "holds"
    assert parallel_audit.audit(forged(record, 5)).checks["signatures"].first_failure == 5
    assert len(children) == 2


def test_no_child_outlives_a_fault_of_the_audit(children, record, monkeypatch):
    """Whatever is raised is raised, and the child is gone."""

    def fault(*_given, **_named):
        raise ZeroDivisionError

    monkeypatch.setattr(parallel_audit, "audit_alone", fault)
    with pytest.raises(ZeroDivisionError):
        parallel_audit.audit(record.bundle())
    assert len(children) == 1


def test_a_small_file_starts_nothing(children, record, monkeypatch):
    """A second process costs some milliseconds."""
    monkeypatch.setattr(parallel_audit, "LONG", len(record.bundle()) + 1)
    assert parallel_audit.audit(record.bundle()).verdict == "holds"
    assert children == []


@pytest.mark.parametrize(("cores", "load", "forks"), [(1, 0.0, 0), (2, 0.2, 1), (2, 1.7, 0), (8, 6.9, 1), (8, 7.1, 0)])
def test_a_process_is_started_where_a_core_has_nothing_to_do(children, record, monkeypatch, cores, load, forks):
    """Two processes on one core take longer than one."""
    monkeypatch.setattr(parallel_audit, "_has_core_to_spare", SPARE)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(range(cores)))
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))
    assert parallel_audit.audit(record.bundle()).verdict == "holds"
    assert len(children) == forks


@pytest.mark.parametrize("lacking", ["fork", "sched_getaffinity", "getloadavg"])
def test_a_system_that_cannot_say_or_do_it_audits_alone(children, record, monkeypatch, lacking):
    """As Windows and macOS."""
    monkeypatch.setattr(parallel_audit, "_has_core_to_spare", SPARE)
    monkeypatch.delattr(os, lacking)
    assert parallel_audit.audit(record.bundle()).verdict == "holds"
    assert children == []


def test_where_no_process_can_be_started_the_audit_goes_on_alone(children, record, monkeypatch):
    """A machine may have no room for one more."""

    def full():
        raise BlockingIOError("resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", full)
    assert parallel_audit.audit(record.bundle()).verdict == "holds"
