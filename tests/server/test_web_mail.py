"""What one chose about mail, as forms without a script and as links in mails: what each does, and how little."""

from __future__ import annotations

import re

import pytest
import sqlalchemy as sa

from server.kernel import secrets
from server.kernel.db.models import Account, Notification, Seat
from server.mailbox.choices import KINDS
from tests.kit.absent import mentions
from tests.server.harness import MASTER, Client, Harness, Player

FORM = {
    **dict.fromkeys(KINDS, "on"), "delay": "15", "remind": "hours", "hours": "3, 24", "digest_hour": "07:30",
    "quiet_from": "22:00", "quiet_until": "07:00", "on_site": "yes",
}  # fmt: skip


@pytest.fixture
def browser(hall: Harness, two: list[Player]) -> Client:
    """A browser that the first player is signed in on."""
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


def test_the_form_of_the_account_does_what_the_api_does(two: list[Player], browser: Client):
    """And shows it again; a box that is not ticked is off."""
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


def test_what_cannot_be_is_said_beside_its_field_and_changes_nothing(two: list[Player], browser: Client):
    """With what was typed."""
    for wrong, why in (
        ({"hours": "0"}, "hours-wrong"),
        ({"quiet_until": ""}, "quiet-wrong"),
        ({"delay": "x"}, "invalid"),
    ):
        answer = browser.post("/account/mail-choices", data=FORM | wrong)
        assert (answer.status_code, why in words(answer)) == (422, True)
    assert chosen(two[0])["delay"] == 0


def test_a_form_of_another_page_chooses_nothing(hall: Harness, two: list[Player], browser: Client, game: str):
    """Nor does anybody who is not signed in."""
    foreign = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    for path in ("/account/mail-choices", f"/games/{game}/mail"):
        assert browser.post(path, data=FORM | {"turn": "off"}, headers=foreign).status_code == 403
        assert hall.browser().post(path, data=FORM | {"turn": "off"}).status_code == 401
    assert chosen(two[0])["turn"] == "on"


def test_a_table_has_a_mail_page_for_its_players(hall: Harness, two: list[Player], browser: Client, game: str):
    """It is found from the game's page, and says what counts everywhere."""
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
    return f"/m/{secrets.choice_token(MASTER, name, player.account, game)}"


def test_a_link_does_nothing_by_get_and_its_one_thing_by_post(hall: Harness, two: list[Player], game: str):
    """Without a cookie, as a mail program does it by one click; and it can be taken back."""
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


def test_a_link_of_an_erased_account_opens_nothing(hall: Harness, two: list[Player]):
    """Though it is one that we wrote."""
    path = wish("off", two[0])
    assert hall.client.get(path).status_code == 200
    assert two[0].erase().status_code == 204
    assert (hall.client.get(path).status_code, hall.client.post(path).status_code) == (410, 410)


def test_no_more_digests_leaves_the_other_mails_alone(hall: Harness, two: list[Player], browser: Client):
    """Only what comes in them is off."""
    browser.post("/account/mail-choices", data=FORM | {"turn": "digest", "over": "digest"})
    hall.client.post(wish("no-digest", two[0]), data={"List-Unsubscribe": "One-Click"})
    assert {kind: chosen(two[0])[kind] for kind in KINDS} == dict.fromkeys(KINDS, "on") | {"turn": "off", "over": "off"}


def test_a_link_of_all_mail_counts_at_tables_where_something_else_was_chosen(
    hall: Harness, two: list[Player], browser: Client, game: str
):
    """It stops all mail; their other choices for that table stay."""
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


def test_a_link_is_dead_with_its_seat_or_its_account_and_another_s_is_none(hall: Harness, two: list[Player], game: str):
    """Nothing changes then; a token of another label or account does not count."""
    path = wish("digest", two[0], game)
    with hall.services.database.write() as session:
        session.execute(sa.update(Seat).where(Seat.game_id == game, Seat.seat == 0).values(account_id=None))
    for bad in (path, f"/m/{secrets.login_token(MASTER, 1)}", wish("off", two[0])[:-1] + "A", "/m/x"):
        assert hall.client.get(bad).status_code == 410
        assert hall.client.post(bad).status_code == 410
    assert chosen(two[0])["turn"] == "on"
    two[0].erase()
    assert hall.client.post(wish("off", two[0])).status_code == 410
    with hall.services.database.read() as session:
        assert session.get_one(Account, two[0].account).erased_at is not None


def test_a_link_opens_nothing_else(hall: Harness, two: list[Player], game: str):
    """Its token signs nobody in, does not open the API, and stops no other table."""
    token = wish("digest", two[0], game).rpartition("/")[2]
    for path in (f"/login/{token}", f"/u/{token}", f"/waiting/{token}"):
        assert hall.browser().post(path).status_code == 410
    assert hall.client.get("/v1/me", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    answer = hall.client.post(f"/m/{token}")
    assert "Set-Cookie" not in answer.headers


def test_the_log_of_mails_is_a_list_of_ones_own(hall: Harness, two: list[Player], browser: Client, game: str):
    """By the API and as a page, and for one table; strangers have no look at it."""
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
    assert "Not sent: your settings switch off emails of this kind." in page
    assert re.search(r'href="/account/mails\?after=\d+"', page)
    assert "Emails sent to you" in words(browser.get(f"/games/{game}/mail"))
    assert two[0].get(f"/me/mail/games/{game}/why").get_json()["game"] == game
    assert hall.player(2).get(f"/me/mail/games/{game}/why").status_code == 403
    assert hall.browser().get("/account/mails").headers["Location"] == "/login?next=/account/mails"
    assert browser.get("/account/mails?after=x").status_code == 400
