"""The standing auditor: every game once it has ended, running games at intervals; the operator gets the failures."""

from __future__ import annotations

import msgspec
import pytest
import sqlalchemy as sa
import structlog
from structlog.testing import CapturingLogger

from server.evidence import audit
from server.evidence.read import NONE, found_audit
from server.kernel import quarantine
from server.kernel.db.models import Audit, Entry, Game
from tests.server.harness import BY
from workers.auditor import audit_next, pause

HOURS = 24


@pytest.fixture
def errors(monkeypatch):
    """The errors in the operator's log."""
    told = CapturingLogger()
    bound = structlog.wrap_logger(told, processors=[lambda _, __, event: ((event,), {})])
    monkeypatch.setattr(audit, "log", bound)
    return lambda: [call.args[0] for call in told.calls if call.method_name == "error"]


def finished(house, kind="bids"):
    """A game played to its end by default moves."""
    game = house.game(kind)
    while house.table(game).stage == "running":
        house.play_default(game)
    return game


def audit_all(house) -> int:
    """Audit until nothing is due; return how many games were."""
    count = 0
    while audit_next(house.ctx):
        count += 1
    return count


def tamper(house, game: str) -> int:
    """Change the effect of a default move, as under another master; return the entry's number."""
    with house.services.database.write() as session:
        for table in ("entry_no_update", "entry_append_only"):
            if house.services.database.is_sqlite and table == "entry_no_update":
                session.execute(sa.text(f"DROP TRIGGER IF EXISTS {table}"))
            elif not house.services.database.is_sqlite and table == "entry_append_only":
                session.execute(sa.text(f"DROP TRIGGER IF EXISTS {table} ON entry"))
        row = session.scalars(sa.select(Entry).where(Entry.game_id == game, Entry.kind == "moved")).first()
        line = msgspec.json.decode(row.line)
        line["at"] = "2001-01-01T00:00:00Z"
        row.line = msgspec.json.encode(line, order="sorted")
        return row.seq


def test_a_finished_game_is_audited_once(house):
    game = finished(house)
    assert found_audit(house.services, game) == NONE
    assert audit_all(house) == 1
    told = found_audit(house.services, game)
    assert (told["verdict"], told["size"], told["entry"]) == ("holds", house.table(game).size, None)
    assert told["says"].startswith("holds: a finished game, under a key that was compared with nothing\n  ok   chain")
    house.pass_time(days=365)
    assert audit_all(house) == 0


def test_a_running_game_is_audited_at_intervals_and_only_if_it_has_moved_on(house):
    """A day after its first new entry."""
    game = house.game("pig")
    assert audit_all(house) == 0
    house.pass_time(hours=HOURS)
    assert audit_all(house) == 1
    assert found_audit(house.services, game)["verdict"] == "holds"
    house.pass_time(hours=10 * HOURS)
    assert audit_all(house) == 0
    house.play_default(game)
    house.play_default(game)
    assert audit_all(house) == 0
    house.pass_time(hours=HOURS)
    assert audit_all(house) == 1
    assert found_audit(house.services, game)["size"] == house.table(game).size


def test_a_game_that_ends_while_it_is_audited_is_audited_once_more(house, monkeypatch):
    """The end makes it due, whatever the audit of its running log finds."""
    game = house.game("bids")
    house.pass_time(hours=HOURS)
    real = audit.bundled

    def ends_meanwhile(services, game_id):
        found = real(services, game_id)
        while house.table(game).stage == "running":
            house.play_default(game)
        return found

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(audit, "bundled", ends_meanwhile)
        assert audit_next(house.ctx)
    assert audit_all(house) == 1
    assert found_audit(house.services, game)["size"] == house.table(game).size


def test_a_verdict_counts_for_the_log_that_it_was_made_of(house):
    """A verdict on another log is not shown."""
    game = finished(house)
    audit_all(house)
    with house.services.database.write() as session:
        session.execute(sa.update(Audit).values(head_hash=bytes(32)))
    assert found_audit(house.services, game) == NONE


def test_two_auditors_make_one_audit(house):
    """Both found the game due."""
    game = finished(house)
    [(_, at)] = house.ask(audit.due)
    assert audit.make_audit(house.services, game, at) == "holds"
    assert audit.make_audit(house.services, game, at) is None


def test_a_game_whose_auditor_was_killed_is_audited_by_another(house, monkeypatch):
    """After some minutes."""
    game = finished(house)

    def dies(*_):
        raise SystemExit

    with monkeypatch.context() as killed:
        killed.setattr(audit, "bundled", dies)
        with pytest.raises(SystemExit):
            audit_next(house.ctx)
    assert audit_all(house) == 0
    house.pass_time(minutes=10)
    assert audit_all(house) == 1
    assert found_audit(house.services, game)["verdict"] == "holds"


def test_the_first_failure_of_a_game_is_one_error_with_game_and_entry(house, errors):
    """The operator has the list and the number as well; a repeated audit that fails again is not news."""
    game = finished(house)
    seq = tamper(house, game)
    audit_all(house)
    assert [(one["event"], one["game"], one["entry"]) for one in errors()] == [("audit-fails", game, seq)]
    assert [(row["game"], row["verdict"], row["entry"]) for row in audit.unsound(house.services)] == [
        (game, "fails", seq)
    ]
    assert audit.repeat(house.services, BY) == 1
    assert audit_all(house) == 1
    assert len(errors()) == 1


def test_a_failure_of_a_running_game_stays_while_the_game_goes_on(house):
    """Only the next audit can change it."""
    game = house.game("pig")
    house.play_default(game)
    seq = tamper(house, game)
    house.pass_time(hours=HOURS)
    audit_all(house)
    size = house.table(game).size
    house.play_default(game)
    assert {name: found_audit(house.services, game)[name] for name in ("verdict", "entry", "size")} == {
        "verdict": "fails",
        "entry": seq,
        "size": size,
    }


def test_a_fault_of_the_auditor_says_nothing_of_the_game(house, monkeypatch, errors):
    """The fault is reported as such, and the audit is not repeated forever."""
    game = finished(house, "pig")
    monkeypatch.setattr("server.evidence.audit.audit.audit", lambda _: 1 / 0)
    assert audit_all(house) == 1
    assert found_audit(house.services, game)["verdict"] == "unknown"
    assert "a fault of this auditor" in found_audit(house.services, game)["says"]
    assert [one["event"] for one in errors()] == ["auditor-fault"]


def test_a_game_that_cannot_be_read_does_not_stop_the_auditor(house, monkeypatch):
    """It is set aside, and the next one is audited."""
    first, second = finished(house, "pig"), finished(house, "pig")
    real = audit.bundled
    monkeypatch.setattr(audit, "bundled", lambda services, game: 1 // 0 if game == first else real(services, game))
    assert audit_all(house) == 2
    assert found_audit(house.services, second)["verdict"] == "holds"
    assert [(row["loop"], row["key"]) for row in quarantine.listed(house.services)] == [("audits", first)]


@pytest.mark.parametrize(("share", "rest"), [(10, 9.0), (50, 1.0), (100, 0.0)])
def test_the_auditor_rests_as_its_share_demands(share, rest):
    """After one second of work."""
    assert pause(1.0, share) == rest


def test_a_game_without_news_has_no_time(house):
    """So that the index stays small."""
    finished(house)
    audit_all(house)
    with house.services.database.read() as session:
        assert session.scalars(sa.select(Game.audit_at)).all() == [None]
