"""The bench runs and prints its figures, which no test judges."""

import asyncio

import pytest

from engine import registry
from tests.bench import (
    against,
    audit_against,
    audit_speed,
    engine_speed,
    events_speed,
    legal_speed,
    load,
    mail_rates,
    rebuild_speed,
    reference,
    server_speed,
)

pytestmark = pytest.mark.slow


def test_the_engine_bench_prints_its_rates(capsys):
    """Commands and events a second of a game, each above nothing."""
    engine_speed.report(registry.find("pig"), 1)
    said = capsys.readouterr().out
    assert "submitted commands/s" in said
    assert "folded events/s" in said


def test_the_longest_legal_of_any_position_is_printed(capsys, monkeypatch):
    """With its milliseconds and its phase, from random games and those by the rule of thumb."""
    monkeypatch.setattr(legal_speed, "SLOWEST", 3)
    legal_speed.report(registry.find("livingstone"), 1)
    said = capsys.readouterr().out
    assert float(said.split()[4]) > 0
    assert "phase: " in said


def test_without_the_reference_the_bench_says_so(capsys, monkeypatch):
    """Only `make bench` installs python-chess; everything else is measured without it."""
    monkeypatch.setattr(reference, "chess", None)
    engine_speed.report(registry.find("pig"), 1)
    assert "`make bench` installs it" in capsys.readouterr().out


def test_two_commits_are_measured_in_turns(capsys, monkeypatch):
    """Here the same one twice, so neither is much quicker; each in its own process and checkout."""
    monkeypatch.setattr(against, "RUNS", 2)
    against.compare("livingstone", against.HERE, games=1)
    said = capsys.readouterr().out
    assert 0.2 < float(said.split()[5]) < 5
    assert "us a command" in said


def test_audits_of_two_commits_are_measured_in_turns(capsys):
    """Here the same one twice, so neither is much quicker."""
    audit_against.compare("pig, 4 seats", against.HERE, runs=2, seconds=0)
    said = capsys.readouterr().out
    assert 0.2 < float(said.partition("us an entry, ")[2].split()[0]) < 5


def test_the_events_bench_reaches_every_reader(capsys, tmp_path, redis_url):
    """Every reader gets every commit, and the cost of idle streams is printed."""
    environment = events_speed.environment_of(tmp_path, redis_url) | events_speed.ROOM
    with events_speed.gunicorn(environment) as url, events_speed.holder(environment) as process:
        asyncio.run(events_speed.idle(url, environment, process, streams=20, seconds=0.2))
        asyncio.run(events_speed.latency(url, environment, listeners=10, commits=3))
    said = capsys.readouterr().out
    assert "20 idle streams, memory" in said
    assert "commit to the last of 10: median, p95" in said


def test_the_mail_bench_prints_its_rates(capsys, monkeypatch):
    """Each kind beside the bare rate, and the wait of a sign-in mail behind a backlog."""
    for name, few in (("GAMES", 1), ("LINKS", 4), ("BARE", 10), ("ROUNDS", 1)):
        monkeypatch.setattr(mail_rates, name, few)
    mail_rates.report()
    said = capsys.readouterr().out
    assert said.count("of the bare rate") == 3
    assert "a sign-in mail behind a backlog" in said


def test_the_audit_bench_counts_every_signature():
    """The bare verifications are those of the players' acts and of the checkpoint, and all of them hold."""
    played = audit_speed.Record("bids", 2).play()
    signed = audit_speed.signatures(played.bundle())
    acts = sum("jws" in entry.body for entry in played.entries)
    assert len(signed) == acts + 1
    audit_speed.verify(signed)


def test_the_rebuild_bench_comes_to_the_same_table():
    """The folded table is the one that was played."""
    played = rebuild_speed.Record("bids", 3).play()
    openings = {opening["seq"]: opening for opening in played.openings}
    rebuilt = rebuild_speed.rebuild(played.lines, openings, played.table.data)
    assert (rebuilt.state, rebuilt.head, rebuilt.outcome) == (
        played.table.state,
        played.table.head,
        played.table.outcome,
    )


def test_the_server_bench_prints_the_processor_time_of_a_move(capsys, tmp_path, redis_url, monkeypatch):
    """In rows of the same run, beside the aim and the last release."""
    monkeypatch.setattr(server_speed, "SECONDS", 0.4)
    environment = server_speed.environment_of(tmp_path, redis_url)
    with server_speed.gunicorn(environment) as url, server_speed.worker(environment):
        server_speed.report(url, environment, 1, rounds=1)
    said = capsys.readouterr().out
    assert "web CPU of a move, in rows" in said
    assert "house CPU of a move, in rows" in said


def test_the_load_program_prints_a_row_for_each_number_of_clients():
    """With the rate, the latency, and what each kind of process used; here of a title whose moves are chosen."""
    stored = {"store": [3], "stored_entries": 2}
    plan = load.Plan(**stored, web=[1], clients=[1, 2], tables=2, seconds=0.5, title="tikal", entries=9, mail=True)
    rows = [[cell.strip() for cell in row.split("|")] for row in load.run(plan)]
    assert [row[:3] for row in rows] == [["3", "1", "1"], ["3", "1", "2"]]
    for row in rows:
        assert len(row) == len(load.COLUMNS.split("|"))
        assert all(role in row[8] for role in ("clients", "postgresql", "redis", "web", "worker"))
