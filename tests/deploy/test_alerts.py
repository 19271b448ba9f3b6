"""Each alert of deploy/alerts.yml fires under its fault and not before, from the metrics as they are served."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import yaml
from prometheus_client import CollectorRegistry, generate_latest

from engine.errors import EngineFault
from server.kernel import metrics
from server.kernel.db.models import Account, Game, InboundMail, ServerKey
from server.kernel.db.session import Database
from server.kernel.services import Waker
from server.log.ledger import stop_game
from server.operate import checks
from server.operate.process_metrics import ProcessCollector
from server.operate.row_metrics import Rows
from tests.deploy.prometheus import OVER_TIME, Sample, fires, grown, parse, read, scrape
from tests.docs.metrics import described
from tests.kit.patience import until
from tests.servers import free
from tests.workers.harness import Harness
from tests.workers.processes import CLOCK, Crew
from tests.workers.test_auditor import audit_all, finished, tamper
from tests.workers.test_deadlines import GRACE, MOVE
from workers import clock, dispatch, doctor, supervisor
from workers.mail.smtp import Smtp
from workers.sweeper import sweep

FILE = Path(__file__).parents[2] / "deploy/alerts.yml"
RULES = {rule["alert"]: rule for group in yaml.safe_load(FILE.read_text("utf-8"))["groups"] for rule in group["rules"]}
PROMTOOL, AMTOOL = shutil.which("promtool"), shutil.which("amtool")
NEEDS_PROMTOOL = pytest.mark.skipif(PROMTOOL is None, reason="no promtool (of Debian's package prometheus) here")


class Watched:
    """A server with everything that the alerts need, and what Prometheus reads from it."""

    def __init__(self, house: Harness, folder: Path, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.house, self.folder, self.patch = house, folder, monkeypatch
        self.free = 0.5
        settings = house.settings
        object.__setattr__(settings, "data_dir", folder)
        self.replace(waker=Waker(redis_url))
        usage = lambda _: shutil._ntuple_diskusage(1 << 40, 0, int(self.free * (1 << 40)))  # type: ignore[attr-defined]  # noqa: E731
        monkeypatch.setattr("server.operate.process_metrics.shutil.disk_usage", usage)
        self.registry, self.of_doctor, self.doctor = CollectorRegistry(), CollectorRegistry(), doctor.Results()
        self.doctor.found = [checks.certificate(None, self.now + 60 * checks.DAY, self.now)]
        self.of_doctor.register(self.doctor)
        counted = (clock.ROUND, supervisor.RESTARTS, metrics.REQUESTS)
        for collector in (Rows(house.services), ProcessCollector(settings), *counted):
            self.registry.register(collector)
        monkeypatch.setattr(clock.ROUND, "set_to_current_time", lambda: clock.ROUND.set(self.now))
        clock.round_of(house.ctx)
        self.before = self.samples()

    def replace(self, **parts: Any) -> None:
        for name, part in parts.items():
            object.__setattr__(self.house.services, name, part)

    @property
    def now(self) -> float:
        return self.house.time.timestamp()

    def samples(self) -> list[Sample]:
        """From the text, as the processes serve it."""
        up = Sample("up", {"job": "sealedmove", "instance": "127.0.0.1:9100"}, 1)
        served = map(generate_latest, (self.registry, self.of_doctor))
        return [up, *(one for text in served for one in read(text.decode()))]

    def firing(self) -> list[str]:
        samples = self.samples()
        return sorted(name for name, rule in RULES.items() if fires(rule["expr"], samples, self.now, self.before))


@pytest.fixture
def watched(house, tmp_path, redis_url, monkeypatch):
    made = Watched(house, tmp_path, redis_url, monkeypatch)
    yield made
    made.house.services.waker.close()


# --- The faults -------------------------------------------------------------------------------------------------------


def database_away(watched: Watched) -> None:
    [port] = free.ports(1)
    watched.house.services.database.dispose()
    watched.replace(database=Database(f"postgresql+psycopg://nobody@127.0.0.1:{port}/none"))


def database_read_only(watched: Watched) -> None:
    """As PostgreSQL says of itself; SQLite has no such state."""
    watched.patch.setattr("server.operate.facts.READS_ONLY", sa.text("SELECT 'on'"))
    watched.patch.setattr(watched.house.services.database, "is_sqlite", False)


def wrong_master(watched: Watched) -> None:
    """The database has games of another one."""
    with watched.house.services.database.write() as session:
        session.add(ServerKey(number=1, public=bytes(32)))


def wrong_schema(watched: Watched) -> None:
    with watched.house.services.database.write() as session:
        session.execute(sa.text("UPDATE alembic_version SET version_num = '0001'"))


def redis_away(watched: Watched) -> None:
    watched.house.services.waker.close()
    [port] = free.ports(1)
    watched.replace(waker=Waker(f"redis://127.0.0.1:{port}/0"))


def outbox_old(watched: Watched) -> None:
    watched.house.game()
    watched.house.pass_time(seconds=90)


def clock_late(watched: Watched) -> None:
    """The outbox is dispatched, the default move is not played."""
    watched.house.game()
    watched.house.pass_time(seconds=MOVE + GRACE + 90)
    watched.house.react()


def clock_stopped(watched: Watched) -> None:
    """It hangs in a round, while its process answers."""
    watched.house.pass_time(minutes=5)


def audit_failed(watched: Watched) -> None:
    tamper(watched.house, finished(watched.house))
    watched.house.react()
    audit_all(watched.house)


def game_stopped(watched: Watched) -> None:
    stop_game(watched.house.services, watched.house.game(), EngineFault("planted"))


def rules_missing(watched: Watched) -> None:
    game = watched.house.game()
    with watched.house.services.database.write() as session:
        session.execute(sa.update(Game).where(Game.id == game).values(rules=99))


def items_quarantined(watched: Watched) -> None:
    watched.house.game()
    watched.house.pass_time(seconds=5)
    with watched.patch.context() as patch:
        patch.setattr(dispatch, "plan", lambda *_: 1 // 0)
        sweep(watched.house.ctx)


def inbound_quarantined(watched: Watched, kind: str = "move") -> None:
    about = {"token": "t", "notification_id": 1, "via": "smtp", "relayed": False, "room": "answer", "kind": kind}
    now = watched.house.time
    with watched.house.services.database.write() as session:
        session.add(InboundMail(state="quarantined", next_at=now, received_at=now, **about))


def letter_waits(watched: Watched) -> None:
    inbound_quarantined(watched, "letter")


def mails_late(watched: Watched) -> None:
    """The relay takes none."""
    watched.house.sink.answer = "451 later"
    for _ in range(3):
        watched.house.game()
    watched.house.react()
    watched.house.pass_time(minutes=6)
    watched.house.deliver()


def house_players_late(watched: Watched) -> None:
    """Their process does not run."""
    watched.house.game()
    with watched.house.services.database.write() as session:
        session.execute(sa.update(Account).values(level="easy"))
    watched.house.react()
    watched.house.pass_time(minutes=11)


def process_restarts(watched: Watched) -> None:
    """`sealedmove house` hands the number to each process that it starts again."""
    supervisor.RESTARTS.inc(4)


def requests_fail(watched: Watched) -> None:
    for status, number in {"200": 90, "500": 4, "503": 6}.items():
        metrics.REQUESTS.labels("/", "GET", status).inc(number)


def disk_low(watched: Watched) -> None:
    watched.free = 0.09


def certificate_ends(watched: Watched) -> None:
    """The doctor sees it; no CERTIFICATE_FILE is set."""
    watched.doctor.found = [checks.certificate(None, watched.now + 13 * checks.DAY, watched.now)]


def check_failed(watched: Watched) -> None:
    """The relay refuses the connection, and no mail is late yet."""
    [port] = free.ports(1)
    ctx = replace(watched.house.ctx, smtp=Smtp.at(f"smtp://127.0.0.1:{port}"))
    watched.doctor.found = doctor.outside(ctx, lambda _: [], lambda _: [])


FAULTS: dict[str, Callable[[Watched], None]] = {
    "SealedMoveDatabaseAway": database_away,
    "SealedMoveDatabaseReadOnly": database_read_only,
    "SealedMoveWrongMaster": wrong_master,
    "SealedMoveWrongSchema": wrong_schema,
    "SealedMoveRedisAway": redis_away,
    "SealedMoveOutboxOld": outbox_old,
    "SealedMoveClockLate": clock_late,
    "SealedMoveClockStopped": clock_stopped,
    "SealedMoveAuditFailed": audit_failed,
    "SealedMoveGameStopped": game_stopped,
    "SealedMoveRulesMissing": rules_missing,
    "SealedMoveItemsQuarantined": items_quarantined,
    "SealedMoveInboundQuarantined": inbound_quarantined,
    "SealedMoveLetterWaits": letter_waits,
    "SealedMoveMailsLate": mails_late,
    "SealedMoveHousePlayersLate": house_players_late,
    "SealedMoveProcessRestarts": process_restarts,
    "SealedMoveRequestsFail": requests_fail,
    "SealedMoveDiskLow": disk_low,
    "SealedMoveCertificateEnds": certificate_ends,
    "SealedMoveCheckFailed": check_failed,
}
DEAD = "SealedMoveProcessDown"  # its test kills real processes


def test_every_alert_has_a_fault_that_makes_it_fire():
    assert {*FAULTS, DEAD} == RULES.keys()


@pytest.mark.parametrize("name", FAULTS)
def test_an_alert_fires_under_its_fault_and_no_other_does(name: str, watched: Watched):
    """But for the clock's, whose rounds stand still while the test lets time pass."""
    assert watched.firing() == []
    FAULTS[name](watched)
    if name != "SealedMoveClockStopped":
        clock.ROUND.set(watched.now)
    assert watched.firing() == [name]


