"""The part of a position for a telephone: where something has happened, and where something can be done (pure).

A telephone shows 640 pixels on 360, so words become too small there. This part has 360 pixels of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import accumulate, product
from typing import Any

import msgspec
from PIL import Image

from engine.game import Command, Event
from engine.kit import arranged
from engine.kit.pointing import pointed
from workers.mail import picture

WIDTH, HEIGHTS, LOWEST = 360, (360, 260), 120  # pixels; less of a drawing with many details
MOST = picture.OF_PART
MARKS = re.compile(r'<g data-word="([^"]*)"(?: data-seat="([0-9]+)")?')
ZONES = re.compile(r'<g data-zone="([a-z0-9-]+)".*')
TEXTS = re.compile(r"<text\b.*?</text>", re.DOTALL)
NEAR = re.compile(r' data-near="([^"]*)"')
BESIDE = ("head", "legend", "supply")  # a mail says what is in them
CELLS = 80  # across a drawing, in which marks are counted
CLEAR = (0, 0, 0, 0)


def focused(svg: str, words: Iterable[str]) -> str | None:
    """The drawing with the marks that these words point at, for `png`; None if they point at nothing in it."""
    known = frozenset(words)
    found = [_name(mark) for mark in MARKS.finditer(svg) if _is_meant(mark, known)]
    return svg.replace("<svg", f'<svg data-near="{"|".join(dict.fromkeys(found))}"', 1) if found else None


def _name(mark: re.Match[str]) -> str:
    return f"{mark[1]}@{mark[2]}" if mark[2] else mark[1]


def _is_meant(mark: re.Match[str], known: frozenset[str]) -> bool:
    """A mark has one kind for each of its words, or several kinds for one. `*:word` is the word of any kind."""
    every = [one.partition(":") for one in mark[1].split()]
    meant = {word for kind, _, word in every if known & {f"{kind}:{word}", f"*:{word}", f"{kind}:{word}@{mark[2]}"}}
    return meant == {word for _, _, word in every}


def of_commands(commands: Iterable[Command], seat: int) -> Iterator[str]:
    """What commands point at; a piece with its owner."""
    for command in commands:
        for word in pointed(command, seat):
            owner = "" if word.seat is None else f"@{word.seat + 1}"
            yield from (f"{word.kind}:{part}{owner}" for part in word.parts or (word.text,) if word.kind)


def of_events(events: Iterable[Event]) -> Iterator[str]:
    """What events, as their reader sees them, speak of: names of any kind, and numbers by the name of their field."""
    for event in events:
        yield from _of_value("", msgspec.to_builtins(event))


def _of_value(field: str, value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _of_value(str(name), inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _of_value(field, inner)
    elif isinstance(value, str | int) and field not in ("is", "seat"):
        yield f"*:{value}" if isinstance(value, str) else f"{field}:{value}"


# --- drawing --------------------------------------------------------------------------------------------------------


def png(svg: str) -> bytes | None:
    """The part of a drawing that was `focused`, or all of any other; None if it cannot be drawn, or is too large."""
    return picture.safely(_fitting, svg) if NEAR.search(svg) else picture.png(svg)


def _fitting(svg: str) -> bytes | None:
    """The zone with most of these marks; of one that is high or wide the part around them."""
    found = NEAR.search(svg)
    assert found is not None
    marks, plain = frozenset(found[1].split("|")), NEAR.sub("", svg, count=1)
    zone = _zone(plain, marks)
    if not zone:
        return None
    others = [name[1] for name in ZONES.finditer(plain) if name[1] != zone]
    alone = arranged(plain, 2, others)
    is_wide = picture.box_of(arranged(plain, 1, others))[3] < picture.box_of(alone)[3]
    across, cells = CELLS * WIDTH // picture.WIDTH if is_wide else CELLS // 2, _cells(alone, marks)
    parts = (_part(alone, _window(cells, across, across * high // WIDTH)) for high in HEIGHTS)
    tries = (_drawn(part, picture.declared(svg)) for part in parts)
    return next((made for made in tries if made is not None), None)


def _zone(svg: str, marks: frozenset[str]) -> str:
    """The zone with most of these marks; "" if there is none."""
    counts = {
        zone[1]: sum(_name(mark) in marks for mark in MARKS.finditer(zone[0]))
        for zone in ZONES.finditer(svg)
        if zone[1] not in BESIDE
    }
    best = max(counts, key=lambda name: counts[name], default="")
    return best if counts.get(best) else ""


def _part(svg: str, window: tuple[int, int, int, int]) -> str:
    left, top, wide, high = picture.box_of(svg)
    unit = wide / CELLS
    x, y, across, down = (size * unit for size in window)
    return picture.viewed(svg, left + x, top + y, across, min(down, high - y))


def _drawn(part: str, kept: bytes) -> bytes | None:
    """With hard edges if it is too large otherwise."""
    for edges in (part, picture.hard_edged(part)):
        made = min(picture.fewer_colours(picture.drawn(edges, WIDTH), kept), key=len)
        if len(made) <= MOST:
            return made
    return None


def _cells(svg: str, marks: frozenset[str]) -> list[list[int]]:
    """Rows of cells: 1 where one of these marks is drawn. Words, which take longest, are left out: marks are shapes."""
    shown = MARKS.sub(lambda mark: mark[0] + ' visibility="visible"' * (_name(mark) in marks), TEXTS.sub("", svg))
    with Image.open(BytesIO(picture.drawn(shown.replace("<svg", '<svg visibility="hidden"', 1), CELLS, CLEAR))) as mask:
        alpha = mask.convert("RGBA").getchannel("A")
    flat, width = [int(value > 0) for value in alpha.tobytes()], alpha.width
    return [flat[at : at + width] for at in range(0, len(flat), width)]


def _window(cells: Sequence[Sequence[int]], across: int, down: int) -> tuple[int, int, int, int]:
    """The window with the most marks, and not much higher than they are: upper left corner and size, in cells."""
    down = min(len(cells), down)
    sums = [[0] * (CELLS + 1)]
    for row in cells:
        sums.append([above + here for above, here in zip(sums[-1], accumulate(row, initial=0), strict=True)])

    def count(place: tuple[int, int]) -> int:
        x, y = place
        return sums[y + down][x + across] - sums[y][x + across] - sums[y + down][x] + sums[y][x]

    x, y = max(product(range(CELLS - across + 1), range(len(cells) - down + 1)), key=count)
    rows = [row for row in range(y, y + down) if any(cells[row][x : x + across])] or [y]
    columns = [column for column in range(x, x + across) if any(row[column] for row in cells[y : y + down])] or [x]
    high = min(down, max(across * LOWEST // WIDTH, rows[-1] - rows[0] + 3))
    left, top = (columns[0] + columns[-1] + 1 - across) // 2, (rows[0] + rows[-1] + 1 - high) // 2
    return max(0, min(left, CELLS - across)), max(0, min(top, len(cells) - high)), across, high
