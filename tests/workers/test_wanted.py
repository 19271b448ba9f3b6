"""Mail settings, from the rows to the mail: its time, its form, and that nothing is lost."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa

from server.kernel.db.models import Account, Notification, WebSession
from server.kernel.secrets import choice_token
from server.mailbox import delivery_reports
from server.mailbox import write as mailbox
from server.mailbox.read import counted_mails
from server.tables.talk.write import NewMessage, say
from tests.workers.harness import DAY, about, deliver_in
from workers import digests
from workers.clock import round_of
from workers.digests import gather, settle

ADA, BEN = 1, 2


def choose(house, account=ADA, **given) -> None:
    mailbox.change_choices(house.services, account, given)


def states(house, kind="turn", seat=0) -> list[tuple[str, str | None]]:
    return [(row.state, row.reason) for row in house.rows() if (row.kind, row.seat) == (kind, seat)]


def round_and_mail(house, sink) -> list[str]:
    """Run the clock and a worker; returns the new mails."""
    before = len(sink.mails)
    house.dispatch()
    round_of(house.ctx)
    house.deliver()
    settle(house.ctx)
    return sink.subjects()[before:]


def text_of(mail) -> str:
    return mail.get_body(("plain",)).get_content()


def test_a_kind_that_is_off_is_not_mailed_and_the_row_gives_the_reason(house, sink):
    """Other kinds are mailed, and so are other people."""
    choose(house, turn="off")
    choose(house, BEN, started="off")
    game = house.game(goal=5)
    assert round_and_mail(house, sink) == []
    assert (states(house), states(house, "started", 1)) == ([("dropped", "off")], [("dropped", "off")])
    while not house.table(game).is_over:
        house.play_default(game)
    assert sorted(name for name in round_and_mail(house, sink) if "finished" in name) == [
        "ada: The game has finished",
        "ben: The game has finished",
    ]


def test_a_mail_switched_off_while_it_waits_is_not_sent(house, sink):
    """Settings are read again before sending."""
    house.game()
    house.dispatch()
    choose(house, turn="off")
    house.deliver()
    assert states(house) == [("dropped", "off")]


def test_a_delayed_question_is_mailed_only_if_still_open(house, sink):
    """A player who moves within the delay gets no mail."""
    choose(house, delay=30)
    game, other = house.game(), house.game()
    assert "ada: Your turn" not in round_and_mail(house, sink)
    house.pass_time(minutes=29)
    house.move(game, 0, "roll; try hold")
    assert "ada: Your turn" not in round_and_mail(house, sink)
    house.pass_time(minutes=1)
    assert round_and_mail(house, sink).count("ada: Your turn") == 1
    asked = {row.game_id: (row.state, row.reason) for row in house.rows() if (row.kind, row.seat) == ("turn", 0)}
    assert asked[other] == ("sent", None)
    assert asked[game] == ("dropped", "answered")


def test_quiet_hours_delay_a_mail_until_they_end(house, sink):
    """In the zone of the account: ten o'clock in UTC is eleven in Berlin."""
    with house.services.database.write() as session:
        session.execute(sa.update(Account).where(Account.id == ADA).values(zone="Europe/Berlin"))
    choose(house, quiet_from="10:45", quiet_until="11:30")
    house.game()
    assert round_and_mail(house, sink) == ["ben: The game has started"]
    house.pass_time(minutes=29)
    assert round_and_mail(house, sink) == []
    house.pass_time(minutes=1)
    assert round_and_mail(house, sink) == ["ada: Your turn"]
    assert "until Tuesday 24 November 2026, 11:00 CET" in " ".join(text_of(sink.mails[-1]).split())
    assert house.row("turn", 0).waited == "quiet"


def test_a_retry_in_quiet_hours_waits_and_does_not_count(house, sink):
    """Temporarily refused before they began, it is sent when they end, and not at its next try."""
    choose(house, quiet_from="10:00", quiet_until="12:00")
    choose(house, BEN, quiet_from="10:00", quiet_until="09:59")
    house.pass_time(seconds=-5)
    house.game()
    house.dispatch()
    sink.answer = "451 come back"
    house.deliver()
    sink.answer = "250 OK"
    house.pass_time(seconds=10)
    house.deliver()
    row = house.row("turn", 0)
    assert (row.state, row.waited, row.attempts) == ("pending", "quiet", 1)
    house.pass_time(hours=2)
    house.deliver()
    assert states(house) == [("sent", None)]


def test_a_player_on_the_site_is_mailed_after_they_have_left(house, sink):
    """If their settings say so, and it is still their turn."""
    choose(house, on_site=False)
    with house.services.database.write() as session:
        used = house.time - timedelta(minutes=3)
        session.add(WebSession(account_id=ADA, hash=b"a browser", created_at=used, last_used_at=used))
    house.game()
    assert round_and_mail(house, sink) == ["ben: The game has started"]
    house.pass_time(minutes=7)
    assert round_and_mail(house, sink) == ["ada: Your turn"]


