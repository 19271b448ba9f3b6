"""The position as an SVG document: what is due, the Camp, then a panel for each player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.games.discoveries import drawing, terms
from engine.games.discoveries.cards import Card
from engine.games.discoveries.drawing import EDGE, FAINT, FILLS, INK, PAPER, box, text
from engine.games.discoveries.spaces import AT_ONCE as AT_ONCE_ACTIONS
from engine.games.discoveries.view import DiscoveriesView, SeenPlayer
from engine.kit import Supply, count, cut, marked, readable

WIDTH, LEFT = 640, 12
RIGHT = WIDTH - LEFT
GAP = 8
SMALL = 14  # the smallest font size
LETTERS = 74  # letters of that size in a line of the whole width
THIRD = (RIGHT - LEFT - 2 * GAP) / 3
FOURTH = (RIGHT - LEFT - 3 * GAP) / 4
TRIBE, BANK, TILE, AT_ONCE = 104, 92, 74, 46
NAME = 22


def picture(view: DiscoveriesView, names: tuple[str, ...]) -> str:
    """An SVG document 640 units wide, to be read on a phone; its text alternative is the board."""
    page = Page()
    _head(page, view, names)
    _camp(page, view)
    for seat in range(len(view.players)):
        _player(page, view, names, seat)
    _legend(page)
    height = page.top + 6
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}">',
            f'<g font-family="DejaVu Sans, Verdana, sans-serif" font-size="{SMALL}" fill="{INK}">',
            box(0, 0, WIDTH, height, PAPER),
            *page.parts,
            "</g>",
            "</svg>",
        )
    )


class Page:
    """The parts drawn so far, and the y at which the next one begins."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.top = 0.0

    def lines(
        self, content: str, size: float = SMALL, left: float = LEFT, letters: int = LETTERS, **style: str
    ) -> None:
        """Draw a text in as many lines as it takes."""
        for line in drawing.wrapped(content, letters):
            self.parts.append(text(left, self.top + size, line, font_size=size, **style))
            self.top += size + 4

    def row(self, height: float, *parts: Iterable[str]) -> None:
        """Draw things side by side, then move down."""
        for part in parts:
            self.parts += part
        self.top += height + GAP


def _head(page: Page, view: DiscoveriesView, names: tuple[str, ...]) -> None:
    page.top = 8
    page.lines(f"Turn {view.turns}" if view.turns else "First cards", 20, font_weight="bold")
    page.lines(terms.duty(view, names), 16, letters=64, font_weight="bold")
    if view.ended:
        for line in terms.ranking(view, names):
            page.lines(line)
    for line in (*terms.owing(view, names), terms.last_round(view, names)):
        page.lines(line)
    for said in terms.doing_words(view.doing):
        page.lines(said)


# --- the Camp -------------------------------------------------------------------------------------------------------


def _camp(page: Page, view: DiscoveriesView) -> None:
    page.top += 6
    page.lines("Encounters: tribes to win", fill=FAINT)
    places = [LEFT + at * (THIRD + GAP) for at in range(3)]
    tribes = zip(places, view.encounters, strict=False)
    page.row(
        TRIBE if view.encounters else 0,
        *(_tribe(x, page.top, view.card(card)) for x, card in tribes),
    )
    _banks(page, view, places)
    top = " Last: the top card of the deck" if view.top else ""
    page.lines(f"Territories: roads run from the bottom up.{top}", fill=FAINT)
    open_cards = (*view.territories, view.top) if view.top else view.territories
    height = _card_height(view, open_cards)
    places_of = enumerate(open_cards)
    drawn = (_discovery(_fourth(at), page.top, FOURTH, height, view.card(card)) for at, card in places_of)
    page.row(height, *drawn)
    page.lines(_deck(view))
    page.lines(terms.edition(view))
    page.lines(f"Cards not in this game: {' '.join(map(str, view.removed)) or 'none'}.")
    page.top += GAP


def _deck(view: DiscoveriesView) -> str:
    if not view.top:
        return "The deck is empty."
    left = " ".join(map(str, view.deck)) or "none"
    return f"Deck: {count(len(view.deck) + 1, 'card')}. Below the top one, in unknown order: {left}."


def _tribe(x: float, y: float, card: Card) -> Iterator[str]:
    side = card.tribe
    title = f"{card.number} {readable(side.name)}, {side.attitude}: {terms.effect(side)}"
    yield marked(f"tribe:{card.number}", title, *drawing.tribe(x, y, THIRD, TRIBE, card))


def _discovery(x: float, y: float, width: float, height: float, card: Card, seat: int | None = None) -> Iterator[str]:
    title = f"card {card.number}: {' or '.join(card.discovery.routes)}, {terms.worth(card.discovery)}"
    yield marked(f"card:{card.number}", title, *drawing.discovery(x, y, width, height, card), seat=seat)


