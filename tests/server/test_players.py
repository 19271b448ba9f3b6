"""The page of a player and its figures: which turns and games count, and what it keeps to itself."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
import sqlalchemy as sa
from alembic import command

from server.kernel.db import migrate
from server.kernel.db.models import PlayedTurn
from server.play.write import expire
from server.tables import players
from tests.server.harness import Harness, Player
from tests.server.test_bots import house_player, sit, table
from tests.server.test_guests import arrives
from tests.server.test_people import block, handle
from tests.server.test_query_plans import noted
from tests.server.test_talk import refused

CLOCK = {"move": 86400, "bank": 0, "grace": 3600, "missed": 0}
LONG = {"options": {"goal": 100}, "clock": CLOCK}
STRANGE = ("nobody00", "\x00", "%20", "x" * 200, "K7F2MQ9X", "é")


@pytest.fixture
def people(hall: Harness) -> list[Player]:
    """Ada, and three others with whom to play."""
    return [hall.player(number) for number in range(4)]


def shown(hall: Harness, player: Player) -> dict[str, Any]:
    """What a stranger sees."""
    found: dict[str, Any] = hall.client.get(f"/v1/players/{handle(player)}").get_json()
    return found


def turns(hall: Harness, player: Player) -> list[tuple[int | None, bool]]:
    """The seconds of each turn of the player that counts, and whether the clock ended it."""
    query = sa.select(PlayedTurn.seconds, PlayedTurn.by_clock).where(PlayedTurn.account_id == player.account)
    order = (PlayedTurn.at, PlayedTurn.game_id, PlayedTurn.seq)
    with hall.services.database.read() as session:
        return [tuple(row) for row in session.execute(query.order_by(*order))]


def turn(hall: Harness, game: str, players: list[Player], **wait: int) -> Player:
    """One turn of whoever is asked, after a wait: a roll, and a hold if that does not end it."""
    hall.clock.forward(**(wait or {"seconds": 60}))
    mover = asked(hall, game, players)
    assert mover.move(game, [{"do": "roll"}]).status_code == 201
    if asked(hall, game, players) is mover:
        hall.clock.forward(seconds=1)
        assert mover.move(game, [{"do": "hold"}]).status_code == 201
    return mover


def asked(hall: Harness, game: str, players: list[Player]) -> Player | None:
    active = hall.client.get(f"/v1/games/{game}").get_json()["active"]
    return next((one for one in players if [one.seat] == active), None)


def let_pass(hall: Harness, game: str, seat: int) -> None:
    """The clock ends a turn."""
    hall.clock.forward(days=2)
    assert expire(hall.services, game, seat)


# --- turns ----------------------------------------------------------------------------------------------------------


def test_a_player_is_new_until_20_turns_with_3_other_people(hall: Harness, people: list[Player]):
    ada = people[0]
    new = {"new": True, "turns": None, "in_time": None, "pace": None}
    game = hall.game("pig", people, **LONG)
    while len(turns(hall, ada)) < 20:
        assert new.items() <= shown(hall, ada).items()
        turn(hall, game, people)
    found = shown(hall, ada)
    assert (found["new"], found["turns"], found["in_time"]) == (False, 20, 100)
    assert 60 <= found["pace"] <= 61


def test_two_who_only_play_each_other_stay_new(hall: Harness, two: list[Player]):
    game = hall.game("pig", two, **LONG)
    for _ in range(44):
        turn(hall, game, two)
    assert len(turns(hall, two[0])) > 20
    assert shown(hall, two[0])["new"]


def test_a_turn_in_pieces_is_one_turn_and_takes_all_its_time(hall: Harness, two: list[Player]):
    game = hall.game("pig", two, **LONG)
    while not any(seconds == 601 for seconds, _ in turns(hall, two[0])):
        turn(hall, game, two, minutes=10)
    assert all(one in ((600, False), (601, False)) for player in two for one in turns(hall, player))


def test_a_turn_that_the_clock_ended_counts_against_the_player_who_had_the_seat(hall: Harness, people: list[Player]):
    """A successor begins anew."""
    ada, ben, cy, _ = people
    game = hall.game("pig", [ada, ben], **LONG)
    let_pass(hall, game, 0)
    turn(hall, game, [ada, ben])
    ada.offer(game)
    assert cy.take(game, 0).status_code == 201
    turn(hall, game, [cy, ben])
    assert [by_clock for _, by_clock in turns(hall, ada)] == [True]
    assert [by_clock for player in (ben, cy) for _, by_clock in turns(hall, player)] == [False, False]


def test_the_share_is_of_the_last_turns_and_the_pace_of_own_ones(
    hall: Harness, people: list[Player], monkeypatch: pytest.MonkeyPatch
):
    ada = people[0]
    for name, least in (("LAST", 4), ("FEWEST", 3)):
        monkeypatch.setattr(players, name, least)
    game = hall.game("pig", people, **LONG)
    for clock in (True, False, False, True, False):
        while asked(hall, game, people) is not ada:
            turn(hall, game, people)
        if clock:
            let_pass(hall, game, ada.seat)
        else:
            turn(hall, game, people, hours=1)
    found = shown(hall, ada)
    assert (found["turns"], found["in_time"], found["pace"] // 60) == (4, 75, 60)


def test_a_resignation_counts_once_and_the_turns_after_it_do_not(hall: Harness, people: list[Player]):
    ada, ben, cy, _ = people
    game = hall.game("pig", [ada, ben, cy], **LONG)
    assert ada.resign(game).status_code == 201
    expire(hall.services, game, ada.seat)
    found = shown(hall, ada)
    assert (found["resigned"], found["running"], found["finished"], turns(hall, ada)) == (1, 0, [], [])
    assert shown(hall, ben)["running"] == 1


# --- what it keeps to itself ----------------------------------------------------------------------------------------


def test_finished_games_are_counted_by_title(hall: Harness, two: list[Player]):
    for key in ("pig", "bids", "pig"):
        hall.play_out(hall.game(key, two), two)
    titles = [{"type": "pig", "title": "Pig", "games": 2}, {"type": "bids", "title": "Bids", "games": 1}]
    assert shown(hall, two[0])["finished"] == titles


def test_tables_that_are_not_public_and_games_without_people_change_nothing(hall: Harness, two: list[Player]):
    """Of a stranger's view: neither while they run nor when they have ended."""
    ada, before = two[0], [shown(hall, player) for player in two]
    bot = house_player(hall, "York")
    alone = table(ada, seats=2)
    assert ada.join(alone, 0).status_code == sit(bot, alone, 1).status_code == 201
    assert [shown(hall, player) for player in two] == before
    hall.play_out(alone, [ada, bot])
    assert [shown(hall, player) for player in two] == before
    game = hall.game("pig", two, door="link")
    assert [shown(hall, player) for player in two] == before
    hall.play_out(game, two)
    assert [shown(hall, player) for player in two] == before
    assert turns(hall, ada) == []


