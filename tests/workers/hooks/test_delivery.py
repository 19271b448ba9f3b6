"""Deliveries to a hook: content, order, number of tries, and when they stop."""

import json
import logging
from datetime import timedelta

import pytest
import sqlalchemy as sa
from standardwebhooks.webhooks import Webhook

from server.accounts import write as accounts
from server.hooks import numbering
from server.hooks import read as hooks_read
from server.hooks import write as hooks_write
from server.kernel import logs
from server.kernel.db.models import Account, AccountEvent, Hook, Notification
from server.tables.hosting import write as hosting
from server.tables.invitations import write as invitations
from tests.workers.hooks.post import ADA, BEN, BOTH, CY, last_number
from tests.workers.test_lobbies import lobby
from tests.workers.test_request_id import in_request
from workers.hooks.delivery_policy import BACK_OFF, DeliveryPolicy


@BOTH
def test_the_events_of_an_account_arrive_in_order(post, house):
    """All events since the hook was made, once each, with the content that a stream sends."""
    house.game(clock=None, goal=100)
    hook = post.hook()
    game = house.game(clock=None, goal=100)
    for _ in range(3):
        house.play_default(game)
    got = post.send()
    with house.services.database.read() as session:
        page = hooks_read.events_after(session, ADA, post.one(hook).cursor - len(got), 100)
    assert [json.loads(one.body) for one in got] == page.events
    assert {json.loads(one.body)["game"] for one in got} == {game}
    assert len(got) >= 4
    assert post.send() == []


def test_a_message_is_signed_for_its_receiver(post, house):
    """The standard's own library accepts it, by the receiver's wall clock."""
    from server.kernel.services import utc_now

    object.__setattr__(house.services, "now", utc_now)
    hook = post.hook()
    house.game(clock=None)
    for got in post.send():
        assert Webhook(post.secrets[hook]).verify(got.body, got.headers) == json.loads(got.body)


def test_each_player_is_notified_of_their_own_seat(post, house):
    """Two hooks, two seats: neither gets the other's events."""
    for who in (ADA, BEN):
        post.hook(who)
    game = house.game(clock=None)
    for got in post.send():
        event = json.loads(got.body)
        assert event["seat"] == int(got.target[1:]) - 1
        assert event["game"] == game


def test_only_selected_kinds_are_sent(post, house):
    """An event of another kind makes no delivery."""
    post.hook(kinds=["started"])
    house.game(clock=None)
    assert [line.partition(" ")[2][2:] for line in post.told()] == ["started"]
    assert len(post.rows()) == 1


def test_a_message_contains_no_content_of_the_game(post, house):
    """In a hidden game: no bid, salt, name or address."""
    for who in (ADA, BEN):
        post.hook(who)
    game = house.game("bids", clock=None)
    house.move(game, 0, "bid 7")
    house.move(game, 1, "bid 6")
    got = post.send()
    assert len(got) > 4
    for one in got:
        assert set(json.loads(one.body)) == {"n", "kind", "game", "type", "seat", "seq", "at", "deadline"}
        for word in (b"bid 7", b"Ada", b"Ben", b"example.org", b"salt", b"bid"):
            assert word not in one.body.replace(b'"bids"', b"")


@BOTH
def test_a_failure_delays_its_own_game_only(post, house):
    """The next event of the game waits behind it; those of other games are sent."""
    post.hook()
    one = house.game(clock=None)
    post.receiver.answer = lambda got: 500 if one in got.body.decode() else 204
    assert len(post.send()) == 1
    two = house.game(clock=None)
    assert {json.loads(got.body)["game"] for got in post.send()} == {two}
    post.receiver.answer = lambda _: 204
    house.pass_time(seconds=7)
    numbers = [json.loads(got.body)["n"] for got in post.send()]
    assert numbers == sorted(numbers)
    assert set(post.states()) == {"delivered"}


