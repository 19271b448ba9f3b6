"""Notifications: what reaches a push service, when, and what its answers do."""

from __future__ import annotations

import pytest

from engine.errors import EngineFault
from server.accounts import write as accounts
from server.hooks.push import write
from server.http import credentials
from server.kernel import quarantine
from server.kernel.db.models import PushSubscription, Seat
from server.mailbox import write as mailbox
from tests import databases
from tests.workers.harness import DAY
from tests.workers.push.conftest import ADA
from tests.workers.push.device import HOST, claims_of
from workers.deadlines import remind
from workers.hooks.delivery_policy import DeliveryPolicy
from workers.push import facts
from workers.push import sender as module
from workers.push.sender import PushSender

BEN = 2
BOTH = pytest.mark.parametrize("database_url", databases.BOTH, indirect=True)


def choose(house, account=ADA, **given) -> None:
    mailbox.change_choices(house.services, account, given)


@BOTH
def test_a_turn_is_shown_on_every_device_of_its_player(devices, house):
    """Once each, however often the rows are looked at; nothing on those of others."""
    devices.add("ada")
    devices.add("ada-phone")
    devices.add("ben", BEN)
    house.game(clock=None)
    assert sorted(devices.told()) == [("ada", "turn"), ("ada-phone", "turn"), ("ben", "started")]
    assert devices.told() == []


def test_a_notification_contains_kind_game_and_count_only(devices, house):
    """Encrypted for the device, and of one size whatever it says."""
    devices.add()
    other, game = house.game(clock=None), house.game(clock=None)
    first, second = devices.send()
    said = [devices.known["ada"].read(got.body) for got in (first, second)]
    assert sorted(said, key=lambda one: one["game"]) == [
        {"kind": "turn", "game": one, "count": 2} for one in sorted((other, game))
    ]
    assert len(first.body) == len(second.body)
    assert game.encode() not in second.body


def test_a_request_names_the_server_and_hides_the_game(devices, house):
    """With the time left for the move, and a topic by which a newer notification of a game replaces an older one."""
    devices.add("ada")
    devices.add("ada-phone")
    game = house.game(clock=2 * DAY)
    here, there = sorted(devices.send(), key=lambda got: got.target)
    claims = claims_of(here.headers["authorization"])
    assert (claims["aud"], claims["sub"]) == (f"https://{HOST}", "http://127.0.0.1:8000")
    assert here.headers["content-encoding"] == "aes128gcm"
    assert int(here.headers["ttl"]) == (house.seat(game, 0).deadline - house.time).total_seconds()
    assert len(here.headers["topic"]) == 32
    assert game[:8] not in here.headers["topic"]
    assert here.headers["topic"] != there.headers["topic"], "a push service could tell who plays together"


def test_news_keeps_its_topic_for_a_game(devices, house):
    """The next notification of the same game has it, too."""
    devices.add()
    game = house.game(clock=None)
    before = devices.send()[0].headers["topic"]
    house.resign(game, 1)
    assert [got.headers["topic"] for got in devices.send()] == [before]


def test_a_move_that_was_made_meanwhile_is_not_shown(devices, house):
    """The row gives the reason."""
    devices.add()
    game = house.game(clock=None)
    house.dispatch()
    house.move(game, 0, "roll; try hold")
    assert devices.told() == []
    assert devices.states() == [("dropped", "answered")]


@pytest.mark.parametrize("given", [{"turn": "off"}, {"quiet_from": "09:00", "quiet_until": "12:00"}, {"delay": 30}])
def test_a_notification_is_decided_like_a_mail(devices, house, given):
    """Kinds that are off, quiet hours and delays hold for both."""
    choose(house, **given)
    devices.add()
    house.game(clock=None)
    assert devices.told() == []
    house.pass_time(hours=3)
    assert devices.told() == ([] if "turn" in given else [("ada", "turn")])


def test_a_muted_table_is_silent_and_a_digest_collects_mails_only(devices, house):
    choose(house, turn="digest")
    devices.add()
    muted, game = house.game(clock=None), house.game(clock=None)
    mailbox.change_exceptions(house.services, ADA, muted, {"muted": True})
    assert [devices.known["ada"].read(got.body)["game"] for got in devices.send()] == [game]


