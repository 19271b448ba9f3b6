"""The player whose seat is offered gets a mail: a thief of the key may have done it. Only that player, only once."""

from __future__ import annotations

from server.kernel import secrets
from server.mailbox.write import mute
from tests.workers.harness import DAY, MASTER
from tests.workers.test_seats import reasons, texts, words

CLOCK = {"move": DAY, "grace": 3600}


def offered(house) -> str:
    """Ben's seat is open, and nobody has been told anything."""
    game = house.game(clock=CLOCK, handover="both", goal=100)
    house.react()
    house.offer(game, 1)
    return game


def test_a_mail_about_an_offer_explains_how_to_undo_a_stolen_one(house, sink):
    """The holder alone, with the entry, its time, and a checkpoint to keep."""
    offered(house)
    before = len(sink.mails)
    house.react()
    house.react()
    assert [subject for subject in sink.subjects() if "offered" in subject] == ["ben: Your seat is offered to others"]
    assert len(sink.mails) == before + 1
    text = words(texts(sink, "ben")[-1])
    assert "A key of seat 2 signed the offer on" in text
    assert 'an offer with "open" false' in text
    assert "remove the stolen key" in text
    assert "two checkpoints that differ only in their third line" in text


def test_a_seat_that_is_closed_again_sends_no_mail(house, sink):
    """Whoever closed it knows."""
    game = offered(house)
    house.dispatch()
    house.offer(game, 1, is_open=False)
    house.react()
    assert "ben: Your seat is offered to others" not in sink.subjects()
    assert reasons(house, "offered", 1) == ["closed"]


def test_a_seat_that_was_taken_meanwhile_is_told_as_taken(house, sink):
    """To the former holder; the new holder has no mail of what was before."""
    game = offered(house)
    house.dispatch()
    house.take(game, 1, "Cy")
    house.react()
    assert "ben: Your seat was taken" in sink.subjects()
    assert [subject for subject in sink.subjects() if "open to others" in subject] == []
    assert reasons(house, "offered", 1) == ["seat-left"]


def test_a_muted_player_is_still_told_of_an_offer(house, sink):
    """Otherwise a thief of the key would stop the mail before offering the seat."""
    game = house.game(clock=CLOCK, handover="both", goal=100)
    house.react()
    mute(house.services, secrets.unsubscribe_token(MASTER, game, 1, house.seat(game, 1).since_seq))
    house.offer(game, 1)
    house.react()
    told = [subject for subject in sink.subjects() if subject.startswith("ben")]
    assert told == ["ben: The game has started", "ben: Your seat is offered to others"]


def test_an_offer_that_is_opened_anew_is_told_anew(house, sink):
    """Closed and opened: whoever is robbed hears of each."""
    game = offered(house)
    house.react()
    house.offer(game, 1, is_open=False)
    house.offer(game, 1)
    house.react()
    assert sink.subjects().count("ben: Your seat is offered to others") == 2
