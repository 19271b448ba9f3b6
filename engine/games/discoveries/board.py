"""The position as text, at most 78 columns: the Camp, the roads of the open discoveries as they lie, and each seat."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from engine.games.discoveries import terms
from engine.games.discoveries.cards import Discovery, Tribe
from engine.games.discoveries.view import DiscoveriesView, SeenPlayer

WIDTH = 78
ROAD = 11  # columns of a discovery
ABREAST = WIDTH // ROAD


def board(view: DiscoveriesView, names: tuple[str, ...]) -> str:
    """The whole position: what is to be done, Camp, tribes, roads, players, legend."""
    above = (*_headline(view, names), "", *_camp(view), "", *_tribes(view), "", *_roads(view))
    parts = (*above, *_players(view), "", *LEGEND)
    return "\n".join(folded.rstrip() for line in parts for folded in _fold(line))


LEGEND = (
    "A road is crossed from the bottom up: R river, M mountain. An action stands",
    "with the dice that it needs, a space in [ ] for each, and what it gives; of 2",
    "or 3 dice one stays and the rest go to a bank. A Write die comes last.",
    "At once: friendly (1 parley), wary (2 parley), turn (any die), route (any die)",
)


def _headline(view: DiscoveriesView, names: tuple[str, ...]) -> Iterator[str]:
    yield f"Turn {view.turns}. {terms.duty(view, names)}" if view.turns else terms.duty(view, names)
    for owed in view.owed:
        yield f"Seat {owed.giver + 1} owes seat {owed.taker + 1} a grey die."
    if view.last is not None and not view.over:
        yield f"The last round: {_seats(view.last)} to come."
    yield from _list("This turn:", tuple(terms.doing_words(view.doing)))


def _seats(seats: Sequence[int]) -> str:
    return "seat " + ", ".join(str(seat + 1) for seat in seats) if seats else "nobody"


# --- the Camp -------------------------------------------------------------------------------------------------------


def _camp(view: DiscoveriesView) -> Iterator[str]:
    left, right = (terms.counted(terms.by_colour(bank), "no dice") for bank in (view.left, view.right))
    yield f"Left bank (walk, ride): {left}."
    yield f"Right bank (parley, write): {right}."
    yield f"Grey dice in the stock: {view.stock}."
    if view.top:
        below = " ".join(map(str, view.deck)) or "none"
        yield f"Deck: card {view.top} lies open; below it in no known order: {below}."
    else:
        yield "The deck is used up."


def _tribes(view: DiscoveriesView) -> Iterator[str]:
    tribes = [(number, view.card(number).tribe) for number in view.encounters]
    wide = max((len(tribe.name) for _, tribe in tribes), default=0)
    yield "Tribes to meet:" if tribes else "There are no tribes to meet."
    for number, tribe in tribes:
        yield f"  {number:>2} {tribe.name:<{wide}}  {tribe.attitude:<8}  {_tipis(tribe):<7}  {terms.effect(tribe)}"


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
    yield from map(_cells, zip_longest(*(_below(view.card(number).discovery) for _, number in laid), fillvalue=""))


def _below(discovery: Discovery) -> list[str]:
    """What stands below a road."""
    return [text for text in (terms.points(discovery), discovery.species, _tipis(discovery)) if text]


def _road(discovery: Discovery) -> list[str]:
    """The lines of the routes, top first, each route a column that ends at the bottom."""
    rows = list(zip_longest(*discovery.routes, fillvalue=" "))
    return ["   ".join(row) for row in reversed(rows)]


def _tipis(side: Tribe | Discovery) -> str:
    return terms.many(side.tipis, "tipi") if side.tipis else ""


def _cells(texts: Iterable[str]) -> str:
    return " ".join(text.center(ROAD - 1) for text in texts)


# --- the players ----------------------------------------------------------------------------------------------------


def _players(view: DiscoveriesView) -> Iterator[str]:
    for seat, player in enumerate(view.players):
        yield from _player(view, seat, player)


def _player(view: DiscoveriesView, seat: int, player: SeenPlayer) -> Iterator[str]:
    mark = "=>" if seat == view.seat and not view.over else "=="
    fate = ", has resigned" if player.gone else ""
    head = f"{mark} Seat {seat + 1} ({player.colour}){fate}: {_standing(player)}"
    yield f"{head} ".ljust(WIDTH, "=")
    yield from _list("  Reserve:", tuple(_faces(player)) or ("no dice",))
    yield from _columns(tuple(_actions(view, player)))
    yield from _list("  Also:", tuple(_permanent(view, player)))
    yield from _list("  Journal:", tuple(_journal(view, player)), ", ")
    yield from _list("  Points:", terms.points_by(player), ", ")


def _standing(player: SeenPlayer) -> str:
    return f"{terms.many(terms.total(player), 'point')}, {terms.many(player.tipis, 'tipi')}"


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
    return (f"{number} ({terms.worth(view.card(number).discovery)})" for number in player.journal)


# --- lines ----------------------------------------------------------------------------------------------------------


def _columns(items: Sequence[str]) -> Iterator[str]:
    """Two beside each other where both fit."""
    half, waiting = (WIDTH - 4) // 2, list(items)
    while waiting:
        item = waiting.pop(0)
        if waiting and len(item) <= half - 2 and len(waiting[0]) <= half:
            item = item.ljust(half) + waiting.pop(0)
        yield f"    {item}"


def _list(head: str, items: Sequence[str], mark: str = "; ") -> Iterator[str]:
    """One line, or none if there are no items."""
    if items:
        yield f"{head} {mark.join(items)}"


def _fold(line: str) -> Iterable[str]:
    """The line, or the lines that it takes within the width."""
    return (
        textwrap.wrap(line, WIDTH, subsequent_indent=" " * 6, break_on_hyphens=False) if len(line) > WIDTH else [line]
    )
