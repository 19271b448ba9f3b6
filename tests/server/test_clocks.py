"""The clock of a new game and each seat's time: in the log, in the rows, in answers and pages."""

import json

import pytest
import sqlalchemy as sa

from server.kernel.db.models import Entry, Game, Seat
from server.play.write import expire
from tests.server.harness import Harness, Player

DAY = 86400
USUAL = {"move": 3 * DAY, "bank": 0, "increment": 0, "cap": 0, "grace": 43200, "missed": 2, "grants": 14 * DAY}
QUICK = {"move": 600, "bank": 3600, "increment": 60, "cap": 7200, "grace": 300, "missed": 2, "grants": 14 * DAY}
ROLL = [{"do": "roll"}]


def created(hall: Harness, by: Player, **wish) -> dict:
    """Entry 0 of a new game, or the problem."""
    answer = by.post("/games", {"type": "pig", "seats": 2, **wish})
    body = answer.get_json()
    return json.loads(body["created"]) if answer.status_code == 201 else body


def row(hall: Harness, game: str, seat: int) -> Seat:
    with hall.services.database.read() as session:
        return session.get_one(Seat, (game, seat))


def seat(hall: Harness, game: str, number: int) -> dict:
    return hall.client.get(f"/v1/games/{game}").get_json()["seats"][number]


def waits(hall: Harness, game: str, number: int) -> int:
    """Seconds from now until the clock may play for the seat."""
    return int((row(hall, game, number).deadline - hall.clock()).total_seconds())


def bid(player: Player, game: str, amount: int = 0):
    answer = player.move(game, [{"do": "bid", "amount": amount}])
    assert answer.status_code == 201, answer.get_data(as_text=True)
    return answer


# --- entry 0 --------------------------------------------------------------------------------------------------------


def test_a_game_has_three_days_a_move_unless_its_creator_says_otherwise(hall: Harness, two: list[Player]):
    """Left out, it is the default clock; null means no clock; members left out have their defaults."""
    assert created(hall, two[0])["clock"] == USUAL
    assert created(hall, two[0], clock=None)["clock"] is None
    assert created(hall, two[0], clock={"move": 600, "bank": 60})["clock"] == USUAL | {
        "move": 600,
        "bank": 60,
        "cap": 60,
    }


def test_a_game_of_one_seat_has_no_clock(hall: Harness, two: list[Player]):
    """Nobody waits there; to ask for one is refused."""
    solo = {"type": "lewis_clark", "seats": 1}
    assert created(hall, two[0], **solo)["clock"] is None
    assert created(hall, two[0], **solo, clock=None)["clock"] is None
    assert created(hall, two[0], **solo, clock={"move": 600})["code"] == "bad-clock"


def test_seats_change_hands_unless_the_creator_says_otherwise(hall: Harness, two: list[Player]):
    """In both ways by default; terms are a hash that the player sends."""
    first, other = created(hall, two[0]), created(hall, two[0], handover="none", terms="A" * 43)
    assert (first["handover"], first["terms"]) == ({"by": "both", "wait": 3 * DAY}, None)
    assert (other["handover"], other["terms"]) == ({"by": "none", "wait": 0}, "A" * 43)


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"clock": {"bank": 60, "cap": 59}}, "bad-clock"),
        ({"clock": {"move": 30, "bank": 29}}, "bad-clock"),
        ({"clock": {"grace": 59}}, "bad-clock"),
        ({"clock": {"move": -1}}, "bad-fields"),
        ({"clock": {"move": 2**25 + 1}}, "bad-fields"),
        ({"clock": {"move": 3.5}}, "bad-fields"),
        ({"clock": {"byo-yomi": 60}}, "bad-fields"),
        ({"clock": 600}, "bad-fields"),
        ({"handover": "always"}, "bad-fields"),
        ({"handover": None}, "bad-fields"),
        ({"offer_wait": -1}, "bad-fields"),
        ({"offer_wait": 2**25 + 1}, "bad-fields"),
        ({"offer_wait": 1.5}, "bad-fields"),
        ({"handover": "none", "offer_wait": 1}, "bad-handover"),
        ({"handover": "absent", "offer_wait": 60}, "bad-handover"),
        ({"clock": {"grants": -1}}, "bad-fields"),
        ({"terms": "short"}, "bad-fields"),
        ({"terms": "A" * 42 + "B"}, "bad-fields"),
    ],
)
def test_a_clock_that_is_none_makes_no_game(hall: Harness, two: list[Player], wish, code):
    """Refused with its code, which says what is wrong, and nothing is kept."""
    problem = created(hall, two[0], **wish)
    assert (problem["status"], problem["code"]) == (422, code)
    assert problem.get("detail") or problem.get("errors")
    with hall.services.database.read() as session:
        assert session.scalar(sa.select(sa.func.count()).select_from(Game)) == 0


