"""From an entry to a mail, step by step, on a real database and a real SMTP server."""

from __future__ import annotations

import re
from datetime import timedelta
from types import SimpleNamespace

import sqlalchemy as sa

from server.accounts import address
from server.accounts.sign_in import confirm, request_link
from server.accounts.write import erase_account
from server.kernel import secrets
from server.kernel.db.models import Account, LoginLink, Notification, Seat
from server.mailbox.write import mute
from tests.kit.absent import mailed, not_told
from tests.workers.harness import MASTER, START, about, deliver_in
from workers.dispatch import dispatch_in
from workers.mail import deliver


def test_with_the_start_everybody_gets_one_mail(house):
    """The player to move gets both in one."""
    house.game(seats=3)
    assert sorted(house.react()) == ["ada: Your turn", "ben: The game has started", "cy: The game has started"]


def test_a_move_mails_its_events_to_the_next_player(house, sink):
    """In sentences with names."""
    game = house.game()
    house.move(game, 0, "roll; try hold")
    house.react()
    (text,) = (mail.get_body(("plain",)).get_content() for mail in sink.mails if about(mail).endswith("Your turn"))
    assert "- Ada rolled " in text


def test_only_the_first_mail_announces_the_start(house, sink):
    """The next one does not repeat it. Both show the grace separately."""
    game = house.game()
    house.react()
    house.move(game, 0, "roll; try hold")
    while house.table(game).active[0] != 1:
        house.play_default(game)
    while house.table(game).active[0] != 0:
        house.play_default(game)
    house.react()
    mails = [mail for mail in sink.mails if mail["To"].addresses[0].username == "ada"]
    texts = [mail.get_body(("plain",)).get_content() for mail in mails if about(mail).endswith("Your turn")]
    assert ["has started" in text for text in texts] == [True, False]
    assert all("A grace period of 5 minutes follows." in " ".join(text.split()) for text in texts)


def test_simultaneous_bidders_are_mailed_their_own_secrets_only(house, sink):
    """A hidden game: each mail has its own seat's favourite."""
    house.game("bids", seats=3)
    assert sorted(house.react()) == ["ada: Your turn", "ben: Your turn", "cy: Your turn"]
    favourites = [bidder.favourite for bidder in house.table(house.rows()[0].game_id).state.bidders]
    for mail in sink.mails:
        seat = ("ada", "ben", "cy").index(mail["To"].addresses[0].username)
        text = mail.get_body(("plain",)).get_content()
        told = [f"has a favourite: {colour}" in text for colour in sorted(set(favourites))]
        assert told.count(True) == 1
        assert f"has a favourite: {favourites[seat]}." in text


def test_a_bid_sends_no_second_turn_mail(house):
    """Ben owes a bid since the start, whatever Ada does meanwhile."""
    game = house.game("bids")
    house.react()
    house.move(game, 0, "bid 3")
    assert house.dispatch() == []


def test_the_last_bidders_next_mail_shows_the_sale(house, sink):
    """It was hidden when they sealed their bid; the mail does not list that bid as news."""
    game = house.game("bids")
    house.react()
    house.move(game, 0, "bid 3")
    house.move(game, 1, "bid 2")
    house.react()
    house.pass_time(minutes=10)
    house.deliver()
    *_, mail = (one for one in sink.mails if one["To"].addresses[0].username == "ben")
    text = mail.get_body(("plain",)).get_content()
    assert "- The bids were 3, 2; Ada got the lot." in text
    assert "Ben sealed" not in text


def rolled_once(house) -> str:
    """A game in which Ada has rolled, not a one, and is still to move."""
    while True:
        game = house.game(goal=100)
        house.move(game, 0, "roll")
        if house.table(game).active == (0,):
            return game


def asked(house, game) -> list[tuple[str, str | None]]:
    """The results of the turn mails to Ada."""
    return [(row.state, row.reason) for row in house.rows() if (row.game_id, row.kind, row.seat) == (game, "turn", 0)]


def test_a_player_who_moves_again_is_mailed_after_a_pause(house):
    """Their own move is not news; but they may have lost their connection."""
    game = rolled_once(house)
    house.react()
    assert asked(house, game) == [("pending", None)]
    house.pass_time(minutes=10)
    house.deliver()
    assert asked(house, game) == [("sent", None)]


def test_a_player_who_moves_on_within_the_pause_is_not_mailed(house):
    """A turn of several moves does not cause a flood of mails."""
    game = rolled_once(house)
    house.react()
    house.move(game, 0, "hold")
    house.pass_time(minutes=10)
    house.react()
    assert asked(house, game) == [("dropped", "answered")]


def test_a_row_dispatched_twice_makes_one_notification(house):
    """Even if the first mark is lost."""
    house.game()
    first = house.dispatch()
    with house.services.database.write() as session:
        session.execute(sa.text("UPDATE outbox SET dispatched_at = NULL"))
    assert (len(first), house.dispatch()) == (2, [])


def test_a_notification_is_sent_once(house, sink):
    """However often it is asked for."""
    house.game()
    house.react()
    assert house.deliver() == ["not-due", "not-due"]
    assert len(sink.mails) == 2


