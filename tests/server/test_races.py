"""Two acts at the same moment, on both databases: one is first, the other is refused, and nothing accepted is lost.

Each round sends both acts, signed on one head, from threads with connections of their own. Whichever wins, every
entry that was answered with 201 is in the log as it was answered, the same bytes again give the same answer, and
the log audits.
"""

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import sqlalchemy as sa

from engine.record.audit import audit
from engine.record.signed import keys
from server.kernel.db.models import Seat
from server.play.write import expire
from server.tables.write import grant_as_operator
from tests.server.harness import BY, Harness, Player, seed_of
from tests.server.test_tricks import RECOVERY

CLOCK = {"move": 600, "bank": 0, "grace": 300}
ROUNDS = 5
PASS = [{"do": "bid", "amount": 0}]

Sent = tuple[str, dict[str, str]]  # the last part of the address, and the body


@pytest.fixture
def people(any_hall: Harness) -> list[Player]:
    """Ada and Ben play; Cy and Dee come."""
    return [any_hall.player(number) for number in range(4)]


def games(hall: Harness, people: list[Player], *, absent: bool = False, recovery: bytes | None = None) -> Iterator[str]:
    """A new game for every round, in which seat 1 owes a bid; on request the seat is absent and its time over."""
    for number in range(ROUNDS):
        for player in people:
            player.seed = seed_of(str(player.number))
        people[0].seat, people[1].seat = 0, 1
        game = hall.game("bids", people[:2], clock=CLOCK, options={"lots": 9}, recovery=recovery)
        if absent:
            for _ in range(2):
                assert people[0].move(game, PASS).status_code == 201
                hall.clock.forward(hours=1)
                assert expire(hall.services, game, 1)
            assert people[0].move(game, PASS).status_code == 201
            hall.clock.forward(hours=1)
        yield game
        check_whole(hall, game, number)


def check_whole(hall: Harness, game: str, number: int) -> None:
    """The log can be audited, and no account has two seats."""
    report = audit(hall.client.get(f"/v1/games/{game}/bundle").get_data())
    assert report.verdict == "open", (number, report.text())
    with hall.services.database.read() as session:
        held = session.scalars(sa.select(Seat.account_id).where(Seat.game_id == game)).all()
    assert len(set(held)) == len(held)


def together(*calls: Callable[[], object]) -> list[object]:
    """Run all at the same moment; returns the results."""
    ready = threading.Barrier(len(calls))

    def run(call: Callable[[], object]) -> object:
        ready.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def post(hall: Harness, game: str, sent: Sent) -> Callable[[], tuple[int, dict]]:
    def call() -> tuple[int, dict]:
        answer = hall.app.test_client().post(f"/v1/games/{game}/{sent[0]}", json=sent[1])
        return answer.status_code, answer.get_json()

    return call


def race(hall: Harness, game: str, *sent: Sent) -> list[str]:
    """The result of each act: `ok`, or the code. Accepted acts stay logged."""
    answers = together(*(post(hall, game, one) for one in sent))
    check_kept(hall, game, sent, answers)
    return ["ok" if status == 201 else body["code"] for status, body in answers]


def check_kept(hall: Harness, game: str, sent, answers) -> None:
    log = hall.client.get(f"/v1/games/{game}/log").get_json()["entries"]
    for one, (status, body) in zip(sent, answers, strict=True):
        if status == 201:
            assert log[json.loads(body["entry"])["seq"]] == body["entry"]
            assert post(hall, game, one)() == (200, body)


def take(player: Player, game: str, seat: int = 1) -> Sent:
    return "take", {"jws": player.sign(player.payload(game, "take", seat=seat, **player.holder()))}


def key_act(player: Player, game: str, by: bytes, **change: Any) -> Sent:
    kind = "key" if {"add", "drop"} & change.keys() else "replace_keys"
    return "keys", {"jws": keys.sign_jws(by, player.payload(game, kind, **change))}


def offer(player: Player, game: str, *, is_open: bool) -> Sent:
    return "offer", {"jws": player.sign(player.payload(game, "offer", open_=is_open))}


@pytest.mark.slow
def test_take_and_move(any_hall: Harness, people: list[Player]):
    """A move that came first stands, and the seat is taken after it; one that came second is refused."""
    for game in games(any_hall, people):
        people[1].offer(game)
        ended = race(any_hall, game, take(people[2], game), ("moves", people[1].signed_move(game, PASS)))
        assert ended in (["ok", "dropped-key"], ["stale-head", "ok"])
        if ended[0] != "ok":
            assert people[2].take(game, 1).status_code == 201
        assert any_hall.client.get(f"/v1/games/{game}").get_json()["seats"][1]["kid"] == people[2].kid


