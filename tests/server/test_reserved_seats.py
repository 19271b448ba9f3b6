"""Seats that are kept for house players: before the start, and of players who are absent."""

import pytest

from server.accounts.bots import write as bots
from server.log import places
from server.play.write import expire
from tests.server.harness import BY, Harness, Player
from tests.server.test_bots import code, house_player, seats, sit, table


def test_seats_are_reserved_for_house_players(hall: Harness):
    """From the beginning; each is notified of its seat, and nobody else may take it."""
    ada, bob = house_player(hall, "Ada"), house_player(hall, "Bob")
    creator, other = hall.player(0), hall.player(1)
    game = table(creator, house=[{"seat": 1, "level": "fair"}, {"seat": 2, "level": "fair"}])
    assert [seat["kept"] for seat in seats(hall, game)] == [None, "fair", "fair"]
    assert hall.client.get(f"/v1/games/{game}").get_json()["free_seats"] == [0]
    assert code(other.join(game, 1)) == (409, "seat-kept")
    asked = [bot.get("/me/invitations").get_json() for bot in (ada, bob)]
    assert [[one["game"], one["seat"], one["act"]] for one in asked[0] + asked[1]] == [
        [game, 1, "join"],
        [game, 2, "join"],
    ]
    assert other.get("/me/invitations").get_json() == []
    assert creator.join(game, 0).status_code == 201
    assert [sit(ada, game, 1).status_code, sit(bob, game, 2).status_code] == [201, 201]
    assert hall.client.get(f"/v1/games/{game}").get_json()["status"] == "running"
    assert ada.get("/me/invitations").get_json() == []


@pytest.mark.parametrize("door", ["open", "invited"])
def test_a_late_house_player_sits_down_where_its_seat_is_still_free(hall: Harness, door: str):
    """Its place is kept for ten minutes, and its invitation lasts."""
    ada, creator = house_player(hall, "Ada"), hall.player(0)
    game = table(creator, door=door, house=[{"seat": 1, "level": "fair"}])
    hall.clock.forward(minutes=11)
    assert [one["game"] for one in ada.get("/me/invitations").get_json()] == [game]
    assert sit(ada, game, 1).status_code == 201


def test_an_invitation_needs_a_house_player_and_a_free_seat(hall: Harness):
    """An unknown level, a table without bots, or a seat that is taken or missing: nothing is reserved."""
    creator, other = hall.player(0), hall.player(1)
    house_player(hall, "Ada")
    game, shut = table(creator), table(creator, bots="none")
    path = f"/games/{game}/house"
    assert code(creator.post(path, {"seat": 1, "level": "strong"})) == (409, "no-house-player")
    assert code(creator.post(path, {"seat": 7, "level": "fair"})) == (422, "no-such-seat")
    assert code(creator.post(f"/games/{shut}/house", {"seat": 1, "level": "fair"})) == (403, "no-bots")
    assert code(other.post(path, {"seat": 1, "level": "fair"})) == (403, "not-host")
    assert code(creator.post("/games", {"type": "pig", "seats": 2, "bots": "none", "stand_in": "fair"})) == (
        403,
        "no-bots",
    )
    assert [seat["kept"] for seat in seats(hall, game)] == [None, None, None]
    assert creator.post(path, {"seat": 1, "level": "fair"}).status_code == 201
    assert code(creator.post(path, {"seat": 2, "level": "fair"})) == (409, "no-house-player")
    assert hall.client.delete(f"/v1{path}/1", headers=creator.auth).status_code == 204
    assert other.join(game, 1).status_code == 201


def game_with_absence(hall: Harness, people: list[Player], **more) -> tuple[str, int]:
    """A game of Pig for two whose first player to move is absent: the game and that seat."""
    game = table(people[0], seats=2, clock={"move": 60, "grace": 60, "missed": 1}, **more)
    for seat, person in enumerate(people):
        assert person.join(game, seat).status_code == 201
    absent = hall.client.get(f"/v1/games/{game}").get_json()["active"][0]
    hall.clock.forward(days=1)
    assert expire(hall.services, game, absent)
    return game, absent


