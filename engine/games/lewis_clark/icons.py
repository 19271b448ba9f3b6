"""Actions in signs, made from the line of a card or place that is also its rule: cost, arrow, gain.

    ways((does(pay(wood=2), move("river", 2)),))        two logs, an arrow, "2" and a river

Every sign has a width, so a row knows where the next one begins; `row` puts them side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import msgspec

from engine.games.lewis_clark.cards import LINES, Line
from engine.games.lewis_clark.components import BOATS, FAREWELL_DISCARDS, UPGRADE_GOODS, UPGRADE_INDIANS
from engine.games.lewis_clark.drawing import badge, good, house, hull, indian, land, paper, scout
from engine.games.lewis_clark.effects import (
    ANY_NUMBER,
    Bundle,
    Cheaper,
    Choose,
    Copy,
    Cost,
    Effect,
    Farewell,
    Gather,
    Invite,
    Lengthens,
    Move,
    Passive,
    Quicker,
    Skips,
    Take,
    Tile,
    Way,
)
from engine.kit import moved, path, text

SIGN, WORD = 21.0, 16.0  # the width of a good, and the size of numbers
LARGE = 1.25


class Sign(msgspec.Struct, frozen=True):
    """A drawing around the middle of its left edge, and its width."""

    drawn: str
    width: float


def width(name: str) -> float:
    """The width of the action of a card or a place."""
    return sum(sign.width for sign in of(name))


def row(signs: Iterable[Sign], x: float, y: float, room: float) -> str:
    """The signs side by side: larger if there is room, smaller if there is not enough."""
    listed = list(signs)
    scale = min(LARGE, room / max(1.0, sum(sign.width for sign in listed)))
    drawn, at = [], 0.0
    for sign in listed:
        drawn.append(moved(at, 0, sign.drawn))
        at += sign.width
    return moved(x, y, *drawn, scale=scale)


@cache
def of(name: str) -> tuple[Sign, ...]:
    """The action of a card or a place."""
    return tuple(_line(LINES[name]))


def _line(line: Line) -> Iterator[Sign]:
    if line.passive:
        yield from _passive(line.passive)
        return
    if line.once:
        yield _word("1x")
    yield from _ways(line.ways)
    if line.fresh:
        yield Sign(
            path("M4 -6 a6 6 0 1 0 8 0 M8 -11 v7 M2 6 l12 -12", fill="none", stroke="@faint", stroke_width=1.8), 18
        )


def _ways(ways: Sequence[Way]) -> Iterator[Sign]:
    """Every way, with a slash between two; a price or a count that all of them share is drawn once."""
    costs = {way.cost for way in ways}
    counts = {(getattr(way.effect, "per", None), getattr(way.effect, "kind", "")) for way in ways}
    shares_count = (
        len(ways) > 1 and len({per for per, _ in counts}) == 1 and next(iter(counts))[0] not in (None, "badges")
    )
    if len(costs) == 1 and ways[0].cost != Cost():
        yield from (*_cost(ways[0].cost), ARROW)
    for at, way in enumerate(ways):
        if at:
            yield SLASH
        if len(costs) > 1 and way.cost != Cost():
            yield from (*_cost(way.cost), ARROW)
        yield from _effect(way.effect, with_count=not shares_count)
    if shares_count:
        yield from _per(ways[0].effect.per, "")  # type: ignore[attr-defined]


# --- prices and gains -----------------------------------------------------------------------------------------------


def _word(words: object, *, faint: bool = False) -> Sign:
    shown = str(words)
    fill = {"fill": "@faint"} if faint else {}
    return Sign(text(1, 6, shown, WORD, bold=True, **fill), 3 + 10.5 * len(shown))


ARROW = Sign(path("M3 0 h12 m-5 -5 l5 5 -5 5", fill="none", stroke="@ink", stroke_width=2.2), 19)
SLASH = Sign(path("M3 8 l7 -16", fill="none", stroke="@faint", stroke_width=2), 13)
TIMES = Sign(path("M3 -4 l8 8 m0 -8 l-8 8", fill="none", stroke="@ink", stroke_width=2), 14)
INDIAN = Sign(indian(9, 0), 19)
AGAIN = Sign(path("M12 -5 a7 7 0 1 0 1.500 7 M13 -9 v5 h-5", fill="none", stroke="@good", stroke_width=2), 19)


def _goods(kind: str, number: int) -> Iterator[Sign]:
    """Up to three goods side by side, more as a number and one good."""
    if number > 3:
        yield _word(number)
    for _ in range(number if number <= 3 else 1):
        yield INDIAN if kind == "indian" else Sign(good(10.5, 0, kind), SIGN)


def _cost(cost: Cost) -> Iterator[Sign]:
    for kind in dict.fromkeys(cost.fixed):
        yield from _goods("indian" if kind == "indians" else kind, cost.fixed.count(kind))
    yield from _goods("?", cost.any)
    if cost.different:
        yield from _differing(cost.different)


def _differing(number: int) -> Iterator[Sign]:
    for at in range(number):
        if at:
            yield Sign(path("M1 -3 h9 M1 3 h9 M8 -7 l-5 14", fill="none", stroke="@ink", stroke_width=1.6), 11)
        yield Sign(good(10.5, 0, "?"), SIGN)


def _per(per: str | None, kind: str) -> Iterator[Sign]:
    """The things counted, after a cross; empty if nothing is."""
    if per is None:
        return
    yield TIMES
    drawn = {
        "badges": lambda: badge(10, 0, kind),
        "face-up": lambda: (
            paper(10, 0) + path("M10 5 v-9 m-4 4 l4 -4 4 4", fill="none", stroke="@ink", stroke_width=1.8)
        ),
        "on-boats": lambda: moved(-2, 4, hull(2, 0, 24), scale=0.95) + indian(10, -4, size=6),
        "pairs": lambda: good(7, 0, "?", 7.5, "") + good(16, 0, "?", 7.5, ""),
        "triples": lambda: good(6, 3, "?", 6.5, "") + good(17, 3, "?", 6.5, "") + good(11.5, -6, "?", 6.5, ""),
        "in-village": lambda: house(11, 0) + indian(11, 3, size=5),
        "scouts-ahead": _scout_ahead,
    }
    yield Sign(drawn[per](), 25)


def _scout_ahead() -> str:
    """A scout level with a camp or ahead of it."""
    tent = path("M1 8 l6 -12 6 12 Z", fill="@faint")
    return (
        tent
        + path("M14 0 h8 m-3 -3 l3 3 -3 3", fill="none", stroke="@ink", stroke_width=1.8)
        + path("M18 -5 a4.500 4.500 0 1 1 0.100 0 Z", fill="@ink")
    )


def _effect(effect: Effect, *, with_count: bool = True) -> Iterator[Sign]:
    """The gain of one use."""
    match effect:
        case Take(kind, amount, per):
            yield from _goods(kind, amount)
            yield from _per(per, kind) if with_count else ()
        case Bundle(goods):
            yield from (Sign(good(10.5, 0, kind), SIGN) for kind in goods)
        case Choose(amount, per, most, differing):
            yield from _differing(2) if differing else _goods("?", amount)
            yield from _per(per, "")
            yield from (_word(f"max {most}", faint=True),) if most < ANY_NUMBER else ()
        case Move(terrain, spaces, per, kind):
            yield _word(spaces)
            yield Sign(land(terrain, 0, 0), 28)
            yield from _per(per, kind)
        case Tile(tile):
            yield from _tile(tile)
        case _:
            yield from _special(effect)


def _special(effect: Effect) -> Iterator[Sign]:
    """Effects that are not goods or moves."""
    card, hand, village = Sign(paper(10, 0), 20), Sign(_hand(), 30), Sign(house(11, 0), 23)
    match effect:
        case Copy("character"):
            yield from (AGAIN, card)
        case Copy("occupied"):
            yield from (AGAIN, Sign(house(11, 0) + indian(11, 3, size=5), 23))
        case Copy():
            yield from (AGAIN, village)
        case Gather():
            yield from (
                Sign(house(11, 0) + indian(11, 3, size=5), 23),
                ARROW,
                Sign(hull(1, -1, 28) + indian(15, -5, size=5.5), 31),
                Sign(paper(11, 0) + path("M3 9 L19 -9", fill="none", stroke="@bad", stroke_width=2), 21),
            )
        case Invite():
            yield from (card, ARROW, hand)
        case Farewell():
            yield from (_word("-"), hand, _word(f"max {FAREWELL_DISCARDS}", faint=True))
            yield from (_word("+"), AGAIN, _word(5), card)


def _hand() -> str:
    """Three cards in a fan."""
    return "".join(moved(14 + at * 6, abs(at) * 1.5, paper(0, 0, 12, 18)) for at in (-1, 0, 1))


def _tile(tile: str) -> Iterator[Sign]:
    boat = BOATS[tile]
    cargo = good(11, 0, "?", 7, "") if boat.holds == "goods" else indian(11, -1, size=6)
    late = text(22, -13, "-1", 15, bold=True, middle=True, fill="@bad") if boat.time != "none" else ""
    yield Sign(hull(1, 2, 42) + cargo + text(20, 7, boat.room, 15, bold=True) + late, 46)
    yield from _goods("?", UPGRADE_GOODS) if boat.holds == "goods" else _goods("indian", UPGRADE_INDIANS)


def _passive(passive: Passive) -> Iterator[Sign]:
    """A card that works while face up begins with an open eye."""
    eye = "M2 0 q9 -11 18 0 q-9 11 -18 0 Z"
    yield Sign(
        path(eye, fill="none", stroke="@good", stroke_width=2)
        + path("M8 0 a3 3 0 1 1 6 0 a3 3 0 1 1 -6 0 Z", fill="@good"),
        25,
    )
    match passive:
        case Skips():
            yield Sign(path("M2 7 q10 -20 20 0 m-5 -2 l5 3 1 -6", fill="none", stroke="@ink", stroke_width=2), 27)
            yield Sign(scout(10, 4, 5, 7).partition("<text")[0], 22)
        case Cheaper(fur):
            yield from (Sign(paper(10, 0), 20), _word(f"-{fur}"), Sign(good(10.5, 0, "fur"), SIGN))
        case Quicker(time):
            yield Sign(path("M2 9 L11 -9 L20 9 Z", fill="@faint"), 22)
            yield _word(f"-{time}")
        case Lengthens(terrain, spaces):
            yield from (_word(f"+{spaces}"), Sign(land(terrain, 0, 0), 28))
