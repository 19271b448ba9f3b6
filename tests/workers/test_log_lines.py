"""The lines that the processes log: one JSON format for all, and nothing about each job."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import psutil

from client.commands import players
from tests.kit.patience import until
from tests.servers import free
from tests.workers.processes import CLOCK, WORKER, Crew

WEB = ["--config", "python:server.operate.gunicorn", "server.http.app:create_app()"]
ALWAYS = {"event", "level", "logger", "timestamp"}
STARTED = ("worker-started", "clock-started", "hooks-started", "events-started", "inbound-started")


def lines_of(path: Path) -> list[dict[str, object]]:
    """Every line; one that is not JSON fails here."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _unsent(house, crew) -> str:
    """The rows that are left, and the last lines of the log."""
    rows = [(row.kind, row.state, row.attempts, row.next_at, row.reason) for row in house.rows()]
    return "\n".join(["the mails are not sent", str(rows), *crew.log.read_text().splitlines()[-40:]])


def test_all_processes_log_in_one_format_and_a_job_logs_no_line(house, redis_url, tmp_path):
    """Also gunicorn's own lines, as when one of its workers is killed."""
    web, inbound = free.ports(2)
    crew = Crew(
        house,
        tmp_path / "log",
        REDIS_URL=redis_url,
        PORT=str(web),
        WEB_WORKERS="1",
        LOG_LEVEL="INFO",
        EVENTS_SOCKET=str(tmp_path / "events" / "s"),
        REPLY_ADDRESS="move+{token}@localhost",
        INBOUND_LISTEN=f"smtp://127.0.0.1:{inbound}",
    )
    try:
        crew.start("web", WEB, module="gunicorn")
        for name, words in {"worker": WORKER, "clock": CLOCK}.items():
            crew.start(name, words)
        for name in ("hooks", "events", "inbound"):
            crew.start(name, [name])
        until(lambda: all(said in crew.log.read_text() for said in STARTED), "not all processes have started")
        house.game()
        until(lambda: house.rows() and {row.state for row in house.rows()} == {"sent"}, lambda: _unsent(house, crew))
        until(lambda: psutil.Process(crew.running["web"].pid).children(), "the web server has no worker")
        for child in psutil.Process(crew.running["web"].pid).children():
            child.send_signal(signal.SIGKILL)
        until(lambda: "SIGKILL" in crew.log.read_text(), "gunicorn logs no killed worker")
    finally:
        crew.stop()
    lines = lines_of(crew.log)
    assert not [line for line in lines if not line.keys() >= ALWAYS]
    assert not [line for line in lines if str(line["logger"]).startswith("rq")]
    assert [line["level"] for line in lines if line["logger"] == "gunicorn.error" and "SIGKILL" in str(line["event"])]


def test_a_warning_of_a_library_is_logged_in_the_same_format():
    """As when two lanes are the first to use a statement: SQLAlchemy warns that it compiles it twice."""
    code = "import warnings; from server.kernel import logs; logs.configure('INFO'); warnings.warn('compiled twice')"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr
    [line] = map(json.loads, said.splitlines())
    assert line.keys() >= ALWAYS
    assert (line["level"], "compiled twice" in line["event"]) == ("warning", True)


def test_requests_of_house_players_are_not_logged():
    """In `sealedmove house` they inherit the supervisor's log; httpx would write a line for each request."""
    code = (
        "import httpx; from server.kernel import logs; logs.configure('INFO');"
        "httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(200))).get('http://games.example/v1/me/turns')"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr == ""


def test_house_players_log_in_the_same_format(capsys):
    """Trouble at the level of a warning."""
    players.log_event("players-started", folder="players")
    players.log_event("trouble", says="fair: late")
    started, trouble = map(json.loads, capsys.readouterr().out.splitlines())
    assert started.keys() >= ALWAYS
    assert (started["level"], trouble["level"]) == ("info", "warning")
