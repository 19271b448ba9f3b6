"""Guests: they play against house players without an address, with nobody else, and keep all if they add one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa

from server.accounts import statements
from server.accounts.guests import write as guests
from server.accounts.keys import write as keys_write
from server.http import credentials
from server.http.credentials import SCOPES
from server.kernel import quarantine, secrets
from server.kernel.db.models import Account, Hook, Message, Outbox, Place, WaitingAct, WebSession
from server.log import quotas
from tests.databases import BOTH_DAILY
from tests.server.browsers import OWN, PAGE, who
from tests.server.harness import MASTER, Client, Harness, Player, seed_of, sqlite_url
from tests.server.test_bots import bot_of, house_player, sit
from tests.server.test_races import together
from tests.server.test_talk import refused, say

WAITING = sa.text(
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
ALONE = {"type": "pig", "seats": 2, "handover": "none", "house": [{"seat": 1, "level": "fair"}]}


def arrives(hall: Harness, number: int = 50) -> tuple[Client, Player]:
    """A new guest: the browser, and the same person with a token and a key, for shorter tests."""
    browser = hall.browser()
    made = browser.post("/v1/guests", json={}, headers=PAGE)
    assert made.status_code == 201, made.get_data(as_text=True)
    account = made.get_json()["account"]
    with hall.services.database.write() as session:
        token, _ = credentials.issue_token(hall.services, session, account, "a test", SCOPES)
    guest = Player(hall, number, seed_of(f"guest {number}"), token, account)
    nonce = statements.give_challenge(hall.services, account).nonce
    keys_write.register(hall.services, account, hall.signed_nonce(guest.seed, nonce))
    return browser, guest


def test_one_press_signs_a_guest_in_and_a_second_one_changes_nothing(hall: Harness):
    browser, guest = arrives(hall)
    assert who(browser) == f"Guest {guest.get('/me').get_json()['handle'][:4]}"
    again = browser.post("/v1/guests", json={}, headers=PAGE)
    assert (again.status_code, again.get_json()) == (201, {"account": guest.account})
    assert guest.get("/me").get_json()["email"] == ""


def test_a_guest_is_not_promised_an_email(hall: Harness):
    """They have no address."""
    _, guest = arrives(hall)
    robot = house_player(hall, "York")
    game = guest.post("/games", ALONE).get_json()["id"]
    guest.join(game, 0)
    sit(robot, game, 1)
    says = guest.get(f"/me/mail/games/{game}/why").get_json()["says"]
    assert says == "It is your turn. This account has no email address, so no email is sent."


def test_only_a_page_of_this_server_makes_a_guest(hall: Harness):
    for headers in ({}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.example"}):
        browser = hall.browser()
        browser.browses = False
        assert browser.post("/v1/guests", json={}, headers=headers).status_code == 403
    with hall.services.database.read() as session:
        assert session.scalar(sa.select(sa.func.count()).where(Account.guest_since.is_not(None))) == 0


def test_a_guest_plays_with_house_players_only(hall: Harness, two: list[Player]):
    """Nobody else joins, and the guest joins nobody else."""
    ada, _ = two
    _, guest = arrives(hall)
    robot = house_player(hall, "York")
    for wish in ({"type": "pig", "seats": 2}, ALONE | {"seats": 3}, ALONE | {"handover": "both"}):
        assert refused(guest.post("/games", wish)) == (403, "guest")
    game = guest.post("/games", ALONE).get_json()["id"]
    guest.join(game, 0)
    assert sit(robot, game, 1).status_code == 201
    assert hall.client.get(f"/v1/games/{game}").get_json()["status"] == "running"
    other = ada.post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    assert refused(guest.join(other, 0)) == (403, "guest")


def test_a_guest_is_asked_for_an_address_before_the_first_table_with_people(hall: Harness, two: list[Player]):
    """By a link in the place of the button that would be refused; their own table has that button."""
    browser, guest = arrives(hall)
    house_player(hall, "York")
    other = two[0].post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    html = browser.get(f"/games/{other}").get_data(as_text=True)
    assert '<a class="button" href="/account#address">Add your email address to join</a>' in html
    assert 'data-act="join"' not in html
    own = guest.post("/games", ALONE).get_json()["id"]
    assert 'data-act="join"' in browser.get(f"/games/{own}").get_data(as_text=True)


def test_nobody_sits_down_at_a_guests_table(hall: Harness, two: list[Player]):
    """Although the seat for a house player became free; a house player may, but no other bot."""
    _, guest = arrives(hall)
    york = house_player(hall, "York")
    game = guest.post("/games", ALONE).get_json()["id"]
    assert hall.client.delete(f"/v1/games/{game}/house/1", headers=guest.auth).status_code == 204
    assert refused(two[0].join(game, 1)) == (403, "guest-table")
    assert refused(sit(bot_of(two[0]), game, 1)) == (403, "guest-table")
    assert sit(york, game, 1).status_code == 201


def test_a_guest_has_no_handle_for_others(hall: Harness, two: list[Player]):
    """It would lead to no page, and to an invitation that a guest cannot accept."""
    _, guest = arrives(hall)
    house_player(hall, "York")
    game = guest.post("/games", ALONE).get_json()["id"]
    handle = guest.get("/me").get_json()["handle"]
    assert handle not in hall.client.get(f"/v1/games/{game}").get_data(as_text=True)
    own = two[0].post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    assert refused(two[0].post(f"/games/{own}/invitations", {"to": handle})) == (404, "no-such-player")


def test_a_guest_does_not_mail_talk_invite_or_run_programs(hall: Harness, two: list[Player]):
    """No refusal leaves a word at the table, a place for somebody, or anything to mail."""
    _, guest = arrives(hall)
    house_player(hall, "York")
    game = guest.post("/games", ALONE).get_json()["id"]
    guest.join(game, 0)
    handle = two[0].get("/me").get_json()["handle"]
    hook = {"url": "https://hooks.example/here", "name": "a hook"}
    for path, body in (
        (f"/games/{game}/invitations", {"to": handle}),
        (f"/games/{game}/invitations", {"to": "friend@example.org"}),
        ("/me/hooks", hook),
        ("/me/bots", {"name": "Robot"}),
        ("/me/tokens", {"name": "a program", "scopes": ["play"]}),
    ):
        assert refused(guest.post(path, body)) == (403, "guest"), path
    assert refused(say(guest, game)) == (403, "guest")
    with hall.services.database.read() as session:
        assert not session.scalars(sa.select(Outbox.kind).where(Outbox.game_id == game)).all()
        assert [session.scalar(sa.select(sa.func.count()).select_from(made)) for made in (Message, Hook)] == [0, 0]
        assert session.scalars(sa.select(Place.kind).where(Place.game_id == game)).all() == ["house"]


def test_a_confirmed_address_makes_an_account_like_any_other(hall: Harness, two: list[Player]):
    """It keeps name, seats and keys. One link suffices, since no old address could object."""
    browser, guest = arrives(hall)
    house_player(hall, "York")
    game = guest.post("/games", ALONE).get_json()["id"]
    guest.join(game, 0)
    account = browser.get("/account").get_data(as_text=True)
    assert "in this browser only. If it loses its data, nobody can bring your games back." in account
    browser.post("/account/address", data={"email": "cy@example.org"}, headers=OWN)
    assert "Open the link that we sent to this address." in browser.get("/account").get_data(as_text=True)
    confirmed = confirm(hall, guest)
    assert confirmed.status_code == 200
    assert "recovery code" in confirmed.get_data(as_text=True)  # offered at the same moment
    with hall.services.database.read() as session:
        account = session.get_one(Account, guest.account)
        assert (account.email, account.guest_since) == ("cy@example.org", None)
    assert say(guest, game).status_code == 201
    assert [one["id"] for one in guest.get("/me/games").get_json()["games"]] == [game]


def test_the_address_of_another_account_is_not_given_to_a_guest(hall: Harness, two: list[Player]):
    """Only the reader of its mail learns that it has an account."""
    browser, guest = arrives(hall)
    assert browser.post("/account/address", data={"email": "player0@example.org"}, headers=OWN).status_code == 303
    assert confirm(hall, guest).status_code == 409
    assert guest.get("/me").get_json()["email"] == ""


def test_the_reader_of_a_mistyped_address_does_not_get_the_account(hall: Harness, two: list[Player]):
    """Once the right one is confirmed, the link in the other mail does nothing."""
    browser, guest = arrives(hall)
    for email in ("cy@exmaple.org", "cy@example.org"):
        browser.post("/account/address", data={"email": email}, headers=OWN)
    assert confirm(hall, guest, "cy@example.org").status_code == 200
    assert confirm(hall, guest, "cy@exmaple.org").status_code == 410
    assert guest.get("/me").get_json()["email"] == "cy@example.org"


def confirm(hall: Harness, guest: Player, email: str | None = None):
    """The link in the mail to the new address, the only one if it is not named, opened anywhere."""
    mine = sa.select(WaitingAct).where(WaitingAct.account_id == guest.account)
    with hall.services.database.read() as session:
        act = session.scalars(mine if email is None else mine.where(WaitingAct.about == email)).one()
    token = secrets.waiting_token(MASTER, act, "new")
    return hall.browser().post(f"/waiting/{token}", data={"do": "confirm"}, headers=OWN)


def test_a_guest_ends_after_thirty_days_without_a_move(hall: Harness):
    """With every way to sign in; one who has moved stays."""
    _, idle = arrives(hall)
    _, busy = arrives(hall, 51)
    robot = house_player(hall, "York")
    game = busy.post("/games", ALONE).get_json()["id"]
    busy.join(game, 0)
    sit(robot, game, 1)
    hall.clock.forward(days=29)
    players = {0: busy, 1: robot}
    players[hall.client.get(f"/v1/games/{game}").get_json()["active"][0]].move(game, [{"do": "roll"}])
    assert guests.end_idle(hall.services) == 0
    hall.clock.forward(days=2)
    assert guests.end_idle(hall.services) == 1
    with hall.services.database.read() as session:
        assert session.get_one(Account, idle.account).erased_at is not None
        assert session.get_one(Account, busy.account).erased_at is None
        left = sa.select(WebSession.account_id).distinct()
        assert list(session.scalars(left)) == [busy.account]
    assert guests.end_idle(hall.services) == 0


def test_a_guest_who_comes_back_in_the_last_moment_stays(each_hall: Harness, monkeypatch: pytest.MonkeyPatch):
    """The address is confirmed while the guest before them is erased."""
    hall = each_hall
    (_, first), (browser, guest) = arrives(hall), arrives(hall, 51)
    hall.clock.forward(days=31)
    browser.post("/account/address", data={"email": "cy@example.org"}, headers=OWN)
    wakes = hall.services.waker.wake

    def comes_back(*told: object) -> None:
        monkeypatch.setattr(hall.services.waker, "wake", wakes)
        assert confirm(hall, guest).status_code == 200

    monkeypatch.setattr(hall.services.waker, "wake", comes_back)
    assert guests.end_idle(hall.services) == 1
    with hall.services.database.read() as session:
        assert session.get_one(Account, first.account).erased_at is not None
        assert (account := session.get_one(Account, guest.account)).erased_at is None
        assert account.email == "cy@example.org"


def test_a_guest_that_cannot_be_deleted_holds_up_no_other(hall: Harness, monkeypatch: pytest.MonkeyPatch):
    """It is set aside and tried again later."""
    monkeypatch.setattr(guests, "BATCH", 1)
    (_, broken), (_, other) = arrives(hall), arrives(hall, 51)
    erases = guests.erase_account_in

    def fails(services, session, account_id: int) -> list[int]:
        if account_id == broken.account:
            raise RuntimeError("this account cannot be deleted")
        return erases(services, session, account_id)

    monkeypatch.setattr(guests, "erase_account_in", fails)
    hall.clock.forward(days=31)
    for _ in range(3):
        guests.end_idle(hall.services)
    with hall.services.database.read() as session:
        assert session.get_one(Account, other.account).erased_at is not None
    assert [(one["loop"], one["key"]) for one in quarantine.listed(hall.services)] == [("guests", str(broken.account))]
    monkeypatch.setattr(guests, "erase_account_in", erases)
    hall.clock.forward(minutes=1)
    assert guests.end_idle(hall.services) == 1
    assert quarantine.listed(hall.services) == []


@pytest.mark.slow
@pytest.mark.parametrize("database", BOTH_DAILY)
def test_guests_at_the_same_time_do_not_pass_their_number_together(
    request: pytest.FixtureRequest, tmp_path: Path, open_house: Callable[..., Harness], database: str
):
    url = sqlite_url(tmp_path) if database == "sqlite" else request.getfixturevalue("postgres_url")
    hall = open_house(url, most_guests=2, limit_guests="")
    arrive = lambda: hall.browser().post("/v1/guests", json={}, headers=PAGE).status_code  # noqa: E731
    assert sorted(together(*[arrive] * 4)) == [201, 201, 503, 503]


@pytest.mark.slow
@pytest.mark.postgresql
def test_guests_are_counted_one_after_the_other(postgres_url: str, open_house: Callable[..., Harness]):
    """A request waits while another one counts, and then sees its guest. SQLite has one writer in any case."""
    hall = open_house(postgres_url, most_guests=1, limit_guests="")
    arrive = lambda: hall.browser().post("/v1/guests", json={}, headers=PAGE).status_code  # noqa: E731
    with ThreadPoolExecutor(1) as pool:
        with hall.services.database.write() as session:
            quotas.lock_guests(hall.services, session)
            late = pool.submit(arrive)
            while not late.done() and not session.scalar(WAITING):
                pass
            now = hall.services.now()
            session.add(Account(name="Guest", handle="abcdefgh", created_at=now, guest_since=now))
        assert late.result() == 503


def test_guests_are_limited_in_number_and_by_address(tmp_path, open_house):
    hall = open_house(sqlite_url(tmp_path), most_guests=2, limit_guests="3/hour")
    answers = [hall.browser().post("/v1/guests", json={}, headers=PAGE) for _ in range(4)]
    assert [one.status_code for one in answers] == [201, 201, 503, 429]
    assert answers[2].get_json()["code"] == "no-guests"
    shut = open_house(sqlite_url(tmp_path / "shut"), most_guests=0)
    house_player(shut, "York")
    assert "Sign in to play" in shut.browser().get("/").get_data(as_text=True)
