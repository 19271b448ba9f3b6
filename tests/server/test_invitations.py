"""Invitations to a table: seats kept for people by handle or address, without a way to learn who has an account."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
import sqlalchemy as sa

from server.kernel import secrets
from server.kernel.db.models import Account, Outbox, Place
from server.tables.invitations import write
from server.tables.limits import LIMITS
from tests.server import surfaces
from tests.server.browsers import PAGE
from tests.server.harness import MASTER, Harness, Player
from tests.server.test_bots import bot_of
from tests.server.test_hosting import code, shown, table
from tests.server.test_people import block


def handle(player: Player) -> str:
    return player.get("/me").get_json()["handle"]


def invite(host: Player, game: str, to: str, **more: Any):
    return host.post(f"/games/{game}/invitations", {"to": to, **more})


def made(host: Player, game: str) -> list[tuple[int, str]]:
    return [(one["seat"], one["state"]) for one in host.get(f"/games/{game}/invitations").get_json()]


def received(player: Player) -> list[dict]:
    return player.get("/me/invitations").get_json()


def events(hall: Harness, player: Player) -> list[str]:
    return [event["kind"] for event in surfaces.events(hall, player)]


@pytest.fixture
def people(any_hall: Harness) -> list[Player]:
    return [any_hall.player(number) for number in range(4)]


@pytest.fixture
def three(hall: Harness) -> list[Player]:
    return [hall.player(number) for number in range(3)]


@pytest.mark.parametrize("to", ["otto", "otto@"])
def test_a_name_is_not_invited_and_the_refusal_says_how_people_are_named(hall: Harness, to: str):
    """The document cannot state it as one pattern, so an author of clients learns it here."""
    host = hall.player(0)
    refused = invite(host, table(host), to)
    assert code(refused) == (422, "bad-fields")
    assert "an email address, or a handle: eight letters" in refused.get_json()["errors"]["json"]["to"][0]


@pytest.mark.parametrize("to", ["b\u00e9n@example.org", "ben@ex\u00e4mple.org", '"a@b"@example.org', "ben@[127.0.0.1]"])
def test_an_address_that_mail_cannot_go_to_is_not_invited(hall: Harness, to: str):
    """The mailer refuses it, so the seat would be kept for somebody who never hears of it."""
    host = hall.player(0)
    game, browser = table(host), hall.browser()
    assert code(invite(host, game, to)) == (422, "bad-fields")
    browser.sign_in(hall, "player0@example.org")
    refused = browser.post(f"/games/{game}/invitations", data={"to": to})
    assert (refused.status_code, "or an email address" in refused.get_data(as_text=True)) == (422, True)
    assert made(host, game) == []


@pytest.mark.parametrize("by", ["handle", "address"])
def test_an_invited_player_joins_a_table_that_is_closed_to_others(any_hall: Harness, people: list[Player], by: str):
    """The seat is kept for them alone; when they sit down the invitation has served."""
    host, guest, other, _ = people
    game = table(host, door="invited")
    to = handle(guest) if by == "handle" else "Player1@Example.org"
    answer = invite(host, game, to)
    assert (answer.status_code, answer.get_json()["seat"]) == (202, 2)
    [mine] = received(guest)
    assert (mine["game"], mine["seat"], mine["kind"], mine["by"]["name"]) == (game, 2, "person", "Player 0")
    assert received(other) == []
    assert code(other.join(game, 0)) == (403, "by-invitation")
    assert shown(any_hall, game)["seats"][2]["kept"] == "person"
    assert guest.join(game, 0).status_code == 201
    assert (received(guest), made(host, game)) == ([], [(2, "sat")])


def test_the_answer_for_an_address_is_the_same_whether_it_has_an_account(hall: Harness, three: list[Player]):
    """So are the rows, their number, and what the host reads later."""
    host = three[0]
    found = []
    for to in ("player1@example.org", "nobody@example.org"):
        game = table(host)
        answer = invite(host, game, to)
        with hall.services.database.read() as session:
            place = session.scalars(sa.select(Place).where(Place.game_id == game)).one()
            rows = session.scalars(sa.select(Outbox.kind).where(Outbox.game_id == game)).all()
        one = host.get(f"/games/{game}/invitations").get_json()[0] | {"id": 0, "email": ""}
        found.append((answer.status_code, set(answer.get_json()), place.account_id, rows, one))
    assert found[0] == found[1]
    assert events(hall, three[1]) == []  # the worker writes it, when it mails


def test_the_statements_for_known_and_unknown_addresses_are_the_same(hall: Harness, three: list[Player]):
    """No account is looked up, so the time does not depend on it."""
    ran: list[list[str]] = []
    games = [table(three[0]) for _ in range(3)]

    def note(_connection, _cursor, statement, *_more) -> None:
        ran[-1].append(statement)

    invite(three[0], games[2], "first@example.org")  # makes what is made once
    sa.event.listen(hall.services.database.writer, "before_cursor_execute", note)
    for game, to in zip(games, ("player1@example.org", "nobody@example.org"), strict=False):
        ran.append([])
        assert invite(three[0], game, to).status_code == 202
    sa.event.remove(hall.services.database.writer, "before_cursor_execute", note)
    assert ran[0] == ran[1]


def test_an_inviter_does_not_learn_whose_address_sits_at_the_table(hall: Harness, three: list[Player]):
    """The entry of somebody else leaves the invitation as it would leave one to an unknown address."""
    host, guest, other = three
    game = table(host)
    guest.join(game, 0)
    invite(host, game, "player1@example.org")
    assert other.join(game, 1).status_code == 201
    assert made(host, game) == [(2, "asked")]


def test_an_invitation_is_refused_with_a_code(hall: Harness, three: list[Player]):
    host, guest, other = three
    game = table(host, bots="none")
    assert code(invite(other, game, handle(guest))) == (403, "not-host")
    assert code(invite(host, game, "zzzzzzzz")) == (404, "no-such-player")
    assert code(invite(host, game, "not an address@")) == (422, "bad-fields")
    assert code(invite(host, game, handle(host))) == (409, "already-here")
    assert code(invite(host, game, "player0@example.org")) == (409, "already-here")
    assert code(invite(host, game, handle(guest), seat=3)) == (422, "no-such-seat")
    assert invite(host, game, handle(guest), seat=0).status_code == 202
    assert code(invite(host, game, handle(guest))) == (409, "already-here")
    assert code(invite(host, game, handle(other), seat=0)) == (409, "seat-kept")
    assert code(host.join(game, 0)) == (409, "seat-kept")
    assert host.join(game, 1).status_code == 201
    assert code(invite(host, game, handle(other), seat=1)) == (409, "seat-taken")
    assert invite(host, game, handle(other)).status_code == 202
    assert code(invite(host, game, "cy@example.org")) == (409, "no-free-seat")


def test_a_declined_or_withdrawn_seat_is_free_again(any_hall: Harness, people: list[Player]):
    """Both are safe twice; a stranger's invitation is not found."""
    host, guest, other, _ = people
    game = table(host, door="link")
    for _ in range(2):
        invite(host, game, handle(guest), seat=1)
        [mine] = received(guest)
        assert code(other.post(f"/me/invitations/{mine['id']}/decline")) == (404, "not-found")
        for _ in range(2):
            assert guest.post(f"/me/invitations/{mine['id']}/decline").status_code == 204
    assert events(any_hall, host) == ["declined", "declined"]
    number = invite(host, game, handle(guest), seat=1).get_json()["id"]
    for _ in range(2):
        assert host.delete(f"/games/{game}/invitations/{number}").status_code == 204
    assert made(host, game) == [(1, "declined"), (1, "declined"), (1, "withdrawn")]
    assert other.join(game, 1).status_code == 201