def test_a_house_player_takes_the_seat_of_an_absent_player(hall: Harness):
    """If the table names a stand-in, it is invited as soon as the seat is free."""
    ada = house_player(hall, "Ada")
    people = [hall.player(0), hall.player(1)]
    game, absent = game_with_absence(hall, people, stand_in="fair")
    assert seats(hall, game)[absent]["kept"] == "fair"
    assert [(one["seat"], one["act"]) for one in ada.get("/me/invitations").get_json()] == [(absent, "take")]
    assert sit(ada, game, absent, act="take").status_code == 201
    assert seats(hall, game)[absent] | {"bot": True, "name": "Ada", "kept": None} == seats(hall, game)[absent]


@pytest.mark.parametrize("more", [{}, {"stand_in": "fair", "handover": "offer"}])
def test_without_a_stand_in_no_house_player_takes_an_absent_seat(hall: Harness, more: dict[str, str]):
    """Nor where seats do not change hands: the server plays default moves."""
    ada = house_player(hall, "Ada")
    game, absent = game_with_absence(hall, [hall.player(0), hall.player(1)], **more)
    assert seats(hall, game)[absent]["absent"]
    assert seats(hall, game)[absent]["kept"] is None
    assert ada.get("/me/invitations").get_json() == []


def test_stand_ins_count_as_house_players(hall: Harness, monkeypatch: pytest.MonkeyPatch):
    """A table with its full share of slow bots gets no stand-in; anyone may take the seat."""
    monkeypatch.setattr(places, "MOST_HOUSE_TABLES", 1)
    creator, ada = hall.player(0), house_player(hall, "Ada")
    house_player(hall, "Bob")
    table(creator, house=[{"seat": 1, "level": "fair"}])
    game, absent = game_with_absence(hall, [creator, hall.player(1)], stand_in="fair")
    assert seats(hall, game)[absent]["kept"] is None
    assert absent in hall.client.get(f"/v1/games/{game}").get_json()["free_seats"]
    assert game not in [one["game"] for one in ada.get("/me/invitations").get_json()]


@pytest.mark.parametrize("how", ["before the start", "of somebody absent"])
def test_a_reservation_lasts_ten_minutes(hall: Harness, how: str):
    """After that anyone may take the seat, so a house player that is down does not block it."""
    creator, other = hall.player(0), hall.player(2)
    house_player(hall, "Ada")
    if how == "before the start":
        game, seat, act = table(creator, house=[{"seat": 1, "level": "fair"}]), 1, "join"
    else:
        game, seat = game_with_absence(hall, [creator, hall.player(1)], stand_in="fair")
        act = "take"
    assert code(sit(other, game, seat, says=False, act=act)) == (409, "seat-kept")
    assert seats(hall, game)[seat]["kept"] == "fair"
    free = lambda: [one["id"] for one in hall.client.get("/v1/games?free=true").get_json()["games"]]  # noqa: E731 - asked twice
    assert (game in free()) == (how == "before the start")  # where others are empty
    hall.clock.forward(minutes=10)
    assert seats(hall, game)[seat]["kept"] is None
    assert game in free()
    assert seat in hall.client.get(f"/v1/games/{game}").get_json()["free_seats"]
    assert sit(other, game, seat, says=False, act=act).status_code == 201
    assert seats(hall, game)[seat]["name"] == "Player 2"


def test_an_erased_house_player_loses_its_reserved_seat(hall: Harness):
    """It could never sit down."""
    creator, other = hall.player(0), hall.player(1)
    ada = house_player(hall, "Ada")
    game = table(creator, house=[{"seat": 1, "level": "fair"}])
    bots.erase_house(hall.services, BY, ada.account)
    assert [seat["kept"] for seat in seats(hall, game)] == [None, None, None]
    assert other.join(game, 1).status_code == 201
