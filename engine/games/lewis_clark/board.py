"""The position as text, at most 78 columns: enough to play from in a mail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.games.lewis_clark.board_says import headline, help_with_fur, to_type
from engine.games.lewis_clark.boats import stow, time
from engine.games.lewis_clark.camping import costs, quicker
from engine.games.lewis_clark.cards import CARDS, LINES
from engine.games.lewis_clark.components import GOODS, JOURNAL_FUR, VILLAGE, Boat
from engine.games.lewis_clark.effects import amount
from engine.games.lewis_clark.route import FORT, LAST, LOWEST, START, terrain
from engine.games.lewis_clark.state import NEWCOMERS, POW_WOW
from engine.games.lewis_clark.view import LewisClarkView, SeenPlayed, SeenPlayer
from engine.kit import Supply, count, cut, pad, width

WIDTH = 78
TIE = "\u00a0"
INKS = (  # what a terminal may colour, see `kit.spans`
    (r"(?<=\s)~[~+^FL]{3,}", "water"),
    (r"^(?:[A-Z]{4,}|TO TYPE)\b", "bold"),
    (r"PLAYER (?P<seat>[1-5])\b", "seat"),
    (r"(?<=^(?:->|  ))(?P<seat>[1-5])(?= \S)", "seat"),
)
DRAWN = {"river": "~", "mountain": "^", "mixed": "+"}
NAME, LANE_NAME = 30, 6  # columns for a player's name: above their cards, beside the route


def board(view: LewisClarkView, names: tuple[str, ...]) -> str:
    """Return the whole position: turn, route, village, journal, players, their cards, and what may be typed."""
    parts = (
        headline(view, names),
        _route(view, names),
        _village(view),
        _journal(view, names),
        _players(view, names),
        _legend(view),
        *([] if view.over else [to_type()]),
    )
    drawn = (_folded(part) for part in parts)
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in drawn)


def _folded(part: Iterator[str]) -> Iterator[str]:
    """Fold lines that are too long and indent the rest."""
    for line in part:
        indent = len(line) - len(line.lstrip())
        yield from (line,) if width(line) <= WIDTH else _fold(" " * indent, line.strip(), indent + 2)


def _fold(head: str, text: str, indent: int) -> Iterator[str]:
    """Fold text after a head, with further lines indented; no line breaks at `TIE`."""
    line, taken, is_empty = head, width(head), True
    for word in text.split(" "):
        wide = width(word)
        if taken + wide + (not is_empty) > WIDTH and not is_empty:
            yield line.replace(TIE, " ")
            line, taken, is_empty = " " * indent, indent, True
        line, taken, is_empty = f"{line}{' ' * (not is_empty)}{word}", taken + wide + (not is_empty), False
    yield line.replace(TIE, " ")


# --- the route ------------------------------------------------------------------------------------------------------


def _route(view: LewisClarkView, names: tuple[str, ...]) -> Iterator[str]:
    yield "ROUTE     ~ river  ^ mountain  + both  L Saint Louis  F Fort Clatsop"
    yield "          S scout  c camp  @ scout and camp"
    yield _lane("", _ruler()) + " scout  camp"
    yield _lane("", "".join(map(_space, range(LOWEST, LAST + 1))))
    for seat, player in enumerate(view.players):
        mark = "->" if seat == view.seat and not view.over else "  "
        head = f"{mark}{seat + 1} {cut(names[seat], LANE_NAME)}"
        yield pad(head, 10) + f"{_way(player)} {player.scout:>5} {player.camp:>5}"
    if view.mackenzie is not None:
        way = "".join("M" if space == view.mackenzie else " " for space in range(LOWEST, LAST + 1))
        yield _lane("Mackenzie", way) + f" {view.mackenzie:>5}"
    if view.start_over:
        yield f"          An expedition that camps on space {LOWEST} starts anew with only the six roles."


def _lane(head: str, drawn: str) -> str:
    return f"{head:<10}{drawn}"


def _ruler() -> str:
    """Return the ruler: a number at every tenth space and at the ends, its first digit above the space."""
    line = [" "] * (LAST - LOWEST + 1)
    for space in (LOWEST, START, *range(10, FORT - 1, 10), FORT):
        line[space - LOWEST : space - LOWEST + len(str(space))] = str(space)
    return "".join(line)


def _space(space: int) -> str:
    return {START: "L", FORT: "F"}.get(space, DRAWN[terrain(space)])


def _way(player: SeenPlayer) -> str:
    """Return the route of one player: camp, scout and the way between them."""
    low, high = sorted((player.scout, player.camp))
    line = ["-" if low <= space <= high else " " for space in range(LOWEST, LAST + 1)]
    line[player.camp - LOWEST] = "c"
    line[player.scout - LOWEST] = "@" if player.scout == player.camp else "S"
    return "".join(line)


# --- village and journal --------------------------------------------------------------------------------------------


def _village(view: LewisClarkView) -> Iterator[str]:
    yield "VILLAGE         Indians"
    for place in VILLAGE:
        room = f"of {place.circles}" if place.circles else "open"
        head = f"  {place.name:<14}{view.village.count(place.name):>2} {room:<6}"
        yield from _fold(head, LINES[place.name].text, len(head))
    meeting, newcomers = view.village.count(POW_WOW), view.village.count(NEWCOMERS)
    yield f"  Indians at the pow-wow: {meeting}, on the newcomers' space: {newcomers}, in the stock: {view.stock}."
    yield f"  Boats left: {view.boats.count('goods')} for goods, {view.boats.count('indians')} for Indians."
    if len(view.players) == 1:
        badges = ", ".join(f"{place.name} {place.badge}" for place in VILLAGE)
        yield from _fold("  Badges in sight while an Indian stands there: ", badges, 4)


def _journal(view: LewisClarkView, names: tuple[str, ...]) -> Iterator[str]:
    yield "JOURNAL   price of a card: fur + equipment"
    for slot in range(len(view.journal), 0, -1):
        card = CARDS[view.journal[slot - 1]]
        head = f"  {slot}  {JOURNAL_FUR[slot - 1]:>6} + {card.strength}  "
        yield from _fold(head, card_line(card.id), 17)
    yield from (f"  {line}" for line in help_with_fur(view, names))
    yield f"  Deck: {deck(view.deck)}."
    yield from _fold("  Discards: ", discards(view.discards), 4)


def deck(supply: Supply) -> str:
    """Return the number of cards of each strength; their names follow from the open cards."""
    strengths = [CARDS[name].strength for name, n in supply.rest for _ in range(n)]
    by = ", ".join(f"{strengths.count(strength)} of strength {strength}" for strength in (1, 2, 3))
    return f"{count(supply.total, 'card')}" + (f" ({by})" if strengths else "")


def discards(supply: Supply) -> str:
    names = (CARDS[name].name + f"{TIE}x{n}" * (n > 1) for name, n in supply.rest)
    return ", ".join(name.replace(" ", TIE) for name in names) or "none"


# --- the players ----------------------------------------------------------------------------------------------------


def _players(view: LewisClarkView, names: tuple[str, ...]) -> Iterator[str]:
    for seat, player in enumerate(view.players):
        if seat:
            yield ""
        mark = "->" if seat == view.seat and not view.over else "  "
        fate = " (resigned)" if player.gone else ""
        name = "" if names[seat] == f"Seat {seat + 1}" else f": {cut(names[seat], NAME)}"
        yield f"{mark} PLAYER {seat + 1}{name}{fate}"
        yield from _fold("     goods:   ", _goods(player.goods, player.room), 14)
        yield f"     Indians: {_indians(player)}"
        yield from _fold("     boats:   ", _boats(player), 14)
        yield from _fold("     camp:    ", camp_says(player), 14)
        yield f"     badges:  {badges(player.sees)} in sight"
        shown = (_played(played, with_under=view.face_down_badges) for played in player.table)
        yield from _fold("     played:  ", "; ".join(shown) or "nothing", 14)
        yield from _fold("     hand:    ", ", ".join(hand(player)) or "empty", 14)


def _goods(goods: Supply, room: int) -> str:
    listed = ", ".join(amount(goods.count(good), good) for good in GOODS if goods.count(good))
    return f"{listed or 'none'}; room for {room} more"


def _indians(player: SeenPlayer) -> str:
    on_cards = sum(played.indians for played in player.table)
    return f"{player.indians} aboard" + (f", {on_cards} on cards until the next camp" if on_cards else "")


def badges(sees: Supply) -> str:
    """Return the badges that collecting counts."""
    return ", ".join(f"{n} {badge}" for badge, n in sees.rest) or "none"


def _boats(player: SeenPlayer) -> str:
    """Return each boat at a camp: its load, its room, and its delay."""
    goods, indians = loads(player)
    return f"goods {_loads(goods)}; Indians {_loads(indians)}"


def loads(player: SeenPlayer) -> tuple[tuple[tuple[Boat, int], ...], tuple[tuple[Boat, int], ...]]:
    """Return the loads of the boats at a camp: goods, and all Indians, including those on cards."""
    indians = player.indians + sum(played.indians for played in player.table)
    return stow(player.tiles, "goods", player.goods.total), stow(player.tiles, "indians", indians)


def _loads(stowed: Sequence[tuple[Boat, int]]) -> str:
    return ", ".join(f"{held} of {boat.room or 'any'}{_cost(boat, held)}".replace(" ", TIE) for boat, held in stowed)


def _cost(boat: Boat, held: int) -> str:
    cost = time(((boat, held),))
    return f" (delay {cost})" if cost else ""


def camp_says(player: SeenPlayer) -> str:
    """Return the delay of a camp and its parts."""
    indians = player.indians + sum(played.indians for played in player.table)
    face_up = [played.card for played in player.table]
    parts = costs(player.tiles, player.goods.total, indians, player.held, face_up)
    listed = (
        (parts.cards, f"{parts.cards} for cards in hand"),
        (parts.goods, f"{parts.goods} for goods"),
        (parts.indians, f"{parts.indians} for Indians"),
    )
    said = " + ".join(words for n, words in listed if n)
    less = "".join(f" - {n} thanks to {CARDS[name].name}" for name, n in quicker(face_up))
    delay = f"would delay the scout by {count(parts.time, 'space')}" if parts.time else "would not delay the scout"
    return f"{delay} now: {said}{less}" if said else f"{delay} now"


def _played(played: SeenPlayed, *, with_under: bool) -> str:
    """Return a card with its strength: a card below, with its badge if that counts, and Indians."""
    by = " and ".join([*_below(played, with_under=with_under), *_on_it(played.indians)])
    card = CARDS[played.card]
    return f"{card.name} ({card.badge})" + (f" with {by}" if by else "")


def _below(played: SeenPlayed, *, with_under: bool) -> Iterator[str]:
    if not played.back:
        return
    strength, _, badge = played.back.partition("-")
    if played.under:
        yield CARDS[played.under].name + f" ({badge})" * with_under + " below"
    else:
        yield f"a {played.kind or 'card'} below ({strength} {badge})"


def _on_it(indians: int) -> Iterator[str]:
    if indians:
        yield count(indians, "Indian")


def hand(player: SeenPlayer) -> Iterator[str]:
    """Yield the cards in hand with their strengths, and those that may lie face down."""
    yield from (_held(name) for name in player.hand)
    for words, cards in unsure(player):
        yield f"{words} " + " | ".join(_held(name) for name in cards)


def unsure(player: SeenPlayer) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the cards that may lie face down, each group under its heading."""
    if player.either:
        yield f"and {player.held - len(player.hand)} of these:", player.either
    if player.down:
        yield "face down:", player.down


def _held(name: str) -> str:
    return f"{CARDS[name].name} {CARDS[name].strength}".replace(" ", TIE)


# --- the cards ------------------------------------------------------------------------------------------------------


def _legend(view: LewisClarkView) -> Iterator[str]:
    """Yield the effect of every card in a hand or in a play area, each once."""
    yield "CARDS   (strength, badge): what one use costs -> what it brings"
    for name in held(view):
        yield from _fold("  ", card_line(name), 6)


def held(view: LewisClarkView) -> list[str]:
    """Return every card in a hand or in a play area, each once."""
    somewhere = {
        card for player in view.players for card in (*player.hand, *player.either, *player.down, *_lying(player))
    }
    return [card for card in CARDS if card in somewhere]


def card_line(name: str) -> str:
    card = CARDS[name]
    return f"{card.name} ({card.strength} {card.badge}): {card.text}"


def _lying(player: SeenPlayer) -> Iterator[str]:
    for played in player.table:
        yield from (played.card, played.under) if played.under else (played.card,)
