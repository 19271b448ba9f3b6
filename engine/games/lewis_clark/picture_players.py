"""The players as SVG: a band for each with its boats, its play area and its hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

import msgspec

from engine.games.lewis_clark.board import badges
from engine.games.lewis_clark.boats import stow, time
from engine.games.lewis_clark.cards import CARDS
from engine.games.lewis_clark.components import GOODS, Boat
from engine.games.lewis_clark.drawing import INK, RED, SAND, SEAT_FILLS, box, hexagon, indian, text
from engine.games.lewis_clark.picture_route import scout
from engine.games.lewis_clark.view import LewisClarkView, SeenPlayed, SeenPlayer

SIDE = 74  # room for the seat, left of everything else
CARD, CARD_HEIGHT, GAP = 154, 44, 6
HAND_LINE, HAND_LETTERS, LEAST_HEIGHT = 17, 100, 98
BOATS_ROW = 42
TIE = "\u00a0"  # a blank at which no line breaks


class Band(msgspec.Struct, frozen=True):
    """A player's part of the picture, and where it ends."""

    drawn: tuple[str, ...]
    bottom: int


def bands(view: LewisClarkView, left: int, top: int, width: int) -> Iterator[Band]:
    """A band below the other."""
    for seat, player in enumerate(view.players):
        band = _band(
            player, seat, left, top, width, with_under=view.face_down_badges, here=seat == view.seat and not view.over
        )
        top = band.bottom + 8
        yield band


def _band(player: SeenPlayer, seat: int, left: int, top: int, width: int, *, here: bool, with_under: bool) -> Band:
    x, across = left + SIDE, (width - SIDE) // (CARD + GAP)
    boats = _boats(player, x, top + 10, left + width - GAP)
    cards = top + 10 + BOATS_ROW * boats.rows
    rows = -(-len(player.table) // across)
    hand = cards + rows * (CARD_HEIGHT + GAP) + 12
    lines = _hand(player)
    bottom = max(hand + HAND_LINE * len(lines), top + LEAST_HEIGHT)
    drawn = (
        box(left, top, width, bottom - top, "#f6e7b0" if here else "#fffdf6", line=SEAT_FILLS[seat]),
        *_seat(player, seat, left, top),
        *boats.drawn,
        *(
            part
            for at, played in enumerate(player.table)
            for part in _card(
                played,
                x + (CARD + GAP) * (at % across),
                cards + (CARD_HEIGHT + GAP) * (at // across),
                with_under=with_under,
            )
        ),
        *(text(x, hand + HAND_LINE * at, line, font_size=12.5) for at, line in enumerate(lines)),
    )
    return Band(drawn, bottom)


def _seat(player: SeenPlayer, seat: int, left: int, top: int) -> Iterator[str]:
    yield scout(left + 22, top + 24, seat, 13)
    lines = (f"scout {player.scout}", f"camp {player.camp}", f"time {player.time}")
    for at, line in enumerate(lines):
        yield text(left + 8, top + 54 + 15 * at, line, font_size=11, fill=RED if at == 2 else INK)
    if player.gone:
        yield text(left + 38, top + 28, "gone", font_size=11, fill=RED)


# --- boats ----------------------------------------------------------------------------------------------------------


class Boats(msgspec.Struct, frozen=True):
    """The boats of a player, in as many rows as they need."""

    drawn: tuple[str, ...]
    rows: int


def _boats(player: SeenPlayer, left: float, y: float, right: float) -> Boats:
    """Boats with their loads, and the time that each costs on camp."""
    goods = [good for good in GOODS for _ in range(player.goods.count(good))]
    stowed = (*stow(player.tiles, "goods", player.goods.total), *stow(player.tiles, "indians", player.indians))
    drawn: list[str] = []
    x, rows = left, 1
    for boat, held in stowed:
        if x + _long(boat) > right:
            x, y, rows = left, y + BOATS_ROW, rows + 1
        load = goods[:held] if boat.holds == "goods" else []
        goods = goods[len(load) :]
        drawn += _boat(boat, held, load, x, y)
        x += _long(boat) + GAP
    return Boats(tuple(drawn), rows)


def _long(boat: Boat) -> int:
    return 12 + 17 * (boat.room or 2)


def _boat(boat: Boat, held: int, goods: Sequence[str], x: float, y: float) -> Iterator[str]:
    yield box(x, y, _long(boat), 24, "#e9f3f7", line="#7fb3cc", round_=12)
    if boat.room is None:
        yield indian(x + 15, y + 12, there=held > 0) + text(x + 25, y + 17, held, font_size=12)
    for at in range(boat.room or 0):
        middle = x + 14.5 + 17 * at
        full = goods[at] if at < len(goods) else None
        yield hexagon(middle, y + 12, full, 7) if boat.holds == "goods" else indian(middle, y + 12, there=at < held)
    cost = time(((boat, held),))
    if cost:
        yield text(x + _long(boat) / 2, y + 36, f"time {cost}", font_size=10, text_anchor="middle", fill=RED)


# --- cards ----------------------------------------------------------------------------------------------------------


def _card(played: SeenPlayed, x: float, y: float, *, with_under: bool) -> Iterator[str]:
    """A card of the play area; below it the card, with its badge if that counts, and the Indians that gave strength."""
    yield box(x, y, CARD, CARD_HEIGHT, SAND, line=INK)
    yield _named(played.card, x + 12, y + 13, 11)
    if played.under:
        yield _named(played.under, x + 12, y + 32, 9, shown=with_under)
    for at in range(played.indians):
        yield indian(x + CARD - 9 - 11 * at, y + 32, size=5)


def _named(name: str, x: float, y: float, size: int, *, shown: bool = True) -> str:
    """Badge and name; a long name in smaller letters."""
    card = CARDS[name]
    letters = size if len(card.name) < 18 else size * 0.87
    weight = "bold" if size > 10 else "normal"
    return hexagon(x, y, card.badge if shown else None, size * 0.6) + text(
        x + size, y + size * 0.36, card.name, font_size=letters, font_weight=weight
    )


def _hand(player: SeenPlayer) -> list[str]:
    names = (f"{CARDS[name].name} {CARDS[name].strength}".replace(" ", TIE) for name in player.hand)
    return [*wrap(f"Hand: {', '.join(names) or 'empty'}", HAND_LETTERS), f"Badges in sight: {badges(player.sees)}"]
