"""What the operator reads: one JSON object a line, a request by its route and never by its path."""

import json
import logging

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
