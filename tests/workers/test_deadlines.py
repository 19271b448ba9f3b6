"""The clock: a reminder at four fifths, a default move at the deadline, and the race with a move in both orders."""

from __future__ import annotations

import threading
from functools import partial

import pytest
import sqlalchemy as sa
from msgspec.structs import replace

from engine import registry
from engine.errors import Refused
from server.hooks import numbering
from server.hooks import read as hooks
from server.kernel import quarantine
from server.kernel.db.models import Game, Outbox, Seat
from server.kernel.db.models.games import BROKEN
from server.kernel.services import open_services
from server.log.ledger import stop_game
from server.play.write import expire, play_resigned
from tests.kit.games.pig import Pig
from tests.workers.harness import DAY, about
from workers import deadlines
from workers.deadlines import overdue, remind, tick
from workers.sweeper import sweep, undispatched

MOVE, GRACE = 3 * DAY, 300


def test_the_reminder_comes_when_four_fifths_of_the_time_are_gone(house):
    """Of the turn's time, without the grace; not a second earlier."""
    house.game()
    house.pass_time(seconds=MOVE * 4 // 5 - 1)
    assert remind(house.ctx) == []
    house.pass_time(seconds=1)
    assert len(remind(house.ctx)) == 1


def test_a_reminder_is_an_event_of_the_reminded_player(house):
    """Once, even for a player who muted the game."""
    game = house.game()
    with house.services.database.write() as session:
        session.execute(sa.update(Seat).where(Seat.game_id == game).values(muted=True))
        account = session.scalar(sa.select(Seat.account_id).where(Seat.game_id == game, Seat.seat == 0))
    before = events(house, account)
    house.pass_time(seconds=MOVE * 4 // 5)
    for _ in range(2):
        remind(house.ctx)
    assert [(row.state, row.reason) for row in house.rows()] == [("dropped", "muted")]
    new = events(house, account)[len(before) :]
    assert [(event["kind"], event["seat"], event["game"]) for event in new] == [("reminder", 0, game)]


def events(house, account):
    numbering.number(house.services.database, [account])
    with house.services.database.read() as session:
        return hooks.events_after(session, account, 0).events


def test_there_is_one_reminder_for_a_question(house):
    """However often the clock ticks, and with two clocks."""
    game = house.game()
    house.pass_time(seconds=MOVE * 4 // 5)
    for _ in range(3):
        tick(house.ctx)
    assert [row.kind for row in house.rows()] == ["reminder"]
    assert house.seat(game, 0).reminded_n == house.seat(game, 0).deadline_n


def test_a_reminder_shows_the_time_left(house, sink):
    """And the default move."""
    house.game()
    house.pass_time(seconds=MOVE * 4 // 5)
    remind(house.ctx)
    house.deliver()
    text = sink.mails[0].get_body(("plain",)).get_content()
    assert "Time left: 14 hours 24 minutes" in text
    assert "the server plays this default move: roll" in text


def test_a_reminder_does_not_repeat_the_start_of_the_game(house, sink):
    """The first turn mail has it."""
    game = house.game()
    house.react()
    house.pass_time(seconds=MOVE * 4 // 5)
    remind(house.ctx)
    house.deliver()
    first, _, reminder = (mail.get_body(("plain",)).get_content() for mail in sink.mails)
    assert "has started" in first
    assert house.row("reminder", 0).game_id == game
    assert "has started" not in reminder


def test_a_player_who_moves_before_a_reminder_is_sent_does_not_get_it(house, sink):
    """The next turn has its own reminder."""
    game = house.game()
    house.pass_time(seconds=MOVE * 4 // 5)
    remind(house.ctx)
    house.move(game, 0, "roll; try hold")
    house.deliver()
    assert "ada: Reminder: your turn" not in sink.subjects()
    house.pass_time(seconds=MOVE * 4 // 5)
    assert len(remind(house.ctx)) == 1


def test_a_reminder_that_comes_after_the_deadline_is_dropped(house):
    """The server has played, or is about to."""
    house.game()
    house.pass_time(seconds=MOVE * 4 // 5)
    remind(house.ctx)
    house.pass_time(seconds=MOVE)
    house.deliver()
    assert house.row("reminder", 0).reason == "too-late"


def test_a_muted_seat_gets_no_reminder_but_a_default_move(house):
    """Muting stops mail, not the clock."""
    from server.kernel import secrets
    from server.mailbox.write import mute

    game = house.game()
    mute(house.services, secrets.unsubscribe_token(house.settings.master, game, 0, 1))
    house.pass_time(seconds=MOVE * 4 // 5)
    remind(house.ctx)
    assert [(row.kind, row.state, row.reason) for row in house.rows()] == [("reminder", "dropped", "muted")]
    house.pass_time(seconds=MOVE)
    tick(house.ctx)
    assert house.kinds(game)[-1] == "expired"


def test_nothing_expires_before_the_grace_is_over(house):
    """A second earlier the log is unchanged."""
    game = house.game()
    house.pass_time(seconds=MOVE + GRACE - 1)
    tick(house.ctx)
    assert "expired" not in house.kinds(game)
    house.pass_time(seconds=1)
    tick(house.ctx)
    assert house.kinds(game)[-1] == "expired"


def test_the_clock_plays_the_whole_turn_and_notifies_the_next_player(house, sink):
    """That mail names the player for whom the server played."""
    game = house.game()
    house.pass_time(seconds=MOVE + GRACE)
    tick(house.ctx)
    assert house.table(game).active == (1,)
    house.react()
    mail = next(mail for mail in sink.mails if about(mail).endswith("Your turn"))
    assert "the server played a default move for Ada." in mail.get_body(("plain",)).get_content()


def test_two_clocks_play_a_seat_once(house):
    """Both found the same seat overdue."""
    game = house.game()
    house.pass_time(seconds=MOVE + GRACE)
    first, second = house.ask(overdue), house.ask(overdue)
    for game_id, seat in first + second:
        expire(house.services, game_id, seat)
    assert house.kinds(game).count("expired") == 1


def test_a_late_move_before_the_clock_counts(house):
    """The clock finds nothing due."""
    game = house.game()
    house.pass_time(seconds=MOVE + GRACE + 60)
    late = house.ask(overdue)
    house.move(game, 0, "roll; try hold")
    assert [expire(house.services, *seat) for seat in late] == [False]
    assert house.kinds(game)[-1] == "moved"


def test_a_move_after_the_clock_is_refused(house):
    """The game has moved on, and the refusal says so."""
    game = house.game()
    house.pass_time(seconds=MOVE + GRACE)
    tick(house.ctx)
    with pytest.raises(Refused, match="not-active"):
        house.move(game, 0, "roll")
    assert house.kinds(game)[-1] == "expired"


@pytest.mark.slow
def test_a_move_and_two_concurrent_clocks_make_one_entry(house):
    """In threads with their own connections: one is first, the others find nothing due."""
    for _ in range(8):
        game = house.game()
        size = len(house.kinds(game))
        house.pass_time(seconds=MOVE + GRACE)
        _together([partial(_ignoring, house.move, game, 0, "roll; try hold"), *[partial(_clock, house, game)] * 2])
        assert sorted(house.kinds(game)[size:]) in (["expired"], ["moved"])


def _clock(house, game) -> None:
    """With its own services, like a clock in another process."""
    services = open_services(house.settings)
    object.__setattr__(services, "now", lambda: house.time)
    expire(services, game, 0)
    services.database.dispose()


def _ignoring(act, *given) -> None:
    try:
        act(*given)
    except Refused:
        return


def _together(acts) -> None:
    threads = [threading.Thread(target=act) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_a_game_without_a_clock_waits_for_ever(house):
    """Without reminders or default moves."""
    game = house.game(clock=None)
    house.pass_time(days=999)
    tick(house.ctx)
    assert house.rows() == []
    assert house.kinds(game)[-1] == "started"


def test_a_stopped_game_has_no_clock(house, capsys):
    """Nobody loses time by a fault of the server."""
    from engine.errors import EngineFault

    game = house.game()
    stop_game(house.services, game, EngineFault("planted"))
    house.pass_time(seconds=MOVE + GRACE)
    tick(house.ctx)
    assert house.kinds(game)[-1] == "started"


def test_a_faulty_game_does_not_delay_others(house, monkeypatch):
    """The fault is logged by its type, and the other games are played."""
    broken, sound = house.game(), house.game()
    house.pass_time(seconds=MOVE + GRACE)

    def sometimes(services, game_id, seat):
        if game_id == broken:
            raise ZeroDivisionError
        return expire(services, game_id, seat)

    monkeypatch.setattr(deadlines, "expire", sometimes)
    tick(house.ctx)
    assert (house.kinds(broken)[-1], house.kinds(sound)[-1]) == ("started", "expired")


@pytest.mark.parametrize("rule", ["default", "active", "forced", "outcome"])
def test_a_fault_in_a_rule_that_the_clock_asks_stops_the_game(house, monkeypatch, rule):
    """Its seat is not set aside, for the operator clears the fault and then the clock plays."""
    game = house.game()
    house.pass_time(seconds=MOVE + GRACE)
    with monkeypatch.context() as broken:
        broken.setattr(Pig, rule, lambda *_: 1 // 0)
        tick(house.ctx)
    assert house.kinds(game)[-1] == "started"
    with house.services.database.read() as session:
        assert session.get_one(Game, game).fault == BROKEN
        assert quarantine.counted(session) == {}


def test_any_clock_plays_for_a_resigned_seat(house, monkeypatch):
    """The process stopped right after the entry; the clock has not seen the game before."""
    game = house.game(seats=3)
    with monkeypatch.context() as dying:
        dying.setattr("server.play.write.play_resigned", lambda *_: None)
        house.resign(game, 0)
    assert house.kinds(game)[-1] == "resigned"
    other = open_services(house.settings)
    play_resigned(other, game)
    other.database.dispose()
    assert house.kinds(game)[-1] == "expired"


def test_reminders_follow_each_games_clock(house):
    """A blitz game and a slow one."""
    quick, slow = house.game(clock=600), house.game(clock=7 * DAY)
    house.pass_time(seconds=480)
    assert [house.rows()[0].game_id for _ in remind(house.ctx)] == [quick]
    house.pass_time(days=5.6)
    remind(house.ctx)
    assert {row.game_id for row in house.rows()} == {quick, slow}


def test_the_clock_plays_a_whole_abandoned_game_to_its_end(house, sink):
    """One entry a deadline; then everybody gets the result."""
    game = house.game(goal=5)
    for _ in range(200):
        if house.table(game).is_over:
            break
        house.pass_time(seconds=MOVE + GRACE)
        tick(house.ctx)
    assert set(house.kinds(game)[4:]) == {"expired"}
    assert sorted(subject for subject in house.react() if "finished" in subject) == [
        "ada: The game has finished",
        "ben: The game has finished",
    ]


def test_a_faulty_outbox_row_does_not_delay_others(house, sink):
    """It is logged for the operator and tried again later."""
    with house.services.database.write() as session:
        lost = {"kind": "waiting", "waiting_act_id": 4711, "created_at": house.time}
        session.execute(sa.insert(Outbox).values(lost))
    house.game()
    house.pass_time(seconds=3)
    sweep(house.ctx)
    house.deliver()
    assert sink.subjects() == ["ada: Your turn", "ben: The game has started"]
    assert len(house.ask(undispatched)) == 1


def test_the_sweeper_dispatches_rows_without_a_wake(house):
    """After two seconds, so that the wake comes first."""
    house.game()
    assert house.ask(undispatched) == []
    house.pass_time(seconds=2)
    sweep(house.ctx)
    assert [row.state for row in house.rows()] == ["pending", "pending"]
    assert house.ask(undispatched) == []


def test_a_clock_that_was_down_for_long_plays_every_late_seat_once(house):
    """Ten games, one tick."""
    games = [house.game() for _ in range(10)]
    house.pass_time(days=30)
    tick(house.ctx)
    assert all(house.kinds(game).count("expired") == 1 for game in games)
    with house.services.database.read() as session:
        assert session.scalar(sa.select(sa.func.count()).select_from(Game)) == 10


def test_games_whose_rules_are_not_installed_take_no_place_in_a_round(house, monkeypatch):
    """They are the longest overdue and more than a round holds; the clock passes them and plays in the next game."""
    monkeypatch.setattr(deadlines, "MOST", 2)
    waiting = [house.game("pig") for _ in range(3)]
    house.pass_time(seconds=1)
    game = house.game("bids")
    pig = registry.find("pig")
    monkeypatch.setattr(pig, "meta", replace(pig.meta, rules=(2, 2)))
    house.pass_time(seconds=MOVE + GRACE)
    assert {late for late, _ in house.ask(overdue)} == {game}
    tick(house.ctx)
    assert "expired" in house.kinds(game)
    assert all("expired" not in house.kinds(one) for one in waiting)