@pytest.mark.slow
def test_the_alert_of_a_dead_process_fires_when_it_is_killed(house, redis_url, tmp_path):
    [port] = free.ports(1)
    crew = Crew(house, tmp_path / "log", REDIS_URL=redis_url, METRICS_LISTEN=f"clock=127.0.0.1:{port}")
    down = lambda: fires(RULES[DEAD]["expr"], scrape(port), 0)  # noqa: E731
    try:
        crew.start("clock", CLOCK)
        until(lambda: not down(), "the clock does not serve its metrics")
        crew.kill("clock")
        assert [one["instance"] for one in down()] == [f"127.0.0.1:{port}"]
    finally:
        crew.stop()


@pytest.mark.parametrize("name", RULES)
def test_an_alert_asks_for_metrics_and_labels_that_exist(name: str):
    one = parse(RULES[name]["expr"])
    known = {metric.name: {*metric.labels, "job"} for metric in described()} | {"up": {"job"}}
    assert one.labels.keys() <= known[one.name]


@pytest.mark.parametrize("name", RULES)
def test_an_alert_has_a_severity_and_says_what_is_wrong_and_what_to_do(name: str):
    rule = RULES[name]
    assert rule["labels"] in [{"severity": one} for one in ("critical", "warning", "info")]
    assert rule["annotations"].keys() == {"summary", "description"}