def test_the_game_and_every_list_tell_the_whole_clock(hall: Harness, two: list[Player]):
    """As it was asked for, and how seats change hands."""
    game = two[0].post("/games", {"type": "pig", "seats": 2, "clock": QUICK, "handover": "offer"}).get_json()
    (listed,) = hall.client.get("/v1/games").get_json()["games"]
    for shown in (game, listed):
        assert (shown["clock"], shown["handover"], shown["free_seats"]) == (QUICK, "offer", [0, 1])


# --- stretches ------------------------------------------------------------------------------------------------------


def test_a_turn_in_many_pieces_has_the_time_of_one(hall: Harness, two: list[Player]):
    """Rolling again and again gains no time: the deadline stays the same."""
    game = hall.game("pig", two, clock=QUICK, options={"goal": 100})
    mover = hall.client.get(f"/v1/games/{game}").get_json()["active"][0]
    due = row(hall, game, mover).deadline
    for _ in range(3):
        hall.clock.forward(seconds=100)
        two[mover].move(game, ROLL)
        if hall.client.get(f"/v1/games/{game}").get_json()["active"] != [mover]:
            break
        assert row(hall, game, mover).deadline == due
        assert row(hall, game, mover).question_seq == hall.head(game)[0] - 1


def test_the_bank_is_used_after_the_moves_time_and_grows_with_each_turn(any_hall: Harness):
    """Time used beyond the turn's is gone; a quick turn adds the increment, up to the cap."""
    hall, players = any_hall, [any_hall.player(number) for number in range(2)]
    game = hall.game("bids", players, clock=QUICK)
    assert waits(hall, game, 0) == 600 + 3600 + 300
    hall.clock.forward(seconds=600 + 1000)
    bid(players[0], game)
    assert seat(hall, game, 0)["bank"] == 3600 - 1000 + 60
    bid(players[1], game)
    assert waits(hall, game, 0) == 600 + 2660 + 300
    for _ in range(3):
        for player in players:
            bid(player, game)
    assert seat(hall, game, 0)["bank"] == 2660 + 3 * 60
    assert row(hall, game, 0).bank == seat(hall, game, 0)["bank"]


def test_the_rows_of_the_seats_are_what_the_store_folds_to(any_hall: Harness):
    """After every kind of entry that has to do with time; a row that lags behind would play too early."""
    from server.kernel.db.tables import TableCache
    from server.log.seats import row_of

    hall, players = any_hall, [any_hall.player(number) for number in range(3)]
    game = hall.game("bids", players[:2], clock=QUICK)

    def check() -> None:
        with hall.services.database.read() as session:
            table = TableCache().of(session, session.get_one(Game, game))
            for number in range(2):
                found = session.get_one(Seat, (game, number))
                assert {name: getattr(found, name) for name in row_of(table, number)} == row_of(table, number)

    bid(players[0], game)
    check()
    for _ in range(2):
        hall.clock.forward(days=1)
        assert expire(hall.services, game, 1)
        check()
        bid(players[0], game)
        check()
    assert players[1].offer(game, is_open=False).status_code == 201
    check()
    assert players[1].offer(game).status_code == 201
    check()
    assert players[2].take(game, 1).status_code == 201
    check()
    assert players[0].post(f"/games/{game}/grants", {"seats": [1], "seconds": 60}).status_code == 201
    check()
    assert players[2].resign(game).status_code == 201
    check()


# --- absence --------------------------------------------------------------------------------------------------------


def absent(hall: Harness, players: list[Player], **wish) -> str:
    """A game in which seat 1 has let its time pass twice and owes a bid again."""
    game = hall.game("bids", players, **{"clock": QUICK, "options": {"lots": 9}, **wish})
    for _ in range(2):
        bid(players[0], game)
        hall.clock.forward(days=1)
        assert expire(hall.services, game, 1)
    bid(players[0], game)
    return game


