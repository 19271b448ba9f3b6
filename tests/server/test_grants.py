"""Granted time: by a game's creator to others, by the operator to all; it only moves deadlines later."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from sqlalchemy.exc import OperationalError

from engine.record.laws.proposal import MOST_GRANTS
from sealedmove import main
from server.kernel.services import open_services
from server.operate import commands
from server.play.write import expire
from server.tables.write import grant_as_operator
from tests.server.harness import BY, HOST, MASTER, Harness, Player
from tests.server.test_clocks import QUICK, waits
from tests.server.test_races import together
from tests.server.test_races_before import check, kinds, sends
from tests.server.test_seats import BID, PASS, code, running

DAY = 86400


@pytest.fixture
def people(hall: Harness) -> list[Player]:
    """Ada, who makes the games, and Ben play; Cy may come."""
    return [hall.player(number) for number in range(3)]


def grant(by: Player, game: str, seats: list[int], seconds: int = DAY):
    return by.post(f"/games/{game}/grants", {"seats": seats, "seconds": seconds})


def deadlines(hall: Harness, game: str) -> dict[int, str]:
    return {d["seat"]: d["deadline"] for d in hall.client.get(f"/v1/games/{game}").get_json()["deadlines"]}


def test_the_creator_gives_time_to_others(hall: Harness, people: list[Player]):
    """The entry names seats and seconds, the deadline moves back by as much, and the server waits for it."""
    game = running(hall, people, clock=QUICK)
    before = waits(hall, game, 1)
    answer = grant(people[0], game, [1])
    entry = json.loads(answer.get_json()["entry"])
    assert (answer.status_code, entry["kind"], entry["seats"], entry["seconds"]) == (201, "granted", [1], DAY)
    assert entry["why"] == "host"
    assert answer.get_json()["note"].splitlines()[1] == str(entry["seq"] + 1)
    assert waits(hall, game, 1) == before + DAY
    hall.clock.forward(seconds=before + DAY - 1)
    assert expire(hall.services, game, 1) is False
    hall.clock.forward(seconds=1)
    assert expire(hall.services, game, 1) is True


def test_granted_time_is_used_before_the_bank(hall: Harness, people: list[Player]):
    game = running(hall, people, clock=QUICK)
    grant(people[0], game, [1], 1000)
    hall.clock.forward(seconds=600 + 1000)
    people[1].move(game, BID)
    assert hall.client.get(f"/v1/games/{game}").get_json()["seats"][1]["bank"] == QUICK["bank"] + QUICK["increment"]


def test_creators_cannot_give_themselves_time(hall: Harness, people: list[Player]):
    """Not even together with others; a creator without a seat may give time to all."""
    game = running(hall, people, clock=QUICK)
    before = deadlines(hall, game)
    for seats in ([0], [0, 1]):
        refused = grant(people[0], game, seats)
        assert code(refused) == (403, "own-seat")
        assert refused.get_json()["facts"] == {"seat": 0}
    assert deadlines(hall, game) == before
    people[0].offer(game)
    assert people[2].take(game, 0).status_code == 201
    assert grant(people[0], game, [0, 1]).status_code == 201


def test_only_the_creator_gives_time(hall: Harness, people: list[Player]):
    """With a token that may play; others are refused whatever they send."""
    game = running(hall, people, clock=QUICK)
    before = hall.head(game)
    assert code(grant(people[1], game, [0])) == (403, "not-host")
    assert hall.client.post(f"/v1/games/{game}/grants", json={"seats": [1], "seconds": 1}).status_code == 401
    made = people[0].post("/me/tokens", {"name": "reader", "scopes": ["read"]}).get_json()["token"]
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
def test_more_than_a_week_or_less_than_a_second_is_not_given(hall: Harness, people: list[Player], body):
    """Fields are validated before anything is looked up."""
    game = running(hall, people, clock=QUICK)
    before = hall.head(game)
    assert code(people[0].post(f"/games/{game}/grants", body)) == (422, "bad-fields")
    assert hall.head(game) == before


@pytest.mark.slow
def test_time_is_given_only_to_a_player_whose_time_runs(hall: Harness, people: list[Player]):
    """They owe a move and have not resigned; the game has a clock and is running."""
    game = hall.game("bids", people, clock=QUICK, options={"lots": 9})
    people[1].move(game, PASS)
    assert code(grant(people[0], game, [1])) == (409, "nothing-owed")
    people[2].resign(game)
    assert code(grant(people[0], game, [2])) == (409, "seat-gone")
    assert code(grant(people[0], game, [3])) == (422, "no-such-seat")
    idle = running(hall, people, clock=None)
    assert code(grant(people[0], idle, [1])) == (409, "no-clock")
    lobby = people[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"]
    assert code(grant(people[0], lobby, [1])) == (409, "not-started")
    over = hall.game("bids", people[:2], options={"lots": 1})
    hall.play_out(over, people[:2])
    assert code(grant(people[0], over, [1])) == (410, "game-over")


@pytest.mark.slow
def test_the_number_of_grants_by_a_creator_is_limited(hall: Harness, people: list[Player]):
    """Everybody keeps each grant in their log; the operator may still give."""
    game = running(hall, people, clock=QUICK)
    for _ in range(MOST_GRANTS):
        assert grant(people[0], game, [1], 1).status_code == 201
    before = hall.head(game)
    assert code(grant(people[0], game, [1], 1)) == (409, "too-many-grants")
    assert hall.head(game) == before
    assert grant_as_operator(hall.services, BY, game, 1) == [0, 1]


def test_a_creators_time_for_a_seat_is_limited_and_the_operators_is_not(hall: Harness, people: list[Player]):
    """The limit is the clock's `grants`; time given back after an outage does not count."""
    game = running(hall, people, clock=QUICK | {"grants": 2 * DAY})
    assert grant(people[0], game, [1], 2 * DAY).status_code == 201
    before = hall.head(game)
    refused = grant(people[0], game, [1], 1)
    assert code(refused) == (409, "too-much-granted")
    assert refused.get_json()["facts"] == {"seat": 1, "given": 2 * DAY, "most": 2 * DAY}
    assert hall.head(game) == before
    assert grant_as_operator(hall.services, BY, game, 30 * DAY) == [0, 1]
    line = hall.client.get(f"/v1/games/{game}/log").get_json()["entries"][-1]
    assert json.loads(line)["why"] == "outage"


