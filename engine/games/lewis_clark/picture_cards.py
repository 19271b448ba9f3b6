"""The village, the journal with its prices, and the supply, as zones of one column. Actions are drawn in signs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.games.lewis_clark import icons
from engine.games.lewis_clark.board import deck, discards
from engine.games.lewis_clark.board_says import help_with_fur
from engine.games.lewis_clark.cards import CARDS, LINES
from engine.games.lewis_clark.components import GOODS, JOURNAL_FUR, VILLAGE, Place
from engine.games.lewis_clark.drawing import badge, good, hull, indian, strength
from engine.games.lewis_clark.state import NEWCOMERS, POW_WOW
from engine.games.lewis_clark.view import LewisClarkView
from engine.kit import COLUMN, Zone, box, count, fitted, lines, marked, text, titled

GAP = 8.0
HALF = (COLUMN - GAP) / 2
ROW = 76.0  # the height of a place and of a card
HEAD = 34.0
ASIDE = 40.0  # of a card beside its action
NAMED, NAME = 36.0, 13.8  # of a card beside its name, and the least size of a name
TALL = HEAD + 5 * (ROW + GAP)


def village(view: LewisClarkView) -> Zone:
    """Draw each place with its action and its Indians; the last one needs the whole width."""
    *small, wide = sorted(VILLAGE, key=lambda place: place.name == "upgrade")
    drawn = [text(0, 24, "Village", 20, bold=True)]
    for at, place in enumerate(small):
        drawn.append(_place(view, place, (HALF + GAP) * (at % 2), HEAD + (ROW + GAP) * (at // 2), HALF))
    drawn.append(_place(view, wide, 0, HEAD + 4 * (ROW + GAP), COLUMN))
    drawn.append(_waiting(view, HALF + GAP, HEAD + 3 * (ROW + GAP)))
    return Zone("village", COLUMN, TALL, "".join(drawn))


def _place(view: LewisClarkView, place: Place, x: float, y: float, wide: float) -> str:
    there = view.village.count(place.name)
    title = f"{LINES[place.name].name}: {LINES[place.name].text} Indians here: {there}"
    room = wide - 22 - 20 * max(1, place.circles) - (22 if not place.circles else 0)
    drawn = [box(x, y, wide, ROW, rx=8, fill="@card", stroke="@line", stroke_width=1.5)]
    drawn.append(fitted(x + 11, y + 25, place.name, room - 24 * (len(view.players) == 1), 16, 13.8, bold=True))
    if len(view.players) == 1:
        drawn.append(badge(x + wide - 66, y + 20, place.badge, 9))
    drawn += _indians(place, there, x + wide - 17, y + 20)
    drawn.append(icons.row(icons.of(place.name), x + 10, y + 54, wide - 20))
    return marked(f"place:{place.name} source:{place.name}", title, *drawn)


def _indians(place: Place, there: int, right: float, y: float) -> Iterator[str]:
    """Draw the circles with their Indians; an open side has a figure and a number."""
    if not place.circles:
        yield indian(right - 16, y, there=there > 0) + text(right - 4, y + 6, there, 16, bold=True)
    for at in range(place.circles):
        yield indian(right - 20 * at, y, there=place.circles - at <= there)


def _waiting(view: LewisClarkView, x: float, y: float) -> str:
    """Draw the Indians that are in no place: at the pow-wow, on the newcomers' space, in the stock."""
    counts = (
        ("pow-wow", view.village.count(POW_WOW)),
        ("newcomers", view.village.count(NEWCOMERS)),
        ("stock", view.stock),
    )
    drawn = [box(x, y, HALF, ROW, rx=8, fill="@panel", stroke="@line", stroke_width=1.5)]
    for at, (name, number) in enumerate(counts):
        drawn.append(text(x + 12, y + 23 + 21 * at, name, 15, fill="@faint"))
        drawn.append(indian(x + HALF - 44, y + 18 + 21 * at, there=number > 0, size=7))
        drawn.append(text(x + HALF - 30, y + 24 + 21 * at, number, 16, bold=True))
    return titled("Indians: " + ", ".join(f"{name} {number}" for name, number in counts), *drawn)


