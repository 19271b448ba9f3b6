"""Time granted: by a game's creator to others, by the operator to all; it moves the clock on, and never back."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from engine.record.laws.preconditions import MOST_GRANTS
from sealedmove import main
from server.kernel.services import open_services
from server.play.write import expire
from server.tables.write import grant_as_operator
from tests.server.harness import HOST, MASTER, Harness, Player
from tests.server.test_clocks import QUICK, waits
from tests.server.test_seats import BID, PASS, code, running

DAY = 86400


@pytest.fixture
def three(hall: Harness) -> list[Player]:
    """Ada, who makes the games, and Ben play; Cy may come."""
    return [hall.player(number) for number in range(3)]


def grant(by: Player, game: str, seats: list[int], seconds: int = DAY):
    return by.post(f"/games/{game}/grants", {"seats": seats, "seconds": seconds})


def deadlines(hall: Harness, game: str) -> dict[int, str]:
    return {d["seat"]: d["deadline"] for d in hall.client.get(f"/v1/games/{game}").get_json()["deadlines"]}


def test_the_creator_gives_time_to_others(hall: Harness, three: list[Player]):
    """The entry names seats and seconds, the deadline moves back by as much, and the clock waits for it."""
    game = running(hall, three, clock=QUICK)
    before = waits(hall, game, 1)
    answer = grant(three[0], game, [1])
    entry = json.loads(answer.get_json()["entry"])
    assert (answer.status_code, entry["kind"], entry["seats"], entry["seconds"]) == (201, "granted", [1], DAY)
    assert entry["why"] == "host"
    assert answer.get_json()["note"].splitlines()[1] == str(entry["seq"] + 1)
    assert waits(hall, game, 1) == before + DAY
    hall.clock.forward(seconds=before + DAY - 1)
    assert expire(hall.services, game, 1) is False
    hall.clock.forward(seconds=1)
    assert expire(hall.services, game, 1) is True


def test_granted_time_takes_nothing_from_the_bank(hall: Harness, three: list[Player]):
    """It is used before the bank is."""
    game = running(hall, three, clock=QUICK)
    grant(three[0], game, [1], 1000)
    hall.clock.forward(seconds=600 + 1000)
    three[1].move(game, BID)
    assert hall.client.get(f"/v1/games/{game}").get_json()["seats"][1]["bank"] == QUICK["bank"] + QUICK["increment"]


def test_time_is_not_granted_to_oneself(hall: Harness, three: list[Player]):
    """Not even together with others; a creator without a seat may give time to all."""
    game = running(hall, three, clock=QUICK)
    before = deadlines(hall, game)
    for seats in ([0], [0, 1]):
        refused = grant(three[0], game, seats)
        assert code(refused) == (403, "own-seat")
        assert refused.get_json()["facts"] == {"seat": 0}
    assert deadlines(hall, game) == before
    three[0].offer(game)
    assert three[2].take(game, 0).status_code == 201
    assert grant(three[0], game, [0, 1]).status_code == 201


def test_only_the_creator_gives(hall: Harness, three: list[Player]):
    """With a token that may play; others are refused whatever they ask."""
    game = running(hall, three, clock=QUICK)
    before = hall.head(game)
    assert code(grant(three[1], game, [0])) == (403, "not-creator")
    assert hall.client.post(f"/v1/games/{game}/grants", json={"seats": [1], "seconds": 1}).status_code == 401
    made = three[0].post("/me/tokens", {"name": "reader", "scopes": ["read"]}).get_json()["token"]
    body, header = {"seats": [1], "seconds": 1}, {"Authorization": f"Bearer {made}"}
    assert code(hall.client.post(f"/v1/games/{game}/grants", json=body, headers=header)) == (403, "missing-scope")
    assert hall.head(game) == before


@pytest.mark.parametrize(
    "body",
    [
        {"seats": [1], "seconds": 7 * DAY + 1},
        {"seats": [1], "seconds": 0},
        {"seats": [1], "seconds": -60},
        {"seats": [1], "seconds": 1.5},
        {"seats": [], "seconds": 60},
        {"seats": [1, 1], "seconds": 60},
        {"seats": [-1], "seconds": 60},
        {"seats": [64], "seconds": 60},
        {"seats": 1, "seconds": 60},
        {"seconds": 60},
        {"seats": [1]},
    ],
)
def test_more_than_a_week_or_less_than_a_second_is_not_given(hall: Harness, three: list[Player], body):
    """Fields are judged before anything is looked up."""
    game = running(hall, three, clock=QUICK)
    before = hall.head(game)
    assert code(three[0].post(f"/games/{game}/grants", body)) == (422, "bad-fields")
    assert hall.head(game) == before


@pytest.mark.slow
def test_time_is_given_to_whom_it_runs_for(hall: Harness, three: list[Player]):
    """Only to a player who owes a move and has not resigned; only with a clock, between the start and the end."""
    game = hall.game("bids", three, clock=QUICK, options={"lots": 9})
    three[1].move(game, PASS)
    assert code(grant(three[0], game, [1])) == (409, "nothing-owed")
    three[2].resign(game)
    assert code(grant(three[0], game, [2])) == (409, "seat-gone")
    assert code(grant(three[0], game, [3])) == (422, "no-such-seat")
    idle = running(hall, three, clock=None)
    assert code(grant(three[0], idle, [1])) == (409, "no-clock")
    lobby = three[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"]
    assert code(grant(three[0], lobby, [1])) == (409, "not-started")
    over = hall.game("bids", three[:2], options={"lots": 1})
    hall.play_out(over, three[:2])
    assert code(grant(three[0], over, [1])) == (410, "game-over")


@pytest.mark.slow
def test_a_creator_gives_a_bounded_number_of_times(hall: Harness, three: list[Player]):
    """Each grant is a line that everybody keeps; the operator may still give."""
    game = running(hall, three, clock=QUICK)
    for _ in range(MOST_GRANTS):
        assert grant(three[0], game, [1], 1).status_code == 201
    before = hall.head(game)
    assert code(grant(three[0], game, [1], 1)) == (409, "too-many-grants")
    assert hall.head(game) == before
    assert grant_as_operator(hall.services, game, 1) == [0, 1]


def test_a_creator_gives_each_seat_a_bounded_time_and_the_operator_any(hall: Harness, three: list[Player]):
    """The bound is the clock's `grants`; time that is given back after an outage does not count."""
    game = running(hall, three, clock=QUICK | {"grants": 2 * DAY})
    assert grant(three[0], game, [1], 2 * DAY).status_code == 201
    before = hall.head(game)
    refused = grant(three[0], game, [1], 1)
    assert code(refused) == (409, "too-much-granted")
    assert refused.get_json()["facts"] == {"seat": 1, "given": 2 * DAY, "most": 2 * DAY}
    assert hall.head(game) == before
    assert grant_as_operator(hall.services, game, 30 * DAY) == [0, 1]
    line = hall.client.get(f"/v1/games/{game}/log").get_json()["entries"][-1]
    assert json.loads(line)["why"] == "outage"


