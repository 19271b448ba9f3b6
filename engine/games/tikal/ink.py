"""Colours, and the few SVG elements of which the picture is made."""

from __future__ import annotations

from math import cos, pi, sin

COLOURS = ("#c0392b", "#2c6fb0", "#c8860d", "#7b4f9d")  # by seat
PALE = ("#f6dcd8", "#d8e6f3", "#faecc8", "#e6dbee")
INK, PAPER, SAND = "#33291d", "#fbf6ea", "#efe3c4"
JUNGLE, LEAF, RIM = "#2f5d3a", "#3d7048", "#234a2d"
STONE, SHADE = "#a29a8d", "#5f584d"
GOLD, BRONZE = "#f0c75e", "#a67c1a"


def element(name: str, inside: str = "", /, **style: object) -> str:
    """Return an element; numbers are rounded, and `font_size` is written `font-size`."""
    given = "".join(f' {key.replace("_", "-")}="{_short(value)}"' for key, value in style.items())
    return f"<{name}{given}>{inside}</{name}>" if inside else f"<{name}{given}/>"


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def text(x: float, y: float, words: object, /, **style: object) -> str:
    return element("text", str(words), x=x, y=y, **style)


def middle(x: float, y: float, words: object, /, **style: object) -> str:
    return text(x, y, words, text_anchor="middle", **style)


def moved(x: float, y: float, *inside: str, **style: object) -> str:
    return element("g", "".join(inside), transform=f"translate({x:.4g} {y:.4g})", **style)


def circle(x: float, y: float, r: float, /, **style: object) -> str:
    return element("circle", cx=x, cy=y, r=r, **style)


def path(d: str, /, **style: object) -> str:
    return element("path", d=d, **style)


def box(x: float, y: float, width: float, height: float, /, **style: object) -> str:
    return element("rect", x=x, y=y, width=width, height=height, **style)


def hexagon(radius: float, /, **style: object) -> str:
    """Return a hexagon around 0 0, flat on top."""
    corners = ((radius * cos(at * pi / 3), radius * sin(at * pi / 3)) for at in range(6))
    return element("polygon", points=" ".join(f"{x:.4g},{y:.4g}" for x, y in corners), **style)
