"""Whole games in figures: how often a table waits, how long lists grow, how much is drawn, how games end."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from client.commands.golden import files
from engine import golden, replay, selfplay
from engine.games.tikal import game
from engine.games.tikal.components import TILES, TREASURES
from engine.games.tikal.hexes import CELLS
from engine.games.tikal.meta import META, TikalOptions
from engine.games.tikal.state import TikalState
from engine.kit import active, group, legal
from tests.games.tikal.positions import AUCTION, position
from tests.kit.worlds import Table, turn_at, walked

GAMES = 3  # random games of a kind that are looked at


def handoffs(seats: int, options: TikalOptions, number: int) -> int:
    return selfplay.play(game, seats, options, selfplay.seed_of("waits", number)).handoffs


@pytest.mark.parametrize(("seats", "expected"), [(2, 44), (3, 48), (4, 52)])
def test_how_often_a_basic_game_waits(seats: int, expected: int) -> None:
    """36 tiles, and four scoring turns of every seat."""
    for number in range(GAMES):
        assert handoffs(seats, TikalOptions(), number) == expected


@pytest.mark.parametrize(("seats", "most"), [(2, 62), (3, 72), (4, 79)])
def test_how_often_a_sealed_auction_waits_at_most(seats: int, most: int) -> None:
    """One wait for a sale, for all its bidders together, and one for a turn; the last tile of a round needs no bid."""
    rounds = len(TILES) // seats
    assert most == rounds * (2 * seats - 1) + 4 * seats
    for number in range(GAMES):
        assert handoffs(seats, AUCTION, number) <= most


@pytest.mark.parametrize("options", ["default", "auction", "open-auction"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_tile_has_its_turn(seats: int, options: str) -> None:
    """All 36 are laid or set aside, the stack and the sale are empty, and the game has ended."""
    end: TikalState = walked(Table("tikal", seats, options))[-1].after
    laid = sum(site is not None for site in end.sites)
    assert laid + len(end.aside) == len(CELLS)
    assert (end.stack.total, end.open, end.tile, end.over) == (0, (), "", "explored")


def test_a_game_draws_at_most_every_tile_and_treasure() -> None:
    """One draw for the first player, and one for each tile and each treasure."""
    assert META.draws == 1 + len(TILES) + 3 * len(TREASURES) == 61


def crowded() -> TikalState:
    """Return a full board with nineteen pieces on tiles of their own, both camps, and treasures everywhere."""
    turn = turn_at(position(4), "crowd")
    while turn.state.stack.total:
        replay.expire(game, turn, active(game, turn.state)[0])
    state: TikalState = replace(turn.state, points=10)
    seat, passable = state.seat, [c for c in CELLS if state.site(c) is not None and state.laid(c).kind != "volcano"]
    for place, cell in enumerate(passable[5:24]):
        piece = "explorer" if place else "leader"
        state = state.with_site(cell, state.laid(cell).plus(seat, piece, 1))
    for cell in (passable[18], passable[30]):
        state = state.with_site(cell, replace(state.laid(cell), tent=seat))
    for other in range(4):
        held = TREASURES if other in (seat, (seat + 1) % 4, (seat + 2) % 4) else ()
        state = state.with_player(other, treasures=held, explorers=1, leader=other == seat)
    return replace(state, tile="")


def test_the_longest_list_is_below_a_thousand() -> None:
    """It has more pieces, camps and treasures than a real game brings together."""
    state = crowded()
    listed = list(legal(game, state, state.seat))
    assert 300 < len(listed) < 1000
    assert len(group(listed)) < len(listed) / 3


# --- golden games ---------------------------------------------------------------------------------------------------


def scripts() -> dict[str, golden.Script]:
    found = ((path, golden.read(path.read_text("utf-8"))) for path in files())
    return {path.stem: script for path, script in found if script.game == "tikal"}


def test_there_is_a_golden_game_of_every_kind() -> None:
    """Basic and sealed with two, three and four seats, and an open auction."""
    kinds = {(script.seats, script.options) for script in scripts().values()}
    sealed = '{"variant":"auction"}'
    assert kinds >= {(seats, options) for seats in (2, 3, 4) for options in ("{}", sealed)}
    assert any('"open"' in options for _, options in kinds)


def test_a_tie_and_a_stuck_tile_are_among_them() -> None:
    told = {name: golden.write(script) for name, script in scripts().items()}
    assert "\n1. Seat 1, Seat 2\n" in told["two-tie"]
    assert "fits nowhere and is set aside" in told["three-stuck-last-tile"]


def test_a_seed_repeats_its_game() -> None:
    """The same seed gives the same end."""
    one, two = (selfplay.play(game, 3, TikalOptions(), selfplay.seed_of("again")) for _ in range(2))
    assert one == two
    assert selfplay.play(game, 3, AUCTION, selfplay.seed_of("again")).state.variant == "auction"
