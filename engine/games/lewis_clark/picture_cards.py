"""The journal with its prices, and a list of what all places do and all cards that lie open or are held, as SVG.

A mail that shows the picture shows no text of the board, so all that a player reads in order to move stands here too,
in letters that can be read when a mail makes the picture smaller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from engine.games.lewis_clark.board import held
from engine.games.lewis_clark.cards import CARDS, LINES, Line
from engine.games.lewis_clark.components import JOURNAL_FUR, VILLAGE
from engine.games.lewis_clark.drawing import SAND, box, hexagon, text
from engine.games.lewis_clark.view import LewisClarkView

OFFER = 47
LETTERS, LINE, SPACE = 56, 15, 7


# --- the journal ----------------------------------------------------------------------------------------------------


def journal(view: LewisClarkView, left: float, top: float, right: float) -> Iterator[str]:
    """The dearest card above, as it lies on the board."""
    yield text(left, top + 14, "Journal", font_size=15, font_weight="bold")
    rest = f"deck {view.deck}, discards {view.discards}"
    yield text(right, top + 14, rest, font_size=11, text_anchor="end")
    for slot, card in enumerate(view.journal):
        yield from _offer(slot, CARDS[card], left, top + 26 + OFFER * (len(view.journal) - 1 - slot), right)


def _offer(slot: int, card: Line, x: float, y: float, right: float) -> Iterator[str]:
    """A card of the journal: its price, its name and its badge."""
    yield box(x, y, right - x, OFFER - 4, SAND)
    for at, (good, amount) in enumerate((("fur", JOURNAL_FUR[slot]), ("equipment", card.strength))):
        yield hexagon(x + 18 + 26 * at, y + 21, good, 11)
        yield text(x + 18 + 26 * at, y + 26, amount, text_anchor="middle", font_weight="bold")
    yield text(x + 66, y + 26, card.name, font_size=14, font_weight="bold")
    yield hexagon(right - 20, y + 21, card.badge, 9)


# --- the list -------------------------------------------------------------------------------------------------------


def listed(view: LewisClarkView, left: float, top: float, width: float) -> tuple[tuple[str, ...], float]:
    """Two columns: all places, the journal, and every card in a hand or in a play area; and where they end."""
    mine = [CARDS[name] for name in held(view)]
    lines = [*(LINES[place.name] for place in VILLAGE), *(CARDS[name] for name in reversed(view.journal)), *mine]
    first, second = _halves(lines)
    drawn = [text(left, top + 14, "What they do, by the names to type", font_size=15, font_weight="bold")]
    bottom = top
    for at, column in enumerate((first, second)):
        y = top + 36
        for line in column:
            drawn += _line(line, left + (width / 2 + 8) * at, y)
            y += _height(line)
        bottom = max(bottom, y)
    return tuple(drawn), bottom


def _halves(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """Two columns of about one height."""
    whole, so_far = sum(map(_height, lines)), 0
    for at, line in enumerate(lines):
        so_far += _height(line)
        if 2 * so_far >= whole:
            return lines[: at + 1], lines[at + 1 :]
    return lines, []


def _height(line: Line) -> int:
    return LINE * (1 + len(_words(line))) + SPACE


def _words(line: Line) -> list[str]:
    return wrap(line.text, LETTERS)


def _line(line: Line, x: float, y: float) -> Iterable[str]:
    """The badge, the name as it is typed, the strength of a card, and the sentence."""
    name = f"{line.id} {line.strength}" if line.strength else f"village {line.id}"
    if line.strength:
        yield hexagon(x + 7, y - 4, line.badge, 6)
    yield text(x + 18, y, name, font_size=12.5, font_weight="bold")
    for at, words in enumerate(_words(line), 1):
        yield text(x + 18, y + LINE * at, words, font_size=12.5)
