"""Strokes that the parts of the picture share: words, goods, Indians, the figures of the seats.

The picture is 660 units wide, so that its letters are readable on a phone; a `Part` is a piece of it below or beside
another.
"""

from __future__ import annotations

from textwrap import wrap

import msgspec

from engine.kit import escape, fitting

WIDTH, LEFT, GAP = 660, 10, 10
RIGHT = WIDTH - LEFT
INK, PAPER, SAND, SHORE = "#3b2f23", "#fbf6ea", "#efe2c0", "#b39c66"
SEAT_FILLS = ("#2f6fae", "#b9531f", "#2f7a40", "#7b4f9d", "#86630a")  # the colours of the five plates, on white
GOOD_FILLS = {
    "equipment": "#9aa1a8",
    "food": "#ea9aac",
    "fur": "#ecc445",
    "wood": "#94623a",
    "canoe": "#4b84c9",
    "horse": "#ffffff",
}
GOOD_LETTERS = {"equipment": "E", "food": "F", "fur": "U", "wood": "W", "canoe": "C", "horse": "H"}
RED = "#b3342b"
BODY, LINE = 13, 16  # letters of sentences, and their distance
MACKENZIE = len(SEAT_FILLS)  # in place of a seat


class Part(msgspec.Struct, frozen=True):
    """The drawing of a part, and where it ends."""

    drawn: tuple[str, ...]
    bottom: float


def text(x: float, y: float, words: object, **style: object) -> str:
    """Draw words at a place; `style` are attributes of SVG with `_` for `-`."""
    given = "".join(
        f' {name.replace("_", "-")}="{value:g}"' if isinstance(value, float) else f' {name.replace("_", "-")}="{value}"'
        for name, value in style.items()
    )
    return f'<text x="{x:g}" y="{y:g}"{given}>{escape(str(words))}</text>'


def heading(left: float, right: float, y: float, words: str, aside: str = "") -> str:
    """Draw the name of a part, with its command on the right."""
    name = text(left, y, words, font_size=17, font_weight="bold")
    return name + (text(right, y, f"to type: {aside}", text_anchor="end") if aside else "")


def fitted(x: float, y: float, words: str, room: float, size: float, **style: object) -> str:
    """Draw words in letters small enough to fit."""
    bold = style.get("font_weight") == "bold"
    return text(x, y, words, font_size=fitting(words, room, size, bold=bold), **style)


def lines(x: float, y: float, words: str, letters: int, **style: object) -> Part:
    """Draw a sentence in as many lines as it needs; `y` is the foot of the first."""
    rows = wrap(words, letters, break_on_hyphens=False)
    drawn = (text(x, y + LINE * at, row, **{"font_size": BODY, **style}) for at, row in enumerate(rows))
    return Part(tuple(drawn), y + LINE * len(rows))


def box(
    x: float, y: float, wide: float, high: float, fill: str, *, line: str = SHORE, round_: float = 6, thick: float = 1
) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="{round_:g}" fill="{fill}"'
        f' stroke="{line}" stroke-width="{thick:g}"/>'
    )


def hexagon(x: float, y: float, good: str | None, size: float = 9, inside: object = None) -> str:
    """Draw a good in its colour with its letter or `inside`, or an empty place for one."""
    a, b = size, size * 0.87
    path = f"M{x - a:g} {y:g} l{a / 2:g} {-b:g} h{a:g} l{a / 2:g} {b:g} l{-a / 2:g} {b:g} h{-a:g} Z"
    look = f'fill="{GOOD_FILLS[good]}" stroke="{INK}"' if good else f'fill="#fff" stroke="{SHORE}"'
    shown = GOOD_LETTERS[good] if good and inside is None else inside
    ink = "#fff" if good in {"wood", "canoe"} else "#222"
    said = text(
        x, y + size * 0.45, shown, font_size=size * 1.3, font_weight="bold", text_anchor="middle", fill=ink
    )  # fmt: skip
    return f'<path d="{path}" {look}/>' + (said if shown is not None else "")


def indian(x: float, y: float, *, there: bool = True, size: float = 7) -> str:
    """Draw an Indian as a red figure, or an empty circle."""
    if not there:
        return f'<circle cx="{x:g}" cy="{y:g}" r="{size:g}" fill="#fff" stroke="{SHORE}"/>'
    body = f"M{x - size:g} {y + size:g} q{size:g} {-2.4 * size:g} {2 * size:g} 0 Z"
    head = f'<circle cx="{x:g}" cy="{y - size * 0.55:g}" r="{size * 0.5:g}" fill="{RED}"/>'
    return f'<path d="{body}" fill="{RED}"/>' + head


# --- the figures of the seats ---------------------------------------------------------------------------------------


def scout(x: float, y: float, seat: int, size: float = 9) -> str:
    """Draw a disc with the number of its seat; Mackenzie's is black."""
    fill, label = (SEAT_FILLS[seat], str(seat + 1)) if seat < MACKENZIE else ("#222", "M")
    disc = f'<circle cx="{x:g}" cy="{y:g}" r="{size:g}" fill="{fill}" stroke="#fff" stroke-width="1.5"/>'
    return disc + _label(x, y + size * 0.42, label, size * 1.25)


def camp(x: float, y: float, seat: int, size: float = 9) -> str:
    """Draw a tent with the number of its seat."""
    path = f"M{x - size * 1.15:g} {y + size:g} l{size * 1.15:g} {-size * 2.1:g} l{size * 1.15:g} {size * 2.1:g} Z"
    tent = f'<path d="{path}" fill="{SEAT_FILLS[seat]}" stroke="#fff" stroke-width="1.5"/>'
    return tent + _label(x, y + size * 0.78, str(seat + 1), size * 1.1)


def both(x: float, y: float, seat: int, size: float = 9) -> str:
    """Draw a scout at its camp: a disc under a roof."""
    roof = f"M{x - size * 1.2:g} {y - size * 0.1:g} l{size * 1.2:g} {-size * 1.35:g} l{size * 1.2:g} {size * 1.35:g} Z"
    drawn = f'<path d="{roof}" fill="{SEAT_FILLS[seat]}" stroke="#fff" stroke-width="1.5"/>'
    return drawn + scout(x, y + size * 0.25, seat, size * 0.9)


def _label(x: float, y: float, words: str, size: float) -> str:
    return text(x, y, words, font_size=size, font_weight="bold", text_anchor="middle", fill="#fff")
