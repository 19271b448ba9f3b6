"""A player as a zone of one column: figures and the delay of a camp, boats, badges in sight, play area, hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.games.lewis_clark import icons
from engine.games.lewis_clark.board import camp_says, loads, unsure
from engine.games.lewis_clark.cards import CARDS
from engine.games.lewis_clark.components import BADGES, GOODS, Boat
from engine.games.lewis_clark.drawing import badge, camp, good, hull, indian, scout, strength
from engine.games.lewis_clark.picture_cards import ASIDE, NAME, NAMED, tile
from engine.games.lewis_clark.view import LewisClarkView, SeenPlayed, SeenPlayer
from engine.kit import COLUMN, PlayerPlate, Zone, box, count, fitted, fitting, folded, marked, panel, path, text, titled

EDGE, HEAD = 10.0, 46.0
SEAT, BETWEEN = 19.0, 6.0  # in a boat, and from one boat to the next
BOAT = 50.0  # the height of a row of boats with its delays
HALF, CARD = (COLUMN - 2 * EDGE - 6) / 2, 62.0
CLOSE = 0.87  # how close together the signs of an action may be
Part = tuple[list[str], float]  # what is drawn, and where the next part begins


def zone(view: LewisClarkView, seat: int, name: str) -> Zone:
    player = view.players[seat]
    head = PlayerPlate(
        seat=seat,
        name=name,
        fill=f"seat-{seat + 1}",
        points=str(player.camp),
        called=f"scout on {player.scout}, camp on {player.camp}",
        moving=seat == view.seat and not view.over,
        won=view.winner == seat,
        note="resigned" if player.gone else "",
    )
    drawn, y = _figures(player, seat), HEAD + 40
    for part in (_boats, _sight):
        more, y = part(player, y)
        drawn += more
    more, y = _table(player, seat, y, with_under=view.face_down_badges)
    drawn += more
    more, y = _hand(player, seat, y)
    return Zone(f"seat-{seat + 1}", COLUMN, round(y + 4), panel(head, round(y + 4), *drawn, *more))


def _figures(player: SeenPlayer, seat: int) -> list[str]:
    """Draw where scout and camp stand, and how far back a camp would send the scout."""
    y = HEAD + 24
    where = scout(26, y, seat, 12) + text(44, y + 7, player.scout, 19, bold=True)
    where += camp(96, y, seat, 12) + text(116, y + 7, player.camp, 19, bold=True)
    back = path(f"M188 {y} h-22 m7 -7 l-8 7 8 7", fill="none", stroke="@bad", stroke_width=2.5)
    back += text(194, y + 7, player.time, 19, bold=True, fill="@bad")
    room = good(292, y, "?", 10, "") + text(308, y + 6, f"room {player.room}", 15)
    return [
        titled(f"scout on {player.scout}, camp on {player.camp}", where),
        titled(f"a camp {camp_says(player)}", back),
        titled(f"room for {count(player.room, 'good')}", room),
    ]


# --- boats ----------------------------------------------------------------------------------------------------------


def _boats(player: SeenPlayer, y: float) -> Part:
    """Draw the boats as loaded for a camp, with the delays that they cause."""
    goods = [kind for kind in GOODS for _ in range(player.goods.count(kind))]
    drawn: list[str] = []
    x = EDGE + 2
    for boat, held in (load for stowed in loads(player) for load in stowed):
        if x + _long(boat) > COLUMN - EDGE:
            x, y = EDGE + 2, y + BOAT
        load = goods[:held] if boat.holds == "goods" else []
        goods = goods[len(load) :]
        drawn += _boat(boat, held, load, x, y + 18)
        x += _long(boat) + BETWEEN
    aboard = ", ".join(f"{player.goods.count(kind)} {kind}" for kind in GOODS if player.goods.count(kind)) or "no goods"
    on_cards = sum(played.indians for played in player.table)
    said = f"{aboard}; Indians: {player.indians} aboard, {on_cards} on cards"
    return [titled(said, *drawn)], y + BOAT


def _long(boat: Boat) -> float:
    return 12 + SEAT * boat.room if boat.room else 54.0


def _boat(boat: Boat, held: int, load: Sequence[str], x: float, y: float) -> Iterator[str]:
    yield hull(x, y + 2, _long(boat))
    if boat.room is None:
        yield indian(x + 18, y - 2, there=held > 0) + text(x + 31, y + 5, held, 15, bold=True)
    for at in range(boat.room or 0):
        middle = x + 15.5 + SEAT * at
        full = load[at] if at < len(load) else None
        yield good(middle, y, full, 9) if boat.holds == "goods" else indian(middle, y - 1, there=at < held)
    yield from _delays(boat, held, x, y + 28)


def _delays(boat: Boat, held: int, x: float, y: float) -> Iterator[str]:
    """Draw the delay of a boat, once or below each of its places; in faint ink if the load does not cause it."""
    middle = x + _long(boat) / 2
    if boat.time == "each" and boat.room:
        yield from (_delay(x + 15.5 + SEAT * at, y, "-1", counts=at < held) for at in range(boat.room))
    elif boat.time == "each":
        yield _delay(middle, y, f"-{held}" if held else "-1 each", counts=held > 0)
    elif boat.time == "once":
        yield _delay(middle, y, "-1", counts=held > 0)


def _delay(x: float, y: float, words: str, *, counts: bool) -> str:
    return text(x, y, words, 14, bold=counts, middle=True, fill="@bad" if counts else "@faint")


def _sight(player: SeenPlayer, y: float) -> Part:
    """Draw the badges that collecting counts."""
    counts = [(kind, player.sees.count(kind)) for kind in BADGES]
    eye = path(f"M14 {y + 12} q12 -14 24 0 q-12 14 -24 0 Z", fill="none", stroke="@faint", stroke_width=2)
    eye += path(f"M22 {y + 12} a4 4 0 1 1 8 0 a4 4 0 1 1 -8 0 Z", fill="@faint")
    drawn = (
        badge(66 + 62 * at, y + 12, kind, 10) + text(82 + 62 * at, y + 18, number, 16, bold=number > 0)
        for at, (kind, number) in enumerate(counts)
    )
    said = ", ".join(f"{number} {kind}" for kind, number in counts if number) or "none"
    return [titled(f"badges in sight: {said}", eye, *drawn)], y + 34


# --- cards ----------------------------------------------------------------------------------------------------------


def _table(player: SeenPlayer, seat: int, y: float, *, with_under: bool) -> Part:
    """Draw the play area, one card below the other."""
    drawn = []
    for played in player.table:
        card = CARDS[played.card]
        said = f"{card.name}: {card.text}{_said_below(played)} Indians on it: {played.indians}"
        inside = _played(played, y, with_under=with_under)
        drawn.append(marked(f"card:{card.id} source:{card.id}", said, *inside, seat=seat))
        y += CARD + 6
    return drawn, y


def _said_below(played: SeenPlayed) -> str:
    if played.under:
        return f" Below: {CARDS[played.under].name}."
    return f" A {played.kind or 'card'} below." if played.back else ""


def _played(played: SeenPlayed, y: float, *, with_under: bool) -> Iterator[str]:
    """Draw a card face up; to its right the card under it, with its badge if that counts, and the Indians on it."""
    wide, left = 276.0, EDGE + 270
    yield box(left, y + 5, COLUMN - EDGE - left, CARD - 10, rx=8, fill="@panel", stroke="@line", stroke_width=1.5)
    yield from tile(played.card, EDGE, y, wide, CARD)
    room = COLUMN - 2 * EDGE - wide - 16
    if played.back:
        number, _, sign = played.back.partition("-")
        below = CARDS[played.under].name if played.under else f"a {played.kind}" if played.kind else "face down"
        yield strength(left + 24, y + 18, int(number), 8.5)
        yield badge(left + 50, y + 19, sign, 8.5) if with_under else ""
        yield from _below(below, left + 14, y + 40, room)
    for at in range(played.indians):
        yield indian(COLUMN - EDGE - 16 - 20 * at, y + 18, size=8)


def _below(name: str, x: float, y: float, room: float) -> Iterator[str]:
    """Draw the name of a card below another in one line, or in two."""
    first, _, last = name.rpartition(" ") if fitting(name, room, 14) < NAME else ("", "", name)
    for at, line in enumerate(filter(None, (first, last))):
        yield fitted(x, y + (14 * at if first else 9), line, room, 14, NAME)


def _hand(player: SeenPlayer, seat: int, y: float) -> Part:
    """Draw the hand two cards abreast, then what may lie face down."""
    said = f"Hand: {count(player.held, 'card')}"
    drawn = [titled(said, text(EDGE + 2, y + 18, said, 15.5, bold=True))]
    more, y = _cards(player.hand, seat, y + 28)
    drawn += more
    for words, cards in unsure(player):
        rows = folded(words, 50)
        drawn += [text(EDGE + 2, y + 16 + 18 * at, row, 14.5, bold=True) for at, row in enumerate(rows)]
        more, y = _cards(cards, seat, y + 8 + 18 * len(rows))
        drawn += more
    return drawn, y


def _cards(cards: Sequence[str], seat: int, y: float) -> Part:
    """Draw two cards in a row; one with a long action or name has a row of its own."""
    drawn, left = [], True
    for name in cards:
        is_long = fitting(CARDS[name].name, HALF - NAMED, 15.5, bold=True) < NAME
        is_wide = is_long or icons.width(name) * CLOSE > HALF - ASIDE
        if is_wide and not left:
            y, left = y + CARD + 6, True
        x, wide = (EDGE, COLUMN - 2 * EDGE if is_wide else HALF) if left else (EDGE + HALF + 6, HALF)
        inside = tile(name, x, y, wide, CARD)
        drawn.append(marked(f"card:{name}", f"{CARDS[name].name}: {CARDS[name].text}", *inside, seat=seat))
        left = not left or is_wide
        y += (CARD + 6) * left
    return drawn, y if left else y + CARD + 6
