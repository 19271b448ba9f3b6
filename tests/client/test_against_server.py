"""The client against the real server, in one process: its app, its store, its clock."""

import httpx
import pytest

from client import keys, session
from client.game import Player
from client.http import Api, ApiError
from client.memory import Memory
from tests.server.conftest import hall, open_house
from tests.server.house import HOST

__all__ = ["hall", "open_house"]


class Wire(httpx.BaseTransport):
    """The way to the app. Loses the next `lost` answers after the app has given them."""

    def __init__(self, app):
        self.app, self.lost, self.statuses = httpx.WSGITransport(app=app), 0, []

    def handle_request(self, request):
        answer = self.app.handle_request(request)
        answer.read()
        self.statuses.append(answer.status_code)
        if self.lost and request.method == "POST":
            self.lost -= 1
            raise httpx.ReadTimeout("lost")
        return answer


@pytest.fixture
def wire(hall):
    return Wire(hall.app)


@pytest.fixture
def sign_in(hall, wire):
    """Signs somebody in by the link in his mail and registers his key."""
    http, waits = httpx.Client(transport=wire), []

    def signed_in(name):
        api = Api(f"https://{HOST}", None, http, waits.append)
        session.ask(api, f"{name}@example.org", name)
        one = session.confirm(api, hall.link(f"{name}@example.org"))
        session.register_key(one, keys.Key(name.encode().ljust(32)))
        return one

    yield signed_in
    http.close()


@pytest.fixture
def seat(hall, tmp_path):
    """A player of a session at a game, with the server's clock."""

    def seated(who, game, key=None, folder=""):
        key = key or keys.Key(who.name.encode().ljust(32))
        memory = Memory(tmp_path / f"{who.name}{folder}")
        return Player(who.api, game, key, memory, clock=lambda: hall.clock().timestamp())

    return seated


@pytest.fixture
def table(sign_in, seat):
    """A started game and its players."""

    def started(key, names):
        people = [sign_in(name) for name in names]
        game = session.create_game(people[0], key, len(names), clock={"move": 3600, "grace": 60})
        players = [seat(who, game) for who in people]
        for player in players:
            player.join()
        return people, players

    return started


@pytest.mark.parametrize("key", ["pig", "bids"])
def test_a_whole_game(table, key):
    """By turns lists, legal commands, checked views and openings, to the same log for all."""
    people, players = table(key, ["ada", "ben", "cy"])
    for _ in range(300):
        owing = [n for n, who in enumerate(people) if session.turns(who)]
        if not owing:
            break
        player = players[owing[-1]]
        assert player.wait()
        player.move([player.legal()[-1]["command"]])
        player.openings()
    for player in players:
        assert player.wait(0) is False
        player.openings()
    assert len({player.table.head for player in players}) == 1
    assert players[0].table.stage == "finished"


def test_a_lost_answer(table, wire):
    """The move is logged once; the second try is answered 200 with the same entry."""
    _, players = table("pig", ["ada", "ben"])
    wire.lost = 1
    entry = players[0].move([{"do": "roll"}])
    assert wire.statuses[-2:] == [201, 200]
    assert entry.seq == players[0].table.size - 1


def test_two_answers_at_once(table):
    """Both bid upon one head: the second is told that its answer still means the same, and signs it again."""
    _, players = table("bids", ["ada", "ben"])
    for player in players:
        player.sync()
    players[1].move([{"do": "bid", "amount": 2}])
    players[0].sync = lambda wait=0: []
    entry = players[0].move([{"do": "bid", "amount": 1}])
    assert entry.body["seat"] == 0
    assert entry.seq == 5


def test_a_second_machine(table, seat):
    """A key added to the seat moves from another folder; dropped, it moves no more."""
    people, players = table("pig", ["ada", "ben"])
    other = keys.Key(b"another machine of ada's".ljust(32))
    players[0].add_key(other.jwk)
    there = seat(people[0], players[0].game, other, "-there")
    there.sync()
    assert there.seat == 0
    there.move([{"do": "roll"}])
    players[0].drop_key(other.kid)
    with pytest.raises(ApiError) as caught:
        there.resign()
    assert caught.value.code == "dropped-key"


def test_a_preview_signs_nothing(table, wire):
    """What a move would do is shown up to the first draw, and the log stays as it is."""
    _, players = table("pig", ["ada", "ben"])
    players[0].sync()
    assert players[0].preview([{"do": "roll"}])["certain"] is False
    assert players[0].sync() == []


def test_tokens(sign_in):
    """A token for reading reads and does not play; revoked, it opens nothing."""
    ada = sign_in("ada")
    number, reading = session.make_token(ada, "a reader", ("read",))
    assert reading.get("/v1/me/turns").value == []
    with pytest.raises(ApiError) as caught:
        reading.post("/v1/games", {"type": "pig", "seats": 2})
    assert caught.value.status == 403
    session.revoke_token(ada, number)
    with pytest.raises(ApiError) as caught:
        reading.get("/v1/me/turns")
    assert caught.value.status == 401


def test_a_link_works_once(hall, sign_in):
    """The second use of a sign-in link is refused."""
    ada = sign_in("ada")
    with pytest.raises(ApiError) as caught:
        session.confirm(ada.api, hall.link("ada@example.org"))
    assert caught.value.code == "bad-link"
