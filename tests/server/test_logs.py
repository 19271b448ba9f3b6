"""The operator's log: one JSON object a line; a request is logged by its route and never by its path."""

import json
import logging
import re

import pytest

from tests.server.harness import Harness, sqlite_url


def told(capfd) -> list[dict]:
    """Every line on stderr; one that is not JSON fails here."""
    return [json.loads(line) for line in capfd.readouterr().err.splitlines()]


@pytest.fixture(autouse=True)
def _no_handler_of_an_earlier_test():
    """A handler keeps the stderr it was made with; this test reads its own."""
    root = logging.getLogger()
    earlier = [handler for handler in root.handlers if getattr(handler, "is_ours", False)]
    for handler in earlier:
        root.removeHandler(handler)
    yield
    for handler in [handler for handler in root.handlers if getattr(handler, "is_ours", False)]:
        root.removeHandler(handler)
    for handler in earlier:
        root.addHandler(handler)


def test_a_log_line_is_an_object_that_names_its_event_level_and_time(tmp_path, open_house, capfd):
    hall: Harness = open_house(sqlite_url(tmp_path), log_level="INFO")
    capfd.readouterr()
    hall.client.get("/v1/games/00000000-0000-4000-8000-000000000000")
    [request] = [line for line in told(capfd) if line["event"] == "request"]
    assert request["level"] == "info"
    assert request["timestamp"].endswith("Z")
    assert (request["method"], request["status"]) == ("GET", 404)
    assert request["route"] == "/v1/games/<uuid:game_id>"


def requests_of(capfd) -> list[dict]:
    return [line for line in told(capfd) if line["event"] == "request"]


def with_proxy(tmp_path, open_house, capfd) -> Harness:
    """Its log begins now."""
    hall: Harness = open_house(sqlite_url(tmp_path), log_level="INFO", proxies=1)
    capfd.readouterr()
    return hall


def test_a_request_keeps_the_id_of_the_proxy_in_its_lines_and_its_answer(tmp_path, open_house, capfd):
    hall = with_proxy(tmp_path, open_house, capfd)
    given = "0f3c2b1a-5d6e-4f70-8a9b-1c2d3e4f5061"
    answer = hall.client.get("/v1/types", headers={"X-Request-Id": given})
    assert answer.headers["X-Request-Id"] == given
    assert [line["request"] for line in requests_of(capfd)] == [given]


@pytest.mark.parametrize("given", ["short", "x" * 65, "two words here", 'a"},{"event":"forged', "ümläute-ümläute"])
def test_a_malformed_id_is_replaced(tmp_path, open_house, capfd, given: str):
    hall = with_proxy(tmp_path, open_house, capfd)
    made = hall.client.get("/v1/types", headers={"X-Request-Id": given}).headers["X-Request-Id"]
    assert re.fullmatch("[0-9a-f]{32}", made)
    assert [line["request"] for line in requests_of(capfd)] == [made]


TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
TRACEPARENT = f"00-{TRACE}-00f067aa0ba902b7-01"


def test_a_request_with_no_id_keeps_the_trace_of_the_proxy(tmp_path, open_house, capfd):
    """An id that the proxy gives in so many words goes first, a malformed one does not."""
    hall = with_proxy(tmp_path, open_house, capfd)
    sent = ({}, {"X-Request-Id": "short"}, {"X-Request-Id": "the-id-of-the-proxy"})
    made = [
        hall.client.get("/v1/types", headers={"traceparent": TRACEPARENT, **more}).headers["X-Request-Id"]
        for more in sent
    ]
    assert made == [TRACE, TRACE, "the-id-of-the-proxy"]
    assert [line["request"] for line in requests_of(capfd)] == made


@pytest.mark.parametrize(
    "given",
    [
        TRACE,
        TRACEPARENT.upper(),
        TRACEPARENT + "-more",
        TRACEPARENT.replace("00-", "ff-", 1),
        TRACEPARENT.replace(TRACE, "0" * 32),
        TRACEPARENT.replace("00f067aa0ba902b7", "0" * 16),
    ],
)
def test_a_malformed_trace_is_replaced(tmp_path, open_house, capfd, given: str):
    hall = with_proxy(tmp_path, open_house, capfd)
    made = hall.client.get("/v1/types", headers={"traceparent": given}).headers["X-Request-Id"]
    assert re.fullmatch("[0-9a-f]{32}", made)
    assert made != TRACE


def test_without_a_proxy_each_request_gets_an_id_of_its_own(tmp_path, open_house, capfd):
    """Anyone could send the id of somebody else's request."""
    hall: Harness = open_house(sqlite_url(tmp_path), log_level="INFO")
    capfd.readouterr()
    sent = {"X-Request-Id": "chosen-by-the-client", "traceparent": TRACEPARENT}
    made = [hall.client.get("/v1/types", headers=sent).headers["X-Request-Id"] for _ in range(2)]
    assert len({*made, "chosen-by-the-client", TRACE}) == 4
    assert [line["request"] for line in requests_of(capfd)] == made


def test_a_refused_host_gets_an_id_too(tmp_path, open_house, capfd):
    hall = with_proxy(tmp_path, open_house, capfd)
    answer = hall.client.get("/", headers={"Host": "elsewhere.example"})
    assert answer.status_code == 421
    assert [line["request"] for line in requests_of(capfd)] == [answer.headers["X-Request-Id"]]


def test_a_fault_is_logged_under_the_id_of_its_request(tmp_path, open_house, capfd, monkeypatch):
    hall = with_proxy(tmp_path, open_house, capfd)
    monkeypatch.setitem(hall.app.view_functions, "health.healthz", lambda: 1 // 0)
    answer = hall.client.get("/healthz")
    assert answer.status_code == 500
    lines = {line["event"]: line["request"] for line in told(capfd)}
    assert lines == dict.fromkeys(("internal-error", "request"), answer.headers["X-Request-Id"])


def test_a_request_is_logged_with_its_game_and_the_number_of_its_account(tmp_path, open_house, capfd):
    """And with nothing that would let a reader of the log act or write to anybody."""
    hall = with_proxy(tmp_path, open_house, capfd)
    player, email = hall.player(0), "player0@example.org"
    game = player.post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    capfd.readouterr()
    player.get(f"/games/{game}")
    hall.client.post("/v1/login", json={"email": email})
    hall.client.get(f"/login/{hall.link(email)}")
    text = capfd.readouterr().err
    read, *others = [json.loads(line) for line in text.splitlines() if '"event": "request"' in line]
    assert (read["account"], read["game"]) == (player.account, game)
    assert not [line for line in others if {"account", "game"} & line.keys()]
    for secret in (player.token, email, hall.link(email)):
        assert secret not in text
