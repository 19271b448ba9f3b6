"""Proof that the laws of guided first games find faults: the lesson of Livingstone with one fault planted."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from conformance.lessons import Mistaught, check
from conformance.test_lessons import TAUGHT
from engine import lessons, registry
from engine.errors import SealedMoveError

KEY = "livingstone"


def test_every_title_has_a_lesson() -> None:
    titles = {key for key, game in registry.games().items() if game.meta.stage != "tiny"}
    assert titles <= set(TAUGHT)


@pytest.mark.parametrize(
    ("step", "fault", "found"),
    [
        (0, {"asks": "Take the 2 and place a tent: it costs 4 coins."}, "its 4 is from"),
        (0, {"move": "tent 5"}, "no-such-die"),
        (8, {"move": "end", "then": ()}, "not legal there|not-active"),
        (2, {"move": "mi 4"}, "bad-notation"),
        (4, {"changes": {"players.0.coins": (2, 8)}}, "is 2, then 7"),
        (4, {"changes": {"players.0.points": (2, 2)}}, "does not change"),
        (4, {"changes": {}}, "says nothing"),
        (4, {"facts": {"prices": [1, 3, 6]}}, "the lesson has"),
        (4, {"facts": {}}, "its 3 is from"),
        (3, {"later": {"players.0.points": (0, 3)}}, "then 2"),
        (6, {"quotes": ("Each die you take must be lower",)}, "the guide does not say"),
        (6, {"asks": "End your turn with 9 coins."}, "its 9 is from"),
        (6, {"asks": "End your turn with nine coins."}, "its nine is from"),
        (6, {"why": "because " * 46}, "46 words"),
    ],
)
def test_a_planted_fault_is_found(step: int, fault: dict[str, Any], found: str) -> None:
    taught = lessons.find(KEY)
    steps = list(taught.steps)
    steps[step] = replace(steps[step], **fault)
    with pytest.raises((Mistaught, SealedMoveError), match=found):
        check(KEY, replace(taught, steps=tuple(steps)))


def test_a_lesson_of_nine_steps_is_too_short() -> None:
    taught = lessons.find(KEY)
    with pytest.raises(Mistaught, match="9 steps"):
        check(KEY, replace(taught, steps=taught.steps[:9]))
