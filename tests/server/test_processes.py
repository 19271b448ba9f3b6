"""Real web processes over one database: the laws among threads hold among processes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
import pytest

from tests.databases import BOTH
from tests.kit.patience import PATIENCE, until
from tests.server.harness import HOST, MASTER, Harness
from tests.servers import free, patient


@contextmanager
def gunicorn(database_url: str, **more: str) -> Iterator[str]:
    """The web server as the Procfile starts it: two processes."""
    [port] = free.ports(1)
    environment = {
        **os.environ,
        "SEALEDMOVE_MASTER": MASTER.hex(),
        "DATABASE_URL": database_url,
        "PUBLIC_URL": f"https://{HOST}",
        "HOSTS": f"127.0.0.1:{port}",
        "PORT": str(port),
        "WEB_WORKERS": "2",
        "GAME_PACKAGES": "tests.kit.games",
        "LOG_LEVEL": "ERROR",
        **more,
    }
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "--config",
        "python:server.operate.gunicorn",
        "server.http.app:create_app()",
    ]
    with subprocess.Popen(command, env=environment) as server:
        try:
            yield _answering(f"http://127.0.0.1:{port}")
        finally:
            server.terminate()


def _answering(url: str) -> str:
    until(lambda: _is_ready(url), "the web server does not answer")
    return url


def _is_ready(url: str) -> bool:
    try:
        return patient.get(f"{url}/readyz").is_success
    except httpx.HTTPError:
        return False


def at_once(url: str, game: str, bodies: list[dict[str, str]], act: str = "moves") -> list[httpx.Response]:
    send = lambda body: httpx.post(f"{url}/v1/games/{game}/{act}", json=body, timeout=PATIENCE)  # noqa: E731
    with ThreadPoolExecutor(len(bodies)) as pool:
        return list(pool.map(send, bodies))


@pytest.mark.parametrize("back_end", BOTH)
def test_processes_log_the_same_move_once_and_one_of_two_different_ones(back_end, tmp_path, request, open_house):
    postgres = back_end == "postgresql"
    url = request.getfixturevalue("postgres_url") if postgres else f"sqlite:///{tmp_path / 'sealedmove.db'}"
    hall: Harness = open_house(url)
    players = [hall.player(number) for number in range(2)]
    game = hall.game("bids", players)
    [numbered] = free.ports(1)
    with gunicorn(url, METRICS_LISTEN=f"web=127.0.0.1:{numbered}") as web:
        same = at_once(web, game, [players[0].signed_move(game, [{"do": "bid", "amount": 1}])] * 8)
        assert sorted(answer.status_code for answer in same) == [200] * 7 + [201]
        assert len({answer.content for answer in same}) == 1
        bodies = [players[1].signed_move(game, [{"do": "bid", "amount": amount}]) for amount in range(6)]
        other = at_once(web, game, bodies)
        assert sorted(answer.status_code for answer in other) == [201] + [409] * 5
        stale = next(answer.json() for answer in other if answer.status_code == 409)
        assert (stale["code"], len(stale["entries"])) == ("stale-head", 1)
        told = {patient.get(f"http://127.0.0.1:{numbered}/metrics").text for _ in range(8)}
        assert all('sealedmove_entries_total{kind="moved"} 2.0' in text for text in told)  # whichever process answers
        for name in (
            "outbox_waiting",
            'database_connections{pool="write"}',
            "build_info{",
            'disk_free_ratio{folder="data"}',
        ):
            assert all(f"sealedmove_{name}" in text for text in told)
        assert patient.get(f"{web}/metrics").status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("back_end", BOTH)
def test_processes_give_a_seat_to_one_of_many_takers(back_end, tmp_path, request, open_house):
    """Four accounts, twice each: one take is logged and sent twice, and the old holder's keys no longer sign."""
    postgres = back_end == "postgresql"
    url = request.getfixturevalue("postgres_url") if postgres else f"sqlite:///{tmp_path / 'sealedmove.db'}"
    hall: Harness = open_house(url)
    players = [hall.player(number) for number in range(6)]
    game = hall.game("bids", players[:2])
    players[1].offer(game)
    payloads = [player.payload(game, "take", seat=1, **player.holder()) for player in players[2:]]
    takes = [{"jws": player.sign(payload)} for player, payload in zip(players[2:], payloads, strict=True)]
    with gunicorn(url) as web:
        answers = at_once(web, game, takes * 2, "take")
        assert sorted(answer.status_code for answer in answers) == [200, 201] + [409] * 6
        won = next(answer.json() for answer in answers if answer.status_code == 201)
        assert [answer.json() for answer in answers if answer.status_code == 200] == [won]
        log = patient.get(f"{web}/v1/games/{game}/log").json()["entries"]
        assert log[-1] == won["entry"]
        late = at_once(web, game, [players[1].signed_move(game, [{"do": "bid", "amount": 1}])] * 2)
        assert {answer.json()["code"] for answer in late} == {"dropped-key"}
