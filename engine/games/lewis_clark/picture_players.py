"""The players as SVG, two side by side: goods and Indians on boats, the delay of a camp, play area and hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from engine.games.lewis_clark.board import camp_says, loads, unsure
from engine.games.lewis_clark.boats import time
from engine.games.lewis_clark.cards import CARDS
from engine.games.lewis_clark.components import GOODS, Boat
from engine.games.lewis_clark.drawing import (
    GAP,
    INK,
    LEFT,
    RED,
    RIGHT,
    SAND,
    SEAT_FILLS,
    Part,
    box,
    fitted,
    hexagon,
    indian,
    lines,
    scout,
    text,
)
from engine.games.lewis_clark.view import LewisClarkView, SeenPlayed, SeenPlayer
from engine.kit import count, cut, ems, marked

BOAT, BETWEEN, SEAT = 24, 5, 15
TIME = 13  # below a boat that causes a delay
CHIP, PLAYED = 24, 27
UNIT = 7.7  # at most the width of a letter


class Band(msgspec.Struct, frozen=True):
    """The left and right edge of a player, inside the frame."""

    left: float
    right: float

    @property
    def letters(self) -> int:
        return int((self.right - self.left) / UNIT)


def players(view: LewisClarkView, names: Sequence[str], y: float) -> Part:
    """Draw two players in a row, in frames of one height; a single player has the whole width."""
    abreast = min(2, len(view.players))
    wide = (RIGHT - LEFT - GAP * (abreast - 1)) / abreast
    drawn: list[str] = []
    for first in range(0, len(view.players), abreast):
        row = range(first, min(first + abreast, len(view.players)))
        lefts = [LEFT + at * (wide + GAP) for at in range(len(row))]
        bands = [
            _band(view, seat, names[seat], Band(x + 7, x + wide - 7), y) for seat, x in zip(row, lefts, strict=True)
        ]
        bottom = max(band.bottom for band in bands) + 4
        for seat, x, band in zip(row, lefts, bands, strict=True):
            here = seat == view.seat and not view.over
            fill = "#f6e7b0" if here else "#fffdf6"
            frame = box(x, y, wide, bottom - y, fill, line=SEAT_FILLS[seat], thick=3 if here else 1)
            drawn.append(marked(f"seat:{seat + 1}", names[seat], frame, *band.drawn))
        y = bottom + GAP
    return Part(tuple(drawn), y - 6)


def _band(view: LewisClarkView, seat: int, name: str, band: Band, top: float) -> Part:
    player = view.players[seat]
    parts = [_head(player, seat, name, band, top)]
    parts.append(_boats(player, band, parts[-1].bottom))
    parts.append(lines(band.left, parts[-1].bottom + 10, f"A camp {camp_says(player)}.", band.letters, fill=RED))
    parts.append(_counts(player, band, parts[-1].bottom - 10))
    parts.append(_table(player, seat, band, parts[-1].bottom, with_under=view.face_down_badges))
    parts.append(_hand(player, seat, band, parts[-1].bottom))
    return Part(tuple(line for part in parts for line in part.drawn), parts[-1].bottom)


def _head(player: SeenPlayer, seat: int, name: str, band: Band, top: float) -> Part:
    fate = " (resigned)" if player.gone else ""
    room = band.right - band.left - 138
    name = cut(name, max(8, int(room / 9.5)))
    drawn = (
        scout(band.left + 11, top + 18, seat, 11),
        fitted(band.left + 28, top + 23, f"{name}{fate}", room, 15.5, font_weight="bold"),
        text(band.right, top + 23, f"scout {player.scout}, camp {player.camp}", text_anchor="end"),
    )
    return Part(drawn, top + 36)


def _counts(player: SeenPlayer, band: Band, y: float) -> Part:
    """Draw Indians aboard and on cards, room for goods, then the badges that collecting counts."""
    on_cards = sum(played.indians for played in player.table)
    waiting = f", {on_cards} on cards" if on_cards else ""
    said = f"{player.indians} aboard{waiting}; room for {count(player.room, 'good')}"
    drawn = [indian(band.left + 8, y + 11), fitted(band.left + 20, y + 16, said, band.right - band.left - 20, 13)]
    drawn.append(text(band.left, y + 37, "Badges in sight:" if player.sees.rest else "No badges in sight"))
    for at, (badge, n) in enumerate(player.sees.rest):
        x = band.left + 124 + 37 * at
        drawn += [hexagon(x, y + 32, badge, 8), text(x + 11, y + 37, n)]
    return Part(tuple(drawn), y + 46)


# --- boats ----------------------------------------------------------------------------------------------------------


def _boats(player: SeenPlayer, band: Band, y: float) -> Part:
    """Draw the boats as loaded for a camp, with the delay of each."""
    goods = [good for good in GOODS for _ in range(player.goods.count(good))]
    drawn: list[str] = []
    x, below = band.left, 0
    for boat, held in (load for stowed in loads(player) for load in stowed):
        if x + _long(boat) > band.right:
            x, y, below = band.left, y + BOAT + below + 3, 0
        load = goods[:held] if boat.holds == "goods" else []
        goods = goods[len(load) :]
        drawn += _boat(boat, held, load, x, y)
        x += _long(boat) + BETWEEN
        below = max(below, TIME * bool(time(((boat, held),))))
    return Part(tuple(drawn), y + BOAT + below + 6)


def _long(boat: Boat) -> int:
    return 10 + SEAT * boat.room if boat.room else 61


def _boat(boat: Boat, held: int, goods: Sequence[str], x: float, y: float) -> Iterator[str]:
    yield box(x, y, _long(boat), BOAT, "#e9f3f7", line="#5f9ab8", round_=12)
    if boat.room is None:
        yield indian(x + 14, y + 12, there=held > 0) + text(x + 22, y + 16, f"{held} any", font_size=10.5)
    for at in range(boat.room or 0):
        middle = x + 12.5 + SEAT * at
        full = goods[at] if at < len(goods) else None
        yield hexagon(middle, y + 12, full, 7.2) if boat.holds == "goods" else indian(middle, y + 12, there=at < held)
    cost = time(((boat, held),))
    if cost:
        yield text(x + _long(boat) / 2, y + BOAT + 12, f"delay {cost}", font_size=12, text_anchor="middle", fill=RED)


# --- cards ----------------------------------------------------------------------------------------------------------


def _table(player: SeenPlayer, seat: int, band: Band, y: float, *, with_under: bool) -> Part:
    """Draw the play area, one card below the other."""
    drawn = []
    for at, played in enumerate(player.table):
        card = CARDS[played.card]
        inside = _card(played, band, y + PLAYED * at, with_under=with_under)
        drawn.append(marked(f"card:{card.id} source:{card.id}", f"{card.name}: {card.text}", *inside, seat=seat))
    return Part(tuple(drawn), y + PLAYED * len(player.table))


def _card(played: SeenPlayed, band: Band, y: float, *, with_under: bool) -> Iterator[str]:
    """Draw a card face up; to its right the card under it, with its badge if that counts, and the Indians on it."""
    wide = band.right - band.left
    half = wide * 0.52
    yield box(band.left, y, wide, PLAYED - 3, "#fff", line="#b39c66")
    yield box(band.left, y, half, PLAYED - 3, SAND, line=INK)
    yield _named(CARDS[played.card].name, CARDS[played.card].badge, band.left + 13, y + 12, half - 30, bold=True)
    room = wide - half - 30 - 14 * played.indians
    if played.back:
        strength, _, badge = played.back.partition("-")
        below = CARDS[played.under].name if played.under else f"face down {strength}"
        yield _named(below, badge if with_under else None, band.left + half + 13, y + 12, room)
    for at in range(played.indians):
        yield indian(band.right - 11 - 14 * at, y + 12, size=6)


def _named(name: str, badge: str | None, x: float, y: float, room: float, *, bold: bool = False) -> str:
    """Draw badge and name."""
    weight = "bold" if bold else "normal"
    return hexagon(x, y, badge, 8) + fitted(x + 12, y + 5, name, room, 13, font_weight=weight)


def _hand(player: SeenPlayer, seat: int, band: Band, y: float) -> Part:
    """Draw a chip for each card of the hand, and apart from them those that may lie face down."""
    said = f"Hand: {count(player.held, 'card')}"
    parts = [_chips(said, player.hand, seat, band, y)]
    for words, cards in unsure(player):
        parts.append(_chips(words, cards, seat, band, parts[-1].bottom))
    return Part(tuple(line for part in parts for line in part.drawn), parts[-1].bottom)


def _chips(said: str, cards: Iterable[str], seat: int, band: Band, y: float) -> Part:
    drawn = [text(band.left, y + 15, said, font_weight="bold")]
    x = band.left + 13 * ems(said, bold=True) + 4
    for name in cards:
        card = CARDS[name]
        wide = 28 + 12.5 * ems(f"{card.name} {card.strength}")
        if x + wide > band.right and x > band.left:
            x, y = band.left, y + CHIP
        inside = _chip(card.name, card.badge, card.strength, x, y, wide)
        drawn.append(marked(f"card:{name}", f"{card.name}: {card.text}", *inside, seat=seat))
        x += wide + 3
    return Part(tuple(drawn), y + CHIP)


def _chip(name: str, badge: str, strength: int, x: float, y: float, wide: float) -> Iterator[str]:
    yield box(x, y, wide, CHIP - 3, SAND, round_=10)
    yield hexagon(x + 12, y + 10.5, badge, 7)
    yield text(x + 22, y + 15, f"{name} {strength}", font_size=12.5)
