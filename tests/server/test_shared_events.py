"""Requests for the stream of several accounts; `tests/workers/streams` has the streams themselves."""

from __future__ import annotations

import json

import pytest

from tests.server.harness import Harness

ONE = {"token": "sm_unknown"}
BODIES = {
    "nothing": {},
    "no account": {"follow": []},
    "more than 100 accounts": {"follow": [ONE] * 101},
    "no list": {"follow": ONE},
    "no token": {"follow": [{"after": 3}]},
    "an empty token": {"follow": [{"token": ""}]},
    "a number as token": {"follow": [{"token": 7}]},
    "an invalid number": {"follow": [ONE | {"after": -2}]},
    "half a number": {"follow": [ONE | {"after": 1.5}]},
    "an unknown member": {"follow": [ONE | {"account": 3}]},
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_an_invalid_list_is_refused(hall: Harness, body: dict):
    """With the field, and without the token."""
    answer = hall.client.post("/v1/events", json=body)
    assert (answer.status_code, answer.get_json()["code"]) == (422, "bad-fields")
    assert [*answer.get_json()["errors"]["json"]] == ["follow"]
    assert "sm_unknown" not in answer.get_data(as_text=True)


def test_a_list_of_refused_tokens_is_answered_by_events(hall: Harness):
    """One for each token, then the answer ends. The request's own token does not count."""
    ada = hall.player(0)
    answer = ada.post("/events", {"follow": [ONE, {"token": "sm_other", "after": 3}]})
    assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
    assert answer.headers["Cache-Control"] == "no-store"
    told = [json.loads(block.removeprefix("data: ")) for block in answer.get_data(as_text=True).split("\n\n")[:-1]]
    assert [(one["index"], one["kind"], one["problem"]["code"]) for one in told] == [
        (0, "refused", "bad-token"),
        (1, "refused", "bad-token"),
    ]


def test_a_server_without_sockets_has_no_shared_stream(hall: Harness):
    """As for the stream of one account."""
    answer = hall.client.post("/v1/events", json={"follow": [{"token": hall.player(0).token}]})
    assert (answer.status_code, answer.get_json()["code"]) == (503, "no-streams")