@pytest.mark.slow
def test_take_and_expiry(any_hall: Harness, people: list[Player]):
    """If the take is first, time starts again and the server plays nothing; otherwise the seat is taken afterwards."""
    for game in games(any_hall, people, absent=True):
        act = post(any_hall, game, take(people[2], game))
        (status, body), played = together(act, lambda game=game: expire(any_hall.services, game, 1))
        assert (status, played) in ((201, False), (409, True))
        if status == 409:
            assert body["code"] == "stale-head"
            assert people[2].take(game, 1).status_code == 201
        assert any_hall.client.get(f"/v1/games/{game}").get_json()["seats"][1]["absent"] is False


@pytest.mark.slow
def test_offer_and_take(any_hall: Harness, people: list[Player]):
    """A player who withdraws the offer first keeps the seat; otherwise they lose it."""
    for game in games(any_hall, people, absent=True):
        ended = race(any_hall, game, offer(people[1], game, is_open=False), take(people[2], game))
        assert ended in (["ok", "stale-head"], ["dropped-key", "ok"])
        if ended[0] == "ok":
            assert people[2].take(game, 1).get_json()["code"] == "not-free"
        holder = people[1] if ended[0] == "ok" else people[2]
        assert any_hall.client.get(f"/v1/games/{game}").get_json()["seats"][1]["kid"] == holder.kid


@pytest.mark.slow
def test_two_takers(any_hall: Harness, people: list[Player]):
    """One gets the seat; the other is refused."""
    for game in games(any_hall, people):
        people[1].offer(game)
        ended = race(any_hall, game, take(people[2], game), take(people[3], game))
        assert sorted(ended) == ["ok", "stale-head"]
        loser = people[2 + ended.index("stale-head")]
        assert loser.take(game, 1).get_json()["code"] == "not-free"


@pytest.mark.slow
def test_key_drop_and_move(any_hall: Harness, people: list[Player]):
    """A move signed before the key was dropped stands; one after it is refused."""
    for game in games(any_hall, people):
        spare = seed_of("spare")
        assert people[1].rekey(game, add=keys.jwk(keys.public_of(spare))).status_code == 201
        drop = keys.sign_jws(spare, people[1].payload(game, "key", drop=people[1].kid))
        ended = race(any_hall, game, ("keys", {"jws": drop}), ("moves", people[1].signed_move(game, PASS)))
        assert ended in (["ok", "dropped-key"], ["stale-head", "ok"])


def act_of_the_stolen_key(act: str, owner: Player, ally: Player, game: str) -> Sent:
    """An act by a thief with the owner's device key and a friend."""
    change = {"add": keys.jwk(keys.public_of(seed_of("thief's")))}
    if act == "drop":
        change = {"drop": keys.thumbprint(keys.public_of(seed_of("spare")))}
    return {
        "add": lambda: key_act(owner, game, owner.seed, **change),
        "drop": lambda: key_act(owner, game, owner.seed, **change),
        "offer": lambda: offer(owner, game, is_open=True),
        "move": lambda: ("moves", owner.signed_move(game, PASS)),
        "take": lambda: take(ally, game),
    }[act]()


@pytest.mark.slow
@pytest.mark.parametrize("act", ["add", "drop", "offer", "move", "take"])
def test_replacing_the_keys_and_an_act_of_the_stolen_one(any_hall: Harness, people: list[Player], act: str):
    """Whichever comes first, the owner replaces the keys, and the stolen key no longer signs.

    Only a take that came first keeps the seat: here an offer does not wait.
    """
    owner, spare, fresh = people[1], seed_of("spare"), [keys.jwk(keys.public_of(seed_of("fresh")))]
    for game in games(any_hall, people, recovery=RECOVERY):
        assert owner.rekey(game, add=keys.jwk(keys.public_of(spare))).status_code == 201
        if act == "take":
            owner.offer(game)
        thief = act_of_the_stolen_key(act, owner, people[2], game)
        ended = race(any_hall, game, key_act(owner, game, RECOVERY, only=fresh, recovery=None), thief)
        assert ended in (["ok", "dropped-key"], ["ok", "stale-head"], ["dropped-key", "ok"], ["stale-head", "ok"])
        again = owner.rekey(game, by=RECOVERY, only=fresh, recovery=None)
        seat = any_hall.client.get(f"/v1/games/{game}").get_json()["seats"][1]
        if act == "take" and ended[1] == "ok":
            assert (again.status_code, seat["kid"]) == (401, people[2].kid)
            continue
        assert (again.status_code, seat["open"]) == (201, False)
        assert owner.offer(game).get_json()["code"] == "dropped-key"
        if act == "take":
            assert people[2].take(game, 1).get_json()["code"] == "not-free"


