"""Nothing is made and nothing is lost: tiles, levels, treasures and pieces, counted after every step of a game."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import replay, selfplay
from engine.game import Command, Turn
from engine.games.tikal import game
from engine.games.tikal.components import (
    ACTION_POINTS,
    ALIKE,
    CAMP,
    EXPLORERS,
    GUARDS,
    LEVELS,
    PRINTED,
    TENTS,
    TILE,
    TILES,
    TREASURES,
)
from engine.games.tikal.hexes import CELLS, PLACE, TURNS, turned
from engine.games.tikal.meta import TikalOptions
from engine.games.tikal.roads import NO_WAY, costs
from engine.games.tikal.state import Site, TikalState
from engine.kit import Step, active, legal

VARIANTS = (
    TikalOptions(),
    TikalOptions(variant="auction", bidding="sealed"),
    TikalOptions(variant="auction", bidding="open"),
)
games = st.builds(
    lambda seats, options, word: (seats, options, word),
    st.integers(2, 4),
    st.sampled_from(VARIANTS),
    st.integers(0, 10**9),
)


def busy(seats: int, options: TikalOptions, word: int) -> Iterator[TikalState]:
    """Yield the states of a game whose players pick a kind of command first, so that they also dig and build."""
    rng, seed = random.Random(word), selfplay.seed_of("busy", word)
    turn = replay.start(game, seats, options, *(selfplay.lanes(seed, label) for label in ("public", "hidden")))
    while waiting := active(game, turn.state):
        yield turn.state
        seat = rng.choice(waiting)
        chosen = _pick(rng, list(legal(game, turn.state, seat)))
        turn = Turn(turn.state, turn.chance.onward(), turn.secret.onward())
        replay.move(game, turn, seat, (Step(chosen),))
    yield turn.state


def _pick(rng: random.Random, listed: list[Command]) -> Command:
    assert 0 < len(listed) < 1000
    kinds = sorted({type(command).__name__ for command in listed})
    kind = rng.choice([name for name in kinds if name != "Done" or len(kinds) == 1 or rng.random() < 0.2] or kinds)
    return rng.choice([command for command in listed if type(command).__name__ == kind])


def laid(state: TikalState) -> list[tuple[str, Site]]:
    return [(cell, site) for cell, site in zip(CELLS, state.sites, strict=True) if site is not None]


# --- what is counted ------------------------------------------------------------------------------------------------


def tiles(state: TikalState) -> None:
    """Each of the 36 tiles, and each printed one, is in exactly one place."""
    out = [site.tile for _, site in laid(state)] + [state.tile] * bool(state.tile)
    stack = [name for name, count in state.stack.rest for _ in range(count)]
    assert sorted([*out, *stack, *state.open, *state.aside]) == sorted(TILE)


def letters(state: TikalState) -> None:
    """No tile of a later stack is drawn while one of an earlier stack is left."""
    left = {TILE[name].stack for name, _ in state.stack.rest}
    gone = {tile.stack for tile in TILES} - left
    assert not left or max(gone, default="") < min(left)


def lands(state: TikalState) -> None:
    """The stones of a tile fit one of its rotations, and every tile but a volcano is reached from the camp."""
    found = costs(state.land, (), CAMP)
    for cell, site in laid(state):
        looks = {turned(TILE[site.tile].stones, turn) for turn in range(TURNS)}
        assert state.land[PLACE[cell]] in looks
        assert (found[PLACE[cell]] < NO_WAY) == (site.kind != "volcano")
    assert sum(stones != () for stones in state.land) == len(laid(state))


def levels(state: TikalState) -> None:
    """The levels of each number that are left or built add up to those in the box."""
    temples = [(TILE[site.tile].number, site.value) for _, site in laid(state) if site.kind == "temple"]
    for (number, count), left in zip(LEVELS, state.levels, strict=True):
        assert left >= 0
        assert left + sum(first < number <= now for first, now in temples) == count
    assert all(site.value == 0 for _, site in laid(state) if site.kind != "temple")


def treasures(state: TikalState) -> None:
    """Three of each kind are hidden or held, and the hidden ones are those that ruins still have."""
    held = Counter(name for player in state.players for name in player.treasures)
    assert held + Counter(dict(state.treasures.rest)) == dict.fromkeys(TREASURES, ALIKE)
    ruins = {site.tile: site.treasures for _, site in laid(state) if site.kind == "ruins"}
    hidden = sum(ruins.get(tile.name, tile.number) for tile in TILES if tile.kind == "ruins")
    assert hidden == state.treasures.total
    assert all(0 <= count <= TILE[name].number for name, count in ruins.items())


def pieces(state: TikalState) -> None:
    """Count explorers, leader, camps and guards of each seat; no piece is on a volcano, no camp where it may not be."""
    for seat, player in enumerate(state.players):
        sites = [site for _, site in laid(state)]
        assert player.explorers + player.lost + sum(site.explorers[seat] for site in sites) == EXPLORERS
        assert player.leader + player.lost_leader + sum(seat in site.leaders for site in sites) == 1
        assert player.tents + sum(site.tent == seat for site in sites) == TENTS
        assert player.guards + sum(site.guard == seat for site in sites) == GUARDS
    for _, site in laid(state):
        assert min(site.explorers) >= 0
        assert site.kind != "volcano" or not (any(site.explorers) or site.leaders)
        assert site.tent is None or site.kind == "clearing" or (site.kind == "ruins" and not site.treasures)
        assert site.guard is None or site.kind == "temple"


def limits(state: TikalState) -> None:
    """Action points, and levels and treasures on one tile, stay within the limits of a turn."""
    assert 0 <= state.points <= ACTION_POINTS
    assert all(count <= 2 for count in Counter(state.worked).values())


LAWS = (tiles, letters, lands, levels, treasures, pieces, limits)


@pytest.mark.slow
@given(table=games)
@settings(max_examples=15)
def test_nothing_is_lost(table: tuple[int, TikalOptions, int]) -> None:
    """After every step, in games of every variant and number of seats."""
    for state in busy(*table):
        for law in LAWS:
            law(state)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_busy_games_do_everything(seats: int) -> None:
    """The games above are not empty: at the end of some there are levels, treasures, camps and guards."""
    ends = [list(busy(seats, TikalOptions(), word))[-1] for word in range(4)]
    sites = [site for state in ends for _, site in laid(state)]
    assert any(site.tent is not None for site in sites)
    assert any(site.guard is not None for site in sites)
    assert any(state.levels != tuple(count for _, count in LEVELS) for state in ends)
    assert any(player.treasures for state in ends for player in state.players)
    assert any(player.lost or player.lost_leader for state in ends for player in state.players)


def test_the_board_is_full_at_the_end() -> None:
    """All 40 cells have a tile, except for one that fitted nowhere."""
    for word in range(6):
        state = list(busy(3, TikalOptions(), word))[-1]
        assert len(laid(state)) + len(state.aside) == len(PRINTED) + len(TILES)
        assert not state.stack.total
        assert not state.tile
