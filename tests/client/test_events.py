"""A stream that resumes by itself, over a test's transport and over the real programs."""

import json

import httpx
import pytest

from client import events
from client.http import ApiError, FullError, NoAnswerError
from tests.client.test_http import Server


def told(*blocks: str, status: int = 200) -> httpx.Response:
    return httpx.Response(status, content="".join(f"{block}\n\n" for block in blocks).encode())


def event(n: int, **more: object) -> str:
    text = ", ".join(f'"{name}": {value}' for name, value in {"n": n, **more}.items())
    return f"id: {n}\ndata: {{{text}}}"


def first(server: Server, count: int, after: int | None = None) -> list:
    stream = events.follow(server.api("t"), events.MINE, after)
    return [next(stream) for _ in range(count)]


def test_events_come_in_order_without_comments():
    """The first block only holds the number after which the stream goes on."""
    server = Server(told("retry: 2000\nid: 7", ":", event(8), ":\n", event(9)))
    assert first(server, 2) == [{"n": 8}, {"n": 9}]
    assert server.seen[0][1].endswith("/v1/me/events")
    assert server.seen[0][3]["accept"] == "text/event-stream"


def test_a_stream_that_ends_is_resumed_after_the_last_number():
    """Even before its first event; meanwhile the caller polls."""
    server = Server(told("id: 7"), told("id: 7", event(8)), told("id: 8", event(9)))
    assert first(server, 4) == [None, {"n": 8}, None, {"n": 9}]
    assert [url.partition("?")[2] for _, url, _, _ in server.seen] == ["", "after=7", "after=8"]


def test_without_a_place_the_client_polls_after_the_given_delay():
    """And gets the stream as soon as there is a place."""
    problem = {"Content-Type": "application/problem+json", "Retry-After": "5"}
    full = httpx.Response(503, json={"code": "no-place"}, headers=problem)
    away = httpx.Response(503, json={"code": "no-streams"}, headers=problem)
    server = Server(full, away, httpx.ConnectError("refused"), told(event(1)))
    assert first(server, 4) == [None, None, None, {"n": 1}]
    assert server.waits[:2] == [5.0, 5.0]
    assert min(server.waits) >= 1.0


def test_without_another_stream_for_the_account_the_client_polls():
    """Until one of its other streams has ended."""
    problem = {"Content-Type": "application/problem+json"}
    most = httpx.Response(409, json={"code": "too-many", "title": "Open streams: 20."}, headers=problem)
    server = Server(most, told(event(1)))
    assert first(server, 2) == [None, {"n": 1}]
    assert min(server.waits) >= 1.0


def test_a_game_ends_its_stream():
    """With its last entry, or at once if that is already known."""
    over = Server(told(event(9, over="true")))
    assert list(events.follow(over.api(), events.of_game("g"))) == [{"n": 9, "over": True}]
    assert list(events.follow(Server(httpx.Response(204)).api(), events.of_game("g"), 9)) == []


def test_a_refused_stream_raises():
    """A revoked token is not sent again."""
    no = httpx.Response(401, json={"code": "bad-token"}, headers={"Content-Type": "application/problem+json"})
    server = Server(no)
    with pytest.raises(ApiError, match="bad-token"):
        first(server, 1)
    assert server.waits == []


@pytest.mark.parametrize("text", ["data: [1]", "data: {", "x" * (events.LONGEST + 2)])
def test_a_block_that_is_not_an_event_ends_the_connection(text: str):
    """It is ignored, and the stream is requested again."""
    server = Server(told("id: 3", text), told(event(4)))
    assert first(server, 2) == [None, {"n": 4}]


def test_an_incomplete_event_is_requested_again():
    cut = httpx.Response(200, content=f"{event(1)}\n\nid: 2\ndata: {{".encode())
    server = Server(cut, told(event(2)))
    assert first(server, 3) == [{"n": 1}, None, {"n": 2}]
    assert server.seen[1][1].endswith("after=1")


def test_a_stream_without_a_connection_is_not_retried_at_once():
    """The caller polls meanwhile."""
    problem = {"Content-Type": "application/problem+json", "Retry-After": "5"}
    server = Server(httpx.Response(503, json={"code": "no-place"}, headers=problem))
    with pytest.raises(FullError) as full:
        server.api().get("/v1/games/g/log", wait=25)
    assert (full.value.pause, server.waits) == (5.0, [])


# --- one stream for several accounts ----------------------------------------------------------------------------------


def read(server: Server, *followed: events.Followed) -> list:
    """Read events until the stream ends."""
    found, stream = [], events.SharedStream(server.api(), followed)
    with pytest.raises(NoAnswerError):
        found.extend(one for one in stream.read())
    return found


def test_a_shared_stream_names_the_account_of_each_event():
    """And keeps the position of each, with which the next one continues. A comment is a sign of life."""
    ada, ben = events.Followed("a"), events.Followed("b", 3)
    first = ('retry: 2000\ndata: {"index": 0, "kind": "following", "n": 7}', ":", 'data: {"index": 1, "n": 4}')
    server = Server(told(*first), told())
    assert read(server, ada, ben) == [(0, {"index": 0, "kind": "following", "n": 7}), None, (1, {"index": 1, "n": 4})]
    assert (ada.last, ben.last) == (7, 4)
    assert read(server, ada, ben) == []
    assert [json.loads(body)["follow"] for _, _, body, _ in server.seen] == [
        [{"token": "a"}, {"token": "b", "after": 3}],
        [{"token": "a", "after": 7}, {"token": "b", "after": 4}],
    ]


@pytest.mark.parametrize("index", ["2", "-1", "null", '"0"'])
def test_an_event_of_nobody_ends_the_connection(index: str):
    """It is ignored."""
    server = Server(told(f'data: {{"index": {index}, "n": 9}}'))
    one = events.Followed("a")
    assert (read(server, one), one.last) == ([], None)


def test_a_stream_that_is_cut_before_it_begins_reads_nothing():
    stream = events.SharedStream(Server(told('data: {"index": 0, "n": 9}')).api(), [events.Followed("a")])
    stream.cut()
    with pytest.raises(NoAnswerError):
        next(stream.read())
