"""The picture: each card can be read wherever it lies."""

from __future__ import annotations

import pytest

from conformance.zoned import look_at_zones
from engine.games.lewis_clark import game
from engine.games.lewis_clark.cards import CARDS
from engine.games.lewis_clark.state import LewisClarkState, Played
from engine.kit import names_of, view
from engine.kit.letters import MARK
from tests.games.lewis_clark.positions import position


def hand() -> LewisClarkState:
    return position(me={"hand": tuple(sorted(CARDS))})


def below_others() -> LewisClarkState:
    return position(me={"table": tuple(Played(card="commander", under=name, indians=2) for name in sorted(CARDS))})


def face_up() -> LewisClarkState:
    return position(me={"table": tuple(Played(card=name, indians=1) for name in sorted(CARDS))})


@pytest.mark.parametrize("lying", [hand, below_others, face_up])
def test_every_card_can_be_read_on_a_telephone(lying) -> None:
    """No name is cut, and no number is too small."""
    state, names = lying(), names_of(3)
    assert MARK not in game.picture(view(game, state, None), names, "light")
    look_at_zones(game, state, None, names)


@pytest.mark.parametrize("first", range(0, len(CARDS) - 5, 5))
def test_every_card_of_the_journal_can_be_read(first: int) -> None:
    state, names = position(journal=tuple(sorted(CARDS)[first : first + 5])), names_of(3)
    assert MARK not in game.picture(view(game, state, None), names, "light")
    look_at_zones(game, state, None, names)
