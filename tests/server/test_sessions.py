"""Sessions of browsers: where a person is signed in, which requests use the cookie, and that no other page can."""

from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa

from server.accounts.write import erase_account
from server.http.origin import cookie_name_of
from server.kernel.config import Settings
from server.kernel.db.models import LoginLink, WebSession
from server.operate import retention
from tests.kit.absent import mentions
from tests.server.browsers import ADA, BEN, COOKIE, ELSEWHERE, OWN, PAGE, ada_of, kept, who
from tests.server.harness import HOST, SENT, Client, Harness, harness, sqlite_url

FOUR = {"Cookie", "Authorization", "Origin", "Sec-Fetch-Site"}


@pytest.fixture
def ada(hall: Harness) -> Client:
    return ada_of(hall)


# --- the cookie -----------------------------------------------------------------------------------------------------


def test_the_button_sets_a_cookie_for_this_host_that_no_script_reads(hall: Harness):
    """With all flags; the value in the database signs nobody in."""
    browser = hall.browser()
    answer = browser.sign_in(hall, ADA)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    name, _, flags = answer.headers["Set-Cookie"].partition("=")
    secret, _, flags = flags.partition("; ")
    assert name == COOKIE
    assert {*flags.split("; ")} >= {"Secure", "HttpOnly", "Path=/", "SameSite=Lax", f"Max-Age={90 * 86400}"}
    assert "Domain" not in flags
    with hall.services.database.read() as session:
        assert secret.encode() not in session.scalar(sa.select(WebSession.hash))


def test_a_session_lasts_for_ninety_days_after_its_last_use(hall: Harness, ada: Client):
    """Each use extends it, and is written every five minutes at most."""
    ada.browses = True
    for _ in range(3):
        hall.clock.forward(days=89)
        assert who(ada) == "Ada"
        last = hall.clock()
    hall.clock.forward(minutes=4)
    assert who(ada) == "Ada"
    with hall.services.database.read() as session:
        assert session.scalar(sa.select(WebSession.last_used_at)) == last
    hall.clock.forward(days=90)
    assert who(ada) is None
    assert ada.get("/v1/me", headers=OWN).status_code == 401


def test_an_expired_session_is_deleted(hall: Harness, ada: Client):
    """Only once it signs nobody in."""
    hall.clock.forward(days=89)
    assert (retention.forget(hall.services)["web_session"], kept(hall)) == (0, 1)
    hall.clock.forward(days=1)
    assert (retention.forget(hall.services)["web_session"], kept(hall)) == (1, 0)


def test_every_page_extends_the_cookie_by_ninety_days(ada: Client):
    """Otherwise the browser would drop it before the session ends."""
    ada.browses = True
    assert f"Max-Age={90 * 86400}" in ada.get("/login").headers["Set-Cookie"]


@pytest.mark.parametrize("secret", ["", "x", "A" * 43, "A" * 5000, "é"])
def test_an_unknown_cookie_is_ignored(hall: Harness, secret: str):
    """It may be an old one."""
    headers = {**SENT, "Cookie": f"{COOKIE}={secret}"}
    assert hall.client.get("/", headers=headers).status_code == 200
    assert hall.client.get("/v1/me", headers=headers).get_json()["code"] == "not-signed-in"


def test_over_https_no_cookie_of_another_name_is_read(hall: Harness, ada: Client):
    """Only this host can set a cookie with the prefix `__Host-`; a sibling host could set all others."""
    secret = ada.get_cookie(COOKIE, HOST).value
    for name in ("sealedmove-443", "sealedmove", "__Secure-sealedmove"):
        answer = hall.client.get("/v1/me", headers={**OWN, "Cookie": f"{name}={secret}"})
        assert answer.get_json()["code"] == "not-signed-in", name
    assert hall.client.get("/v1/me", headers={**OWN, "Cookie": f"{COOKIE}={secret}"}).status_code == 200


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://games.example", "__Host-sealedmove"),
        ("https://127.0.0.1:8443", "__Host-sealedmove"),
        ("http://127.0.0.1:8000", "sealedmove-8000"),
        ("http://localhost:9000", "sealedmove-9000"),
        ("http://[::1]:9000", "sealedmove-9000"),
        ("http://127.0.0.1", "sealedmove-80"),
        ("http://games.example", None),
        ("http://192.168.1.7:8000", None),
        ("http://127.0.0.1.games.example", None),
    ],
)
def test_each_port_has_its_own_cookie_and_plain_http_none(url: str, name: str | None):
    """Ports of a host share their cookies, and anybody on the network reads plain HTTP."""
    settings = Settings(master=bytes(32), database_url="", public_url=url, hosts=("192.168.1.8:8000",))
    assert cookie_name_of(settings, urlsplit(url).netloc) == name
    assert cookie_name_of(settings, "192.168.1.8:8000") == (name if settings.is_https else None)


