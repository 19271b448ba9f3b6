"""Questions that come up after every command are answered without lists; here lists check the quick answers."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.errors import Refused
from engine.games.lewis_clark import acts, game, phases, route
from engine.games.lewis_clark.boats import room
from engine.games.lewis_clark.commands import Camp, Recruit, can_recruit
from engine.games.lewis_clark.state import LewisClarkState
from engine.kit import active, allowed, decide, legal
from tests.kit.worlds import Table, turn_at, walked

TABLES = [Table("lewis_clark", seats, name) for seats in (1, 2, 3, 5) for name in ("default", "covered")]


def positions(table: Table) -> list[LewisClarkState]:
    """Return every position of a random game, including those with a forced step."""
    states = []
    for step in walked(table):
        if step.chosen is not None and step.seat is not None:
            turn = turn_at(step.before)
            decide(game, turn, step.seat, step.chosen)
            states += [step.before, turn.state]
    return [state for state in states if active(game, state)]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_command_is_forced_if_it_is_the_only_legal_one(table: Table) -> None:
    """And only then. A camp that brings nothing back is asked for."""
    for state in positions(table):
        listed = list(legal(game, state, state.seat))
        asked = len(listed) > 1 or (listed == [Camp()] and not state.player.table)
        assert game.forced(state, state.seat) == (None if asked else listed[0])


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_an_action_is_usable_if_a_command_uses_it(table: Table) -> None:
    for state in positions(table):
        if state.frames and state.frame.left:
            used = next(allowed(acts.kinds(state), state, state.seat), None)
            assert acts.usable(state, state.seat) == (used is not None)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_recruit_is_possible_if_a_command_recruits(table: Table) -> None:
    for state in positions(table):
        if Recruit in phases.phase(state, state.seat):
            found = next(allowed((Recruit,), state, state.seat), None)
            assert can_recruit(state, state.seat) == (found is not None)


@pytest.mark.parametrize("move", ["river", "mountain"])
@pytest.mark.parametrize("skipped", [(), (3, 4, 18, 19, 25, 31), tuple(range(-5, 50, 2))])
def test_reach_counts_the_steps_that_lead_further(move: route.Move, skipped: tuple[int, ...]) -> None:
    """From every space, for up to twelve steps."""
    for space in range(route.LOWEST, route.LAST + 1):
        lands = [route.walk(space, steps, move, skipped) for steps in range(13)]
        for most in range(13):
            further = sum(there > before for before, there in pairwise(lands[: most + 1]))
            assert route.reach(space, most, move, skipped) == further


def test_goods_fit_after_every_use() -> None:
    """`use` without a number never takes more than there is room for."""
    for state in positions(TABLES[4]):
        for command in legal(game, state, state.seat) if state.frames else ():
            turn = turn_at(state)
            try:
                decide(game, turn, state.seat, command)
            except Refused as no:  # pragma: no cover - would be a failure of another law
                raise AssertionError(no) from no
            player = turn.state.players[state.seat]
            assert player.goods.total <= room(player.tiles)
