"""The elements of pictures: shapes, words and small signs. A colour is the name of a role, as in `fill="@ink"`."""

from __future__ import annotations

from textwrap import wrap

from engine.kit.fitting import fitting
from engine.kit.letters import cut, escape, width

PIPS = ("4", "08", "048", "0268", "02468", "023568")  # by face: the places of a field of three by three


def element(name: str, inside: str = "", /, **style: object) -> str:
    """An element. Numbers are rounded, `font_size` is written `font-size`, and `bold` and `middle` are short forms."""
    given = "".join(_attribute(key, value) for key, value in style.items())
    return f"<{name}{given}>{inside}</{name}>" if inside else f"<{name}{given}/>"


def _attribute(key: str, value: object) -> str:
    if key in _SHORT:
        return _SHORT[key] if value else ""
    shown = f"{value:.5g}" if isinstance(value, float) else value
    return f' {key.replace("_", "-")}="{shown}"'


_SHORT = {"bold": ' font-weight="bold"', "middle": ' text-anchor="middle"', "end": ' text-anchor="end"'}


def text(x: float, y: float, words: object, size: float, /, **style: object) -> str:
    """Words at a place; `y` is their base line."""
    return element("text", escape(str(words)), x=x, y=y, font_size=size, **style)


def fitted(x: float, y: float, words: str, room: float, most: float, least: float, /, **style: object) -> str:
    """Words in letters between these sizes, so small that they fit into the room; at the least size they are cut."""
    bold = bool(style.get("bold"))
    columns = width(words)
    while columns > 1 and fitting(cut(words, columns), room, most, bold=bold) < least:
        columns -= 1
    shown = cut(words, columns)
    return text(x, y, shown, max(least, fitting(shown, room, most, bold=bold)), **style)


def lines(
    x: float, y: float, words: str, size: float, columns: int, /, **style: object
) -> tuple[tuple[str, ...], float]:
    """A sentence in as many lines as it takes, and the base line of the next one."""
    rows = folded(words, columns)
    step = 1.3 * size
    return tuple(text(x, y + step * at, row, size, **style) for at, row in enumerate(rows)), y + step * len(rows)


def folded(words: str, columns: int) -> list[str]:
    """A sentence in lines of at most this many columns."""
    if width(words) == len(words):
        return wrap(words, columns, break_on_hyphens=False)
    found: list[str] = []
    for word in words.split():
        if found and width(found[-1]) + 1 + width(word) <= columns:
            found[-1] += f" {word}"
        else:
            found.append(word)
    return found


def moved(x: float, y: float, *inside: str, scale: float = 1.0) -> str:
    """A drawing moved from its own origin to this place."""
    larger = f" scale({scale:.4g})" if scale != 1 else ""
    return f'<g transform="translate({x:.5g} {y:.5g}){larger}">{"".join(inside)}</g>'


def titled(title: str, *drawn: str) -> str:
    """A drawing with a title: everything that changes has one, so that a reader can be told what has changed."""
    return f"<g><title>{escape(title)}</title>{''.join(drawn)}</g>"


def circle(x: float, y: float, r: float, /, **style: object) -> str:
    return element("circle", cx=x, cy=y, r=r, **style)


def path(d: str, /, **style: object) -> str:
    return element("path", d=d, **style)


def box(x: float, y: float, wide: float, high: float, /, **style: object) -> str:
    return element("rect", x=x, y=y, width=wide, height=high, **style)


# --- small signs ----------------------------------------------------------------------------------------------------


def die(x: float, y: float, face: int, size: float = 56.0, /, fill: str = "@dice", ink: str = "@pips") -> str:
    """A die with its pips, from its upper left corner."""
    step, first = size * 0.26, size * 0.24
    pips = (
        circle(x + first + step * (int(at) % 3), y + first + step * (int(at) // 3), size * 0.095, fill=ink)
        for at in PIPS[face - 1]
    )
    return box(x, y, size, size, rx=size * 0.18, fill=fill, stroke="@edge", stroke_width=size / 24) + "".join(pips)


def laurel(x: float, y: float, size: float = 16.0, /) -> str:
    """A wreath around a place: the sign of a winner."""
    leaf = "M0 0 q-5 -3 -4 -9 q6 2 4 9 Z"
    turns = ((-150, -9.5, 5), (-120, -11.5, 0), (-90, -11, -5), (-60, -8.5, -9.5))
    left = "".join(path(leaf, transform=f"translate({a:g} {b:g}) rotate({turn + 100})") for turn, a, b in turns)
    stem = path("M0 11 Q-11 9 -11.500 -1 Q-11 -7 -8 -11", fill="none", stroke="@laurel", stroke_width=1.6)
    half = element("g", stem + left, fill="@laurel")
    both = half + element("g", half, transform="scale(-1 1)")
    return moved(x, y, both, scale=size / 14)
