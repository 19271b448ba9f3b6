"""Colours as roles, and what the parts of the picture share: goods, badges, Indians, figures of the seats."""

from __future__ import annotations

from engine.kit import box, circle, element, moved, path, text

ROLES = {
    "seat-1": ("#2563a0", "#3f7fc0"),
    "seat-2": ("#a84a1a", "#c2622e"),
    "seat-3": ("#256b38", "#3b8a50"),
    "seat-4": ("#74479a", "#8f62b5"),
    "seat-5": ("#7a5a06", "#9a7614"),
    "mackenzie": ("#2b2b2b", "#565656"),
    "equipment": ("#aab1b8", "#9aa3ab"),
    "food": ("#eba3b3", "#dc8a9d"),
    "fur": ("#ecc445", "#dfb63a"),
    "wood": ("#94623a", "#a06c42"),
    "canoe": ("#4b84c9", "#5b93d6"),
    "horse": ("#fffdf8", "#efe7d8"),
    "glyph": ("#2a2118", "#1d150c"),
    "indian": ("#b3342b", "#e0645a"),
    "plain": ("#dfe6c0", "#2f3626"),
    "hill": ("#cfd7a8", "#38412c"),
    "bank": ("#c9b27a", "#5d5034"),
    "water": ("#8cc3dd", "#1d4a63"),
    "space": ("#c9e6f2", "#2f6a8a"),
    "pass": ("#b98f5c", "#6b5133"),
    "mountain": ("#e0c79c", "#775a36"),
    "peak": ("#8d6b42", "#4a3620"),
    "snow": ("#fdfbf5", "#e8dfcd"),
    "pine": ("#5d8a55", "#456b41"),
    "wave": ("#2f7ea6", "#a9d7ec"),
    "goal": ("#b3261e", "#ff6f61"),
    "on-space": ("#1d2a30", "#f4f8fa"),
    "hull": ("#e9d9b2", "#6a5638"),
}
GLYPHS = {  # within 12 by 12 around 0 0
    "equipment": "M-6 -5.500 H2 V-2 H-0.500 V6.500 H-3.500 V-2 H-6 Z M3 -5.500 H5.500 V-2 H3 Z",
    "food": "M-6.500 0 q5 -6 9 -0.500 l4 -4 v9 l-4 -4 q-4 6 -9 -0.500 Z",
    "fur": "M-5 -6 l2.500 2.500 h5 L5 -6 l1.5 4 -2 2.5 2 4.5 -3.5 1.5 -3 -2 -3 2 -3.500 -1.500 2 -4.500 -2 -2.5 Z",
    "wood": "M-6.500 0.500 h13 v5 h-13 Z M-4.500 -5.500 h9 v5 h-9 Z",
    "canoe": "M-7 -3 q7 4.500 14 0 q-1.500 7 -7 7 q-5.500 0 -7 -7 Z",
    "horse": "M-4.500 6.500 v-5 q0 -6.500 5 -7.500 l1.500 -1.500 1.500 3 3 4.500 -2 2 -3 -1 1 5.500 Z",
}
SEATS = 5
MACKENZIE = SEATS  # in place of a seat


def good(x: float, y: float, kind: str | None, size: float = 10.0, inside: object = None) -> str:
    """Draw a good in its colour with its sign or a number, or an empty place for one; "?" is any good."""
    a, b = size, size * 0.87
    d = f"M{x - a:.5g} {y:.5g} l{a / 2:.4g} {-b:.4g} h{a:.4g} l{a / 2:.4g} {b:.4g} l{-a / 2:.4g} {b:.4g} h{-a:.4g} Z"
    if kind is None:
        return path(d, fill="@panel", stroke="@line")
    fill = "@panel" if kind == "?" else f"@{kind}"
    ink = "@on-seat" if kind in ("wood", "canoe") else "@ink" if kind == "?" else "@glyph"
    frame = path(d, fill=fill, stroke="@edge" if kind != "?" else "@ink", stroke_width=1.2)
    if kind == "?" or inside is not None:
        words = "?" if inside is None else inside
        return frame + text(x, y + size * 0.5, words, max(14.5, size * 1.35), bold=True, middle=True, fill=ink)
    return frame + path(GLYPHS[kind], fill=ink, transform=f"translate({x:.5g} {y:.5g}) scale({size / 11:.3g})")


def badge(x: float, y: float, kind: str, size: float = 10.0) -> str:
    """Draw a badge: the sign of a good on a disc with a double rim."""
    ink = "@on-seat" if kind == "wood" else "@glyph"
    disc = circle(x, y, size, fill=f"@{kind}", stroke="@edge", stroke_width=2.4)
    return disc + path(GLYPHS[kind], fill=ink, transform=f"translate({x:.5g} {y:.5g}) scale({size / 13:.3g})")