def test_whoever_is_absent_may_be_given_time_and_stays_absent(hall: Harness, three: list[Player]):
    """The grace and the granted time; only an act of their own brings them back."""
    from tests.server.test_seats import make_absent, standing

    game = running(hall, three, clock=QUICK)
    make_absent(hall, game, three[0])
    grant(three[0], game, [1])
    assert standing(hall, game) == (False, True, True)
    assert waits(hall, game, 1) == QUICK["grace"] + DAY


def test_a_stopped_game_is_granted_nothing(hall: Harness, three: list[Player]):
    """Its clock stands still anyway, and going on gives the time back."""
    from engine.errors import EngineFault
    from server.log.ledger import stop_game

    game = running(hall, three, clock=QUICK)
    stop_game(hall.services, game, EngineFault("planted"))
    before = hall.head(game)
    refused = grant(three[0], game, [1])
    assert (refused.status_code, refused.get_json()["code"]) == (503, "game-stopped")
    assert hall.head(game) == before


# --- asked for twice ----------------------------------------------------------------------------------------------


def ask(who: Player, game: str, key: str, seats: list[int], seconds: int = DAY):
    return who.post(f"/games/{game}/grants", {"seats": seats, "seconds": seconds}, headers={"Idempotency-Key": key})


def test_a_grant_with_a_key_is_given_once(any_hall: Harness):
    """The same bytes again, also when the game has gone on or has been stopped since."""
    players = [any_hall.player(number) for number in range(2)]
    game = running(any_hall, players, clock=QUICK)
    first = ask(players[0], game, "once", [1])
    before = any_hall.head(game)
    again = ask(players[0], game, "once", [1])
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.get_data() == again.get_data()
    assert any_hall.head(game) == before
    players[1].move(game, BID)
    assert ask(players[0], game, "once", [1]).get_data() == first.get_data()


