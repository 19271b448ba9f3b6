"""Why was I (not) mailed? The log explains each mail to its recipient, and shows nobody another's."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from server.accounts.sign_in import request_link
from server.kernel import secrets
from server.kernel.db.models import Notification
from server.mailbox import read as mailbox_read
from server.mailbox import write as mailbox_write
from server.mailbox.write import mute
from tests.workers.harness import MASTER
from workers.digests import gather, settle
from workers.queues import RetryPolicy

ADA, BEN = 1, 2


@pytest.fixture
def database_url(tmp_path):
    """The answers come from the same rows on both databases."""
    return f"sqlite:///{tmp_path / 'house.db'}"


def why(house, game, account=ADA) -> str:
    return mailbox_read.why_mailed(house.services, account, game)


def test_a_sent_mail_is_listed_with_its_time_and_the_servers_answer(house):
    """Only for its recipient."""
    game = house.game()
    house.react()
    assert why(house, game) == "Sent on Saturday 21 November 2026, 10:00 UTC. The mail server answered: 250 OK"
    (mine,) = mailbox_read.listed_mails(house.services, ADA, None)["mails"]
    assert (mine["kind"], mine["state"], mine["server"], mine["game"]) == ("turn", "sent", "250 OK", game)
    (bens,) = mailbox_read.listed_mails(house.services, BEN, game)["mails"]
    assert bens["kind"] == "started"
    assert why(house, game, BEN).startswith("It is not your turn")


WAITS = "Will be sent on Saturday 21 November 2026, {}, after {}."
CHOICES = (
    ({"turn": "off"}, "Not sent: your settings switch off emails of this kind."),
    (
        {"turn": "digest", "digest_hour": "18:00"},
        "Will be sent in your digest on Saturday 21 November 2026, 18:00 UTC.",
    ),
    ({"delay": 45}, WAITS.format("10:45 UTC", "the delay in your settings")),
    ({"quiet_from": "09:00", "quiet_until": "12:00"}, WAITS.format("12:00 UTC", "your quiet hours")),
)


@pytest.mark.parametrize(("choices", "expected"), CHOICES)
def test_each_setting_is_given_as_the_reason(house, choices, expected):
    """In one sentence."""
    mailbox_write.change_choices(house.services, ADA, choices)
    game = house.game()
    house.react()
    assert why(house, game) == expected


def test_a_mail_that_waited_is_explained_after_it_was_sent(house):
    """For quiet hours, and in a digest."""
    mailbox_write.change_choices(house.services, ADA, {"quiet_from": "09:00", "quiet_until": "12:00"})
    mailbox_write.change_choices(house.services, BEN, {"started": "digest", "digest_hour": "12:00"})
    game = house.game()
    house.react()
    house.pass_time(hours=2)
    gather(house.ctx)
    house.deliver()
    settle(house.ctx)
    assert why(house, game).startswith("Sent on Saturday 21 November 2026, 12:00 UTC, after your quiet hours.")
    digest, started = mailbox_read.listed_mails(house.services, BEN, None)["mails"]
    assert (digest["kind"], started["says"]) == (
        "digest",
        "Sent in your digest on Saturday 21 November 2026, 12:00 UTC.",
    )


def test_muted_answered_and_refused_mails_are_explained(house, sink):
    """With the relay's words, and no internal ones."""
    muted, answered, refused = house.game(), house.game(), house.game()
    mute(house.services, secrets.unsubscribe_token(MASTER, muted, 0, 1))
    house.dispatch()
    house.move(answered, 0, "roll; try hold")
    sink.answer = "550 5.1.1 no such mailbox"
    house.deliver()
    assert why(house, muted) == "Not sent: you have muted this table."
    told = {one["game"]: one["says"] for one in mailbox_read.listed_mails(house.services, ADA, None)["mails"]}
    assert told[answered] == "Not sent: by then it was no longer your turn."
    assert told[refused] == (
        "Not delivered: the mail server refused your address. The mail server answered: 550 5.1.1 no such mailbox"
    )


def test_a_mail_is_tried_again_if_the_server_was_unreachable(house, sink):
    """There was no answer, and no internal error is shown."""
    game = house.game()
    house.dispatch()
    sink.stop()
    house.deliver()
    sink.start()
    assert why(house, game) == (
        "Not delivered yet: the mail server could not be reached. The next attempt is on "
        "Saturday 21 November 2026, 10:00 UTC."
    )
    (mine,) = mailbox_read.listed_mails(house.services, ADA, None)["mails"]
    assert (mine["state"], mine["server"]) == ("tried", None)


def test_a_mail_that_is_given_up_is_explained(house, sink):
    """After days only a turn is still mailed: other news is old by then."""
    house.game()
    house.dispatch()
    with house.services.database.write() as session:
        session.execute(sa.update(Notification).values(attempts=RetryPolicy().tries - 1))
    sink.answer = "451 4.3.0 come back"
    assert house.deliver() == ["failed", "failed"]
    (adas,), (bens,) = (mailbox_read.listed_mails(house.services, whose, None)["mails"] for whose in (ADA, BEN))
    assert (adas["kind"], adas["state"], bens["kind"], bens["state"]) == ("turn", "tried", "started", "refused")
    assert bens["next_at"] is None
    assert bens["says"] == (
        "Not delivered: the mail server did not accept it for days, and we have stopped trying. "
        "The mail server answered: 451 4.3.0 come back"
    )


def test_a_move_without_a_mail_yet_is_listed_as_such(house):
    """Its entry has not been dispatched."""
    assert why(house, house.game()).startswith("It is your turn. The email is being prepared")


def test_sign_in_links_are_listed_for_the_owner_of_the_address(house):
    """So links that the owner did not request show."""
    for email in ("ada@example.org", "stranger@example.org"):
        request_link(house.services, email, "")
    house.react()
    assert [one["kind"] for one in mailbox_read.listed_mails(house.services, ADA, None)["mails"]] == ["login"]
    assert mailbox_read.listed_mails(house.services, BEN, None)["mails"] == []


@pytest.mark.slow
def test_the_list_of_mails_has_pages(house):
    """From the newest on, each once."""
    for _ in range(5):
        house.game()
    house.react()
    first = mailbox_read.listed_mails(house.services, ADA, None, limit=3)
    second = mailbox_read.listed_mails(house.services, ADA, None, first["next"], 3)
    numbers = [one["id"] for part in (first, second) for one in part["mails"]]
    assert (numbers, second["next"]) == (sorted(set(numbers), reverse=True), None)
    assert len(numbers) == 5
