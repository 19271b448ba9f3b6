"""Seats that are offered, withdrawn and taken over: permissions, public entries, and the holder afterwards."""

import json

import pytest
import sqlalchemy as sa

from engine.record.signed import keys
from server.kernel.db.models import Account, Entry, FormerHolder, Seat
from server.play.write import expire
from tests.server.harness import Harness, Player

CLOCK = {"move": 600, "bank": 3600, "grace": 300}
BID = [{"do": "bid", "amount": 1}]
PASS = [{"do": "bid", "amount": 0}]


@pytest.fixture
def people(hall: Harness) -> list[Player]:
    """Ada, Ben and Cy; two of them play."""
    return [hall.player(number) for number in range(3)]


def running(hall: Harness, players: list[Player], **wish) -> str:
    return hall.game("bids", players[:2], **{"clock": CLOCK, "options": {"lots": 9}, **wish})


def make_absent(hall: Harness, game: str, other: Player) -> None:
    """Seat 1 misses two turns and owes a bid again."""
    for _ in range(2):
        assert other.move(game, PASS).status_code == 201
        hall.clock.forward(days=1)
        assert expire(hall.services, game, 1)
    assert other.move(game, PASS).status_code == 201


def shown(hall: Harness, game: str, seat: int = 1) -> dict:
    return hall.client.get(f"/v1/games/{game}").get_json()["seats"][seat]


def standing(hall: Harness, game: str, seat: int = 1) -> tuple[bool, ...]:
    return tuple(shown(hall, game, seat)[name] for name in ("open", "absent", "free"))


def code(answer) -> tuple[int, str]:
    return answer.status_code, answer.get_json().get("code", "")


def size(hall: Harness, game: str) -> int:
    return hall.head(game)[0]


def holders(hall: Harness, game: str) -> list[tuple[int, int | None]]:
    with hall.services.database.read() as session:
        asked = sa.select(Seat.seat, Seat.account_id).where(Seat.game_id == game).order_by(Seat.seat)
        return [(seat, account) for seat, account in session.execute(asked)]


# --- offering -------------------------------------------------------------------------------------------------------


def test_an_offered_seat_is_public(hall: Harness, people: list[Player]):
    """In the game, in the lists, among turns; and nowhere once it is withdrawn."""
    game = running(hall, people)
    assert people[1].offer(game).status_code == 201
    assert standing(hall, game) == (True, False, True)
    assert hall.client.get("/v1/games").get_json()["games"][0]["free_seats"] == [1]
    assert people[1].get("/me/turns").get_json()[0]["open"] is True
    assert people[1].offer(game, is_open=False).status_code == 201
    assert standing(hall, game) == (False, False, False)
    assert hall.client.get("/v1/games").get_json()["games"][0]["free_seats"] == []
    assert people[1].get("/me/turns").get_json()[0]["open"] is False


def test_an_offering_player_plays_on_until_somebody_takes_the_seat(hall: Harness, people: list[Player]):
    """An offer alone changes nothing."""
    game = running(hall, people)
    people[1].offer(game)
    assert people[1].move(game, BID).status_code == 201
    assert standing(hall, game) == (True, False, True)


@pytest.mark.parametrize("handover", ["none", "absent"])
def test_offers_are_refused_if_the_table_does_not_allow_them(hall: Harness, people: list[Player], handover: str):
    """The creator chose so, and entry 0 shows it."""
    game = running(hall, people, handover=handover)
    before = size(hall, game)
    refused = people[1].offer(game)
    assert code(refused) == (409, "no-handover")
    assert refused.get_json()["facts"] == {"handover": handover}
    assert size(hall, game) == before


def test_an_offer_that_changes_nothing_is_refused(hall: Harness, people: list[Player]):
    """Offered twice, or withdrawn when neither offered nor absent."""
    game = running(hall, people)
    assert code(people[1].offer(game, is_open=False)) == (409, "same-offer")
    people[1].offer(game)
    before = size(hall, game)
    assert code(people[1].offer(game)) == (409, "same-offer")
    assert size(hall, game) == before