def test_an_invitation_ends_after_two_weeks_and_its_address_is_forgotten(any_hall: Harness, people: list[Player]):
    host, _, other, _ = people
    game = table(host, door="link")
    invite(host, game, "player1@example.org", seat=1)
    any_hall.clock.forward(days=13, hours=23)
    assert other.join(game, 0).status_code == 201  # so the table itself goes on
    assert code(host.join(game, 1)) == (409, "seat-kept")
    any_hall.clock.forward(hours=1)
    write.close_old(any_hall.services)
    assert made(host, game) == [(1, "over")]
    assert host.join(game, 1).status_code == 201
    with any_hall.services.database.read() as session:
        assert session.scalars(sa.select(Place.email)).all() == [None]


@pytest.mark.parametrize("never", ["host", "anybody"])
def test_a_player_who_refuses_invitations_sees_no_more_of_them(hall: Harness, three: list[Player], never: str):
    """The inviter does not learn of it: the answer and the list are as always. `host` is about one inviter."""
    host, guest, other = three
    first = invite(host, table(host), handle(guest)).get_json()["id"]
    assert guest.post(f"/me/invitations/{first}/decline", {"never": never}).status_code == 204
    for by, wanted in ((host, 0), (other, int(never == "host"))):
        for to in (handle(guest), "player1@example.org"):
            game = table(by)
            assert invite(by, game, to).status_code == 202
            assert made(by, game) == [(2, "asked")]
        assert len(received(guest)) == 2 * wanted
        assert events(hall, guest).count("invited") == 1 + wanted


