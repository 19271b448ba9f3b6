"""The picture: each card can be read wherever it lies."""

from __future__ import annotations

import re

import pytest

from conformance.zoned import look_at_zones
from engine.games.lewis_clark import game, icons
from engine.games.lewis_clark.cards import CARDS
from engine.games.lewis_clark.state import LewisClarkState, Played
from engine.kit import names_of, view
from engine.kit.letters import MARK
from engine.kit.palette import COMMON
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


def test_boats_show_their_delay_before_they_are_loaded() -> None:
    """In faint ink; in red as far as the load of now causes it."""
    state = position(me={"goods": "5 fur", "indians": 3, "table": (), "hand": ()})
    drawn = game.picture(view(game, state, None), names_of(3), "light")
    zone = next(line for line in drawn.splitlines() if 'data-zone="seat-1"' in line)
    delays = re.findall(r'fill="(#[0-9a-f]{6})"[^>]*>(-\d(?: each)?)<', zone)
    red, faint = COMMON["bad"][0], COMMON["faint"][0]
    assert delays == [(red, "-1"), *[(faint, "-1")] * 5, (red, "-2")]
    empty = game.picture(view(game, position(me={"indians": 0}), None), names_of(3), "light")
    assert re.findall(rf'fill="{faint}"[^>]*>(-1 each)<', empty)


def test_a_farewell_discards_and_replaces() -> None:
    """Both happen, so no slash stands between them; the cards of the hand have a limit."""
    signs = icons.of("farewell")
    assert icons.SLASH not in signs
    assert [word for sign in signs for word in re.findall(r">([^<]+)</text>", sign.drawn)] == ["-", "max 3", "+", "5"]


def test_the_interpreter_costs_the_journal_a_card() -> None:
    """After the Indians have come aboard."""
    assert '"@bad"' in icons.of("interpreter")[-1].drawn
