"""The audit on two cores gives the same report as on one; a small file has no overhead."""

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
LONG = [pytest.param(name, marks=pytest.mark.long) for name in BROKEN[1:]]  # before any of them


@pytest.fixture
def children(monkeypatch):
    """Every file counts as long, on two cores; the started children."""
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
    """The bundle with only the signature of this entry changed."""
    line = record.lines[seq]
    text = record.entries[seq].body["jws"]
    signed, _, signature = text.rpartition(".")
    other = bytes([canonical.from_base64url(signature)[0] ^ 1]) + canonical.from_base64url(signature)[1:]
    return record.bundle().replace(
        line, line.replace(text.encode(), f"{signed}.{canonical.to_base64url(other)}".encode())
    )


@pytest.mark.parametrize("name", [*GOOD, BROKEN[0], *LONG])
def test_both_ways_give_one_report(children, name):
    """Verdict, failing entries, sentences, holders: for good and broken files."""
    data = (FOLDER / name).read_bytes()
    assert parallel_audit.audit(data) == audit(data)


def test_arguments_count_both_ways(children, record):
    """Server key, players and checkpoints."""
    kept, kids = record.note(size=4), {0: record.table.occupants[0].kid}
    for seed, known in ((SERVER_SEED, kids), (OTHER_SEED, kids), (SERVER_SEED, {1: kids[0]})):
        given = (record.bundle(), keys.public_of(seed), known, kept)
        assert parallel_audit.audit(*given) == audit(*given)
    assert len(children) == 3


@pytest.mark.parametrize("seq", [1, 5, -1])
def test_one_bad_signature_among_many_is_found_at_its_place(children, record, seq):
    """At the first signed entry, in the middle and at the last, which is checked last."""
    data = forged(record, range(len(record.lines))[seq])
    report = parallel_audit.audit(data)
    assert report == audit(data)
    assert report.checks["signatures"].first_failure == range(len(record.lines))[seq]
    assert len(children) == 1


def test_the_signatures_of_a_dead_child_are_checked_here(children, record, monkeypatch):
    """Good ones hold, a bad one fails."""
    monkeypatch.setattr(parallel_audit, "_verify_until_end", lambda _end: os.kill(os.getpid(), signal.SIGKILL))
    assert parallel_audit.audit(record.bundle()).verdict == "holds"
    assert parallel_audit.audit(forged(record, 5)).checks["signatures"].first_failure == 5
    assert len(children) == 2


def test_no_child_outlives_a_fault_of_the_audit(children, record, monkeypatch):
    """The exception is raised, and the child is gone."""

    def fault(*_given, **_named):
        raise ZeroDivisionError

    monkeypatch.setattr(parallel_audit, "audit_alone", fault)
    with pytest.raises(ZeroDivisionError):
        parallel_audit.audit(record.bundle())
    assert len(children) == 1


def test_a_small_file_starts_no_process(children, record, monkeypatch):
    """A second process costs some milliseconds."""
    monkeypatch.setattr(parallel_audit, "LONG", len(record.bundle()) + 1)
    assert parallel_audit.audit(record.bundle()).verdict == "holds"
    assert children == []


@pytest.mark.parametrize(("cores", "load", "forks"), [(1, 0.0, 0), (2, 0.2, 1), (2, 1.7, 0), (8, 6.9, 1), (8, 7.1, 0)])
def test_a_process_is_started_only_on_a_free_core(children, record, monkeypatch, cores, load, forks):
    """Two processes on one core take longer than one."""
    monkeypatch.setattr(parallel_audit, "_has_core_to_spare", SPARE)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(range(cores)))
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))
    assert parallel_audit.audit(record.bundle()).verdict == "holds"
    assert len(children) == forks


@pytest.mark.parametrize("lacking", ["fork", "sched_getaffinity", "getloadavg"])
def test_a_system_without_fork_or_cpu_count_audits_alone(children, record, monkeypatch, lacking):
    """Such as Windows and macOS."""
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
