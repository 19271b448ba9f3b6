"""Roads, places for tiles and walks: cases of the rulebook, and a slow solver that checks the quick one."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games.tikal.components import CAMP, PRINTED, TILE, TILES, Tile
from engine.games.tikal.hexes import AROUND, CELLS, PLACE, TURNS, opposite, turned
from engine.games.tikal.roads import FREE, NO_WAY, Land, cost, costs, passable, placements, roads, walks
from tests.games.tikal.lands import land

Laid = tuple[tuple[str, str, int], ...]
START: Laid = tuple((cell, tile.name, 0) for cell, tile in PRINTED)


# --- the start, and cases by hand -----------------------------------------------------------------------------------


def test_roads_of_the_start() -> None:
    """Two stones lead from the camp to each temple, one to the clearing, and none between those."""
    found = {(CELLS[here], CELLS[there]): n for here, ways in enumerate(roads(land(START))) for there, n in ways}
    assert found == {
        ("a1", "a2"): 2,
        ("a2", "a1"): 2,
        ("a1", "b1"): 2,
        ("b1", "a1"): 2,
        ("a1", "b2"): 1,
        ("b2", "a1"): 1,
    }


def test_the_first_tile_has_four_cells() -> None:
    """The neighbours of the camp are printed, so tiles grow from the temples and the clearing."""
    assert {cell for cell, _ in placements(land(START), TILE["temple-a1"].stones)} == {"a3", "b3", "c1", "c2"}


def test_a_road_costs_the_stones_of_both_sides() -> None:
    """Three stones against three cost six, the maximum."""
    laid = (*START, ("c2", "temple-c1", 2), ("d2", "temple-d2", 5))
    assert cost(land(laid), (), "c2", "d2") == 6


def test_a_tile_needs_a_road() -> None:
    """One stone on the shared edge is enough, on either of the two tiles."""
    bare = TILE["temple-c1"].stones
    assert ("c1", 0) in placements(land(START), bare)
    far = land((*START, ("c2", "temple-c1", 0)))
    assert ("d2", 0) not in placements(far, bare)
    assert ("d2", 5) in placements(far, bare)


def test_a_volcano_needs_a_neighbour_but_no_road() -> None:
    """It goes beside any tile, in one rotation, and nowhere else."""
    found = placements(land(START), TILE["volcano-b1"].stones)
    assert {cell for cell, _ in found} == {"a3", "b3", "c1", "c2"}
    assert {turn for _, turn in found} == {0}


def test_a_road_to_a_volcano_joins_nothing() -> None:
    """No tile may lie beside a volcano alone, except a second volcano."""
    laid = land((*START, ("c1", "volcano-b1", 0), ("c2", "volcano-d1", 0), ("b3", "volcano-f1", 0)))
    cells = {cell for cell, _ in placements(laid, TILE["temple-c1"].stones)}
    assert cells == {"a3"}
    assert "d1" in {cell for cell, _ in placements(laid, TILE["volcano-b1"].stones)}


def test_nobody_walks_onto_a_volcano() -> None:
    """Stones of the neighbours are not a road there."""
    laid = land((*START, ("c2", "volcano-b1", 0)))
    assert cost(laid, (), "b2", "c2") == NO_WAY
    assert "c2" not in walks(laid, (), "b2", 10)


def test_a_hop_between_camps_of_one_player_costs_one() -> None:
    """From anywhere: walk to a camp, hop, and walk on; a hop between two tents skips the base camp."""
    laid = land((*START, ("c2", "temple-c1", 2), ("d2", "clearing-c2", 5)))
    assert cost(laid, (), CAMP, "d2") == 1 + 1 + 6
    assert cost(laid, ("d2",), CAMP, "d2") == 1
    assert cost(laid, ("b2", "d2"), "b2", "d2") == 1
    assert cost(laid, ("d2",), "a2", "d2") == 2 + 1


def test_a_walk_ends_where_the_points_end() -> None:
    """Cells that cost exactly the points left are included, dearer ones and the start are not."""
    at_start = land(START)
    assert walks(at_start, (), CAMP, 2) == ("a2", "b1", "b2")
    assert walks(at_start, (), CAMP, 1) == ("b2",)
    assert walks(at_start, (), CAMP, 0) == ()


# --- the slow judge -------------------------------------------------------------------------------------------------


def scattered(seed: int, count: int) -> Laid:
    """Return tiles anywhere, in any rotation: also islands, and volcanoes that cut a land in two."""
    rng = random.Random(seed)
    cells = [cell for cell in CELLS if cell not in dict(PRINTED)]
    tiles = rng.sample(TILES, count)
    return (*START, *((c, t.name, rng.randrange(TURNS)) for c, t in zip(rng.sample(cells, count), tiles, strict=True)))


def grown(seed: int, count: int) -> Laid:
    """Return a land as a game lays it, as far as tiles fit."""
    rng = random.Random(seed)
    laid = START
    for tile in rng.sample(TILES, count):
        found = placements(land(laid), tile.stones)
        if found:
            cell, turn = rng.choice(found)
            laid = (*laid, (cell, tile.name, turn))
    return laid


def slow_way(land: Land, here: int, there: int) -> int | None:
    """Return the cost between two neighbours as the rulebook has it, or None without stones or with a volcano."""
    side = next((side for side, near in AROUND[here] if near == there), None)
    if side is None or not passable(land[here]) or not passable(land[there]):
        return None
    return (land[here][side] + land[there][opposite(side)]) or None


def slow_costs(land: Land, tents: tuple[str, ...], start: str) -> list[int]:
    """Try every step from every cell until nothing gets cheaper."""
    found = [0 if cell == start else NO_WAY for cell in CELLS]
    steps = {(a, b): way for a, b in product(range(len(CELLS)), repeat=2) if (way := slow_way(land, a, b))}
    for a, b in product((CAMP, *tents), repeat=2):
        steps[PLACE[a], PLACE[b]] = 1
    for _ in CELLS:
        for (a, b), way in steps.items():
            found[b] = min(found[b], found[a] + way)
    return [min(NO_WAY, cost) for cost in found]


def slow_placements(land: Land, stones: tuple[int, ...]) -> set[tuple[str, tuple[int, ...]]]:
    """Return every free cell with every look, tried one by one."""
    found = set()
    for cell, turn in product(CELLS, range(TURNS)):
        look = turned(stones, turn)
        with_it = (*land[: PLACE[cell]], look, *land[PLACE[cell] + 1 :])
        near = [there for _, there in AROUND[PLACE[cell]]]
        joined = any(slow_way(with_it, PLACE[cell], there) for there in near)
        touches = any(land[there] != FREE for there in near)
        if land[PLACE[cell]] == FREE and (joined or (touches and not any(stones))):
            found.add((cell, look))
    return found


maps = st.builds(
    lambda make, seed, count: make(seed, count),
    st.sampled_from([scattered, grown]),
    st.integers(0, 10**6),
    st.integers(0, len(TILES)),
)


@pytest.mark.slow
@given(laid=maps, data=st.data())
@settings(max_examples=60)
def test_walks_are_the_cheapest(laid: Laid, data: st.DataObject) -> None:
    """Over any land, with any tents and from any tile, the slow solver finds the same costs."""
    there = land(laid)
    dry = sorted(cell for cell, tile, _ in laid if TILE[tile].kind != "volcano")
    tents = tuple(sorted(data.draw(st.sets(st.sampled_from(dry), max_size=2))))
    start = data.draw(st.sampled_from(dry))
    assert list(costs(there, tents, start)) == slow_costs(there, tents, start)


@given(laid=maps, tile=st.sampled_from(TILES))
@settings(max_examples=60)
def test_every_placement_is_listed_once(laid: Laid, tile: Tile) -> None:
    """The slow solver finds the same cells and looks, and no look is listed twice."""
    stones = tile.stones
    found = [(cell, turned(stones, turn)) for cell, turn in placements(land(laid), stones)]
    assert len(found) == len(set(found))
    assert set(found) == slow_placements(land(laid), stones)


@given(seed=st.integers(0, 10**6), count=st.integers(0, len(TILES)))
@settings(max_examples=40)
def test_a_land_that_grew_holds_together(seed: int, count: int) -> None:
    """Every tile but a volcano is reached from the camp, and a volcano never."""
    laid = grown(seed, count)
    found = costs(land(laid), (), CAMP)
    for cell, tile, _ in laid:
        assert (found[PLACE[cell]] < NO_WAY) == (TILE[tile].kind != "volcano")


@given(laid=maps, start=st.sampled_from(CELLS), points=st.integers(0, 10))
@settings(max_examples=40)
def test_walks_go_where_they_cost_no_more(laid: Laid, start: str, points: int) -> None:
    """In board order, without the start."""
    there = land(laid)
    found = walks(there, (), start, points)
    assert found == tuple(cell for cell in CELLS if cell != start and cost(there, (), start, cell) <= points)


@pytest.mark.parametrize("cell", CELLS)
def test_roads_cost_the_same_in_both_directions(cell: str) -> None:
    """There and back cost the same."""
    there = land(scattered(7, 30))
    for near, way in roads(there)[PLACE[cell]]:
        assert (PLACE[cell], way) in roads(there)[near]
