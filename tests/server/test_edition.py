"""A game created with an edition of one's own."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.games.discoveries.house import HOUSE
from tests.server.harness import Harness, Player


def test_accents_in_an_edition_are_accepted_and_shown_on_the_board(hall: Harness, two: list[Player]) -> None:
    """The record holds them as references in ASCII; people read the letters."""
    plain: Any = msgspec.to_builtins(HOUSE) | {"name": "printed"}
    for card in plain["cards"]:
        card["tribe"]["name"] = "Nez Perc\u00e9"
    made = two[0].post("/games", {"type": "discoveries", "seats": 2, "edition": plain})
    assert made.status_code == 201, made.get_data(as_text=True)
    game = made.get_json()["id"]
    for seat, player in enumerate(two):
        player.join(game, seat)
    shown = two[0].get(f"/games/{game}/view").get_json()["board"]
    assert "Card values: edition printed." in shown
    assert "Nez Perc\u00e9" in shown
