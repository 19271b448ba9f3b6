"""Without an answer, or after an invalid one, the client signs nothing else for the place without asking."""

import socket
import threading
from functools import partial

import httpx
import pytest

from client.errors import DistrustError, HeldUpError, UnsettledError
from client.http import TRIES, Api, ApiError, NoAnswerError
from tests.kit.patience import PATIENCE

from .dishonest import lose, refuse, say
from .fake_server import FakeServer, problem
from .people import BID, OTHER_BID, ROLL, At, distrusts, key_of, seated

# --- no answer --------------------------------------------------------------------------------------------------------

NONSENSE = {
    "the connection breaks": partial(lose, 2),
    "500": partial(say, 500, 2, json={"code": "internal-error"}),
    "503 with a problem document": partial(
        say, 503, 2, json={"code": "unavailable"}, headers={"Content-Type": "application/problem+json"}
    ),
    "429": partial(say, 429, 2, headers={"Retry-After": "7"}),
    "the page of a proxy": partial(say, 403, 2, html="<h1>Forbidden</h1>"),
    "JSON that is not a problem document": partial(say, 409, 2, json={"code": "stale-head", "unchanged": True}),
    "a problem document without a code": partial(
        say, 409, 2, json={"title": "No."}, headers={"Content-Type": "application/problem+json"}
    ),
    "a redirection": partial(say, 302, 2, headers={"Location": "https://elsewhere.example/"}),
    "a page to sign in": partial(say, 200, 2, html="<h1>Free WLAN</h1>"),
    "an empty answer": partial(say, 204, 2),
    "JSON that is not an entry": partial(say, 200, 2, json={"entry": 7}),
    "broken JSON": partial(say, 200, 2, content=b'{"entry":', headers={"Content-Type": "application/json"}),
}


@pytest.mark.parametrize("what", NONSENSE)
def test_a_missing_answer_is_followed_by_the_same_bytes(sit, what):
    """The log is read before each try, and only one signature is sent however often."""
    house, way, players = sit("pig")
    way.acts, way.order, before = NONSENSE[what](), [], len(way.seen)
    entry = players[0].move(ROLL)
    assert entry.seq == 4
    assert len(house.lines) == 5
    assert len(set(way.seen[before:])) == 1
    assert [step for step in way.order if step in ("act", "log")][-5:] == ["act", "log", "act", "log", "act"]


def test_a_busy_server_gets_time(sit):
    """Retry-After is respected."""
    house, way, players = sit("pig")
    way.acts = say(429, 1, headers={"Retry-After": "7"})
    players[0].move(ROLL)
    assert house.waits == [7.0]


def test_no_other_act_is_signed_while_one_is_unanswered(sit, tmp_path):
    """By no process, and not even with consent."""
    house, way, players = sit("bids")
    way.acts, before = lose(), len(way.seen)
    with pytest.raises(NoAnswerError):
        players[0].move(BID)
    assert len(way.seen) == before + TRIES
    again = At(house, tmp_path, 0, way)
    for one in (players[0], again):
        for act in (lambda one=one: one.move(OTHER_BID, either=True), one.resign, one.sync):
            with pytest.raises(NoAnswerError):
                act()
    assert way.signed_for(4) == 1


def test_another_entry_at_the_place_ends_the_wait(sit):
    """The server played a default move: our act can never be logged, and is not sent again."""
    house, way, players = sit("pig")
    way.acts = lose()
    with pytest.raises(NoAnswerError):
        players[0].move(ROLL)
    house.expire(0)
    players[0].sync()
    assert players[0].memory.pending() == []
    way.acts, sent = None, len(way.seen)
    players[0].resign()
    assert len(way.seen) == sent + 1


def test_a_late_refusal_is_reported(sit, tmp_path):
    """The next process gets the refusal and reports the fate of the act, without content of a hidden hand."""
    house, way, players = sit("bids")
    way.acts = lose()
    with pytest.raises(NoAnswerError):
        players[0].move(BID)
    way.acts = refuse("too-few-coins", times=1)
    again = At(house, tmp_path, 0, way)
    again.sync()
    assert again.said == ["an earlier act is answered now: move, too-few-coins"]
    assert [act.refused for act in again.memory.pending()] == ["too-few-coins"]


