"""The operator's log: each act with its time, actor and reason, in the transaction that carries it out."""

from __future__ import annotations

import json
import os
import pwd

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError

from engine.errors import EngineFault
from server.kernel import operator_log
from server.kernel.db.models import Game, OperatorAct
from server.log.ledger import stop_game
from server.operate import stopped_games
from server.operate.retention import leap_events
from tests.server.harness import BY, WHY, Harness, Player
from tests.server.test_give_up import run

ACTS = sa.select(OperatorAct.who, OperatorAct.act, OperatorAct.about, OperatorAct.why).order_by(OperatorAct.id)


def acts(hall: Harness) -> list[tuple[str, ...]]:
    with hall.services.database.read() as session:
        return [tuple(row) for row in session.execute(ACTS)]


@pytest.mark.parametrize("verb", ["UPDATE operator_log SET why = 'none'", "DELETE FROM operator_log"])
def test_an_act_of_an_operator_cannot_be_changed_or_removed(each_hall: Harness, verb: str):
    leap_events(each_hall.services, BY)
    with pytest.raises(DatabaseError, match="append-only"), each_hall.services.database.write() as session:
        session.execute(sa.text(verb))
    assert acts(each_hall) == [("kim", "reset-events", "", "a test")]


def test_a_command_logs_who_acted_and_why(each_hall: Harness):
    """The name is the one given, or that of the user at the machine."""
    game = each_hall.game("pig", [each_hall.player(number) for number in range(2)])
    stop_game(each_hall.services, game, EngineFault("planted"))
    assert run(each_hall, "go-on", game, "--as", " kim ", "--why", "the rules are fixed").exit_code == 0
    assert run(each_hall, "cancel", game, *WHY).exit_code == 0
    user = pwd.getpwuid(os.getuid()).pw_name
    assert acts(each_hall) == [
        ("kim", "go-on", f"game {game}", "the rules are fixed"),
        (user, "cancel", f"game {game}", "a test"),
    ]


def test_the_log_is_printed_oldest_first_whole_or_about_one_subject(hall: Harness, two: list[Player]):
    games = [hall.game("pig", two) for _ in range(3)]
    for game in games:
        assert run(hall, "cancel", game, *WHY).exit_code == 0
    printed = [json.loads(line) for line in run(hall, "operate", "log", "--last", "2").output.splitlines()]
    assert [row["about"] for row in printed] == [f"game {game}" for game in games[1:]]
    (row,) = map(json.loads, run(hall, "operate", "log", "--about", f"game {games[0]}").output.splitlines())
    assert list(row) == ["at", "who", "act", "about", "why"]


@pytest.mark.parametrize("about", ["7", "7 ", "nonsense", ""])
def test_the_log_about_a_subject_without_its_kind_is_refused(hall: Harness, about: str):
    """An empty list would mean that nobody has done anything to it."""
    done = run(hall, "operate", "log", "--about", about)
    assert (done.exit_code, "such as `account 7`" in done.output) == (2, True), done.output


@pytest.mark.parametrize("why", [(), ("--why", " "), ("--why", "x" * 501)])
def test_nothing_changes_without_a_reason(hall: Harness, two: list[Player], why: tuple[str, ...]):
    """Commands that only list need none."""
    game = hall.game("pig", two)
    assert run(hall, "cancel", game, *why).exit_code == 2
    assert run(hall, "audits", "--again", *why).exit_code == 2
    assert run(hall, "audits").exit_code == 0
    assert (hall.client.get(f"/v1/games/{game}").get_json()["status"], acts(hall)) == ("running", [])


def test_an_act_that_is_refused_is_not_logged(each_hall: Harness):
    """The reason shares the transaction of the act."""
    game = each_hall.game("pig", [each_hall.player(number) for number in range(2)])
    assert run(each_hall, "go-on", game, *WHY).exit_code == 1
    assert run(each_hall, "cancel", game, "--reason", "Not A Word!", *WHY).exit_code == 1
    assert acts(each_hall) == []


def test_an_act_that_cannot_be_logged_does_not_happen(each_hall: Harness, monkeypatch: pytest.MonkeyPatch):
    game = each_hall.game("pig", [each_hall.player(number) for number in range(2)])

    def fail(*_: object) -> None:
        raise OSError("planted")

    monkeypatch.setattr(operator_log, "record", fail)
    with pytest.raises(OSError, match="planted"):
        stopped_games.cancel(each_hall.services, BY, game, "operator")
    with each_hall.services.database.read() as session:
        assert session.get_one(Game, game).status == "running"