def test_a_setting_that_changes_meanwhile_counts(devices, house):
    """It is read again before sending."""
    devices.add()
    house.game(clock=None)
    house.dispatch()
    choose(house, turn="off")
    assert devices.told() == []
    assert devices.states() == [("dropped", "off")]


def test_a_player_on_the_site_gets_it_after_they_have_left(devices, house):
    """If they want no mail while they are there."""
    choose(house, on_site=False)
    devices.add()
    house.game(clock=None)
    assert devices.told() == []
    house.pass_time(minutes=10)
    assert devices.told() == [("ada", "turn")]


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_has_ended_is_deleted(devices, house, status):
    """With the notifications that wait for it; other devices stay."""
    devices.add("ada")
    devices.add("ben", BEN)
    devices.service.answer = lambda got: status if got.target == "/ada" else 201
    house.game(clock=None)
    devices.send()
    assert [row.endpoint for row in devices.rows(PushSubscription)] == [devices.known["ben"].endpoint]
    assert devices.states() == [("sent", None)]


def test_a_service_that_asks_for_a_pause_gets_it(devices, house):
    """429 with `Retry-After` makes all notifications of the device wait, and does not count as an attempt."""
    devices.add()
    busy = b"HTTP/1.1 429 Later\r\nRetry-After: 600\r\nContent-Length: 0\r\n\r\n"
    devices.service.answer = lambda _: busy
    house.game(clock=None)
    assert len(devices.send()) == 1
    house.game(clock=None)
    assert devices.send() == []
    devices.service.answer = lambda _: 201
    house.pass_time(seconds=600)
    assert [kind for _, kind in devices.told()] == ["turn", "turn"]
    assert [row.attempts for row in devices.rows()] == [1, 1]


def test_a_service_that_fails_is_asked_again_and_given_up(devices, house):
    """An hour later the news is old, and a mail has come."""
    devices.add()
    devices.service.answer = lambda _: 503
    house.game(clock=None)
    tries = 0
    while devices.states() in ([], [("waiting", None)]):
        tries += len(devices.send())
        house.pass_time(hours=3)
    assert (tries, devices.states()) == (8, [("failed", "given-up")])


def test_a_signed_out_browser_gets_nothing(devices, house):
    """Its subscription ends with its session, and so does that of an erased account."""
    number = devices.add("ada")
    devices.add("ben", BEN)
    house.game(clock=None)
    house.dispatch()
    with house.services.database.write() as session:
        credentials.end_session(session, ADA, devices.one(number).session_id)
    accounts.erase_account(house.services, BEN)
    assert devices.send() == []
    assert (devices.rows(), devices.rows(PushSubscription)) == ([], [])


@BOTH
@pytest.mark.parametrize("status", [201, 410])
def test_an_answer_concerns_no_later_device(devices, house, status):
    """The device was unsubscribed while the request was open, and the next one has just been told of its first game."""

    def change_phones(got):
        if got.target != "/old":
            return 201
        write.delete(house.services, ADA, old)
        devices.add("new")
        house.game(clock=None)
        house.dispatch()
        return status

    devices.service.answer = change_phones
    old = devices.add("old")
    house.game(clock=None)
    assert devices.told() == [("old", "turn"), ("new", "turn")]
    assert devices.states() == [("sent", None)]


def test_a_session_that_has_expired_gets_nothing_and_is_forgotten(devices, house):
    devices.add()
    house.pass_time(days=91)
    house.game(clock=None)
    assert devices.send() == []
    assert devices.rows(PushSubscription) == []


def test_a_notification_that_cannot_be_made_is_set_aside(devices, house, monkeypatch):
    """The others are sent."""
    devices.add("ada")
    devices.add("ben", BEN)

    def fault(kind, game, waiting):
        if kind == "turn":
            raise EngineFault("a fault of this test")
        return text(kind, game, waiting)

    text = facts.text
    monkeypatch.setattr(facts, "text", fault)
    house.game(clock=None)
    assert devices.told() == [("ben", "started")]
    assert [item["loop"] for item in quarantine.listed(house.services)] == ["push"]
    monkeypatch.setattr(facts, "text", text)
    house.pass_time(days=1)
    assert devices.told() == [("ada", "turn")]
    assert quarantine.listed(house.services) == []


