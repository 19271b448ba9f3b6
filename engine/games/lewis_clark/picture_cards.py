"""The village, the journal with its prices, and what all cards do that lie open or are held, as SVG.

A mail that shows the picture shows no text of the board, so all that a player reads in order to move stands here too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.games.lewis_clark.board import deck, discards, held
from engine.games.lewis_clark.board_says import help_with_fur
from engine.games.lewis_clark.cards import CARDS, LINES, Line
from engine.games.lewis_clark.components import JOURNAL_FUR, VILLAGE, Place
from engine.games.lewis_clark.drawing import (
    LEFT,
    LINE,
    RIGHT,
    SAND,
    Part,
    box,
    heading,
    hexagon,
    indian,
    lines,
    text,
    word,
)
from engine.games.lewis_clark.state import NEWCOMERS, POW_WOW
from engine.games.lewis_clark.view import LewisClarkView
from engine.kit import count

LETTERS = 55  # of a sentence across the picture
WIDE = RIGHT - LEFT


# --- the village ----------------------------------------------------------------------------------------------------


def village(view: LewisClarkView, y: float) -> Part:
    """Each place with the word to type, who stands there, and what it does."""
    drawn = [heading(y + 18, "Village", "type: village PLACE N")]
    y += 28
    for place in VILLAGE:
        said = lines(LEFT + 10, y + 34, LINES[place.name].text, LETTERS)
        drawn += word(
            "place",
            place.name,
            (box(LEFT, y, WIDE, said.bottom - y - 8, SAND), *_place(view, place, y + 17), *said.drawn),
        )
        y = said.bottom - 3
    meeting, newcomers = view.village.count(POW_WOW), view.village.count(NEWCOMERS)
    rest = f"Pow-wow {meeting}, newcomers {newcomers}, beside the board {count(view.stock, 'Indian')}."
    boats = f"Boats left: {view.boats.count('goods')} for goods, {view.boats.count('indians')} for Indians."
    said = lines(LEFT, y + 16, rest, LETTERS)
    more = lines(LEFT, said.bottom, boats, LETTERS)
    return Part((*drawn, *said.drawn, *more.drawn), more.bottom)


def _place(view: LewisClarkView, place: Place, y: float) -> Iterator[str]:
    """The word, its badge in a game of one, and its circles or its open side."""
    yield text(LEFT + 10, y, place.name, font_size=15, font_weight="bold")
    there = view.village.count(place.name)
    if len(view.players) == 1:
        yield hexagon(RIGHT - 150, y - 5, place.badge, 8)
        yield text(RIGHT - 138, y, "badge", font_size=12.5)
    if not place.circles:
        yield indian(RIGHT - 78, y - 5, there=there > 0)
        yield text(RIGHT - 64, y, f"{there}, open", font_size=13)
    for at in range(place.circles):
        yield indian(RIGHT - 18 - 20 * at, y - 5, there=place.circles - at <= there)


# --- the journal ----------------------------------------------------------------------------------------------------


def journal(view: LewisClarkView, names: Sequence[str], y: float) -> Part:
    """The dearest card above, as it lies on the board."""
    drawn = [heading(y + 18, "Journal", "price in fur and equipment; type: recruit CARD")]
    y += 28
    for slot in reversed(range(len(view.journal))):
        card = CARDS[view.journal[slot]]
        said = lines(LEFT + 10, y + 36, card.text, LETTERS)
        drawn += word(
            "card", card.id, (box(LEFT, y, WIDE, said.bottom - y - 8, SAND), *_offer(slot, card, y + 18), *said.drawn)
        )
        y = said.bottom - 3
    below = (*help_with_fur(view, names), f"Deck: {deck(view.deck)}.", f"Discards: {discards(view.discards)}.")
    for sentence in below:
        part = lines(LEFT, y + 16, sentence, LETTERS)
        drawn += part.drawn
        y = part.bottom - 14
    return Part(tuple(drawn), y + 14)


def _offer(slot: int, card: Line, y: float) -> Iterator[str]:
    """A card of the journal: its price, its name, its strength and its badge."""
    for at, (good, amount) in enumerate((("fur", JOURNAL_FUR[slot]), ("equipment", card.strength))):
        yield hexagon(LEFT + 22 + 28 * at, y - 5, good, 12, amount)
    yield text(LEFT + 74, y, card.name, font_size=15, font_weight="bold")
    yield from _marks(card, y)


def _marks(card: Line, y: float) -> Iterator[str]:
    yield text(RIGHT - 32, y, f"strength {card.strength}", font_size=13, text_anchor="end")
    yield hexagon(RIGHT - 18, y - 5, card.badge, 9)


# --- the list -------------------------------------------------------------------------------------------------------


def listed(view: LewisClarkView, y: float) -> Part:
    """Every card in a hand or in a play area, and what it does."""
    drawn = [heading(y + 18, "Cards", "names in small letters, as in hawks-feather")]
    y += 40
    for card in (CARDS[name] for name in held(view)):
        drawn += [text(LEFT, y, card.name, font_size=14, font_weight="bold"), *_marks(card, y)]
        said = lines(LEFT, y + LINE, card.text, LETTERS + 2)
        drawn += said.drawn
        y = said.bottom + 7
    return Part(tuple(drawn), y - 7)