def test_over_plain_http_nobody_is_signed_in(tmp_path):
    """The page says so and has no button; posting the form anyway does not use up the link."""
    plain = harness(sqlite_url(tmp_path), public_url="http://192.168.1.7:8000")
    browser = Client(plain.app, browses=True, at="http://192.168.1.7:8000")
    assert "Open this server over" in browser.get("/login").get_data(as_text=True)
    answer = browser.sign_in(plain, ADA)
    assert answer.status_code == 403
    assert "off over plain HTTP" in answer.get_data(as_text=True)
    assert "Set-Cookie" not in answer.headers
    assert "<button>Sign in" not in browser.get(f"/login/{plain.link(ADA)}").get_data(as_text=True)
    program = Client(plain.app, at=browser.at)
    assert program.post("/v1/login/confirm", json={"token": plain.link(ADA)}).status_code == 201
    plain.services.database.dispose()


# --- which requests count it ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("headers", ELSEWHERE)
def test_the_api_ignores_a_cookie_sent_by_another_page(ada: Client, headers):
    """Another host, port or scheme, an address typed by hand, a program: all are signed out."""
    assert ada.get("/v1/me", headers=headers).get_json()["code"] == "not-signed-in"
    assert ada.patch("/v1/me", json={"name": "Eve"}, headers=headers).get_json()["code"] == "not-signed-in"
    assert ada.get("/v1/me", headers=PAGE).get_json()["name"] == "Ada"


def test_the_api_accepts_the_cookie_from_its_own_pages(ada: Client):
    """With a header that forms cannot send; event streams and downloads cannot send it, and change nothing."""
    assert ada.get("/v1/me", headers=OWN).get_json()["scopes"] == ["account", "play", "read"]
    assert ada.get("/v1/me", headers={"Origin": f"https://{HOST}"}).status_code == 200
    assert ada.patch("/v1/me", json={"name": "Ada L."}, headers=OWN).status_code == 401
    assert ada.patch("/v1/me", json={"name": "Ada L."}, headers={**OWN, "X-Sealed-Move": "1"}).status_code == 401
    assert ada.get("/v1/me", headers=OWN).get_json()["name"] == "Ada"
    assert ada.patch("/v1/me", json={"name": "Ada L."}, headers=PAGE).get_json()["name"] == "Ada L."


def test_a_token_comes_before_a_cookie(hall: Harness, ada: Client):
    """With a token, even an invalid one, the cookie is ignored."""
    ben = hall.player(1)
    assert ada.get("/v1/me", headers={**PAGE, **ben.auth}).get_json()["name"] == "Player 1"
    assert ada.get("/v1/me", headers={**PAGE, "Authorization": "Bearer x"}).get_json()["code"] == "bad-token"


@pytest.mark.parametrize("site", ["none", "cross-site", "same-site", "same-origin"])
def test_navigation_to_a_page_uses_the_cookie(ada: Client, site: str):
    """From a bookmark, a mail or another page."""
    goes = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    answer = ada.get("/", headers=goes)
    assert ">Ada</a>" in answer.get_data(as_text=True)
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert {*answer.headers["Vary"].split(", ")} >= FOUR


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "object"},
        {},
    ],
)
def test_no_other_page_learns_who_is_signed_in(ada: Client, headers):
    """A frame, a picture or a script of another origin gets the public answer, and no new cookie."""
    answer = ada.get("/", headers=headers)
    assert mentions("Ada", answer.get_data(as_text=True)) == 0
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "Set-Cookie" not in answer.headers


def test_answers_to_a_cookie_are_not_shared_with_other_origins_or_cached(ada: Client):
    """Other answers name in `Vary` what they depend on."""
    for path, status in (("/v1/me", 200), ("/v1/games/00000000-0000-4000-8000-000000000000/view", 404)):
        answer = ada.get(path, headers=OWN)
        assert answer.status_code == status
        assert answer.headers["Cache-Control"] in ("private, no-store", "no-store")
        assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]
        assert {*answer.headers["Vary"].split(", ")} >= FOUR
    assert {*ada.get("/v1/games").headers["Vary"].split(", ")} >= FOUR


# --- the list -------------------------------------------------------------------------------------------------------


