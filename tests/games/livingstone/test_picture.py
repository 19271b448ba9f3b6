"""Words and pieces of the picture that a player has to read."""

from __future__ import annotations

import re
from typing import Any

from engine import golden, registry
from engine.games.livingstone.cards import KINDS
from engine.games.livingstone.hands import BACKS, CARD
from engine.games.livingstone.signs import tent
from engine.kit import names_of, view
from tests.games.livingstone.positions import play, position

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


def test_a_player_whose_cards_are_hidden_needs_less_room() -> None:
    """Backs are smaller than faces; a hand that may be looked at keeps a row for faces while it is empty."""
    script = golden.read(registry.read(KEY, f"golden/{TOLD}.txt"))
    state = next(golden.play(script)).state
    drawn = registry.find(KEY).picture(view(registry.find(KEY), state, 0), names_of(script.seats))
    heights = [float(high) for high in re.findall(r'data-zone="seat-\d" data-box="0 0 432 ([\d.]+)"', drawn)]
    assert heights[0] == heights[1] + CARD - BACKS
    assert len(set(heights[1:])) == 1


def test_the_tent_of_a_player_shows_mostly_its_colour() -> None:
    """Its opening is at most a third as wide and half as high as the tent."""
    opening = re.findall(r'd="M0 (-?\d+) L(\d+) 21 H-', tent(0, 0, "seat-1", ""))
    assert len(opening) == 1
    top, half = map(int, opening[0])
    assert 21 - top <= 0.55 * (21 + 19)
    assert 2 * half <= 54 / 3


def test_no_dice_lie_on_the_bank_after_the_end() -> None:
    """Those that nobody took in the last round are of no use any more."""
    script = golden.read(registry.read(KEY, f"golden/{TOLD}.txt"))
    *_, last = golden.play(script)
    seen = view(registry.find(KEY), last.state, None)
    assert seen.over
    assert seen.dice
    assert 'data-word="die:' not in registry.find(KEY).picture(seen, names_of(script.seats))


def test_the_end_shows_every_card_that_was_left() -> None:
    """However many lines they need."""
    hand = ("coins", "elephants", "elephants", "explorer", "explorer", "explorer", "raised-tent", "steamer", "two-dice")
    left = {0: {"hand": hand, "points": (17, 12, 9, 0, 0), "tents": (11,)}, 1: {"chest": 2}, 2: {"chest": 3}}
    ended = play(position(3, left, column=10, dice=(0, 0, 0, 0, 0, 1)), "coins 6; end").state
    drawn = registry.find(KEY).picture(view(registry.find(KEY), ended, None), names_of(3))
    zone, height = re.findall(r'data-zone="seat-1" data-box="0 0 432 ([\d.]+)"[^>]*>(.*)', drawn)[0][::-1]
    lines = re.findall(r'<text x="16" y="([\d.]+)"[^>]*>([^<]*)</text>', zone)
    words = " ".join(line for _, line in lines)
    cards = "Gold Coin, 2 Elephants, 3 Explorer and Native, Raised Tent, Steamer, Man at the Table"
    assert words.endswith(f"Cards: {cards}")
    assert float(lines[-1][0]) < float(height)
