"""The position as text of at most 78 columns: the Camp, the roads of the open discoveries, and each player."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from engine.games.discoveries import terms
from engine.games.discoveries.cards import Discovery
from engine.games.discoveries.view import DiscoveriesView, SeenPlayer
from engine.kit import count, cut, pad, readable, width

WIDTH = 78
INKS = (  # what a terminal may colour; see `kit.spans`
    (r"\bred\b", "red"),
    (r"\bblue\b", "blue"),
    (r"\bgreen\b", "green"),
    (r"\byellow\b", "yellow"),
    (r"(?<= )R(?=\s|$)", "blue"),
    (r"(?<= )M(?=\s|$)", "brown"),
)
ROAD = 11  # columns for each discovery
ABREAST = WIDTH // ROAD


def board(view: DiscoveriesView, names: tuple[str, ...]) -> str:
    """The whole position: what is due, the Camp, tribes, roads, players, and a legend."""
    above = (*_headline(view, names), "", *_camp(view), "", *_tribes(view), "", *_roads(view, names))
    parts = (*above, *_players(view, names), "", *LEGEND)
    return "\n".join(folded.rstrip().replace(terms.BOUND, " ") for line in parts for folded in _fold(line))


LEGEND = (
    "Cross a road from the bottom up: R is a river, M a mountain. An action shows",
    "the dice it takes, with a [ ] for each, and what it crosses. If it takes 2 or",
    "3 dice, one stays and the others go to a bank. A Write die completes it.",
    "On every board, four actions take effect at once: friendly (1 parley) and wary",
    "(2 parley) win such a tribe, turn (any die) turns 1 or 2 dice, route (any die)",
    "exchanges your card.",
    "More dice break a tie. A set of 1 to 4 species scores 3, 8, 15 or 24 points.",
)


def _headline(view: DiscoveriesView, names: tuple[str, ...]) -> Iterator[str]:
    yield f"Turn {view.turns}. {terms.duty(view, names)}" if view.turns else terms.duty(view, names)
    if view.ended:
        yield from (f"  {line}" for line in terms.ranking(view, names))
    else:
        yield from _list("  To type, for example:", tuple(filter(None, (terms.examples(view, view.seat),))))
    yield from terms.owing(view, names)
    yield from filter(None, (terms.last_round(view, names),))
    yield from terms.doing_words(view.doing)


# --- the Camp -------------------------------------------------------------------------------------------------------


def _camp(view: DiscoveriesView) -> Iterator[str]:
    left, right = (terms.counted(terms.by_colour(bank), "no dice") for bank in (view.left, view.right))
    yield f"Left bank (walk, ride): {left}."
    yield f"Right bank (parley, write): {right}."
    yield f"Stock: {count(view.stock, 'grey die', 'grey dice')}."
    if view.top:
        below = " ".join(map(str, view.deck)) or "none"
        yield f"Deck: card {view.top} on top; below it, in unknown order: {below}."
    else:
        yield "The deck is empty."
    yield terms.edition(view)
    yield f"Cards not in this game: {' '.join(map(str, view.removed)) or 'none'}."


def _tribes(view: DiscoveriesView) -> Iterator[str]:
    tribes = [(number, view.card(number).tribe) for number in view.encounters]
    wide = max((width(readable(tribe.name)) for _, tribe in tribes), default=0)
    yield "Tribes to meet:" if tribes else "There are no tribes to meet."
    for number, tribe in tribes:
        name = pad(readable(tribe.name), wide)
        yield f"  {number:>2} {name}  {tribe.attitude:<8}  {terms.tipis(tribe):<7}  {terms.effect(tribe)}"


# --- roads ----------------------------------------------------------------------------------------------------------


def _roads(view: DiscoveriesView, names: tuple[str, ...]) -> Iterator[str]:
    """The discoveries that can be chosen, side by side, then those that the players are to explore."""
    for laid in (list(_in_the_camp(view)), list(_with_the_seats(view, names))):
        for start in range(0, len(laid), ABREAST):
            yield from _row(view, laid[start : start + ABREAST])
            yield ""


def _in_the_camp(view: DiscoveriesView) -> Iterator[tuple[str, int]]:
    yield from (("territory", number) for number in view.territories)
    if view.top:
        yield "deck", view.top


def _with_the_seats(view: DiscoveriesView, names: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    for seat, player in enumerate(view.players):
        if player.exploring:
            yield cut(names[seat], ROAD - 1), player.exploring
        yield from ((f"on card {tribe}", number) for tribe, number in player.reserved)


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
    """The lines below a road: what the card is worth."""
    return [text for text in (terms.points(discovery), discovery.species, terms.tipis(discovery)) if text]


def _road(discovery: Discovery) -> list[str]:
    """The lines of the routes, top first; each route is a column that begins at the bottom."""
    rows = list(zip_longest(*discovery.routes, fillvalue=" "))
    return ["   ".join(row) for row in reversed(rows)]


def _cells(texts: Iterable[str]) -> str:
    return " ".join(_centred(text, ROAD - 1) for text in texts)


def _centred(text: str, columns: int) -> str:
    return pad(" " * ((columns - width(text)) // 2) + text, columns)


# --- the players ----------------------------------------------------------------------------------------------------


def _players(view: DiscoveriesView, names: tuple[str, ...]) -> Iterator[str]:
    for seat, player in enumerate(view.players):
        yield from _player(view, names, seat, player)


def _player(view: DiscoveriesView, names: tuple[str, ...], seat: int, player: SeenPlayer) -> Iterator[str]:
    mark = "=>" if seat == view.seat and not view.over else "=="
    resigned = ", resigned" if player.gone else ""
    head = f"{mark} {terms.called(view, names, seat)}{resigned}: {_standing(player)} "
    yield head + "=" * (WIDTH - width(head))
    yield from _list("  Reserve:", tuple(_faces(player)) or ("no dice",))
    yield from _columns(tuple(_actions(view, player)))
    yield from _list("  Also:", tuple(_permanent(view, player)))
    yield from _list("  Journal:", tuple(_journal(view, player)), ", ")
    yield from _list("  Species:", tuple(filter(None, (terms.species(view, player),))))
    yield from _list("  Points:", terms.points_by(player), ", ")


def _standing(player: SeenPlayer) -> str:
    dice = count(player.dice, "die", "dice")
    return f"{count(terms.total(player), 'point')}, {count(player.tipis, 'tipi')}, {dice}"


def _faces(player: SeenPlayer) -> Iterator[str]:
    return (f"{face}: {terms.counted(dice)}" for face, dice in terms.by_face(player.reserve) if dice)


def _actions(view: DiscoveriesView, player: SeenPlayer) -> Iterator[str]:
    for space, exploration, laid in terms.explorations(view, player):
        name = _tribe_name(view, int(space)) if space.isdigit() else space
        dice = zip(exploration.needs, laid.dice, strict=True)
        spaces = "".join(f"{terms.need_words(need)} [{colour or ' '}] " for need, colour in dice)
        written = f"write [{laid.write}] " if laid.write else ""
        yield f"{name}: {spaces}{written}-> {terms.gives(exploration)}"


def _permanent(view: DiscoveriesView, player: SeenPlayer) -> Iterator[str]:
    for number in player.tribes:
        tribe = view.card(number).tribe
        if not tribe.exploration:
            yield f"{_tribe_name(view, number)}: {terms.lasting(player, number, tribe)}"


def _tribe_name(view: DiscoveriesView, number: int) -> str:
    """`14 Shoshone (1 tipi)`."""
    tribe = view.card(number).tribe
    tipis = f" ({terms.tipis(tribe)})" if tribe.tipis else ""
    return f"{number} {readable(tribe.name)}{tipis}"


def _journal(view: DiscoveriesView, player: SeenPlayer) -> Iterator[str]:
    return (f"{number} ({terms.worth(view.card(number).discovery)})" for number in player.journal)


# --- lines ----------------------------------------------------------------------------------------------------------


def _columns(items: Sequence[str]) -> Iterator[str]:
    """Two side by side where both fit."""
    half, waiting = (WIDTH - 4) // 2, list(items)
    while waiting:
        item = waiting.pop(0)
        if waiting and len(item) <= half - 2 and len(waiting[0]) <= half:
            item = item.ljust(half) + waiting.pop(0)
        yield f"    {item}"


def _list(head: str, items: Sequence[str], mark: str = "; ") -> Iterator[str]:
    """One line; none if there are no items."""
    if items:
        yield f"{head} {mark.join(items)}"


def _fold(line: str) -> Iterable[str]:
    """The line, broken into several if it is too wide; wide letters take two columns."""
    columns = width(line)
    if columns <= WIDTH:
        return [line]
    return textwrap.wrap(
        line, WIDTH - (columns - len(line)), subsequent_indent=" " * 6, break_on_hyphens=False, break_long_words=True
    )
