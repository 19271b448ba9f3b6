"""The boxes of the shapes of a picture, through all transforms. Words have the estimate of their width."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree as ET

from engine.kit import ems

Box = tuple[float, float, float, float]  # left, top, right, bottom
Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]
TALL = 0.9  # the height of a line of words, in their size
HERE: Matrix = (1, 0, 0, 1, 0, 0)
_STEP = re.compile(r"(translate|scale|rotate|matrix)\(([^)]*)\)")
_WORD = re.compile(r"[a-zA-Z]|-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?")
TAKES = {"m": 2, "l": 2, "t": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "a": 7, "z": 0}


def boxes(node: ET.Element, matrix: Matrix = HERE) -> Iterator[tuple[ET.Element, Box]]:
    """Every shape and text below this element, with its box in the units around the element."""
    for child in node:
        inner = _times(matrix, _matrix(child.get("transform", "")))
        points = list(_points(child))
        if points:
            yield child, _around(_moved(inner, point) for point in points)
        yield from boxes(child, inner)


def united(found: Iterable[Box]) -> Box | None:
    """The box around all of these."""
    corners = [corner for left, top, right, bottom in found for corner in ((left, top), (right, bottom))]
    return _around(corners) if corners else None


def _around(points: Iterable[Point]) -> Box:
    across, down = zip(*points, strict=True)
    return min(across), min(down), max(across), max(down)


def _points(node: ET.Element) -> Iterator[Point]:
    """Points whose box is that of the element."""
    kind = node.tag.rpartition("}")[2]

    def number(name: str) -> float:
        return float(node.get(name, 0))

    if kind == "rect":
        yield from _corners(number("x"), number("y"), number("width"), number("height"))
    elif kind in ("circle", "ellipse"):
        rx, ry = (number("r"),) * 2 if kind == "circle" else (number("rx"), number("ry"))
        yield from _corners(number("cx") - rx, number("cy") - ry, 2 * rx, 2 * ry)
    elif kind == "polygon":
        flat = [float(one) for one in re.split(r"[ ,]+", node.get("points", "").strip())]
        yield from zip(flat[::2], flat[1::2], strict=True)
    elif kind == "path":
        yield from _path(node.get("d", ""))
    elif kind == "text" and (node.text or "").strip():
        size = number("font-size")
        wide = 0.93 * ems(node.text or "", bold=node.get("font-weight") == "bold") * size
        left = number("x") - {"middle": wide / 2, "end": wide}.get(node.get("text-anchor", ""), 0)
        yield from _corners(left, number("y") - 0.76 * size, wide, TALL * size)


def _corners(x: float, y: float, wide: float, high: float) -> Iterator[Point]:
    yield from ((x, y), (x + wide, y), (x, y + high), (x + wide, y + high))


def _path(d: str) -> Iterator[Point]:
    """The ends of the parts of a path, and the tops of its curves."""
    words, at, here, start, kind = _WORD.findall(d), 0, (0.0, 0.0), (0.0, 0.0), "M"
    while at < len(words):
        if words[at].isalpha():
            kind, at = words[at], at + 1
        many = TAKES[kind.lower()]
        given, at = [float(one) for one in words[at : at + many]], at + many
        if not many:
            here = start
            continue
        before = here
        here, control = _next(kind, given, here)
        if kind in "mM":
            start, kind = here, "l" if kind == "m" else "L"
        yield here
        if control:
            yield _halfway(before, control, here)


def _next(kind: str, given: list[float], here: Point) -> tuple[Point, Point | None]:
    x, y = here if kind.islower() else (0.0, 0.0)
    low = kind.lower()
    if low == "h":
        return (x + given[0], here[1]), None
    if low == "v":
        return (here[0], y + given[0]), None
    there = (x + given[-2], y + given[-1])
    if low == "q":
        return there, (x + given[0], y + given[1])
    if low == "c":
        return there, (x + (given[0] + given[2]) / 2, y + (given[1] + given[3]) / 2)
    return there, None


def _halfway(one: Point, control: Point, other: Point) -> Point:
    return tuple((a + 2 * b + c) / 4 for a, b, c in zip(one, control, other, strict=True))  # type: ignore[return-value]


# --- transforms -----------------------------------------------------------------------------------------------------


def _matrix(transform: str) -> Matrix:
    whole = HERE
    for kind, inside in _STEP.findall(transform):
        whole = _times(whole, _one(kind, [float(one) for one in re.split(r"[ ,]+", inside.strip())]))
    return whole


def _one(kind: str, given: list[float]) -> Matrix:
    if kind == "translate":
        return 1, 0, 0, 1, given[0], given[1] if len(given) > 1 else 0
    if kind == "scale":
        return given[0], 0, 0, given[-1], 0, 0
    if kind == "rotate":
        a = math.radians(given[0])
        return math.cos(a), math.sin(a), -math.sin(a), math.cos(a), 0, 0
    a, b, c, d, e, f = given
    return a, b, c, d, e, f


def _times(one: Matrix, two: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = two
    return a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f


def _moved(matrix: Matrix, point: Point) -> Point:
    a, b, c, d, e, f = matrix
    return a * point[0] + c * point[1] + e, b * point[0] + d * point[1] + f
