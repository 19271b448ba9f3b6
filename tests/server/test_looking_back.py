"""The position after an earlier entry: what was seen then, through the eyes that may see it now."""

import json
from typing import Any

import pytest

from engine.record.log.entry import Entry, read_entry
from server.kernel.db import tables
from server.kernel.db.tables import PastTables
from server.play import read as play
from server.tables.read import game_row
from tests.server.harness import Harness, Player
from tests.server.test_doors import favourite, handed, people
from tests.server.test_seats import BID, code, running

__all__ = ["handed", "people"]  # fixtures


def looks(hall: Harness, game: str, players: list[Player], query: str = "") -> list[Any]:
    """The view and the picture as each seat and anybody has them."""
    found = []
    for get in (hall.client.get, *(player.get for player in players)):
        path = f"/v1/games/{game}" if get == hall.client.get else f"/games/{game}"
        view, picture = (get(f"{path}/{what}{query}") for what in ("view", "picture"))
        found += [view.get_json(), picture.get_data(as_text=True)]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("key", ["pig", "bids"])
def test_every_position_is_seen_again_as_it_was_seen_then(hall: Harness, two: list[Player], key: str):
    """Values, board, picture, sentences and who had to move, from each seat and from none."""
    game = hall.game(key, two, **({"options": {"lots": 5}} if key == "bids" else {"options": {"goal": 30}}))
    seen = {}
    while active := hall.client.get(f"/v1/games/{game}").get_json()["active"]:
        seen[hall.head(game)[0] - 1] = looks(hall, game, two)
        mover = two[active[0]]
        mover.move(game, [mover.legal(game)[:2][-1]])
    assert len(seen) > 3
    for seq, then in seen.items():
        assert looks(hall, game, two, f"?at={seq}") == then


def test_before_the_start_there_is_nothing_to_see(hall: Harness, two: list[Player]):
    """The view of entry 0 is that of a table at which nobody sits; it has no picture."""
    game = hall.game("pig", two)
    shown = hall.client.get(f"/v1/games/{game}/view?at=0").get_json()
    assert (shown["status"], shown["view"], shown["seq"], shown["sentences"]) == ("lobby", None, 0, [])
    assert code(hall.client.get(f"/v1/games/{game}/picture?at=0")) == (404, "not-found")


@pytest.mark.parametrize("what", ["view", "picture"])
def test_an_entry_that_is_not_there_is_refused_and_says_what_is(hall: Harness, two: list[Player], what: str):
    """By its number; the answer names the last one."""
    game = hall.game("pig", two)
    last = hall.head(game)[0] - 1
    answer = two[0].get(f"/games/{game}/{what}?at={last + 1}")
    assert code(answer) == (404, "no-such-entry")
    assert answer.get_json()["facts"] == {"found": last + 1, "last": last}
    assert two[0].get(f"/games/{game}/{what}?at={last}").status_code == 200


@pytest.mark.parametrize("query", ["seat=1", "seat=1&at=4", "seat=1&at=0"])
def test_another_seat_is_closed_while_the_game_runs(hall: Harness, people, query: str):
    """To its opponent and to anybody; one's own can be named."""
    game = running(hall, people)
    people[0].move(game, BID)
    for what in ("view", "picture"):
        assert code(people[0].get(f"/games/{game}/{what}?{query}")) == (403, "seat-not-open")
        assert code(hall.client.get(f"/v1/games/{game}/{what}?{query}")) == (403, "seat-not-open")
    assert people[1].get(f"/games/{game}/view?{query}").get_json()["seat"] == 1


