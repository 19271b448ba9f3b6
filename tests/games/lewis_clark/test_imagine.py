"""The card that a player imagines under a covered back: any with that back that is not known to be elsewhere."""

from __future__ import annotations

import pytest

from conformance.imagined import shares
from engine.games.lewis_clark import game
from engine.games.lewis_clark.state import Player
from tests.games.lewis_clark.positions import position
from tests.games.lewis_clark.test_covered import COVERED, alike, laid, moved


def test_an_imagined_card_is_any_card_with_that_back() -> None:
    """Commander and Fur Trader share a back: each lies there in half of the worlds, and the other is in hand."""
    found = shares(
        game, laid(), 1, lambda world: (world.players[0].table[0].under, "commander" in world.players[0].hand)
    )
    assert found == pytest.approx({("commander", False): 0.5, ("fur-trader", True): 0.5}, abs=0.04)


@pytest.mark.parametrize(
    ("rules", "cards"),
    [
        (4, ("ebenezer-tuttle", "joseph-barter")),
        (3, ("commander", "ebenezer-tuttle", "fur-trader", "joseph-barter")),
    ],
)
def test_a_recruit_is_imagined_among_recruits_since_the_fourth_rules(rules: int, cards: tuple[str, ...]) -> None:
    """In games that began before, roles with this strength and badge may lie there too."""
    state = moved(alike(rules), "play hunter; under joseph-barter").state
    found = shares(game, state, 1, lambda world: world.players[0].table[0].under)
    assert found == pytest.approx(dict.fromkeys(cards, 1 / len(cards)), abs=0.05)


def _where(player: Player) -> tuple[str, bool]:
    return player.table[0].under, "commander" in player.hand


def test_a_card_known_by_counting_is_not_imagined() -> None:
    """Only the Interpreter shows 2 and wood."""
    state = moved(position(options=COVERED), "play hunter; under interpreter; use; use; end").state
    assert shares(game, state, 1, lambda world: world.players[0].table[0].under) == {"interpreter": 1}


def test_a_seat_does_not_imagine_its_own_cards() -> None:
    """Its own covered card lies where it lies."""
    assert shares(game, laid(), 0, lambda world: world.players[0].table[0].under) == {"commander": 1}
