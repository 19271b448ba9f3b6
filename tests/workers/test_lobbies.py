"""Tables that do not start: their hosts are warned by mail, then the tables end."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa

from engine.record.signed import acts
from engine.record.signed.keys import sign_jws
from server.kernel.db.models import Game
from server.kernel.text import moment
from server.play.write import join
from server.tables.after import consents
from server.tables.hosting import write
from server.tables.write import GameRequest, create_game
from tests.workers.harness import PEOPLE, seed
from workers.lobbies import end_unstarted


def words(mail) -> str:
    return " ".join(mail.get_body(("plain",)).get_content().split())


def lobby(house, *joined: int, **more) -> str:
    """A table of Ada's that people have joined."""
    game = create_game(house.services, 1, GameRequest(type="pig", seats=3, options={}, **more))
    for seat in joined:
        act = acts.join(**house._where(game, seat), **house._holder(PEOPLE[seat]), nonce=bytes(32))
        join(house.services, game, sign_jws(seed(PEOPLE[seat]), act))
    return game


def test_a_host_is_warned_and_then_the_players_learn_of_the_end(house, sink):
    """Twice round the clock sends no mail twice."""
    game = lobby(house, 1)
    house.pass_time(days=11, seconds=1)
    for _ in range(2):
        end_unstarted(house.ctx)
        house.react()
    assert sink.subjects() == ["ada: Your table will end soon"]
    assert f"http://127.0.0.1:8000/games/{game}" in sink.mails[0].get_body(("plain",)).get_content()
    house.pass_time(days=3)
    for _ in range(2):
        end_unstarted(house.ctx)
        house.react()
    assert sink.subjects()[1:] == ["ben: The game was cancelled"]
    assert "did not start in time" in sink.mails[1].get_body(("plain",)).get_content()


def test_a_table_whose_end_came_in_an_outage_is_warned_and_goes_on_for_three_days(house, sink):
    """Nobody was warned while no clock ran, nor could keep it open."""
    game = lobby(house, 1)
    house.pass_time(days=20)
    end_unstarted(house.ctx)
    house.react()
    assert sink.subjects() == ["ada: Your table will end soon"]
    until = house.services.now() + timedelta(days=3)
    assert f"cancelled on {moment(until)}" in words(sink.mails[0])
    house.pass_time(days=2, hours=23)
    end_unstarted(house.ctx)
    assert house.kinds(game)[-1] == "joined"
    house.pass_time(hours=1)
    end_unstarted(house.ctx)
    assert house.kinds(game)[-1] == "cancelled"


def test_a_warning_is_not_mailed_once_the_table_was_kept_open(house, sink):
    game = lobby(house, 1)
    house.pass_time(days=11, seconds=1)
    end_unstarted(house.ctx)
    write.keep_open(house.services, game, 1)
    house.react()
    assert sink.subjects() == []
    with house.services.database.read() as session:
        ends = session.scalar(sa.select(Game.ends_at).where(Game.id == game))
    assert ends == house.services.now() + timedelta(days=14)


def test_a_table_that_was_kept_open_twice_offers_no_third_time(house, sink):
    game = lobby(house, 1)
    for _ in range(write.MOST_KEPT):
        house.pass_time(days=12)
        write.keep_open(house.services, game, 1)
    house.pass_time(days=12)
    end_unstarted(house.ctx)
    house.react()
    assert sink.subjects() == ["ada: Your table will end soon"]
    assert "It cannot be kept open any longer." in words(sink.mails[0])
    assert "Keep it open" not in words(sink.mails[0])


def test_a_removed_player_and_a_new_host_get_a_mail(house, sink):
    game = lobby(house, 1, 2)
    write.remove_player(house.services, game, 1, 1, since=1)
    write.pass_on(house.services, game, 1, 2)
    house.react()
    assert sink.subjects() == ["ben: The host removed you from the table", "cy: You are the host now"]


def test_players_of_a_full_table_are_asked_whether_they_are_ready(house, sink):
    """Those who are ready already are not asked."""
    game = lobby(house, 0, 1, start="ready")
    write.set_ready(house.services, game, 1, ready=True)
    act = acts.join(**house._where(game, 2), **house._holder(PEOPLE[2]), nonce=bytes(32))
    join(house.services, game, sign_jws(seed(PEOPLE[2]), act))
    house.react()
    assert sink.subjects() == ["ben: Are you ready?", "cy: Are you ready?"]


def test_a_wish_to_cancel_is_mailed_to_the_others_and_its_end_to_all(house, sink):
    """The result is the end of the game, in the words of the mail."""
    game = house.game(seats=2)
    house.react()
    before = len(sink.mails)
    consents.agree(house.services, game, 1)
    house.react()
    house.react()
    asked = ["ada: You asked to cancel the game", "ben: A player wants to cancel the game"]
    assert sorted(sink.subjects()[before:]) == asked
    consents.agree(house.services, game, 2)
    house.react()
    assert sorted(sink.subjects()[before + 2 :]) == ["ada: The game was cancelled", "ben: The game was cancelled"]
    assert "Ada wants to cancel your Pig game" in " ".join(map(words, sink.mails[before:]))
    assert "The players of your Pig game agreed to cancel it without a result." in words(sink.mails[-1])


def test_a_wish_to_pause_is_mailed_to_the_others(house, sink):
    """And once they agree, the new deadline to the player who owes a move."""
    game = house.game(seats=2)
    house.react()
    before, until = len(sink.mails), house.services.now() + timedelta(days=7)
    consents.agree(house.services, game, 1, until)
    house.react()
    house.react()
    asked = ["ada: You asked to pause the game", "ben: A player wants to pause the game"]
    assert sorted(sink.subjects()[before:]) == asked
    for mail in sink.mails[before:]:
        assert f"until {moment(until)}" in words(mail)
    assert "Ada wants to pause your Pig game" in words(sink.mails[-1]) + words(sink.mails[-2])
    consents.agree(house.services, game, 2, until)
    house.react()
    (moved,) = sink.subjects()[before + 2 :]
    assert "deadline" in moved


def test_a_wish_that_has_ended_is_not_mailed(house, sink):
    game = house.game(seats=2)
    house.react()
    before = len(sink.mails)
    consents.agree(house.services, game, 1)
    consents.end_wish(house.services, game, 2)
    house.react()
    assert sink.subjects()[before:] == []
