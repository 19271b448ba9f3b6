"""How a house player imagines the sealed ceilings of others: any that the bidder can pay."""

from __future__ import annotations

import pytest

from conformance.imagined import shares
from engine.games.tikal import game
from engine.games.tikal.components import PURSE
from tests.games.tikal.test_secrets import sealed_by_the_first


def test_a_sealed_ceiling_may_be_any_that_its_bidder_can_pay() -> None:
    """From 0 to all points of the bidder; a seat that has not bid has sealed nothing."""
    found = shares(game, sealed_by_the_first(7), 1, lambda world: world.ceilings[0])
    assert found == pytest.approx(dict.fromkeys(range(PURSE + 1), 1 / (PURSE + 1)), abs=0.02)
    assert shares(game, sealed_by_the_first(7), 1, lambda world: world.ceilings[2]) == {None: 1}


def test_a_seat_knows_its_own_ceiling() -> None:
    """A seat knows its own ceiling."""
    assert shares(game, sealed_by_the_first(7), 0, lambda world: world.ceilings[0]) == {7: 1}
