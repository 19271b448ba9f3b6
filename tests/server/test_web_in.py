"""Pages to sign in and to stop mail: GET does nothing, and the button does what it says."""

import re

import pytest

from server.kernel import secrets
from server.kernel.db.models import Seat
from tests.server.harness import HOST, MASTER
from tests.server.test_web import text, words


@pytest.fixture
def bids(hall, two):
    """A running game with hidden information."""
    return hall.game("bids", two)


# --- signing in -----------------------------------------------------------------------------------------------------


def test_a_form_requests_a_link(hall):
    """A wrong address is refused at its field; known and unknown ones get the same answer."""
    wrong = hall.client.post("/login", data={"email": "<nobody>"})
    assert wrong.status_code == 422
    assert "Enter a valid email address" in words(wrong)
    assert 'value="&lt;nobody&gt;"' in text(wrong)
    first = hall.client.post("/login", data={"email": "ada@example.org"})
    assert first.status_code == 202
    assert first.data == hall.client.post("/login", data={"email": "Ada@example.org"}).data


def test_a_new_player_gives_a_name_behind_the_link(hall):
    """It is asked once: a page for an account that exists has no such field, and a name sent to it changes nothing."""
    browser, form = hall.browser(), {"email": "ada@example.org"}
    for name in ("Ada", "Eve"):
        assert hall.client.post("/login", data=form).status_code == 202
        link = f"/login/{hall.link('ada@example.org')}"
        assert ("Name at the table" in words(browser.get(link))) == (name == "Ada")
        assert browser.post(link, data={"name": name}).status_code == 303
        assert "Ada" in text(browser.get("/"))


@pytest.mark.parametrize("name", ["\0", "x" * 41])
def test_an_invisible_name_is_refused(hall, link, name):
    """At its field; the link still works."""
    browser = hall.browser()
    answer = browser.post(link, data={"name": name})
    assert answer.status_code == 422
    assert "Enter a name of 1 to 40" in words(answer)
    assert browser.post(link, data={"name": " "}).status_code == 303


def test_looking_at_a_link_does_not_use_it(hall, link):
    """GET and HEAD, as mail scanners do, show a button; the POST after them still signs in."""
    browser = hall.browser()
    for _ in range(3):
        assert browser.get(link).status_code == 200
        assert browser.head(link).status_code == 200
    assert "Sign in as ada@example.org" in words(browser.get(link))
    assert browser.post(link).status_code == 303
    assert "Ada" in text(browser.get("/"))


def test_a_link_works_once(hall, link):
    """The second press gets a page with a refusal, and no cookie."""
    assert hall.browser().post(link).status_code == 303
    again = hall.browser().post(link)
    assert again.status_code == 410
    assert "Set-Cookie" not in again.headers


@pytest.mark.parametrize("token", ["x", "A" * 43, "%C3%A9", "A" * 3000])
def test_an_unknown_link_is_refused(hall, token):
    """By GET and by POST, as a page."""
    for path in (f"/login/{token}", f"/u/{token}"):
        assert hall.client.get(path).status_code == 410
        assert "The link has been used, has expired or was never sent." in words(hall.client.post(path))


def test_no_token_is_cached_or_logged(hall, link, two, bids, caplog):
    """Pages behind a token are not cached, and no logger at DEBUG shows the token of the link or the session."""
    caplog.set_level("DEBUG")
    browser = hall.browser()
    stop = f"/u/{secrets.unsubscribe_token(MASTER, bids, 0, 1)}"
    answers = [
        browser.get(link),
        browser.post(link),
        hall.browser().post(link),
        hall.client.get(stop),
        hall.client.post(stop),
    ]
    logged = "".join(f"{record.msg}{record.args}{record.getMessage()}" for record in caplog.records)
    assert "/login/<token>" in logged
    session = browser.get_cookie("__Host-sealedmove", HOST).value
    for secret in (link.rpartition("/")[2], stop.rpartition("/")[2], session):
        assert secret not in logged
    for answer in answers:
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Referrer-Policy"] == "strict-origin"
        assert "ETag" not in answer.headers


# --- no more mail ---------------------------------------------------------------------------------------------------


def is_muted(hall, game, seat=0):
    with hall.services.database.read() as session:
        return session.get_one(Seat, (game, seat)).muted


def test_mail_stops_by_post_only(hall, bids):
    """GET asks; the one-click POST of a mail program works without a cookie, and can be undone."""
    path = f"/u/{secrets.unsubscribe_token(MASTER, bids, 0, 1)}"
    assert "Stop emails" in words(hall.client.get(path))
    assert not is_muted(hall, bids)
    stopped = hall.app.test_client(use_cookies=False).post(path, data={"List-Unsubscribe": "One-Click"})
    assert stopped.status_code == 200
    assert is_muted(hall, bids)
    assert not is_muted(hall, bids, 1)
    hall.client.post(path, data={"again": "yes"})
    assert not is_muted(hall, bids)


@pytest.mark.slow
def test_the_page_names_a_clock_only_if_one_runs(hall, two):
    """A game without a clock goes on; one that has finished does not."""
    clocked, unclocked, over = hall.game("bids", two), hall.game("bids", two, clock=None), hall.game("pig", two)
    hall.play_out(over, two)
    for game, said in ((clocked, "The game goes on:"), (unclocked, "The game goes on."), (over, None)):
        path = f"/u/{secrets.unsubscribe_token(MASTER, game, 0, 1)}"
        asked, stopped, undo = hall.client.get(path), hall.client.post(path), hall.client.get(path)
        for shown in map(words, (asked, stopped, undo)):
            assert re.findall(r"The game goes on.", shown) == ([said] if said else [])
        assert ("whose turn it is" in words(stopped)) == bool(said)


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data"])
def test_both_forms_of_one_click_are_accepted(hall, bids, kind):
    """RFC 8058 lets a mail program send either."""
    path = f"/u/{secrets.unsubscribe_token(MASTER, bids, 1, 2)}"
    hall.client.post(path, data={"List-Unsubscribe": "One-Click"}, content_type=kind)
    assert is_muted(hall, bids, 1)