@pytest.mark.parametrize("blocker", [0, 1])
def test_an_invitation_between_players_of_whom_one_has_blocked_the_other_reaches_nobody(
    hall: Harness, three: list[Player], blocker: int
):
    """Neither list nor event shows it; the inviter's answer and list are as always."""
    block(three[blocker], three[1 - blocker])
    game = table(three[0])
    assert invite(three[0], game, handle(three[1])).status_code == 202
    assert (made(three[0], game), received(three[1]), events(hall, three[1])) == ([(2, "asked")], [], [])


@pytest.mark.parametrize("whose", ["inviter", "invited"])
def test_a_block_counts_for_an_invitation_by_a_bot_and_to_one(hall: Harness, three: list[Player], whose: str):
    """Of the person who is responsible for it."""
    host, guest, _ = three
    block(guest, host)
    host, guest = (bot_of(host), guest) if whose == "inviter" else (host, bot_of(guest))
    game = table(host)
    assert invite(host, game, handle(guest)).status_code == 202
    assert (made(host, game), received(guest), events(hall, guest)) == ([(2, "asked")], [], [])


def test_invitations_are_limited_for_an_inviter(hall: Harness, three: list[Player], monkeypatch: pytest.MonkeyPatch):
    """Twenty a day, of which five by address; an address counts whether it has an account or not."""
    for name, most in (("invitations", 3), ("invited_addresses", 2)):
        monkeypatch.setitem(LIMITS, name, LIMITS[name]._replace(most=most))
    host, guest, other = three
    game = table(host, seats=4)
    assert invite(host, game, "nobody@example.org").status_code == 202
    assert invite(host, game, "player1@example.org").status_code == 202
    refused = invite(host, game, "player2@example.org").get_json()
    assert (refused["code"], refused["facts"]["limit"]) == ("too-many", "invited_addresses")
    assert invite(host, game, handle(other)).status_code == 202
    says = "Invitations in a day: you have reached the limit of 3."
    assert invite(host, game, handle(guest)).get_json()["title"] == says
    hall.clock.forward(days=1)
    assert invite(host, game, handle(guest)).status_code == 202


def test_a_removed_player_comes_back_by_an_invitation(hall: Harness, three: list[Player]):
    host, guest, _ = three
    game = table(host)
    guest.join(game, 1)
    host.delete(f"/games/{game}/seats/1?since=1")
    assert code(guest.join(game, 1)) == (403, "removed-by-host")
    invite(host, game, handle(guest), seat=1)
    assert guest.join(game, 1).status_code == 201


# --- the pages --------------------------------------------------------------------------------------------------------


def link(hall: Harness) -> str:
    with hall.services.database.read() as session:
        newest = session.scalars(sa.select(Place).order_by(Place.id.desc()).limit(1)).one()
    return f"/i/{secrets.invitation_token(MASTER, newest)}"