def _card_height(view: DiscoveriesView, cards: Iterable[int]) -> float:
    """The height that the longest road takes, within bounds."""
    longest = max((len(route) for card in cards for route in view.card(card).discovery.routes), default=0)
    return 60 + 26 * min(6, max(longest, 2)) if longest else 0


def _fourth(at: int) -> float:
    return LEFT + at * (FOURTH + GAP)


def _banks(page: Page, view: DiscoveriesView, places: Sequence[float]) -> None:
    """Draw both banks and the stock of grey dice."""
    piles = (
        ("left", "Left bank", ("walk", "ride"), [c for c, n in terms.by_colour(view.left) for _ in range(n)]),
        ("right", "Right bank", ("parley", "write"), [c for c, n in terms.by_colour(view.right) for _ in range(n)]),
        ("", f"Stock: {count(view.stock, 'grey die', 'grey dice')}", (), ["grey"] * view.stock),
    )
    for x, (word, name, faces, colours) in zip(places, piles, strict=True):
        drawn = _pile(x, page.top, name, faces, colours)
        page.parts += [marked(f"bank:{word} place:{word}", f"the {word} bank", *drawn)] if word else drawn
    page.row(BANK)


def _pile(x: float, y: float, name: str, faces: Sequence[str], colours: Sequence[str]) -> Iterator[str]:
    """Seven dice in a row, two rows; smaller dice if there are more."""
    yield box(x, y, THIRD, BANK, "#e7dbb8", rx=8, stroke=EDGE)
    yield text(x + 8, y + 18, name, font_weight="bold")
    yield from (drawing.space(x + THIRD - 50 + 23 * at, y + 4, face, "", 19) for at, face in enumerate(faces))
    abreast, step = (7, 26) if len(colours) <= 14 else (11, 17)
    for at, colour in enumerate(colours):
        yield drawing.die(x + 8 + step * (at % abreast), y + 28 + step * (at // abreast), colour, "", step - 3)


# --- the players ----------------------------------------------------------------------------------------------------


def _player(page: Page, view: DiscoveriesView, names: tuple[str, ...], seat: int) -> None:
    """Draw a panel. Its frame is inserted last, behind the rest, since its height is known only then."""
    player, begun, behind = view.players[seat], page.top, len(page.parts)
    moving = seat == view.seat and not view.over
    _title(page, player, cut(names[seat], NAME), seat, moving)
    _before(page, view, seat, moving)
    _tiles(page, view, seat)
    for line in _told(view, player):
        page.lines(line, left=LEFT + 8, letters=LETTERS - 2)
    page.top += 4
    frame = box(LEFT, begun, RIGHT - LEFT, page.top - begun, "#fff9e6" if moving else "#f7f0df", rx=8)
    edge = f' stroke="{FILLS[player.colour]}" stroke-width="2"/>'
    page.parts.insert(behind, frame.removesuffix("/>") + edge)
    page.top += GAP


def _title(page: Page, player: SeenPlayer, name: str, seat: int, moving: bool) -> None:
    ink = INK if player.colour == "yellow" else "#fff"
    band = box(LEFT, page.top, RIGHT - LEFT, 28, FILLS[player.colour], rx=8)
    page.parts.append(marked(f"seat:{seat + 1}", name, band))
    note = ", resigned" if player.gone else ", to move" if moving else ""
    whole = f"{seat + 1}  {name} ({player.colour}){note}"
    page.parts.append(drawing.fitted(LEFT + 10, page.top + 20, whole, 380, 17, font_weight="bold", fill=ink))
    counts = (
        f"{count(terms.total(player), 'point')}, {count(player.tipis, 'tipi')}, {count(player.dice, 'die', 'dice')}"
    )
    page.parts.append(text(RIGHT - 10, page.top + 19, counts, fill=ink, text_anchor="end", font_size=SMALL))
    page.top += 34


def _before(page: Page, view: DiscoveriesView, seat: int, moving: bool) -> None:
    """Draw the cards to explore, and to their right, if there is room, the actions at once and the dice."""
    player = view.players[seat]
    cards, begun = _cards(player), page.top
    height = _card_height(view, (number for _, number in cards))
    page.row(height + 20 if cards else 0, *(_labelled(view, seat, at, begun, height) for at in range(len(cards))))
    ended, left = page.top, LEFT + 8.0
    if 0 < len(cards) <= 2:
        page.top, left = begun + 6, left + len(cards) * (FOURTH + 3)
    _at_once(page, view, seat, left, moving)
    _dice(page, left, seat, player.reserve, "no dice in the reserve")
    if moving and view.doing.fresh.total:
        page.lines("just rolled, for the next turn:", left=left)
        _dice(page, left, seat, view.doing.fresh, "", waiting=True)
    page.top = max(page.top, ended)


def _at_once(page: Page, view: DiscoveriesView, seat: int, left: float, moving: bool) -> None:
    """Draw the four actions that take effect at once; those used this turn are crossed out."""
    done = view.doing.done if moving else ()
    abreast = 4 if left < FOURTH else 2
    width = (RIGHT - 8 - left - (abreast - 1) * 6) / abreast
    spaces = list(AT_ONCE_ACTIONS.items())
    for start in range(0, 4, abreast):
        tiles = (
            marked(
                f"space:{space}",
                f"{space}: {terms.need_words(need)}",
                *drawing.at_once(left + at * (width + 6), page.top, width, AT_ONCE, space, need, space in done),
                seat=seat,
            )
            for at, (space, need) in enumerate(spaces[start : start + abreast])
        )
        page.row(AT_ONCE - 2, tiles)


def _dice(page: Page, left: float, seat: int, dice: Supply, none: str, *, waiting: bool = False) -> None:
    """Draw the dice of the reserve, or those for the next turn, by face, in as many rows as they take."""
    x, step = left, 33
    if not dice.total:
        page.lines(none, left=left, fill=FAINT)
    for face, counts in terms.by_face(dice):
        for colour in (colour for colour, number in counts for _ in range(number)):
            if x + step > RIGHT - 4:
                x, page.top = left, page.top + step
            drawn = drawing.die(x, page.top, colour, face, step - 4)
            lying = "" if waiting else f" place:{seat + 1}.{face} spot:{face}"
            page.parts.append(marked(f"die:{colour}-{face}{lying}", f"a {colour} die: {face}", drawn, seat=seat))
            x += step
        x += 10 * bool(counts)
    page.top += (step + 4) * bool(dice.total)


def _cards(player: SeenPlayer) -> list[tuple[str, int]]:
    """The discoveries in front of a player, each with its label."""
    own = [("to explore", player.exploring)] if player.exploring else []
    return own + [(f"on card {tribe}", number) for tribe, number in player.reserved]


def _labelled(view: DiscoveriesView, seat: int, at: int, top: float, height: float) -> Iterator[str]:
    where, number = _cards(view.players[seat])[at]
    width = FOURTH - 5
    x = LEFT + 8 + at * (width + GAP)
    yield text(x + 2, top + 14, where, fill=FAINT)
    yield from _discovery(x, top + 20, width, height, view.card(number), seat)


def _tiles(page: Page, view: DiscoveriesView, seat: int) -> None:
    """Draw the exploration actions of the board, then tribe cards with dice, then those without."""
    width = (RIGHT - LEFT - 16 - 2 * 6) / 3
    tiles = list(_each_tile(view, seat, width))
    for start in range(0, len(tiles), 3):
        placed = enumerate(tiles[start : start + 3])
        page.row(
            TILE - 2,
            *(
                (f'<g transform="translate({LEFT + 8 + at * (width + 6):g} {page.top:g})">', *tile, "</g>")
                for at, tile in placed
            ),
        )


def _each_tile(view: DiscoveriesView, seat: int, width: float) -> Iterator[Iterable[str]]:
    player = view.players[seat]
    for space, exploration, laid in terms.explorations(view, player):
        side = view.card(int(space)).tribe if space.isdigit() else None
        name = f"{space} {readable(side.name)}" if side else space
        drawn = drawing.action(width, TILE, name, side.tipis if side else 0, exploration, laid, seat)
        title = f"{name}: {terms.needs(exploration)} gives {terms.gives(exploration)}"
        yield (marked(f"space:{space}", title, *drawn, seat=seat),)
    for number in player.tribes:
        tribe = view.card(number).tribe
        if not tribe.exploration:
            name = f"{number} {readable(tribe.name)}"
            yield drawing.lasting(width, TILE, name, tribe.tipis, terms.lasting(player, number, tribe))


def _told(view: DiscoveriesView, player: SeenPlayer) -> Iterator[str]:
    """Lines for the explored cards, the sets of species, and the parts of the points."""
    if player.journal:
        cards = ", ".join(f"{number} ({terms.worth(view.card(number).discovery)})" for number in player.journal)
        yield f"Journal: {cards}"
    sets = terms.species(view, player)
    if sets:
        yield f"Species: {sets}"
    if terms.points_by(player):
        yield f"Points: {', '.join(terms.points_by(player))}"


def _legend(page: Page) -> None:
    x: float = LEFT
    for face in ("walk", "ride", "parley", "write", "any"):
        drawn = drawing.space(x, page.top, face, "", 22) + text(x + 28, page.top + 16, face)
        page.parts.append(drawn if face == "any" else marked(f"face:{face}", face, drawn))
        x += 100
    page.top += 28
    page.lines("+1: one more die of that face, which goes to its bank. A Write die completes the action.")
    page.lines("A set of 1, 2, 3 or 4 species scores 3, 8, 15 or 24 points. More dice break a tie.")
