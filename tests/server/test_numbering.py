"""Events of accounts: an entry stores them without numbers, and whoever reads them numbers them first."""

from threading import Barrier, Thread
from typing import Any

import pytest
import sqlalchemy as sa

from server.hooks import numbering, read
from server.kernel.db.models import AccountEvent, UnnumberedEvent
from server.log import outbox
from server.log.outbox import SeatEvent
from server.operate import retention

from .harness import Harness, Player
from .surfaces import events


def store(hall: Harness, player: Player, game: str, seqs: range) -> None:
    with hall.services.database.write() as session:
        write(hall, session, player, game, seqs)


def write(hall: Harness, session: Any, player: Player, game: str, seqs: range) -> None:
    now = hall.services.now()
    owned = [(player.account, SeatEvent("news", game, player.number, seq, now, None)) for seq in seqs]
    assert outbox.write_events_to(session.connection(), owned, now) == [player.account]


@pytest.fixture
def busy(postgres_url: str, open_house: Any) -> Harness:
    """On PostgreSQL, where two transactions can write at once."""
    return open_house(postgres_url)


def test_a_table_does_not_wait_for_another_of_the_same_players(busy: Harness) -> None:
    players = [busy.player(number) for number in range(2)]
    game, other = (busy.game("pig", players) for _ in range(2))
    with busy.services.database.write() as session:
        for player in players:
            write(busy, session, player, other, range(5, 6))
        moved = players[0].move(game, [players[0].legal(game)[0]])
        assert moved.status_code == 201, moved.get_data(as_text=True)


def test_an_event_that_is_committed_later_has_a_higher_number(busy: Harness) -> None:
    """Even if it was stored first: a reader of the other one still gets it."""
    player = busy.player(0)
    game = busy.game("pig", [player, busy.player(1)])
    before = len(events(busy, player))
    with busy.services.database.write() as session:
        write(busy, session, player, game, range(7, 8))
        store(busy, player, game, range(8, 9))
        assert [one["seq"] for one in events(busy, player)[before:]] == [8]
    assert [one["seq"] for one in events(busy, player)[before:]] == [8, 7]
    assert [one["n"] for one in events(busy, player)] == list(range(1, before + 3))


def test_numbering_does_not_wait_for_events_that_are_being_deleted(busy: Harness) -> None:
    """They are too old to be read."""
    player = busy.player(0)
    game = busy.game("pig", [player, busy.player(1)])
    store(busy, player, game, range(7, 9))
    with busy.services.database.write() as session:
        session.execute(sa.delete(UnnumberedEvent))
        numbering.number(busy.services.database, [player.account])
    assert events(busy, player) == []


def test_several_who_number_at_once_leave_no_gap(each_hall: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbering, "MOST", 7)
    player = each_hall.player(0)
    game = each_hall.game("pig", [player, each_hall.player(1)])
    before = len(events(each_hall, player))
    store(each_hall, player, game, range(100, 150))
    together = Barrier(4)

    def number() -> None:
        together.wait()
        numbering.number(each_hall.services.database, [player.account])

    threads = [Thread(target=number) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = events(each_hall, player)
    assert [one["n"] for one in found] == list(range(1, before + 51))
    assert [one["seq"] for one in found[before:]] == list(range(100, 150))


def test_events_that_nobody_read_are_deleted_after_their_time(each_hall: Harness) -> None:
    """Their numbers count as used: a reader gets `reset`, and no event without a word."""
    player = each_hall.player(0)
    game = each_hall.game("pig", [player, each_hall.player(1)])
    read_before = events(each_hall, player)[-1]["n"]
    store(each_hall, player, game, range(100, 103))
    each_hall.clock.forward(days=each_hall.services.settings.events_kept + 1)
    store(each_hall, player, game, range(103, 104))
    assert retention.forget(each_hall.services)["unnumbered_event"] >= 3
    numbering.number(each_hall.services.database, [player.account])
    with each_hall.services.database.read() as session:
        assert read.events_after(session, player.account, read_before).reset
        newest = read.last_event(session, player.account)
        assert newest == read_before + 4
        assert [one["seq"] for one in read.events_after(session, player.account, newest - 1).events] == [103]


def test_an_erased_account_keeps_no_events(each_hall: Harness) -> None:
    """Also not those of an entry that was being logged meanwhile."""
    player = each_hall.player(0)
    game = each_hall.game("pig", [player, each_hall.player(1)])
    player.erase()
    store(each_hall, player, game, range(100, 103))
    numbering.number(each_hall.services.database, [player.account])
    with each_hall.services.database.read() as session:
        for kind in (UnnumberedEvent, AccountEvent):
            assert not session.scalars(sa.select(kind.account_id).where(kind.account_id == player.account)).all()
