"""Proof that the suite finds states that a player imagines wrongly, and parts that leave something out."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from conformance.imagined import Unlike, allows_the_same, looks_alike
from conformance.test_players import held_everywhere, imagine_of, parts_add_up
from conformance.worlds import Table, walked
from engine.players import players


@pytest.mark.parametrize(
    ("forgets", "law"),
    [
        (lambda state: replace(state, gone=tuple(sorted(state.gone))), looks_alike),
        (lambda state: replace(state, bag=state.bag.add(["red"])), looks_alike),
        (lambda state: replace(state, todo=0), allows_the_same),
    ],
    ids=["who left last", "what is in the bag", "that a die is owed"],
)
def test_an_imagined_state_that_lacks_something_is_found(forgets: Any, law: Any) -> None:
    """Planted in `imagine` of Livingstone."""
    table = Table("livingstone", 4)
    with pytest.raises(Unlike):
        held_everywhere(table, law, lambda seen, rng: forgets(imagine_of(table)(seen, rng)))


def test_parts_that_leave_something_out_are_found() -> None:
    """Planted in Livingstone: the last part, the danger of being out, is forgotten."""
    offered, state = players("livingstone"), walked(Table("livingstone", 4))[8].after
    assert offered is not None
    assert offered.parts is not None
    short = replace(offered, parts=lambda state, seat: offered.parts(state, seat)[:-1])  # type: ignore[misc]
    parts_add_up(offered, state, 0)
    with pytest.raises(AssertionError, match="the parts add up to"):
        parts_add_up(short, state, 0)
