"""Refused inviters: their account alone sees them, also those refused by a mail's link, and may take it back."""

from __future__ import annotations

import re

import pytest
import sqlalchemy as sa

from server.kernel.db.models import Account, Uninvited
from tests.server.boxes import code
from tests.server.harness import Client, Harness, Player
from tests.server.test_invitations import handle, invite, link, received, table

ONE_CLICK = {"List-Unsubscribe": "One-Click"}
ALLOW = re.compile(r'action="(/account/refusal/[0-9]+)"')


@pytest.fixture
def people(any_hall: Harness) -> list[Player]:
    return [any_hall.player(number) for number in range(3)]


@pytest.fixture
def three(hall: Harness) -> list[Player]:
    return [hall.player(number) for number in range(3)]


def refused(player: Player) -> list[str | None]:
    """By whom the player is not invited; None: by nobody at all."""
    return [one["by"] and one["by"]["handle"] for one in player.get("/me/refused-inviters").get_json()]


def allow_all(player: Player) -> None:
    for one in player.get("/me/refused-inviters").get_json():
        assert player.delete(f"/me/refused-inviters/{one['id']}").status_code == 204


def refuse_by_link(hall: Harness, host: Player, to: str, **form: str) -> None:
    invite(host, table(host), to)
    assert hall.browser().post(link(hall), data=form).status_code == 200


def rows(hall: Harness) -> list[tuple[int | None, bool]]:
    """The account of each refusal, and whether it has a mailbox."""
    with hall.services.database.read() as session:
        found = session.execute(sa.select(Uninvited.account_id, Uninvited.box_mac).order_by(Uninvited.id))
        return [(account_id, box is not None) for account_id, box in found]


def test_a_refusal_by_the_link_in_a_mail_is_shown_and_taken_back(any_hall: Harness, people: list[Player]):
    """Although nobody was signed in, and the mail program itself may have pressed."""
    host, guest, friend = people
    refuse_by_link(any_hall, host, "player1@example.org", **ONE_CLICK)
    invite(friend, table(friend), handle(guest))
    assert (refused(guest), received(guest)) == ([None], [])
    assert [refused(other) for other in (host, friend)] == [[], []]
    assert [one["by_id"] for one in guest.get("/me/export").get_json()["refused_inviters"]] == [None]
    assert host.get("/me/export").get_json()["refused_inviters"] == []
    allow_all(guest)
    assert (refused(guest), len(received(guest)), rows(any_hall)) == ([], 1, [])


def test_a_refusal_of_one_inviter_names_them(any_hall: Harness, people: list[Player]):
    """And one of everybody is another, which stays."""
    host, guest, friend = people
    for by in (host, friend):
        invite(by, table(by), handle(guest))
        [mine] = received(guest)
        guest.post(f"/me/invitations/{mine['id']}/decline", {"never": "host"})
    refuse_by_link(any_hall, host, "player1@example.org", never="anybody")
    assert refused(guest) == [None, handle(friend), handle(host)]
    [_, one, _] = guest.get("/me/refused-inviters").get_json()
    assert (one["by"]["name"], one["since"]) == ("Player 2", "2026-11-21T10:00:00Z")
    guest.delete(f"/me/refused-inviters/{one['id']}")
    assert refused(guest) == [None, handle(host)]


def test_one_refusal_is_shown_once_however_often_it_was_said(hall: Harness, three: list[Player]):
    """By the account, and by its mailbox before the mail knew the account."""
    host, guest, _ = three
    refuse_by_link(hall, host, "player1@example.org", **ONE_CLICK)
    invite(host, table(host), handle(guest))
    hall.browser().post(link(hall), data=ONE_CLICK)
    assert (len(rows(hall)), refused(guest)) == (2, [None])
    allow_all(guest)
    assert rows(hall) == []


def test_nobody_sees_or_takes_back_the_refusal_of_another_account(hall: Harness, three: list[Player]):
    """Nor of another mailbox, such as one to which the link was forwarded; the answer is that of no refusal."""
    host, guest, friend = three
    refuse_by_link(hall, host, "player1@example.org", **ONE_CLICK)
    [number] = [one["id"] for one in guest.get("/me/refused-inviters").get_json()]
    for other, what in ((host, number), (friend, number), (guest, number + 1)):
        assert code(other.delete(f"/me/refused-inviters/{what}")) == (404, "not-found")
    assert refused(guest) == [None]


def test_a_mailbox_that_has_changed_hands_takes_back_its_own_part(hall: Harness, three: list[Player]):
    """What its earlier owner has refused for their account stays."""
    host, guest, friend = three
    invite(host, table(host), handle(guest))
    [mine] = received(guest)
    guest.post(f"/me/invitations/{mine['id']}/decline", {"never": "anybody"})
    move(hall, guest, "new@example.org")
    move(hall, friend, "player1@example.org")
    assert (refused(guest), refused(friend)) == ([None], [None])
    allow_all(friend)
    assert (refused(guest), refused(friend), rows(hall)) == ([None], [], [(guest.account, False)])
    allow_all(guest)
    assert rows(hall) == []


def move(hall: Harness, player: Player, email: str) -> None:
    with hall.services.database.write() as session:
        session.get_one(Account, player.account).email = email


def test_an_account_that_has_moved_takes_back_its_own_part(hall: Harness, three: list[Player]):
    host, guest, _ = three
    invite(host, table(host), handle(guest))
    [mine] = received(guest)
    guest.post(f"/me/invitations/{mine['id']}/decline", {"never": "anybody"})
    move(hall, guest, "new@example.org")
    allow_all(guest)
    assert rows(hall) == [(None, True)]


def test_the_account_page_shows_refused_inviters_with_a_button(hall: Harness, three: list[Player]):
    """And the page after declining leads there, if further invitations were refused."""
    host, _, friend = three
    browser = signed_in(hall)
    assert 'id="invitations"' not in browser.get("/account").get_data(as_text=True)
    invite(host, table(host), "player1@example.org")
    said = hall.browser().post(link(hall), data={"never": "host"}).get_data(as_text=True)
    assert 'href="/account#invitations"' in said
    shown = browser.get("/account").get_data(as_text=True)
    assert ("<bdi>Player 0</bdi>" in shown, 'id="invitations"' in shown) == (True, True)
    [path] = ALLOW.findall(shown)
    assert browser.post(path).status_code == 303
    assert ALLOW.findall(browser.get("/account").get_data(as_text=True)) == []
    invite(friend, table(friend), "player1@example.org")
    said = hall.browser().post(link(hall), data={"never": ""}).get_data(as_text=True)
    assert 'href="/account#invitations"' not in said


def test_a_page_of_another_origin_takes_nothing_back(hall: Harness, three: list[Player]):
    host, guest, _ = three
    refuse_by_link(hall, host, "player1@example.org", **ONE_CLICK)
    browser = signed_in(hall)
    [path] = ALLOW.findall(browser.get("/account").get_data(as_text=True))
    assert browser.post(path, headers={"Sec-Fetch-Site": "same-site"}).status_code == 403
    assert refused(guest) == [None]


def signed_in(hall: Harness) -> Client:
    browser = hall.browser()
    browser.sign_in(hall, "player1@example.org")
    return browser