@pytest.mark.slow
def test_a_digest_lists_owed_moves_by_urgency(house, sink):
    """One mail at the chosen hour, without answered turns and muted games."""
    choose(house, turn="digest", started="digest", digest_hour="18:00")
    slow, quick, played = house.game(clock=5 * DAY), house.game(clock=2 * DAY), house.game(clock=DAY)
    house.dispatch()
    house.move(played, 0, "roll; try hold")
    house.pass_time(hours=7, minutes=59)
    assert [name for name in round_and_mail(house, sink) if name.startswith("ada")] == []
    house.pass_time(minutes=1)
    assert [name for name in round_and_mail(house, sink) if name.startswith("ada")] == ["ada: "]
    mail = sink.mails[-1]
    assert about(mail) == "Sealed Move: your turn in 2 games"
    text = text_of(mail)
    assert 0 < text.index(quick) < text.index(slow)
    assert played not in text
    assert "Time left: 1 day 16 hours" in text
    assert f"#{quick[:4]} with Ben. You have seat 1." in text
    ended = {row.game_id: (row.state, row.reason) for row in house.rows() if (row.kind, row.seat) == ("turn", 0)}
    assert (ended[slow], ended[quick], ended[played]) == (("sent", None), ("sent", None), ("dropped", "answered"))
    house.pass_time(days=1)
    assert [name for name in round_and_mail(house, sink) if name.startswith("ada")] == []


@pytest.mark.parametrize("talk", [True, False])
def test_a_digest_tells_where_others_have_written_but_not_what(house, sink, talk):
    """Unless the reader leaves the talk out of their emails."""
    choose(house, turn="digest", digest_hour="18:00", talk=talk)
    spoken, silent = house.game(clock=5 * DAY), house.game(clock=5 * DAY)
    say(house.services, BEN, spoken, NewMessage("the bridge is mine, says zanzibar", "page"))
    say(house.services, ADA, silent, NewMessage("only my own words", "page"))
    house.dispatch()
    house.pass_time(hours=8)
    round_and_mail(house, sink)
    text = text_of(next(mail for mail in sink.mails if "your turn in" in about(mail)))
    news = text.partition("Also waiting for you:")[2]
    assert ("written at the table" in news, f"#{spoken[:4]}" in news) == (talk, talk)
    assert f"#{silent[:4]}" not in news
    assert "zanzibar" not in text