@pytest.mark.slow
def test_grant_and_expiry(any_hall: Harness, people: list[Player]):
    """If time is granted first, nothing is due; otherwise nobody owes a move to be given time for."""
    from engine.errors import Refused

    def grant(game: str) -> str:
        try:
            grant_as_operator(any_hall.services, BY, game, 3600, [1])
        except Refused as no:
            return no.code
        return "ok"

    for game in games(any_hall, people):
        people[0].move(game, PASS)
        people[1].move(game, PASS)
        people[0].move(game, PASS)
        any_hall.clock.forward(seconds=901)
        ended = together(lambda game=game: grant(game), lambda game=game: expire(any_hall.services, game, 1))
        assert ended in (["ok", False], ["nothing-owed", True])


@pytest.mark.slow
def test_one_account_at_two_seats(any_hall: Harness, people: list[Player]):
    """With a key for each it gets only one, though both were free."""
    for game in games(any_hall, people):
        people[0].offer(game)
        people[1].offer(game)
        first = take(people[2], game, 0)
        people[2].new_key(f"second {game}")
        second = take(people[2], game, 1)
        ended = race(any_hall, game, first, second)
        assert sorted(ended) == ["ok", "stale-head"]
        again = people[2].take(game, ended.index("stale-head"))
        assert again.get_json()["code"] == "already-seated"


def test_one_account_joining_twice(any_hall: Harness, people: list[Player]):
    """The same, before the start."""
    for number in range(ROUNDS):
        game = people[0].post("/games", {"type": "bids", "seats": 3}).get_json()["id"]
        sent = []
        for seat in range(2):
            people[2].new_key(f"join {number} {seat}")
            given = {"seat": seat, "nonce": people[2].nonce, **people[2].holder()}
            sent.append(("join", {"jws": people[2].sign(people[2].payload(game, "join", **given))}))
        assert sorted(race(any_hall, game, *sent)) == ["ok", "stale-head"]


PAIRS = {
    ("take", "move"): ["ok", "dropped-key"],
    ("move", "take"): ["ok", "stale-head"],
    ("take", "take"): ["ok", "stale-head"],
    ("back", "take"): ["ok", "stale-head"],
    ("take", "back"): ["ok", "dropped-key"],
    ("drop", "move"): ["ok", "dropped-key"],
    ("move", "drop"): ["ok", "stale-head"],
}


@pytest.mark.parametrize("order", PAIRS, ids=" then ".join)
def test_each_order_has_its_answer(any_hall: Harness, people: list[Player], order: tuple[str, str]):
    """The same pairs one after the other, both signed on one head: the second is refused with the reason."""
    game = any_hall.game("bids", people[:2], clock=CLOCK)
    spare = seed_of("spare")
    people[1].rekey(game, add=keys.jwk(keys.public_of(spare)))
    people[1].offer(game)
    takers = iter(people[2:])
    made = {
        "take": lambda: take(next(takers), game),
        "move": lambda: ("moves", people[1].signed_move(game, PASS)),
        "back": lambda: offer(people[1], game, is_open=False),
        "drop": lambda: ("keys", {"jws": keys.sign_jws(spare, people[1].payload(game, "key", drop=people[1].kid))}),
    }
    sent = [made[act]() for act in order]
    answers = [post(any_hall, game, one)() for one in sent]
    assert ["ok" if status == 201 else body["code"] for status, body in answers] == PAIRS[order]
    check_kept(any_hall, game, sent, answers)
    check_whole(any_hall, game, 0)


@pytest.mark.parametrize("act", ["take", "offer", "key"])
def test_the_same_act_eight_times_at_once_is_one_entry(any_hall: Harness, people: list[Player], act: str):
    """One gets 201, seven get 200, all with the same bytes."""
    game = any_hall.game("bids", people[:2], clock=CLOCK)
    if act == "take":
        people[1].offer(game)
    add = people[1].sign(people[1].payload(game, "key", add=keys.jwk(keys.public_of(seed_of("spare")))))
    sent = {
        "take": lambda: take(people[2], game),
        "offer": lambda: offer(people[1], game, is_open=True),
        "key": lambda: ("keys", {"jws": add}),
    }[act]()
    before = any_hall.head(game)[0]
    answers = together(*[post(any_hall, game, sent)] * 8)
    assert sorted(status for status, _ in answers) == [200] * 7 + [201]
    assert len({json.dumps(body) for _, body in answers}) == 1
    assert any_hall.head(game)[0] == before + 1
    check_whole(any_hall, game, 0)