@pytest.mark.slow
def test_two_grants_at_once_do_not_pass_the_bound_together(any_hall: Harness):
    """Together they would be one second too many."""
    people = [any_hall.player(number) for number in range(2)]
    game = running(any_hall, people, clock=QUICK | {"grants": 2 * DAY - 1})
    gives = sends(people[0], "post", f"/v1/games/{game}/grants", {"seats": [1], "seconds": DAY})
    assert sorted(together(gives, gives)) == [(201, "ok"), (409, "too-much-granted")]
    assert kinds(any_hall, game).count("granted") == 1
    check(any_hall, game)


def test_an_absent_player_who_is_given_time_stays_absent(hall: Harness, people: list[Player]):
    """They have grace and the granted time; only their own act brings them back."""
    from tests.server.test_seats import make_absent, standing

    game = running(hall, people, clock=QUICK)
    make_absent(hall, game, people[0])
    grant(people[0], game, [1])
    assert standing(hall, game) == (False, True, True)
    assert waits(hall, game, 1) == QUICK["grace"] + DAY


def test_a_stopped_game_gets_no_time(hall: Harness, people: list[Player]):
    """Its clock is stopped anyway, and continuing it gives the time back."""
    from engine.errors import EngineFault
    from server.log.ledger import stop_game

    game = running(hall, people, clock=QUICK)
    stop_game(hall.services, game, EngineFault("planted"))
    before = hall.head(game)
    refused = grant(people[0], game, [1])
    assert (refused.status_code, refused.get_json()["code"]) == (503, "game-stopped")
    assert hall.head(game) == before


# --- asked for twice ----------------------------------------------------------------------------------------------


def ask(who: Player, game: str, key: str, seats: list[int], seconds: int = DAY):
    return who.post(f"/games/{game}/grants", {"seats": seats, "seconds": seconds}, headers={"Idempotency-Key": key})


def test_a_grant_with_a_key_is_given_once(any_hall: Harness):
    """The same request again gets the same bytes, even if the game has gone on or stopped since."""
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


def test_an_idempotency_key_is_for_one_request(hall: Harness, people: list[Player]):
    """Another seat, time, game, or a new game: refused, and nothing is granted."""
    game, other = (running(hall, people, clock=QUICK) for _ in range(2))
    ask(people[0], game, "once", [1])
    before = hall.head(game), hall.head(other)
    wish = {"type": "pig", "seats": 2}
    for answer in (
        ask(people[0], game, "once", [1], 60),
        ask(people[0], other, "once", [1]),
        people[0].post("/games", wish, headers={"Idempotency-Key": "once"}),
    ):
        assert (answer.status_code, answer.get_json()["code"]) == (422, "idempotency-reused")
    assert (hall.head(game), hall.head(other)) == before
    people[0].post("/games", wish, headers={"Idempotency-Key": "made"})
    assert ask(people[0], game, "made", [1]).get_json()["code"] == "idempotency-reused"


def test_a_refused_grant_uses_up_no_key(hall: Harness, people: list[Player]):
    """After the mistake is corrected, the same key works."""
    game = running(hall, people, clock=QUICK)
    assert ask(people[0], game, "once", [0]).get_json()["code"] == "own-seat"
    assert ask(people[0], game, "once", [1]).status_code == 201


# --- the operator ---------------------------------------------------------------------------------------------------


