"""Faults are shown where operators and players look: readiness, metrics, commands, pages."""

from __future__ import annotations

import re

import msgspec
import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from sealedmove import main
from server.evidence.audit import make_audit
from server.kernel import quarantine
from server.kernel.config import ConfigError, settings
from server.kernel.db.models import Entry, Game, OperatorAct
from tests.server.harness import HOST, MASTER, Harness
from tests.server.metrics import of_rows

AUDITED = quarantine.Loop("audits", Entry.game_id)


@pytest.fixture
def failed(hall: Harness) -> str:
    """A cancelled game that fails its audit at entry 1, as if somebody else had written it."""
    player = hall.player(0)
    game = player.post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    player.join(game, 0)
    assert player.post(f"/games/{game}/cancel").status_code == 201
    with hall.services.database.write() as session:
        session.execute(sa.text("DROP TRIGGER entry_no_update"))
        row = session.get_one(Entry, (game, 1))
        row.line = row.line.replace(b'"seat":0', b'"seat":1')
    assert make_audit(hall.services, game, hall.clock()) == "fails"
    return str(game)


def environment(hall: Harness) -> dict[str, str]:
    url = hall.services.database.url.render_as_string(hide_password=False)
    return {"SEALEDMOVE_MASTER": MASTER.hex(), "DATABASE_URL": url, "PUBLIC_URL": f"https://{HOST}"}


def run(hall: Harness, *words: str) -> list[str]:
    done = CliRunner().invoke(main, words, env=environment(hall))
    assert done.exit_code == 0, done.output
    return done.output.splitlines()


def numbers(hall: Harness) -> dict[str, float]:
    watched = re.compile("sealedmove_(audits|quarantined)")
    return {name: value for name, value in of_rows(hall.services).items() if watched.match(name)}


def test_a_game_that_fails_its_audit_is_a_metric_and_degrades_the_readiness(hall: Harness, failed: str):
    """Ready all the same: its players and all others go on."""
    answer = hall.client.get("/readyz")
    assert (answer.status_code, answer.get_data(as_text=True)) == (
        200,
        "ready\ndegraded: 1 game failed the server's audit. `sealedmove audits` lists them.\n",
    )
    assert numbers(hall) == {
        'sealedmove_audits{verdict="fails"}': 1,
        'sealedmove_audits{verdict="unknown"}': 0,
        'sealedmove_audits{verdict="acknowledged"}': 0,
        "sealedmove_audits_due": 0,
    }


def test_page_and_api_name_the_entry_that_fails(hall: Harness, failed: str):
    told = hall.client.get(f"/v1/games/{failed}/audit").get_json()
    assert (told["verdict"], told["entry"], told["size"]) == ("fails", 1, 3)
    assert "This game failed the server's audit at entry 1." in hall.client.get(f"/games/{failed}").get_data(
        as_text=True
    )


def test_the_operator_lists_what_failed_and_has_it_audited_again(hall: Harness, failed: str):
    """As after a repair of the database."""
    [line] = run(hall, "audits")
    assert {name: msgspec.json.decode(line)[name] for name in ("game", "verdict", "entry")} == {
        "game": failed,
        "verdict": "fails",
        "entry": 1,
    }
    assert run(hall, "audits", "--again", "--why", "repaired") == ["games to audit again: 1"]
    hall.clock.forward(days=9999)  # later than the command's clock
    assert numbers(hall)["sealedmove_audits_due"] == 1


def test_a_failure_that_the_operator_acknowledges_is_told_to_players_alone(hall: Harness, failed: str):
    """As a known damage of a game that has ended. The next failure of the game counts again."""
    assert run(hall, "audits", "--acknowledge", failed, "--why", "damaged by a disk") == [f"{failed} is acknowledged"]
    assert hall.client.get("/readyz").text == "ready\n"
    counted = {
        verdict: numbers(hall)[f'sealedmove_audits{{verdict="{verdict}"}}'] for verdict in ("fails", "acknowledged")
    }
    assert counted == {"fails": 0, "acknowledged": 1}
    assert [msgspec.json.decode(line)["acknowledged"] for line in run(hall, "audits")] == [True]
    assert "This game failed the server's audit at entry 1." in hall.client.get(f"/games/{failed}").text
    run(hall, "audits", "--again", "--why", "to be sure")
    hall.clock.forward(days=9999)  # later than the command's clock
    with hall.services.database.read() as session:
        due = session.scalars(sa.select(Game.audit_at)).one()
    assert make_audit(hall.services, failed, due) == "fails"
    assert numbers(hall)['sealedmove_audits{verdict="fails"}'] == 1


def test_only_a_failure_can_be_acknowledged(hall: Harness):
    refused = CliRunner().invoke(main, ["audits", "--acknowledge", "nothing", "--why", "x"], env=environment(hall))
    assert (refused.exit_code, "`sealedmove audits` lists the games that did" in refused.output) == (1, True)
    with hall.services.database.read() as session:
        assert session.scalars(sa.select(OperatorAct)).all() == []


def test_the_operator_lists_the_quarantine_and_has_its_items_tried_again(hall: Harness):
    assert quarantine.attempt(hall.services, AUDITED, "an item", lambda: 1 // 0) == []
    assert numbers(hall)['sealedmove_quarantined{loop="audits"}'] == 1
    [line] = run(hall, "quarantine")
    row = msgspec.json.decode(line)
    assert (row["loop"], row["key"], row["error"], row["failures"]) == ("audits", "an item", "ZeroDivisionError", 1)
    assert run(hall, "quarantine", "--again", "--why", "repaired") == ["items to try again: 1"]


@pytest.mark.parametrize(
    "given",
    [
        {"AUDIT_SHARE": "0"},
        {"AUDIT_SHARE": "101"},
        {"AUDIT_EVERY": "0"},
        {"MAILS_KEPT": "0"},
        {"PORT": "https"},
        {"PORT": "65536"},
        {"PROXIES": ""},
        {"STATEMENT_TIMEOUT": "30s"},
        {"LONGEST_WAIT": "soon"},
        {"LOG_LEVEL": "loud"},
        {"LIMIT_LOGIN": "60/minut"},
        {"SMTP_URL": "relay.example:25"},
        {"SMTP_URL": "http://relay.example"},
        {"SMTP_URL": "smtp://:25"},
        {"SMTP_URL": "smtp://[::1"},
        {"SMTP_URL": "smtp://relay.example:0"},
        {"SMTP_URL": "smtp://relay.example:65536"},
        {"SMTP_URL": "smtp://ada:secret@relay.example"},
        {"SMTP_URL": "smtps://ada:se/cret@relay.example"},
        {"SMTP_PORT": "mail"},
        {"SMTP_PORT": "0"},
        {"SMTP_PORT": "65536"},
    ],
)
def test_a_value_that_cannot_work_is_refused_at_the_start_by_its_name(given: dict[str, str]):
    with pytest.raises(ConfigError, match=f"^{next(iter(given))} ") as refused:
        settings({"SEALEDMOVE_MASTER": MASTER.hex(), **given})
    assert "cret" not in str(refused.value)
