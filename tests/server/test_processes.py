"""Real web processes over one database: the laws among threads hold among processes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from tests.databases import BOTH
from tests.kit import installed
from tests.kit.patience import PATIENCE, until
from tests.server.harness import HOST, MASTER, Harness, Player
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
        **installed.ENV,
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
    send = lambda body: patient.post(f"{url}/v1/games/{game}/{act}", json=body)  # noqa: E731
    with ThreadPoolExecutor(len(bodies)) as pool:
        return list(pool.map(send, bodies))


@pytest.mark.parametrize("back_end", BOTH)
def test_processes_log_the_same_move_once_and_one_of_two_different_ones(back_end, tmp_path, request, open_house):
    postgres = back_end == "postgresql"
    url = request.getfixturevalue("postgres_url") if postgres else f"sqlite:///{tmp_path / 'sealedmove.db'}"
    hall: Harness = open_house(url)
    hall.clock.to_now()
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
    hall.clock.to_now()
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


def sent_at_once(url: str, requests: list[tuple[str, str, Any, dict[str, str]]]) -> list[httpx.Response]:
    """Requests of several clients: method, path, body and headers of each."""
    send = lambda one: httpx.request(  # noqa: E731
        one[0], f"{url}/v1{one[1]}", json=one[2], headers=one[3], timeout=PATIENCE
    )
    with ThreadPoolExecutor(len(requests)) as pool:
        return list(pool.map(send, requests))


def used(player: Player, name: str) -> int:
    [found] = [one for one in player.get("/me/limits").get_json() if one["name"] == name]
    return int(found["used"])


ROOM = 2  # that each limit leaves


@pytest.mark.slow
@pytest.mark.parametrize("back_end", BOTH)
def test_processes_together_keep_the_limits_of_an_account(back_end, tmp_path, request, open_house):
    """Eight requests at once where two have room: two are granted, and the limit is named in the other answers."""
    postgres = back_end == "postgresql"
    url = request.getfixturevalue("postgres_url") if postgres else f"sqlite:///{tmp_path / 'sealedmove.db'}"
    settings = {"most_open_tables": 12, "most_lobby_seats": 8, "most_seats": 40}
    hall: Harness = open_house(url, **settings)
    hall.clock.to_now()
    ada, hosts = hall.player(0), [hall.player(number) for number in (1, 2)]
    games = [host.post("/games", {"type": "bids", "seats": 2}).get_json()["id"] for host in hosts for _ in range(6)]
    ada.seat = 0
    joins = [{"jws": ada.sign(ada.payload(game, "join", nonce=ada.nonce, **ada.holder()))} for game in games]
    asks = {
        "tokens": lambda _: ("POST", "/me/tokens", {"name": "a program", "scopes": ["read"]}),
        "hooks": lambda _: ("POST", "/me/hooks", {"url": "https://bot.example/hook", "name": "a hook"}),
        "open_tables": lambda _: ("POST", "/games", {"type": "bids", "seats": 2}),
        "lobby_seats": lambda number: ("POST", f"/games/{games[number]}/join", joins[number]),
    }
    with gunicorn(url, **{name.upper(): str(number) for name, number in settings.items()}) as web:
        for name, ask in asks.items():
            [most] = [one["most"] for one in ada.get("/me/limits").get_json() if one["name"] == name]
            begun = used(ada, name)
            for number in range(begun, most - ROOM):
                method, path, body = ask(number)
                assert getattr(hall.client, method.lower())(f"/v1{path}", json=body, headers=ada.auth).status_code < 300
            answers = sent_at_once(web, [(*ask(most - ROOM + number), ada.auth) for number in range(8)])
            granted = [answer for answer in answers if answer.is_success]
            refused = [answer.json() for answer in answers if not answer.is_success]
            assert (len(granted), len(refused)) == (ROOM, 8 - ROOM), (name, [answer.text for answer in answers])
            assert {(one["code"], one["facts"]["limit"]) for one in refused} == {("too-many", name)}
            assert used(ada, name) == most


# What each worker would import for itself, after gunicorn has loaded what all share and forked it.
AFTER_THE_FORK = """
import sys
from server.operate import gunicorn
gunicorn._load()
shared = set(sys.modules)
from server.http.app import create_app
from server.kernel.config import Settings
create_app(Settings(master=bytes(32), database_url=sys.argv[1], public_url="http://127.0.0.1:8000"))
print(*sorted(name for name in set(sys.modules) - shared if name.partition(".")[0] in ("engine", "server")))
"""


@pytest.mark.slow
def test_workers_share_all_modules_of_the_server(tmp_path):
    """They are imported once, before the workers are forked: each would take a third of a second and 20 MB for them."""
    words = [sys.executable, "-c", AFTER_THE_FORK, f"sqlite:///{tmp_path / 'sealedmove.db'}"]
    done = subprocess.run(words, env=os.environ | installed.ENV, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