@pytest.mark.parametrize("answers", [0, 1])
def test_a_database_that_goes_away_between_two_leases_keeps_no_place(devices, house, monkeypatch, answers):
    """Only messages that were leased before take a place; if there are none, the round fails."""
    devices.add("ada")
    devices.add("ben", BEN)
    house.game(clock=None)
    house.dispatch()
    write, left = house.services.database.write, iter(range(answers))

    def away():
        if next(left, None) is None:
            raise OSError("the database does not answer")
        return write()

    sender = PushSender(house.ctx, DeliveryPolicy(), devices.service.wire())
    with monkeypatch.context() as patched:
        patched.setattr(house.services.database, "write", away)
        leased = sender._lease() if answers else []
        if not answers:
            with pytest.raises(OSError, match="does not answer"):
                sender._lease()
    assert (len(leased), sender.busy.count) == (answers, answers)


def test_old_notifications_are_deleted_however_many_there_are(devices, house, monkeypatch):
    """A batch in each round, not one an hour."""
    monkeypatch.setattr(module, "FORGET", 1)
    devices.add()
    for _ in range(3):
        house.game(clock=None)
    devices.send()
    house.pass_time(days=15)
    sender = PushSender(house.ctx, DeliveryPolicy(), devices.service.wire())
    for _ in range(3):
        sender._prepare()
    assert devices.rows() == []


def test_a_seat_that_was_taken_shows_nothing_to_its_former_holder(devices, house):
    """But the notice that it was taken."""
    devices.add()
    game = house.game(clock=None)
    house.dispatch()
    with house.services.database.write() as session:
        session.get_one(Seat, (game, 0)).account_id = 3
    assert devices.told() == []
    assert devices.states() == [("dropped", "seat-left")]


# --- beside mails -----------------------------------------------------------------------------------------------------


def mailed(house) -> list[str]:
    house.deliver()
    return [name for name in house.sink.subjects() if name.startswith("ada")]


def test_a_mail_comes_beside_a_notification_until_its_reader_wants_one_of_them(devices, house):
    """And until a notification was opened: nobody knows before that any arrive."""
    number = devices.add()
    house.game(clock=None)
    devices.send()
    assert mailed(house) == ["ada: Your turn"]
    choose(house, with_push=False)
    house.game(clock=None)
    devices.send()
    assert len(mailed(house)) == 2
    devices.click(number)
    house.game(clock=None)
    devices.send()
    house.pass_time(minutes=10)
    assert len(mailed(house)) == 2
    assert [row.reason for row in house.rows() if row.kind == "turn"] == [None, None, "pushed"]


def test_a_mail_waits_for_a_notification_and_comes_if_that_fails(devices, house):
    """For ten minutes at most, and not at all once the push service has refused it."""
    devices.click(devices.add())
    choose(house, with_push=False)
    house.game(clock=None)
    house.dispatch()
    assert mailed(house) == []
    devices.service.answer = lambda _: 503
    devices.send()
    house.pass_time(minutes=10)
    assert mailed(house) == ["ada: Your turn"]


def test_a_mail_comes_if_nothing_sends_notifications(devices, house):
    """The process may be down."""
    devices.click(devices.add())
    choose(house, with_push=False)
    house.game(clock=None)
    house.dispatch()
    house.pass_time(minutes=10)
    assert mailed(house) == ["ada: Your turn"]


def test_a_reminder_is_mailed_in_any_case(devices, house):
    """A notification that nobody saw must not cost a move."""
    devices.click(devices.add())
    choose(house, with_push=False)
    house.game(clock=DAY)
    devices.send()
    house.pass_time(hours=20)
    remind(house.ctx)
    assert [kind for _, kind in devices.told()] == ["reminder"]
    mailed(house)
    assert house.row("turn", 0).reason == "pushed"
    assert house.row("reminder", 0).state == "sent"
