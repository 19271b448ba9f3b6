"""The position as an SVG document: the Camp above, a panel for each seat below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.games.discoveries import drawing, terms
from engine.games.discoveries.drawing import EDGE, FAINT, FILLS, INK, PAPER, RIM, WATER, box, text
from engine.games.discoveries.view import DiscoveriesView, SeenPlayer
from engine.kit import escape

WIDTH, LEFT = 980, 16
RIGHT = WIDTH - LEFT
CAMP, CAMP_HEIGHT = 84, 268
TILE, TILE_STEP = 176, 184
CARD, CARD_HEIGHT = 100, 158
LETTERS = 160  # in a line of small print


def picture(view: DiscoveriesView, names: tuple[str, ...]) -> str:
    """An SVG document 980 units wide; its text alternative is the board."""
    tops = [CAMP + CAMP_HEIGHT + 12]
    for player in view.players:
        tops.append(tops[-1] + _height(view, player) + 10)
    height = tops[-1] + 34
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}">',
            f'<g font-family="DejaVu Sans, Verdana, sans-serif" font-size="13" fill="{INK}">',
            box(0, 0, WIDTH, height, PAPER),
            *_head(view, names),
            *_camp(view),
            *(part for seat, top in enumerate(tops[:-1]) for part in _player(view, seat, top)),
            *_legend(tops[-1]),
            "</g>",
            "</svg>",
        )
    )


def _head(view: DiscoveriesView, names: tuple[str, ...]) -> Iterator[str]:
    yield text(LEFT, 30, f"Turn {view.turns}" if view.turns else "First cards", font_size=22, font_weight="bold")
    yield text(LEFT + 130, 29, escape(terms.duty(view, names)), font_size=15)
    news = [f"Seat {owed.giver + 1} owes seat {owed.taker + 1} a grey die." for owed in view.owed]
    if view.last is not None and not view.over:
        news.append("This is the last round.")
    told = " ".join([*news, *(f"{said[0].upper()}{said[1:]}." for said in terms.doing_words(view.doing))])
    for at, line in enumerate(drawing.wrapped(told, LETTERS, most=2)):
        yield text(LEFT, 47 + 13 * at, line, font_size=11)


# --- the Camp -------------------------------------------------------------------------------------------------------


def _camp(view: DiscoveriesView) -> Iterator[str]:
    yield text(LEFT, CAMP - 6, "Encounters", font_size=12, fill=FAINT)
    for at, number in enumerate(view.encounters):
        yield from drawing.tribe(LEFT, CAMP + 90 * at, 204, 82, view.card(number))
    yield from _banks(view, LEFT + 222)
    yield text(LEFT + 506, CAMP - 6, "Territories", font_size=12, fill=FAINT)
    for at, number in enumerate(view.territories):
        yield from drawing.discovery(LEFT + 506 + 109 * at, CAMP, CARD + 3, CAMP_HEIGHT - 6, view.card(number))
    yield from _deck(view, RIGHT - CARD - 3)


def _banks(view: DiscoveriesView, left: int) -> Iterator[str]:
    """The river runs between the banks; the stock of grey dice lies below."""
    width, top = 266, CAMP
    yield box(left, top, width, CAMP_HEIGHT - 6, "#e7dbb8", rx=8, stroke=EDGE)
    middle = left + width / 2
    course = f"M{middle + 14:g} {top + 1} c0 40 -26 62 -26 104 s26 64 26 103"
    yield f'<path d="{course}" fill="none" stroke="{WATER}" stroke-width="20"/>'
    for x, name, faces, bank in (
        (left + 10, "Left bank", ("walk", "ride"), view.left),
        (middle + 28, "Right bank", ("parley", "write"), view.right),
    ):
        yield text(x, top + 20, name, font_size=12, font_weight="bold")
        yield from (drawing.space(x + 24 * at, top + 27, face, "", 18) for at, face in enumerate(faces))
        yield from _pile(x, top + 54, [colour for colour, count in terms.by_colour(bank) for _ in range(count)])
    yield box(left + 1, top + 208, width - 2, CAMP_HEIGHT - 215, PAPER, rx=7)
    yield text(left + 10, top + 226, f"Stock: {view.stock} grey dice", font_size=12, font_weight="bold")
    yield from (drawing.die(left + 10 + 24 * at, top + 233, "grey", "", 20) for at in range(view.stock))


def _pile(left: float, top: float, colours: Sequence[str]) -> Iterator[str]:
    """Four dice abreast and six rows, or smaller ones if there are more."""
    abreast, step = (4, 24) if len(colours) <= 24 else (6, 17)
    for at, colour in enumerate(colours):
        yield drawing.die(left + step * (at % abreast), top + step * (at // abreast), colour, "", step - 3)


def _deck(view: DiscoveriesView, left: int) -> Iterator[str]:
    cards = len(view.deck) + (view.top > 0)
    yield text(left, CAMP - 6, f"Deck: {terms.many(cards, 'card')}", font_size=12, fill=FAINT)
    if view.top:
        for below in range(min(len(view.deck), 2), 0, -1):
            yield box(left + 3 * below, CAMP + 3 * below, CARD + 3, CAMP_HEIGHT - 12, RIM, rx=6, stroke=EDGE)
        yield from drawing.discovery(left, CAMP, CARD + 3, CAMP_HEIGHT - 12, view.card(view.top))


# --- the players ----------------------------------------------------------------------------------------------------


def _cards(player: SeenPlayer) -> list[tuple[str, int]]:
    """The discoveries before a seat, each with what stands above it."""
    own = [("exploring", player.exploring)] if player.exploring else []
    return own + [(f"on {tribe}", number) for tribe, number in player.reserved]


def _abreast(player: SeenPlayer) -> int:
    """How many actions stand beside each other, right of the cards."""
    room = RIGHT - LEFT - 8 - (CARD + 10) * max(1, len(_cards(player)))
    return max(1, room // TILE_STEP)


def _height(view: DiscoveriesView, player: SeenPlayer) -> int:
    rows = -(-(3 + len(player.tribes)) // _abreast(player))
    return 34 + max(CARD_HEIGHT + 20, 44 + 68 * rows) + 18 * len(_journal(view, player))


def _player(view: DiscoveriesView, seat: int, top: int) -> Iterator[str]:
    player = view.players[seat]
    moving = seat == view.seat and not view.over
    height, colour = _height(view, player), FILLS[player.colour]
    yield box(LEFT, top, RIGHT - LEFT, height, "#fff9e6" if moving else "#f7f0df", rx=8, stroke=colour, stroke_width=2)
    yield from _title(player, seat, top, moving)
    for at, (where, number) in enumerate(_cards(player)):
        x = LEFT + 10 + (CARD + 8) * at
        yield text(x + 2, top + 45, where, font_size=10.5, fill=FAINT)
        yield from drawing.discovery(x, top + 50, CARD, CARD_HEIGHT - 6, view.card(number))
    left = LEFT + 14 + (CARD + 8) * max(1, len(_cards(player)))
    yield from _reserve(player, left, top + 38)
    yield from _actions(view, player, left, top + 76)
    for at, line in enumerate(reversed(_journal(view, player))):
        yield text(LEFT + 10, top + height - 9 - 16 * at, line, font_size=11)


def _title(player: SeenPlayer, seat: int, top: int, moving: bool) -> Iterator[str]:
    ink = INK if player.colour == "yellow" else "#fff"
    yield box(LEFT, top, RIGHT - LEFT, 28, FILLS[player.colour], rx=8)
    fate = " has resigned" if player.gone else " is to move" if moving else ""
    yield text(LEFT + 12, top + 19, f"Seat {seat + 1}{fate}", font_weight="bold", fill=ink)
    points = " + ".join(terms.points_by(player))
    summed = terms.many(terms.total(player), "point") + (f" = {points}" if points else "")
    summed += f"; {terms.many(player.tipis, 'tipi')}"
    yield text(RIGHT - 12, top + 19, summed, fill=ink, text_anchor="end", font_size=12)


def _reserve(player: SeenPlayer, left: int, top: int) -> Iterator[str]:
    """The dice to play with, by face."""
    x, step = left, 27 if player.reserve.total <= 22 else 20
    for face, counts in terms.by_face(player.reserve):
        for colour in (colour for colour, count in counts for _ in range(count)):
            yield drawing.die(x, top, colour, face, step - 3)
            x += step
        x += 10 * bool(counts)
    if not player.reserve.total:
        yield text(left, top + 17, "no dice in the reserve", font_size=11, fill=FAINT)


def _actions(view: DiscoveriesView, player: SeenPlayer, left: int, top: int) -> Iterator[str]:
    for at, tile in enumerate(_tiles(view, player)):
        x, y = left + TILE_STEP * (at % _abreast(player)), top + 68 * (at // _abreast(player))
        yield f'<g transform="translate({x} {y})">{"".join(tile)}</g>'


def _tiles(view: DiscoveriesView, player: SeenPlayer) -> Iterator[Iterable[str]]:
    """The board's actions, then the tribe cards: those that take dice, those that do not."""
    for space, exploration, laid in terms.explorations(view, player):
        name = f"{space} {view.card(int(space)).tribe.name}" if space.isdigit() else space
        yield drawing.action(0, 0, TILE, name, exploration, laid)
    for number in player.tribes:
        tribe = view.card(number).tribe
        if not tribe.exploration:
            yield drawing.lasting(0, 0, TILE, f"{number} {tribe.name}", terms.lasting(player, number, tribe))


def _journal(view: DiscoveriesView, player: SeenPlayer) -> list[str]:
    """The explored cards in lines."""
    if not player.journal:
        return []
    told = ", ".join(f"{number} ({terms.worth(view.card(number).discovery)})" for number in player.journal)
    return drawing.wrapped(f"Journal: {told}", LETTERS)


def _legend(top: int) -> Iterator[str]:
    x: float = LEFT
    for face, says in (
        ("walk", "walk"),
        ("ride", "ride"),
        ("parley", "parley"),
        ("write", "write, the last"),
        ("any", "any face"),
    ):
        yield drawing.space(x, top, face, "", 18)
        yield text(x + 24, top + 14, says, font_size=11)
        x += 40 + 6.5 * len(says)
    yield text(
        x,
        top + 14,
        "+1: one more of that face, which goes to its bank. Roads are crossed from the bottom up.",
        font_size=11,
    )
