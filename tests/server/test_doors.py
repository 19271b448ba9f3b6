"""What only a seat may know, when the seat changes hands: on every route it ends for the old holder and begins for the
new one, with the very entry that gives them the seat."""

import json

import pytest
import sqlalchemy as sa

from server.kernel import secrets
from tests.server.harness import MASTER, Harness, Player
from tests.server.test_seats import BID, code, running

SECRETS = ("view", "picture", "legal", "preview", "openings")


@pytest.fixture
def people(hall: Harness) -> list[Player]:
    """Ada and Ben play, Cy comes."""
    return [hall.player(number) for number in range(3)]


@pytest.fixture
def handed(hall: Harness, people: list[Player]) -> str:
    """Ben has sealed a bid and one more, offered the seat, and Cy has taken it."""
    game = running(hall, people)
    people[0].move(game, BID)
    people[1].move(game, [{"do": "bid", "amount": 2}])
    people[1].move(game, [{"do": "bid", "amount": 3}])
    people[1].offer(game)
    assert people[2].take(game, 1).status_code == 201
    return game


def favourite(hall: Harness, game: str, seat: int) -> str:
    return hall.services.tables.cached(game).state.bidders[seat].favourite


def door(player: Player, game: str, name: str):
    if name == "preview":
        return player.post(f"/games/{game}/preview", {"commands": BID})
    return player.get(f"/games/{game}/{name}")


@pytest.mark.parametrize("name", ["legal", "preview", "openings"])
def test_requests_that_need_a_seat_are_refused_to_former_holders(hall: Harness, people, handed: str, name: str):
    """The old holder is a stranger, and the new one is at home."""
    assert code(door(people[1], handed, name)) == (403, "no-seat")
    assert door(people[2], handed, name).status_code == 200


def test_the_view_of_the_old_holder_is_anybodys(hall: Harness, people, handed: str):
    """Value for value and tag for tag; the new one sees the seat's secrets."""
    old, anybody = people[1].get(f"/games/{handed}/view"), hall.client.get(f"/v1/games/{handed}/view")
    assert old.get_json() == anybody.get_json()
    assert old.headers["ETag"] == anybody.headers["ETag"]
    new = people[2].get(f"/games/{handed}/view").get_json()
    assert new["seat"] == 1
    assert new["view"]["bidders"][1]["favourite"] == favourite(hall, handed, 1)
    assert old.get_json()["view"]["bidders"][1]["favourite"] is None


