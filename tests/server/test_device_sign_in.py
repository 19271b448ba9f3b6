"""Signing in a program without a browser (RFC 8628): its codes, the page that asks, the token, and attacks on them."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa

from server.accounts.devices import write
from server.accounts.devices.api import GRANT
from server.http.credentials import Principal
from server.kernel.db.models import ApiToken, DeviceGrant
from server.kernel.errors import Problem
from server.operate import retention
from server.tables.limits import LIMITS
from tests.kit.principals import principal_of
from tests.server.browsers import ADA, BEN, OWN
from tests.server.harness import Client, Harness
from tests.server.test_races import together

NAME = "sealedmove on a television"
ALL = "account play read"


class Program:
    """A program that has begun to sign in."""

    def __init__(self, hall: Harness, scope: str = ALL, name: str = NAME) -> None:
        self.hall, self.name = hall, name
        answer = hall.client.post("/oauth/device", data={"client_id": name, "scope": scope})
        assert answer.status_code == 200, answer.get_data(as_text=True)
        assert answer.headers["Cache-Control"] == "no-store"
        self.said = answer.get_json()

    @property
    def code(self) -> str:
        return str(self.said["user_code"])

    def polls(self, seconds: int = 5, **changed: str) -> dict[str, Any]:
        """The answer after so many seconds."""
        self.hall.clock.forward(seconds=seconds)
        form = {"grant_type": GRANT, "device_code": self.said["device_code"], "client_id": self.name, **changed}
        answer = self.hall.client.post("/oauth/token", data=form)
        assert answer.status_code == (400 if "error" in answer.get_json() else 200)
        assert answer.headers["Cache-Control"] == "no-store"
        found: dict[str, Any] = answer.get_json()
        return found

    def fails(self, seconds: int = 5, **changed: str) -> str:
        return str(self.polls(seconds, **changed)["error"])


@pytest.fixture
def ada(hall: Harness) -> Client:
    browser = hall.browser()
    assert browser.sign_in(hall, ADA, "Ada").status_code == 303
    return browser


def asks(browser: Client, code: str) -> Any:
    return browser.post("/device", data={"code": code})


def allows(browser: Client, code: str, *scopes: str, days: str = "90", do: str = "allow") -> Any:
    return browser.post("/device/answer", data={"code": code, "scopes": list(scopes), "days": days, "do": do})


def count(hall: Harness) -> int:
    with hall.services.database.read() as session:
        return session.scalar(sa.select(sa.func.count()).select_from(DeviceGrant)) or 0


def test_a_program_gets_a_token_after_a_person_has_typed_its_code(hall: Harness, ada: Client):
    """The codes as RFC 8628 has them; the token works, shows in the account's list, and is given once."""
    program = Program(hall)
    assert re.fullmatch(r"[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}", program.code)
    assert program.said["verification_uri"] == "https://games.example/device"
    assert (program.said["expires_in"], program.said["interval"]) == (600, 5)
    assert "verification_uri_complete" not in program.said
    assert program.fails() == "authorization_pending"
    assert asks(ada, program.code).status_code == 200
    assert allows(ada, program.code, "read", "play", "account").status_code == 200
    given = program.polls()
    assert (given["token_type"], given["scope"], given["expires_in"]) == ("Bearer", ALL, 90 * 86400)
    me = hall.client.get("/v1/me", headers={"Authorization": f"Bearer {given['access_token']}"}).get_json()
    assert (me["email"], me["scopes"]) == (ADA, ["account", "play", "read"])
    assert NAME in ada.get("/account").get_data(as_text=True)
    assert program.fails() == "invalid_grant"


def test_the_scope_account_ends_after_an_hour(hall: Harness, ada: Client):
    """As after a sign-in by mail: a program registers its key in that time."""
    program = Program(hall)
    allows(ada, program.code, "read", "play", "account")
    auth = {"Authorization": f"Bearer {program.polls()['access_token']}"}
    hall.clock.forward(hours=1)
    assert hall.client.get("/v1/me", headers=auth).get_json()["scopes"] == ["play", "read"]


def test_the_page_says_who_asks_from_where_and_for_what(hall: Harness, ada: Client):
    """The name is shown as text, and an address that is not the browser's is named."""
    program = Program(hall, "read", "<b>television</b>")
    said = asks(ada, program.code.lower().replace("-", " ")).get_data(as_text=True)
    for words in ("&lt;b&gt;television&lt;/b&gt;", program.code, "the network address of this browser"):
        assert words in said
    assert ['value="read"' in said, 'value="play"' in said, 'value="account"' in said] == [True, False, False]
    far = ada.post("/device", data={"code": program.code}, environ_base={"REMOTE_ADDR": "203.0.113.7"})
    assert "<b>127.0.0.1</b>" in far.get_data(as_text=True)


