"""Two requests at the same moment before the start, on both databases: the outcome is that of one after the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa

from engine.record.audit import audit
from server.accounts.bots import write as bots
from server.kernel.db.models import Game, Place, Seat
from server.log import places
from server.play.write import expire
from server.tables.hosting import write
from server.tables.invitations.write import close_old
from tests.databases import BOTH
from tests.server.harness import BY, Harness, Player, sqlite_url
from tests.server.test_races import together

ROUNDS = 5
pytestmark = pytest.mark.slow


@pytest.fixture(params=BOTH)
def limited(request: pytest.FixtureRequest, tmp_path, open_house: Callable[..., Harness]) -> Harness:
    """A server where an account has at most two seats at tables that have not started."""
    url = sqlite_url(tmp_path) if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    return open_house(url, most_lobby_seats=4, most_open_tables=0, most_seats=0)


def table(player: Player, seats: int = 2, **more: Any) -> str:
    made = player.post("/games", {"type": "pig", "seats": seats, **more})
    assert made.status_code == 201, made.get_data(as_text=True)
    return str(made.get_json()["id"])


def joins(player: Player, game: str, seat: int) -> Callable[[], tuple[int, str]]:
    """A join that is signed now and sent later."""
    player.seat = seat
    signed = player.sign(player.payload(game, "join", nonce=player.nonce, **player.holder()))
    return sends(player, "post", f"/v1/games/{game}/join", {"jws": signed})


def sends(player: Player, method: str, path: str, body: Any = None) -> Callable[[], tuple[int, str]]:
    def call() -> tuple[int, str]:
        client = player.harness.app.test_client()
        answer = getattr(client, method)(path, json=body, headers=player.auth)
        return answer.status_code, (answer.get_json(silent=True) or {}).get("code", "ok")

    return call


def kinds(hall: Harness, game: str) -> list[str]:
    entries = hall.client.get(f"/v1/games/{game}/log").get_json()["entries"]
    return [line.partition('"kind":"')[2].partition('"')[0] for line in entries]


def check(hall: Harness, game: str) -> None:
    report = audit(hall.client.get(f"/v1/games/{game}/bundle").get_data())
    assert report.verdict in ("open", "holds"), report.text()


def test_two_joins_of_one_account_do_not_pass_its_limit_together(limited: Harness):
    """Both tables have a free seat, and the account may have one more."""
    ada, ben = limited.player(0), limited.player(1)
    limited.clock.forward(days=6)
    held = [table(ada, 3) for _ in range(1)]
    for game in held:
        assert ben.join(game, 1).status_code == 201
    for _ in range(ROUNDS):
        two = [table(ada, 3) for _ in range(2)]
        ended = together(*(joins(ben, game, 0) for game in two))
        assert sorted(ended) == [(201, "ok"), (409, "too-many")]
        won = two[ended.index((201, "ok"))]
        ben.seat = 0
        assert ben.leave(won).status_code == 201
        check(limited, won)


def test_two_players_who_join_each_others_tables_do_not_lock_each_other(limited: Harness):
    people = [limited.player(0), limited.player(1)]
    limited.clock.forward(days=8)
    for _ in range(ROUNDS):
        one, two = table(people[0]), table(people[1])
        assert people[0].join(one, 0).status_code == 201
        assert people[1].join(two, 0).status_code == 201
        ended = together(joins(people[0], two, 1), joins(people[1], one, 1))
        assert ended == [(201, "ok"), (201, "ok")]
        assert [kinds(limited, game)[-1] for game in (one, two)] == ["started", "started"]


def test_a_removal_and_the_last_join(any_hall: Harness):
    """Either the game starts with the guest, or the guest is gone and the joiner waits; nobody is removed later."""
    host, guest, last = (any_hall.player(number) for number in range(3))
    for _ in range(ROUNDS):
        game = table(host)
        assert guest.join(game, 1).status_code == 201
        removes = sends(host, "delete", f"/v1/games/{game}/seats/1?since=1")
        ended = together(joins(last, game, 0), removes)
        log = kinds(any_hall, game)
        assert (ended[1] == (409, "already-started")) == ("started" in log)
        assert ("left" in log) == (ended[1][0] == 200)
        assert ended[0] in ((201, "ok"), (409, "stale-head"))
        check(any_hall, game)


def test_the_end_of_a_table_and_the_last_join(any_hall: Harness):
    """Either it starts or it ends; a join that came first puts off the end."""
    host, last = any_hall.player(0), any_hall.player(1)
    for _ in range(ROUNDS):
        game = table(host)
        assert host.join(game, 0).status_code == 201
        any_hall.clock.forward(days=14)
        ended = together(joins(last, game, 1), lambda game=game: write.end_unstarted(any_hall.services, game))
        log = kinds(any_hall, game)
        assert ("started" in log, "cancelled" in log) == ((True, False) if ended[0][0] == 201 else (False, True))
        check(any_hall, game)


def test_a_host_who_passes_the_table_on_while_removing_a_player(any_hall: Harness):
    """Whichever is first; a former host removes nobody."""
    host, heir, guest = (any_hall.player(number) for number in range(3))
    for _ in range(ROUNDS):
        game = table(host, 4)
        assert heir.join(game, 1).status_code == 201
        assert guest.join(game, 2).status_code == 201
        passes = sends(host, "post", f"/v1/games/{game}/host", {"seat": 1})
        ended = together(passes, sends(host, "delete", f"/v1/games/{game}/seats/2?since=2"))
        assert ended[0] == (200, "ok")
        with any_hall.services.database.read() as session:
            still = session.scalar(sa.select(Seat.seat).where(Seat.game_id == game, Seat.seat == 2))
        assert ended[1] == ((403, "not-host") if still is not None else (200, "ok"))
        assert sends(host, "delete", f"/v1/games/{game}/seats/1?since=1")() == (403, "not-host")


def test_two_players_get_ready_at_once(any_hall: Harness):
    """The game starts once."""
    people = [any_hall.player(number) for number in range(2)]
    for _ in range(ROUNDS):
        game = table(people[0], start="ready")
        for seat, player in enumerate(people):
            assert player.join(game, seat).status_code == 201
        path = f"/v1/games/{game}/ready"
        together(*(sends(player, "put", path, {"ready": True}) for player in people))
        assert kinds(any_hall, game).count("started") == 1


def test_an_invitation_is_taken_declined_and_expires_at_once(any_hall: Harness):
    """One of them happens; a player who sat down has not declined, and the seat is never kept and free."""
    host, guest = any_hall.player(0), any_hall.player(1)
    handle = guest.get("/me").get_json()["handle"]
    for number in range(ROUNDS):
        game = table(host, 3, door="invited")
        place = host.post(f"/games/{game}/invitations", {"to": handle, "seat": 1}).get_json()["id"]
        declines = sends(guest, "post", f"/v1/me/invitations/{place}/decline", {})
        any_hall.clock.forward(days=14 if number % 2 else 1)
        ended = together(joins(guest, game, 1), declines, lambda: close_old(any_hall.services))
        with any_hall.services.database.read() as session:
            found = session.get_one(Place, place)
            seated = session.scalar(sa.select(Seat.seat).where(Seat.game_id == game))
        if number % 2:
            assert (ended[0], found.state) in (((403, "by-invitation"), "over"), ((403, "by-invitation"), "declined"))
        else:
            assert (ended[0][0] == 201) == (seated == 1) == (found.state == "sat")
            assert found.state in ("sat", "declined")
        any_hall.clock.forward(days=1)


def test_two_house_players_invited_at_once_do_not_pass_the_limit_together(
    each_hall: Harness, monkeypatch: pytest.MonkeyPatch
):
    """To two tables of one account, which share no lock of a game."""
    monkeypatch.setattr(places, "MOST_HOUSE_TABLES", 1)
    host = each_hall.player(0)
    for name in ("Ada", "Bob", "Cy"):
        bots.create_house(each_hall.services, BY, name, "fair")
    for _ in range(ROUNDS):
        two = [table(host) for _ in range(2)]
        wish = {"seat": 1, "level": "fair"}
        ended = together(*(sends(host, "post", f"/v1/games/{game}/house", wish) for game in two))
        assert sorted(ended) == [(201, "ok"), (409, "too-many")]
        for game in two:
            assert host.post(f"/games/{game}/cancel").status_code == 201


def test_tables_with_a_stand_in_that_lose_a_player_at_once_count_together(
    each_hall: Harness, monkeypatch: pytest.MonkeyPatch
):
    """One of them gets a house player, where the account that opened both has room for one."""
    monkeypatch.setattr(places, "MOST_HOUSE_TABLES", 1)
    people = [each_hall.player(number) for number in range(2)]
    for name in ("Ada", "Bob"):
        bots.create_house(each_hall.services, BY, name, "fair")
    clock = {"move": 60, "grace": 60, "missed": 1}
    for _ in range(ROUNDS):
        two = [each_hall.game("pig", people, clock=clock, stand_in="fair") for _ in range(2)]
        owing = [each_hall.client.get(f"/v1/games/{game}").get_json()["active"][0] for game in two]
        each_hall.clock.forward(days=1)
        late = zip(two, owing, strict=True)
        assert all(together(*(partial(expire, each_hall.services, *one) for one in late)))
        with each_hall.services.database.write() as session:
            kept = sa.select(Place.game_id).where(Place.game_id.in_(two), Place.kind == "house", Place.state == "asked")
            assert len(session.scalars(kept).all()) == 1
            session.execute(sa.update(Game).where(Game.id.in_(two)).values(status="cancelled"))
