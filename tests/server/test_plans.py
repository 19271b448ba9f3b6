"""A draft move that came by mail: only its holder reads it, and it is gone with their seat."""

from __future__ import annotations

from engine.kit import parse
from server.accounts.write import erase_account
from server.kernel.db.models import Plan
from server.log.ledger import open_for_writing
from server.play import drafts
from tests.server.harness import Harness, Player


def planned(hall: Harness, two: list[Player], text: str = "bid 3") -> str:
    """A game in which the first player has mailed a plan."""
    game = hall.game("bids", two)
    with open_for_writing(hall.services, game) as ledger:
        drafts.keep_draft(ledger, 0, parse(ledger.table.game, text))
    return game


def drop(player: Player, game: str):
    return player.harness.client.delete(f"/v1/games/{game}/plan", headers=player.auth)


def test_a_plan_is_read_by_the_holder_of_its_seat(hall: Harness, two: list[Player]):
    """As commands that go into a move, with the size of the log that it was made for."""
    game = planned(hall, two)
    plan = two[0].get(f"/games/{game}/plan").get_json()
    assert (plan["seat"], plan["via"], plan["notation"], plan["fresh"]) == (0, "mail", "bid 3", True)
    assert plan["commands"] == [{"do": "bid", "amount": 3}]
    assert two[1].move(game, two[1].legal(game)[:1]).status_code == 201
    assert two[0].get(f"/games/{game}/plan").get_json()["fresh"] is False
    assert two[0].move(game, plan["commands"]).status_code == 201


def test_nobody_else_sees_a_plan(hall: Harness, two: list[Player]):
    """Not the other seat, nobody without a token, nobody without a seat; a plan leaves no trace in the log."""
    game = planned(hall, two)
    assert two[1].get(f"/games/{game}/plan").status_code == 404
    assert drop(two[1], game).status_code == 404
    assert hall.client.get(f"/v1/games/{game}/plan").status_code == 401
    assert hall.player(7).get(f"/games/{game}/plan").status_code == 403
    assert b"bid 3" not in hall.client.get(f"/v1/games/{game}/log").data
    assert two[0].get(f"/games/{game}/plan").status_code == 200


def test_a_plan_is_dropped_and_a_newer_one_takes_its_place(hall: Harness, two: list[Player]):
    """There is one at most."""
    game = planned(hall, two)
    with open_for_writing(hall.services, game) as ledger:
        drafts.keep_draft(ledger, 0, parse(ledger.table.game, "bid 5"))
    assert two[0].get(f"/games/{game}/plan").get_json()["notation"] == "bid 5"
    assert drop(two[0], game).status_code == 204
    assert two[0].get(f"/games/{game}/plan").status_code == 404
    assert drop(two[0], game).status_code == 404


def test_a_new_holder_does_not_find_the_plan_of_the_one_before(hall: Harness, two: list[Player]):
    """It may show what the former holder knew; and they do not find it either."""
    game = planned(hall, two)
    two[0].offer(game)
    other = hall.player(2)
    assert other.take(game, 0).status_code == 201
    assert other.get(f"/games/{game}/plan").status_code == 404
    assert two[0].get(f"/games/{game}/plan").status_code == 403


def test_a_plan_goes_with_its_account(hall: Harness, two: list[Player]):
    """Nothing that was mailed stays."""
    planned(hall, two)
    erase_account(hall.services, two[0].account)
    with hall.services.database.read() as session:
        assert session.query(Plan).count() == 0