@pytest.mark.slow
def test_a_failed_delivery_is_tried_again_for_days(post, house):
    """With growing pauses that vary by a fifth, under one id; each answer is stored."""
    post.hook(kinds=["started"])
    house.game(clock=None)
    post.receiver.answer = lambda _: 503
    patient, waits = DeliveryPolicy(pause_after=timedelta(days=99)), []
    while post.told(patient) and post.states() == ["waiting"]:
        waits.append((post.rows()[0].next_at - house.time).total_seconds())
        house.time = post.rows()[0].next_at
    assert len(waits) == len(BACK_OFF)
    for wait, usual in zip(waits, BACK_OFF, strict=True):
        assert 0.8 * usual - 1 <= wait <= 1.2 * usual + 1
    assert 0.8 * sum(BACK_OFF) > 4 * 86400
    assert post.states() == ["failed given-up"]
    assert len(set(post.receiver.ids())) == 1
    assert post.answers() == [503] * (len(BACK_OFF) + 1)


def test_pauses_differ(post, house):
    """So that messages that failed together are not retried together."""
    for _ in range(4):
        post.hook(kinds=["started"])
    house.game(clock=None)
    post.receiver.answer = lambda _: 503
    post.send(DeliveryPolicy(back_off=(10000,)))
    assert len({row.next_at for row in post.rows()}) > 1


@pytest.mark.slow
@BOTH
def test_a_hook_that_fails_for_days_is_paused(post, house):
    """It shows so; when its owner resumes it, it goes on with the first event that it did not accept."""
    hook = post.hook(kinds=["started"])
    house.game(clock=None)
    post.receiver.answer = lambda _: 500
    while post.one(hook).paused is None:
        post.send()
        house.time = max(house.time, post.rows()[0].next_at)
    assert post.one(hook).paused == "failing"
    assert post.one(hook).paused_at - post.one(hook).failing_since >= timedelta(days=3)
    house.game(clock=None)
    post.receiver.answer = lambda _: 204
    house.pass_time(days=1)
    assert post.send() == []
    hooks_write.change(house.services, ADA, hook, {"paused": False})
    assert [line.rpartition(" ")[2] for line in post.told()] == ["started", "started"]
    assert post.states() == ["delivered", "delivered"]
    assert post.one(hook).failing_since is None


def test_one_success_ends_a_series_of_failures(post, house):
    """Three days are counted from the first failure since the last success."""
    hook = post.hook(kinds=["started"])
    house.game(clock=None)
    post.receiver.answer = lambda _: 500
    post.send()
    assert post.one(hook).failing_since == house.time
    house.pass_time(seconds=10)
    post.receiver.answer = lambda _: 204
    post.send()
    assert post.one(hook).failing_since is None
    assert post.one(hook).last_used_at == house.time


def test_a_receiver_that_answers_gone_is_paused_at_once(post, house):
    """410: the receiver wants no more messages."""
    hook = post.hook()
    house.game(clock=None)
    post.receiver.answer = lambda _: 410
    assert len(post.send()) == 1
    assert post.one(hook).paused == "gone"
    house.pass_time(days=9)
    assert post.send() == []


@BOTH
@pytest.mark.parametrize("status", [204, 410])
def test_an_answer_concerns_no_later_webhook(post, house, status):
    """The webhook was deleted while the request was open, and the next one has its first message."""

    def change_hooks(got):
        if got.target != "/1":
            return 204
        hooks_write.delete(house.services, ADA, old)
        post.hook(BEN)
        hooks_write.ping(house.services, BEN, post.rows(Hook)[0].id)
        return status

    post.receiver.answer = change_hooks
    old = post.hook()
    hooks_write.ping(house.services, ADA, old)
    assert [got.target for got in post.send()] == ["/1", "/2"]
    assert post.states() == ["delivered"]
    assert [hook.paused for hook in post.rows(Hook)] == [None]


@BOTH
def test_the_owner_of_a_webhook_is_mailed_once_when_it_is_paused(post, house):
    """The mail has a row, so it is sent even if the queue loses it; nobody else gets one."""
    hook = post.hook(kinds=["started"], name="my bot")
    house.game(clock=None)
    post.receiver.answer = lambda _: 410
    post.send()
    house.pass_time(seconds=5)
    assert house.deliver() == ["sent"]
    assert house.deliver() == ["not-due"]
    (mail,) = house.sink.mails
    (row,) = (row for row in house.rows() if row.kind == "paused")
    assert mail["Message-ID"] == row.message_id  # a second try is the same mail
    assert row.message_id.startswith(f"<hook.{hook}.")
    assert mail["To"].addresses[0].username == "ada"
    assert mail["Subject"] == 'Sealed Move: your webhook "my bot" is paused'
    text = mail.get_body(("plain",)).get_content()
    assert f"/v1/me/hooks/{hook}" in text
    assert "https://receiver.example" not in text  # the path of its URL may be a password


