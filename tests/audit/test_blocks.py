"""An audit compares in blocks of entries, and the length of a block changes no report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.record.audit import audit, walk
from tests.kit.games.bids import BidsOptions
from tests.kit.games.pig import PigOptions
from tests.kit.play_record import Record, bundle_of, rewrite

Body = dict[str, Any]
ONES = "A" * 42 + "E"


def other_state(seq: int) -> Callable[[Body], Body]:
    return lambda body: body | ({"state": ONES} if body["seq"] == seq else {})


def other_seals(seq: int) -> Callable[[Body], Body]:
    return lambda body: body | ({"seals": [ONES] * len(body["seals"])} if body["seq"] == seq else {})


def reports(data: bytes, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said = []
    for block in (1, 3, 64):
        monkeypatch.setattr(walk, "BLOCK", block)
        said.append(audit(data).text())
    return said


@pytest.mark.parametrize("seq", [3, 64, 65, 66, 100])
def test_an_open_game_with_a_false_state(seq: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first entry that fails each check is the same, on either side of the end of a block."""
    record = Record("pig", 2, seed=12, options=PigOptions(goal=100)).play()
    assert len(record.lines) > 100
    said = reports(bundle_of(rewrite(record.lines, other_state(seq))), monkeypatch)
    assert f"at entry {seq}" in said[0]
    assert said[0] == said[1] == said[2]


@pytest.mark.parametrize("seq", [3, 5, 7])
def test_a_hidden_game_with_false_seals(seq: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by the opening, and by the result of the rules."""
    record = Record("bids", 2, options=BidsOptions(lots=3)).play()
    said = reports(bundle_of(rewrite(record.lines, other_seals(seq)), record.openings), monkeypatch)
    assert f"at entry {seq}" in said[0]
    assert said[0] == said[1] == said[2]