def test_a_key_stands_for_one_request(hall: Harness, three: list[Player]):
    """Another seat, another time, another game, or a game to be made: refused, and nothing is granted."""
    game, other = (running(hall, three, clock=QUICK) for _ in range(2))
    ask(three[0], game, "once", [1])
    before = hall.head(game), hall.head(other)
    wish = {"type": "pig", "seats": 2}
    for answer in (
        ask(three[0], game, "once", [1], 60),
        ask(three[0], other, "once", [1]),
        three[0].post("/games", wish, headers={"Idempotency-Key": "once"}),
    ):
        assert (answer.status_code, answer.get_json()["code"]) == (422, "idempotency-reused")
    assert (hall.head(game), hall.head(other)) == before
    three[0].post("/games", wish, headers={"Idempotency-Key": "made"})
    assert ask(three[0], game, "made", [1]).get_json()["code"] == "idempotency-reused"


def test_a_refused_grant_uses_up_no_key(hall: Harness, three: list[Player]):
    """After the mistake is corrected, the same key works."""
    game = running(hall, three, clock=QUICK)
    assert ask(three[0], game, "once", [0]).get_json()["code"] == "own-seat"
    assert ask(three[0], game, "once", [1]).status_code == 201


# --- the operator ---------------------------------------------------------------------------------------------------


@pytest.fixture
def operate(hall: Harness, monkeypatch):
    """`sealedmove grant ...` over the database of this house, by its clock."""
    monkeypatch.setenv("SEALEDMOVE_MASTER", MASTER.hex())
    monkeypatch.setenv("DATABASE_URL", hall.services.settings.database_url)
    monkeypatch.setenv("PUBLIC_URL", f"https://{HOST}")
    monkeypatch.setenv("GAME_PACKAGES", "tests.kit.games")
    monkeypatch.setattr(
        "server.operate.startup.open_services", lambda chosen: replace(open_services(chosen), now=hall.clock)
    )
    return lambda *words: CliRunner().invoke(main, ["grant", *words])


def test_the_operator_gives_time_to_a_game_or_to_some_of_its_seats(hall: Harness, three: list[Player], operate):
    """To all whose time runs, or to those named."""
    game = running(hall, three, clock=QUICK)
    before = waits(hall, game, 0)
    done = operate(game, "3600")
    assert (done.exit_code, done.output) == (0, f"{game}: seats 1, 2\n")
    assert (waits(hall, game, 0), waits(hall, game, 1)) == (before + 3600, before + 3600)
    assert operate(game, "60", "--seat", "2", "--seat", "2").output == f"{game}: seats 2\n"
    assert (waits(hall, game, 0), waits(hall, game, 1)) == (before + 3600, before + 3660)


def test_after_an_outage_every_running_game_is_given_time(hall: Harness, three: list[Player], operate):
    """Every game with a clock, also a stopped one; the clock does not play for players who were cut off."""
    games = [running(hall, three, clock=QUICK) for _ in range(3)]
    idle = running(hall, three, clock=None)
    lobby = three[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"]
    heads = {game: hall.head(game)[0] for game in (*games, idle, lobby)}
    hall.clock.forward(days=1)
    done = operate("--all", str(DAY))
    assert done.exit_code == 0
    assert sorted(done.output.splitlines()) == sorted(f"{game}: seats 1, 2" for game in games)
    assert [hall.head(game)[0] - heads[game] for game in (*games, idle, lobby)] == [1, 1, 1, 0, 0]
    assert [expire(hall.services, game, 1) for game in games] == [False] * 3


def test_a_game_in_which_nobodys_time_runs_is_said_to_be_one(hall: Harness, three: list[Player], operate):
    """Nothing is logged, and it does not count as an error."""
    idle = running(hall, three, clock=None)
    before = hall.head(idle)
    assert operate(idle, "60").output == f"{idle}: no clock is running\n"
    assert hall.head(idle) == before


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "grant GAME SECONDS"),
        (("60",), "grant GAME SECONDS"),
        (("game", "soon"), "grant GAME SECONDS"),
        (("--all", "game", "60"), "grant GAME SECONDS"),
        (("--all", "60", "--seat", "1"), "grant GAME SECONDS"),
        (("00000000-0000-4000-8000-000000000000", "60"), "no-such-game"),
    ],
)
def test_an_operator_who_asks_for_nonsense_is_told_so(hall: Harness, operate, words, says):
    """The command prints an error and its usage."""
    done = operate(*words)
    assert done.exit_code != 0
    assert says in done.output


def test_a_refusal_is_said_and_ends_with_an_error(hall: Harness, three: list[Player], operate):
    """By code, for a script that checks."""
    game = running(hall, three, clock=QUICK)
    before = hall.head(game)
    assert "no-such-seat" in operate(game, "60", "--seat", "6").output
    assert "bad-member" in operate(game, str(2**25 + 1)).output
    three[1].move(game, PASS)
    refused = operate(game, "60", "--seat", "2")
    assert (refused.exit_code, "nothing-owed" in refused.output) == (1, True)
    assert hall.head(game)[0] == before[0] + 1
