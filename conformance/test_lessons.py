"""Laws of guided first games."""

from __future__ import annotations

import pytest

from conformance.lessons import check
from conformance.worlds import keys
from engine import lessons

TAUGHT = [key for key in keys() if lessons.lesson(key)]


@pytest.mark.parametrize("key", TAUGHT)
def test_a_lesson_plays_through_and_gives_what_it_says(key: str) -> None:
    """From its seed, by the rules; each prompt's move is legal, and each number in its sentences is from somewhere."""
    check(key, lessons.find(key))
