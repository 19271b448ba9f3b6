"""Before the start: doors, the host's acts, readiness, the end of tables that do not start, and limits."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
import sqlalchemy as sa

from engine.record.audit import audit
from server.kernel.db.models import Game, Outbox
from server.tables.hosting import write
from server.tables.limits import LIMITS
from tests.server import surfaces
from tests.server.harness import Harness, Player
from tests.server.test_bots import bot_of, sit


def code(answer) -> tuple[int, str | None]:
    return answer.status_code, (answer.get_json() or {}).get("code")


def table(player: Player, **more) -> str:
    made = player.post("/games", {"type": "pig", "seats": 3, **more})
    assert made.status_code == 201, made.get_data(as_text=True)
    return made.get_json()["id"]


def shown(hall: Harness, game: str) -> dict:
    return hall.client.get(f"/v1/games/{game}").get_json()


def since(hall: Harness, game: str, seat: int) -> int:
    return shown(hall, game)["seats"][seat]["since"]


def put(player: Player, path: str, body: dict):
    return player.harness.client.put(f"/v1{path}", json=body, headers=player.auth)


def outbox(hall: Harness, game: str) -> list[str]:
    with hall.services.database.read() as session:
        return list(session.scalars(sa.select(Outbox.kind).where(Outbox.game_id == game).order_by(Outbox.id)))


@pytest.fixture
def people(any_hall: Harness) -> list[Player]:
    return [any_hall.player(number) for number in range(4)]


# --- removing a player ------------------------------------------------------------------------------------------------


def test_the_host_removes_a_player_who_cannot_come_back(any_hall: Harness, people: list[Player]):
    """The entry has no signature, the audit holds, and the player is notified."""
    host, guest, other, _ = people
    game = table(host)
    assert guest.join(game, 1).status_code == 201
    at = since(any_hall, game, 1)
    assert code(other.delete(f"/games/{game}/seats/1?since={at}")) == (403, "not-host")
    removed = host.delete(f"/games/{game}/seats/1?since={at}")
    entry = json.loads(removed.get_json()["entry"])
    assert (removed.status_code, entry["kind"], entry["jws"], entry["seat"]) == (200, "left", None, 1)
    assert code(guest.join(game, 2)) == (403, "removed-by-host")
    assert other.join(game, 1).status_code == 201
    assert outbox(any_hall, game) == ["removed"]
    assert [event["kind"] for event in surfaces.events(any_hall, guest)] == ["news", "removed"]
    report = audit(any_hall.client.get(f"/v1/games/{game}/bundle").get_data())
    assert report.verdict == "holds", report.text()


def test_a_repeated_removal_does_not_hit_the_next_player(hall: Harness, people_here: list[Player]):
    host, guest, other, _ = people_here
    game = table(host)
    guest.join(game, 1)
    path = f"/games/{game}/seats/1?since={since(hall, game, 1)}"
    assert host.delete(path).status_code == 200
    assert code(host.delete(path)) == (409, "seat-empty")
    assert other.join(game, 1).status_code == 201
    assert code(host.delete(path)) == (409, "seat-changed")
    assert shown(hall, game)["seats"][1]["name"] == "Player 2"


def test_nobody_is_removed_from_a_running_game(hall: Harness, people_here: list[Player]):
    game = hall.game("pig", people_here[:2])
    answer = people_here[0].delete(f"/games/{game}/seats/1?since={since(hall, game, 1)}")
    assert code(answer) == (409, "already-started")


@pytest.fixture
def people_here(hall: Harness) -> list[Player]:
    return [hall.player(number) for number in range(4)]


# --- doors, hosts, readiness ------------------------------------------------------------------------------------------


def test_only_the_host_joins_an_invited_table_without_an_invitation(hall: Harness, people_here: list[Player]):
    host, guest, _, _ = people_here
    game = table(host, door="invited")
    assert code(guest.join(game, 1)) == (403, "by-invitation")
    assert host.join(game, 0).status_code == 201
    assert hall.client.get("/v1/games").get_json()["games"] == []


def test_the_host_passes_the_table_on(hall: Harness, people_here: list[Player]):
    """To a person at the table; from then on the former host may do nothing. A repeated request changes nothing."""
    host, heir, other, _ = people_here
    game = table(host)
    assert code(host.post(f"/games/{game}/host", {"seat": 1})) == (409, "no-person")
    host.join(game, 0)
    heir.join(game, 1)
    assert code(other.post(f"/games/{game}/host", {"seat": 1})) == (403, "not-host")
    handle = heir.get("/me").get_json()["handle"]
    for _ in range(2):
        answer = host.post(f"/games/{game}/host", {"seat": 1})
        assert (answer.status_code, answer.get_json()["host"]) == (200, handle)
    assert outbox(hall, game) == ["hosts"]
    assert code(host.post(f"/games/{game}/cancel")) == (403, "not-host")
    assert heir.post(f"/games/{game}/cancel").status_code == 201


def test_the_table_is_passed_only_to_the_player_whom_the_request_names(hall: Harness, people_here: list[Player]):
    """Not to somebody who has taken their seat meanwhile; `since` is the entry by which the player joined."""
    host, heir, other, _ = people_here
    game = table(host)
    host.join(game, 0)
    heir.join(game, 1)
    since = shown(hall, game)["seats"][1]["since"]
    heir.leave(game)
    other.join(game, 1)
    assert code(host.post(f"/games/{game}/host", {"seat": 1, "since": since})) == (409, "seat-changed")
    assert shown(hall, game)["host"] == host.get("/me").get_json()["handle"]
    named = {"seat": 1, "since": shown(hall, game)["seats"][1]["since"]}
    assert host.post(f"/games/{game}/host", named).get_json()["host"] == other.get("/me").get_json()["handle"]


def test_a_table_starts_when_all_are_ready(any_hall: Harness, people: list[Player]):
    """After somebody left, everybody has to be ready again."""
    one, two, three, _ = people
    game = table(one, seats=2, start="ready")
    one.join(game, 0)
    assert code(put(three, f"/games/{game}/ready", {"ready": True})) == (403, "no-seat")
    assert put(one, f"/games/{game}/ready", {"ready": True}).get_json()["seats"][0]["ready"] is True
    two.join(game, 1)
    assert (shown(any_hall, game)["status"], outbox(any_hall, game)) == ("lobby", ["full"])
    two.leave(game)
    two.join(game, 1)
    assert put(two, f"/games/{game}/ready", {"ready": True}).get_json()["status"] == "lobby"
    for _ in range(2):
        assert put(one, f"/games/{game}/ready", {"ready": True}).get_json()["status"] == "running"


def test_a_table_starts_with_the_bot_that_joins_last(any_hall: Harness, people: list[Player]):
    """Its people were ready before; with a person who joins last, the table waits for that one."""
    game = table(people[0], seats=2, start="ready")
    people[0].join(game, 0)
    put(people[0], f"/games/{game}/ready", {"ready": True})
    assert sit(bot_of(people[1]), game, 1).status_code == 201
    assert (shown(any_hall, game)["status"], outbox(any_hall, game)) == ("running", ["started", "turn"])


def test_a_table_that_starts_when_full_asks_nobody_whether_they_are_ready(hall: Harness, people_here: list[Player]):
    game = table(people_here[0])
    people_here[0].join(game, 0)
    assert code(put(people_here[0], f"/games/{game}/ready", {"ready": True})) == (409, "starts-full")


# --- tables that do not start -----------------------------------------------------------------------------------------


def tick(hall: Harness) -> None:
    """What the clock does with tables that have not started."""
    now = hall.services.now()
    for query, act in ((write.ending(now), write.warn), (write.ended(now), write.end_unstarted)):
        with hall.services.database.read() as session:
            games = session.scalars(query).all()
        for game in games:
            act(hall.services, game)


def test_a_table_that_does_not_start_ends_after_a_warning(any_hall: Harness, people: list[Player]):
    """Fourteen days after the last player joined; the host is warned once, three days before."""
    game = table(people[0])
    any_hall.clock.forward(days=10)
    people[0].join(game, 0)
    any_hall.clock.forward(days=11)
    tick(any_hall)
    tick(any_hall)
    assert outbox(any_hall, game) == ["ending"]
    any_hall.clock.forward(days=2, hours=23)
    tick(any_hall)
    assert shown(any_hall, game)["status"] == "lobby"
    any_hall.clock.forward(hours=1)
    tick(any_hall)
    last = json.loads(people[0].get(f"/games/{game}/log").get_json()["entries"][-1])
    assert (last["kind"], last["reason"]) == ("cancelled", "unstarted")


def test_the_host_keeps_a_table_open_twice(hall: Harness, people_here: list[Player]):
    """A second press within moments does not count."""
    host = people_here[0]
    game = table(host)
    first = shown(hall, game)["ends_at"]
    assert host.post(f"/games/{game}/keep").get_json()["ends_at"] == first
    for _ in range(write.MOST_KEPT):
        hall.clock.forward(days=12)
        ends = host.post(f"/games/{game}/keep").get_json()["ends_at"]
        assert host.post(f"/games/{game}/keep").get_json()["ends_at"] == ends
    hall.clock.forward(days=12)
    assert code(host.post(f"/games/{game}/keep")) == (409, "kept-open")
    assert code(people_here[1].post(f"/games/{game}/keep")) == (403, "not-host")


def test_joins_do_not_keep_a_table_open_beyond_sixty_days(hall: Harness, people_here: list[Player]):
    game = table(people_here[0])
    made = hall.clock()
    for _ in range(7):
        hall.clock.forward(days=9)
        if people_here[1].join(game, 1).status_code == 201:
            people_here[1].leave(game)
    with hall.services.database.read() as session:
        assert session.get_one(Game, game).ends_at == made + timedelta(days=60)


# --- limits -----------------------------------------------------------------------------------------------------------


def test_an_account_reaches_its_limits_and_reads_them(tmp_path, open_house):
    """A new account has half of each; one code names the limit that was reached."""
    from tests.server.harness import sqlite_url

    hall = open_house(sqlite_url(tmp_path), most_open_tables=4, most_lobby_seats=6, most_seats=8)
    ada, ben = hall.player(0), hall.player(1)
    games = [table(ada, seats=2) for _ in range(2)]
    refused = ada.post("/games", {"type": "pig", "seats": 2}).get_json()
    facts = {"limit": "open_tables", "says": LIMITS["open_tables"].says, "most": 2}
    assert (refused["code"], refused["facts"]) == ("too-many", facts)
    assert [one["name"] for one in ada.get("/me/limits").get_json()] == list(LIMITS)
    hall.clock.forward(days=7)
    games += [table(ada, seats=2) for _ in range(2)]
    used = {one["name"]: (one["used"], one["most"]) for one in ada.get("/me/limits").get_json()}
    assert (used["open_tables"], used["lobby_seats"], used["seats"]) == ((4, 4), (0, 6), (0, 8))
    for game in games:
        assert ada.join(game, 0).status_code == 201
        assert ben.join(game, 1).status_code == 201
    more = [table(ada, seats=2) for _ in range(4)]
    for game in more:
        assert ben.join(game, 1).status_code == 201
    assert ben.post("/games", {"type": "pig", "seats": 2}).status_code == 201
    last = ben.get("/games?made=true").get_json()["games"][0]["id"]
    assert ben.join(last, 0).get_json()["title"] == f"{LIMITS['seats'].says}: you have reached the limit of 8."


def test_limits_are_switched_off_on_a_server_for_one(tmp_path, open_house):
    from tests.server.harness import sqlite_url

    hall = open_house(sqlite_url(tmp_path), most_open_tables=2, public_url="http://127.0.0.1:8000")
    assert hall.services.settings.is_for_one