def test_offers_and_takes_need_a_running_game(hall: Harness, people: list[Player]):
    """Before and after, the refusal says what is expected."""
    game = people[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"]
    people[0].join(game, 0)
    early = people[0].offer(game)
    assert code(early) == (409, "not-started")
    assert early.get_json()["facts"] == {"stage": "lobby", "expected": "running"}
    assert code(people[2].take(game, 0)) == (409, "not-started")
    people[1].join(game, 1)
    hall.play_out(game, people[:2])
    late = people[0].offer(game)
    assert (code(late), late.get_json()["facts"]) == ((410, "game-over"), {"stage": "finished"})
    assert code(people[2].take(game, 0)) == (410, "game-over")
    assert standing(hall, game, 0) == (False, False, False)


# --- taking ---------------------------------------------------------------------------------------------------------


def test_an_offered_seat_keeps_its_time_when_it_is_taken(any_hall: Harness):
    """Bank and stretch go on; the offer and the absence end; the new holder plays, the old one does not."""
    players = [any_hall.player(number) for number in range(3)]
    game = running(any_hall, players)
    players[1].offer(game)
    before = any_hall.client.get(f"/v1/games/{game}").get_json()
    any_hall.clock.forward(seconds=60)
    taken = players[2].take(game, 1)
    after = any_hall.client.get(f"/v1/games/{game}").get_json()
    entry = json.loads(taken.get_json()["entry"])
    assert (taken.status_code, entry["kind"], entry["seat"], entry["bot"]) == (201, "taken", 1, False)
    assert after["deadlines"] == before["deadlines"]
    assert after["seats"][1] == before["seats"][1] | {
        "name": "Player 2", "handle": players[2].get("/me").get_json()["handle"], "kid": players[2].kid,
        "since": entry["seq"], "open": False, "free": False,
    }  # fmt: skip
    assert code(players[1].move(game, BID)) == (401, "dropped-key")
    assert players[2].move(game, BID).status_code == 201


def test_an_absent_seat_gets_a_full_clock_when_it_is_taken(any_hall: Harness):
    """The bank of the start, and the whole time of a turn."""
    players = [any_hall.player(number) for number in range(3)]
    game = running(any_hall, players)
    make_absent(any_hall, game, players[0])
    assert standing(any_hall, game) == (False, True, True)
    assert shown(any_hall, game)["bank"] == 0
    any_hall.clock.forward(seconds=200)
    assert players[2].take(game, 1).status_code == 201
    assert (*standing(any_hall, game), shown(any_hall, game)["bank"]) == (False, False, False, 3600)
    due = next(d for d in any_hall.client.get(f"/v1/games/{game}").get_json()["deadlines"] if d["seat"] == 1)
    assert due["since"] == any_hall.clock().strftime("%Y-%m-%dT%H:%M:%SZ")
    any_hall.clock.forward(seconds=600 + 3600 + 299)
    assert expire(any_hall.services, game, 1) is False


@pytest.mark.parametrize(
    ("handover", "offered", "absent"), [("none", False, True), ("offer", False, True), ("absent", False, False)]
)
def test_only_a_free_seat_can_be_taken(hall: Harness, people: list[Player], handover, offered, absent):
    """The refusal names the ways of this table's handover; the log and the seats stay the same."""
    game = running(hall, people, handover=handover)
    if absent:
        make_absent(hall, game, people[0])
    before, held = size(hall, game), holders(hall, game)
    refused = people[2].take(game, 1)
    assert code(refused) == (409, "not-free")
    assert refused.get_json()["facts"] == {"seat": 1, "handover": handover, "absent": absent}
    assert standing(hall, game)[2] is False
    assert (size(hall, game), holders(hall, game)) == (before, held)


def test_a_resigned_seat_never_changes_hands(hall: Harness):
    """Even if it was offered: resigning withdraws the offer."""
    players = [hall.player(number) for number in range(4)]
    game = hall.game("bids", players[:3], clock=CLOCK)
    players[1].offer(game)
    players[1].resign(game)
    assert standing(hall, game) == (False, False, False)
    assert code(players[3].take(game, 1)) == (409, "already-resigned")
    assert code(players[1].offer(game)) == (409, "already-resigned")


def test_a_take_needs_a_registered_key_and_an_account_without_a_seat(hall: Harness, people: list[Player]):
    """An unregistered key is refused, and so is a key other than the one in the act."""
    game = running(hall, people)
    people[1].offer(game)
    held, before = holders(hall, game), size(hall, game)
    stranger = Player(hall, 9, bytes(range(32)), "", 0)
    assert code(stranger.take(game, 1)) == (403, "unregistered-key")
    assert code(people[1].take(game, 1)) == (409, "already-seated")
    other = keys.sign_jws(bytes(range(32)), people[2].payload(game, "take", seat=1, **people[2].holder()))
    assert code(people[2].act(game, "take", other)) == (422, "wrong-key")
    assert (holders(hall, game), size(hall, game)) == (held, before)


# --- one account, one seat ------------------------------------------------------------------------------------------


def test_an_account_with_a_seat_cannot_take_another(hall: Harness, people: list[Player]):
    """Nor its own again, with any of its keys."""
    game = running(hall, people)
    people[1].offer(game)
    for player in people[:2]:
        before = holders(hall, game)
        player.new_key(f"second {player.number}")
        refused = player.take(game, 1)
        assert code(refused) == (409, "already-seated")
        assert refused.get_json()["facts"] == {"seat": player.number}
        assert holders(hall, game) == before


def test_a_former_holder_may_take_back_only_their_own_seat(hall: Harness):
    """They know its secrets; another seat would add to them."""
    players = [hall.player(number) for number in range(3)]
    game = running(hall, players)
    players[1].offer(game)
    assert players[2].take(game, 1).status_code == 201
    players[0].offer(game)
    refused = players[1].take(game, 0)
    assert code(refused) == (403, "held-another-seat")
    assert refused.get_json()["facts"] == {"held": 1, "seat": 0}
    players[2].offer(game)
    assert players[1].take(game, 1).status_code == 201
    with hall.services.database.read() as session:
        former = session.execute(
            sa.select(FormerHolder.seat, FormerHolder.account_id, FormerHolder.ended).order_by(FormerHolder.until_seq)
        )
        assert [tuple(row) for row in former] == [(1, players[1].account, "offer"), (1, players[2].account, "offer")]


def test_after_leaving_in_the_lobby_a_player_may_take_another_seat(hall: Harness, people: list[Player]):
    """Before the start no seat has secrets."""
    wish = {"type": "bids", "seats": 2, "options": {"lots": 9}, "offer_wait": 0}
    game = people[0].post("/games", wish).get_json()["id"]
    people[2].join(game, 0)
    assert people[2].leave(game).status_code == 201
    people[0].join(game, 0)
    people[1].join(game, 1)
    people[1].offer(game)
    people[2].new_key("Cy's second")
    assert people[2].take(game, 1).status_code == 201


def test_the_database_refuses_a_second_seat_for_an_account(any_hall: Harness):
    """Even if a process has an outdated copy."""
    from sqlalchemy.exc import IntegrityError

    players = [any_hall.player(number) for number in range(2)]
    game = running(any_hall, players)
    held = holders(any_hall, game)
    with pytest.raises(IntegrityError), any_hall.services.database.write() as session:
        session.execute(sa.update(Seat).where(Seat.game_id == game).values(account_id=players[0].account))
    assert holders(any_hall, game) == held


# --- what is told ---------------------------------------------------------------------------------------------------


def test_lists_name_the_seats_that_may_be_taken(hall: Harness, people: list[Player]):
    """Empty ones before the start, offered and absent ones after it, none at the end."""
    lobby = people[0].post("/games", {"type": "bids", "seats": 3}).get_json()["id"]
    people[1].join(lobby, 1)
    game = running(hall, people)
    make_absent(hall, game, people[0])
    people[0].offer(game)
    over = hall.game("bids", people[:2], options={"lots": 1})
    people[0].offer(over)
    hall.play_out(over, people[:2])
    listed = {one["id"]: one["free_seats"] for one in hall.client.get("/v1/games").get_json()["games"]}
    assert listed == {lobby: [0, 2], game: [0, 1], over: []}
    assert [shown(hall, lobby, seat)["free"] for seat in range(3)] == [True, False, True]


def test_a_bot_that_takes_a_seat_is_marked_as_bot(hall: Harness, people: list[Player]):
    """In its signed act, in the entry and in the game."""
    game = running(hall, people)
    people[1].offer(game)
    with hall.services.database.write() as session:
        session.get_one(Account, people[2].account).bot = True
    signed = people[2].sign(people[2].payload(game, "take", seat=1, **people[2].holder() | {"bot": True}))
    assert json.loads(people[2].act(game, "take", signed).get_json()["entry"])["bot"] is True
    assert shown(hall, game)["bot"] is True


def test_a_repeated_take_gets_the_same_answer_and_no_second_effect(any_hall: Harness):
    """Even after somebody else has taken the seat."""
    players = [any_hall.player(number) for number in range(4)]
    game = running(any_hall, players)
    players[1].offer(game)
    body = players[2].sign(players[2].payload(game, "take", seat=1, **players[2].holder()))
    first = players[2].act(game, "take", body)
    players[2].seat = 1
    players[2].offer(game)
    assert players[3].take(game, 1).status_code == 201
    held, before = holders(any_hall, game), size(any_hall, game)
    again = players[2].act(game, "take", body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.get_data() == first.get_data()
    assert (holders(any_hall, game), size(any_hall, game)) == (held, before)


def test_every_holder_can_be_traced_from_the_store(hall: Harness, people: list[Player]):
    """From when until when each held the seat."""
    game = running(hall, people)
    people[1].offer(game)
    people[2].take(game, 1)
    with hall.services.database.read() as session:
        now = session.get_one(Seat, (game, 1))
        (before,) = session.scalars(sa.select(FormerHolder).where(FormerHolder.game_id == game))
        kind = session.get_one(Entry, (game, now.since_seq)).kind
    assert (kind, before.until_seq, before.since_seq) == ("taken", now.since_seq, 2)
