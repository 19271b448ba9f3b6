"""An outage: without its database the server answers 503 with a delay everywhere; without Redis it goes on."""

from __future__ import annotations

import json
import socketserver
import threading
from pathlib import Path

import pytest

from server.http.app import create_app
from server.kernel.db import migrate
from server.kernel.services import open_services
from server.operate import facts
from tests.server.harness import Client, Harness, Player, address, settings, sqlite_url
from tests.servers import free, postgres
from tests.servers import redis as redis_server

COMMITTED = json.loads(Path("openapi/openapi.json").read_text())
PAGES = ("/", "/games/{game}", "/games/{game}/picture.svg", "/readyz")


@pytest.fixture
def away(tmp_path: Path, open_house) -> tuple[Harness, Player, str]:
    """A server whose PostgreSQL has stopped."""
    with postgres.running() as url:
        hall = open_house(url)
        player = hall.player(0)
        game = player.post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
        assert hall.client.get("/readyz").status_code == 200
    return hall, player, game


def has_to_wait(answer) -> bool:
    return answer.status_code == 503 and int(answer.headers["Retry-After"]) > 0


@pytest.mark.slow
def test_without_its_database_every_address_that_needs_it_is_503(away):
    """Operations, pages and the readiness; the rest works, and nothing is reported as a fault of the program."""
    hall, player, game = away
    constant = ("/v1/types", "/v1/clocks")  # and what follows them
    reads = [path for path, item in COMMITTED["paths"].items() if "get" in item and not path.startswith(constant)]
    for path in reads:
        answer = hall.client.get(address(path, game), headers=player.auth)
        assert has_to_wait(answer), (path, answer.get_data())
        assert answer.get_json()["code"] == "unavailable"
    for path, body in (
        ("/v1/login", {"email": "a@example.org"}),
        ("/v1/games", {"type": "pig", "seats": 2}),
        ("/v1/me/keys/challenge", {}),
        (f"/v1/games/{game}/compare", {"note": "x"}),
    ):
        assert has_to_wait(hall.client.post(path, json=body, headers=player.auth)), path
    for path in PAGES:
        assert has_to_wait(hall.client.get(path.replace("{game}", game))), path
    for path in ("/healthz", "/login", "/v1/docs", "/v1/types"):
        assert hall.client.get(path).status_code == 200, path


@pytest.mark.slow
def test_the_answer_during_an_outage_does_not_name_the_database(away):
    """Neither its address nor the user; the operator's log has the kind of the error."""
    hall, _, game = away
    for answer in (hall.client.get(f"/v1/games/{game}"), hall.client.get("/"), hall.client.get("/readyz")):
        for secret in ("sealedmove@", "127.0.0.1", "psycopg", "sqlalche", "SELECT"):
            assert secret not in answer.get_data(as_text=True)


class Refusing(socketserver.StreamRequestHandler):
    """PostgreSQL in Russian, which accepts no password."""

    def handle(self) -> None:
        while self._asks_for_encryption():
            self.wfile.write(b"N")
        fields = ("SВАЖНО", "VFATAL", "C28P01", "Mпользователь не прошёл проверку подлинности", "")
        said = b"".join(field.encode() + b"\0" for field in fields)
        self.wfile.write(b"E" + (len(said) + 4).to_bytes(4, "big") + said)

    def _asks_for_encryption(self) -> bool:
        size = int.from_bytes(self.rfile.read(4), "big")
        return self.rfile.read(size - 4)[:2] == b"\x04\xd2"


