"""A Redis that hangs: it costs one wait in a process, then everything goes on without it until it is back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from server.http.app import create_app
from server.kernel import breaker
from server.kernel.services import EVENTS, NOTE, open_services
from tests.kit.patience import PATIENCE, until
from tests.server.harness import Client, Harness, Player, settings, sqlite_url
from tests.server.lost import Lost
from tests.servers.redis import Pausable, pausable

pytestmark = pytest.mark.slow
LIMITS = {"limit_address": "500/hour", "limit_token": "500/hour", "limit_login": "2/hour"}
REDIS_AWAY = (
    "Redis does not answer. "
    "Check REDIS_URL and Redis; until then mails are late, and each process counts rate limits on its own."
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Pausable]:
    folder = tmp_path / "redis"
    folder.mkdir()
    with pausable(folder) as made:
        yield made


@pytest.fixture
def hall(tmp_path: Path, open_house, server: Pausable) -> Harness:
    """Its wakes are sent by the thread of the request, so that each wait counts."""
    return open_house(sqlite_url(tmp_path), redis_url=server.url, **LIMITS)


@pytest.fixture
def two(hall: Harness) -> list[Player]:
    return [hall.player(number) for number in range(2)]


@pytest.fixture
def waits(monkeypatch) -> list[Exception]:
    """The waits of request threads for a Redis that did not answer."""
    found: list[Exception] = []
    opened = breaker.Breaker._open

    def noted(self, error: Exception) -> None:
        if error not in found:  # a handshake is a part of connecting
            found.append(error)
        opened(self, error)

    monkeypatch.setattr(breaker.Breaker, "_open", noted)
    return found


def bid(player: Player, game: str) -> int:
    return player.move(game, [{"do": "bid", "amount": 1}]).status_code


def is_back(hall: Harness) -> bool:
    return not hall.services.waker.pool.breaker.is_open


def back(hall: Harness, server: Pausable) -> None:
    server.go_on()
    until(lambda: is_back(hall), "the breaker stays open")


def test_a_redis_that_hangs_costs_one_wait(hall: Harness, server: Pausable, two: list[Player], waits: list[Exception]):
    """Moves, pages and sign-ins go on; only the first of them has waited."""
    game = hall.game("bids", two)
    server.hang()
    assert bid(two[0], game) == 201
    assert len(waits) == 1
    assert bid(two[1], game) == 201
    assert hall.client.post("/v1/login", json={"email": "new@example.org"}).status_code == 202
    assert [hall.client.get(path).status_code for path in ("/", "/v1/games", f"/games/{game}")] == [200] * 3
    assert len(waits) == 1
    back(hall, server)
    assert bid(two[0], hall.game("bids", two)) == 201
    assert len(waits) == 1


@pytest.mark.parametrize("is_gone", [False, True], ids=["hung", "stopped"])
def test_invitations_are_made_and_read_without_redis(hall: Harness, server: Pausable, two: list[Player], is_gone: bool):
    """Whether it hangs or has ended: each operation of the host and of the invited person answers as usual."""
    host, guest = two
    game = host.post("/games", {"type": "bids", "seats": 2}).get_json()["id"]
    handle = guest.get("/me").get_json()["handle"]
    if is_gone:
        server.process.terminate()
        server.process.wait(PATIENCE)
    else:
        server.hang()
    assert host.post(f"/games/{game}/invitations", {"to": handle, "seat": 1}).status_code == 202
    for player, path in ((guest, "/me/invitations"), (host, f"/games/{game}/invitations"), (guest, "/me/limits")):
        answer = player.get(path)
        assert answer.status_code == 200
        assert answer.get_json()


def test_a_wait_is_a_second_at_most(hall: Harness, server: Pausable):
    """By the sockets' own limit, for each kind of connection; nothing is tried twice."""
    options = hall.services.waker.pool.connection_kwargs
    assert (options["socket_timeout"], options["socket_connect_timeout"]) == (1.0, 1.0)
    assert options["retry"].get_retries() == 0


