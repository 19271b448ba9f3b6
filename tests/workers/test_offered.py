"""A player whose seat is offered gets a mail, once, because a thief of the key may have offered it."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa

from server.kernel import secrets
from server.kernel.db.models import Account, MailStop
from server.kernel.text import moment
from server.mailbox.write import mute
from tests.kit.absent import mailed, not_told
from tests.workers.harness import DAY, MASTER
from tests.workers.test_seats import reasons, texts, words

CLOCK = {"move": DAY, "grace": 3600}


def offered(house, wait: int = 0) -> str:
    """Ben's seat is offered, and nobody has been notified."""
    game = house.game(clock=CLOCK, handover="both", wait=wait, goal=100)
    house.react()
    house.offer(game, 1)
    return game


def test_a_mail_about_an_offer_explains_how_to_undo_a_stolen_one(house, sink):
    """To the holder only, with the entry, its time, and a checkpoint to keep."""
    offered(house)
    before = len(sink.mails)
    house.react()
    house.react()
    assert [subject for subject in sink.subjects() if "offered" in subject] == ["ben: Your seat is offered to others"]
    assert len(sink.mails) == before + 1
    text = words(texts(sink, "ben")[-1])
    assert "A key of seat 2 signed the offer on" in text
    assert "Anyone may take the seat now." in text
    assert "With your recovery code, replace the keys of the seat now: remove the key of the lost device" in text
    assert "withdraw the offer at once, on the game's page or with `sealedmove resign GAME --back`." in text
    assert "two checkpoints that differ only in their third line" in text


def test_the_mail_names_the_time_from_which_the_seat_can_be_taken(house, sink):
    """In both parts, in the reader's zone."""
    offered(house, wait=7200)
    until = moment(house.ctx.services.now() + timedelta(seconds=7200))
    house.react()
    assert f"Anyone may take the seat from {until} on." in words(texts(sink, "ben")[-1])
    assert f"Anyone may take the seat <b>from {until} on</b>." in sink.mails[-1].get_body(("html",)).get_content()


def test_an_offer_that_the_recovery_key_hastens_sends_another_mail(house, sink):
    """The seat can be taken at once, and the advice is different."""
    game = house.game(clock=CLOCK, handover="both", wait=7200, recovery="Ben's recovery", goal=100)
    house.offer(game, 1)
    house.react()
    house.offer(game, 1, by="Ben's recovery")
    house.react()
    first, second = (words(text) for text in texts(sink, "ben")[-2:])
    assert "Anyone may take the seat from" in first
    assert "Anyone may take the seat now." in second
    assert "someone else has your recovery code" in second


def test_the_mail_of_a_bots_seat_goes_to_the_person_responsible_for_it(house, sink):
    """A bot has no mailbox, and its key can be stolen like any other. No link in it changes the bot's own settings."""
    game = house.game(clock=CLOCK, handover="both", goal=100)
    house.react()
    with house.services.database.write() as session:
        session.execute(sa.update(Account).where(Account.name == "Ben").values(bot=True, email=None, owner_id=3))
    house.offer(game, 1)
    house.react()
    assert sink.subjects()[-1] == "cy: Your seat is offered to others"
    mail = sink.mails[-1]
    assert (mail["List-Unsubscribe"], mail["Reply-To"]) == (None, None)
    for told in ("/u/", "/m/", "You can reply to this email"):
        not_told(told, mailed(mail))


def test_stopped_mail_does_not_stop_this_mail(house, sink):
    """Like sign-in mails, it is always sent: the owner of the seat has hours to withdraw the offer."""
    offered(house)
    with house.services.database.write() as session:
        session.add(MailStop(account_id=2, why="failing", says="", since=house.ctx.services.now()))
    house.react()
    assert "ben: Your seat is offered to others" in sink.subjects()


def test_a_withdrawn_offer_sends_no_mail(house, sink):
    """The player who withdrew the offer knows."""
    game = offered(house)
    house.dispatch()
    house.offer(game, 1, is_open=False)
    house.react()
    assert "ben: Your seat is offered to others" not in sink.subjects()
    assert reasons(house, "offered", 1) == ["closed"]


def test_a_seat_taken_before_the_mail_is_reported_as_taken(house, sink):
    """To the former holder; the new holder gets no mail about earlier events."""
    game = offered(house)
    house.dispatch()
    house.take(game, 1, "Cy")
    house.react()
    assert "ben: Your seat was taken" in sink.subjects()
    assert [subject for subject in sink.subjects() if "open to others" in subject] == []
    assert reasons(house, "offered", 1) == ["seat-left"]


def test_a_muted_player_is_still_mailed_about_an_offer(house, sink):
    """Otherwise a thief of the key would stop the mail before offering the seat."""
    game = house.game(clock=CLOCK, handover="both", goal=100)
    house.react()
    mute(house.services, secrets.unsubscribe_token(MASTER, game, 1, house.seat(game, 1).since_seq))
    house.offer(game, 1)
    house.react()
    told = [subject for subject in sink.subjects() if subject.startswith("ben")]
    last_mail = "ben: Emails about this table have stopped"
    assert told == ["ben: The game has started", last_mail, "ben: Your seat is offered to others"]


def test_every_offer_sends_a_mail(house, sink):
    """Withdrawn and offered again: a player whose key was stolen gets a mail each time."""
    game = offered(house)
    house.react()
    house.offer(game, 1, is_open=False)
    house.offer(game, 1)
    house.react()
    assert sink.subjects().count("ben: Your seat is offered to others") == 2