def test_a_mail_is_dated_when_it_is_sent(house, sink):
    """RFC 5322 requires a date."""
    house.game()
    house.react()
    assert {mail["Date"].datetime for mail in sink.mails} == {house.services.now()}


def test_a_sign_in_mail_to_an_unknown_address_has_no_name(house, sink):
    """No part of the address is used as a name."""
    request_link(house.services, "dee@example.org", "")
    house.react()
    (mail,) = sink.mails
    assert mail.get_body(("plain",)).get_content().startswith("Hello,")


def test_a_player_who_has_moved_meanwhile_gets_no_turn_mail(house, sink):
    """It is dropped, and the row gives the reason."""
    game = house.game()
    house.dispatch()
    house.move(game, 0, "roll; try hold")
    house.deliver()
    assert sink.subjects() == ["ben: The game has started"]
    assert (house.row("turn", 0).state, house.row("turn", 0).reason) == ("dropped", "answered")


def test_a_late_dispatch_mails_the_present_question_only(house):
    """Rows of answered questions make no notification."""
    game = house.game()
    for _ in range(6):
        house.play_default(game)
    house.dispatch()
    asked = [row for row in house.rows() if row.kind == "turn"]
    assert [(row.seat, row.seq) for row in asked] == [(house.table(game).active[0], house.table(game).size - 1)]


def test_a_player_who_resigned_gets_no_turn_mail(house, sink):
    """The server plays the seat at once, and mails the remaining players."""
    game = house.game(seats=3)
    house.dispatch()
    house.resign(game, 0)
    house.deliver()
    assert "ada: Your turn" not in sink.subjects()
    assert house.row("turn", 0).reason in ("resigned", "answered")


def test_the_end_is_mailed_to_all_with_the_ranking(house, sink):
    """No turn mail follows."""
    game = house.game(goal=5)
    house.dispatch()
    while not house.table(game).is_over:
        house.play_default(game)
    house.react()
    over = [mail for mail in sink.mails if "finished" in about(mail)]
    assert [subject for subject in sink.subjects() if "finished" not in subject] == []
    assert sorted(mail["To"].addresses[0].username for mail in over) == ["ada", "ben"]
    assert f"/v1/games/{game}/bundle" in over[0].get_body(("plain",)).get_content()


def test_a_mail_stopped_by_one_click_stays_stopped(house, sink):
    """The link in the mail also stops mails that are already queued."""
    game = house.game()
    house.dispatch()
    mute(house.services, secrets.unsubscribe_token(MASTER, game, 0, 1))
    house.deliver()
    assert sink.subjects() == ["ben: The game has started"]
    assert house.row("turn", 0).reason == "muted"


def test_the_link_in_a_mail_is_the_one_that_mutes(house, sink):
    """The token in the header is for the reader's seat."""
    game = house.game()
    house.react()
    for mail in sink.mails:
        token = mail["List-Unsubscribe"].strip("<>").rpartition("/")[2]
        seat = ("ada", "ben").index(mail["To"].addresses[0].username)
        assert secrets.read_unsubscribe_token(MASTER, token) == (game, seat, seat + 1)


def test_an_erased_account_gets_no_mail(house, sink):
    """Its address is deleted, and the row gives the reason."""
    house.game()
    house.dispatch()
    with house.services.database.write() as session:
        session.execute(sa.update(Account).where(Account.name == "Ada").values(email=None, erased_at=house.time))
    house.deliver()
    assert sink.subjects() == ["ben: The game has started"]


def test_a_mail_to_a_stranger_contains_no_text_of_the_sender(house, sink):
    """An unconfirmed address is greeted without the requested name; a known one by its own."""
    for email in ("dee@example.org", "ada@example.org"):
        request_link(house.services, email, "Win at evil.example")
    house.react()
    assert [mail["To"].addresses[0].display_name for mail in sink.mails] == ["", "Ada"]
    not_told("evil.example", *map(mailed, sink.mails))


def test_an_unconfirmed_address_gets_no_name_of_the_account(house, sink):
    """The name may be anything, so it is in no mail before the address is confirmed."""
    with house.services.database.write() as session:
        session.execute(sa.update(Account).where(Account.id == 1).values(name="Win at evil.example"))
    address.request_change(house.services, 1, "stranger@example.net", None)
    house.react()
    mails = {mail["To"].addresses[0].addr_spec: mailed(mail) for mail in sink.mails}
    assert sorted(mails) == ["ada@example.org", "stranger@example.net"]
    assert "evil.example" in mails["ada@example.org"]
    not_told("evil.example", mails["stranger@example.net"])
    not_told("ada@example.org", mails["stranger@example.net"])


def test_a_link_to_sign_in_works(house, sink):
    """It goes to the requested address, and signs in once."""
    request_link(house.services, "dee@example.org", "Dee")
    house.react()
    (mail,) = sink.mails
    url = next(line for line in mail.get_body(("plain",)).get_content().split() if "/login/" in line)
    assert confirm(house.services, url.rpartition("/")[2], "n", ("read",)).name == "Dee"


