"""The account's page: what it lists, what its forms do without a script, whose forms they are, and the banner."""

import re
from itertools import product

import pytest
import sqlalchemy as sa

from server.http import credentials
from server.kernel.db.models import Account, ApiToken, Hook, WebSession
from tests.kit.absent import not_told
from tests.server import boxes
from tests.server.harness import SENT, Client, Harness, Player, seed_of

OWN = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def ada(hall: Harness) -> Player:
    return hall.player(0)


@pytest.fixture
def browser(hall: Harness, ada: Player) -> Client:
    """A browser with a session of Ann's."""
    made = hall.browser()
    assert made.sign_in(hall, "player0@example.org").status_code == 303
    return made


def page(browser: Client) -> str:
    return browser.get("/account").get_data(as_text=True)


def test_readers_without_a_session_sign_in_first(hall: Harness):
    """And come back; a form that they send changes nothing."""
    stranger = hall.browser()
    assert stranger.get("/account").headers["Location"] == "/login?next=/account"
    assert stranger.post("/account/end-all").status_code == 401


def test_sessions_and_programs_are_listed_with_when_they_were_made_and_last_used(
    hall: Harness, ada: Player, browser: Client
):
    """Sessions, tokens, webhooks, bots, a calendar's link; names that are markup are text."""
    ada.post("/me/tokens", {"name": "<b>my</b> program", "scopes": ["read"]})
    ada.post("/me/hooks", {"url": "https://hook.example/x", "name": "my hook"})
    ada.post("/me/bots", {"name": "Deep"})
    browser.post("/account/calendar")
    boxes.put(ada, seed_of("recovery"))
    text = page(browser)
    for words in (
        "&lt;b&gt;my&lt;/b&gt; program",
        "my hook",
        "to hook.example",
        "Deep",
        "<b>This browser</b>",
        ada.kid,
    ):
        assert words in text
    assert "<b>my</b>" not in text
    assert text.count("last used <time") >= 1
    assert text.count("never used") >= 4
    assert "Only your recovery code opens it" in text


def test_the_account_page_explains_what_a_mailbox_gives_access_to(browser: Client):
    """Beside the address: look at hands, move where mails move; and that the rest needs a key or seven days."""
    said = " ".join(page(browser).split())
    for words in (
        "can sign in as you, see your cards, and move at tables that accept moves by email",
        "also needs your key",
    ):
        assert words in said


def test_name_and_zone_are_changed_and_what_is_wrong_is_said_beside_its_field(
    hall: Harness, ada: Player, browser: Client
):
    """The typed values are still there, and nothing has changed."""
    for name, zone, why in (("Ada", "Mars/Olympus", "zone-wrong"), ("", "UTC", "name-wrong")):
        answer = browser.post("/account", data={"name": name, "zone": zone})
        assert (answer.status_code, why in answer.get_data(as_text=True)) == (422, True)
    assert (ada.get("/me").get_json()["name"], ada.get("/me").get_json()["zone"]) == ("Player 0", "UTC")
    assert browser.post("/account", data={"name": "Ada", "zone": "Europe/Berlin"}).status_code == 303
    assert (ada.get("/me").get_json()["name"], ada.get("/me").get_json()["zone"]) == ("Ada", "Europe/Berlin")


def test_one_language_is_spoken_and_said_to_be_the_only_one(browser: Client):
    """Each page declares it for screen readers and translators; there is no choice."""
    said = page(browser)
    assert '<html lang="en">' in said
    assert "are in English" in said
    assert 'name="language"' not in said


def test_pages_tell_times_in_the_zone_of_their_reader(ada: Player, browser: Client):
    """Until a script tells them in that of the device."""
    assert "UTC</time>" in page(browser)
    browser.post("/account", data={"name": "Ada", "zone": "Asia/Tokyo"})
    assert "JST</time>" in page(browser)
    assert "UTC</time>" not in page(browser)


def test_without_a_script_what_cannot_be_undone_waits_and_every_page_says_so(
    hall: Harness, ada: Player, browser: Client
):
    """With a button that cancels it, on every device."""
    for data in ({"act": "erase"}, {"act": "drop-key", "about": ada.kid}):
        assert browser.post("/account/waiting", data=data).status_code == 303
    browser.post("/account/address", data={"email": "<ada>@new.example"})
    other = hall.browser()
    other.sign_in(hall, "player0@example.org")
    text = other.get("/tables").get_data(as_text=True)
    assert "to delete your account" in text
    assert ada.kid in text
    numbers = re.findall(r'action="/account/cancel/(\d+)"', text)
    assert len(numbers) == len(ada.get("/me/waiting").get_json())
    for number in numbers:
        assert other.post(f"/account/cancel/{number}").status_code == 303
    assert ada.get("/me/waiting").get_json() == []
    assert "/account/cancel/" not in page(browser)