# --- the journal ----------------------------------------------------------------------------------------------------


def journal(view: LewisClarkView) -> Zone:
    """Draw the journal with the dearest card on top, as on the printed board."""
    drawn = [text(0, 24, "Journal", 20, bold=True)]
    for row, slot in enumerate(reversed(range(len(JOURNAL_FUR)))):
        y = HEAD + (ROW + GAP) * row
        drawn.append(_offer(slot, view.journal[slot], y) if slot < len(view.journal) else _empty(y))
    return Zone("journal", COLUMN, TALL, "".join(drawn))


def _offer(slot: int, name: str, y: float) -> str:
    """Draw a card with its price in fur and equipment on the left."""
    card, fur = CARDS[name], JOURNAL_FUR[slot]
    price = _price(0, y + ROW / 2, "fur", fur) + _price(42, y + ROW / 2, "equipment", card.strength)
    title = f"{card.name}: {card.text} Price: {fur} fur and {card.strength} equipment"
    return marked(f"card:{card.id}", title, *tile(name, 84, y, COLUMN - 84, ROW), price)


def _price(x: float, y: float, kind: str, number: int) -> str:
    return text(x, y + 7, number, 19, bold=True) + good(x + 23, y, kind, 11)


def _empty(y: float) -> str:
    return box(84, y, COLUMN - 84, ROW, rx=8, fill="none", stroke="@line", stroke_width=1.5)


def tile(name: str, x: float, y: float, wide: float, high: float) -> Iterator[str]:
    """Draw a card: badge, name and strength above its action."""
    card = CARDS[name]
    yield box(x, y, wide, high, rx=8, fill="@card", stroke="@line", stroke_width=1.5)
    yield badge(x + 17, y + high * 0.27, card.badge, 10)
    yield fitted(x + 33, y + high * 0.27 + 6, card.name, wide - NAMED, 15.5, NAME, bold=True)
    yield strength(x + wide - 16, y + high * 0.7, card.strength, 9.5)
    yield icons.row(icons.of(name), x + 9, y + high * 0.71, wide - ASIDE)


# --- the supply -----------------------------------------------------------------------------------------------------


def supply(view: LewisClarkView, names: Sequence[str]) -> Zone:
    """Draw the goods with their names, the boats left, and sentences on the deck, the discards and helpers."""
    drawn = []
    for at, kind in enumerate(GOODS):
        x, y = (COLUMN - 2 * GAP + GAP) / 3 * (at % 3), 46.0 * (at // 3)
        frame = box(x, y, COLUMN / 3 - GAP, 38, rx=8, fill="@panel", stroke="@line", stroke_width=1.5)
        drawn.append(
            marked(f"good:{kind}", kind, frame, good(x + 20, y + 19, kind, 12), text(x + 40, y + 25, kind, 16))
        )
    drawn.append(_boats(view, 112))
    y = 158.0
    said = (*help_with_fur(view, names), f"Deck: {deck(view.deck)}.", f"Discards: {discards(view.discards)}.")
    for sentence in said:
        rows, y = lines(2, y, sentence, 13.8, 50)
        drawn.append(titled(sentence, *rows))
    return Zone("supply", COLUMN, round(y - 8), "".join(drawn))


def _boats(view: LewisClarkView, y: float) -> str:
    goods, indians = view.boats.count("goods"), view.boats.count("indians")
    drawn = hull(4, y, 44) + good(26, y - 2, "?", 8, "") + text(56, y + 6, f"x{goods}", 16, bold=True)
    drawn += hull(112, y, 44) + indian(134, y - 4, size=7) + text(164, y + 6, f"x{indians}", 16, bold=True)
    return titled(f"boats left: {count(goods, 'boat')} for goods, {indians} for Indians", drawn)
