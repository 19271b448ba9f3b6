"""A stream that is resumed by itself: over a transport that a test writes, and over the real programs."""

import httpx
import pytest

from client import events
from client.http import ApiError, FullError
from tests.client.test_http import Server


def told(*blocks: str, status: int = 200) -> httpx.Response:
    return httpx.Response(status, content="".join(f"{block}\n\n" for block in blocks).encode())


def event(n: int, **more: object) -> str:
    text = ", ".join(f'"{name}": {value}' for name, value in {"n": n, **more}.items())
    return f"id: {n}\ndata: {{{text}}}"


def first(server: Server, count: int, after: int | None = None) -> list:
    stream = events.follow(server.api("t"), events.MINE, after)
    return [next(stream) for _ in range(count)]


def test_events_come_in_order_and_comments_are_none():
    """The first block only says after which number the stream goes on."""
    server = Server(told("retry: 2000\nid: 7", ":", event(8), ":\n", event(9)))
    assert first(server, 2) == [{"n": 8}, {"n": 9}]
    assert server.seen[0][1].endswith("/v1/me/events")
    assert server.seen[0][3]["accept"] == "text/event-stream"


def test_a_stream_that_ends_is_resumed_after_the_last_number():
    """Also when nothing was told on it yet; in between the user looks without it."""
    server = Server(told("id: 7"), told("id: 7", event(8)), told("id: 8", event(9)))
    assert first(server, 4) == [None, {"n": 8}, None, {"n": 9}]
    assert [url.partition("?")[2] for _, url, _, _ in server.seen] == ["", "after=7", "after=8"]


def test_without_a_place_it_polls_as_slowly_as_it_is_asked_to():
    """And has the stream as soon as there is one."""
    problem = {"Content-Type": "application/problem+json", "Retry-After": "5"}
    full = httpx.Response(503, json={"code": "no-place"}, headers=problem)
    away = httpx.Response(503, json={"code": "no-streams"}, headers=problem)
    server = Server(full, away, httpx.ConnectError("refused"), told(event(1)))
    assert first(server, 4) == [None, None, None, {"n": 1}]
    assert server.waits[:2] == [5.0, 5.0]
    assert min(server.waits) >= 1.0


def test_a_game_ends_its_stream():
    """With the entry that ended it, or at once if that is known already."""
    over = Server(told(event(9, over="true")))
    assert list(events.follow(over.api(), events.of_game("g"))) == [{"n": 9, "over": True}]
    assert list(events.follow(Server(httpx.Response(204)).api(), events.of_game("g"), 9)) == []


def test_a_no_is_told():
    """A token that was revoked is not asked with again."""
    no = httpx.Response(401, json={"code": "bad-token"}, headers={"Content-Type": "application/problem+json"})
    server = Server(no)
    with pytest.raises(ApiError, match="bad-token"):
        first(server, 1)
    assert server.waits == []


@pytest.mark.parametrize("text", ["data: [1]", "data: {", "x" * (events.LONGEST + 2)])
def test_a_block_that_is_not_an_event_ends_the_connection(text: str):
    """Nothing of it is believed; the stream is asked for again."""
    server = Server(told("id: 3", text), told(event(4)))
    assert first(server, 2) == [None, {"n": 4}]


def test_what_was_cut_off_is_not_told():
    """Half an event does not count, and is requested again."""
    cut = httpx.Response(200, content=f"{event(1)}\n\nid: 2\ndata: {{".encode())
    server = Server(cut, told(event(2)))
    assert first(server, 3) == [{"n": 1}, None, {"n": 2}]
    assert server.seen[1][1].endswith("after=1")


def test_a_request_that_cannot_be_held_is_not_sent_again_at_once():
    """The caller must look for themselves."""
    problem = {"Content-Type": "application/problem+json", "Retry-After": "5"}
    server = Server(httpx.Response(503, json={"code": "no-place"}, headers=problem))
    with pytest.raises(FullError) as full:
        server.api().get("/v1/games/g/log", wait=25)
    assert (full.value.pause, server.waits) == (5.0, [])