def test_each_button_ends_its_own_row_and_nobody_elses(hall: Harness, ada: Player, browser: Client):
    """A token, a webhook, a session, a bot's tokens; the number of another account's row is not found."""
    token = ada.post("/me/tokens", {"name": "t", "scopes": ["read"]}).get_json()["id"]
    hook = ada.post("/me/hooks", {"url": "https://hook.example/x", "name": "h"}).get_json()["id"]
    bot = ada.post("/me/bots", {"name": "Deep"}).get_json()["id"]
    ben = hall.browser()
    ben.sign_in(hall, "ben@example.org")
    rows = {"token": token, "hook": hook, "bot": bot, "session": 1}
    for what, number in rows.items():
        assert ben.post(f"/account/{what}/{number}").status_code == 404
    with hall.services.database.read() as session:
        assert session.get_one(ApiToken, token).revoked_at is None
        assert session.scalar(sa.select(sa.func.count()).select_from(WebSession)) == 2
    for what, number in rows.items():
        assert browser.post(f"/account/{what}/{number}").status_code == 303
    with hall.services.database.read() as session:
        assert session.get_one(ApiToken, token).revoked_at is not None
        assert session.get(Hook, hook) is None
        live = (ApiToken.account_id == bot, ApiToken.revoked_at.is_(None))
        assert session.scalar(sa.select(ApiToken.id).where(*live)) is None
        assert session.get_one(Account, bot).erased_at is None
    assert browser.get("/account").status_code == 303


def test_one_button_ends_this_session_and_all_else(hall: Harness, ada: Player, browser: Client):
    """The browser is told to forget its cookie, too; another one's opens nothing any more."""
    other = hall.browser()
    other.sign_in(hall, "player0@example.org")
    assert other.get("/account").status_code == 200
    answer = browser.post("/account/end-all")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/login")
    assert "Max-Age=0" in answer.headers["Set-Cookie"]
    assert [one.get("/account").status_code for one in (browser, other)] == [303, 303]
    assert credentials.sessions_of(hall.services, ada.account) == []  # nor does a copy of the cookie that is forgotten
    assert ada.get("/me").status_code == 401


def test_another_page_presses_no_button_of_it(hall: Harness, ada: Player, browser: Client):
    """Another port of this host no more than another host, although the cookie came along."""
    forms = ("/account", "/account/address", "/account/waiting", "/account/end-all", "/account/session/1")
    for path, site in product(forms, ("cross-site", "same-site", "none")):
        data = {"name": "Eve", "zone": "UTC", "act": "erase", "email": "eve@example.org"}
        assert browser.post(path, data=data, headers={**SENT, "Sec-Fetch-Site": site}).status_code == 403
    assert ada.get("/me/waiting").get_json() == []
    assert ada.get("/me").get_json()["name"] == "Player 0"
    assert browser.get("/account").status_code == 200


def members(told):
    """The names of all members, at any depth."""
    below = told.values() if isinstance(told, dict) else told if isinstance(told, list) else ()
    return [*(told if isinstance(told, dict) else ()), *(name for one in below for name in members(one))]


def test_the_export_has_all_that_is_kept_and_nothing_of_anybody_else(hall: Harness, ada: Player, browser: Client):
    """It is a link of the page; secrets and what a game hides are not in it."""
    ben = hall.player(1)
    game = hall.game("bids", [ada, ben])
    ada.post("/me/tokens", {"name": "my program", "scopes": ["read"]})
    boxes.put(ada, seed_of("recovery"))
    made = browser.get("/v1/me/export", headers={**OWN, "Sec-Fetch-Mode": "navigate"})
    told = made.get_json()
    assert "attachment" in made.headers["Content-Disposition"]
    assert made.headers["Cache-Control"] == "private, no-store"
    assert told["account"]["email"] == "player0@example.org"
    assert [seat["game_id"] for seat in told["seats"]] == [game]
    assert [one["kid"] for one in told["keys"]] == [ada.kid]
    assert told["keybox"][0]["box"] == boxes.box(ada, seed_of("recovery"))
    assert [one["name"] for one in told["tokens"]][-1] == "my program"
    assert len(told["sessions"]) == 1
    text = made.get_data(as_text=True)
    for secret in ("player1@", "Player 1", ada.token):
        not_told(secret, text)
    assert not [name for name in members(told) if any(part in name for part in ("hash", "secret", "opening"))]
    assert browser.get("/v1/me/export", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 401