def test_a_question_that_ends_before_the_digest_is_mailed_at_once(house, sink):
    """The digest would be too late."""
    choose(house, turn="digest", digest_hour="09:00")
    house.game(clock=DAY // 2)
    assert "ada: Your turn" in round_and_mail(house, sink)


def test_a_player_who_switches_the_digest_off_does_not_wait_for_it(house, sink):
    """Held questions are mailed; the digest would be empty, so it is not sent."""
    choose(house, turn="digest", digest_hour="18:00")
    house.game()
    house.dispatch()
    assert states(house) == [("held", None)]
    choose(house, turn="on")
    house.pass_time(seconds=3)
    assert "ada: Your turn" in round_and_mail(house, sink)
    house.pass_time(hours=9)
    assert "ada: " not in round_and_mail(house, sink)


def test_a_table_may_have_its_own_settings(house, sink):
    """There the account's settings do not count."""
    choose(house, turn="off")
    game, other = house.game(), house.game()
    mailbox.change_exceptions(house.services, ADA, game, {"turn": "on", "picture": False})
    house.dispatch()
    house.deliver()
    (mail,) = (one for one in sink.mails if about(one).endswith("Your turn"))
    assert game in text_of(mail)
    assert other not in text_of(mail)
    assert [part.get_content_type() for part in mail.walk() if part.get_content_maintype() == "image"] == []


def test_two_clocks_and_a_kill_between_them_make_one_digest(house, sink):
    """After a kill the same digest is sent again, with the same content."""
    choose(house, turn="digest", digest_hour="18:00")
    house.game()
    house.game()
    house.dispatch()
    house.pass_time(hours=8)
    gather(house.ctx)
    gather(house.ctx)
    (digest,) = [row for row in house.rows() if row.kind == "digest"]
    assert {row.digest_id for row in house.rows() if row.kind == "turn"} == {digest.id}
    assert deliver_in(house.ctx, digest.id) == "sent"
    with house.services.database.write() as session:  # as if the worker had died before it noted the end
        lost = {"state": "leased", "lease_until": house.time, "sent_at": None}
        session.execute(sa.update(Notification).where(Notification.id == digest.id).values(**lost))
    settle(house.ctx)
    assert states(house) == [("held", None), ("held", None)]
    assert deliver_in(house.ctx, digest.id) == "sent"
    for _ in range(2):
        settle(house.ctx)
        gather(house.ctx)
    first, second = (one for one in sink.mails if one["To"].addresses[0].username == "ada")
    assert first["Message-ID"] == second["Message-ID"]
    assert states(house) == [("sent", None), ("sent", None)]
    assert [row.kind for row in house.rows()].count("digest") == 1


def test_each_link_that_stops_more_mail_is_told_once(house, sink):
    """Also while the reader has not yet decided about another one; the same link pressed again is not news."""

    def press(kind: str) -> list[str]:
        with house.services.database.read() as session:
            ada = session.get_one(Account, ADA)
        mailbox.apply_linked_choice(house.services, choice_token(house.services.master, kind, ada))
        house.pass_time(days=2)
        new = len(round_and_mail(house, sink))
        return [about(mail) for mail in sink.mails[len(sink.mails) - new :]]

    choose(house, turn="digest")
    assert [press(kind) for kind in ("no-digest", "off", "off", "no-digest")] == [
        ["Sealed Move: your daily digest has stopped"],
        ["Sealed Move: emails about your games have stopped"],
        [],
        [],
    ]


def test_a_digest_leaves_out_kinds_that_were_switched_off(house, sink):
    """Settings are read again before sending; an empty digest is not sent."""
    choose(house, turn="digest", over="digest", digest_hour="18:00")
    over, waits = house.game(goal=5), house.game()
    while not house.table(over).is_over:
        house.play_default(over)
    house.dispatch()
    house.pass_time(hours=8)
    gather(house.ctx)
    mailbox.change_exceptions(house.services, ADA, over, {"muted": True})
    digest = house.row("digest", None)
    assert deliver_in(house.ctx, digest.id) == "sent"
    assert (over in text_of(sink.mails[-1]), waits in text_of(sink.mails[-1])) == (False, True)
    house.game()
    house.dispatch()
    house.pass_time(days=1)
    gather(house.ctx)
    choose(house, turn="off")
    assert deliver_in(house.ctx, house.row("digest", None).id) == "dropped"


def test_questions_of_a_bounced_digest_are_in_the_next_one(house, sink):
    """Once the player has mail again."""
    choose(house, turn="digest", digest_hour="18:00")
    house.game()
    house.dispatch()
    house.pass_time(hours=8)
    sink.answer = "550 5.1.1 no such mailbox"
    assert round_and_mail(house, sink) == []
    assert states(house) == [("failed", "refused")]
    delivery_reports.want_mail(house.services, ADA)
    sink.answer = "250 OK"
    assert "ada: " not in round_and_mail(house, sink)
    assert states(house) == [("held", None)]
    house.pass_time(days=1)
    assert "ada: " in round_and_mail(house, sink)
    assert states(house) == [("sent", None)]
    first, second = (row.message_id for row in house.rows() if row.kind == "digest")
    assert first != second


def test_a_faulty_digest_does_not_delay_others(house, monkeypatch):
    """It is reported to the operator, and tried again ten seconds later."""
    choose(house, turn="digest")
    choose(house, BEN, started="digest")
    house.game()
    house.dispatch()
    house.pass_time(days=1)
    whole = digests.insert

    def fails_for_ada(session, ctx, values, now):
        if values["account_id"] == ADA:
            raise OSError
        return whole(session, ctx, values, now)

    monkeypatch.setattr(digests, "insert", fails_for_ada)
    gather(house.ctx)
    assert [row.account_id for row in house.rows() if row.kind == "digest"] == [BEN]
    monkeypatch.undo()
    house.pass_time(seconds=10)
    gather(house.ctx)
    assert [row.account_id for row in house.rows() if row.kind == "digest"] == [BEN, ADA]


def test_a_mail_held_after_a_digest_is_in_the_next_one(house, sink):
    """Even if its time is already over, by a clock that is wrong."""
    choose(house, turn="digest", digest_hour="18:00")
    house.game()
    house.dispatch()
    house.pass_time(hours=8)
    round_and_mail(house, sink)
    house.game()
    house.dispatch()
    with house.services.database.write() as session:
        session.execute(sa.update(Notification).where(Notification.state == "held").values(next_at=house.time))
    assert [name for name in round_and_mail(house, sink) if name.startswith("ada")] == ["ada: "]


def test_mails_delayed_by_settings_do_not_count_as_backlog(house):
    """An operator who watches the backlog is not alarmed because somebody sleeps."""
    choose(house, turn="digest")
    choose(house, BEN, quiet_from="09:00", quiet_until="12:00")
    house.game()
    house.dispatch()
    assert counted_mails(house.services) == {"pending": 0, "leased": 0, "failed": 0, "waits": 2}
    house.pass_time(hours=2)
    assert counted_mails(house.services) == {"pending": 1, "leased": 0, "failed": 0, "waits": 1}
