"""The curve of the chances as a picture: a line for each seat, with its name at the right end."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from engine.analysis.results import Analysis, Point
from engine.kit.fitting import fitting
from engine.kit.palette import Palette, painted

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 54, 500, 14, 262
NAME, SIZE, GAP = 126, 14, 17  # width of a name, size of letters, least distance of two names
LINES = {
    "seat-1": ("#b3261e", "#ff8a7a"),
    "seat-2": ("#1f5fa8", "#7db4f2"),
    "seat-3": ("#2f7a3f", "#7cc48a"),
    "seat-4": ("#8a6a00", "#e3c25c"),
    "seat-5": ("#6a3fa0", "#c3a0f0"),
}
DASHES = ("", "9 4", "2 4", "14 4 2 4", "5 2")  # so that lines are told apart without colours


def picture(analysis: Analysis, names: Sequence[str], palette: Palette = "light") -> str:
    """The curve as an SVG document, 640 wide; `names` by seat."""
    parts = [_frame(analysis), *(_line(analysis, seat) for seat in range(analysis.seats))]
    parts += [_mark(analysis, point, names) for point in analysis.points]
    parts += _names(analysis, names)
    title = "<title>The chance of each player to win, turn by turn</title>"
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    drawn = f'{title}<g font-family="sans-serif" font-size="{SIZE}">{"".join(parts)}</g>'
    return painted(f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">{drawn}</svg>', LINES, palette)


def _x(analysis: Analysis, seq: int) -> float:
    first, last = analysis.curve[0].seq, analysis.curve[-1].seq
    return LEFT + (RIGHT - LEFT) * (seq - first) / max(1, last - first)


def _y(chance: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * chance


def _frame(analysis: Analysis) -> str:
    rows = [
        f'<path d="M{LEFT} {_y(share):.1f}H{RIGHT}" stroke="@line"/>'
        f'<text x="{LEFT - 6}" y="{_y(share) + 5:.1f}" text-anchor="end" fill="@faint">{100 * share:.0f}%</text>'
        for share in (0, 0.25, 0.5, 0.75, 1)
    ]
    first, last = analysis.curve[0], analysis.curve[-1]
    foot = (
        f'<text x="{LEFT}" y="{HEIGHT - 16}" fill="@faint">turn {first.turn + 1}</text>'
        f'<text x="{RIGHT}" y="{HEIGHT - 16}" text-anchor="end" fill="@faint">turn {last.turn}</text>'
    )
    return f'<rect width="{WIDTH}" height="{HEIGHT}" fill="@paper"/>{"".join(rows)}{foot}'


def _line(analysis: Analysis, seat: int) -> str:
    places = " ".join(f"{_x(analysis, one.seq):.1f},{_y(one.chances[seat]):.1f}" for one in analysis.curve)
    dashes = f' stroke-dasharray="{DASHES[seat]}"' if DASHES[seat] else ""
    return f'<polyline points="{places}" fill="none" stroke="@seat-{seat + 1}" stroke-width="2.5"{dashes}/>'


def _mark(analysis: Analysis, point: Point, names: Sequence[str]) -> str:
    """A turning point on its player's line."""
    at = next(one for one in analysis.curve if one.seq >= point.seq)
    title = escape(f"Turn {point.turn}: {names[point.seat]}")
    place = f'cx="{_x(analysis, at.seq):.1f}" cy="{_y(at.chances[point.seat]):.1f}" r="5"'
    rim = f'stroke="@seat-{point.seat + 1}" stroke-width="2.5"'
    return f'<circle {place} fill="@paper" {rim}><title>{title}</title></circle>'


def _names(analysis: Analysis, names: Sequence[str]) -> list[str]:
    """The names at the ends of the lines, moved apart where these meet."""
    ends = sorted((_y(chance), seat) for seat, chance in enumerate(analysis.curve[-1].chances))
    drawn, free = [], float(TOP)
    for number, (end, seat) in enumerate(ends):
        y = min(max(end + SIZE / 3, free), HEIGHT - 24 - GAP * (len(ends) - 1 - number))
        free = y + GAP
        size = fitting(names[seat], NAME, SIZE)
        place = f'x="{RIGHT + 8}" y="{y:.1f}" font-size="{size}"'
        drawn.append(f'<text {place} fill="@seat-{seat + 1}">{escape(names[seat])}</text>')
    return drawn