@pytest.mark.parametrize(("is_there", "says"), [(True, "refuses the connection"), (False, "does not answer")])
def test_a_refusal_is_told_from_silence_in_any_language(is_there: bool, says: str):
    """PostgreSQL's words are in that of its `lc_messages`."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Refusing) as server:
        url = f"postgresql+psycopg://sealedmove:wrong@127.0.0.1:{server.server_address[1]}/sealedmove"
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        if not is_there:
            server.shutdown()
            server.server_close()
        services = open_services(settings(url))
        (found,) = facts.quick(services)
        server.shutdown()
    assert found.wrong == f"the database {says}"
    services.database.dispose()


def test_the_server_recovers_with_its_database(tmp_path: Path, open_house, caplog):
    """Without a restart; an act that was refused is now accepted, and the log has the reason."""
    url = sqlite_url(tmp_path)
    hall = open_house(url)
    players = [hall.player(number) for number in range(2)]
    game = hall.game("bids", players)
    body = players[0].signed_move(game, [{"do": "bid", "amount": 1}])
    hall.services.database.dispose()
    aside = tmp_path / "aside"
    aside.mkdir()
    for file in tmp_path.glob("sealedmove.db*"):
        file.rename(aside / file.name)
    (tmp_path / "sealedmove.db").mkdir()  # a file that cannot be opened, as of a disk that is away
    refused = hall.client.post(f"/v1/games/{game}/moves", json=body)
    assert has_to_wait(refused)
    (told,) = (one.msg for one in caplog.records if isinstance(one.msg, dict) and one.msg["event"] == "database-away")
    assert told["says"] == "unable to open database file"
    (tmp_path / "sealedmove.db").rmdir()
    for file in aside.iterdir():
        file.rename(tmp_path / file.name)
    assert hall.client.post(f"/v1/games/{game}/moves", json=body).status_code == 201


def test_another_file_in_the_place_of_the_database_takes_no_act(tmp_path: Path, open_house):
    """As after the file was removed and migrated anew: acts would go into two databases, as connections are opened."""
    hall = open_house(sqlite_url(tmp_path))
    players = [hall.player(number) for number in range(2)]
    game = hall.game("bids", players)
    body = players[0].signed_move(game, [{"do": "bid", "amount": 1}])
    file, aside = tmp_path / "sealedmove.db", tmp_path / "aside.db"
    file.rename(aside)
    file.touch()
    assert has_to_wait(hall.client.post(f"/v1/games/{game}/moves", json=body))
    assert "was replaced while the processes ran. Put the right file" in hall.client.get("/readyz").text
    assert file.stat().st_size == 0
    aside.rename(file)
    assert hall.client.get("/readyz").text == "ready\n"
    assert hall.client.post(f"/v1/games/{game}/moves", json=body).status_code == 201


@pytest.mark.parametrize("what", ["data", "data/sealedmove.db"])
def test_a_database_whose_file_is_not_in_its_place_takes_no_act(tmp_path: Path, open_house, what: str):
    """Open connections could still write to it, and nobody would find that again if the file was removed."""
    (tmp_path / "data").mkdir()
    hall = open_house(sqlite_url(tmp_path / "data"))
    players = [hall.player(number) for number in range(2)]
    game = hall.game("bids", players)
    body = players[0].signed_move(game, [{"do": "bid", "amount": 1}])
    (tmp_path / what).rename(tmp_path / "aside")
    assert has_to_wait(hall.client.post(f"/v1/games/{game}/moves", json=body))
    answer = hall.client.get("/readyz")
    assert has_to_wait(answer)
    assert answer.text.startswith("The file of the database is not in its place. Put it back")
    assert str(tmp_path) not in answer.text
    assert not (tmp_path / what).exists()
    (tmp_path / "aside").rename(tmp_path / what)
    assert hall.client.post(f"/v1/games/{game}/moves", json=body).status_code == 201


def test_no_connection_makes_an_empty_file_in_the_place_of_a_removed_one(tmp_path: Path, open_house):
    hall = open_house(sqlite_url(tmp_path))
    hall.player(0)
    (tmp_path / "sealedmove.db").unlink()
    for engine in (hall.services.database.reader, hall.services.database.writer):
        engine.dispose()  # of a pool with connections that are open, each new one is the same
    assert has_to_wait(hall.client.get("/readyz"))
    assert not (tmp_path / "sealedmove.db").exists()


@pytest.mark.slow
def test_without_redis_the_server_goes_on(tmp_path: Path, open_house, caplog):
    """Acts are logged, each process keeps its own limits, and one request notices it; mails are sent later."""
    folder = tmp_path / "redis"
    folder.mkdir()
    limits = {"limit_address": "500/hour", "limit_token": "500/hour", "limit_login": "50/hour"}
    with redis_server.running(folder) as url:
        hall = open_house(sqlite_url(tmp_path), redis_url=url, **limits)
        players = [hall.player(number) for number in range(2)]
        game = hall.game("bids", players)
    assert players[0].move(game, [{"do": "bid", "amount": 1}]).status_code == 201
    assert hall.client.post("/v1/login", json={"email": "new@example.org"}).status_code == 202
    assert [hall.client.get(path).status_code for path in ("/", "/readyz", "/v1/games", f"/games/{game}")] == [200] * 4
    assert [one.msg["event"] for one in caplog.records if isinstance(one.msg, dict)].count("redis-away") == 1
    assert "X-RateLimit-Remaining" in hall.client.get("/v1/games").headers


def test_a_server_starts_without_redis(tmp_path: Path):
    [port] = free.ports(1)
    services = open_services(
        settings(sqlite_url(tmp_path), redis_url=f"redis://127.0.0.1:{port}/0", limit_address="9/hour")
    )
    migrate.migrate(services.database)
    client = Client(create_app(services=services))
    assert [client.get("/v1/games").status_code for _ in range(3)] == [200] * 3
    services.database.dispose()
