"""The position as a seat or a spectator may see it: without the deck, and the hands, purses and chests of others.

The sum of another player's purse and chest is shown, since anyone can work it out from the log, but not the parts.
"""

from __future__ import annotations

from functools import lru_cache

from engine.game import Value, View
from engine.games.livingstone.components import COLUMNS, GEMS, ROWS, Copies, Stones, names_and_counts
from engine.games.livingstone.state import LivingstoneState, Player
from engine.kit import Supply


class SeenPlayer(Value, frozen=True):
    """One seat. `hand`, `coins` and `chest` are None if hidden from the viewer; `cards` is the size of the hand."""

    points: int
    scores: tuple[int, ...]  # the points by `HEADINGS` of the state: columns, market, cards, rows, gems
    wealth: int
    gems: tuple[tuple[str, int], ...]
    tents: tuple[tuple[int, int], ...]  # (column, row)
    tents_left: int
    cards: int
    last: int
    gone: bool
    out: bool
    hand: tuple[str, ...] | None
    coins: int | None
    chest: int | None


class LivingstoneView(View, frozen=True):
    """The table. `dice` are the faces left; the steamer is at `column` and will return to `true_column`."""

    me: int | None
    round: int
    column: int
    true_column: int
    turns: int
    first: int
    seat: int
    todo: int  # dice that may still be taken this turn, if any fits
    owes: bool
    may_take: bool  # also true for an optional second die
    second: bool
    market: bool
    dice: tuple[int, ...]
    edition: str
    purse: int  # coins of a player at the start
    tents: int  # of a player at the start
    stones: Supply  # the bag at the start
    copies: Supply  # the deck at the start
    costs: tuple[int, ...]
    tent_points: tuple[int, ...]
    majorities: tuple[int, ...]
    prices: tuple[int, ...]  # by gem: clear, blue, red
    market_coins: tuple[int, ...]
    market_points: tuple[int, ...]
    gem_points: int
    coins_card: int
    cave_stones: int
    animals: tuple[int, int, int]  # lion, rhino, antelope
    columns: int
    rows: int
    bag: Supply
    sold: Supply
    spent: Supply
    deck: int
    players: tuple[SeenPlayer, ...]


def view(state: LivingstoneState, me: int | None) -> LivingstoneView:
    edition = state.edition
    return LivingstoneView(
        me=me,
        round=state.round,
        column=state.here,
        true_column=state.column,
        turns=state.turns,
        first=state.first,
        seat=state.seat,
        todo=state.todo,
        owes=state.owes,
        may_take=state.may_take,
        second=state.second,
        market=state.market,
        dice=tuple(face for face in range(1, 7) for _ in range(state.dice[face - 1])),
        edition=edition.name,
        purse=edition.purse,
        tents=edition.tents,
        stones=_in_the_box(edition.stones),
        copies=_in_the_box(edition.copies),
        costs=edition.costs,
        tent_points=edition.tent_points,
        majorities=edition.majorities,
        prices=edition.prices,
        market_coins=edition.market_coins,
        market_points=edition.market_points,
        gem_points=edition.gem_points,
        coins_card=edition.coins_card,
        cave_stones=edition.cave_stones,
        animals=(edition.lion_points, edition.rhino_points, edition.antelope_points),
        columns=COLUMNS,
        rows=ROWS,
        bag=state.bag,
        sold=state.sold,
        spent=state.spent,
        deck=state.deck.total,
        players=tuple(_seen(state, seat, me) for seat in range(state.seats)),
    )


@lru_cache(maxsize=16)
def _in_the_box(figures: Stones | Copies) -> Supply:
    return Supply.of(names_and_counts(figures))


def _seen(state: LivingstoneState, seat: int, me: int | None) -> SeenPlayer:
    player: Player = state.players[seat]
    known = seat == me or state.over == "waterfall"  # this end shows hands and chests; an undecided one does not
    return SeenPlayer(
        points=player.total,
        scores=player.points,
        wealth=player.wealth,
        gems=tuple((gem, count) for gem, count in zip(GEMS, player.gems, strict=True) if count),
        tents=tuple((square // 10, square % 10) for square in player.tents),
        tents_left=state.tents_left(seat),
        cards=len(player.hand),
        last=player.last,
        gone=seat in state.gone,
        out=seat in state.out,
        hand=player.hand if known else None,
        coins=player.coins if known else None,
        chest=player.chest if known else None,
    )
