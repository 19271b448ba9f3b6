"""Signing in by a code: how a program polls, and what ends its waiting."""

import httpx
import pytest

from client import device
from client.errors import ClientError

from .test_http import Server

BEGUN = {
    "device_code": "d" * 43,
    "user_code": "WDJB-MJHT",
    "verification_uri": "http://games.example:8000/device",
    "expires_in": 600,
    "interval": 5,
}
GIVEN = {"access_token": "sm_x", "token_type": "Bearer", "scope": "play read"}


def refused(error):
    return httpx.Response(400, json={"error": error, "error_description": f"about {error}"})


def signs_in(*answers):
    """The server, and the session after these answers to the polls."""
    server = Server(httpx.Response(200, json=BEGUN), *answers, httpx.Response(200, json={"id": 7, "name": "Ada"}))
    api = server.api()
    return server, lambda: device.wait(api, device.begin(api, "a program"))


def test_a_program_polls_until_the_person_has_answered():
    """With forms, after each pause; the token then reads its account."""
    server, wait = signs_in(refused("authorization_pending"), httpx.Response(200, json=GIVEN))
    found = wait()
    assert (found.session.account, found.session.name, found.scopes) == ("7", "Ada", {"read", "play"})
    assert server.waits == [5, 5]
    paths = [url.removeprefix("http://games.example:8000") for _, url, _, _ in server.seen]
    assert paths == ["/oauth/device", "/oauth/token", "/oauth/token", "/v1/me"]
    assert server.seen[0][2] == b"client_id=a+program&scope=read+play+account"
    assert server.seen[1][3]["content-type"] == "application/x-www-form-urlencoded"
    assert server.seen[3][3]["authorization"] == "Bearer sm_x"


def test_slow_down_adds_five_seconds_to_every_later_pause():
    server, wait = signs_in(
        refused("slow_down"), refused("authorization_pending"), refused("slow_down"), httpx.Response(200, json=GIVEN)
    )
    wait()
    assert server.waits == [5, 10, 10, 15]


def test_a_lost_answer_is_asked_for_again():
    """Less and less often, as for every request."""
    server, wait = signs_in(httpx.ReadTimeout("lost"), httpx.Response(503), httpx.Response(200, json=GIVEN))
    assert wait().session.name == "Ada"
    assert server.waits == [5, 0.1, 0.2]


@pytest.mark.parametrize("error", ["access_denied", "expired_token", "invalid_grant"])
def test_a_refusal_ends_the_waiting(error):
    _, wait = signs_in(refused(error))
    with pytest.raises(device.DeviceSignInError, match=f"about {error}") as caught:
        wait()
    assert caught.value.code == error


def test_a_server_without_the_grant_is_an_ordinary_refusal():
    server = Server(httpx.Response(404, json={"code": "not-found", "title": "Nothing here."}))
    with pytest.raises(ClientError, match="Nothing here"):
        device.begin(server.api(), "a program")