def test_the_page_behind_the_link_shows_who_invites_to_what_and_one_button(hall: Harness, three: list[Player]):
    """To somebody who has never been here; the button mails a sign-in link that leads to the table."""
    host = three[0]
    game = table(host, type="bids")
    host.join(game, 0)
    invite(host, game, "new@example.org")
    browser = hall.browser()
    shown_page = browser.get(link(hall))
    text = shown_page.get_data(as_text=True)
    assert "<bdi>Player 0</bdi> invites you to Bids</h1>" in text
    assert "At the table: <bdi>Player 0</bdi>." in text
    assert 'src="/play/bids/picture.svg"' in text
    assert "On Sealed Move you play board games over days or weeks" in text
    main = text.partition("<main")[2].partition("</main>")[0].partition("<details")[0]
    assert main.count("<button") == 1
    assert shown_page.headers["Cache-Control"] == "no-store"
    form = {"email": "new@example.org", "next": f"/games/{game}"}
    assert browser.post("/login", data=form).status_code == 202
    assert browser.post(f"/login/{hall.link('new@example.org')}").location == f"/games/{game}"
    assert "invites you to" in browser.get("/").get_data(as_text=True)


def test_declining_takes_one_press_and_no_session(hall: Harness, three: list[Player]):
    """A scanner that follows the link declines nothing."""
    host = three[0]
    game = table(host)
    invite(host, game, "new@example.org")
    browser = hall.browser()
    browser.get(link(hall))
    assert made(host, game) == [(2, "asked")]
    assert "You declined" in browser.post(link(hall), data={"never": "host"}).get_data(as_text=True)
    assert made(host, game) == [(2, "declined")]
    assert "The seat is not kept any more" in browser.get(link(hall)).get_data(as_text=True)
    assert hall.browser().get("/i/" + "A" * 43).status_code == 410


def test_somebody_with_another_address_takes_the_seat_by_the_link(hall: Harness, three: list[Player]):
    """The reader of the mail has an account under another address: the seat is kept for that one."""
    host, guest, _ = three
    game = table(host, door="invited")
    invite(host, game, "work@example.org")
    browser = hall.browser()
    browser.sign_in(hall, "player1@example.org")
    assert browser.post(link(hall), data={"do": "accept"}).location == f"/games/{game}"
    assert guest.join(game, 2).status_code == 201


@pytest.mark.parametrize("reader", ["seated", "guest"])
def test_a_reader_who_could_not_sit_down_takes_no_seat_by_the_link(hall: Harness, three: list[Player], reader: str):
    """It stays with the address: a player of the table may open a forwarded mail, and a guest have an account."""
    host, friend, invited = three
    game, browser = table(host, door="invited"), hall.browser()
    if reader == "guest":
        assert browser.post("/v1/guests", json={}, headers=PAGE).status_code == 201
    else:
        invite(host, game, handle(friend))
        assert friend.join(game, 0).status_code == 201
        browser.sign_in(hall, "player1@example.org")
    invite(host, game, "player2@example.org")
    assert browser.post(link(hall), data={"do": "accept"}).location == f"/games/{game}"
    assert [one["game"] for one in received(invited)] == [game]
    assert invited.join(game, 2).status_code == 201


