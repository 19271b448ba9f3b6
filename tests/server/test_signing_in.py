"""Signing in and out with a browser: which click counts, where a link leads, and local sign-in without a mail."""

import re

import pytest
import sqlalchemy as sa

from server.accounts.sign_in import link_here
from server.kernel import secrets
from server.kernel.db.models import Account, LoginLink, Outbox, Place
from server.kernel.errors import Problem
from tests.server.browsers import ADA, BEN, COOKIE, ELSEWHERE, OWN, ada_of, kept, who
from tests.server.harness import HOST, MASTER, SENT, Client, Harness, Player, harness, sqlite_url


@pytest.fixture
def ada(hall: Harness) -> Client:
    return ada_of(hall)


# --- signing in -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [*ELSEWHERE[1:], {**SENT, "Sec-Fetch-Site": "cross-site"}])
def test_no_other_page_signs_anybody_in_or_out(hall: Harness, ada: Client, headers):
    """A form of another origin sets no session and ends none, and the link still works."""
    eve = hall.browser()
    eve.post("/login", data={"email": BEN})
    link = f"/login/{hall.link(BEN)}"
    for path in (link, "/logout"):
        answer = ada.post(path, headers=headers)
        assert (answer.status_code, "Set-Cookie" in answer.headers) == (403, False)
        assert "did not come from a page of this server" in answer.get_data(as_text=True)
    assert ada.get("/v1/me", headers=OWN).get_json()["name"] == "Ada"
    assert eve.post(link).status_code == 303


def test_signing_in_over_another_session_asks_first(hall: Harness, ada: Client):
    """The page names both accounts, the plain button does nothing, and confirming ends the other session."""
    ada.browses = True
    ada.post("/login", data={"email": BEN})
    link = f"/login/{hall.link(BEN)}"
    asked = ada.get(link).get_data(as_text=True)
    assert "signed in as <b><bdi>Ada</bdi>" in asked
    assert "Sign in as ben@example.org instead" in asked
    for wrong in ({}, {"instead": "999"}):
        refused = ada.post(link, data=wrong)
        assert (refused.status_code, "Sign in as ben@example.org instead" in refused.get_data(as_text=True)) == (
            409,
            True,
        )
        assert who(ada) == "Ada"
    [account] = re.findall('name="instead" value="([0-9]+)"', asked)
    assert ada.post(link, data={"instead": account, "name": "Ben"}).status_code == 303
    assert who(ada) == "Ben"
    assert kept(hall) == 1


def test_a_link_signs_in_only_the_browser_that_presses_it(hall: Harness):
    """Not the one that requested it: otherwise a stranger could get in by having the owner press it."""
    asked, pressed = hall.browser(), hall.browser()
    asked.post("/login", data={"email": ADA})
    assert pressed.post(f"/login/{hall.link(ADA)}", data={"name": "Ada"}).status_code == 303
    assert (who(pressed), who(asked)) == ("Ada", None)
    assert (asked.get_cookie(COOKIE, HOST), kept(hall)) == (None, 1)


def test_signing_in_always_makes_a_new_secret(hall: Harness, ada: Client):
    """A cookie planted before, signed in or not, does not reveal the new one; the old one is invalid."""
    ada.browses = True
    before = ada.get_cookie(COOKIE, HOST).value
    assert ada.sign_in(hall, ADA).status_code == 303
    assert ada.get_cookie(COOKIE, HOST).value != before
    planted = {**SENT, "Cookie": f"{COOKIE}={before}"}
    assert ">Ada</a>" not in hall.client.get("/", headers=planted).get_data(as_text=True)
    fresh = hall.browser()
    fresh.set_cookie(COOKIE, "A" * 43, domain=HOST, secure=True)
    fresh.sign_in(hall, BEN)
    assert fresh.get_cookie(COOKIE, HOST).value != "A" * 43


