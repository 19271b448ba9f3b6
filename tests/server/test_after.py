"""After and during a game: a rematch with one press, and cancelling by consent of the people who play."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa

from engine.record.audit import audit
from server.kernel.db.models import Consent, Game, Place
from server.kernel.text import iso
from server.play.write import expire
from server.tables.after import consents
from tests.server.harness import Harness, Player
from tests.server.test_hosting import code, outbox, shown
from tests.server.test_invitations import events, received
from tests.server.test_people import block
from tests.server.test_races import together
from tests.server.test_races_before import check, kinds, sends

CLOCK = {"move": 600, "bank": 0, "grace": 300}


@pytest.fixture
def people(any_hall: Harness) -> list[Player]:
    return [any_hall.player(number) for number in range(3)]


def put(player: Player, game: str):
    return player.harness.client.put(f"/v1/games/{game}/consents/cancel", headers=player.auth)


def finished(hall: Harness, players: list[Player], **more: Any) -> str:
    game = hall.game("bids", players, **more)
    hall.play_out(game, players)
    return game


def last(hall: Harness, game: str) -> dict:
    return json.loads(hall.client.get(f"/v1/games/{game}/log").get_json()["entries"][-1])


# --- rematch ----------------------------------------------------------------------------------------------------------


def test_a_rematch_keeps_a_seat_for_everybody_who_played(any_hall: Harness, people: list[Player]):
    """With the same options and clock. The second press leads to the same table; each sits down at their own seat."""
    two, stranger = people[:2], people[2]
    old = finished(any_hall, two, options={"lots": 2}, clock=CLOCK)
    assert code(stranger.post(f"/games/{old}/rematch")) == (403, "no-seat")
    first, second = two[0].post(f"/games/{old}/rematch"), two[1].post(f"/games/{old}/rematch")
    new = first.get_json()
    assert (first.status_code, second.status_code, second.get_json()["id"]) == (201, 200, new["id"])
    was = shown(any_hall, old)
    assert all(new[name] == was[name] for name in ("type", "options", "clock", "handover", "offer_wait", "door"))
    assert [seat["kept"] for seat in new["seats"]] == ["person", "person"]
    assert code(stranger.join(new["id"], 0)) == (409, "seat-kept")
    for player in two:
        [mine] = player.get("/me/invitations").get_json()
        assert mine["kind"] == "rematch"
        assert player.join(new["id"], mine["seat"]).status_code == 201
    assert shown(any_hall, new["id"])["status"] == "running"
    assert outbox(any_hall, new["id"])[0] == "invited"
    with any_hall.services.database.read() as session:
        game = session.get_one(Game, new["id"])
        assert (game.rematch_of, game.series_id) == (old, old)


def test_a_rematch_does_not_reach_a_player_who_has_blocked_whoever_opens_it(any_hall: Harness, people: list[Player]):
    """The other players are told as always."""
    ada, ben, cy = people
    old = finished(any_hall, people)
    block(ben, ada)
    ada.post(f"/games/{old}/rematch")
    assert [events(any_hall, player).count("invited") for player in (ben, cy)] == [0, 1]
    assert [len(received(player)) for player in (ben, cy)] == [0, 1]


def test_a_rematch_has_all_the_days_of_pause_that_its_game_began_with(any_hall: Harness, people: list[Player]):
    """Also those that the host has used."""
    two = people[:2]
    old = any_hall.game("bids", two, clock=CLOCK, host_pause=5)
    until = iso(any_hall.clock() + timedelta(days=2))
    assert two[0].post(f"/games/{old}/pause", {"until": until}).status_code == 201
    any_hall.play_out(old, two)
    assert two[0].post(f"/games/{old}/rematch").get_json()["host_pause"] == 5


def test_the_host_of_a_rematch_does_not_withdraw_their_own_seat(hall: Harness):
    """The page names the seats that are kept for others."""
    players = [hall.player(number) for number in range(2)]
    browser = hall.browser()
    browser.sign_in(hall, "player0@example.org")
    page = browser.get(browser.post(f"/games/{finished(hall, players)}/rematch").location).get_data(as_text=True)
    assert page.count("Withdraw the invitation") == 1
    assert "is kept for <bdi>Player 1</bdi>" in page


def test_a_running_game_has_no_rematch(hall: Harness):
    players = [hall.player(number) for number in range(2)]
    game = hall.game("bids", players)
    assert code(players[0].post(f"/games/{game}/rematch")) == (409, "not-over")


def test_the_seats_of_a_rematch_are_free_after_a_week(any_hall: Harness, people: list[Player]):
    two, stranger = people[:2], people[2]
    new = two[0].post(f"/games/{finished(any_hall, two)}/rematch").get_json()["id"]
    any_hall.clock.forward(days=7)
    assert stranger.join(new, 0).status_code == 201


@pytest.mark.slow
def test_two_presses_at_once_open_one_rematch(any_hall: Harness, people: list[Player]):
    for _ in range(3):
        old = finished(any_hall, people[:2], options={"lots": 2})
        ended = together(*(sends(player, "post", f"/v1/games/{old}/rematch") for player in people[:2]))
        assert sorted(ended) == [(200, "ok"), (201, "ok")]
        with any_hall.services.database.read() as session:
            [new] = session.scalars(sa.select(Game.id).where(Game.rematch_of == old)).all()
            assert len(session.scalars(sa.select(Place).where(Place.game_id == new)).all()) == 2


# --- cancelling by consent --------------------------------------------------------------------------------------------


def test_a_game_is_cancelled_when_all_agree(any_hall: Harness, people: list[Player]):
    """The first wish is mailed once; a move does not end it; the record says why, and its audit holds."""
    two, stranger = people[:2], people[2]
    game = any_hall.game("bids", two)
    assert code(put(stranger, game)) == (403, "no-seat")
    for _ in range(2):
        assert put(two[0], game).get_json()["agreed"] == [0]
    assert outbox(any_hall, game).count("wish") == 1
    assert two[0].move(game, [{"do": "bid", "amount": 0}]).status_code == 201
    answer = put(two[1], game).get_json()
    assert (answer["cancelled"], shown(any_hall, game)["status"]) == (True, "cancelled")
    assert (last(any_hall, game)["kind"], last(any_hall, game)["reason"]) == ("cancelled", "agreed")
    assert code(put(two[0], game)) == (410, "game-over")
    assert shown(any_hall, game)["deadlines"] == []
    report = audit(any_hall.client.get(f"/v1/games/{game}/bundle").get_data())
    assert report.verdict == "holds", report.text()


def test_an_objection_or_a_new_player_ends_the_wish(any_hall: Harness, people: list[Player]):
    one, two, new = people
    game = any_hall.game("bids", [one, two])
    put(one, game)
    assert two.delete(f"/games/{game}/consents/cancel").status_code == 204
    assert one.get(f"/games/{game}/consents/cancel").get_json()["agreed"] == []
    put(one, game)
    two.offer(game)
    assert new.take(game, 1).status_code == 201
    assert put(new, game).get_json()["agreed"] == [1]
    assert shown(any_hall, game)["status"] == "running"


def bid(game: str, players: list[Player]) -> None:
    for player in players:
        assert player.move(game, [{"do": "bid", "amount": 0}]).status_code == 201


def absent(hall: Harness, game: str, players: list[Player], turns: int = 2) -> None:
    """The last of them misses the turns; all others bid. Two missed turns make a player absent."""
    for _ in range(turns):
        bid(game, players[:-1])
        hall.clock.forward(hours=1)
        assert expire(hall.services, game, len(players) - 1)


@pytest.mark.parametrize("agreed", [1, 2])
def test_an_absent_player_has_seven_days_to_object(any_hall: Harness, people: list[Player], agreed: int):
    """If all others have agreed the game is then cancelled; otherwise the wish is forgotten."""
    game = any_hall.game("bids", people, clock=CLOCK, options={"lots": 9})
    absent(any_hall, game, people)
    for player in people[:agreed]:
        assert put(player, game).get_json()["cancelled"] is False
    any_hall.clock.forward(days=6, hours=23)
    consents.settle(any_hall.services, game)
    assert shown(any_hall, game)["status"] == "running"
    any_hall.clock.forward(hours=1)
    with any_hall.services.database.read() as session:
        assert session.scalars(consents.due(any_hall.services.now())).all() == [game]
    for _ in range(2):
        consents.settle(any_hall.services, game)
    assert shown(any_hall, game)["status"] == ("cancelled" if agreed == 2 else "running")
    with any_hall.services.database.read() as session:
        assert session.scalars(sa.select(Consent.account_id)).all() == []


def test_one_player_alone_does_not_cancel_a_game_while_the_others_are_absent(hall: Harness):
    players = [hall.player(number) for number in range(2)]
    game = hall.game("bids", players, clock=CLOCK, options={"lots": 9})
    absent(hall, game, players)
    assert code(put(players[0], game)) == (409, "need-two")


@pytest.mark.slow
def test_a_consent_and_a_takeover_at_once(any_hall: Harness, people: list[Player]):
    """Either the game is cancelled, or the new player was not asked yet and it goes on."""
    one, two, new = people
    for _ in range(3):
        one.seat, two.seat = 0, 1
        game = any_hall.game("bids", [one, two])
        put(one, game)
        two.offer(game)
        signed = new.sign(new.payload(game, "take", seat=1, **new.holder()))
        takes = sends(new, "post", f"/v1/games/{game}/take", {"jws": signed})
        agrees = sends(two, "put", f"/v1/games/{game}/consents/cancel")
        taken, agreed = together(takes, agrees)
        status = shown(any_hall, game)["status"]
        assert (taken[0], agreed, status) in (
            (410, (200, "ok"), "cancelled"),
            (409, (200, "ok"), "cancelled"),
            (201, (403, "no-seat"), "running"),
        )


@pytest.mark.slow
def test_a_consent_and_a_move_at_once(any_hall: Harness, people: list[Player]):
    """The game is cancelled either way; a move that was accepted is in the log."""
    one, two, _ = people
    for _ in range(3):
        game = any_hall.game("bids", [one, two])
        put(one, game)
        moves = sends(one, "post", f"/v1/games/{game}/moves", one.signed_move(game, [{"do": "bid", "amount": 0}]))
        moved, agreed = together(moves, sends(two, "put", f"/v1/games/{game}/consents/cancel"))
        assert (agreed, shown(any_hall, game)["status"]) == ((200, "ok"), "cancelled")
        assert ("moved" in kinds(any_hall, game)) == (moved[0] == 201)


@pytest.fixture
def nearly_absent(any_hall: Harness, people: list[Player]) -> str:
    """All but the last have agreed for a week to cancel the game, and the last misses their second turn now."""
    game = any_hall.game("bids", people, clock=CLOCK, options={"lots": 9})
    absent(any_hall, game, people, turns=1)
    bid(game, people[:-1])
    assert [put(player, game).status_code for player in people[:-1]] == [200, 200]
    any_hall.clock.forward(days=7)
    return game


@pytest.mark.slow
def test_a_consent_and_an_absence_at_once(any_hall: Harness, people: list[Player], nearly_absent: str):
    """The game is cancelled either way; the clock plays before that or not at all."""
    agrees = sends(people[2], "put", f"/v1/games/{nearly_absent}/consents/cancel")
    played, agreed = together(partial(expire, any_hall.services, nearly_absent, 2), agrees)
    log = kinds(any_hall, nearly_absent)
    assert (agreed, log[-1], log.count("expired")) == ((200, "ok"), "cancelled", 2 if played else 1)
    check(any_hall, nearly_absent)


@pytest.mark.slow
def test_the_end_of_a_wish_and_an_absence_at_once(any_hall: Harness, people: list[Player], nearly_absent: str):
    """If the player was absent when the week ended, the game is cancelled; otherwise the wish is forgotten."""
    settles = partial(consents.settle, any_hall.services, nearly_absent)
    assert together(partial(expire, any_hall.services, nearly_absent, 2), settles) == [True, None]
    log = kinds(any_hall, nearly_absent)
    assert log.count("expired") == 2
    if log[-1] != "cancelled":
        assert people[0].get(f"/games/{nearly_absent}/consents/cancel").get_json()["agreed"] == []
    check(any_hall, nearly_absent)


def test_forms_open_a_rematch_and_cancel_a_game(hall: Harness):
    players = [hall.player(number) for number in range(2)]
    browsers = [hall.browser(), hall.browser()]
    for number, browser in enumerate(browsers):
        browser.sign_in(hall, f"player{number}@example.org")
    game = hall.game("bids", players)
    for browser in browsers:
        assert browser.post(f"/games/{game}/consents/cancel").status_code == 303
    assert shown(hall, game)["status"] == "cancelled"
    old = finished(hall, players)
    assert "Rematch" in browsers[0].get(f"/games/{old}").get_data(as_text=True)
    first, second = (browser.post(f"/games/{old}/rematch").location for browser in browsers)
    assert first == second != f"/games/{old}"
