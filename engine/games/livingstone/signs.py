"""The small signs of the picture: tents, coins, gems, cards."""

from __future__ import annotations

from engine.kit import box, circle, die, moved, path, text

SEATS = {
    "seat-1": ("#b93226", "#c8473a"),
    "seat-2": ("#2563a0", "#3f7fc0"),
    "seat-3": ("#7d5200", "#a87410"),
    "seat-4": ("#256b38", "#3b8a50"),
    "seat-5": ("#74479a", "#8f62b5"),
}
ROLES = SEATS | {
    "sky": ("#e6f0ee", "#232a33"),
    "hills": ("#b9c9ae", "#2b3834"),
    "land-3": ("#e3d9a2", "#3c3a26"),
    "land-2": ("#d6d592", "#3a4028"),
    "land-1": ("#bccd82", "#344428"),
    "path": ("#fbe9a9", "#5f5526"),
    "clearing": ("#f2e8c6", "#4b4633"),
    "clear-lit": ("#fff8dc", "#7a6d38"),
    "leaf": ("#6f8f4e", "#5d7c45"),
    "trunk": ("#7b5a38", "#8a6a48"),
    "wood": ("#e2c391", "#7c5f38"),
    "river": ("#6fb0d2", "#245a7c"),
    "wave": ("#d8eef8", "#4f8db2"),
    "spray": ("#f7fcff", "#b9d5e4"),
    "hull": ("#f8f4ea", "#d8d0bf"),
    "cabin": ("#f0d9a8", "#b99a62"),
    "funnel": ("#c0392b", "#c0392b"),
    "gold": ("#eac24a", "#e0b53c"),
    "gold-ink": ("#5a3f06", "#4a3404"),
    "clear": ("#f4fbff", "#dff1fa"),
    "blue": ("#3f7fd0", "#5b9be8"),
    "red": ("#d0384a", "#ee5d6c"),
    "black": ("#3a3a3a", "#5a5a5a"),
    "white": ("#ffffff", "#fafafa"),
}


def tent(x: float, y: float, fill: str, words: str, size: float = 1.0) -> str:
    """A tent around a place, 56 wide and 48 high; small ones have steeper walls, so that their number fits."""
    if size < 0.9 and words:
        body = path("M-13 16 L-15 -2 L0 -17 L15 -2 L13 16 Z", fill=f"@{fill}", stroke="@edge", stroke_width=1.5)
        return moved(x, y, body, text(0, 12, words, 28, bold=True, middle=True, fill="@on-seat"))
    body = path("M-28 21 L-3 -23 M28 21 L3 -23", fill="none", stroke="@edge", stroke_width=3)
    cloth = path("M-27 21 Q-8 2 0 -19 Q8 2 27 21 Z", fill=f"@{fill}", stroke="@edge", stroke_width=1.8)
    flap = path("M0 -1 L6 21 H-6 Z", fill="@edge") if not words else ""
    number = text(0, 19, words, 28, bold=True, middle=True, fill="@on-seat") if words else ""
    return moved(x, y, body, cloth, flap, number, scale=size)


def coin(x: float, y: float, r: float = 15.0, words: object = "") -> str:
    """A gold coin, with a number on it."""
    disc = circle(x, y, r, fill="@gold", stroke="@gold-ink", stroke_width=r / 8)
    if words == "":
        return disc + circle(x, y, r * 0.62, fill="none", stroke="@gold-ink", stroke_width=r / 10)
    return disc + text(x, y + r * 0.42, words, max(14.0, r * 1.2), bold=True, middle=True, fill="@gold-ink")


def medal(x: float, y: float, points: object) -> str:
    """A medal with the points for the most tents in a row."""
    ribbon = path(f"M{x - 15:g} {y - 33:g} h30 l-6 20 h-18 Z", fill="@funnel")
    disc = circle(x, y + 4, 23, fill="@gold", stroke="@gold-ink", stroke_width=2)
    return ribbon + disc + text(x, y + 14, points, 28, bold=True, middle=True, fill="@gold-ink")


def gem(kind: str, x: float, y: float, size: float = 1.0) -> str:
    """A cut stone around a place, 26 wide and 24 high."""
    stone = path("M-13 -4 L-7 -12 H7 L13 -4 L0 12 Z", fill=f"@{kind}", stroke="@edge", stroke_width=1.5)
    cut = path("M-13 -4 H13 M-5 -4 L0 12 L5 -4 L0 -12 Z", fill="none", stroke="@edge", stroke_width=0.8)
    return moved(x, y, stone, cut, scale=size)


