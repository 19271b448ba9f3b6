"""Strokes that the parts of the picture share: words, goods, Indians."""

from __future__ import annotations

from html import escape

INK, PAPER, SAND, SHORE = "#3b2f23", "#fbf6ea", "#efe2c0", "#cdb98a"
SEAT_FILLS = ("#2f6fae", "#cf6a3d", "#3f8f4f", "#7b4f9d", "#a87d10")  # the colours of the five plates
GOOD_FILLS = {
    "equipment": "#9aa1a8",
    "food": "#ea9aac",
    "fur": "#ecc445",
    "wood": "#94623a",
    "canoe": "#4b84c9",
    "horse": "#ffffff",
}
RED = "#b3342b"


def text(x: float, y: float, words: object, **style: object) -> str:
    """Words at a place; `style` are attributes of SVG with `_` for `-`."""
    given = "".join(
        f' {name.replace("_", "-")}="{value:g}"' if isinstance(value, float) else f' {name.replace("_", "-")}="{value}"'
        for name, value in style.items()
    )
    return f'<text x="{x:g}" y="{y:g}"{given}>{escape(str(words))}</text>'


def box(x: float, y: float, width: float, height: float, fill: str, *, line: str = SHORE, round_: float = 6) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round_:g}" fill="{fill}"'
        f' stroke="{line}"/>'
    )


def hexagon(x: float, y: float, good: str | None, size: float = 9) -> str:
    """A good of its colour, or an empty place for one."""
    a, b = size, size * 0.87
    path = f"M{x - a:g} {y:g} l{a / 2:g} {-b:g} h{a:g} l{a / 2:g} {b:g} l{-a / 2:g} {b:g} h{-a:g} Z"
    look = f'fill="{GOOD_FILLS[good]}" stroke="{INK}"' if good else f'fill="#fff" stroke="{SHORE}"'
    return f'<path d="{path}" {look}/>'


def indian(x: float, y: float, *, there: bool = True, size: float = 7) -> str:
    """An Indian as a red figure, or an empty circle."""
    if not there:
        return f'<circle cx="{x:g}" cy="{y:g}" r="{size:g}" fill="#fff" stroke="{SHORE}"/>'
    body = f"M{x - size:g} {y + size:g} q{size:g} {-2.4 * size:g} {2 * size:g} 0 Z"
    head = f'<circle cx="{x:g}" cy="{y - size * 0.55:g}" r="{size * 0.5:g}" fill="{RED}"/>'
    return f'<path d="{body}" fill="{RED}"/>' + head
