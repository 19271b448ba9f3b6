"""The position as an SVG document: what is due, the Camp, the territories, then a zone for each player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.games.discoveries import drawing, terms
from engine.games.discoveries.cards import Card
from engine.games.discoveries.ink import ROLES
from engine.games.discoveries.panels import seat_zone
from engine.games.discoveries.view import DiscoveriesView
from engine.kit import COLUMN, WIDE, Palette, Zone, box, count, document, legend, lines, marked, readable, text, titled

GAP = 9.0
THIRD, FOURTH = (COLUMN - 2 * GAP) / 3, (COLUMN - 3 * GAP) / 4
TRIBE, BANK, FACES, CARD = 150, 112, 46, 236
HEAD, LETTERS, SMALL = 28, 50, 13.8


def picture(view: DiscoveriesView, names: tuple[str, ...], palette: Palette = "light") -> str:
    """An SVG document in two columns; its text alternative is the board."""
    zones = (
        _head(view, names),
        _camp(view),
        _territories(view),
        *(seat_zone(view, seat, names[seat]) for seat in range(len(view.players))),
        _supply(view),
        _legend(view),
    )
    return document(zones, ROLES, palette)


def _head(view: DiscoveriesView, names: tuple[str, ...]) -> Zone:
    title = f"Turn {view.turns}. " if view.turns else ""
    drawn, y = lines(8, 30, f"{title}{terms.duty(view, names)}", HEAD, 46, bold=True)
    ranking = terms.ranking(view, names) if view.ended else ()
    said = (*ranking, *terms.owing(view, names), terms.last_round(view, names), *terms.doing_words(view.doing))
    for sentence in filter(None, said):
        more, y = lines(8, y, sentence, HEAD, LETTERS)
        drawn += more
    return Zone("head", WIDE, round(y - 14), "".join(drawn))


# --- the Camp -------------------------------------------------------------------------------------------------------


def _camp(view: DiscoveriesView) -> Zone:
    """Tribes that can be won, both banks and the stock, and the faces of dice."""
    tribes = (_tribe(at, view.card(card)) for at, card in enumerate(view.encounters))
    drawn = (*tribes, *_banks(view, TRIBE + GAP), *_faces(TRIBE + BANK + 2 * GAP))
    return Zone("camp", COLUMN, TRIBE + BANK + FACES + 2 * GAP, "".join(drawn))


def _tribe(at: int, card: Card) -> str:
    side = card.tribe
    title = f"{card.number} {readable(side.name)}, {side.attitude}: {terms.effect(side)}"
    return marked(f"tribe:{card.number}", title, *drawing.tribe(at * (THIRD + GAP), 0, THIRD, TRIBE, card))


def _banks(view: DiscoveriesView, y: float) -> Iterator[str]:
    """Draw both banks and the stock of grey dice."""
    piles = (
        ("left", "Left", ("walk", "ride"), terms.by_colour(view.left)),
        ("right", "Right", ("parley", "write"), terms.by_colour(view.right)),
        ("", "Stock", (), (("grey", view.stock),)),
    )
    for at, (word, name, faces, dice) in enumerate(piles):
        colours = [colour for colour, many in dice for _ in range(many)]
        drawn = "".join(_pile(at * (THIRD + GAP), y, name, faces, colours))
        held = terms.counted(dice, "no")
        if word:
            yield marked(f"bank:{word} place:{word}", f"the {word} bank: {held} dice", drawn)
        else:
            yield titled(f"stock: {count(view.stock, 'grey die', 'grey dice')}", drawn)


def _pile(x: float, y: float, name: str, faces: Sequence[str], colours: Sequence[str]) -> Iterator[str]:
    """Five dice in a row, two rows; smaller dice if there are more."""
    yield box(x, y, THIRD, BANK, rx=8, fill="@bank", stroke="@line", stroke_width=1.5)
    yield text(x + 9, y + 20, name, 14.5, bold=True)
    for at, face in enumerate(faces):
        yield drawing.shape(drawing.SHAPES[face], x + THIRD - 46 + 21 * at, y + 5, 20, "@faint")
    abreast, step = (5, 25.5) if len(colours) <= 15 else (7, 18.2)
    for at, colour in enumerate(colours):
        yield drawing.die(x + 6 + step * (at % abreast), y + 30 + step * (at // abreast), colour, "", step - 2)


def _faces(y: float) -> Iterator[str]:
    """The four faces of a die with their names, which commands use."""
    for at, face in enumerate(("walk", "ride", "parley", "write")):
        x = at * (FOURTH + GAP)
        frame = box(x, y, FOURTH, FACES, rx=8, fill="@panel", stroke="@line", stroke_width=1.5)
        drawn = drawing.space(x + 7, y + 8, face, "") + text(x + 43, y + 29, face, 16)
        yield marked(f"face:{face}", face, frame, drawn)


# --- the territories ------------------------------------------------------------------------------------------------


def _territories(view: DiscoveriesView) -> Zone:
    """The open cards; the last place is the deck with its open card."""
    cards = [(at, card) for at, card in enumerate(view.territories)]
    cards += [(3, view.top)] if view.top else []
    drawn = [_deck(view)]
    for at, number in cards:
        card, x = view.card(number), at * (FOURTH + GAP)
        title = f"card {number}: {' or '.join(card.discovery.routes)}, {terms.worth(card.discovery)}"
        drawn.append(marked(f"card:{number}", title, *drawing.discovery(x, 12, FOURTH, CARD - 20, card)))
    height = TRIBE + BANK + FACES + 2 * GAP
    below, _ = lines(
        4, CARD + 16, "Roads run from the bottom up. The last card lies on the deck.", SMALL, 40, fill="@faint"
    )
    return Zone("territories", COLUMN, height, "".join((*drawn, *below)))


def _deck(view: DiscoveriesView) -> str:
    """The cards below the open one: their number, not their order."""
    x, left = 3 * (FOURTH + GAP), len(view.deck) + bool(view.top)
    edges = "".join(
        box(x + at, 4 + at * 2, FOURTH - 2 * at, 40, rx=8, fill="@bank", stroke="@line", stroke_width=1.5)
        for at in range(min(3, len(view.deck)))
    )
    words = text(x + FOURTH, CARD + 38, count(left, "card") if left else "The deck is empty", 14.5, bold=True, end=True)
    return titled(f"the deck: {count(left, 'card')}", edges, words)


# --- what is known of other cards -----------------------------------------------------------------------------------


def _supply(view: DiscoveriesView) -> Zone:
    left = " ".join(map(str, view.deck)) or "none"
    said = f"In the deck below the open card, in unknown order: {left}."
    away = f"Not in this game: {' '.join(map(str, view.removed)) or 'none'}."
    rows, y = lines(12, 26, said, SMALL, 52)
    more, y = lines(12, y + 4, away, SMALL, 52)
    frame = box(0.75, 0.75, COLUMN - 1.5, round(y - 8), rx=10, fill="@panel", stroke="@line", stroke_width=1.5)
    return Zone("supply", COLUMN, round(y - 6), frame + titled(said, *rows) + titled(away, *more))


def _legend(view: DiscoveriesView) -> Zone:
    said = (
        "+1: one more die of that face, which goes to its bank. A Write die completes the action.",
        "A set of 1, 2, 3 or 4 species scores 3, 8, 15 or 24 points. More dice break a tie.",
        terms.edition(view),
    )
    return legend(said, SMALL, 52)
