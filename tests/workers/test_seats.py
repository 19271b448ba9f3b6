"""Mails and clocks for absent, offered and taken seats: recipients, secrets, and times."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from server.kernel import secrets
from server.kernel.db.models import Seat
from server.mailbox.write import mute
from server.tables.write import grant_as_operator
from tests.kit.absent import mailed, mentions, not_told
from tests.server.harness import BY
from tests.workers.harness import DAY, MASTER
from workers.deadlines import remind, tick

CLOCK = {"move": DAY, "bank": 7200, "cap": 7200, "grace": 3600}


def absent(house, handover="both") -> str:
    """A game in which Ben has missed two turns and owes a move again. Nobody has been notified."""
    game = house.game(clock=CLOCK, handover=handover, goal=100)
    for _ in range(2):
        house.move(game, 0, "roll; try hold")
        house.pass_time(days=2)
        tick(house.ctx)
    house.move(game, 0, "roll; try hold")
    return game


def texts(sink, name: str) -> list[str]:
    """The mails to one person, as text."""
    mine = (mail for mail in sink.mails if mail["To"].addresses[0].username == name)
    return [mail.get_body(("plain",)).get_content().replace("\r\n", "\n") for mail in mine]


def words(text: str) -> str:
    return " ".join(text.split())


def reasons(house, kind: str, seat: int) -> list[str | None]:
    return [row.reason for row in house.rows() if (row.kind, row.seat) == (kind, seat)]


# --- absence --------------------------------------------------------------------------------------------------------


def test_an_absent_player_is_mailed_once_with_how_to_come_back(house, sink):
    """Not after the first missed turn, not again after the third, and nobody else."""
    game = absent(house)
    house.pass_time(days=2)
    tick(house.ctx)
    house.react()
    assert sink.subjects().count("ben: You count as absent") == 1
    assert "ada: You count as absent" not in sink.subjects()
    (text,) = (text for text in texts(sink, "ben") if "count as absent in" in text)
    assert "You missed 3 turns at seat 2, and the server played default moves for you." in words(text)
    assert "you only have the grace period of 1 hour for each turn" in words(text)
    assert (
        'If it is not your turn, press "I am back" on the game\'s page or run `sealedmove resign GAME --back`.'
        in words(text)
    )
    assert "Anyone may take your seat now." in words(text)
    assert f"/game/{game}\n" in text


def test_without_handover_the_mail_does_not_mention_a_takeover(house, sink):
    """With `handover` none."""
    absent(house, handover="none")
    house.react()
    (text,) = (text for text in texts(sink, "ben") if "count as absent in" in text)
    assert "Anyone may take" not in words(text)


def test_a_player_who_returned_gets_no_mail_about_absence(house, sink):
    """It would no longer be true."""
    game = absent(house)
    house.dispatch()
    house.offer(game, 1, is_open=False)
    house.deliver()
    assert "ben: You count as absent" not in sink.subjects()
    assert reasons(house, "absent", 1) == ["back"]


@pytest.mark.slow
def test_the_turn_mail_of_an_absent_player_shows_the_grace_only(house, sink):
    """Other players read who is absent, and that the seat may be taken."""
    absent(house)
    house.react()
    *_, ben = (text for text in texts(sink, "ben") if "it is your turn" in text)
    assert "Time left: 1 hour, until" in words(ben)
    assert "You count as absent, so you only have the grace period for each turn." in words(ben)
    assert "Seat 2: Ben (you, absent)" in words(ben)
    house.pass_time(hours=1)
    tick(house.ctx)
    house.react()
    *_, ada = texts(sink, "ada")
    assert "Seat 2: Ben (absent)" in words(ada)
    assert "The player at seat 2 is absent: anyone may take the seat." in words(ada)


def test_an_absent_player_gets_no_reminder_and_a_default_move_after_the_grace(house):
    """By the record's deadline."""
    game = absent(house)
    size = len(house.kinds(game))
    house.pass_time(seconds=3599)
    tick(house.ctx)
    assert len(house.kinds(game)) == size
    assert [row for row in house.rows() if (row.kind, row.seat) == ("reminder", 1)] == []
    house.pass_time(seconds=1)
    tick(house.ctx)
    assert house.kinds(game)[size:] == ["expired"]


# --- reminders ------------------------------------------------------------------------------------------------------