def test_unknown_players_guests_and_deleted_accounts_are_answered_alike(hall: Harness, two: list[Player]):
    _, guest = arrives(hall)
    gone, guests = handle(two[1]), handle(guest)
    two[1].erase()
    answers = {one: hall.client.get(f"/v1/players/{quote(one)}") for one in (*STRANGE, gone, guests)}
    assert {refused(answer) for answer in answers.values()} == {(404, "no-such-player")}
    assert len({answer.get_data() for answer in answers.values()}) == 1
    pages = [hall.client.get(f"/players/{quote(one)}") for one in (*STRANGE, gone, guests)]
    assert {page.status_code for page in pages} == {404}


def test_everybody_sees_the_same_of_a_player(hall: Harness, two: list[Player]):
    """Also those who have blocked the player, and the player; nothing names an address, a bot's owner or a block."""
    ada, ben = two
    path = f"/players/{handle(ada)}"
    hall.game("pig", two)
    before = hall.client.get(f"/v1{path}").get_data()
    block(ben, ada)
    bot = ada.post("/me/bots", {"name": "Robot"}).get_json()
    for answer in (hall.client.get(f"/v1{path}"), ada.get(path), ben.get(path)):
        assert answer.get_data() == before
    names = {"handle", "name", "bot", "running", "finished", "resigned", "new", "turns", "in_time", "pace"}
    assert shown(hall, ada).keys() == names
    bots = {"Authorization": f"Bearer {bot['token']}"}
    about = hall.client.get("/v1/me", headers=bots).get_json()["handle"]
    found = hall.client.get(f"/v1/players/{about}").get_json()
    assert (found["bot"], found.keys()) == (True, names)


