"""Listening for many accounts by one stream, over a test's transport and over a socket."""

from __future__ import annotations

import json
import socket
import threading

import httpx
import pytest

from client.events import Followed
from client.http import Api, ApiError
from client.players import listener as module
from client.players.listener import EventListener
from tests.kit.patience import PATIENCE, until


class Bot:
    """An account with a token."""

    def __init__(self, token: str) -> None:
        self.followed = Followed(token)


class Listening:
    """A listener that gets these answers, and is stopped after the last one. It has heard `told`."""

    def __init__(self, monkeypatch, *answers: httpx.Response | Exception) -> None:
        monkeypatch.setattr(module, "pause_before", lambda *_: 0.0)
        monkeypatch.setattr(module, "LEAST", 0.0)
        self.answers, self.asked, self.told, self.refused = [*answers], [], [], []
        self.stop = threading.Event()
        http = httpx.Client(transport=httpx.MockTransport(self._answer))
        self.listener = EventListener(
            Api("http://games.example", None, http),
            lambda bot, event: self.told.append((bot.followed.token, event and event["kind"])),
            lambda bot, no: self.refused.append((bot and bot.followed.token, no)),
            self.stop,
        )

    def _answer(self, request: httpx.Request) -> httpx.Response:
        assert "authorization" not in request.headers
        self.asked.append(json.loads(request.content)["follow"])
        answer = self.answers.pop(0)
        if not self.answers:
            self.stop.set()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def run(self, *tokens: str) -> list[Bot]:
        bots = [Bot(token) for token in tokens]
        self.listener.follow(bots)
        self.listener.run()
        return bots


def stream(*events: dict) -> httpx.Response:
    return httpx.Response(200, content="".join(f"data: {json.dumps(event)}\n\n" for event in events))


def following(index: int, n: int) -> dict:
    return {"index": index, "kind": "following", "n": n}


def refused(index: int, status: int, code: str) -> dict:
    return {"index": index, "kind": "refused", "problem": {"status": status, "code": code}}


def test_each_account_hears_its_own_events(monkeypatch):
    """It is looked at when the stream begins, and when it is lost; both are asked for by one request."""
    heard = Listening(monkeypatch, stream(following(0, 5), following(1, 0), {"index": 1, "n": 1, "kind": "turn"}))
    bots = heard.run("a", "b")
    assert heard.asked == [[{"token": "a"}, {"token": "b"}]]
    assert heard.told == [("a", None), ("b", None), ("b", "turn"), ("a", None), ("b", None)]
    assert [bot.followed.last for bot in bots] == [5, 1]


def test_a_lost_stream_is_resumed_after_the_last_event_of_each(monkeypatch):
    """Without a stream each account is looked at."""
    cut = stream(following(0, 5), following(1, 0), {"index": 0, "n": 6, "kind": "turn"})
    heard = Listening(monkeypatch, cut, httpx.ConnectError("away"), stream())
    heard.run("a", "b")
    assert heard.asked[1:] == [[{"token": "a", "after": 6}, {"token": "b", "after": 0}]] * 2
    assert heard.told[4:] == [("b", None), *[("a", None), ("b", None)] * 2]
    assert heard.refused == []


def test_a_refused_token_is_not_sent_again(monkeypatch):
    """Whether it was refused at the beginning or later. The others are still followed."""
    begins = stream(refused(0, 401, "bad-token"), following(1, 0), following(2, 0), refused(2, 401, "bad-token"))
    heard = Listening(monkeypatch, begins, stream())
    heard.run("a", "b", "c")
    assert [(token, no.code) for token, no in heard.refused] == [("a", "bad-token"), ("c", "bad-token")]
    assert heard.asked[1] == [{"token": "b", "after": 0}]


def test_an_account_without_a_place_is_asked_for_again(monkeypatch):
    """After a while, at the next sign of life of the stream."""
    monkeypatch.setattr(module, "REFUSED", 0.0)
    full = stream(refused(0, 409, "too-many"), following(1, 3))
    heard = Listening(monkeypatch, full, stream(following(0, 7)))
    heard.run("a", "b")
    assert [(token, no.status) for token, no in heard.refused] == [("a", 409)]
    assert [one["token"] for one in heard.asked[1]] == ["a", "b"]


def test_a_refused_request_is_reported_once_for_all(monkeypatch):
    """And the accounts are looked at."""
    monkeypatch.setattr(module, "REFUSED", 0.0)
    no = httpx.Response(421, json={"code": "wrong-host"}, headers={"Content-Type": "application/problem+json"})
    heard = Listening(monkeypatch, no)
    heard.run("a", "b")
    [(whose, problem)] = heard.refused
    assert (whose, problem.code) == (None, "wrong-host")
    assert isinstance(problem, ApiError)
    assert heard.told == [("a", None), ("b", None)]


@pytest.fixture
def door():
    with socket.create_server(("127.0.0.1", 0)) as made:
        made.settimeout(PATIENCE)
        yield made


def accepted(door: socket.socket) -> tuple[socket.socket, list[dict]]:
    """The next request: its connection, which has begun to answer, and whom it follows."""
    there, _ = door.accept()
    there.settimeout(PATIENCE)
    text = b""
    while not text.endswith(b"}]}"):
        text += there.recv(65536)
    there.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n:\n\n")
    return there, json.loads(text.partition(b"\r\n\r\n")[2])["follow"]


def test_other_accounts_are_followed_at_once_by_a_new_stream(door):
    """The old one is closed, although it is silent. The same accounts again change nothing."""
    stop, ada, ben = threading.Event(), Bot("a"), Bot("b")
    with httpx.Client(trust_env=False, timeout=PATIENCE) as http:
        api = Api(f"http://127.0.0.1:{door.getsockname()[1]}", None, http)
        heard = EventListener(api, lambda *_: None, lambda *_: None, stop)
        heard.start()
        heard.follow([ada])
        first, asked = accepted(door)
        assert [one["token"] for one in asked] == ["a"]
        heard.follow([ada])
        heard.follow([ada, ben])
        second, asked = accepted(door)
        assert [one["token"] for one in asked] == ["a", "b"]
        assert first.recv(1) == b""
        stop.set()
        for one in (first, second):
            one.close()
        until(lambda: not heard.is_alive())