def test_the_person_responsible_for_a_bot_is_mailed_when_its_webhook_is_paused(post, house):
    """A bot has no address. Nobody answers for a house player but the operator, who has the metrics."""
    for who in (ADA, CY):
        post.hook(who, kinds=["started"])
    house.game(clock=None)
    with house.services.database.write() as session:
        session.execute(sa.update(Account).where(Account.id.in_((ADA, CY))).values(email=None, bot=True))
        session.execute(sa.update(Account).where(Account.id == ADA).values(owner_id=BEN))
    post.receiver.answer = lambda _: 410
    post.send()
    house.deliver()
    told = [mail for mail in house.sink.mails if "webhook" in mail["Subject"]]
    assert [mail["To"].addresses[0].username for mail in told] == ["ben"]
    assert "It belongs to your bot Ada." in " ".join(told[0].get_body(("plain",)).get_content().split())


def test_no_mail_is_sent_for_a_resumed_or_deleted_hook(post, house):
    """Outdated news is not mailed."""
    kept, gone = post.hook(kinds=["started"]), post.hook(kinds=["started"])
    post.receiver.answer = lambda _: 410
    house.game(clock=None)
    post.send()
    hooks_write.change(house.services, ADA, kept, {"paused": False})
    hooks_write.delete(house.services, ADA, gone)
    house.deliver()
    assert [mail for mail in house.sink.mails if "webhook" in mail["Subject"]] == []
    with house.services.database.read() as session:
        rows = session.execute(sa.select(Notification.state, Notification.reason).where(Notification.kind == "paused"))
        assert sorted(tuple(row) for row in rows) == [("dropped", "goes-on"), ("dropped", "hook-gone")]


def test_nobody_is_mailed_about_the_webhook_of_somebody_else(post, house):
    """A mail from before migration 0026 may name a number that SQLite has given again."""
    post.receiver.answer = lambda _: 410
    post.hook(ADA, kinds=["started", "turn"])
    other = post.hook(BEN, kinds=["started", "turn"], name="Ben's program")
    house.game(clock=None)
    post.send()
    house.pass_time(seconds=5)
    with house.services.database.write() as session:
        assert session.scalar(sa.select(sa.func.count()).where(Notification.hook_id.is_not(None))) == 2
        session.execute(sa.update(Notification).where(Notification.hook_id.is_not(None)).values(hook_id=other))
    house.deliver()
    told = [mail for mail in house.sink.mails if "webhook" in mail["Subject"]]
    assert [mail["To"].addresses[0].username for mail in told] == ["ben"]


def test_a_failed_connection_is_stored_as_one_word(post, house):
    """Details of this machine are not stored, nor any of the answer but its status."""
    post.hook(host="other.example", kinds=["started"])
    house.game(clock=None)
    post.send()
    assert post.answers() == ["tls"]
    post.receiver.answer = lambda _: b"HTTP/1.1 200 secret\r\nX: secret\r\nContent-Length: 6\r\n\r\nsecret"
    hooks_write.change(house.services, ADA, 1, {"url": "https://receiver.example/"})
    house.pass_time(seconds=9)
    post.send()
    assert post.answers() == ["tls", 200]


# --- the owner ------------------------------------------------------------------------------------------------------


@BOTH
def test_a_player_who_lost_their_seat_gets_that_event_and_no_other(post, house):
    """Messages queued for the seat are dropped; later events go to the new holder."""
    for who in (ADA, CY):
        post.hook(who)
    game = house.game(clock=None, goal=100)
    house.offer(game, 0)
    house.take(game, 0, "Cy")
    house.play_default_by(game, "Cy")
    told = post.told()
    assert [line for line in told if line.startswith("1:")] == [f"1: {last_number(house, ADA)} taken"]
    assert [line for line in told if line.startswith("3:")]
    assert "dropped seat-left" in post.states()


