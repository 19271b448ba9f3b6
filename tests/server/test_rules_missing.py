"""A game whose rules are not installed here, or no longer in its version, waits and says so; all others go on."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import msgspec
import pytest

from engine import registry
from server.kernel.services import open_services
from server.operate import startup, stopped_games
from tests.kit import installed
from tests.server.harness import Harness, Player
from tests.server.metrics import of_rows

CLOCK = {"move": 600, "grace": 60}
SENTENCE = "The rules of this game are not installed on this server."


@pytest.fixture(params=["package", "version"])
def missing(
    request: pytest.FixtureRequest, hall: Harness, two: list[Player], monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """A running game of Pig, on a server that was started anew without its package, or with later rules only."""
    game = hall.game("pig", two, clock=CLOCK)
    with monkeypatch.context() as patch:
        if request.param == "package":
            patch.setattr(sys, "path", [place for place in sys.path if place != str(installed.FOLDER)])
            registry.forget()
        else:
            pig = registry.find("pig")
            patch.setattr(pig, "meta", msgspec.structs.replace(pig.meta, rules=(2, 2)))
        hall.services = open_services(hall.services.settings, hall.services.waker)
        hall.__post_init__()
        yield game
    hall.services.database.dispose()
    registry.forget()


def test_page_api_and_lists_show_that_the_rules_are_missing(hall: Harness, two: list[Player], missing: str):
    page = hall.client.get(f"/games/{missing}")
    assert (page.status_code, SENTENCE in page.get_data(as_text=True)) == (503, True)
    problem = two[0].get(f"/games/{missing}/view")
    assert (problem.status_code, problem.get_json()["code"]) == (503, "rules-missing")
    assert problem.get_json()["facts"] == {"found": "pig", "version": 1}
    [listed] = hall.client.get("/v1/games?stopped=true").get_json()["games"]
    assert (listed["id"], listed["stopped"]) == (missing, True)
    assert "version 1) are not installed on this server" in listed["stopped_because"]
    assert two[0].get("/me/turns").get_json()[0]["stopped"] is True
    assert "rules not installed here" in hall.client.get("/").get_data(as_text=True)


def test_nothing_is_logged_in_a_game_without_its_rules(hall: Harness, two: list[Player], missing: str):
    before = hall.head(missing)
    answer = two[0].move(missing, [{"do": "roll"}])
    assert (answer.status_code, answer.get_json()["code"]) == (503, "rules-missing")
    assert hall.head(missing) == before


def test_its_log_is_still_served(hall: Harness, missing: str):
    """Anybody may take it to a server or an auditor that has the rules."""
    assert hall.client.get(f"/v1/games/{missing}/log").status_code == 200


def test_the_operator_reads_which_rules_are_missing(
    hall: Harness, missing: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    """At the start of each process, in the list of stopped games, in `/readyz` and in a metric."""
    startup._report_missing_rules(hall.services)
    assert "'type': 'pig', 'version': 1, 'games': 1, 'event': 'rules-missing'" in caplog.text
    [stopped] = stopped_games.stopped(hall.services)
    assert stopped.pop("advice")
    assert stopped == {"game": missing, "why": "rules-missing", "since": None, "type": "pig", "version": 1}
    ready = hall.client.get("/readyz")
    says = "ready\ndegraded: the rules of pig, version 1, are not installed here; games that wait: 1\n"
    assert (ready.status_code, ready.get_data(as_text=True)) == (200, says)
    assert of_rows(hall.services)['sealedmove_games_without_rules{type="pig",version="1"}'] == 1


def test_a_finished_game_is_not_stopped_for_its_rules(
    hall: Harness, two: list[Player], monkeypatch: pytest.MonkeyPatch
):
    game = hall.game("pig", two)
    hall.play_out(game, two)
    monkeypatch.setattr(registry, "has", lambda _key, _version: False)
    assert hall.client.get(f"/v1/games/{game}").get_json()["stopped"] is False