def test_a_link_leads_back_to_the_page_it_was_requested_on(hall: Harness):
    """If that page is on this server."""
    browser = hall.browser()
    assert 'href="/login?next=/v1/docs"' in browser.get("/v1/docs").get_data(as_text=True)
    assert 'name="next" value="/tables"' in browser.get("/login?next=/tables").get_data(as_text=True)
    for given, leads in (
        ("/tables", "/tables"),
        ("//elsewhere.example", "/"),
        ("https://elsewhere.example", "/"),
        ("/\\elsewhere.example", "/"),
        ("/login/" + "A" * 43, "/"),
        ("/tables\n", "/"),
    ):
        browser.post("/login", data={"email": ADA, "next": given})
        assert browser.post(f"/login/{hall.link(ADA)}").headers["Location"] == leads, given


@pytest.mark.parametrize("path", ["/waiting/", "/m/", "/u/", "/login/"])
def test_a_link_does_not_lead_back_to_another_mailed_link(hall: Harness, path: str):
    """It works without signing in, mostly once; and nobody stores its token, or sends it along."""
    browser = hall.browser()
    given = path + "A" * 43
    assert 'name="next"' not in browser.get(f"/login?next={given}").get_data(as_text=True)
    browser.post("/login", data={"email": ADA, "next": given})
    assert browser.post(f"/login/{hall.link(ADA)}").headers["Location"] == "/"


def test_a_page_behind_a_mailed_link_does_not_put_the_link_into_another(hall: Harness, two: list[Player]):
    stop = f"/u/{secrets.unsubscribe_token(MASTER, hall.game('pig', two), 0, 1)}"
    assert 'href="/login"' in hall.browser().get(stop).get_data(as_text=True)


def test_a_link_leads_back_to_an_invitation(hall: Harness, two: list[Player]):
    """Its page needs a session to give the seat to somebody who has another address."""
    game = two[0].post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    number = two[0].post(f"/games/{game}/invitations", {"to": "other@example.org"}).get_json()["id"]
    with hall.services.database.read() as session:
        path = f"/i/{secrets.invitation_token(MASTER, session.get_one(Place, number))}"
    browser = hall.browser()
    assert f'href="/login?next={path}"' in browser.get(path).get_data(as_text=True)
    browser.post("/login", data={"email": ADA, "next": path})
    assert browser.post(f"/login/{hall.link(ADA)}").headers["Location"] == path


@pytest.mark.parametrize(
    "path", ["/nothing", "/logout", "/games/nothing", "/v1/games", "/account/address", "/static/style"]
)
def test_a_link_leads_back_to_pages_alone(hall: Harness, path: str):
    browser = hall.browser()
    browser.post("/login", data={"email": ADA, "next": path})
    assert browser.post(f"/login/{hall.link(ADA)}").headers["Location"] == "/"


def test_markup_in_a_name_is_escaped_on_sign_in_pages(hall: Harness):
    """At the head of the page and in the question."""
    browser = hall.browser()
    browser.sign_in(hall, ADA, "<b onclick=x>\"'&")
    browser.post("/login", data={"email": BEN})
    for path in ("/", f"/login/{hall.link(BEN)}", "/nothing"):
        shown = browser.get(path).get_data(as_text=True)
        assert "<b onclick" not in shown
        assert "&lt;b onclick=x&gt;&#34;&#39;&amp;" in shown


def test_signing_out_ends_the_session_for_every_copy_of_the_cookie(hall: Harness, ada: Client):
    """The answer deletes the cookie, and the server no longer accepts it."""
    own = {**OWN, "Cookie": f"{COOKIE}={ada.get_cookie(COOKIE, HOST).value}"}
    assert hall.client.get("/v1/me", headers=own).status_code == 200
    answer = ada.post("/logout", headers=SENT)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert ada.get_cookie(COOKIE, HOST) is None
    assert kept(hall) == 0
    assert hall.client.get("/v1/me", headers=own).status_code == 401
    assert ada.post("/logout", headers=SENT).status_code == 303


def test_signing_in_makes_no_token(hall: Harness, ada: Client):
    """A session is enough for a browser."""
    assert ada.get("/v1/me/tokens", headers=OWN).get_json() == []


