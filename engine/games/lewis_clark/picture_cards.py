"""The village and the journal with its prices, as SVG, side by side below the players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.games.lewis_clark.board import deck, discards
from engine.games.lewis_clark.board_says import help_with_fur
from engine.games.lewis_clark.cards import CARDS, LINES, Line
from engine.games.lewis_clark.components import JOURNAL_FUR, VILLAGE, Place
from engine.games.lewis_clark.drawing import (
    GAP,
    LEFT,
    RIGHT,
    SAND,
    Part,
    box,
    fitted,
    heading,
    hexagon,
    indian,
    lines,
    text,
)
from engine.games.lewis_clark.state import NEWCOMERS, POW_WOW
from engine.games.lewis_clark.view import LewisClarkView
from engine.kit import marked

WIDE = (RIGHT - LEFT - GAP) / 2
MIDDLE = LEFT + WIDE + GAP
LETTERS = 39  # of a sentence in one half
ROW, STEP = 26, 28


def village(view: LewisClarkView, y: float) -> Part:
    """Draw each place by the word to type for it, with its Indians."""
    drawn = [heading(LEFT, LEFT + WIDE, y + 18, "Village", "" if view.over else "village PLACE N")]
    y += 26
    for place in VILLAGE:
        title = f"{LINES[place.name].name}: {LINES[place.name].text}"
        inside = (box(LEFT, y, WIDE, ROW, SAND), *_place(view, place, y + 18))
        drawn.append(marked(f"place:{place.name} source:{place.name}", title, *inside))
        y += STEP
    meeting, newcomers = view.village.count(POW_WOW), view.village.count(NEWCOMERS)
    rest = f"Indians at the pow-wow: {meeting}, newcomers: {newcomers}, stock: {view.stock}."
    boats = f"Boats left: {view.boats.count('goods')} for goods, {view.boats.count('indians')} for Indians."
    said = lines(LEFT, y + 14, rest, LETTERS)
    more = lines(LEFT, said.bottom, boats, LETTERS)
    return Part((*drawn, *said.drawn, *more.drawn), more.bottom - 8)


def _place(view: LewisClarkView, place: Place, y: float) -> Iterator[str]:
    """Draw the word, the badge in a solo game, and the circles or the open side."""
    yield text(LEFT + 8, y, place.name, font_size=15, font_weight="bold")
    there, right = view.village.count(place.name), LEFT + WIDE
    if len(view.players) == 1:
        yield hexagon(right - 154, y - 5, place.badge, 8)
        yield text(right - 142, y, "badge")
    if not place.circles:
        yield indian(right - 68, y - 5, there=there > 0)
        yield text(right - 56, y, f"{there}, open")
    for at in range(place.circles):
        yield indian(right - 16 - 19 * at, y - 5, there=place.circles - at <= there)


def journal(view: LewisClarkView, names: Sequence[str], y: float) -> Part:
    """Draw the journal with the dearest card on top, as on the printed board."""
    drawn = [heading(MIDDLE, RIGHT, y + 18, "Journal", "" if view.over else "recruit CARD")]
    y += 26
    for slot in reversed(range(len(view.journal))):
        card = CARDS[view.journal[slot]]
        inside = (box(MIDDLE, y, WIDE, ROW, SAND), *_offer(slot, card, y + 18))
        drawn.append(marked(f"card:{card.id}", f"{card.name}: {card.text}", *inside))
        y += STEP
    below = ("Left: price in fur and equipment. Right: strength and badge.", *help_with_fur(view, names))
    for sentence in (*below, f"Deck: {deck(view.deck)}."):
        part = lines(MIDDLE, y + 14, sentence, LETTERS)
        drawn += part.drawn
        y = part.bottom - 13
    return Part(tuple(drawn), y + 5)


def discarded(view: LewisClarkView, y: float) -> Part:
    """Draw the discards across the whole width: late in a game there are many."""
    return lines(LEFT, y + 14, f"Discards: {discards(view.discards)}.", 2 * LETTERS)


def _offer(slot: int, card: Line, y: float) -> Iterator[str]:
    """Draw a card of the journal: its price, its name, its strength and its badge."""
    for at, (good, amount) in enumerate((("fur", JOURNAL_FUR[slot]), ("equipment", card.strength))):
        yield hexagon(MIDDLE + 16 + 25 * at, y - 5, good, 11, amount)
    yield fitted(MIDDLE + 58, y, card.name, WIDE - 110, 15, font_weight="bold")
    yield text(RIGHT - 32, y, card.strength, font_size=14, text_anchor="end")
    yield hexagon(RIGHT - 17, y - 5, card.badge, 9)