@BOTH
def test_events_of_accounts_without_a_seat_arrive(post, house):
    """A seat kept for an account, its answer for the host, who sits nowhere, and the end of a seat before the start."""
    game = lobby(house, 2)
    for who in (ADA, BEN, CY):
        post.hook(who, kinds=["invited", "declined", "removed"])
    number = invitations.invite(house.services, game, ADA, "ben@example.org").id
    house.react()
    invitations.decline(house.services, BEN, number)
    hosting.remove_player(house.services, game, ADA, 2, since=1)
    assert sorted(post.told()) == ["1: 1 declined", "2: 1 invited", "3: 2 removed"]


def test_a_takeover_cancels_a_message_in_progress(post, house):
    """The last check is after the connection, when all slow steps are done."""
    post.hook(kinds=["turn", "started"])
    game = house.game(clock=None, goal=100)

    def lose_it(host, port):
        if house.seat(game, 0).account_id == ADA:
            house.offer(game, 0)
            house.take(game, 0, "Cy")
        return ["127.0.0.1"]

    assert post.send(wire=post.receiver.wire(resolve=lose_it)) == []
    assert set(post.states()) == {"dropped seat-left"}


@BOTH
@pytest.mark.parametrize("how", ["erased", "deleted"])
def test_nothing_is_sent_to_a_deleted_account_or_hook(post, house, how):
    """Not even a message in progress."""
    hook = post.hook()

    def end_it(host, port):
        if how == "erased":
            accounts.erase_account(house.services, ADA)
        else:
            hooks_write.delete(house.services, ADA, hook)
        return ["127.0.0.1"]

    house.game(clock=None)
    assert post.send(wire=post.receiver.wire(resolve=end_it)) == []
    assert post.rows() == []
    house.game(clock=None) if how == "deleted" else None
    assert post.send() == []


def test_pausing_or_moving_a_hook_delays_its_messages(post, house):
    """They go to the new address, and no try is counted."""
    hook = post.hook(kinds=["started"])

    def move_it(host, port):
        hooks_write.change(house.services, ADA, hook, {"url": "https://a.example.net/new"})
        return ["127.0.0.1"]

    house.game(clock=None)
    got = post.send(wire=post.receiver.wire(resolve=move_it))
    assert [(one.host, one.target) for one in got] == [("a.example.net", "/new")]
    assert post.rows()[0].attempts == 1
    assert post.answers() == [204]


@BOTH
def test_a_message_has_the_id_of_the_request_that_caused_it_and_its_body_does_not(post, house, caplog):
    """Messages of one request share the id, which the lines about them have, too; other messages have none."""
    logs.configure("INFO")
    caplog.set_level(logging.INFO)
    post.hook()
    game = house.game(clock=None)
    in_request(lambda: house.play_default(game), "the-request-of-the-move")
    got = post.send()
    found = [one.headers.get("x-request-id") for one in got]
    assert found == sorted(found, key=bool)
    assert set(found) == {None, "the-request-of-the-move"}
    assert not [one for one in got if b"the-request" in one.body]
    said = [one.msg for one in caplog.records if isinstance(one.msg, dict) and one.msg["event"] == "hook"]
    assert sorted(str(line.get("request")) for line in said) == sorted(map(str, found))


def test_events_that_were_lost_and_a_ping_have_no_id_of_another_request(post, house):
    """The notice of lost events has the number of the newest event, which is another one."""
    hook = post.hook()
    in_request(lambda: house.game(clock=None), "the-request-of-the-move")
    numbering.number_hooked(house.services.database)
    with house.services.database.write() as session:
        session.execute(sa.delete(AccountEvent).where(AccountEvent.n == 1))
    hooks_write.ping(house.services, ADA, hook)
    got = post.send()
    assert sorted(json.loads(one.body)["kind"] for one in got) == ["ping", "reset"]
    assert [one.headers.get("x-request-id") for one in got] == [None, None]
