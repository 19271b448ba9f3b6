"""Moving a scout: terrain, spaces of others, back to camp, and the ends of the route."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.lewis_clark.drawing import ROLES
from engine.games.lewis_clark.route import (
    FORT,
    LAST,
    LOWEST,
    START,
    abreast_or_ahead,
    arrived,
    back,
    camp,
    settle,
    terrain,
    walk,
)
from tests.kit.colours import contrast

spaces = st.integers(LOWEST, LAST)
crowds = st.sets(spaces, max_size=5)


def forward(space: int, steps: int, move: str, others: Collection[int], *, skipping: bool = False) -> int:
    """Return where an action of one move ends, on a free space."""
    return settle(walk(space, steps, move, others if skipping else ()), space, others)  # type: ignore[arg-type]


def test_the_route_from_saint_louis_to_fort_clatsop() -> None:
    """26 river spaces from the start to the last before the fort, ten mountain and two mixed."""
    drawn = [terrain(space) for space in range(START + 1, FORT)]
    assert Counter(drawn) == {"river": 26, "mountain": 10, "mixed": 2}
    assert terrain(START) == terrain(FORT) == terrain(LOWEST) == terrain(LAST) == "river"


@pytest.mark.parametrize(("space", "kind"), [(17, "river"), (18, "mixed"), (19, "mountain"), (25, "mountain")])
def test_the_terrain_of_the_first_mountains(space: int, kind: str) -> None:
    assert terrain(space) == kind


@pytest.mark.parametrize(("space", "kind"), [(26, "mixed"), (27, "river"), (31, "river"), (32, "mountain")])
def test_the_terrain_between_the_mountains(space: int, kind: str) -> None:
    assert terrain(space) == kind


@pytest.mark.parametrize(("space", "kind"), [(34, "mountain"), (35, "river"), (38, "river")])
def test_the_terrain_down_to_the_coast(space: int, kind: str) -> None:
    assert terrain(space) == kind


# --- forward --------------------------------------------------------------------------------------------------------


def test_a_river_move_goes_up_the_river() -> None:
    assert forward(0, 4, "river", ()) == 4


def test_a_mountain_move_does_nothing_on_the_river() -> None:
    """The next space does not fit."""
    assert forward(3, 2, "mountain", ()) == 3


def test_the_rest_of_a_river_move_is_lost_at_mountain_spaces() -> None:
    """The mixed space 18 still belongs to the river; 19 does not."""
    assert forward(15, 6, "river", ()) == 18


def test_mixed_spaces_belong_to_both() -> None:
    """From 17 a mountain move enters 18 and goes on; from 25 a river move enters 26 and goes on."""
    assert forward(17, 3, "mountain", ()) == 20
    assert forward(25, 3, "river", ()) == 28


def test_the_rest_of_a_mountain_move_is_lost_at_river_spaces() -> None:
    assert forward(24, 6, "mountain", ()) == 26
    assert forward(33, 6, "mountain", ()) == 34


def test_occupied_spaces_count_in_passing() -> None:
    """Four spaces with two scouts in the way are four spaces."""
    assert forward(0, 4, "river", {1, 3}) == 4


def test_a_scout_on_an_occupied_space_goes_on_to_the_next_free_one() -> None:
    assert forward(0, 4, "river", {4, 5}) == 6


def test_going_on_ignores_terrain() -> None:
    """A river move that ends on an occupied 18 goes on into the mountains."""
    assert forward(15, 6, "river", {18}) == 19


def test_a_scout_that_does_not_move_may_share_its_space() -> None:
    """All scouts start at Saint Louis; a move that enters no space leaves them there."""
    assert forward(0, 2, "mountain", {0}) == 0
    assert forward(0, 0, "river", {0}) == 0


def test_skipping_does_not_count_occupied_spaces() -> None:
    """The example of F. Antoine Larocque: four spaces with two scouts in the way lead six spaces on."""
    assert forward(0, 4, "river", {2, 3}, skipping=True) == 6


def test_skipping_still_ends_where_the_terrain_ends() -> None:
    """Scouts before the mountains are skipped, not the mountains."""
    assert forward(15, 4, "river", {16}, skipping=True) == 18


def test_beyond_the_fort_the_coast_goes_on() -> None:
    assert forward(36, 7, "river", ()) == 43
    assert forward(45, 7, "river", ()) == LAST


def test_the_last_space_is_shared() -> None:
    """There is nowhere to go on to."""
    assert forward(45, 7, "river", {LAST}) == LAST


# --- back -----------------------------------------------------------------------------------------------------------


def test_the_example_of_a_camp_goes_back_five() -> None:
    """A delay of five is five spaces."""
    assert back(12, 5, ()) == 7


def test_a_scout_moves_back_over_any_terrain() -> None:
    assert back(28, 12, ()) == 16


def test_back_counts_others_and_goes_on_back_from_an_occupied_space() -> None:
    assert back(12, 5, {10, 7, 6}) == 5


def test_a_scout_stops_five_spaces_below_saint_louis() -> None:
    """Even if other scouts are there."""
    assert back(2, 20, ()) == LOWEST
    assert back(2, 20, {LOWEST}) == LOWEST


def test_saint_louis_is_not_shared_after_the_start() -> None:
    """Our reading: a scout that would fall back onto another there falls back further."""
    assert back(3, 3, {0}) == -1


def test_a_camp_without_time_moves_no_scout() -> None:
    assert back(12, 0, {12}) == 12


# --- camps ----------------------------------------------------------------------------------------------------------


def test_a_camp_follows_its_scout_and_never_goes_back() -> None:
    assert camp(4, 9) == 9
    assert camp(9, 4) == 9


def test_a_camp_at_the_fort_or_beyond_has_arrived() -> None:
    assert [arrived(space) for space in (FORT - 1, FORT, FORT + 1)] == [False, True, True]


def test_scouts_level_with_the_camp_or_ahead_are_counted() -> None:
    """For Half Man and One Eye; the player's own scout counts as well."""
    assert abreast_or_ahead(5, (4, 5, 9)) == 2


# --- laws -----------------------------------------------------------------------------------------------------------


@given(spaces, st.integers(0, 30), st.sampled_from(("river", "mountain")), crowds, st.booleans())
def test_no_two_scouts_share_a_space_after_a_move(
    space: int, steps: int, move: str, others: set[int], skipping: bool
) -> None:
    """Except at the two shared ends or without a move; and no move leads backwards."""
    end = forward(space, steps, move, others, skipping=skipping)
    assert space <= end <= LAST
    assert end in {space, LAST} or end not in others


@given(spaces, st.integers(0, 40), crowds)
def test_no_two_scouts_share_a_space_after_a_camp(space: int, time: int, others: set[int]) -> None:
    end = back(space, time, others)
    assert LOWEST <= end <= space
    assert end in {space, LOWEST} or end not in others


@given(spaces, st.integers(0, 30), st.sampled_from(("river", "mountain")), crowds)
def test_skipping_never_shortens_a_move(space: int, steps: int, move: str, others: set[int]) -> None:
    """So the passive effect needs no choice."""
    assert forward(space, steps, move, others, skipping=True) >= forward(space, steps, move, others)


@pytest.mark.parametrize("palette", [0, 1])
@pytest.mark.parametrize("ground", ["space", "mountain"])
def test_numbers_of_spaces_are_legible(ground: str, palette: int) -> None:
    """In both palettes their contrast is at least 4.5 to 1."""
    assert contrast(ROLES["on-space"][palette], ROLES[ground][palette]) >= 4.5
