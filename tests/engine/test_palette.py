"""Colours that every picture has beside those of its game."""

from __future__ import annotations

import pytest

from engine.games.discoveries.ink import ROLES as DISCOVERIES
from engine.games.lewis_clark.drawing import ROLES as LEWIS_CLARK
from engine.games.livingstone.signs import ROLES as LIVINGSTONE
from engine.games.tikal.ink import ROLES as TIKAL
from engine.kit.palette import COMMON
from tests.kit.colours import contrast


@pytest.mark.parametrize("roles", [DISCOVERIES, LEWIS_CLARK, LIVINGSTONE, TIKAL])
def test_the_wreath_of_the_winner_is_seen_on_every_colour_of_a_seat(roles):
    """It lies on the head of a panel; in both palettes its contrast is at least 1.7 to 1."""
    seats = [fills for role, fills in roles.items() if role.startswith("seat-")]
    assert len(seats) >= 4
    for fills in seats:
        assert min(map(contrast, fills, COMMON["laurel"])) >= 1.7, fills