def test_after_two_missed_turns_a_player_is_absent_and_has_only_the_grace_period(any_hall: Harness):
    """In the log's words: `start + grace`, whatever is in the bank."""
    players = [any_hall.player(number) for number in range(2)]
    game = absent(any_hall, players)
    assert [seat(any_hall, game, number)["absent"] for number in range(2)] == [False, True]
    assert waits(any_hall, game, 1) == 300
    any_hall.clock.forward(seconds=299)
    assert expire(any_hall.services, game, 1) is False
    any_hall.clock.forward(seconds=1)
    assert expire(any_hall.services, game, 1) is True


def test_one_turn_of_its_own_between_two_misses_keeps_a_seat_present(hall: Harness, two: list[Player]):
    """Missed is counted in a row."""
    game = hall.game("bids", two, clock=QUICK)
    for misses in (True, False, True):
        bid(two[0], game)
        if misses:
            hall.clock.forward(days=1)
            assert expire(hall.services, game, 1)
        else:
            bid(two[1], game)
    assert seat(hall, game, 1)["absent"] is False


@pytest.mark.parametrize("how", ["offer", "move", "key"])
def test_whatever_the_absent_sign_brings_them_back_with_their_whole_time(hall: Harness, two: list[Player], how: str):
    """The stretch begins anew: time and bank, as if it had been asked now."""
    from tests.server.harness import seed_of

    game = absent(hall, two)
    hall.clock.forward(seconds=200)
    bank = seat(hall, game, 1)["bank"]
    if how == "offer":
        assert two[1].offer(game, is_open=False).status_code == 201
    elif how == "key":
        from engine.record.signed import keys

        assert two[1].rekey(game, add=keys.jwk(keys.public_of(seed_of("spare")))).status_code == 201
    else:
        bid(two[1], game)
    assert seat(hall, game, 1)["absent"] is False
    if how != "move":
        assert waits(hall, game, 1) == 600 + bank + 300


def test_without_missed_nobody_is_ever_absent(hall: Harness, two: list[Player]):
    """`missed` 0: the clock plays after the whole time, again and again."""
    game = absent(hall, two, clock=QUICK | {"missed": 0})
    assert seat(hall, game, 1)["absent"] is False
    assert waits(hall, game, 1) > 600


def test_the_turns_of_a_person_tell_bank_and_absence(hall: Harness, two: list[Player]):
    """They hold all that a program needs to show it."""
    absent(hall, two)
    (mine,), (theirs,) = (player.get("/me/turns").get_json() for player in two)
    assert (mine["absent"], theirs["absent"]) == (False, True)
    assert (mine["bank"], theirs["bank"]) == (60, 0)  # seat 0 answered the third lot a day late


def test_a_move_that_leads_to_a_resigned_seat_is_followed_by_its_own(hall: Harness):
    """In the same request: the one after it is not kept waiting for the clock."""
    players = [hall.player(number) for number in range(3)]
    game = hall.game("pig", players, options={"goal": 100})
    (first,) = (number for number, player in enumerate(players) if player.legal(game))
    gone = (first + 1) % 3
    assert players[gone].resign(game).status_code == 201
    assert players[first].move(game, [{"do": "roll"}, {"try": {"do": "hold"}}]).status_code == 201
    assert [bool(players[(first + more) % 3].legal(game)) for more in range(3)] == [False, False, True]


def test_a_resigned_seat_is_played_at_once_whatever_its_clock(hall: Harness):
    """No absence, no grace, no bank."""
    players = [hall.player(number) for number in range(3)]
    game = hall.game("bids", players, clock=QUICK)
    assert players[1].resign(game).status_code == 201
    with hall.services.database.read() as session:
        kinds = session.scalars(sa.select(Entry.kind).where(Entry.game_id == game).order_by(Entry.seq)).all()
    assert kinds[-2:] == ["resigned", "expired"]
    assert seat(hall, game, 1)["absent"] is False


def test_a_player_who_resigned_owes_nothing(hall: Harness, monkeypatch: pytest.MonkeyPatch):
    """Even before the clock has played for the seat, no list shows it as the player's turn."""
    monkeypatch.setattr("server.play.write.expire", lambda *_: False)
    players = [hall.player(number) for number in range(3)]
    game = hall.game("bids", players, clock=QUICK)
    assert len(players[1].get("/me/turns").get_json()) == 1
    assert players[1].resign(game).status_code == 201
    assert players[1].get("/me/turns").get_json() == []
    (listed,) = players[1].get("/me/games").get_json()["games"]
    assert listed["owes"] is False
    assert waits(hall, game, 1) <= 0  # and the clock's next round finds it
