"""Hand-made views: a game of four in the middle, and variations of it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.games.discoveries.dice import COLOURS
from engine.games.discoveries.house import HOUSE
from engine.games.discoveries.state import Action, Doing
from engine.games.discoveries.view import DiscoveriesView, SeenPlayer
from tests.games.discoveries.positions import dice

NAMES = ("Ann", "Bob", "Cid", "Dora")
HEADINGS = ("cards", "species", "tipis")


def player(seat: int, reserve: str, **fields: Any) -> SeenPlayer:
    empty: dict[str, Any] = {"actions": (), "tribes": (), "reserved": (), "exploring": 0, "journal": ()}
    counts = {"greys": 0, "dice": 5, "points": tuple((heading, 0) for heading in HEADINGS), "tipis": 0, "gone": False}
    return SeenPlayer(colour=COLOURS[seat], reserve=dice(reserve), **{**empty, **counts, **fields})


def points(*counts: int) -> tuple[tuple[str, int], ...]:
    return tuple(zip(HEADINGS, counts, strict=True))


def action(space: str, *laid: str, write: str = "") -> Action:
    return Action(space=space, dice=laid, write=write)


def midgame(**fields: Any) -> DiscoveriesView:
    """Four players in the middle of a game, with `fields` changed."""
    lewis = player(
        0,
        "red-walk, red-write, grey-write, blue-parley",
        actions=(action("14", "red"), action("7", "red", ""), action("foot", "blue")),
        tribes=(7, 14, 34, 41, 37),
        reserved=((37, 44),),
        exploring=22,
        journal=(35, 16, 2),
        greys=1,
        points=points(4, 8, 12),
        tipis=9,
    )
    clark = player(
        1, "2 blue-ride, yellow-walk", exploring=30, tribes=(3,), journal=(5, 8), points=points(2, 3, 6), tipis=2
    )
    gass = player(2, "3 green-walk, grey-ride", exploring=9, greys=1)
    ordway = player(
        3,
        "grey-parley, 2 yellow-parley, yellow-write",
        exploring=54,
        actions=(action("mountain", "yellow"),),
        tribes=(20, 32, 49, 53),
        journal=(1,),
        points=points(2, 0, 4),
        tipis=8,
    )
    view = DiscoveriesView(
        turns=23,
        seat=0,
        choosing=False,
        doing=Doing(),
        owed=(),
        last=None,
        players=(lewis, clark, gass, ordway),
        encounters=(36, 43, 28),
        territories=(25, 4, 47),
        top=11,
        deck=(6, 10, 12, 13, 15, 17, 18, 19, 21, 23, 24, 26, 27, 29, 31, 33, 38, 39, 40, 42, 45, 55),
        removed=(46, 48, 50, 51, 52),
        stock=6,
        right=dice("2 green, grey"),
        left=dice("red, blue"),
        edition="house",
        cards=HOUSE.cards,
        examples=((0, "lay foot red-walk"), (0, "rest own")),
    )
    return replace(view, **fields)
