"""The parts of a board that a terminal may colour, in random games of every game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from conformance.worlds import keys
from engine import kit, registry, selfplay

NAMES = ("Ada", "Adalbert Long-Winded", "Ben", "Ada Ma", "Zoë")


def boards(key: str) -> Iterator[tuple[str, Sequence[kit.Span], tuple[str, ...]]]:
    """Ten positions of a game, seen by the seat to move: the text, its spans, the names."""
    game = registry.find(key)
    seats = min(game.meta.seats[1], len(NAMES))
    walked = list(selfplay.walk(game, seats, game.meta.options(), selfplay.seed_of("spans")))
    for step in walked[:: max(1, len(walked) // 10)]:
        seat = next(iter(kit.active(game, step.after)), None)
        text = game.board(kit.view(game, step.after, seat), NAMES[:seats])
        yield text, kit.spans(game, text, NAMES[:seats]), NAMES[:seats]


@pytest.mark.parametrize("key", keys())
def test_spans_lie_on_the_board_and_apart(key: str) -> None:
    """Each has a length, lies within its line, and begins after the one before it has ended."""
    for text, spans, _ in boards(key):
        lines, before = text.split("\n"), (0, 0)
        for span in spans:
            assert span.length > 0
            assert span.column + span.length <= len(lines[span.row])
            assert (span.row, span.column) >= before
            before = (span.row, span.column + span.length)


@pytest.mark.parametrize("key", keys())
def test_a_marked_name_belongs_to_its_seat(key: str) -> None:
    """A name that is marked as a seat's, whole or cut, is the name of that seat; every game has some."""
    found = 0
    for text, spans, names in boards(key):
        lines = text.split("\n")
        for span in spans:
            word = lines[span.row][span.column : span.column + span.length]
            fits = [f"seat-{seat}" for seat, name in enumerate(names, 1) if word in (name, kit.cut(name, len(word)))]
            if fits and len(word) > 2:
                found += 1
                assert span.role in fits
    assert found > 10
