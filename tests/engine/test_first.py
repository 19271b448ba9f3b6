"""The first player is drawn in public, in every game with more than one seat."""

from __future__ import annotations

import pytest

from engine import registry, replay
from engine.kit import FirstPlayerDrawn, active, tell
from tests.kit.worlds import Table, daily, lanes, tables, told

several = [table for table in tables() if table.seats > 1 and table.key != "pig"]  # see its docstring


@pytest.mark.parametrize("table", daily(several), ids=str)
def test_every_seat_may_begin(table: Table) -> None:
    """One event names the seat, which alone is active first."""
    drawn = set()
    for number in range(60):
        turn = replay.start(table.game, table.seats, table.chosen, *lanes(f"begin-{number}", None))
        (event,) = told(turn, FirstPlayerDrawn)
        assert tell(event, [f"P{seat}" for seat in range(table.seats)]) == f"P{event.seat} was drawn to begin."
        assert turn.state.starter == event.seat
        asked = active(table.game, turn.state)
        assert len(asked) > 1 or asked == (event.seat,)
        drawn.add(event.seat)
    assert drawn == set(range(table.seats))


def test_a_single_player_begins_without_a_draw() -> None:
    game = registry.find("lewis_clark")
    turn = replay.start(game, 1, game.meta.options(), *lanes("alone", None))
    assert told(turn, FirstPlayerDrawn) == []


def test_the_order_of_play_starts_at_the_first_player() -> None:
    state = replay.start(registry.find("bids"), 4, registry.find("bids").meta.options(), *lanes("order", 2)).state
    assert (state.order(), state.order(1)) == ((2, 3, 0, 1), (1, 2, 3, 0))
