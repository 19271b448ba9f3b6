"""The card that a player imagines under a covered back: any with that back that is not known to be elsewhere."""

from __future__ import annotations

import pytest

from conformance.imagined import shares
from engine.games.lewis_clark import game
from engine.games.lewis_clark.state import Player
from tests.games.lewis_clark.positions import play, position
from tests.games.lewis_clark.test_covered import COVERED, laid


def test_an_imagined_card_is_any_card_with_that_back() -> None:
    """Commander and Fur Trader share a back: each lies there in half of the worlds, and the other is in hand."""
    found = shares(
        game, laid(), 1, lambda world: (world.players[0].table[0].under, "commander" in world.players[0].hand)
    )
    assert found == pytest.approx({("commander", False): 0.5, ("fur-trader", True): 0.5}, abs=0.04)


def _where(player: Player) -> tuple[str, bool]:
    return player.table[0].under, "commander" in player.hand


def test_a_card_known_by_counting_is_not_imagined() -> None:
    """Only the Interpreter shows 2 and wood."""
    state = play(position(options=COVERED), "play hunter; under interpreter showing 2-wood; use; use; end").state
    assert shares(game, state, 1, lambda world: world.players[0].table[0].under) == {"interpreter": 1}


def test_a_seat_does_not_imagine_its_own_cards() -> None:
    """Its own covered card lies where it lies."""
    assert shares(game, laid(), 0, lambda world: world.players[0].table[0].under) == {"commander": 1}