def test_a_token_made_on_the_page_is_shown_once(hall: Harness, ada: Client):
    """With a name, scopes and an end; the answer is not cached, and the list does not show it again."""
    given = {"name": "<my> script", "scopes": ["read", "play"], "days": "30"}
    made = ada.post("/account/token", data=given, headers=SENT)
    shown = made.get_data(as_text=True)
    [token] = re.findall("sm_[A-Za-z0-9_-]{43}", shown)
    assert "&lt;my&gt; script" in shown
    assert "no-store" in made.headers["Cache-Control"]
    told = hall.client.get("/v1/me", headers={"Authorization": f"Bearer {token}"}).get_json()
    assert told["scopes"] == ["play", "read"]
    [listed] = ada.get("/v1/me/tokens", headers=OWN).get_json()
    assert (listed["name"], listed["expires_at"]) == ("<my> script", "2026-12-21T10:00:00Z")
    assert token not in ada.get("/account", headers=SENT).get_data(as_text=True)


@pytest.mark.parametrize(
    ("given", "headers", "status"),
    [
        ({"name": "n", "scopes": ["read"]}, {**SENT, "Sec-Fetch-Site": "same-site"}, 403),
        ({"name": "n", "scopes": ["read", "account"]}, SENT, 422),
        ({"name": "n", "scopes": ["all"]}, SENT, 422),
        ({"name": "n"}, SENT, 422),
        ({"name": " ", "scopes": ["read"]}, SENT, 422),
        ({"name": "n", "scopes": ["read"], "days": "99999"}, SENT, 422),
    ],
)
def test_a_foreign_or_invalid_form_makes_no_token(ada: Client, given, headers, status):
    """The scope `account` needs a signature."""
    assert ada.post("/account/token", data=given, headers=headers).status_code == status
    assert ada.get("/v1/me/tokens", headers=OWN).get_json() == []


def test_making_a_token_needs_a_session(hall: Harness):
    """The form is not shown, and posting it is refused."""
    nobody = hall.browser()
    for answer in (nobody.get("/account/token"), nobody.post("/account/token", data={"name": "n", "scopes": "read"})):
        assert answer.status_code == 401


# --- at this machine ------------------------------------------------------------------------------------------------


LOCAL = {"public_url": "http://127.0.0.1:8000", "host": "127.0.0.1"}


def test_a_local_server_shows_a_sign_in_link(tmp_path):
    """It works once, for half an hour, for the same account each time; no mail is sent."""
    local = harness(sqlite_url(tmp_path), **LOCAL)
    first, second, late = (link_here(local.services).removeprefix(local.services.settings.public_url) for _ in range(3))
    browser = Client(local.app, browses=True, at=LOCAL["public_url"])
    assert browser.post(first).status_code == 303
    assert browser.get_cookie("sealedmove-8000", "127.0.0.1").http_only
    assert "Secure" not in browser.get("/").headers["Set-Cookie"]
    assert [browser.post(first).status_code, browser.post(second).status_code] == [410, 303]
    assert who(browser) == "Guest"
    local.clock.forward(minutes=30)
    assert browser.get(late).status_code == 410
    with local.services.database.read() as session:
        assert session.scalar(sa.select(sa.func.count()).select_from(Outbox)) == 0
        assert session.scalar(sa.select(sa.func.count()).select_from(Account)) == 1
    local.services.database.dispose()


@pytest.mark.parametrize(
    "chosen",
    [
        {"public_url": "https://games.example"},
        {"public_url": "http://192.168.1.7:8000"},
        {"public_url": "http://127.0.0.1.games.example"},
        {"host": "0.0.0.0"},
        {"host": "192.168.1.7"},
        {"proxies": 1},
        {"hosts": ("inside:8000",)},
    ],
)
def test_a_public_server_shows_no_sign_in_link(tmp_path, chosen):
    """The command refuses, and the database has no link."""
    shut = harness(sqlite_url(tmp_path), **(LOCAL | chosen))
    with pytest.raises(Problem, match="not-found"):
        link_here(shut.services)
    with shut.services.database.read() as session:
        assert session.scalar(sa.select(LoginLink.id)) is None
    shut.services.database.dispose()