def test_many_requests_wait_for_the_same_second(hall: Harness, server: Pausable, waits: list[Exception]):
    """Only requests on their way when it begins to hang wait; later ones do not."""
    server.hang()
    threads = [threading.Thread(target=hall.services.waker.wake, args=([number],)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert 1 <= len(waits) <= 8
    before = len(waits)
    hall.services.waker.wake([9])
    assert len(waits) == before


def test_the_readiness_names_what_is_degraded(hall: Harness, server: Pausable):
    """Still ready: no proxy should take the server out."""
    assert hall.client.get("/readyz").get_data(as_text=True) == "ready\n"
    server.hang()
    answer = hall.client.get("/readyz")
    assert (answer.status_code, answer.get_data(as_text=True)) == (200, f"ready\ndegraded: {REDIS_AWAY}\n")
    back(hall, server)
    assert hall.client.get("/readyz").get_data(as_text=True) == "ready\n"


def test_a_full_redis_degrades_the_readiness_too(hall: Harness, server: Pausable):
    """It answers, and takes no job and no checkpoint; moves are accepted all the same."""
    with redis.Redis.from_url(server.url) as client:
        client.config_set("maxmemory", 1)
        assert "degraded: Redis takes nothing more: " in hall.client.get("/readyz").get_data(as_text=True)
        client.config_set("maxmemory", 0)
    assert hall.client.get("/readyz").get_data(as_text=True) == "ready\n"


def test_limits_hold_in_each_process_meanwhile(hall: Harness, server: Pausable):
    """Counted anew, in memory."""
    server.hang()
    codes = [hall.client.post("/v1/login", json={"email": f"{n}@example.org"}).status_code for n in range(3)]
    assert codes == [202, 202, 429]


def test_notes_of_the_outage_are_kept_when_redis_is_back(hall: Harness, server: Pausable, two: list[Player]):
    """Of each game the newest, with the first wake."""
    game = hall.game("bids", two)
    server.hang()
    assert [bid(player, game) for player in two] == [201, 201]
    made = Lost(hall, two, game)
    back(hall, server)
    hall.services.waker.wake([], ["a1"])
    with redis.Redis.from_url(server.url, decode_responses=True) as store:
        assert store.hget(f"{NOTE}{game}", "size") == str(len(made.now()))


def test_a_game_whose_note_could_not_be_read_is_compared_later(
    hall: Harness, server: Pausable, two: list[Player], caplog
):
    """Its act is accepted and the operator told; the next act after the outage finds what its note says."""
    game = hall.game("bids", two)
    hall.services.known_sizes.clear()
    server.hang()
    assert bid(two[0], game) == 201
    told = [one.msg["event"] for one in caplog.records if isinstance(one.msg, dict)]
    assert (told.count("redis-away"), told.count("notes-unread")) == (1, 1)
    assert game not in hall.services.known_sizes
    back(hall, server)
    assert bid(two[1], game) == 201
    assert game in hall.services.known_sizes


def test_listeners_hear_of_news_again_when_redis_is_back(hall: Harness, server: Pausable):
    """A wake that came meanwhile is lost to them: they look every second anyway."""
    with redis.Redis.from_url(server.url) as client, client.pubsub() as listening:
        listening.subscribe(EVENTS)
        assert listening.get_message(timeout=PATIENCE)["type"] == "subscribe"
        server.hang()
        hall.services.waker.wake([], ["a1"])
        back(hall, server)
        hall.services.waker.wake([], ["a2"])
        until(lambda: (listening.get_message(timeout=PATIENCE) or {}).get("data") == b"a2", "nothing is heard")


def test_a_process_that_starts_while_redis_hangs_waits_once(tmp_path: Path, server: Pausable, open_house, waits):
    """All its games are compared with their notes later."""
    open_house(sqlite_url(tmp_path), redis_url=server.url)  # a migrated database
    server.hang()
    services = open_services(settings(sqlite_url(tmp_path), redis_url=server.url, limit_address="9/hour"))
    client = Client(create_app(services=services))
    assert [client.get("/v1/games").status_code for _ in range(3)] == [200] * 3
    assert len(waits) == 1
    services.waker.close()
    services.database.dispose()
