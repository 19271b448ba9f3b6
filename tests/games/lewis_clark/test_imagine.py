"""What a player imagines under covered cards: any card of that back that is not known to be elsewhere."""

from __future__ import annotations

import pytest

from engine.games.lewis_clark import game
from engine.games.lewis_clark.state import Player
from tests.games.lewis_clark.positions import play, position
from tests.games.lewis_clark.test_covered import COVERED, laid
from tests.kit.imagined import shares


def test_what_lies_below_is_any_card_of_that_back() -> None:
    """Commander and Fur Trader have one back: each lies there in half of the worlds, and the other is in hand."""
    found = shares(
        game, laid(), 1, lambda world: (world.players[0].table[0].under, "commander" in world.players[0].hand)
    )
    assert found == pytest.approx({("commander", False): 0.5, ("fur-trader", True): 0.5}, abs=0.04)


def _where(player: Player) -> tuple[str, bool]:
    return player.table[0].under, "commander" in player.hand


def test_what_counting_tells_is_not_imagined() -> None:
    """Only the Interpreter shows 2 and wood."""
    state = play(position(options=COVERED), "play hunter; under interpreter showing 2-wood; use; use; end").state
    assert shares(game, state, 1, lambda world: world.players[0].table[0].under) == {"interpreter": 1}


def test_who_laid_it_knows_it() -> None:
    """In the own worlds it lies where it lies."""
    assert shares(game, laid(), 0, lambda world: world.players[0].table[0].under) == {"commander": 1}