def test_a_player_may_hide_the_pace(hall: Harness, people: list[Player], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(players, "FEWEST", 2)
    ada, game = people[0], hall.game("pig", people, **LONG)
    while len(turns(hall, ada)) < 2:
        turn(hall, game, people)
    assert shown(hall, ada)["pace"] in (60, 61)
    assert patch(ada, {"hides_pace": True}).get_json()["hides_pace"] is True
    assert (shown(hall, ada)["pace"], shown(hall, ada)["in_time"]) == (None, 100)
    assert patch(ada, {"name": "Ada"}).get_json()["hides_pace"] is True
    assert patch(ada, {"hides_pace": False}).status_code == 200
    assert shown(hall, ada)["pace"] in (60, 61)


def patch(player: Player, body: Any) -> Any:
    return player.harness.client.patch("/v1/me", json=body, headers=player.auth)


# --- rows -----------------------------------------------------------------------------------------------------------


def test_figures_read_no_log_however_many_games_there_are(hall: Harness, two: list[Player]):
    path, counts = f"/v1/players/{handle(two[0])}", []
    for _ in range(3):
        hall.play_out(hall.game("pig", two, **LONG), two)
        with noted(hall) as queries:
            assert hall.client.get(path).status_code == 200
        assert not [query for query, _ in queries if " entry" in query]
        counts.append(len(queries))
    assert len(set(counts)) == 1
    assert counts[0] <= 5


def test_the_turns_of_an_account_are_exported_and_deleted_with_it(hall: Harness, two: list[Player]):
    game = hall.game("pig", two, **LONG)
    turn(hall, game, two)
    assert [one["game_id"] for one in two[0].get("/me/export").get_json()["turns"]] == [game]
    two[0].erase()
    assert turns(hall, two[0]) == []
    let_pass(hall, game, 1)
    let_pass(hall, game, 0)
    assert turns(hall, two[0]) == []


def test_a_recovered_entry_counts_once(hall: Harness, two: list[Player]):
    game = hall.game("pig", two, **LONG)
    moved = two[0].signed_move(game, [{"do": "roll"}])
    for _ in range(2):
        assert hall.client.post(f"/v1/games/{game}/moves", json=moved).status_code in (200, 201)
    assert len(turns(hall, two[0])) <= 1


def test_the_migration_counts_the_turns_from_before(any_hall: Harness):
    """The same as were counted when they were played, but for their time; also a resignation."""
    people = [any_hall.player(number) for number in range(3)]
    game = any_hall.game("pig", people, **LONG)
    for _ in range(7):
        turn(any_hall, game, people)
    mover = asked(any_hall, game, people)
    let_pass(any_hall, game, mover.seat)
    assert people[0].resign(game).status_code == 201
    other = any_hall.game("pig", people[:2])
    any_hall.play_out(other, people[:2])
    hidden = any_hall.game("pig", people[:2], door="link")
    any_hall.play_out(hidden, people[:2])
    before = [[by_clock for _, by_clock in turns(any_hall, player)] for player in people]
    resigned = [shown(any_hall, player)["resigned"] for player in people]
    database = any_hall.services.database
    with database.writer.begin() as connection:
        config = migrate.config()
        config.attributes["connection"] = connection
        command.downgrade(config, "0015")
    migrate.migrate(database)
    assert [[by_clock for _, by_clock in turns(any_hall, player)] for player in people] == before
    assert [shown(any_hall, player)["resigned"] for player in people] == resigned == [1, 0, 0]
    assert all(seconds is None for seconds, _ in turns(any_hall, people[1]))
