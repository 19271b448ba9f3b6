"""The players as SVG: for each its goods and Indians on boats, what a camp takes, its play area and its hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.games.lewis_clark.board import badges, camp_says, loads, unsure
from engine.games.lewis_clark.boats import time
from engine.games.lewis_clark.cards import CARDS
from engine.games.lewis_clark.components import GOODS, Boat
from engine.games.lewis_clark.drawing import (
    INK,
    LEFT,
    RED,
    RIGHT,
    SAND,
    SEAT_FILLS,
    Part,
    box,
    hexagon,
    indian,
    lines,
    scout,
    text,
    word,
)
from engine.games.lewis_clark.view import LewisClarkView, SeenPlayed, SeenPlayer
from engine.kit import count, cut

IN = LEFT + 8  # the left of what stands inside a band
END = RIGHT - 8
LETTERS = 56
BOAT, GAP, SEAT = 26, 6, 17
CARD = (END - IN - GAP) / 2
CHIP, HAND = 25, 116


def players(view: LewisClarkView, names: Sequence[str], y: float) -> Part:
    """A band below the other."""
    drawn: list[str] = []
    for seat, player in enumerate(view.players):
        band = _band(view, player, seat, names[seat], y)
        drawn += band.drawn
        y = band.bottom + 10
    return Part(tuple(drawn), y - 10)


def _band(view: LewisClarkView, player: SeenPlayer, seat: int, name: str, top: float) -> Part:
    here = seat == view.seat and not view.over
    parts = [_head(player, seat, name, top)]
    parts.append(_boats(player, parts[-1].bottom))
    for sentence, fill in ((f"A camp {camp_says(player)}.", RED), (_badges(player), INK)):
        parts.append(lines(IN, parts[-1].bottom + 8, sentence, LETTERS, fill=fill))
        parts[-1] = Part(parts[-1].drawn, parts[-1].bottom - 8)
    parts.append(_table(player, parts[-1].bottom, with_under=view.face_down_badges))
    parts.append(_hand(player, parts[-1].bottom))
    bottom = parts[-1].bottom + 6
    ground = box(LEFT, top, RIGHT - LEFT, bottom - top, "#f6e7b0" if here else "#fffdf6", line=SEAT_FILLS[seat])
    return Part((ground, *(line for part in parts for line in part.drawn)), bottom)


def _head(player: SeenPlayer, seat: int, name: str, top: float) -> Part:
    fate = ", has resigned" if player.gone else ""
    drawn = (
        scout(LEFT + 20, top + 20, seat, 12),
        text(LEFT + 40, top + 25, f"{cut(name, 20)}{fate}", font_size=16, font_weight="bold"),
        text(END, top + 25, f"scout {player.scout}, camp {player.camp}", font_size=13.5, text_anchor="end"),
    )
    return Part(drawn, top + 38)


def _badges(player: SeenPlayer) -> str:
    on_cards = sum(played.indians for played in player.table)
    waiting = f" and {on_cards} on cards until the camp" if on_cards else ""
    aboard = f"{count(player.indians, 'Indian')} aboard{waiting}"
    return f"{aboard}. Room for {count(player.room, 'good')} more. Badges in sight: {badges(player.sees)}."


# --- boats ----------------------------------------------------------------------------------------------------------


def _boats(player: SeenPlayer, y: float) -> Part:
    """Boats as a camp finds them, and the time that each costs."""
    goods = [good for good in GOODS for _ in range(player.goods.count(good))]
    drawn: list[str] = []
    x: float = IN
    for boat, held in (load for stowed in loads(player) for load in stowed):
        if x + _long(boat) > END:
            x, y = IN, y + BOAT + 18
        load = goods[:held] if boat.holds == "goods" else []
        goods = goods[len(load) :]
        drawn += _boat(boat, held, load, x, y)
        x += _long(boat) + GAP
    return Part(tuple(drawn), y + BOAT + 24)


def _long(boat: Boat) -> int:
    return 12 + SEAT * (boat.room or 4)


def _boat(boat: Boat, held: int, goods: Sequence[str], x: float, y: float) -> Iterator[str]:
    yield box(x, y, _long(boat), BOAT, "#e9f3f7", line="#5f9ab8", round_=13)
    if boat.room is None:
        yield indian(x + 15, y + 13, there=held > 0) + text(x + 27, y + 18, f"{held}, any", font_size=12)
    for at in range(boat.room or 0):
        middle = x + 14.5 + SEAT * at
        full = goods[at] if at < len(goods) else None
        yield hexagon(middle, y + 13, full, 8) if boat.holds == "goods" else indian(middle, y + 13, there=at < held)
    cost = time(((boat, held),))
    if cost:
        yield text(x + _long(boat) / 2, y + BOAT + 13, f"time {cost}", font_size=12, text_anchor="middle", fill=RED)


# --- cards ----------------------------------------------------------------------------------------------------------


def _table(player: SeenPlayer, y: float, *, with_under: bool) -> Part:
    """The play area, two cards beside each other."""
    drawn: list[str] = []
    for at, played in enumerate(player.table):
        x, top = IN + (CARD + GAP) * (at % 2), y + (50 + GAP) * (at // 2)
        drawn += word("card", played.card, _card(played, x, top, with_under=with_under))
    return Part(tuple(drawn), y + (50 + GAP) * -(-len(player.table) // 2))


def _card(played: SeenPlayed, x: float, y: float, *, with_under: bool) -> Iterator[str]:
    """A card of the play area; below it the card, with its badge if that counts, and the Indians that gave strength."""
    yield box(x, y, CARD, 50, SAND, line=INK)
    yield _named(CARDS[played.card].name, CARDS[played.card].badge, x + 14, y + 16, bold=True)
    if played.back:
        strength, _, badge = played.back.partition("-")
        below = CARDS[played.under].name if played.under else f"face down, strength {strength}"
        yield _named(below, badge if with_under else None, x + 14, y + 37)
    for at in range(played.indians):
        yield indian(x + CARD - 12 - 15 * at, y + (16 if played.back else 37), size=6)


def _named(name: str, badge: str | None, x: float, y: float, *, bold: bool = False) -> str:
    """Badge and name; a long name in smaller letters."""
    size = 13.5 if len(name) < 20 else 12.0
    weight = "bold" if bold else "normal"
    return hexagon(x, y, badge, 8) + text(x + 13, y + 5, name, font_size=size, font_weight=weight)


def _hand(player: SeenPlayer, y: float) -> Part:
    """A chip for each card of the hand; those that may lie face down instead stand apart."""
    said = text(IN, y + 14, f"Hand: {count(player.held, 'card')}", font_size=13.5, font_weight="bold")
    parts = [Part((said,), y), _chips(player.hand, IN + HAND, y)]
    for words, cards in unsure(player):
        y = parts[-1].bottom
        parts += [Part((text(IN, y + 14, words, font_size=13.5),), y), _chips(cards, IN + HAND, y)]
    return Part(tuple(line for part in parts for line in part.drawn), parts[-1].bottom)


def _chips(cards: Sequence[str], start: float, y: float) -> Part:
    drawn: list[str] = []
    x = start
    for name in cards:
        card = CARDS[name]
        wide = 31 + 8.4 * len(f"{card.name} {card.strength}")
        if x + wide > END and x > IN:
            x, y = IN, y + CHIP
        drawn += word("card", name, _chip(card.name, card.badge, card.strength, x, y, wide))
        x += wide + 4
    return Part(tuple(drawn), y + CHIP)


def _chip(name: str, badge: str, strength: int, x: float, y: float, wide: float) -> Iterator[str]:
    yield box(x, y - 1, wide, CHIP - 4, SAND, round_=10)
    yield hexagon(x + 13, y + 9, badge, 7)
    yield text(x + 24, y + 14, f"{name} {strength}", font_size=13)
