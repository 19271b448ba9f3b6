"""A player as a zone of one column: the card to explore, dice, actions, tribes, the journal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count as count_up

from engine.games.discoveries import drawing, terms
from engine.games.discoveries.cards import SPECIES
from engine.games.discoveries.spaces import AT_ONCE
from engine.games.discoveries.view import DiscoveriesView, SeenPlayer
from engine.kit import (
    COLUMN,
    EMPTY,
    PlayerPlate,
    Supply,
    Zone,
    circle,
    count,
    marked,
    moved,
    panel,
    readable,
    text,
    titled,
)

EDGE, GAP, HEAD = 10.0, 6.0, 54.0
CARD, TALL = 104.0, 186.0  # a card to explore
RIGHT = EDGE + CARD + 8
TILE, TILE_HEIGHT = (COLUMN - 2 * EDGE - 2 * GAP) / 3, 92.0
INSTANT = (COLUMN - EDGE - RIGHT - GAP) / 2, 42.0
DIE, ABREAST = 46.0, 6


def seat_zone(view: DiscoveriesView, seat: int, name: str) -> Zone:
    player = view.players[seat]
    moving = seat == view.seat and not view.over
    points = terms.total(player)
    head = PlayerPlate(
        seat=seat,
        name=name,
        fill=f"seat-{player.colour}",
        points=str(points),
        called=f"{player.colour}, {count(points, 'point')}, {count(player.tipis, 'tipi')}",
        moving=moving,
        won=view.ended is not None and view.ended.won and seat in view.ended.places[0],
        note="resigned" if player.gone else "",
    )
    fresh = view.doing.fresh if moving else EMPTY
    dice, low = _dice(seat, player, fresh)
    instant, low = _instant(view, seat, moving, low)
    explored = _exploring(view, seat)
    tiles, low = _tiles(view, seat, max(low, HEAD + TALL + GAP))
    journal, height = _journal(view, player, low)
    return Zone(f"seat-{seat + 1}", COLUMN, height, panel(head, height, *dice, *instant, explored, *tiles, *journal))


# --- dice -----------------------------------------------------------------------------------------------------------


def _dice(seat: int, player: SeenPlayer, fresh: Supply) -> tuple[list[str], float]:
    """The dice of the reserve by face, then those that were just rolled for the next turn. Two rows are always free."""
    drawn, at = [], 0
    for dice, waiting in ((player.reserve, False), (fresh, True)):
        for face, counts in terms.by_face(dice):
            for colour in (colour for colour, number in counts for _ in range(number)):
                x, y = RIGHT + DIE * (at % ABREAST), HEAD + DIE * (at // ABREAST)
                drawn.append(_die(seat, colour, face, x, y, waiting=waiting))
                at += 1
    if not at:
        drawn.append(text(RIGHT, HEAD + 24, "no dice in the reserve", 14.5, fill="@faint"))
    return drawn, HEAD + DIE * max(2, -(-at // ABREAST)) + 2


def _die(seat: int, colour: str, face: str, x: float, y: float, *, waiting: bool) -> str:
    shown = drawing.die(x, y, colour, face, DIE - 4)
    lying = "" if waiting else f" place:{seat + 1}.{face} spot:{face}"
    ring = circle(x + DIE - 8, y + 4, 5, fill="@mark", stroke="@edge") if waiting else ""
    said = f"a {colour} die: {face}" + ", just rolled for the next turn" * waiting
    return marked(f"die:{colour}-{face}{lying}", said, shown, ring, seat=seat)


# --- actions --------------------------------------------------------------------------------------------------------


def _instant(view: DiscoveriesView, seat: int, moving: bool, top: float) -> tuple[list[str], float]:
    """The four actions that take effect at once; those used this turn are crossed out."""
    done, (wide, high), drawn = view.doing.done if moving else (), INSTANT, []
    for at, (space, need) in enumerate(AT_ONCE.items()):
        x, y = RIGHT + (wide + GAP) * (at % 2), top + (high + GAP) * (at // 2)
        said = f"{space}: {terms.need_words(need)}" + ", used this turn" * (space in done)
        tile = drawing.at_once(x, y, wide, high, space, need, space in done)
        drawn.append(marked(f"space:{space}", said, *tile, seat=seat))
    return drawn, top + 2 * (high + GAP)


def _tiles(view: DiscoveriesView, seat: int, top: float) -> tuple[list[str], float]:
    """Reserved cards, each two rows high; around them the exploration actions of the board, then tribe cards."""
    reserved, tiles, tall = view.players[seat].reserved, list(_each_tile(view, seat)), 2 * TILE_HEIGHT + GAP
    drawn = [
        _card(view, seat, number, f"reserved on card {tribe}", EDGE + at * (TILE + GAP), top, TILE, tall)
        for at, (tribe, number) in enumerate(reserved)
    ]
    cells = ((row, column) for row in count_up() for column in range(3) if row > 1 or column >= len(reserved))
    rows = 2 if reserved else 0
    for tile, (row, column) in zip(tiles, cells, strict=False):
        drawn.append(moved(EDGE + column * (TILE + GAP), top + row * (TILE_HEIGHT + GAP), *tile))
        rows = max(rows, row + 1)
    return drawn, top + rows * (TILE_HEIGHT + GAP)


def _each_tile(view: DiscoveriesView, seat: int) -> Iterator[Iterable[str]]:
    player = view.players[seat]
    for space, exploration, laid in terms.explorations(view, player):
        side = view.card(int(space)).tribe if space.isdigit() else None
        name = f"{space} {readable(side.name)}" if side else space
        drawn = drawing.action(TILE, TILE_HEIGHT, name, side.tipis if side else 0, exploration, laid, seat)
        on_it = terms.counted([(colour, 1) for colour in (*laid.dice, laid.write) if colour], "no dice")
        title = f"{name}: {terms.needs(exploration)} gives {terms.gives(exploration)}, {on_it} on it"
        yield (marked(f"space:{space}", title, *drawn, seat=seat),)
    for number in player.tribes:
        tribe = view.card(number).tribe
        if not tribe.exploration:
            name, said = f"{number} {readable(tribe.name)}", terms.lasting(player, number, tribe)
            yield (titled(f"{name}: {said}", *drawing.lasting(TILE, TILE_HEIGHT, name, tribe.tipis, said)),)


# --- cards ----------------------------------------------------------------------------------------------------------


def _exploring(view: DiscoveriesView, seat: int) -> str:
    """The card to explore, at the left edge. An empty place says so."""
    number = view.players[seat].exploring
    if not number:
        return text(EDGE + 4, HEAD + 24, "no card", 14.5, fill="@faint")
    return _card(view, seat, number, "to explore", EDGE, HEAD, CARD, TALL)


def _card(
    view: DiscoveriesView, seat: int, number: int, where: str, x: float, y: float, wide: float, tall: float
) -> str:
    card = view.card(number)
    title = f"card {number}, {where}: {' or '.join(card.discovery.routes)}, {terms.worth(card.discovery)}"
    return marked(f"card:{number}", title, *drawing.discovery(x, y, wide, tall, card), seat=seat)


def _journal(view: DiscoveriesView, player: SeenPlayer, top: float) -> tuple[list[str], float]:
    """The explored cards: points, species with their numbers, tipis; last, the parts of the points."""
    found = [view.card(number).discovery for number in player.journal]
    y = top + 24
    row = [
        drawing.species(92 + 62 * at, y, name, sum(one.species == name for one in found))
        for at, name in enumerate(SPECIES)
    ]
    row += [drawing.tipis(368, y - 15, 1), text(374, y, player.tipis, 16), _book(EDGE + 12, y, len(found))]
    cards = ", ".join(f"{number} ({terms.worth(view.card(number).discovery)})" for number in player.journal)
    said = [f"Journal: {cards}" if cards else "Journal: empty", f"Species: {terms.species(view, player)}"]
    parts = ", ".join(terms.points_by(player))
    words = list(drawing.words(EDGE + 4, y + 24, f"Points: {parts}" if parts else "No points yet", 52))
    said.append(parts)
    return [titled("; ".join(said), *row, *words)], y + 20 + 17 * len(words)


def _book(x: float, y: float, cards: int) -> str:
    """An open book with the number of cards in the journal."""
    pages = drawing.shape(
        "M12 6 Q8 3 2 4 V20 Q8 19 12 22 Q16 19 22 20 V4 Q16 3 12 6 Z M12 6 V22", x - 8, y - 18, 24, "@trail"
    )
    return pages + text(x + 22, y, cards, 16, bold=True)
