"""The checks of the doctor: from facts to what is wrong and what to do; `/readyz` and metrics show the same."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from engine.errors import EngineFault
from server.kernel import quarantine
from server.kernel.config import Settings
from server.kernel.db.models import Game
from server.kernel.services import utc_now
from server.log.ledger import stop_game
from server.operate import checks, facts
from server.operate.checks import Finding
from tests.server.harness import MASTER, Harness, sqlite_url
from tests.server.metrics import of_rows

WELL = Settings(
    master=MASTER,
    database_url="sqlite://",
    public_url="https://play.example",
    redis_url="redis://127.0.0.1:1/0",
    mail_from="Sealed Move <games@play.example>",
    proxies=1,
    contact="you@play.example",
)
SPF = "v=spf1 include:relay.example -all"
KEY = "v=DKIM1; k=rsa; p=AAAA"


def wrong(found: list[Finding]) -> list[str]:
    return sorted(one.check for one in found if one.wrong)


# --- pure -------------------------------------------------------------------------------------------------------------


def test_wise_settings_hold():
    """Those of a real deployment, and those of one machine."""
    alone = replace(WELL, public_url="http://127.0.0.1:8000", mail_from="games@localhost", contact=None, proxies=0)
    assert checks.settings(WELL) == checks.settings(alone) == [Finding("settings")]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"public_url": "http://play.example"}, "PUBLIC_URL is plain HTTP"),
        ({"proxies": 0}, "PROXIES is 0"),
        ({"mail_from": "Games <games@localhost>"}, "MAIL_FROM is an address at localhost"),
        ({"contact": None}, "SEALEDMOVE_CONTACT is not set"),
        ({"redis_url": None}, "REDIS_URL is not set"),
        ({"reply_address": "move+{token}@play.example"}, "no mail can come in"),
        ({"bounce_address": "b+{token}@play.example"}, "no bounce is noticed"),
        ({"bounce_address": "b+{token}@play.example", "inbound_listen": ("lmtp://[::1]:24",)}, "no bounce is noticed"),
    ],
)
def test_an_unwise_setting_is_named_with_what_to_do(changed: dict[str, Any], says: str):
    (found,) = checks.settings(replace(WELL, **changed))
    assert says in found.wrong
    assert found.do


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (checks.database("file is not a database"), "does not answer"),
        (checks.refused_connection("FATAL: no"), "refuses the connection"),
        (checks.replaced("another file"), "was replaced"),
        (checks.file_lost("no such file"), "not in its place"),
        (checks.denied("permission denied for table game"), "refuses the role"),
        (checks.writes(reads_only=True), "accepts only reads"),
        (checks.schema("The database has no tables yet"), "no tables"),
        (checks.migrations("0005", "0006"), "schema 0005, and this version brings 0006"),
        (checks.master("SEALEDMOVE_MASTER is not the master"), "is not the master"),
        (checks.rights("runs", ["entry"], {}, owns=False), "runs may change entry"),
        (checks.rights("runs", [], {"operator_log": ["INSERT"]}, owns=False), "lacks rights: INSERT on operator_log"),
        (checks.rights("owner", ["entry"], {"game": ["UPDATE"]}, owns=True), "owner lacks rights: UPDATE on game"),
        (checks.redis("Redis does not answer."), "does not answer"),
        (checks.redis_settings("allkeys-lru", "yes"), "maxmemory-policy allkeys-lru"),
        (checks.redis_settings("noeviction", "no"), "appendonly no"),
        (checks.skew({"Redis": 2.0, "the database": -61.0}), "the database by -61 seconds"),
        (checks.disk((1 << 30) - 1, "/var"), "1023 MiB"),
        (checks.certificate("certificate has expired"), "does not have a trusted certificate"),
        (checks.certificate(None, 14 * checks.DAY - 1), "expires in 13 days"),
        (
            checks.versions({"Python": (3, 11, 0), "SQLite": (3, 34, 1)}),
            "SQLite is 3.34.1, and this version",
        ),
        (checks.fonts(is_drawn=False), "no words"),
        (checks.audits(2), "2 games failed"),
        (checks.games({"a": "the game in `a` cannot be loaded"}, {})[0], "the game in `a` cannot be loaded"),
        (checks.stopped(1), "1 game stopped"),
        (checks.quarantine(3), "3 items"),
        (checks.outbox(301), "301 seconds ago"),
        (checks.lag(301), "301 seconds ago"),
        (checks.relay("Connection refused", "127.0.0.1, port 25"), "does not accept mail"),
    ],
)
def test_a_finding_is_a_sentence_with_the_value_found(found: Finding, says: str):
    assert says in found.wrong


@pytest.mark.parametrize(
    "found",
    [
        checks.database(None),
        checks.writes(reads_only=False),
        checks.schema(None),
        checks.migrations("0005", "0005"),
        checks.master(None),
        checks.rights("runs", [], {}, owns=False),
        checks.redis(None),
        checks.redis_settings("noeviction", "yes"),
        checks.redis_settings(None, None),
        checks.skew({"Redis": 5.0}),
        checks.disk(1 << 30, "/var"),
        checks.certificate(None, 14 * checks.DAY),
        checks.versions({"Python": (3, 11), "PostgreSQL": (14, 0), "Redis": (6, 2, 0)}),
        checks.fonts(is_drawn=True),
        checks.audits(0),
        *checks.games({}, {}),
        *checks.rules({}),
        checks.stopped(0),
        checks.quarantine(0),
        checks.outbox(300),
        checks.lag(300),
        checks.relay(None, "127.0.0.1, port 25"),
        checks.spf("a.example", [SPF, "google-site-verification=x"]),
        checks.spf("a.example", ["V=SPF1 redirect=b.example"]),
        checks.dmarc("a.example", ["v=DMARC1; p=reject; rua=mailto:x@a.example"]),
        checks.dkim("x._domainkey.a.example", ["v=DKIM1; p=AA AA; k=rsa"], KEY),
        checks.mx("a.example", ["mx1.a.example.", "mx2.a.example."]),
    ],
    ids=lambda found: found.check,
)
def test_a_check_of_good_facts_finds_nothing_wrong(found: Finding):
    assert (found.wrong, found.do, found.detail) == ("", "", "")


def test_games_of_packages_are_listed_with_their_versions():
    (found,) = checks.games({}, {"pig": "sealedmove-test-games 1", "bids": "others 2.0"})
    assert (found.wrong, found.detail) == ("", "pig from sealedmove-test-games 1, bids from others 2.0")


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (checks.spf("a.example", []), "a.example has no SPF record"),
        (checks.spf("a.example", ["v=spf10 -all"]), "a.example has no SPF record"),
        (checks.spf("a.example", [SPF, SPF]), "has 2 SPF records"),
        (checks.spf("a.example", ["v=spf1 +all"]), "lets everybody send"),
        (checks.spf("a.example", None), "The DNS does not answer for a.example"),
        (checks.dmarc("a.example", ["v=DMARC1"]), "_dmarc.a.example has no DMARC record"),
        (checks.dmarc("a.example", ["v=DMARC1; p=none", "v=DMARC1;p=none"]), "has 2 DMARC records"),
        (checks.dkim("x._domainkey.a.example", [], KEY), "x._domainkey.a.example has no DKIM record"),
        (checks.dkim("x._domainkey.a.example", ["p=BBBB"], KEY), "has another key"),
        (checks.mx("a.example", ["."]), "a.example has no MX record"),
        (checks.mx("a.example", None), "The DNS does not answer for a.example"),
    ],
)
def test_a_record_that_mail_needs_is_missing_or_wrong(found: Finding, says: str):
    assert says in found.wrong
    assert found.do


# --- with the facts of a real server ----------------------------------------------------------------------------------


def test_a_server_on_either_database_is_examined(each_hall: Harness):
    """The role of the tests owns the tables of PostgreSQL, so it may change entries."""
    found = facts.thorough(replace(each_hall.services, now=utc_now))
    assert {*wrong(found)} - {"rights"} == {"settings"}
    assert ("rights" in wrong(found)) is not each_hall.services.database.is_sqlite
    assert {"schema", "master", "database", "audits", "redis", "disk", "rules", "time", "versions", "worker"} <= {
        one.check for one in found
    }


def test_stopped_games_and_the_quarantine_are_found(hall: Harness):
    game = hall.game("pig", [hall.player(number) for number in range(2)])
    stop_game(hall.services, game, EngineFault("planted"))
    assert quarantine.attempt(hall.services, quarantine.Loop("audits", Game.id), "a", lambda: 1 // 0) == []
    hall.clock.forward(minutes=6)
    assert {"stopped", "quarantine", "worker"} <= {*wrong(facts.thorough(hall.services))}


def test_without_its_database_only_that_is_found(tmp_path: Path, hall: Harness, open_house):
    """With the database's own message, which `/readyz` does not show."""
    (tmp_path / "x.db").write_bytes(b"no database" * 100)
    (found,) = facts.quick(replace(hall.services, database=type(hall.services.database)(f"sqlite:///{tmp_path}/x.db")))
    assert (found.check, found.is_critical, "file is not a database" in found.detail) == ("database", True, True)
    assert "file" not in found.sentence


