"""The route as SVG: a winding river from below Saint Louis over the mountains to the coast, with scouts and camps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sin

from engine.games.lewis_clark.drawing import MACKENZIE, both, camp, pine, ridge, ring, scout
from engine.games.lewis_clark.route import FORT, LAST, LOWEST, START, terrain
from engine.games.lewis_clark.view import LewisClarkView
from engine.kit import WIDE, Zone, box, circle, path, text, titled

IN_A_ROW, LEFT, ACROSS, TOP, DOWN = 11, 62.0, 75.6, 58.0, 112.0
R, BEND = 32.0, 45.0  # of a space; how far the river swings out between two rows
HEIGHT = 564.0
Figure = Callable[[float, float, int, float], str]
CALLED: dict[Figure, str] = {scout: "scout", camp: "camp", both: "scout and camp"}
PLACES = {START: "Saint Louis, ", FORT: "Fort Clatsop, "}
PINES = (
    (130, 112),
    (548, 116),
    (640, 226),
    (96, 232),
    (204, 336),
    (700, 340),
    (788, 452),
    (470, 452),
    (330, 458),
)
RIDGES = ((420, 228), (330, 222), (520, 224), (236, 226), (560, 342), (470, 338), (640, 336))


def place(space: int) -> tuple[float, float]:
    """Return the middle of a space: rows run to the right, then to the left, and so on, each in waves."""
    row, at = divmod(space - LOWEST, IN_A_ROW)
    across = at if row % 2 == 0 else IN_A_ROW - 1 - at
    return LEFT + ACROSS * across, TOP + DOWN * row + 8 * sin(0.9 * across + 2 * row)


def zone(view: LewisClarkView) -> Zone:
    spaces = range(LOWEST, LAST + 1)
    drawn = (*_land(), *(_space(view, space) for space in spaces), *(_figures(view, space) for space in spaces))
    return Zone("board", WIDE, HEIGHT, "".join(drawn))


def _land() -> Iterator[str]:
    yield box(0, 0, WIDE, HEIGHT, rx=16, fill="@plain")
    yield path("M0 150 Q150 90 300 140 T600 130 T880 160 V300 Q700 250 480 300 T0 280 Z", fill="@hill")
    yield path("M0 420 Q200 370 420 410 T880 390 V500 Q640 470 400 505 T0 490 Z", fill="@hill")
    yield from (ridge(x, y, 0.9) for x, y in RIDGES)
    yield from (pine(x, y) for x, y in PINES)
    yield text(396, 118, "Saint Louis", 28, end=True)
    yield text(98, 464, "Fort Clatsop", 28)
    river = _line(LOWEST, LAST)
    yield path(river, fill="none", stroke="@bank", stroke_width=52, stroke_linecap="round")
    yield path(river, fill="none", stroke="@water", stroke_width=42, stroke_linecap="round")
    for first, last in _passes():
        yield path(_line(first, last), fill="none", stroke="@pass", stroke_width=42)


def _passes() -> Iterator[tuple[int, int]]:
    """Yield the first and last space of each way over the mountains."""
    high = [space for space in range(LOWEST, LAST + 1) if terrain(space) != "river"]
    firsts = [space for space in high if space - 1 not in high]
    lasts = [space for space in high if space + 1 not in high]
    return zip(firsts, lasts, strict=True)


def _line(first: int, last: int) -> str:
    """Return a smooth path through the middles of spaces; it swings out between two rows."""
    (x, y), words = place(first), []
    words.append(f"M{x:.4g} {y:.4g}")
    for space in range(first + 1, last + 1):
        there = place(space)
        if (space - LOWEST) % IN_A_ROW == 0:
            out = x + (BEND if x > WIDE / 2 else -BEND)
            words.append(f"C{out:.4g} {y:.4g} {out:.4g} {there[1]:.4g} {there[0]:.4g} {there[1]:.4g}")
        else:
            words.append(f"L{there[0]:.4g} {there[1]:.4g}")
        x, y = there
    return " ".join(words)


def _space(view: LewisClarkView, space: int) -> str:
    """Draw a space with its number, which moves up where figures stand."""
    (x, y), kind = place(space), terrain(space)
    taken = any(True for _ in _standing(view, space))
    drawn = circle(x, y, R, fill="@space" if kind != "mountain" else "@mountain", stroke="@bank", stroke_width=1.5)
    if kind == "mixed":
        drawn += path(
            f"M{x - R * 0.7:.4g} {y + R * 0.7:.4g} A{R:g} {R:g} 0 0 0 {x + R * 0.7:.4g} {y - R * 0.7:.4g} Z",
            fill="@mountain",
        )
    if kind != "river":
        drawn += path(f"M{x + 6:.4g} {y - 13:.4g} l9 -14 9 14 Z", fill="@peak", stroke="@snow")
    if space in PLACES:
        drawn += ring(x, y, R + 1, stroke="@goal", stroke_width=5)
    return drawn + text(x, y - 6 if taken else y + 9, space, 28, middle=True, bold=space in PLACES, fill="@on-space")


def _figures(view: LewisClarkView, space: int) -> str:
    """Draw figures over the lower half of a space: three in a row, more in two rows."""
    here = list(_standing(view, space))
    if not here:
        return ""
    (x, y), drawn = place(space), []
    rows = [here] if len(here) <= 3 else [here[:3], here[3:]]
    for down, row in enumerate(rows):
        for at, (figure, seat) in enumerate(row):
            drawn.append(figure(x + 28 * (at - (len(row) - 1) / 2), y + 17 + 29 * down, seat, 14.0))
    said = ", ".join(f"{CALLED[figure]} of {_owner(seat)}" for figure, seat in here)
    return titled(f"space {space}, {PLACES.get(space, '')}{terrain(space)}: {said}", *drawn)


def _owner(seat: int) -> str:
    return "Mackenzie" if seat == MACKENZIE else f"player {seat + 1}"


def _standing(view: LewisClarkView, space: int) -> Iterator[tuple[Figure, int]]:
    for seat, player in enumerate(view.players):
        if space in (player.scout, player.camp):
            yield both if player.scout == player.camp else scout if player.scout == space else camp, seat
    if view.mackenzie == space:
        yield scout, MACKENZIE