def strength(x: float, y: float, number: int, size: float = 10.0) -> str:
    """Draw the strength of a card: a number on a dark shield."""
    d = f"M{x - size:g} {y - size:g} h{2 * size:g} v{size:g} q0 {size:g} {-size:g} {1.2 * size:g}"
    d += f" q{-size:g} {-0.2 * size:g} {-size:g} {-1.2 * size:g} Z"
    return path(d, fill="@ink") + text(x, y + 5, number, 15, bold=True, middle=True, fill="@paper")


def indian(x: float, y: float, *, there: bool = True, size: float = 8.0) -> str:
    """Draw an Indian as a red figure, or an empty circle."""
    if not there:
        return circle(x, y, size, fill="@panel", stroke="@line", stroke_width=1.5)
    body = f"M{x - size:g} {y + size:g} q{size:g} {-2.4 * size:.4g} {2 * size:g} 0 Z"
    return path(body, fill="@indian") + circle(x, y - size * 0.55, size * 0.5, fill="@indian")


def hull(x: float, y: float, wide: float) -> str:
    """Draw a boat 26 high, from its left end."""
    d = f"M{x:g} {y - 12:g} q3 5 9 5 h{wide - 18:g} q6 0 9 -5 q1 24 -15 25 h{30 - wide:g} q-16 -1 -15 -25 Z"
    return path(d, fill="@hull", stroke="@edge", stroke_width=1.3)


def paper(x: float, y: float, wide: float = 15.0, high: float = 20.0) -> str:
    """Draw a small card around a place."""
    return box(x - wide / 2, y - high / 2, wide, high, rx=3, fill="@card", stroke="@ink", stroke_width=1.5)


def house(x: float, y: float) -> str:
    """Draw a place of the village, 20 wide."""
    return path(f"M{x - 10:g} {y + 9:g} v-8 l10 -10 10 10 v8 Z", fill="@card", stroke="@ink", stroke_width=1.5)


def land(kind: str, x: float, y: float) -> str:
    """Draw a river or a mountain as a sign, 26 wide and 20 high."""
    if kind == "river":
        sign = path("M4 8 q4.500 -5 9 0 t9 0 M4 15 q4.500 -5 9 0 t9 0", fill="none", stroke="@wave", stroke_width=2)
        return moved(x, y - 10, box(0, 0, 26, 20, rx=5, fill="@space"), sign)
    peaks = path("M2 18 L10 4 L15 12 L18 8 L24 18 Z", fill="@peak") + path(
        "M7.500 8.500 L10 4 L12.500 8 L10 9.500 Z", fill="@snow"
    )
    return moved(x, y - 10, box(0, 0, 26, 20, rx=5, fill="@mountain"), peaks)


# --- the figures of the seats ---------------------------------------------------------------------------------------


def scout(x: float, y: float, seat: int, size: float = 14.0) -> str:
    """Draw a disc with the number of its seat; Mackenzie's is black."""
    fill, label = (f"@seat-{seat + 1}", str(seat + 1)) if seat < MACKENZIE else ("@mackenzie", "M")
    return circle(x, y, size, fill=fill, stroke="@snow", stroke_width=1.8) + _label(x, y + size * 0.66, label, size)


def camp(x: float, y: float, seat: int, size: float = 14.0) -> str:
    """Draw a tent with the number of its seat."""
    tent = path("M-13 14 L-15 -2 L0 -17 L15 -2 L13 14 Z", fill=f"@seat-{seat + 1}", stroke="@snow", stroke_width=1.8)
    return moved(x, y, tent, scale=size / 14) + _label(x, y + size * 0.8, str(seat + 1), size)


def both(x: float, y: float, seat: int, size: float = 14.0) -> str:
    """Draw a scout at its camp: a disc under a roof."""
    roof = path(
        "M-18 -4 L0 -21 L18 -4 L14 0 L0 -13 L-14 0 Z", fill=f"@seat-{seat + 1}", stroke="@snow", stroke_width=1.5
    )
    return scout(x, y + 1, seat, size) + moved(x, y, roof, scale=size / 14)


def _label(x: float, y: float, words: str, size: float) -> str:
    return text(x, y, words, max(2 * size, 14), bold=True, middle=True, fill="@on-seat")


def pine(x: float, y: float) -> str:
    return path(f"M{x:g} {y - 18:g} l8 12 h-4 l7 10 h-22 l7 -10 h-4 Z M{x - 2:g} {y + 4:g} h4 v5 h-4 Z", fill="@pine")


def ridge(x: float, y: float, size: float = 1.0) -> str:
    peaks = path("M-30 16 L-10 -18 L2 2 L12 -12 L32 16 Z", fill="@peak")
    return moved(x, y, peaks, path("M-16 -8 L-10 -18 L-4 -8 L-10 -4 Z", fill="@snow"), scale=size)


def ring(x: float, y: float, r: float, **style: object) -> str:
    return element("circle", cx=x, cy=y, r=r, fill="none", **style)
