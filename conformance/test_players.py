"""Laws of players: what a seat sees is enough to imagine a state, and a policy uses nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest

from conformance.imagined import Imagine, allows_the_same, looks_alike
from conformance.turns import turn_at
from conformance.twins import pairs_of_twins
from conformance.worlds import Table, daily, tables, walked
from engine import replay
from engine.chance import Lane
from engine.kit import Step, active, legal, view
from engine.players import Facts, Players, Positions, levels, players
from engine.selfplay import Walked

played = [table for table in tables() if players(table.key) is not None]
imagined = [table for table in played if getattr(players(table.key), "imagine", None)]
judged = [table for table in imagined if getattr(players(table.key), "parts", None)]
hidden = [table for table in imagined if table.game.hidden(table.chosen) and table.seats > 1]
MOST = 60  # positions of a game
FEW = 3  # positions of a game in which every level chooses
NEAR = 1e-6  # the same number, added up in another order
THOUGHT = 300  # positions that a level may look at here


def some(table: Table, most: int = MOST) -> list[Walked]:
    """At most this many steps of a walk, spread from its beginning to its end."""
    steps = walked(table)
    return [*steps[:: -(-len(steps) // most)], steps[-1]]


def states(table: Table) -> Iterator[Any]:
    """Positions of a game, the last one among them, and one where two have resigned, the later seat first."""
    yield from (step.after for step in some(table))
    if table.seats > 2:
        turn = turn_at(walked(table)[len(walked(table)) // 2].after)
        for seat in (table.seats - 1, 0):
            replay.resign(table.game, turn, seat)
        yield turn.state


def imagine_of(table: Table) -> Imagine:
    offered = players(table.key)
    assert offered is not None
    assert offered.imagine is not None
    return offered.imagine


def parts_add_up(offered: Players, state: Any, seat: int) -> None:
    assert offered.parts is not None
    assert offered.worth is not None, "parts without a `worth`"
    total, worth = sum(part.value for part in offered.parts(state, seat)), offered.worth(state, seat)
    assert abs(total - worth) < NEAR, f"the parts add up to {total}, `worth` is {worth}"


def held_everywhere(table: Table, law: Any, imagine: Imagine) -> None:
    rng = random.Random(str(table))
    for state in states(table):
        law(table.game, state, imagine, rng)


@pytest.mark.parametrize("table", imagined, ids=str)
def test_an_imagined_state_has_the_view_it_was_made_from(table: Table) -> None:
    """In the middle of a game, after its end, and when others have left."""
    held_everywhere(table, looks_alike, imagine_of(table))


@pytest.mark.parametrize("table", imagined, ids=str)
def test_legal_commands_are_legal_in_an_imagined_state(table: Table) -> None:
    """In its own turn: so a player needs nothing but its view."""
    held_everywhere(table, allows_the_same, imagine_of(table))


@pytest.mark.parametrize("table", daily(judged), ids=str)
def test_the_parts_of_a_judgement_add_up_to_it(table: Table) -> None:
    """So a reason hides nothing that counts."""
    offered = players(table.key)
    assert offered is not None
    for state in states(table):
        for seat in range(table.seats):
            parts_add_up(offered, state, seat)


@pytest.mark.parametrize("table", daily(played), ids=str)
def test_a_view_from_the_api_is_the_view(table: Table) -> None:
    """A player over HTTP has only JSON."""
    offered = players(table.key)
    assert offered is not None
    for step in some(table, 10):
        for seat in (None, 0):
            seen = view(table.game, step.after, seat)
            assert offered.read(msgspec.json.encode(seen)) == seen


@pytest.mark.parametrize("table", daily(played), ids=str)
def test_every_level_gives_a_legal_answer_without_drawing_from_the_game(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real lanes raise while a player chooses."""

    def peeked(_lane: Lane, _n: int) -> int:
        raise AssertionError("a player has drawn from a lane of the game")

    steps = some(table, FEW)[:-1]
    monkeypatch.setattr(Lane, "roll", peeked)
    for step in steps:
        for seat in active(table.game, step.after):
            listed = tuple(legal(table.game, step.after, seat))
            for name in levels(table.game):
                assert _asked(table, step.after, seat, name)[0] in listed


@pytest.mark.parametrize("table", daily(played), ids=str)
def test_a_line_is_played_as_it_stands(table: Table) -> None:
    """The game accepts each of its commands, up to a decision by chance or by others."""
    for step in some(table, FEW)[:-1]:
        for seat in active(table.game, step.after):
            for name in levels(table.game):
                line = _asked(table, step.after, seat, name)
                moved = replay.move(table.game, turn_at(step.after), seat, tuple(map(Step, line)))
                assert (moved.done, moved.refusal) == (len(line), None)


@pytest.mark.parametrize("table", daily(hidden), ids=str)
def test_twins_get_the_same_answer(table: Table) -> None:
    """In two worlds that a seat cannot tell apart, the same seed of the player gives the same answer."""
    pairs = (pair for number in range(8) for pair in pairs_of_twins(table, 0, number))
    differ = list(islice(((a, b) for a, b in pairs if a != b and 0 in active(table.game, a)), 10 * FEW))
    assert differ, "the worlds never differed, so the law has shown nothing"
    for a, b in differ[:: -(-len(differ) // FEW)]:
        for name in levels(table.game):
            assert _asked(table, a, 0, name) == _asked(table, b, 0, name)


def _asked(table: Table, state: Any, seat: int, name: str) -> tuple[Any, ...]:
    facts = Facts(game=table.game, seat=seat, options=table.chosen, budget=Positions(THOUGHT))
    listed = tuple(legal(table.game, state, seat))
    return levels(table.game)[name].line(facts, view(table.game, state, seat), listed, random.Random(7))
