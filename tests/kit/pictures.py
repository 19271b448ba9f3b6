"""Boards and pictures of random games, to be looked at: `python -m tests.kit.pictures FOLDER [WORD ...]`.

For every table (`tikal-4-auction`) whose name holds a word (for all, without words) there are seven positions, as seen
by the seat to move, and by spectators if that differs: the first, an early one, a middle one, the one
with most to choose from, the most crowded, the last choice, the end. Each is written as text and as PNG, 640 and 360
pixels wide, on a light and on a dark page.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from engine.kit import active, view
from tests.kit.worlds import Table, tables, walked
from workers.mail.picture import drawn

WIDTHS = (640, 360)
PAGES = {"light": (255, 255, 255, 255), "dark": (17, 17, 17, 255)}
MARGIN = 12  # of the page around the picture, so that its edge is visible
NAMES = ("Ann", "Maximiliane von und zu Hohenstein", "Bob & <Co>", "\u6f22\u5b57\u306e\u540d\u524d", "E.")


def positions(table: Table) -> Iterator[tuple[str, Any]]:
    """Seven states of a random game, each with its name."""
    steps = walked(table)
    states = [step.after for step in steps]
    yield "1-first", states[0]
    yield "2-early", states[len(states) // 12]
    yield "3-middle", states[len(states) // 2]
    yield "4-choice", max(steps[1:], key=lambda step: len(step.legal)).before
    yield "5-crowded", max(states[:: max(1, len(states) // 60)], key=lambda state: len(_picture(table, state, None)))
    yield "6-last", steps[-1].before
    yield "7-over", states[-1]


def _picture(table: Table, state: Any, seat: int | None) -> str:
    return table.game.picture(view(table.game, state, seat), NAMES[: table.seats])


def seen(table: Table, state: Any) -> Iterator[tuple[str, int | None]]:
    """The watchers: a seat that is to move, and the public if it sees something else."""
    waiting = active(table.game, state)
    if waiting:
        yield "", waiting[0]
    if not waiting or view(table.game, state, None) != view(table.game, state, waiting[0]):
        yield "-anybody", None


def write(folder: Path, table: Table) -> Iterator[Path]:
    """All files of a table."""
    for word, state in positions(table):
        for who, seat in seen(table, state):
            stem = folder / f"{table}-{word}{who}"
            board = table.game.board(view(table.game, state, seat), NAMES[: table.seats])
            stem.with_suffix(".txt").write_text(board + "\n", "utf-8")
            yield from _render(stem, _picture(table, state, seat))


def _render(stem: Path, svg: str) -> Iterator[Path]:
    stem.with_suffix(".svg").write_text(svg, "utf-8")
    for width in WIDTHS:
        for page, ground in PAGES.items():
            path = stem.with_name(f"{stem.name}-{width}-{page}.png")
            path.write_bytes(drawn(on_page(svg), width, ground))
            yield path


def on_page(svg: str) -> str:
    """The picture with a margin, as on a page."""
    left, top, width, height = (float(part) for part in svg.partition('viewBox="')[2].partition('"')[0].split())
    wider = f"{left - MARGIN:g} {top - MARGIN:g} {width + 2 * MARGIN:g} {height + 2 * MARGIN:g}"
    _, _, rest = svg.partition(">")
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{wider}">{rest}'


def main(given: Sequence[str]) -> None:
    folder = Path(given[0])
    folder.mkdir(parents=True, exist_ok=True)
    for table in tables():
        if not given[1:] or any(word in str(table) for word in given[1:]):
            sys.stdout.write(f"{table}: {len(list(write(folder, table)))} pictures\n")


if __name__ == "__main__":
    main(sys.argv[1:])
