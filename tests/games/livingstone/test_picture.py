"""Words and pieces of the picture that a player has to read."""

from __future__ import annotations

import re
from typing import Any

from engine import golden, registry
from engine.games.livingstone.cards import KINDS
from engine.kit import names_of, view

KEY, TOLD = "livingstone", "five-tie"


def test_the_supply_names_every_card_that_was_played() -> None:
    """However many kinds they are, and outside of titles, which a touch screen does not show."""
    script = golden.read(registry.read(KEY, f"golden/{TOLD}.txt"))
    states: list[Any] = [turn.state for turn in golden.play(script)]
    seen = max((view(registry.find(KEY), state, None) for state in states), key=lambda one: len(one.spent.rest))
    drawn = registry.find(KEY).picture(seen, names_of(script.seats))
    supply = next(line for line in drawn.splitlines() if 'data-zone="supply"' in line)
    words = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", supply))
    assert len(seen.spent.rest) > 8
    for card, many in seen.spent.rest:
        assert f"{many} {KINDS[card].name}" in words