def test_the_reminder_counts_bank_and_turn_time(house, sink):
    """Four fifths of both together; the mail shows what is left in the bank."""
    house.game("bids", clock=CLOCK)
    house.pass_time(seconds=(DAY + 7200) * 4 // 5 - 1)
    assert remind(house.ctx) == []
    house.pass_time(seconds=1)
    assert len(remind(house.ctx)) == 2
    house.deliver()
    assert "This includes your time bank of 2 hours." in words(texts(sink, "ada")[0])


def test_the_bank_left_excludes_what_the_turn_has_used(house, sink):
    """After one hour beyond the turn's time, one hour of two is left."""
    house.game("bids", clock=CLOCK)
    house.pass_time(seconds=DAY + 3600)
    remind(house.ctx)
    house.deliver()
    assert "This includes your time bank of 1 hour." in words(texts(sink, "ada")[0])


def test_a_turn_of_many_moves_has_one_reminder(house):
    """Each roll asks again, but the time is that of one turn."""
    game = house.game(clock={"move": DAY}, goal=100)
    while (question := house.table(game).questions[0]) is None or question.seq == house.table(game).times[
        0
    ].stretch.seq:
        mover = house.table(game).active[0]
        house.move(game, mover, "roll" if mover == 0 else "roll; try hold")
    start = house.table(game).times[0].stretch.start
    house.pass_time(seconds=start + DAY * 4 // 5 - house.time.timestamp())
    assert len(remind(house.ctx)) == 1
    house.move(game, 0, "roll")
    assert remind(house.ctx) == []


def test_granted_time_moves_the_reminder(house, sink):
    """A player who was reminded before an outage gets another reminder after it, at the new time."""
    game = house.game("bids", clock={"move": DAY})
    house.pass_time(seconds=DAY * 4 // 5)
    assert len(remind(house.ctx)) == 2
    house.deliver()
    grant_as_operator(house.services, BY, game, DAY)
    assert remind(house.ctx) == []
    house.pass_time(seconds=DAY * 4 // 5)
    assert len(remind(house.ctx)) == 2
    house.deliver()
    ids = [mail["Message-ID"] for mail in sink.mails]
    assert len(ids) == len(set(ids)) == 4
    assert all("Time left:" in text for text in texts(sink, "ben"))


def test_the_clock_waits_for_granted_time(house):
    """Then it plays."""
    game = house.game("bids", clock={"move": DAY})
    grant_as_operator(house.services, BY, game, DAY, [1])
    house.pass_time(seconds=DAY + 300)
    tick(house.ctx)
    assert (house.seat(game, 0).deadline is None, house.seat(game, 1).deadline is None) == (True, False)
    house.pass_time(seconds=DAY)
    tick(house.ctx)
    assert house.kinds(game).count("expired") == 2


# --- taken ----------------------------------------------------------------------------------------------------------


def taken(house) -> str:
    """Ben has offered the seat and Cy has taken it; no mail has been sent."""
    game = house.game("bids", clock=CLOCK, lots=9)
    house.offer(game, 1)
    house.take(game, 1, "Cy")
    return game


def test_a_mail_about_a_taken_seat_shows_nothing_that_the_seat_sees(house, sink):
    """It names the new holder, the time, and that it is the last mail: no position, and no link to stop mail."""
    taken(house)
    house.react()
    (text,) = texts(sink, "ben")
    assert "Ben, Cy has taken your seat in Bids." in words(text)
    assert "You had offered seat 2. Cy took it on Saturday 21 November 2026, 10:00 UTC" in words(text)
    (mail,) = (mail for mail in sink.mails if mail["To"].addresses[0].username == "ben")
    assert mail["List-Unsubscribe"] is None
    for told in ("/u/", "On sale", "image/png"):
        not_told(told, mailed(mail), *(part.get_content_type() for part in mail.walk()))
    assert [mentions(told, mailed(mail)) for told in ("favourite", "coins")] == [0, 0]


def test_mails_that_were_queued_for_the_old_holder_are_not_sent(house, sink):
    """Checked when they are sent: the turn, the reminder, the absence."""
    game = absent(house)
    house.dispatch()
    house.take(game, 1, "Cy")
    house.deliver()
    assert texts(sink, "ben") == []
    assert set(reasons(house, "turn", 1) + reasons(house, "absent", 1)) == {"seat-left"}
    house.react()
    (text,) = texts(sink, "ben")
    assert "You counted as absent at seat 2 after several missed turns" in words(text)


def test_a_takeover_between_two_reads_sends_nothing_to_the_old_holder(house, sink):
    """The seat's row was read before the take, the table after it."""
    game = house.game("bids", clock=CLOCK, lots=9)
    house.dispatch()
    house.offer(game, 1)
    house.take(game, 1, "Cy")
    with house.services.database.write() as session:
        session.execute(sa.update(Seat).where(Seat.game_id == game, Seat.seat == 1).values(account_id=2, since_seq=2))
    house.deliver()
    assert texts(sink, "ben") == []
    assert reasons(house, "turn", 1) == ["seat-left"]


def test_a_queued_reminder_is_not_sent_to_a_player_who_lost_the_seat(house, sink):
    """It would show the position."""
    game = house.game("bids", clock=CLOCK, lots=9)
    house.offer(game, 1)
    house.pass_time(seconds=DAY)
    remind(house.ctx)
    house.take(game, 1, "Cy")
    house.deliver()
    assert [subject for subject in sink.subjects() if subject.startswith("ben")] == []
    assert reasons(house, "reminder", 1) == ["seat-left"]


@pytest.mark.slow
def test_a_new_holder_is_mailed_after_a_pause_and_reminded_like_others(house, sink):
    """They know, but may have lost their connection. The former holder's reminder does not count."""
    game = house.game("bids", clock=CLOCK, lots=9)
    house.offer(game, 1)
    house.react()
    house.pass_time(seconds=DAY)
    remind(house.ctx)
    house.deliver()
    house.take(game, 1, "Cy")
    house.react()
    assert texts(sink, "cy") == []
    house.pass_time(minutes=10)
    house.react()
    assert len(remind(house.ctx)) == 1
    house.deliver()
    assert [subject for subject in sink.subjects() if subject.startswith("cy")] == [
        "cy: Your turn",
        "cy: Reminder: your turn",
    ]
    ids = [mail["Message-ID"] for mail in sink.mails]
    assert len(ids) == len(set(ids))


def test_a_new_holder_who_has_moved_is_not_mailed(house, sink):
    """The pause gives them time to move."""
    game = taken(house)
    house.dispatch()
    house.move(game, 1, "bid 3", by="Cy")
    house.pass_time(minutes=10)
    house.deliver()
    assert texts(sink, "cy") == []


def test_the_new_holders_mail_shows_events_since_the_seats_last_move(house, sink):
    """With the names of that time, the seat's own secrets, and a note that somebody else made that move."""
    game = house.game("bids", clock=CLOCK, lots=9)
    house.move(game, 1, "bid 4")
    house.move(game, 0, "bid 2")
    house.offer(game, 1)
    house.take(game, 1, "Cy")
    house.dispatch()
    house.pass_time(minutes=10)
    house.deliver()
    (text,) = texts(sink, "cy")
    assert "Since the last move of seat 2, before you took it:" in words(text)
    assert "- Cy took the seat of Ben." in words(text)
    assert "- The bids were 2, 4; Ben got the lot." in words(text)
    assert "Seat 2: Cy (you)" in words(text)


def test_other_players_read_of_a_takeover_in_their_next_mail(house, sink):
    """A change of holder alone sends no mail."""
    game = taken(house)
    house.react()
    before = len(texts(sink, "ada"))
    house.move(game, 1, "bid 1", by="Cy")
    house.react()
    assert len(texts(sink, "ada")) == before
    house.move(game, 0, "bid 1")
    house.react()
    house.pass_time(minutes=10)
    house.deliver()
    assert "Seat 2: Cy" in words(texts(sink, "ada")[-1])


def test_a_late_dispatch_sends_the_new_holder_no_earlier_mail(house, sink):
    """Rows from before the takeover send them nothing; their own row sends one question."""
    taken(house)
    house.dispatch()
    assert [(row.kind, row.account_id) for row in house.rows() if row.seat == 1] == [("taken", 2), ("turn", 3)]


def test_a_muted_player_is_mailed_about_the_lost_seat(house, sink):
    """Otherwise a thief with a stolen key would stop the mail first. The mute does not pass to the new holder."""
    game = house.game("bids", clock=CLOCK, lots=9)
    mute(house.services, secrets.unsubscribe_token(MASTER, game, 1, 2))
    house.offer(game, 1)
    house.take(game, 1, "Cy")
    house.pass_time(minutes=10)
    house.react()
    house.pass_time(minutes=10)
    house.react()
    (text,) = texts(sink, "ben")
    assert text.startswith("Ben, Cy has taken your seat in Bids.")
    assert len(texts(sink, "cy")) == 1


def test_a_holder_who_took_the_seat_back_gets_no_mail_about_its_loss(house, sink):
    game = taken(house)
    house.dispatch()
    with house.services.database.write() as session:
        session.execute(sa.update(Seat).where(Seat.game_id == game, Seat.seat == 1).values(account_id=2))
    house.deliver()
    assert reasons(house, "taken", 1) == ["taken-back"]
    assert texts(sink, "ben") == []


@pytest.mark.slow
def test_the_end_is_mailed_to_the_present_holders(house, sink):
    """Not to the former holder."""
    game = taken(house)
    house.react()
    sink.mails.clear()
    while not house.table(game).is_over:
        seat = house.table(game).active[0]
        house.move(game, seat, "bid 0", by="Cy" if seat else "Ada")
    house.react()
    assert sorted(sink.subjects()) == ["ada: The game has finished", "cy: The game has finished"]