def test_sessions_are_listed_and_ended_one_by_one(hall: Harness, ada: Client):
    """Each with its times; the current one is marked, and an ended one is signed out."""
    hall.clock.forward(hours=3)
    other = hall.browser()
    other.sign_in(hall, ADA)
    listed = ada.get("/v1/me/sessions", headers=OWN).get_json()
    assert [(one["current"], one["created_at"], one["last_used_at"]) for one in listed] == [
        (True, "2026-11-21T10:00:00Z", "2026-11-21T13:00:00Z"),
        (False, "2026-11-21T13:00:00Z", "2026-11-21T13:00:00Z"),
    ]
    assert ada.delete(f"/v1/me/sessions/{listed[1]['id']}", headers=PAGE).status_code == 204
    assert (who(other), len(ada.get("/v1/me/sessions", headers=OWN).get_json())) == (None, 1)


def test_a_player_cannot_end_the_session_of_another(hall: Harness, ada: Client):
    """Nor learn whether it exists; and a token needs the scope."""
    ben = hall.player(1)
    [mine] = ada.get("/v1/me/sessions", headers=OWN).get_json()
    assert hall.client.delete(f"/v1/me/sessions/{mine['id']}", headers=ben.auth).status_code == 404
    narrow = ben.post("/me/tokens", {"name": "n", "scopes": ["read"]}).get_json()["token"]
    refused = hall.client.get("/v1/me/sessions", headers={"Authorization": f"Bearer {narrow}"})
    assert refused.get_json()["code"] == "missing-scope"
    assert ada.get("/v1/me", headers=OWN).status_code == 200


def test_an_erased_account_is_signed_in_nowhere(hall: Harness, ada: Client):
    """Its sessions are deleted."""
    erase_account(hall.services, ada.get("/v1/me", headers=OWN).get_json()["id"])
    assert ada.get("/v1/me", headers=OWN).status_code == 401
    assert kept(hall) == 0


# --- names of the server --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["elsewhere.example", f"{HOST}.elsewhere.example", f"{HOST}:8000", "127.0.0.1", "x y"])
def test_an_unknown_host_name_is_421(hall: Harness, ada: Client, host: str):
    """A foreign name that points here would give its pages our answers; for pages and the API."""
    for path in ("/", "/v1/games", "/login"):
        answer = ada.get(path, headers={**OWN, "Host": host})
        assert answer.status_code == 421
        assert mentions("Ada", answer.get_data(as_text=True)) == 0
    problem = ada.get("/v1/games", headers={"Host": host}).get_json()
    assert (problem["code"], problem["facts"]) == ("wrong-host", {"expected": f"https://{HOST}"})
    assert hall.client.post("/v1/login", json={"email": BEN}, headers={"Host": host}).status_code == 421
    with hall.services.database.read() as session:
        assert session.scalar(sa.select(LoginLink.id).where(LoginLink.email == BEN)) is None
    assert hall.client.get("/healthz", headers={"Host": host}).status_code == 200


def test_configured_host_names_are_answered(tmp_path):
    """All loopback names are one; capitals and a default port make no difference."""
    local = harness(sqlite_url(tmp_path), public_url="http://127.0.0.1:8000", hosts=("inside:9000",))
    for host in ("127.0.0.1:8000", "localhost:8000", "LocalHost:8000", "[::1]:8000", "inside:9000"):
        assert local.client.get("/", headers={"Host": host}).status_code == 200, host
    for host in ("127.0.0.1", "localhost:8001", "inside"):
        assert local.client.get("/", headers={"Host": host}).status_code == 421, host
    local.services.database.dispose()


def test_hsts_is_sent_over_https_only(hall: Harness, tmp_path):
    for path in ("/", "/v1/games", "/v1/nowhere", "/healthz", "/static/style.css"):
        with hall.client.get(path) as answer:
            assert answer.headers["Strict-Transport-Security"] == "max-age=31536000", path
    plain = harness(sqlite_url(tmp_path / "plain"), public_url="http://127.0.0.1:8000")
    assert "Strict-Transport-Security" not in plain.client.get("/", base_url="http://127.0.0.1:8000").headers
    plain.services.database.dispose()


def test_the_number_of_an_ended_session_is_not_used_again(each_hall: Harness):
    """A page that still names the old session ends no other one."""
    ada_of(each_hall)
    with each_hall.services.database.write() as session:
        ended = session.scalars(sa.delete(WebSession).returning(WebSession.id)).one()
    ada_of(each_hall)
    with each_hall.services.database.read() as session:
        assert session.scalars(sa.select(WebSession.id)).one() > ended
