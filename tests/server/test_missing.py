"""Entries lost by a restore and submitted by players: the game goes on as if nothing had happened."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from engine.record.audit import audit
from server.evidence import recover_entries
from server.kernel.db.models import Entry, EntryPrivate, Game, HandedText, Outbox, Seat, ShownNote
from tests.server import surfaces
from tests.server.harness import Harness
from tests.server.lost import CLOCK, Backup, Lost, forget, lost


def taken(answer) -> tuple[int, int | None, bool]:
    body = answer.get_json()
    assert answer.status_code == 200, body
    return body["taken"], body["lacks"], body["stopped"]


def stored(hall: Harness, game: str) -> dict[str, list]:
    """All rows of a game, except notifications and submitted checkpoints."""
    with hall.services.database.read() as session:
        row = session.get_one(Game, game)
        kept = {
            kind.__tablename__: [
                tuple(getattr(one, column.key) for column in sa.inspect(kind).columns)
                for one in session.scalars(sa.select(kind).where(kind.game_id == game).order_by(*order))
            ]
            for kind, order in ((Entry, [Entry.seq]), (EntryPrivate, [EntryPrivate.seq]), (Seat, [Seat.seat]))
        }
        kept["game"] = [(row.status, row.head_seq, row.head_hash, row.faulted_at, row.missing_since, row.shown_size)]
        return kept


def told(hall: Harness, game: str, after: int = 0) -> list[tuple[str, int]]:
    """Outbox rows after a number."""
    with hall.services.database.read() as session:
        rows = session.execute(sa.select(Outbox.kind, Outbox.seq).where(Outbox.game_id == game, Outbox.id > after))
        return [(kind, seq) for kind, seq in rows]


def newest(hall: Harness) -> int:
    with hall.services.database.read() as session:
        return session.scalar(sa.select(sa.func.max(Outbox.id))) or 0


def kept_aside(hall: Harness) -> int:
    """Awaited checkpoints, and texts that wait for their entries."""
    with hall.services.database.read() as session:
        texts = session.scalar(sa.select(sa.func.count()).select_from(HandedText)) or 0
        return texts + (session.scalar(sa.select(sa.func.count()).where(ShownNote.relation == "awaited")) or 0)


def whole(hall: Harness, folder, key: str, after: int = 4, **wish) -> tuple[Lost, dict[str, list]]:
    """A game whose last moves are lost, and its rows from before."""
    players = [hall.player(number) for number in range(2)]
    made = Lost(hall, players, hall.game(key, players, **wish))
    made.play(2)
    made.size = len(made.now())
    backup = Backup(hall, folder)
    made.play(after)
    made.remember()
    before = stored(hall, made.game)
    backup.restore()
    return made, before


# --- taken ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("key", ["pig", "bids"])
def test_submitted_entries_restore_every_row(any_hall: Harness, tmp_path, key: str):
    """Entries, openings, how far moves went, clocks of seats: byte for byte. Then the game is played out."""
    game, before = whole(any_hall, tmp_path, key, options={"lots": 6} if key == "bids" else {}, clock=CLOCK)
    assert game.compare().get_json()["relation"] == "newer"
    answer = game.hand_in()
    assert taken(answer) == (len(game.lines) - game.size, None, False)
    assert answer.get_json()["note"] == game.note
    assert answer.get_json()["head"]["seq"] == len(game.lines) - 1
    assert game.now() == game.lines
    assert stored(any_hall, game.game) == before
    assert kept_aside(any_hall) == 0
    any_hall.play_out(game.game, game.players)
    report = audit(any_hall.client.get(f"/v1/games/{game.game}/bundle").get_data(), note=game.note)
    assert report.verdict == "holds", report


def test_entries_can_be_submitted_without_an_earlier_note(hall: Harness, tmp_path):
    """The checkpoint that comes with them is enough."""
    game = lost(hall, tmp_path)
    assert taken(game.hand_in()) == (len(game.lines) - game.size, None, False)


def test_a_part_of_the_entries_is_taken_and_the_game_waits_for_the_rest(hall: Harness, tmp_path):
    """Each of two players has kept a part, with a checkpoint at its end."""
    game = lost(hall, tmp_path)
    game.compare()
    assert taken(game.hand_in(last=game.size)) == (1, None, True)
    mover = game.players[game.detail()["active"][0]]
    assert mover.move(game.game, [{"do": "roll"}]).get_json()["code"] == "lines-missing"
    assert taken(game.hand_in(first=game.size + 1)) == (len(game.lines) - game.size - 1, None, False)
    assert game.now() == game.lines


@pytest.mark.parametrize("first", [0, 1, 4])
def test_entries_that_are_not_missing_may_be_submitted_too(hall: Harness, tmp_path, first: int):
    """A player who has the whole log may submit all of it."""
    game = lost(hall, tmp_path)
    assert taken(game.hand_in(first=first)) == (len(game.lines) - game.size, None, False)
    assert game.now() == game.lines


def test_the_same_entries_are_taken_once(any_hall: Harness, tmp_path):
    """An answer was lost, or two people have the same."""
    game = lost(any_hall, tmp_path, "bids", options={"lots": 6})
    first, second = game.hand_in(), game.hand_in()
    assert taken(second) == (0, None, False)
    assert second.get_json()["head"] == first.get_json()["head"]
    assert game.now() == game.lines


@pytest.mark.slow
def test_concurrent_submissions_take_each_entry_once(any_hall: Harness, tmp_path, monkeypatch):
    """In small batches, so that they overtake each other."""
    monkeypatch.setattr(recover_entries, "A_BATCH", 2)
    game = lost(any_hall, tmp_path, "bids", options={"lots": 9}, after=10)
    clients = [any_hall.app.test_client() for _ in range(4)]
    body = {"entries": game.lines[game.size :], "note": game.note, "moves": game.moves()}
    send = lambda client: client.post(f"/v1/games/{game.game}/missing", json=body)  # noqa: E731 - a line in a test
    with ThreadPoolExecutor(4) as pool:
        answers = [taken(answer) for answer in pool.map(send, clients)]
    assert sum(count for count, _, _ in answers) == len(game.lines) - game.size
    assert {(lacks, stopped) for _, lacks, stopped in answers} == {(None, False)}
    assert game.now() == game.lines


@pytest.mark.slow
def test_a_process_that_stops_between_batches_keeps_the_stored_entries(any_hall: Harness, tmp_path, monkeypatch):
    """The game is still stopped, and repeating the request does the rest."""
    game, before = whole(any_hall, tmp_path, "bids", options={"lots": 6}, after=6)
    monkeypatch.setattr(recover_entries, "A_BATCH", 2)
    real, calls = recover_entries._store, []

    def dies(*given):
        calls.append(given)
        if len(calls) == 2:
            raise OSError("gone")
        return real(*given)

    with monkeypatch.context() as broken:
        broken.setattr(recover_entries, "_store", dies)
        assert game.hand_in().status_code == 500
    assert game.now() == game.lines[: game.size + 2]
    assert game.detail()["stopped"] is True
    assert taken(game.hand_in()) == (len(game.lines) - game.size - 2, None, False)
    assert stored(any_hall, game.game) == before


def test_a_process_that_stops_before_its_commit_takes_nothing(any_hall: Harness, tmp_path, monkeypatch):
    """Entries, clocks, outbox and the end of the wait are one transaction."""
    game = lost(any_hall, tmp_path, "bids", options={"lots": 6})
    game.compare()
    before, mark = stored(any_hall, game.game), newest(any_hall)

    def fail(*_given):
        raise OSError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr("server.log.recovery.outbox.rows_of_position", fail)
        assert game.hand_in().get_json()["code"] == "internal-error"
    assert stored(any_hall, game.game) == before
    assert told(any_hall, game.game, mark) == []
    assert game.now() == game.lines[: game.size]
    assert taken(game.hand_in())[2] is False


def test_a_process_with_the_lost_log_in_memory_reads_the_store(hall: Harness, tmp_path):
    """It was not restarted after the restore, so its cached table is of a log that is gone."""
    game = lost(hall, tmp_path)
    assert hall.services.tables.cached(game.game).size == len(game.lines)
    game.detail()
    assert hall.services.tables.cached(game.game).size == game.size
    game.hand_in()
    assert hall.services.tables.cached(game.game).size == len(game.lines)


# --- what people are told ---------------------------------------------------------------------------------------------


def test_a_player_gets_one_turn_event_for_the_position_reached(any_hall: Harness, tmp_path):
    """One outbox row for the move that is owed now, none for those that the entries have answered."""
    game = lost(any_hall, tmp_path, after=5)
    mark = newest(any_hall)
    game.hand_in()
    with any_hall.services.database.read() as session:
        asked = sa.select(Seat.question_seq).where(Seat.game_id == game.game, Seat.question_seq.is_not(None))
        [question] = session.scalars(asked)
    assert told(any_hall, game.game, mark) == [("turn", question)]


def test_nobody_is_notified_before_all_entries_are_back(hall: Harness, tmp_path):
    """A part of the entries leads to a position that is not the current one."""
    game, mark = lost(hall, tmp_path, after=5), newest(hall)
    game.compare()
    game.hand_in(last=game.size + 1)
    assert told(hall, game.game, mark) == []


def test_the_end_of_a_game_comes_back_with_its_events(any_hall: Harness, tmp_path):
    """With its outcome, its secret and its status."""
    players = [any_hall.player(number) for number in range(2)]
    game = Lost(any_hall, players, any_hall.game("bids", players, options={"lots": 2}))
    game.play(1)
    forget(game, tmp_path, 99)
    mark = newest(any_hall)
    assert taken(game.hand_in())[2] is False
    assert game.detail()["status"] == "finished"
    assert told(any_hall, game.game, mark) == [("over", len(game.lines) - 1)]
    newest_event = surfaces.last_event(any_hall, players[1], game.game)
    assert (newest_event["kind"], newest_event["seq"]) == ("over", len(game.lines) - 1)
    assert audit(any_hall.client.get(f"/v1/games/{game.game}/bundle").get_data()).verdict == "holds"


def test_a_cancelled_game_comes_back_as_cancelled(hall: Harness, two, tmp_path):
    """`cancelled` is an entry like another."""
    game = Lost(hall, two, two[0].post("/games", {"type": "pig", "seats": 2}).get_json()["id"])
    backup = Backup(hall, tmp_path)
    game.size = 1
    two[0].post(f"/games/{game.game}/cancel")
    game.remember()
    backup.restore()
    mark = newest(hall)
    assert taken(game.hand_in()) == (1, None, False)
    assert game.detail()["status"] == "cancelled"
    assert told(hall, game.game, mark) == [("cancelled", 1)]
