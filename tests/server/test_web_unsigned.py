"""A table that accepts moves by mail says so when it is opened or joined, and counts unsigned moves."""

from __future__ import annotations

import html

from engine.kit import parse
from server.kernel import text
from server.log.ledger import open_for_writing
from server.play.write import play_by_mail
from tests.server.harness import Harness, Player


def shown(hall: Harness, path: str) -> str:
    return html.unescape(hall.client.get(path).text)


def test_a_table_with_unsigned_moves_warns_about_them(hall: Harness, two: list[Player]):
    """In one sentence, on the form and on the game's page; a table of signed moves does not."""
    assert text.UNSIGNED in shown(hall, "/tables/new")
    assert text.UNSIGNED in shown(hall, f"/games/{hall.game('pig', two, unsigned=True)}")
    assert text.UNSIGNED not in shown(hall, f"/games/{hall.game('pig', two)}")


def test_the_page_counts_the_unsigned_moves_of_each_player(hall: Harness, two: list[Player]):
    game = hall.game("pig", two, unsigned=True)
    assert "Unsigned moves, for which" not in shown(hall, f"/games/{game}")
    with open_for_writing(hall.services, game) as ledger:
        seat = ledger.table.active[0]
        play_by_mail(ledger, seat, parse(ledger.table.game, "roll"))
    name = hall.client.get(f"/v1/games/{game}").get_json()["seats"][seat]["name"]
    assert f"for which only this server vouches: {name} 1." in shown(hall, f"/games/{game}")
    assert two[seat].offer(game).status_code == 201  # a later holder of the seat has not made it
    assert hall.player(2).take(game, seat).status_code == 201
    assert f"for which only this server vouches: {name} 1." in shown(hall, f"/games/{game}")