def test_a_link_says_nothing_about_an_account_that_has_another_address(hall: Harness, three: list[Player]):
    """Nor does it act on one: a forwarded link may have been accepted by somebody to whom it was not mailed."""
    host, guest, friend = three
    game = table(host, door="invited")
    invite(host, game, "hosts-other@example.org")
    forwarded, browser = link(hall), hall.browser()
    browser.sign_in(hall, "player1@example.org")
    assert browser.post(forwarded, data={"do": "accept"}).location == f"/games/{game}"
    assert "player1@example.org" not in hall.browser().get(forwarded).get_data(as_text=True)
    assert guest.join(game, 2).status_code == 201
    assert hall.browser().post(forwarded, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    assert invite(friend, table(friend), handle(guest)).status_code == 202
    assert len(received(guest)) == 1
    assert not is_mailed(hall, invite(friend, table(friend), "hosts-other@example.org").get_json()["id"])


@pytest.mark.parametrize("values", [{"box_mac": bytes(32)}, {"made_at": datetime(2026, 1, 1, tzinfo=UTC)}])
def test_a_link_of_a_lost_invitation_does_not_answer_the_one_that_has_its_number_now(
    hall: Harness, three: list[Player], values: dict[str, Any]
):
    """A restored database gives numbers again."""
    game = table(three[0])
    invite(three[0], game, "new@example.org")
    old = link(hall)
    with hall.services.database.write() as session:
        session.execute(sa.update(Place).values(values))
    answers = [hall.browser().get(old), hall.browser().post(old, data={"never": "anybody"})]
    assert ([one.status_code for one in answers], made(three[0], game)) == ([410, 410], [(2, "asked")])
    assert hall.browser().get(link(hall)).status_code == 200


def is_mailed(hall: Harness, number: int) -> bool:
    with hall.services.database.write() as session:
        return write.to_mail(hall.services, session, session.get_one(Place, number)) is not None


def test_an_old_link_does_not_show_a_new_address(hall: Harness, three: list[Player]):
    host, guest, _ = three
    invite(host, table(host), handle(guest))
    assert "player1@example.org" in hall.browser().get(link(hall)).get_data(as_text=True)
    with hall.services.database.write() as session:
        session.get_one(Account, guest.account).email = "new@example.org"
    assert "new@example.org" not in hall.browser().get(link(hall)).get_data(as_text=True)


def test_a_host_invites_with_a_form(hall: Harness, three: list[Player]):
    host, guest, _ = three
    game = table(host)
    browser = hall.browser()
    browser.sign_in(hall, "player0@example.org")
    wrong = browser.post(f"/games/{game}/invitations", data={"to": "Ben"})
    assert (wrong.status_code, "Enter a handle of eight letters" in wrong.get_data(as_text=True)) == (422, True)
    assert browser.post(f"/games/{game}/invitations", data={"to": handle(guest)}).status_code == 303
    number = received(guest)[0]["id"]
    assert browser.post(f"/games/{game}/invitations/{number}/withdraw").status_code == 303
    assert made(host, game) == [(2, "withdrawn")]


def test_the_tables_page_has_the_hosts_forms_and_an_invited_players_button(hall: Harness, three: list[Player]):
    """A stranger at a table by invitation gets no button."""
    host, guest, _ = three
    game = table(host, door="invited", start="ready")
    host.join(game, 0)
    invite(host, game, handle(guest))
    texts = []
    for number in range(3):
        browser = hall.browser()
        browser.sign_in(hall, f"player{number}@example.org")
        texts.append(browser.get(f"/games/{game}").get_data(as_text=True))
    assert "Invite a player by handle or email address" in texts[0]
    assert "Seat 3 is kept for <bdi>Player 1</bdi>" in texts[0]
    assert "I am ready" in texts[0]
    assert 'data-act="join" data-seat="2"' in texts[1]
    assert 'data-act="join"' not in texts[2]
    assert "Only invited players may join this table." in texts[2]


def test_a_host_removes_a_player_and_passes_the_table_on_with_forms(hall: Harness, three: list[Player]):
    host, guest, other = three
    game = table(host)
    guest.join(game, 1)
    other.join(game, 2)
    browser = hall.browser()
    browser.sign_in(hall, "player0@example.org")
    assert "Make <bdi>Player 1</bdi> the host" in browser.get(f"/games/{game}").get_data(as_text=True)
    assert browser.post(f"/games/{game}/seats/1/remove", data={"since": "1"}).status_code == 303
    assert browser.post(f"/games/{game}/host", data={"seat": "2", "since": "1"}).status_code == 409, "others sat there"
    assert shown(hall, game)["host"] == handle(host)
    assert browser.post(f"/games/{game}/host", data={"seat": "2", "since": "2"}).status_code == 303
    assert shown(hall, game)["host"] == handle(other)
    assert browser.post(f"/games/{game}/keep").status_code == 403


def test_a_blocked_inviter_reaches_nobody_and_does_not_learn_of_it(hall: Harness, three: list[Player]):
    host, guest, _ = three
    hall.client.put(f"/v1/me/blocks/{handle(host)}", headers=guest.auth)
    game = table(host)
    assert invite(host, game, handle(guest)).status_code == 202
    assert (received(guest), made(host, game)) == ([], [(2, "asked")])