@pytest.mark.parametrize(
    "text",
    [
        "rate(sealedmove_forks_total[5m]) > 0",
        "sealedmove_mails_late > 1 or sealedmove_mails_late > 2",
        'sealedmove_mails{state!="failed"} > 1',
        "sealedmove_mails_late >= 1",
        "sealedmove_mails_late",
        "sum(sealedmove_mails) > 1",
    ],
)
def test_the_evaluator_of_these_tests_refuses_what_it_does_not_know(text: str):
    with pytest.raises(ValueError, match=r"another shape|something else"):
        parse(text)


# --- With Prometheus' own tool ----------------------------------------------------------------------------------------


@NEEDS_PROMTOOL
def test_prometheus_accepts_the_rules():
    promtool("check", "rules", FILE)


@NEEDS_PROMTOOL
def test_prometheus_accepts_its_settings():
    """Beside the rules, as the page says."""
    promtool("check", "config", FILE.with_name("prometheus.yml"))


@pytest.mark.skipif(AMTOOL is None, reason="no amtool (of Debian's package prometheus-alertmanager) here")
def test_alertmanager_accepts_its_settings():
    subprocess.run([str(AMTOOL), "check-config", FILE.with_name("alertmanager.yml")], check=True)


def test_prometheus_reads_the_alerts_under_the_name_of_the_job_that_they_expect():
    """Without its tool: it would say nothing, and no process would ever be missed."""
    settings = yaml.safe_load(FILE.with_name("prometheus.yml").read_text("utf-8"))
    assert settings["rule_files"] == [FILE.name]
    assert RULES[DEAD]["expr"] == f'up{{job="{settings["scrape_configs"][0]["job_name"]}"}} == 0'


@pytest.mark.slow
@NEEDS_PROMTOOL
@pytest.mark.parametrize("name", RULES)
def test_prometheus_fires_the_alert_for_the_metrics_of_the_fault(name: str, request, tmp_path):
    """For what the metrics are after the fault and stay for two hours, or grow by as much in each minute of them."""
    before: list[Sample] = []
    if name == DEAD:
        samples, now = [Sample("up", {"job": "sealedmove", "instance": "dead"}, 0)], 0.0
        samples += [Sample("up", {"job": "sealedmove", "instance": "alive"}, 1)]
    else:
        watched = request.getfixturevalue("watched")
        FAULTS[name](watched)
        samples, now, before = watched.samples(), watched.now, watched.before
    expected = [
        {"exp_labels": {**RULES[name]["labels"], **labels}, "exp_annotations": RULES[name]["annotations"]}
        for labels in fires(RULES[name]["expr"], samples, now, before)
    ]
    assert expected
    asked = parse(RULES[name]["expr"])
    given = grown(samples, before) if asked.shape in OVER_TIME else samples
    test = {
        "interval": "1m",
        "input_series": [series(one, now) for one in given if one.name == asked.name],
        "alert_rule_test": [{"eval_time": "2h", "alertname": name, "exp_alerts": expected}],
    }
    path = tmp_path / "test.yml"
    path.write_text(yaml.safe_dump({"rule_files": [str(FILE)], "evaluation_interval": "1m", "tests": [test]}))
    promtool("test", "rules", path)


def series(one: Sample, now: float) -> dict[str, str]:
    """Its value for two hours. There the time begins at 0, so moments are moved by as much, and by the two hours."""
    labels = ",".join(f"{label}={json.dumps(value)}" for label, value in one.labels.items())
    value = one.value - now + 7200 if one.name.endswith("_timestamp_seconds") else one.value
    from_zero = "0+" if one.name.endswith("_total") else ""
    return {"series": f"{one.name}{{{labels}}}", "values": f"{from_zero}{value:.6f}x120"}


def promtool(*words: object) -> None:
    done = subprocess.run([str(PROMTOOL), *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
