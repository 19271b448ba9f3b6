"""A game with missing entries: no default moves, no reminders, and mail waits until it is complete."""

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest
import sqlalchemy as sa

from engine import registry
from engine.errors import EngineFault
from engine.record.signed import note
from server.evidence.note_comparison import compare
from server.kernel import secrets
from server.kernel.db.models import Game, Seat
from server.kernel.db.models.games import Stoppable
from server.log.ledger import stop_game
from server.operate.stopped_games import give_up, resume, stopped
from tests.server.harness import BY
from tests.workers.harness import DAY, MASTER
from workers.clock import round_of
from workers.deadlines import overdue, remind, stop_without_rules, tick

MOVE, GRACE = 3 * DAY, 300


def stop(house, game: str) -> None:
    """Somebody shows a checkpoint of more entries than the server has."""
    table = house.table(game)
    text = note.write(table.server, game, table.size + 3, bytes(32), secrets.server_seed(MASTER, 1))
    assert compare(house.services, game, text).relation == "newer"


def test_a_stopped_game_has_no_default_moves_and_no_reminders(house):
    """However long it takes."""
    game = house.game()
    stop(house, game)
    house.pass_time(seconds=MOVE * 4 // 5)
    assert remind(house.ctx) == []
    house.pass_time(days=99)
    assert house.ask(overdue) == []
    tick(house.ctx)
    assert house.kinds(game)[-1] == "started"
    assert house.rows() == []


def test_when_a_game_goes_on_the_time_is_given_back(house):
    """The seat has as long as it had, counted from then."""
    game = house.game()
    house.pass_time(seconds=MOVE)
    stop(house, game)
    house.pass_time(days=10)
    give_up(house.services, BY, game)
    assert house.kinds(game)[-1] == "granted"
    house.pass_time(seconds=GRACE - 1)
    tick(house.ctx)
    assert house.kinds(game)[-1] == "granted"
    house.pass_time(seconds=1)
    tick(house.ctx)
    assert house.kinds(game)[-1] == "expired"


def test_mail_about_a_stopped_game_waits(house, sink):
    """The log here is not complete, so mails are neither sent nor dropped."""
    game = house.game()
    house.dispatch()
    stop(house, game)
    assert set(house.deliver()) == {"later"}
    assert sink.mails == []
    give_up(house.services, BY, game)
    house.pass_time(minutes=1)
    house.react()
    assert sorted(sink.subjects()) == ["ada: Your turn", "ben: The game has started"]


def test_after_a_stop_a_player_is_mailed_once_about_their_turn(house, sink):
    """The mail that they already have is about the same turn."""
    game = house.game()
    house.react()
    stop(house, game)
    give_up(house.services, BY, game)
    house.react()
    assert sorted(sink.subjects()) == ["ada: Your turn", "ben: The game has started"]


def test_a_seat_without_an_account_stops_no_mail_and_no_clock(house, sink):
    """Its registration was lost: the others are mailed, and the server plays for it."""
    game = house.game()
    with house.services.database.write() as session:
        session.execute(sa.update(Seat).where(Seat.game_id == game, Seat.seat == 0).values(account_id=None))
    house.react()
    assert sink.subjects() == ["ben: The game has started"]
    assert "Seat 1" in sink.mails[0].get_body(("plain",)).get_content()
    house.pass_time(seconds=MOVE + GRACE)
    tick(house.ctx)
    assert house.kinds(game)[-1] == "expired"
    with house.services.database.read() as session:
        assert session.get_one(Game, game).faulted_at is None


def test_mail_about_a_game_that_a_fault_has_stopped_waits_too(house, sink):
    """Nobody could answer it; it is sent when the operator lets the game go on."""
    game = house.game()
    house.dispatch()
    stop_game(house.services, game, EngineFault("planted"))
    assert set(house.deliver()) == {"later"}
    assert sink.mails == []
    resume(house.services, BY, game)
    house.pass_time(minutes=1)
    house.react()
    assert sorted(sink.subjects()) == ["ada: Your turn", "ben: The game has started"]


@pytest.mark.parametrize("ends", [resume, give_up])
def test_mail_is_sent_as_soon_as_its_game_goes_on(house, sink, ends):
    """It does not wait for its next try, which is up to an hour away, and after three days up to a day."""
    game = house.game()
    house.dispatch()
    stop(house, game) if ends is give_up else stop_game(house.services, game, EngineFault("planted"))
    for _ in range(8):
        assert set(house.deliver()) == {"later"}
        house.pass_time(hours=1)
    house.deliver()
    ends(house.services, BY, game)
    house.react()
    assert sorted(sink.subjects()) == ["ada: Your turn", "ben: The game has started"]


def test_mail_is_sent_minutes_after_the_rules_of_its_game_are_installed(house, sink, monkeypatch):
    """No command lets such a game go on, so its mails look for themselves, and a look is not an attempt."""
    house.game()
    house.dispatch()
    with monkeypatch.context() as removed:
        removed.setattr(Stoppable, "lacks_rules", True)
        for _ in range(8):
            assert set(house.deliver()) == {"later"}
            house.pass_time(hours=1)
        house.deliver()
    house.pass_time(minutes=5)
    house.react()
    assert sorted(sink.subjects()) == ["ada: Your turn", "ben: The game has started"]
    assert {row.attempts for row in house.rows()} == {2}


@contextmanager
def later_rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pig is installed in a later version only."""
    pig = registry.find("pig")
    with monkeypatch.context() as patch:
        patch.setattr(pig, "meta", msgspec.structs.replace(pig.meta, rules=(2, 2)))
        yield


def test_when_missing_rules_are_installed_the_time_is_given_back(house, monkeypatch):
    """A clock that starts without the rules notes since when; one that has them goes on with what was left."""
    game = house.game()
    house.pass_time(seconds=MOVE)
    with later_rules(monkeypatch):
        stop_without_rules(house.ctx)
        house.pass_time(days=10)
        stop_without_rules(house.ctx)  # a restart changes nothing
        round_of(house.ctx)
        assert house.kinds(game)[-1] == "started"
    round_of(house.ctx)
    assert house.kinds(game)[-1] == "granted"
    house.pass_time(seconds=GRACE - 1)
    round_of(house.ctx)
    assert house.kinds(game)[-1] == "granted"
    house.pass_time(seconds=1)
    round_of(house.ctx)
    assert house.kinds(game)[-1] == "expired"


def test_a_game_with_a_fault_or_with_missing_entries_stays_stopped_when_its_rules_are_back(house, monkeypatch):
    broken, short = house.game(), house.game()
    stop_game(house.services, broken, EngineFault("engine-fault"))
    stop(house, short)
    with later_rules(monkeypatch):
        stop_without_rules(house.ctx)
        house.pass_time(days=10)
    round_of(house.ctx)
    reasons = {one["game"]: one["why"] for one in stopped(house.services)}
    assert reasons == {broken: "engine-fault", short: "lines-missing"}
    assert {house.kinds(game)[-1] for game in (broken, short)} == {"started"}
    give_up(house.services, BY, short)
    assert house.kinds(short)[-1] == "granted"


def test_the_list_of_stopped_games_says_since_when_the_rules_are_missing(house, monkeypatch):
    game = house.game()
    with later_rules(monkeypatch):
        stop_without_rules(house.ctx)
        [found] = stopped(house.services)
    assert (found["game"], found["why"], found["version"]) == (game, "rules-missing", 1)
    assert found["since"] == house.services.now()