def test_a_link_that_has_expired_in_the_queue_is_not_sent(house, sink):
    """After half an hour it would be refused."""
    request_link(house.services, "dee@example.org", "Dee")
    house.dispatch()
    house.pass_time(minutes=31)
    assert (house.deliver(), sink.mails) == (["dropped"], [])


def test_a_temporary_refusal_is_tried_again_later(house, sink):
    """4xx: after its delay, with the same Message-ID."""
    house.game()
    house.dispatch()
    sink.answer = "451 come back"
    assert house.deliver() == ["later", "later"]
    assert house.deliver() == ["not-due", "not-due"]
    sink.answer = "250 OK"
    house.pass_time(seconds=10)
    assert house.deliver() == ["sent", "sent"]
    assert [mail["Message-ID"] for mail in sink.mails] == [row.message_id for row in house.rows()]


def test_an_unreachable_relay_is_a_temporary_refusal(house, sink):
    """The delay grows with each try."""
    house.game()
    house.dispatch()
    sink.stop()
    waits = []
    for _ in range(6):
        house.deliver()
        waits.append((house.rows()[0].next_at - house.time).total_seconds())
        house.time = house.rows()[0].next_at
    assert waits == [10, 60, 300, 900, 3600, 3600]
    sink.start()


def test_a_permanent_refusal_ends_the_mail(house, sink):
    """The mailbox does not exist: the row keeps the server's words."""
    house.game()
    house.dispatch()
    sink.answer = "550 5.1.1 no such mailbox"
    assert house.deliver() == ["failed", "failed"]
    assert "550 5.1.1 no such mailbox" in house.rows()[0].last_error


def test_the_servers_answer_to_every_try_is_stored(house, sink):
    """With its time, for refused and accepted mails; erased with the account."""
    house.game()
    house.dispatch()
    sink.answer = "451 4.2.0 come back"
    house.deliver()
    tried = house.rows()[0]
    assert (tried.said, tried.said_at) == ("451 4.2.0 come back", START)
    sink.answer = "250 2.0.0 queued as 7"
    house.pass_time(seconds=10)
    house.deliver()
    sent = house.rows()[0]
    assert (sent.said, sent.said_at) == ("250 2.0.0 queued as 7", START + timedelta(seconds=10))
    assert (sent.sent_at, sent.last_error) == (sent.said_at, None)
    erase_account(house.services, 1)
    assert house.rows()[0].said is None


def test_a_mail_that_fails_for_days_is_given_up(house, sink):
    """After eighty tries."""
    house.game()
    house.dispatch()
    sink.answer = "451 come back"
    with house.services.database.write() as session:
        session.execute(sa.update(Notification).values(attempts=79))
    assert house.deliver() == ["failed", "failed"]


def test_a_lease_keeps_others_out_until_it_ends(house, sink):
    """A second worker leaves the mail alone until the first has died and its lease is over."""
    house.game()
    number = house.dispatch()[0]
    seen = []
    sink.before = lambda: seen.append(deliver_in(house.ctx, number))
    deliver_in(house.ctx, number)
    assert (seen, len(sink.mails)) == (["not-due"], 1)
    with house.services.database.write() as session:
        session.execute(sa.update(Notification).values(state="leased", lease_until=house.time))
    sink.before = None
    assert deliver_in(house.ctx, number) == "sent"
    assert sink.mails[0]["Message-ID"] == sink.mails[1]["Message-ID"]


def test_an_internal_fault_is_tried_again_and_logged_without_content(house, monkeypatch):
    """The operator's log shows the place of the fault."""
    game = house.game("bids")
    number = house.dispatch()[0]
    monkeypatch.setattr(type(house.table(game).game), "board", lambda self, view, names: 1 / len(f"{view}"[:0]))
    logged: list[dict] = []  # with its own logger: an earlier test may have set up the process's
    monkeypatch.setattr(deliver, "log", SimpleNamespace(error=lambda _, **facts: logged.append(facts)))
    assert deliver_in(house.ctx, number) == "later"
    row = house.rows()[0]
    assert (logged[0]["place"], row.state) == (row.last_error, "pending")
    assert re.fullmatch(r"ZeroDivisionError in <lambda>, line \d+ of test_reactions.py", row.last_error)


def test_a_seat_left_before_the_start_gets_no_mail(house, sink):
    """Its row is deleted, or belongs to somebody else."""
    house.game()
    house.dispatch()
    with house.services.database.write() as session:
        session.execute(sa.update(Seat).where(Seat.seat == 0).values(account_id=3))
    house.deliver()
    assert house.row("turn", 0).reason == "seat-left"


def test_an_unknown_row_is_ignored(house):
    """An old job's id after a restore of the database."""
    assert dispatch_in(house.ctx, 999) == []
    assert deliver_in(house.ctx, 999) == "not-due"


def test_a_used_link_is_not_mailed_again(house):
    """The second mail would hold a dead link."""
    request_link(house.services, "dee@example.org", "Dee")
    house.dispatch()
    with house.services.database.write() as session:
        session.execute(sa.update(LoginLink).values(used_at=house.time))
    assert house.deliver() == ["dropped"]
