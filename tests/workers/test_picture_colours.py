"""The palette of a PNG holds every colour that the drawing declares: no two players become one colour."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from conformance.worlds import keys
from engine.kit import view
from tests.kit.worlds import Table, walked
from workers.mail import picture

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")


@pytest.mark.slow
@pytest.mark.parametrize("key", keys())
def test_no_two_declared_colours_merge(key: str) -> None:
    """At three positions of a game of as many players as there can be."""
    table = Table(key, min(5, Table(key, 2).game.meta.seats[1]))
    steps = walked(table)
    for step in (steps[0], steps[len(steps) // 2], steps[-1]):
        svg = table.game.picture(view(table.game, step.after, None), NAMES[: table.seats])
        kept = picture.declared(svg)
        asked = {tuple(kept[at : at + 3]) for at in range(0, len(kept), 3)}
        for made in picture.fewer_colours(picture.drawn(svg, 320), kept):
            with Image.open(BytesIO(made)) as shown:
                assert shown.mode != "P" or asked <= _palette(shown)


def _palette(shown: Image.Image) -> set[tuple[int, ...]]:
    flat = shown.getpalette() or []
    return {tuple(flat[at : at + 3]) for at in range(0, len(flat), 3)}


def test_declared_colours_are_read_from_the_drawing() -> None:
    """Long and short ones, each once, the most used first; colours in words do not count."""
    svg = '<svg><g fill="#abc"/><g fill="#102030" stroke="#aabbcc"/><text>#ffffff</text></svg>'
    assert picture.declared(svg) == bytes.fromhex("aabbcc102030")