def test_a_person_may_allow_less_than_is_asked_and_never_more(hall: Harness, ada: Client):
    """A form with further scopes gives those that were asked for alone."""
    program = Program(hall, "read play")
    allows(ada, program.code, "read", "account", days="30")
    given = program.polls()
    assert (given["scope"], given["expires_in"]) == ("read", 30 * 86400)


@pytest.mark.parametrize(("scopes", "days"), [((), "90"), (("read",), "soon")])
def test_an_invalid_answer_is_asked_again(hall: Harness, ada: Client, scopes: tuple[str, ...], days: str):
    program = Program(hall)
    assert allows(ada, program.code, *scopes, days=days).status_code == 422
    assert program.fails() == "authorization_pending"


def test_a_token_without_an_end_has_no_expires_in(hall: Harness, ada: Client):
    program = Program(hall, "")
    allows(ada, program.code, "read", "play", days="")
    assert "expires_in" not in program.polls()


def test_a_denied_program_gets_no_token(hall: Harness, ada: Client):
    """And nobody can allow it afterwards."""
    program = Program(hall)
    assert "Request denied" in allows(ada, program.code, do="deny").get_data(as_text=True)
    assert allows(ada, program.code, "read").status_code == 410
    assert program.fails() == "access_denied"


def test_codes_expire_after_ten_minutes(hall: Harness, ada: Client):
    """The program reads it; later its row is deleted."""
    program = Program(hall)
    hall.clock.forward(minutes=10)
    assert allows(ada, program.code, "read").status_code == 410
    assert program.fails() == "expired_token"
    assert count(hall) == 1
    hall.clock.forward(minutes=10)
    retention.forget(hall.services)
    assert count(hall) == 0
    assert program.fails() == "invalid_grant"


def test_an_allowed_program_that_never_fetches_its_token_gets_none_later(hall: Harness, ada: Client):
    program = Program(hall)
    allows(ada, program.code, "read")
    hall.clock.forward(minutes=10)
    assert program.fails() == "expired_token"


def test_a_program_that_polls_too_often_is_slowed_down(hall: Harness):
    """By five seconds more for each time (RFC 8628, 3.5), and never beyond a minute."""
    program = Program(hall)
    assert [program.fails(seconds) for seconds in (0, 3, 9, 9)] == [
        "authorization_pending",
        "slow_down",
        "authorization_pending",
        "authorization_pending",
    ]
    for _ in range(20):
        assert program.fails(1) == "slow_down"
    assert program.fails(60) == "authorization_pending"


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": ""}, "invalid_request"),
        ({"device_code": ""}, "invalid_request"),
        ({"device_code": "A" * 43}, "invalid_grant"),
        ({"client_id": ""}, "invalid_request"),
        ({"client_id": "another program"}, "invalid_grant"),
    ],
)
def test_a_wrong_request_for_the_token_has_oauths_own_error(hall: Harness, changed: dict[str, str], error: str):
    """The codes stay valid."""
    program = Program(hall)
    assert program.fails(**changed) == error
    assert program.fails() == "authorization_pending"


@pytest.mark.parametrize(
    ("form", "error"),
    [
        ({}, "invalid_request"),
        ({"client_id": "x" * 41}, "invalid_request"),
        ({"client_id": "a\nb"}, "invalid_request"),
        ({"client_id": ["a", "b"]}, "invalid_request"),
        ({"client_id": "a", "scope": "read everything"}, "invalid_scope"),
    ],
)
def test_a_wrong_beginning_is_refused_and_stores_nothing(hall: Harness, form: dict[str, Any], error: str):
    answer = hall.client.post("/oauth/device", data=form)
    assert (answer.status_code, answer.get_json()["error"]) == (400, error)
    assert count(hall) == 0


def test_the_endpoints_are_described(hall: Harness):
    """As RFC 8414 has it, for programs that know the server's address only."""
    said = hall.client.get("/.well-known/oauth-authorization-server").get_json()
    assert (said["issuer"], said["grant_types_supported"]) == ("https://games.example", [GRANT])
    assert said["device_authorization_endpoint"] == "https://games.example/oauth/device"
    assert said["token_endpoint"] == "https://games.example/oauth/token"


# --- attacks ----------------------------------------------------------------------------------------------------------