def test_the_picture_of_the_old_holder_is_anybodys(hall: Harness, people, handed: str):
    """The same bytes and the same tag, and nothing says private."""
    old, anybody = people[1].get(f"/games/{handed}/picture"), hall.client.get(f"/v1/games/{handed}/picture")
    assert (old.get_data(), old.headers["ETag"]) == (anybody.get_data(), anybody.headers["ETag"])
    assert people[2].get(f"/games/{handed}/picture").headers["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("name", ["view", "picture", "legal", "openings"])
def test_a_tag_of_before_is_good_for_nothing(hall: Harness, people, name: str):
    """Neither the tag that the old holder has, nor one made from the head and the seat."""
    game = running(hall, people)
    had = people[1].get(f"/games/{game}/{name}").headers["ETag"]
    people[1].offer(game)
    people[2].take(game, 1)
    head = hall.client.get(f"/v1/games/{game}").get_json()["head"]["hash"]
    for tag in (had, f'"{head}.1"'):
        answer = people[1].get(f"/games/{game}/{name}", headers={"If-None-Match": tag})
        anybodys = hall.client.get(f"/v1/games/{game}/{name}")
        if name in ("legal", "openings"):
            assert answer.status_code == 403
        elif tag == anybodys.headers["ETag"]:  # Ben's own picture was public
            assert answer.status_code == 304
        else:
            assert (answer.status_code, answer.get_data()) == (200, anybodys.get_data())
    now = people[2].get(f"/games/{game}/{name}")
    assert people[2].get(f"/games/{game}/{name}", headers={"If-None-Match": now.headers["ETag"]}).status_code == 304


def test_the_new_holder_reads_the_seats_openings_from_the_beginning(hall: Harness, people, handed: str):
    """Its events, which the seals in the log bear out: what it was dealt and what it bid."""
    from engine.record.compose.decision import seal
    from engine.record.encoding import canonical
    from engine.record.log.entry import read_entry

    lines = hall.client.get(f"/v1/games/{handed}/log").get_json()["entries"]
    openings = people[2].get(f"/games/{handed}/openings").get_json()
    for opening in openings:
        salt = canonical.from_base64url(opening["salt"], 32)
        entry = read_entry(lines[opening["seq"]].encode())
        assert seal(salt, opening["events"]) == entry.body["seals"][1]
    told = [event for opening in openings for event in opening["events"]]
    assert {"is": "FavouriteDealt", "seat": 1, "colour": favourite(hall, handed, 1)} in told
    assert [event["amount"] for event in told if event["is"] == "BidSealed" and event["seat"] == 1] == [2, 3]
    assert [event["amount"] for event in told if event["is"] == "BidSealed" and event["seat"] == 0] == [None]


def test_how_far_a_move_went_is_told_to_its_own_holder_alone(hall: Harness, people, handed: str):
    """Not to a later holder; neither of them learns anything of the text of a sealed move."""
    people[0].move(handed, BID)
    people[2].move(handed, [{"do": "bid", "amount": 1}])
    openings = people[2].get(f"/games/{handed}/openings").get_json()
    taken = hall.client.get(f"/v1/games/{handed}").get_json()["seats"][1]["since"]
    assert [opening["done"] for opening in openings if opening["seq"] < taken] == [None] * 4
    assert [opening["done"] for opening in openings if opening["seq"] > taken] == [None, 1]
    assert "salt\\" not in json.dumps(openings)


def test_turns_are_the_new_holders(hall: Harness, people):
    """From the entry on, and only while the seat owes a move."""
    game = running(hall, people)
    people[1].offer(game)
    assert [turn["game"] for turn in people[1].get("/me/turns").get_json()] == [game]
    people[2].take(game, 1)
    assert people[1].get("/me/turns").get_json() == []
    assert [(turn["game"], turn["seat"]) for turn in people[2].get("/me/turns").get_json()] == [(game, 1)]


def test_an_absent_holder_is_shut_out_like_one_who_offered(hall: Harness, people):
    """The absent holder cannot read anything that happened since."""
    from tests.server.test_seats import make_absent

    game = running(hall, people)
    make_absent(hall, game, people[0])
    assert people[1].get(f"/games/{game}/view").get_json()["seat"] == 1
    people[2].take(game, 1)
    for name in ("legal", "preview", "openings"):
        assert code(door(people[1], game, name)) == (403, "no-seat")
    assert people[1].get(f"/games/{game}/view").get_json()["seat"] is None


def test_the_link_in_an_old_mail_stops_nobody_elses_mail(hall: Harness, people, handed: str):
    """The old link is dead by GET and by POST; the new holder's own works."""
    from server.kernel.db.models import Seat

    old, since = f"/u/{secrets.unsubscribe_token(MASTER, handed, 1, 2)}", 0
    for answer in (hall.client.get(old), hall.client.post(old), hall.client.post(old, data={"again": "yes"})):
        assert answer.status_code == 410
    with hall.services.database.read() as session:
        held = session.get_one(Seat, (handed, 1))
        assert (held.muted, since := held.since_seq)[0] is False
    assert hall.client.post(f"/u/{secrets.unsubscribe_token(MASTER, handed, 1, since)}").status_code == 200
    with hall.services.database.read() as session:
        assert session.get_one(Seat, (handed, 1)).muted is True


def test_a_mute_does_not_pass_to_the_next_holder(hall: Harness, people):
    """The wish was the old holder's."""
    from server.kernel.db.models import Seat

    game = running(hall, people)
    hall.client.post(f"/u/{secrets.unsubscribe_token(MASTER, game, 1, 2)}")
    people[1].offer(game)
    people[2].take(game, 1)
    with hall.services.database.read() as session:
        assert session.get_one(Seat, (game, 1)).muted is False


@pytest.mark.parametrize("name", SECRETS)
def test_a_former_holder_who_takes_the_seat_back_has_its_secrets_again(hall: Harness, people, handed: str, name: str):
    """The holder in between has no access any more."""
    people[2].offer(handed)
    people[1].new_key("Ben's second")
    assert people[1].take(handed, 1).status_code == 201
    assert door(people[1], handed, name).status_code == 200
    assert people[1].get(f"/games/{handed}/view").get_json()["seat"] == 1
    assert people[2].get(f"/games/{handed}/view").get_json()["seat"] is None


def test_a_look_from_before_the_take_shows_the_seat_to_nobody_new(hall: Harness, people, handed: str):
    """A player who came with a later entry than this look has no access through it."""
    from server.kernel.db.models import Seat

    with hall.services.database.write() as session:
        later = hall.head(handed)[0]
        session.execute(sa.update(Seat).where(Seat.game_id == handed, Seat.seat == 1).values(since_seq=later))
    assert code(door(people[2], handed, "openings")) == (403, "no-seat")
    assert people[2].get(f"/games/{handed}/view").get_json()["seat"] is None


def test_a_process_that_remembers_the_table_asks_the_store_whose_seat_it_is(open_house, any_hall: Harness):
    """The take went through another process, and this one has not heard of it."""
    players = [any_hall.player(number) for number in range(3)]
    game = running(any_hall, players)
    other = open_house(any_hall.services.settings.database_url)
    assert other.client.get(f"/v1/games/{game}/openings", headers=players[1].auth).status_code == 200
    players[1].offer(game)
    assert players[2].take(game, 1).status_code == 201
    for name in ("legal", "openings"):
        assert other.client.get(f"/v1/games/{game}/{name}", headers=players[1].auth).status_code == 403
        assert other.client.get(f"/v1/games/{game}/{name}", headers=players[2].auth).status_code == 200
