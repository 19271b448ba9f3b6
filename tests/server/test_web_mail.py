"""Mail settings as forms without a script and as links in mails: what each changes and what it leaves alone."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
import sqlalchemy as sa

from server.kernel import secrets
from server.kernel.db.models import Account, Notification, Seat
from server.mailbox import page as mailbox_page
from server.mailbox.choices import ALWAYS, KIND_OF, KINDS
from tests.kit.absent import mentions
from tests.server.harness import MASTER, Client, Harness, Player

FORM = {
    **dict.fromkeys(KINDS, "on"), "delay": "15", "remind": "hours", "hours": "3, 24", "digest_hour": "07:30",
    "quiet_from": "22:00", "quiet_until": "07:00", "on_site": "yes",
}  # fmt: skip


@pytest.fixture
def browser(hall: Harness, two: list[Player]) -> Client:
    """A browser in which the first player is signed in."""
    made = hall.browser()
    assert made.sign_in(hall, "player0@example.org").status_code == 303
    return made


@pytest.fixture
def game(hall: Harness, two: list[Player]) -> str:
    return hall.game("pig", two)


def chosen(player: Player) -> dict:
    return player.get("/me/mail").get_json()


def words(answer) -> str:
    return re.sub(r"\s+", " ", answer.get_data(as_text=True))


def test_the_form_changes_the_settings_of_the_api(two: list[Player], browser: Client):
    """It shows them again; an unchecked box is off."""
    assert browser.post("/account/mail-choices", data=FORM | {"turn": "digest"}).status_code == 303
    shown = chosen(two[0])
    assert (shown["turn"], shown["delay"], shown["hours"], shown["picture"], shown["on_site"]) == (
        "digest", 15, [24, 3], False, True,
    )  # fmt: skip
    assert (shown["quiet_from"], shown["digest_hour"]) == ("22:00", "07:30")
    page = words(browser.get("/account"))
    assert '<option value="digest" selected>' in page
    assert 'value="24, 3"' in page
    assert 'name="picture" value="yes"> Include a picture' in page
    assert browser.post("/account/mail-choices", data=FORM | {"quiet_from": "", "quiet_until": ""}).status_code == 303
    assert chosen(two[0])["quiet_from"] is None


def test_an_invalid_setting_is_refused_at_its_field(two: list[Player], browser: Client):
    """With the typed value; nothing changes."""
    for wrong, why in (
        ({"hours": "0"}, "hours-wrong"),
        ({"quiet_until": ""}, "quiet-wrong"),
        ({"delay": "x"}, "invalid"),
    ):
        answer = browser.post("/account/mail-choices", data=FORM | wrong)
        assert (answer.status_code, why in words(answer)) == (422, True)
    assert chosen(two[0])["delay"] == 0


def test_a_form_of_another_page_changes_no_setting(hall: Harness, two: list[Player], browser: Client, game: str):
    """Nor does a form without a session."""
    foreign = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    for path in ("/account/mail-choices", f"/games/{game}/mail"):
        assert browser.post(path, data=FORM | {"turn": "off"}, headers=foreign).status_code == 403
        assert hall.browser().post(path, data=FORM | {"turn": "off"}).status_code == 401
    assert chosen(two[0])["turn"] == "on"


def test_a_table_has_a_mail_page_for_its_players(hall: Harness, two: list[Player], browser: Client, game: str):
    """Linked from the game's page; it shows the account's settings."""
    hall.player(2)
    path = f"/games/{game}/mail"
    assert f'href="{path}"' in words(browser.get(f"/games/{game}"))
    browser.post("/account/mail-choices", data=FORM | {"over": "off"})
    assert "default (no email)" in words(browser.get(path))
    given = {"turn": "digest", "delay": "", "hours": "", "picture": "no", "muted": "yes"}
    assert browser.post(path, data=given).status_code == 303
    there = two[0].get(f"/me/mail/games/{game}").get_json()
    assert (there["turn"], there["over"], there["delay"], there["picture"], there["muted"]) == (
        "digest", None, None, False, True,
    )  # fmt: skip
    stranger = hall.browser()
    stranger.sign_in(hall, "player2@example.org")
    assert stranger.get(path).status_code == 403
    assert stranger.post(path, data=given).status_code == 403


def wish(name: str, player: Player, game: str | None = None) -> str:
    with player.harness.services.database.read() as session:
        return f"/m/{secrets.choice_token(MASTER, name, session.get_one(Account, player.account), game)}"


def test_a_mail_link_acts_on_post_only(hall: Harness, two: list[Player], game: str):
    """Without a cookie, as one click of a mail program; it can be undone."""
    nobody = hall.app.test_client(use_cookies=False)
    one_click = {"List-Unsubscribe": "One-Click"}
    expected = {"digest": {"turn": "on"}, "text": {"picture": False}, "off": dict.fromkeys(KINDS, "off")}
    for name, after in expected.items():
        before, path = chosen(two[0]), wish(name, two[0], game if name == "digest" else None)
        page = nobody.get(path)
        assert (page.status_code, page.headers["Cache-Control"]) == (200, "no-store")
        assert mentions("player0", words(page).lower()) + mentions("Player 0", words(page)) == 0
        assert chosen(two[0]) == before
        assert nobody.post(path, data=one_click).status_code == 200
        assert chosen(two[0]) == before | after
        there = two[0].get(f"/me/mail/games/{game}").get_json()["in_force"]
        assert name != "digest" or {there[kind] for kind in KINDS} == {"digest"}
        assert nobody.post(path, data={"again": "yes"}).status_code == 200
        assert chosen(two[0]) == before
    assert two[0].get(f"/me/mail/games/{game}").get_json()["turn"] is None


def test_a_mail_link_of_an_erased_account_is_refused(hall: Harness, two: list[Player]):
    """Although its signature is valid."""
    path = wish("off", two[0])
    assert hall.client.get(path).status_code == 200
    assert two[0].erase().status_code == 204
    assert (hall.client.get(path).status_code, hall.client.post(path).status_code) == (410, 410)


@pytest.mark.parametrize("values", [{"handle": "abcdefgh"}, {"created_at": datetime(2026, 1, 1, tzinfo=UTC)}])
def test_a_mail_link_of_a_lost_account_changes_nothing_for_the_one_that_has_its_number_now(
    hall: Harness, two: list[Player], values: dict[str, Any]
):
    """A restored database gives numbers again."""
    old, before = wish("off", two[0]), chosen(two[0])
    with hall.services.database.write() as session:
        session.execute(sa.update(Account).where(Account.id == two[0].account).values(values))
    assert (hall.client.get(old).status_code, hall.client.post(old).status_code) == (410, 410)
    assert chosen(two[0]) == before
    assert hall.client.post(wish("off", two[0])).status_code == 200


def test_pages_show_what_a_link_has_switched_off(hall: Harness, two: list[Player], browser: Client, game: str):
    """Until the reader decides, by the link or by the form of the settings."""
    table, everywhere = "A link in one of our emails was used", "Emails about your games are off."
    token = secrets.unsubscribe_token(MASTER, game, 0, 1)
    hall.client.post(f"/u/{token}", data={"List-Unsubscribe": "One-Click"})
    assert table in words(browser.get("/account"))
    assert "Stop them for good" in words(hall.client.get(f"/u/{token}"))
    hall.client.post(f"/u/{token}", data={"again": "yes"})
    assert table not in words(browser.get("/account"))
    hall.client.post(wish("off", two[0]))
    assert everywhere in words(browser.get("/account"))
    assert "Undo" in words(hall.client.get(f"{wish('off', two[0])}?undo"))
    browser.post("/account/mail-choices", data=FORM)
    assert everywhere not in words(browser.get("/account"))
    assert "Stop all emails about games?" in words(hall.client.get(f"{wish('off', two[0])}?undo"))


def test_stopping_digests_leaves_other_mails_on(hall: Harness, two: list[Player], browser: Client):
    browser.post("/account/mail-choices", data=FORM | {"turn": "digest", "over": "digest"})
    hall.client.post(wish("no-digest", two[0]), data={"List-Unsubscribe": "One-Click"})
    assert {kind: chosen(two[0])[kind] for kind in KINDS} == dict.fromkeys(KINDS, "on") | {"turn": "off", "over": "off"}


def test_a_stopped_digest_is_told_as_that_and_comes_back_whole(hall: Harness, two: list[Player], browser: Client):
    """Whatever was in it; other mail was never off."""
    browser.post("/account/mail-choices", data=FORM | {"started": "digest", "over": "digest"})
    before, link = chosen(two[0]), wish("no-digest", two[0])
    hall.client.post(link, data={"List-Unsubscribe": "One-Click"})
    assert "<b>Some emails about your games are off.</b>" in words(browser.get("/account"))
    assert "You get the daily digest again" in words(hall.client.post(link, data={"again": "yes"}))
    assert chosen(two[0]) == before
    assert "emails about your games are off" not in words(browser.get("/account"))


def test_stopping_all_mail_overrides_the_settings_of_tables(
    hall: Harness, two: list[Player], browser: Client, game: str
):
    """The other settings of that table stay."""
    there = f"/games/{game}/mail"
    in_force = lambda: two[0].get(f"/me/mail/games/{game}").get_json()["in_force"]  # noqa: E731 - said once
    one_click = {"List-Unsubscribe": "One-Click"}
    hall.client.post(wish("digest", two[0], game), data=one_click)
    hall.client.post(wish("no-digest", two[0]), data=one_click)
    assert {in_force()[kind] for kind in KINDS} == {"off"}
    assert {chosen(two[0])[kind] for kind in KINDS} == {"on"}
    hall.client.post(wish("no-digest", two[0]), data={"again": "yes"})
    assert (in_force()["turn"], chosen(two[0])["turn"]) == ("digest", "on")
    for name, before, after in (
        ("off", {"turn": "on", "over": "digest"}, dict.fromkeys(KINDS, "off")),
        ("text", {"picture": "yes"}, {"picture": False}),
    ):
        browser.post(there, data={"delay": "7", **before})
        hall.client.post(wish(name, two[0]), data=one_click)
        assert in_force().items() >= (after | {"delay": 7}).items()


def test_a_mail_link_ends_with_its_seat_or_account(hall: Harness, two: list[Player], game: str):
    """Nothing changes then; a token of another label or account is refused."""
    path = wish("digest", two[0], game)
    with hall.services.database.write() as session:
        session.execute(sa.update(Seat).where(Seat.game_id == game, Seat.seat == 0).values(account_id=None))
    *token, last = wish("off", two[0])
    changed = "".join([*token, "Q" if last == "A" else "A"])
    for bad in (path, "/m/" + hall.link("player0@example.org"), changed, "/m/x"):
        assert hall.client.get(bad).status_code == 410
        assert hall.client.post(bad).status_code == 410
    assert chosen(two[0])["turn"] == "on"
    two[0].erase()
    assert hall.client.post(wish("off", two[0])).status_code == 410
    with hall.services.database.read() as session:
        assert session.get_one(Account, two[0].account).erased_at is not None


def test_a_mail_link_opens_nothing_else(hall: Harness, two: list[Player], game: str):
    """Its token does not sign in, does not work in the API, and stops no other table."""
    token = wish("digest", two[0], game).rpartition("/")[2]
    for path in (f"/login/{token}", f"/u/{token}", f"/waiting/{token}"):
        assert hall.browser().post(path).status_code == 410
    assert hall.client.get("/v1/me", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    answer = hall.client.post(f"/m/{token}")
    assert "Set-Cookie" not in answer.headers


def test_players_see_the_log_of_their_own_mails_only(hall: Harness, two: list[Player], browser: Client, game: str):
    """By the API and as a page, for all tables or one."""
    with hall.services.database.write() as session:
        for account in (player.account for player in two):
            for seq in range(60):
                made = {"dedupe_key": f"turn.{account}.{seq}", "kind": "turn", "account_id": account, "game_id": game}
                state = {"seat": 0, "seq": seq, "state": "dropped", "reason": "off"}
                times = {"created_at": hall.clock(), "next_at": hall.clock()}
                session.execute(sa.insert(Notification).values(**made, **state, **times))
    answer = two[0].get("/me/mails?limit=50")
    body = answer.get_json()
    assert (len(body["mails"]), body["mails"][0]["state"], body["mails"][0]["reason"]) == (50, "not-sent", "off")
    assert f"after={body['next']}" in answer.headers["Link"]
    assert two[0].get("/me/mails", headers={"If-None-Match": answer.headers["ETag"]}).status_code in (200, 304)
    rest = two[0].get(f"/me/mails?after={body['next']}&game={game}").get_json()
    assert len(rest["mails"]) >= 10
    theirs = {one["id"] for one in two[1].get("/me/mails?limit=100").get_json()["mails"]}
    assert theirs.isdisjoint(one["id"] for one in body["mails"])
    page = words(browser.get("/account/mails"))
    assert "UTC</time> · Not sent: your settings switch off emails of this kind." in page
    assert re.search(r'href="/account/mails\?after=\d+"', page)
    assert "Emails sent to you" in words(browser.get(f"/games/{game}/mail"))
    assert two[0].get(f"/me/mail/games/{game}/why").get_json()["game"] == game
    assert hall.player(2).get(f"/me/mail/games/{game}/why").status_code == 403
    assert hall.browser().get("/account/mails").headers["Location"] == "/login?next=/account/mails"
    assert browser.get("/account/mails?after=x").status_code == 400


def test_the_time_of_a_sent_mail_is_shown_once(hall: Harness, two: list[Player], browser: Client, game: str):
    """In the sentence about it; an email that was not sent has the time at which it was made beside the sentence."""
    now = hall.clock()
    with hall.services.database.write() as session:
        made = {"dedupe_key": "turn.sent", "kind": "turn", "account_id": two[0].account, "game_id": game, "seat": 0}
        sent = {"seq": 0, "state": "sent", "sent_at": now, "created_at": now, "next_at": now}
        session.execute(sa.insert(Notification).values(**made, **sent))
    (shown,) = re.findall(r"<li>.*?Sent on .*?</li>", words(browser.get("/account/mails")))
    assert shown.count(f"{now:%H:%M} UTC") == 1


def test_each_kind_of_email_has_a_name_in_the_list(hall: Harness, two: list[Player], browser: Client, monkeypatch):
    """And none is called by the word of its row."""
    kinds = {*KIND_OF, *ALWAYS, "digest"}
    monkeypatch.setattr(mailbox_page, "MOST_SHOWN", 100)
    with hall.services.database.write() as session:
        for kind in kinds:
            made = {"dedupe_key": kind, "kind": kind, "account_id": two[0].account, "state": "dropped", "reason": "off"}
            session.execute(sa.insert(Notification).values(**made, created_at=hall.clock(), next_at=hall.clock()))
    shown = re.findall(r"<li><span>(.*?)<br>", browser.get("/account/mails").get_data(as_text=True))
    assert len(shown) >= len(kinds)
    assert kinds.isdisjoint(shown)