def pebble(kind: str, x: float, y: float) -> str:
    return path(
        f"M{x - 11:g} {y + 3:g} q1 -12 12 -12 q11 2 11 11 q-3 8 -12 8 q-10 0 -11 -7 Z",
        fill=f"@{kind}",
        stroke="@edge",
        stroke_width=1.5,
    )


def star(x: float, y: float, words: object) -> str:
    """Points: a number on a star."""
    shape = "M0 -17 L5 -6 L17 -5 L8 3 L11 15 L0 9 L-11 15 L-8 3 L-17 -5 L-5 -6 Z"
    drawn = path(shape, fill="@gold", stroke="@gold-ink")
    return moved(x, y, drawn, text(0, 6, words, 15, bold=True, middle=True, fill="@gold-ink"))


def back(x: float, y: float, wide: float = 26.0, high: float = 36.0) -> str:
    """The back of a card."""
    frame = box(x, y, wide, high, rx=4, fill="@funnel", stroke="@edge", stroke_width=1.5)
    return frame + box(x + 4, y + 4, wide - 8, high - 8, rx=2, fill="none", stroke="@gold", stroke_width=1.5)


def bag(x: float, y: float) -> str:
    body = path(
        f"M{x - 8:g} {y - 8:g} q-12 12 -8 22 q8 8 24 0 q4 -10 -8 -22 Z", fill="@wood", stroke="@edge", stroke_width=1.5
    )
    return body + path(f"M{x - 11:g} {y - 14:g} l3 6 h8 l3 -6 Z", fill="@wood", stroke="@edge", stroke_width=1.5)


def arrow(x: float, y: float) -> str:
    return path(f"M{x - 9:g} {y:g} h14 M{x:g} {y - 5:g} l6 5 -6 5", fill="none", stroke="@ink", stroke_width=2)


def steamer(x: float, y: float) -> str:
    return moved(x, y, path("M-16 2 h32 l-5 10 h-22 Z M-9 1 v-8 h16 v8 Z M-2 -7 v-8 h5 v8 Z", fill="@ink"))


def animal(x: float, y: float, kind: str) -> str:
    """The outline of an animal, about 36 wide."""
    return moved(x, y, path(ANIMALS[kind], fill="@ink"))


ANIMALS = {
    "lion": "M-18 12 V2 Q-16 -4 -6 -4 H4 Q4 -14 12 -14 Q20 -13 19 -5 Q18 2 11 3 V12 H7 V4 H-11 V12 H-15 V3 Z",
    "rhino": "M-18 12 V-2 Q-14 -10 -2 -8 L8 -7 L13 -10 L12 -5 L16 -4 L20 -13 L20 -1 Q18 5 10 4 V12 H6 V5 H-10 V12 Z",
    "antelope": "M-16 12 V0 Q-14 -6 -4 -5 L4 -6 L8 -11 2 -19 11 -11 12 -19 14 -10 19 -5 11 -2 9 4 V12 H6 V4 H-10 V12 Z",
}


def mini_tent(x: float, y: float, *, raised: bool = False) -> str:
    up = path(f"M{x - 5:g} {y - 17:g} l5 -6 5 6", fill="none", stroke="@good", stroke_width=2.5) if raised else ""
    return up + path(
        f"M{x - 15:g} {y + 12:g} L{x:g} {y - 13:g} L{x + 15:g} {y + 12:g} Z M{x:g} {y - 13:g} l4 25 h-8 Z",
        fill="@ink",
        fill_rule="evenodd",
    )


def small_die(x: float, y: float, face: int, size: float = 26.0) -> str:
    return die(x - size / 2, y - size / 2, face, size)


def any_row(x: float, y: float) -> str:
    d = f"M{x:g} {y - 14:g} v28 M{x - 5:g} {y - 9:g} l5 -6 5 6 M{x - 5:g} {y + 9:g} l5 6 5 -6"
    return path(d, fill="none", stroke="@good", stroke_width=2.5)


def back_arrow(x: float, y: float) -> str:
    return path(f"M{x:g} {y:g} h-18 m6 -6 l-7 6 7 6", fill="none", stroke="@good", stroke_width=2.5)