def test_no_link_leads_past_the_question(hall: Harness, ada: Client):
    """Nobody can send a link that has the code in it; the page is asked for a code, and changes nothing by itself."""
    program = Program(hall)
    said = ada.get(f"/device?code={program.code}").get_data(as_text=True)
    assert program.code not in said
    assert asks(ada, program.code).status_code == 200
    assert program.fails() == "authorization_pending"


def test_only_a_page_of_this_server_and_a_signed_in_person_can_answer(hall: Harness, ada: Client):
    program = Program(hall)
    stranger = hall.browser()
    assert stranger.get("/device").headers["Location"] == "/login?next=/device"
    assert asks(stranger, program.code).status_code == 401
    assert allows(stranger, program.code, "read").status_code == 401
    ada.browses = False
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {}):
        sent = {"code": program.code, "scopes": "read", "days": "", "do": "allow"}
        assert ada.post("/device/answer", data=sent, headers=headers).status_code == 403
    assert program.fails() == "authorization_pending"


def test_a_code_is_guessed_twenty_times_in_ten_minutes_at_most(hall: Harness, ada: Client):
    """By one account, whatever its address; the owner of the code can still answer."""
    program = Program(hall)
    sent = [asks(ada, f"BBBB-BBB{letter}").status_code for letter in "BCDFGHJKLMNPQRSTVWXZ"]
    assert sent == [422] * 20
    assert asks(ada, program.code).status_code == 429
    assert allows(ada, program.code, "read").status_code == 429
    ben = hall.browser()
    ben.sign_in(hall, BEN, "Ben")
    assert asks(ben, program.code).status_code == 200


def test_the_user_code_gives_no_token(hall: Harness, ada: Client):
    """Anyone who has read it from a screen cannot fetch the token."""
    program = Program(hall)
    allows(ada, program.code, "read")
    assert program.fails(device_code=program.code) == "invalid_grant"


def test_a_copy_of_the_database_shows_neither_code(hall: Harness):
    program = Program(hall)
    with hall.services.database.read() as session:
        kept = repr(session.execute(sa.select(DeviceGrant.__table__)).one())
    assert program.said["device_code"] not in kept
    assert program.code not in kept


def test_a_code_is_answered_once_by_one_person(any_hall: Harness):
    """Of two people at one moment one has allowed it; the other is told that the code was used."""
    people = [any_hall.player(number) for number in range(2)]
    program = Program(any_hall)

    def allow(person: Principal) -> str:
        try:
            return write.approve(any_hall.services, person, program.code, ("read",), None)
        except Problem as no:
            return no.code

    ended = together(*(partial(allow, principal_of(any_hall.services, one.account)) for one in people))
    assert sorted(ended) == ["bad-user-code", NAME]


def test_two_polls_at_one_moment_get_one_token(any_hall: Harness):
    ada = any_hall.player(0)
    program = Program(any_hall)
    write.approve(any_hall.services, principal_of(any_hall.services, ada.account), program.code, ("read",), None)
    given: list[str] = []

    def fetch() -> None:
        try:
            given.append(write.redeem(any_hall.services, program.said["device_code"], NAME).token)
        except write.DeviceError as no:
            given.append(no.code)

    together(fetch, fetch)
    assert sorted(one.partition("_")[0] for one in given) == ["invalid", "sm"]


def test_the_limit_of_tokens_counts_here_too(hall: Harness, ada: Client, monkeypatch: pytest.MonkeyPatch):
    """When the person answers, and again when the program fetches: of two allowed ones the second gets no token."""
    programs = [Program(hall), Program(hall)]
    monkeypatch.setitem(LIMITS, "tokens", LIMITS["tokens"]._replace(most=1))
    for program in programs:
        assert allows(ada, program.code, "read").status_code == 200
    assert "access_token" in programs[0].polls()
    assert programs[1].fails() == "access_denied"
    third = Program(hall)
    assert allows(ada, third.code, "read").status_code == 409
    assert third.fails() == "authorization_pending"


def test_ending_everything_ends_what_no_program_has_fetched_yet(hall: Harness, ada: Client):
    program = Program(hall)
    allows(ada, program.code, "read")
    ada.post("/account/end-all", headers=OWN)
    assert program.fails() == "invalid_grant"
    with hall.services.database.read() as session:
        assert session.scalar(sa.select(sa.func.count()).select_from(ApiToken)) == 0


def test_a_guest_signs_no_program_in(hall: Harness):
    browser = hall.browser()
    browser.post("/v1/guests", json={}, headers={**OWN, "X-Sealed-Move": "page"})
    program = Program(hall)
    assert asks(browser, program.code).status_code == 403
    assert allows(browser, program.code, "read").status_code == 403
    assert program.fails() == "authorization_pending"
