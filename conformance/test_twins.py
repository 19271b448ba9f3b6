"""Nothing hidden leaks: the twins law over every hidden game."""

from __future__ import annotations

import pytest

from conformance.twins import play_twins, seals_what_it_hides, try_other_draws
from conformance.worlds import Table, daily, notes, tables, walked

hidden = [table for table in tables() if table.game.hidden(table.chosen)]
PAIRS = 12  # for each watcher; a game of very many steps gives a smaller number in its notes


@pytest.mark.parametrize("table", daily(hidden), ids=str)
def test_twins_stay_alike(table: Table) -> None:
    """Facts hidden by others do not change what a watcher sees or may do."""
    pairs = getattr(notes(table.key), "pairs", PAIRS)
    differed = sum(
        play_twins(table, watcher, number) for watcher in (None, 0, table.seats - 1) for number in range(pairs)
    )
    assert differed, "the worlds never differed, so the law has shown nothing"


@pytest.mark.parametrize("table", daily(hidden), ids=str)
def test_other_secret_draws_show_the_same_to_others(table: Table) -> None:
    """A secret draw reveals only what a seat may see, and nothing hidden depends on a public draw."""
    for step in walked(table):
        try_other_draws(table.game, table.seats, table.chosen, step)


@pytest.mark.parametrize("table", daily(hidden), ids=str)
def test_commands_that_look_alike_to_others_are_sealed_alike(table: Table) -> None:
    """`Command.sealed` hides whatever the events of a command hide; the API's document calls it `x-sealed`."""
    for step in walked(table)[1::5]:
        seals_what_it_hides(table.game, step)