@pytest.fixture
def operate(hall: Harness, monkeypatch):
    """Run `sealedmove grant ...` on this server's database, with its clock."""
    monkeypatch.setenv("SEALEDMOVE_MASTER", MASTER.hex())
    monkeypatch.setenv("DATABASE_URL", hall.services.settings.database_url)
    monkeypatch.setenv("PUBLIC_URL", f"https://{HOST}")
    monkeypatch.setattr(
        "server.operate.startup.open_services", lambda chosen: replace(open_services(chosen), now=hall.clock)
    )
    return lambda *words: CliRunner().invoke(main, ["grant", *words, "--why", "an outage"])


def test_the_operator_gives_time_to_a_game_or_to_some_of_its_seats(hall: Harness, people: list[Player], operate):
    """To all whose time runs, or to the named ones."""
    game = running(hall, people, clock=QUICK)
    before = waits(hall, game, 0)
    done = operate(game, "3600")
    assert (done.exit_code, done.output) == (0, f"{game}: seats 1, 2\n")
    assert (waits(hall, game, 0), waits(hall, game, 1)) == (before + 3600, before + 3600)
    assert operate(game, "60", "--seat", "2", "--seat", "2").output == f"{game}: seats 2\n"
    assert (waits(hall, game, 0), waits(hall, game, 1)) == (before + 3600, before + 3660)


def test_after_an_outage_every_running_game_is_given_time(hall: Harness, people: list[Player], operate):
    """Every game with a clock, stopped ones too, so that nobody loses a turn by being cut off."""
    games = [running(hall, people, clock=QUICK) for _ in range(3)]
    idle = running(hall, people, clock=None)
    lobby = people[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"]
    heads = {game: hall.head(game)[0] for game in (*games, idle, lobby)}
    hall.clock.forward(days=1)
    done = operate("--all", str(DAY))
    assert done.exit_code == 0
    assert sorted(done.output.splitlines()) == sorted(f"{game}: seats 1, 2" for game in games)
    assert [hall.head(game)[0] - heads[game] for game in (*games, idle, lobby)] == [1, 1, 1, 0, 0]
    assert [expire(hall.services, game, 1) for game in games] == [False] * 3


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (OperationalError("SELECT", {}, Exception("it is locked")), "the database refused this: it is locked"),
        (ZeroDivisionError(), "ZeroDivisionError at "),
    ],
)
def test_a_game_that_fails_keeps_no_other_from_its_time(hall: Harness, people, operate, monkeypatch, fault, says):
    """Its ID is printed with the reason, since a second run would give time to the others twice."""
    games = [running(hall, people, clock=QUICK) for _ in range(3)]
    before = [waits(hall, game, 1) for game in games]

    def grants(services, by, game: str, *given, **more):
        if game == games[1]:
            raise fault
        return grant_as_operator(services, by, game, *given, **more)

    monkeypatch.setattr(commands, "grant_as_operator", grants)
    done = operate("--all", "3600")
    assert [waits(hall, game, 1) - was for game, was in zip(games, before, strict=True)] == [3600, 0, 3600]
    assert (done.exit_code, f"{games[1]}: {says}" in done.output) == (1, True)
    assert "not granted in 1 of 3 games. Grant it to each of them by its ID" in done.output


def test_a_named_game_in_which_nobodys_time_runs_is_refused(hall: Harness, people: list[Player], operate):
    """With the reason, as if its seats were named, and nothing is logged."""
    idle, over = running(hall, people, clock=None), running(hall, people, clock=QUICK)
    lobby = people[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"]
    people[0].resign(over)
    for game, why in ((idle, "no-clock"), (over, "game-over"), (lobby, "not-started")):
        before = hall.head(game)
        for words in ((game, "60"), (game, "60", "--seat", "1")):
            done = operate(*words)
            assert (done.exit_code, f"({why})" in done.output) == (1, True), done.output
        assert hall.head(game) == before


def test_a_game_that_ends_before_its_turn_fails_no_grant_to_all(hall, people, operate, monkeypatch):
    over = running(hall, people, clock=QUICK)
    people[0].resign(over)
    monkeypatch.setattr(commands, "running_games", lambda _: [over])
    done = operate("--all", "60")
    assert (done.exit_code, done.output) == (0, f"{over}: no clock is running\n")


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
def test_invalid_arguments_of_the_command_are_errors(hall: Harness, operate, words, says):
    """The command prints an error and its usage."""
    done = operate(*words)
    assert done.exit_code != 0
    assert says in done.output


def test_a_refused_grant_ends_the_command_with_its_code(hall: Harness, people: list[Player], operate):
    """For a script that checks."""
    game = running(hall, people, clock=QUICK)
    before = hall.head(game)
    assert "no-such-seat" in operate(game, "60", "--seat", "6").output
    assert "bad-member" in operate(game, str(2**25 + 1)).output
    people[1].move(game, PASS)
    refused = operate(game, "60", "--seat", "2")
    assert (refused.exit_code, "nothing-owed" in refused.output) == (1, True)
    assert hall.head(game)[0] == before[0] + 1