def test_a_cancelled_game_opens_no_seat(hall: Harness, two: list[Player]):
    """What was sealed in it stays so: its file holds no openings either."""
    game = two[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"]
    two[0].post(f"/games/{game}/cancel")
    assert code(hall.client.get(f"/v1/games/{game}/view?seat=0")) == (403, "seat-not-open")
    assert code(hall.client.get(f"/v1/games/{game}/view?seat=2")) == (422, "no-such-seat")


@pytest.mark.slow
def test_after_the_end_anybody_looks_from_any_seat(hall: Harness, two: list[Player]):
    """With what was sealed then: the same bytes as the seat's own."""
    game = hall.game("bids", two, options={"lots": 2})
    hall.play_out(game, two)
    for seq in range(hall.head(game)[0]):
        own = two[1].get(f"/games/{game}/view?at={seq}").get_json()
        assert hall.client.get(f"/v1/games/{game}/view?at={seq}&seat=1").get_json() == own
    secret = hall.client.get(f"/v1/games/{game}/view?at={seq - 1}&seat=1").get_json()["view"]["bidders"][1]
    assert secret["favourite"] == favourite(hall, game, 1)


@pytest.mark.slow
def test_a_former_holder_looks_back_with_the_public_view(hall: Harness, people, handed: str):
    """Also at moves that they saw as the holder; the new holder sees the seat's secrets from the beginning."""
    for seq in range(hall.head(handed)[0]):
        old, new, anybody = (
            get(f"{path}/games/{handed}/view?at={seq}").get_json()
            for get, path in ((people[1].get, ""), (people[2].get, ""), (hall.client.get, "/v1"))
        )
        assert old == anybody
        assert new["seat"] == 1
        if new["view"]:
            assert new["view"]["bidders"][1]["favourite"] == favourite(hall, handed, 1)


def test_the_sentences_of_an_entry_show_each_reader_what_they_may_know(hall: Harness, two: list[Player]):
    """The sentences of a sealed bid hold the amount for the bidder alone."""
    game = hall.game("bids", two)
    two[0].move(game, [{"do": "bid", "amount": 3}])
    told = [player.get(f"/games/{game}/view").get_json()["sentences"] for player in two]
    assert "3" in " ".join(told[0])
    assert told[1] == hall.client.get(f"/v1/games/{game}/view").get_json()["sentences"]
    assert "3" not in " ".join(told[1])


# --- what it costs --------------------------------------------------------------------------------------------------


def test_a_look_back_begins_at_a_kept_table(hall: Harness, two: list[Player], monkeypatch: pytest.MonkeyPatch):
    """Once the game was folded, a look folds fewer entries than lie between two kept ones, in whatever order."""
    monkeypatch.setattr("server.kernel.db.tables.EVERY", 4)
    game = hall.game("pig", two, handover="offer")
    for turn in range(10):
        two[turn % 2].offer(game, is_open=turn % 4 < 2)
    monkeypatch.setattr(tables, "read_entry", Counted())
    costs = [_folds(hall, game, seq) for seq in (12, 11, 4, 3, 5)]
    assert costs == [13, 3, 0, 3, 1]


class Counted:
    """Reads entries, and counts them."""

    def __init__(self) -> None:
        self.read = 0

    def __call__(self, line: bytes) -> Entry:
        self.read += 1
        return read_entry(line)


def _folds(hall: Harness, game: str, seq: int) -> int:
    counted: Any = tables.read_entry
    before = counted.read
    assert play.perspective(hall.services, game, None, seq=seq).seq == seq
    return int(counted.read - before)


def test_kept_tables_are_bounded_and_those_of_another_log_count_for_nothing(hall: Harness, two: list[Player]):
    """The least used goes first; after a restore what was folded from the lost entries is folded anew."""
    games = [hall.game("pig", two) for _ in range(3)]
    store = PastTables(most=2)
    with hall.services.database.read() as session:
        rows = [game_row(session, game) for game in games]
        for row in rows:
            store.of(session, row, 2)
        assert list(store._cached) == [(games[1], 0), (games[2], 0)]
        store._cached[games[1], 0] = store._cached[games[2], 0]
        assert store.of(session, rows[1], 2).game_id == games[1]


# --- what is legal, and where it leads ------------------------------------------------------------------------------


def test_the_words_of_a_command_are_its_notation_and_say_what_they_are(hall: Harness, two: list[Player]):
    """Kinds as on pictures, pieces with their owner, seats by their players' names."""
    game = hall.game("pig", two)
    mover = two[hall.client.get(f"/v1/games/{game}").get_json()["active"][0]]
    for choice in mover.get(f"/games/{game}/legal").get_json():
        assert " ".join(word["word"] for word in choice["words"]) == choice["notation"]
        assert choice["kind"] == choice["command"]["do"]
        assert choice["says"].endswith(".")


def test_a_preview_shows_the_picture_and_what_is_legal_then(hall: Harness, two: list[Player]):
    """They are those that the move brings, if nothing is drawn; and the others' sentences lack what is sealed."""
    game = hall.game("bids", two)
    shown = two[0].post(f"/games/{game}/preview", {"commands": [{"do": "bid", "amount": 3}]}).get_json()
    assert "3" in " ".join(shown["sentences"])
    assert "3" not in " ".join(shown["others"])
    two[0].move(game, [{"do": "bid", "amount": 3}])
    assert shown["picture"] == two[0].get(f"/games/{game}/picture").get_data(as_text=True)
    assert shown["others"] == two[1].get(f"/games/{game}/view").get_json()["sentences"]
    assert shown["legal"] == two[0].get(f"/games/{game}/legal").get_json() == []
    assert json.dumps(shown["others"]) != json.dumps(shown["sentences"])
