"""Zones of a picture: how they are packed into columns, and how a picture is arranged anew."""

from __future__ import annotations

import re

import pytest

from engine.kit import Zone, arranged, board_of, document

SEATS = [Zone(f"seat-{seat + 1}", 432, 100 + 10 * seat, f"<g>{seat}</g>") for seat in range(4)]
ZONES = [Zone("head", 880, 40, ""), Zone("board", 880, 600, ""), *SEATS, Zone("legend", 432, 50, "")]
DRAWN = document(ZONES, {}, "light")


def places(picture: str) -> dict[str, tuple[float, ...]]:
    """The place and scale of each zone."""
    found = re.findall(
        r'data-zone="([a-z0-9-]+)".*? transform="translate\(([\d.]+) ([\d.]+)\)(?: scale\(([\d.]+)\))?"', picture
    )
    return {name: (float(x), float(y), float(scale or 1)) for name, x, y, scale in found}


def test_two_columns_have_the_board_above_two_players_in_a_row() -> None:
    """A wide zone spans both columns; each zone lies below those of its own column."""
    at = places(DRAWN)
    assert at["head"] == (8, 8, 1)
    assert at["board"] == (8, 64, 1)
    assert [at[f"seat-{seat}"] for seat in (1, 2, 3, 4)] == [(8, 680, 1), (456, 680, 1), (8, 796, 1), (456, 806, 1)]


def test_three_columns_have_all_players_beside_the_board() -> None:
    """In their order, if there is only one more zone below it."""
    at = places(arranged(DRAWN, 3, ["head"]))
    assert [at[f"seat-{seat}"][:2] for seat in (1, 2, 3, 4)] == [(904, 8), (904, 124), (904, 250), (904, 386)]
    assert at["board"][:2] == (8, 8)
    assert at["legend"][:2] == (8, 624)


def test_three_columns_have_three_players_beside_a_board_with_much_below_it() -> None:
    """The others are below it, too."""
    at = places(arranged(document([*ZONES, Zone("journal", 432, 300, "")], {}, "light"), 3, ["head"]))
    assert [at[f"seat-{seat}"][0] for seat in (1, 2, 3, 4)] == [904, 904, 904, 8]


def test_three_columns_without_a_board_have_the_players_in_rows() -> None:
    """In the second and third column, in the order of reading; what is on the table is in the first."""
    zones = [Zone("camp", 432, 300, ""), Zone("territories", 432, 200, ""), *SEATS]
    at = places(document(zones, {}, "light", columns=3))
    assert [at[f"seat-{seat}"][:2] for seat in (1, 2, 3, 4)] == [(456, 8), (904, 8), (456, 124), (904, 134)]
    assert [at[name][0] for name in ("camp", "territories")] == [8, 8]


def test_one_column_shows_the_board_smaller() -> None:
    """So the whole is as wide as a player's zone."""
    at = places(arranged(DRAWN, 1))
    assert at["board"][2] == pytest.approx(432 / 880, abs=0.001)
    assert {x for x, _, _ in at.values()} == {8}


def test_a_preview_is_the_board_alone() -> None:
    assert list(places(board_of(DRAWN))) == ["board"]


def test_a_picture_without_zones_stays_as_it_is() -> None:
    plain = '<svg viewBox="0 0 9 9"><g/></svg>'
    assert arranged(plain) == board_of(plain) == plain


def test_colours_are_those_of_the_palette() -> None:
    """A role without a colour is a fault of the game."""
    zones = [Zone("board", 432, 9, '<path fill="@moss" d="M0 0"/>')]
    roles = {"moss": ("#112233", "#ddeeff")}
    assert 'fill="#112233"' in document(zones, roles, "light")
    assert 'fill="#ddeeff"' in document(zones, roles, "dark")
    with pytest.raises(KeyError, match="moss"):
        document(zones, {}, "light")
