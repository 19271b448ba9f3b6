"""A request that the real server holds no longer, or not at all: the client keeps to what it is told."""

import httpx
import pytest

from client.http import Api
from client.memory import Memory
from client.public_log import PublicLog
from tests.server.conftest import open_house
from tests.server.harness import HOST, Harness, sqlite_url

__all__ = ["open_house"]


@pytest.fixture
def reader_of(tmp_path, open_house):
    """A reader of a running game at a server that was opened with these settings; its pauses and its questions."""
    asked, pauses, clients = [], [], []

    def make(**chosen):
        hall: Harness = open_house(sqlite_url(tmp_path), **chosen)
        game = hall.game("bids", [hall.player(number) for number in range(2)])
        wire = httpx.WSGITransport(app=hall.app)
        http = httpx.Client(transport=wire, event_hooks={"request": [lambda one: asked.append(str(one.url.query))]})
        clients.append(http)
        api = Api(f"https://{HOST}", None, http, pauses.append)
        reader = PublicLog(api, game, Memory(tmp_path / game), hall.clock().timestamp, None, lambda *_: None, print)
        return reader, asked, pauses

    yield make
    for http in clients:
        http.close()


def test_without_a_place_it_looks_after_the_pause(reader_of):
    """Once, and not again and again."""
    reader, asked, pauses = reader_of(most_waiting=0)
    reader.fetch()
    asked.clear()
    assert reader.fetch(wait=10) == []
    assert pauses == [5.0]
    assert asked == ["b'after=3&wait=10'", "b'after=3&wait=0'"]


def test_it_waits_no_longer_than_the_server_holds_a_request(reader_of):
    """It is told how long that is, and remembers it."""
    reader, asked, pauses = reader_of(longest_wait=1)
    reader.fetch()
    asked.clear()
    for _ in range(2):
        assert reader.fetch(wait=10) == []
    assert asked == ["b'after=3&wait=10'", "b'after=3&wait=1'", "b'after=3&wait=1'"]
    assert pauses == []
