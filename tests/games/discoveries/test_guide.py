"""The guide tells what the game has: every command, option, tribe and card."""

from __future__ import annotations

import re

from engine import registry
from engine.games.discoveries import game, terms
from engine.games.discoveries.cards import GROUPS
from engine.games.discoveries.house import HOUSE
from engine.kit.notation import head


def test_every_card_of_the_house_edition_can_be_read() -> None:
    """A row for each: the tribe side, then the discovery side."""
    guide = registry.guide("discoveries")
    for card in HOUSE.cards:
        tribe, discovery = card.tribe, card.discovery
        row = (
            f"| {card.number} | {tribe.name} | {tribe.attitude} | {tribe.tipis} | {terms.effect(tribe)} "
            f"| {' or '.join(discovery.routes)} | {terms.worth(discovery)} |"
        )
        assert row in guide


def test_every_command_and_option_is_told() -> None:
    guide = registry.guide("discoveries")
    assert all(f"`{' '.join(head(kind))}" in guide for kind in game.commands)
    assert all(f"`{name}`" in guide for name in game.meta.options.__struct_fields__)


def test_every_special_tribe_is_told() -> None:
    names = {HOUSE.card(numbers[0]).tribe.name for effect, numbers, _ in GROUPS if effect not in PLAIN}
    assert all(re.search(rf"\| [0-9, -]+ \|[^|]*{name}", registry.guide("discoveries")) for name in names)


PLAIN = ("simple", "either", "rivers-first", "mountains-first")