def test_another_entry_found_between_two_tries_ends_the_act(sit):
    """The log, read before the second try, shows a default move at our place: the player learns that it is too
    late.
    """
    house, way, players = sit("pig")

    def too_late(request):
        if not way.house.table.size > 4:
            house.expire(0)
        raise httpx.ReadTimeout("late", request=request)

    way.acts, before = too_late, len(way.seen)
    with pytest.raises(ApiError) as caught:
        players[0].move(ROLL)
    assert caught.value.code == "stale-head"
    assert len(way.seen) == before + 1
    assert players[0].memory.pending() == []


def test_nothing_is_sent_again_before_the_log_is_read(sit):
    """Not even the same bytes."""
    _, way, players = sit("pig")
    way.acts, way.reads["log"], before = lose(), say(502), len(way.seen)
    for player in players[:1]:
        player.player.sync = lambda wait=0: []
    with pytest.raises(NoAnswerError):
        players[0].move(ROLL)
    assert len(way.seen) == before + 1
    assert len(players[0].memory.pending()) == 1


def test_an_answer_with_another_act_is_found(sit, tmp_path):
    """The returned entry must hold the signed act."""
    house, way, players = sit("pig")
    way.acts = say(201, json={"entry": house.lines[1].decode(), "note": house.note(2)})
    distrusts(players[0], "other-answer", lambda: players[0].move(ROLL), lambda: At(house, tmp_path, 0, way))
    assert players[0].evidence[-1]["entries"] == [house.lines[1].decode()]


def test_a_stopped_game_gets_the_same_bytes_later(sit):
    """`lines-missing`: the server waits for missing entries. Nothing else is signed meanwhile."""
    _, way, players = sit("pig")
    way.acts = lambda request: problem(409, "lines-missing", facts={"size": 4, "expected": 9})
    with pytest.raises(HeldUpError):
        players[0].move(ROLL)
    with pytest.raises(UnsettledError):
        players[0].resign(either=True)
    assert players[0].sync() == []
    way.acts = None
    players[0].sync()
    assert players[0].log.size == 5
    assert way.signed_for(4) == 1


# --- over a real socket -----------------------------------------------------------------------------------------------


class Cutting:
    """A real server on a real socket that cuts the first answers to acts short."""

    def __init__(self, house, cuts):
        self.house, self.cuts, self.bodies = house, cuts, []
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.listening.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
        self._thread.join(PATIENCE)
        self.listening.close()

    def _serve(self):
        while True:
            try:
                connection, _ = self.listening.accept()
            except OSError:
                return
            with connection:
                self._answer(connection)

    def _answer(self, connection):
        head, _, body = connection.recv(2**16).partition(b"\r\n\r\n")
        method, target, _ = head.split(b"\r\n")[0].decode().split(" ")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
        while len(body) < length:
            body += connection.recv(2**16)
        if method == "POST":
            self.bodies.append(body)
        whole = self.house(httpx.Request(method, self.url + target, content=body))
        data = whole.read()
        first = f"HTTP/1.1 {whole.status_code} So\r\nContent-Type: application/json\r\nConnection: close\r\n"
        sent = f"{first}Content-Length: {len(data)}\r\n\r\n".encode() + data
        cut = method == "POST" and self.cuts and self.cuts.pop(0)
        connection.sendall(sent[:cut] if cut else sent)


@pytest.mark.parametrize("cut", [1, 60, 400])
def test_after_an_incomplete_answer_one_signature_was_made(tmp_path, cut):
    """Cut in the head, before the body, in the middle of it: the act was logged."""
    house = FakeServer("pig", 2)
    _, players = seated(tmp_path, house=house)
    with Cutting(house, [cut, 0]) as wire, httpx.Client(timeout=PATIENCE) as http:
        api = Api(wire.url, None, http, lambda _: None)
        player = players[0].player
        player._desk.api = player._reader.api = api
        entry = player.move(ROLL)
    assert entry.seq == 4
    assert len(house.lines) == 5
    assert len(wire.bodies) == 1


def test_only_a_person_clears_kept_evidence(sit, tmp_path):
    """After a false refusal it stays."""
    house, way, players = sit("pig")
    way.acts = refuse("not-active", times=1)
    with pytest.raises(DistrustError):
        players[0].move(ROLL)
    with pytest.raises(DistrustError):
        At(house, tmp_path, 0, way).sync()
    players[0].memory.evidence.clear()
    again = At(house, tmp_path, 0, way)
    again.move(ROLL)
    assert len(house.lines) == 5
    assert again.evidence
    assert key_of(0) == again.player.key