def test_a_database_that_fails_after_the_quick_checks_is_found(hall: Harness):
    """With its own message; what was found before is kept."""
    with hall.services.database.write() as session:
        session.execute(sa.text("DROP TABLE quarantine"))
    found = facts.thorough(hall.services)
    (database,) = [one for one in found if one.check == "database"]
    assert "no such table: quarantine" in database.detail
    assert {"schema", "audits", "redis", "disk"} <= {one.check for one in found}


def test_a_server_under_another_name_than_its_games_is_found(hall: Harness):
    """Also if there is only a table that waits for players."""
    assert hall.player(0).post("/games", {"type": "pig", "seats": 2}).status_code == 201
    settings = replace(hall.services.settings, public_url="https://www.games.example")
    found = facts.thorough(replace(hall.services, settings=settings))
    says = f"but the games that wait or run on this server are of {hall.services.settings.server_name},"
    assert [one.check for one in found if says in one.wrong] == ["settings"]


def test_redis_is_asked_for_its_clock_and_its_settings(tmp_path: Path, open_house, redis_url: str):
    hall = open_house(sqlite_url(tmp_path), redis_url=redis_url)
    with_wall_clock = replace(hall.services, now=utc_now)
    assert "redis" not in wrong(facts.thorough(with_wall_clock))
    late = replace(hall.services, now=lambda: utc_now().replace(year=2020))
    assert "time" in wrong(facts.thorough(late))


