"""Analyses: requested once for everyone, made by a process of the worker, shown without names of their own."""

import subprocess
import sys

import pytest
import sqlalchemy as sa

from engine.analysis.results import Analysis as Found
from server.evidence.read import bundled
from server.kernel import quarantine
from server.kernel.db.models import Account, Analysis
from server.kernel.errors import Problem
from server.kernel.operator_log import Operator
from server.play.analysis import rows
from tests.kit import installed
from tests.workers.test_auditor import finished
from workers import analyst
from workers.analyst import AnalysisError, analyse_next, analysis_of


@pytest.fixture(autouse=True)
def _the_process_has_pig_too():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", installed.ENV["PYTHONPATH"])
        yield


def count(house) -> int:
    with house.services.database.read() as session:
        return session.scalar(sa.select(sa.func.count()).select_from(Analysis))


def test_an_analysis_is_made_once_for_everyone(house):
    """Later requests get the same one."""
    game = finished(house, "pig")
    assert rows.answer(house.services, game).state == "none"
    assert rows.request(house.services, game).state == "waiting"
    assert rows.request(house.services, game).state == "waiting"
    assert count(house) == 1
    assert analyse_next(house.ctx)
    assert not analyse_next(house.ctx)
    state, found = rows.request(house.services, game)
    assert state == "made"
    assert isinstance(found, Found)
    assert (found.game, found.seats) == ("pig", 2)


def test_the_rest_after_an_analysis_is_measured_by_processor_time():
    """On a busy machine a process takes many times as long as it computes; the next analysis does not wait for that."""
    begun = analyst.processor_time()
    subprocess.run(["sleep", "1"], check=True)
    assert analyst.processor_time() - begun < 0.5
    subprocess.run([sys.executable, "-c", "sum(range(10**7))"], check=True)
    assert analyst.processor_time() - begun > 0.05


def test_a_running_game_cannot_be_requested(house):
    """Nothing is kept of the request."""
    game = house.game("pig")
    with pytest.raises(Problem, match="not-over"):
        rows.request(house.services, game)
    assert count(house) == 0


def test_of_two_workers_one_makes_it(house, monkeypatch):
    """If that one is killed, another takes it after ten minutes."""
    game = finished(house, "pig")
    rows.request(house.services, game)
    made = []
    monkeypatch.setattr(analyst, "analysis_of", lambda *_given: made.append(analyse_next(house.ctx)))
    assert analyse_next(house.ctx)
    assert made == [False]
    with house.services.database.write() as session:
        session.execute(sa.update(Analysis).values(found=None, made_at=None, next_at=house.services.now() + rows.CLAIM))
    assert not analyse_next(house.ctx)
    house.pass_time(hours=1)
    assert analyse_next(house.ctx)


def test_a_process_that_fails_is_tried_again_later(house, monkeypatch):
    """The game waits meanwhile, and others do not."""
    game = finished(house, "pig")
    rows.request(house.services, game)
    monkeypatch.setattr(analyst, "MODULE", "tests.workers.no_such_module")
    assert analyse_next(house.ctx)
    assert rows.answer(house.services, game).state == "failed"
    assert rows.request(house.services, game).state == "failed"
    assert not analyse_next(house.ctx)
    monkeypatch.undo()
    house.pass_time(hours=1)
    assert analyse_next(house.ctx)
    assert rows.answer(house.services, game).state == "made"


def test_an_analysis_that_the_operator_has_tried_again_is_made_in_the_next_round(house, monkeypatch):
    """The worker that failed has ended its claim; that of one that is at it stays, so no two are at it at once."""
    game, by, made = finished(house, "pig"), Operator("ops", "repaired"), []
    rows.request(house.services, game)

    def fails(_):
        quarantine.retry(house.services, by)
        made.append(analyse_next(house.ctx))
        raise AnalysisError("planted")

    with monkeypatch.context() as patch:
        patch.setattr(analyst, "analysis_of", fails)
        for _ in range(2):
            assert analyse_next(house.ctx)
            assert not analyse_next(house.ctx)
            assert quarantine.retry(house.services, by, rows.LOOP.name, game) == 1
    assert made == [False, False]
    assert analyse_next(house.ctx)
    assert rows.answer(house.services, game).state == "made"


def test_an_analysis_that_the_operator_gives_up_is_impossible(house, monkeypatch):
    """Until they let it be tried again."""
    game, by = finished(house, "pig"), Operator("ops", "it fails")
    rows.request(house.services, game)
    with monkeypatch.context() as patch:
        patch.setattr(analyst, "MODULE", "tests.workers.no_such_module")
        assert analyse_next(house.ctx)
    assert quarantine.drop(house.services, by, rows.LOOP.name, game)
    assert rows.answer(house.services, game).state == "impossible"
    quarantine.retry(house.services, by, rows.LOOP.name, game)
    assert rows.answer(house.services, game).state == "failed"
    house.pass_time(hours=1)
    assert analyse_next(house.ctx)
    assert rows.answer(house.services, game).state == "made"


def test_games_whose_analysis_fails_keep_no_other_from_being_requested(house, monkeypatch):
    """They are tried again for good; those that wait for the first attempt are limited in number."""
    monkeypatch.setattr(rows, "MOST_WAITING", 1)
    broken, other, third = (finished(house, "pig") for _ in range(3))
    rows.request(house.services, broken)
    with monkeypatch.context() as patch:
        patch.setattr(analyst, "MODULE", "tests.workers.no_such_module")
        assert analyse_next(house.ctx)
    assert rows.request(house.services, other).state == "waiting"
    with pytest.raises(Problem, match="unavailable"):
        rows.request(house.services, third)
    assert analyse_next(house.ctx)
    assert rows.request(house.services, third).state == "waiting"


def test_a_process_beyond_its_limits_is_ended(house, monkeypatch):
    game = finished(house, "pig")
    monkeypatch.setattr(analyst, "MEMORY", 2**24)
    with pytest.raises(AnalysisError):
        analysis_of(bundled(house.services, game)[1])


def test_a_game_that_nobody_can_judge_says_so(house, monkeypatch):
    game = finished(house, "pig")
    rows.request(house.services, game)
    monkeypatch.setattr(analyst, "analysis_of", lambda *_given: None)
    assert analyse_next(house.ctx)
    assert rows.answer(house.services, game).state == "impossible"


def test_the_row_names_seats_and_no_players(house):
    """So an erased account leaves nothing in it."""
    game = finished(house, "pig")
    rows.request(house.services, game)
    analyse_next(house.ctx)
    with house.services.database.read() as session:
        kept = session.get(Analysis, game).found.decode()
        names = session.scalars(sa.select(Account.name)).all()
    assert names
    assert not [name for name in names if name and name in kept]
