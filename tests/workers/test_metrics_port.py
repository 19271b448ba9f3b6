"""Each process serves its metrics at its own address in METRICS_LISTEN, `players` at PLAYERS_METRICS_PORT."""

from __future__ import annotations

import socket
import subprocess
import sys

import httpx
import pytest

from server.kernel.config import ConfigError, settings
from server.operate import metrics_port
from tests.kit.patience import until
from tests.server.harness import MASTER
from tests.servers import free, patient
from tests.workers.processes import CLOCK, WORKER, Crew

WEB = ["--config", "python:server.operate.gunicorn", "server.http.app:create_app()"]
WORDS = {
    "worker": WORKER,
    "clock": CLOCK,
    "hooks": ["hooks"],
    "events": ["events"],
    "inbound": ["inbound"],
    "doctor": ["doctor", "--watch"],
    "players": ["players"],
}
OWN = {
    "worker": "process_cpu_seconds_total",
    "clock": "sealedmove_clock_round_timestamp_seconds 1",
    "hooks": "sealedmove_hook_waiting",
    "events": "sealedmove_streams_open",
    "inbound": "sealedmove_inbound_mails_total",
    "doctor": 'sealedmove_check_failed{check="relay"}',
    "players": "sealedmove_player_accounts 0",
}


def chosen(listen: str):
    return settings({"SEALEDMOVE_MASTER": MASTER.hex(), "METRICS_LISTEN": listen})


def test_every_process_serves_its_own_metrics(house, redis_url, tmp_path):
    ports = dict(zip(WORDS, free.ports(len(WORDS)), strict=True))
    [inbound] = free.ports(1)
    crew = Crew(
        house,
        tmp_path / "log",
        REDIS_URL=redis_url,
        METRICS_LISTEN=",".join(f"{name}=127.0.0.1:{port}" for name, port in ports.items() if name != "players"),
        PLAYERS_METRICS_PORT=str(ports["players"]),
        PLAYERS_DIR=str(tmp_path / "players"),
        EVENTS_SOCKET=str(tmp_path / "events" / "s"),
        REPLY_ADDRESS="move+{token}@localhost",
        INBOUND_LISTEN=f"smtp://127.0.0.1:{inbound}",
    )
    try:
        for name, words in WORDS.items():
            crew.start(name, words)
        for name, port in ports.items():
            until(lambda at=port, said=OWN[name]: said in numbers(at), f"{name} does not serve its metrics")
            assert "sealedmove_build_info{" in numbers(port)
    finally:
        crew.stop()


def numbers(port: int) -> str:
    try:
        return patient.get(f"http://127.0.0.1:{port}/metrics").text
    except httpx.HTTPError:
        return ""


def test_a_process_that_is_not_named_serves_no_metrics():
    assert metrics_port.listening(chosen("web=127.0.0.1:9100"), "worker") is None
    assert metrics_port.listening(chosen(""), "web") is None


def test_a_process_whose_port_is_taken_does_not_start():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(SystemExit, match=f"METRICS_LISTEN: clock cannot listen on 127.0.0.1, port {port}: Address"):
            metrics_port.start(chosen(f"clock=127.0.0.1:{port}"), "clock")


@pytest.mark.slow
def test_a_web_server_whose_metrics_port_is_taken_refuses_in_one_sentence_and_leaves_nothing(house, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        given = {"METRICS_LISTEN": f"web=127.0.0.1:{port}", "PORT": "0", "TMPDIR": str(tmp_path), "LOG_LEVEL": "ERROR"}
        env = Crew(house, tmp_path / "log", **given).environment
        done = subprocess.run(
            [sys.executable, "-m", "gunicorn", *WEB], env=env, capture_output=True, text=True, check=False
        )
    says = f"METRICS_LISTEN: web cannot listen on 127.0.0.1, port {port}: Address already in use\n"
    assert (done.returncode, done.stderr, list(tmp_path.glob("sealedmove-metrics-*"))) == (1, says, [])


def test_addresses_are_read_by_process():
    found = chosen("web=127.0.0.1:9100, clock=[::1]:9102").metrics_listen
    assert dict(found) == {"web": ("127.0.0.1", 9100), "clock": ("::1", 9102)}


@pytest.mark.parametrize("listen", ["9100", "127.0.0.1:9100", "web=9100", "players=127.0.0.1:9100", "web=::1:70000"])
def test_an_address_without_a_process_is_refused(listen):
    with pytest.raises(ConfigError, match="each part must be PROCESS=HOST:PORT"):
        chosen(listen)