def test_a_database_that_cannot_be_written_to_degrades_the_readiness(tmp_path, open_house, monkeypatch):
    """As on a disk that the system has mounted again for reading alone. Root may write to all other files."""
    hall = open_house(sqlite_url(tmp_path))
    monkeypatch.setattr(facts.os, "access", lambda path, mode: not (Path(path).suffix == ".db" and mode == os.W_OK))
    answer = hall.client.get("/readyz")
    assert (answer.status_code, "degraded: The file of the database cannot be written to." in answer.text) == (
        200,
        True,
    )


def test_a_full_disk_degrades_the_readiness_and_is_a_metric(hall: Harness, monkeypatch: pytest.MonkeyPatch):
    """It names no folder of the machine."""
    assert of_rows(hall.services)['sealedmove_check_failed{check="disk"}'] == 0
    monkeypatch.setattr(checks, "LEAST_FREE", 1 << 60)
    answer = hall.client.get("/readyz")
    assert (answer.status_code, "degraded: Only" in answer.get_data(as_text=True)) == (200, True)
    assert "/" not in answer.get_data(as_text=True)
    assert of_rows(hall.services)['sealedmove_check_failed{check="disk"}'] == 1


def test_a_wrong_schema_is_a_metric_while_nothing_else_can_be_counted(hall: Harness):
    with hall.services.database.write() as session:
        session.execute(sa.text("UPDATE alembic_version SET version_num = '0001'"))
    assert of_rows(hall.services)['sealedmove_check_failed{check="schema"}'] == 1
