"""The position as text, at most 78 columns: the Camp, the roads of the open discoveries as they lie, and each seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from engine.games.discoveries import terms
from engine.games.discoveries.cards import Discovery
from engine.games.discoveries.view import DiscoveriesView, SeenPlayer

WIDTH = 78
ROAD = 11  # columns of a discovery
ABREAST = WIDTH // ROAD


def board(view: DiscoveriesView) -> str:
    """The whole position: what is to be done, Camp, tribes, roads, players, legend."""
    parts = (*_headline(view), "", *_camp(view), "", *_tribes(view), "", *_roads(view), *_players(view), "", *LEGEND)
    return "\n".join(line.rstrip() for line in parts)


LEGEND = (
    "A road is crossed from the bottom up: R river, M mountain. An action stands with",
    "the dice it needs, a space in [] for each, and what it gives: of `2 walk` one die",
    "stays and one goes to its bank. A Write die comes last and starts it.",
)


def _headline(view: DiscoveriesView) -> Iterator[str]:
    yield f"Turn {view.turns}. {terms.duty(view)}" if view.turns else terms.duty(view)
    for owed in view.owed:
        yield f"Seat {owed.giver + 1} owes seat {owed.taker + 1} a grey die."
    if view.last is not None and not view.over:
        yield f"The last round: {_seats(view.last)} to come."
    yield from _wrap("This turn:", tuple(terms.doing_words(view.doing)), ";", none="")


def _seats(seats: Sequence[int]) -> str:
    return "seat " + ", ".join(str(seat + 1) for seat in seats) if seats else "nobody"


# --- the Camp -------------------------------------------------------------------------------------------------------


def _camp(view: DiscoveriesView) -> Iterator[str]:
    left, right = (terms.counted(terms.by_colour(bank), "no dice") for bank in (view.left, view.right))
    yield f"Left bank (walk, ride): {left}."
    yield f"Right bank (parley, write): {right}."
    yield f"Grey dice in the stock: {view.stock}."
    if view.top:
        yield from _wrap(
            f"Deck: card {view.top} lies open; below it in no known order:", tuple(map(str, view.deck)), ""
        )
    else:
        yield "The deck is used up."


def _tribes(view: DiscoveriesView) -> Iterator[str]:
    yield "Tribes to meet                      tipis"
    for number in view.encounters:
        tribe = view.card(number).tribe
        yield f"  {number:>2} {tribe.name:<16}{tribe.attitude:<10}{tribe.tipis:>6}   {terms.effect(tribe)}"
    if not view.encounters:
        yield "  none"


# --- roads ----------------------------------------------------------------------------------------------------------


def _roads(view: DiscoveriesView) -> Iterator[str]:
    """Every discovery that can be chosen, side by side, and then those that the seats mean to explore."""
    for laid in (list(_in_the_camp(view)), list(_with_the_seats(view))):
        for start in range(0, len(laid), ABREAST):
            yield from _row(view, laid[start : start + ABREAST])
            yield ""


def _in_the_camp(view: DiscoveriesView) -> Iterator[tuple[str, int]]:
    yield from (("territory", number) for number in view.territories)
    if view.top:
        yield "deck", view.top


def _with_the_seats(view: DiscoveriesView) -> Iterator[tuple[str, int]]:
    for seat, player in enumerate(view.players, 1):
        if player.exploring:
            yield f"seat {seat}", player.exploring
        yield from ((f"s{seat} on {tribe}", number) for tribe, number in player.reserved)


def _row(view: DiscoveriesView, laid: Sequence[tuple[str, int]]) -> Iterator[str]:
    yield _cells(where for where, _ in laid)
    yield _cells("-" * (ROAD - 2) for _ in laid)
    columns = [_road(view.card(number).discovery) for _, number in laid]
    height = max(map(len, columns))
    yield from (_cells(line) for line in zip(*([""] * (height - len(c)) + c for c in columns), strict=True))
    yield _cells("-" * (ROAD - 2) for _ in laid)
    yield _cells(f"card {number}" for _, number in laid)
    yield _cells(terms.worth(view, number) for _, number in laid)
    if any(view.card(number).discovery.tipis for _, number in laid):
        yield _cells(_tipis(view.card(number).discovery) for _, number in laid)


def _road(discovery: Discovery) -> list[str]:
    """The lines of the routes, top first, each route a column that ends at the bottom."""
    rows = list(zip_longest(*discovery.routes, fillvalue=" "))
    return ["   ".join(row) for row in reversed(rows)]


def _tipis(discovery: Discovery) -> str:
    return f"{discovery.tipis} tipi{'s' * (discovery.tipis != 1)}" if discovery.tipis else ""


def _cells(texts: Iterable[str]) -> str:
    return " ".join(text.center(ROAD - 1) for text in texts)


# --- the players ----------------------------------------------------------------------------------------------------


def _players(view: DiscoveriesView) -> Iterator[str]:
    for seat, player in enumerate(view.players):
        yield from _player(view, seat, player)


def _player(view: DiscoveriesView, seat: int, player: SeenPlayer) -> Iterator[str]:
    mark = "=>" if seat == view.seat and not view.over else "=="
    fate = ", has resigned" if player.gone else ""
    points = ", ".join(f"{points} {heading}" for heading, points in player.points)
    head = (
        f"{mark} Seat {seat + 1} ({player.colour}){fate}: {terms.total(player)} points ({points}), {player.tipis} tipis"
    )
    yield f"{head} ".ljust(WIDTH, "=")
    yield from _wrap("  Reserve:", tuple(_faces(player)), ";")
    yield from _columns(tuple(_actions(view, player)))
    yield from _wrap("  Also:", tuple(_permanent(view, player)), ";", none="")
    yield from _wrap("  Journal:", tuple(_journal(view, player)), ",")


def _faces(player: SeenPlayer) -> Iterator[str]:
    return (f"{face}: {terms.counted(dice)}" for face, dice in terms.by_face(player.reserve) if dice)


def _actions(view: DiscoveriesView, player: SeenPlayer) -> Iterator[str]:
    for space, exploration, laid in terms.explorations(view, player):
        name = f"{space} {view.card(int(space)).tribe.name}" if space.isdigit() else space
        dice = zip(exploration.needs, laid.dice, strict=True)
        spaces = "".join(f"{terms.need_words(need)} [{colour or ' '}] " for need, colour in dice)
        written = f"write [{laid.write}] " if laid.write else ""
        yield f"{name}: {spaces}{written}-> {terms.gives(exploration)}"


def _permanent(view: DiscoveriesView, player: SeenPlayer) -> Iterator[str]:
    for number in player.tribes:
        tribe = view.card(number).tribe
        if not tribe.exploration:
            yield f"{number} {tribe.name}: {terms.lasting(player, number, tribe)}"


def _journal(view: DiscoveriesView, player: SeenPlayer) -> Iterator[str]:
    return (f"{number} ({terms.worth(view, number)})" for number in player.journal)


# --- lines ----------------------------------------------------------------------------------------------------------


def _columns(items: Sequence[str]) -> Iterator[str]:
    """Two beside each other where both fit."""
    half, waiting = (WIDTH - 4) // 2, list(items)
    while waiting:
        item = waiting.pop(0)
        if waiting and len(item) < half and len(waiting[0]) <= half:
            item = item.ljust(half) + waiting.pop(0)
        yield f"    {item}"


def _wrap(head: str, items: Sequence[str], mark: str, none: str = "none") -> Iterator[str]:
    """The items after the head, in as many lines as they take; no line at all if `none` is empty and so are they."""
    line = head
    for at, item in enumerate(items or ([none] if none else [])):
        word = item + (mark if at + 1 < len(items) else "")
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = "     "
        line += f" {word}"
    if items or none:
        yield line
