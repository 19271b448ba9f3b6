"""The position as text, at most 78 columns: squares hold seat numbers, one for each tent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.games.livingstone.components import GEMS
from engine.games.livingstone.view import LivingstoneView, SeenPlayer
from engine.kit import Supply, cut

CELL = 5  # tents that fit on one line of a square


def board(view: LivingstoneView, names: tuple[str, ...]) -> str:
    """The whole position: round, squares, players, what the viewer holds, supplies."""
    parts = (*_headline(view, names), "", *_grid(view), "", *_players(view), *_own(view), "", *_supplies(view))
    return "\n".join(line.rstrip() for line in parts)


def _headline(view: LivingstoneView, names: tuple[str, ...]) -> Iterator[str]:
    if view.over:
        yield "The game is over."
        return
    back = f" It returns to {view.true_column} after this round." if view.column != view.true_column else ""
    yield f"Round {view.round}. The steamer lies at column {view.column}.{back}"
    yield f"Dice left: {' '.join(map(str, view.dice)) or 'none'}."
    yield _duty(view, cut(names[view.seat], 12))


def _duty(view: LivingstoneView, name: str) -> str:
    duty = f"{name} is to take a die." if view.owes else f"{name} may sell, donate, play cards, end the turn."
    return duty + (" The market is open." if view.market else "")


# --- the squares ----------------------------------------------------------------------------------------------------


def _grid(view: LivingstoneView) -> Iterator[str]:
    line = "    " + "+-----" * view.columns + "+"
    yield "column" + "".join(f"{column:>5} " for column in range(1, view.columns + 1)).removeprefix(" ")
    yield "cost  " + "".join(f"{cost:>5} " for cost in view.costs).removeprefix(" ") + "     most"
    for row in range(view.rows, 0, -1):
        yield line
        yield from _row(view, row)
    yield line
    river = ("<boat>" if column == view.column else "~~~~~~" for column in range(1, view.columns + 1))
    yield "    " + "".join(river) + "~ to the falls"


def _row(view: LivingstoneView, row: int) -> Iterator[str]:
    cells = [_chunks(_tents(view, column, row)) for column in range(1, view.columns + 1)]
    for height in range(max(map(len, cells))):
        texts = (cell[height] if height < len(cell) else "" for cell in cells)
        margins = (f"row {row}"[-1].rjust(2), f"{view.majorities[row - 1]:>4}") if not height else ("  ", "")
        yield f"{margins[0]}  |" + "|".join(text.ljust(CELL) for text in texts) + "|" + margins[1]


def _tents(view: LivingstoneView, column: int, row: int) -> str:
    return "".join(str(seat) * player.tents.count((column, row)) for seat, player in enumerate(view.players, 1))


def _chunks(text: str) -> Sequence[str]:
    return [text[at : at + CELL] for at in range(0, len(text), CELL)] or [""]


# --- the players ----------------------------------------------------------------------------------------------------


def _players(view: LivingstoneView) -> Iterator[str]:
    yield "   seat  points  coins+chest  gems                    cards  tents  last die"
    for seat, player in enumerate(view.players):
        mark = "->" if seat == view.seat and not view.over else "  "
        gems = " ".join(f"{count} {gem}" for gem, count in player.gems) or "-"
        yield (
            f"{mark} {seat + 1:>4}  {player.points:>6}  {player.wealth:>11}  {gems:<22}  {player.cards:>5}"
            f"  {player.tents_left:>5}  {player.last or '-':>8}"
        )
        yield from (f"     {fate}" for fate in _fates(player))


def _fates(player: SeenPlayer) -> Iterator[str]:
    if player.gone:
        yield "has resigned"
    if player.out:
        yield "is out: gave the Queen too little"


def _own(view: LivingstoneView) -> Iterator[str]:
    known = [(seat, player) for seat, player in enumerate(view.players, 1) if player.hand is not None]
    if known:
        yield ""
    for seat, player in known:
        yield from _wrap(f"Seat {seat} holds: purse {player.coins}, chest {player.chest}, cards:", player.hand or ())


def _supplies(view: LivingstoneView) -> Iterator[str]:
    points = " ".join(map(str, view.tent_points))
    yield f"Points of a tent in rows 1 to {view.rows}: {points}. Cards in the deck: {view.deck}."
    yield f"Bag ({view.bag.total}): {_list(view.bag, (*GEMS, 'black', 'white'))}."
    yield f"Beside the board: {_list(view.sold, (*GEMS, 'black', 'white'))}."
    yield from _wrap("Played cards:", tuple(f"{count} {card}" for card, count in view.spent.rest))


def _list(supply: Supply, order: Sequence[str]) -> str:
    return ", ".join(f"{supply.count(name)} {name}" for name in order if supply.count(name)) or "nothing"


def _wrap(head: str, items: Sequence[str], width: int = 78) -> Iterator[str]:
    line = head
    for at, item in enumerate(items or ("none",)):
        word = item + ("," if at + 1 < len(items) else "")
        if len(line) + 1 + len(word) > width:
            yield line
            line = "   "
        line += f" {word}"
    yield line
