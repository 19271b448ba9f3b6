"""Payments for an activation: which are possible, and the one spelling of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement

from engine.errors import Refused
from engine.games.lewis_clark.components import GOODS
from engine.games.lewis_clark.effects import Cost
from engine.games.lewis_clark.state import INDIAN, LewisClarkState, counted
from engine.kit import Supply

Pay = tuple[str, ...] | None


def spendable(state: LewisClarkState, seat: int) -> Supply:
    """Return all goods and Indians aboard, or the part that the action on top may still spend."""
    if state.frames and state.frame.bank is not None:
        return state.frame.bank
    player = state.players[seat]
    if not player.indians:
        return player.goods
    return Supply(tuple(sorted((*player.goods.rest, (INDIAN, player.indians)))))


def holds(stock: Supply, names: Sequence[str]) -> bool:
    have = dict(stock.rest)
    return all(have.get(name, 0) >= names.count(name) for name in names)


def payable(cost: Cost, stock: Supply) -> bool:
    """Return True if any payment is possible. This runs so often that it lists none."""
    if not holds(stock, cost.fixed):
        return False
    left = [n - cost.fixed.count(name) for name, n in stock.rest if name != INDIAN] if cost.chosen else []
    return sum(left) >= cost.any and sum(n > 0 for n in left) >= cost.different


def payments(cost: Cost, stock: Supply) -> Iterator[Pay]:
    """Yield every way to pay this from the stock."""
    if not payable(cost, stock):
        return
    if not cost.chosen:
        yield None
        return
    kinds = [good for good in GOODS if stock.count(good)]
    choose = combinations if cost.different else combinations_with_replacement
    yield from (pay for pay in choose(kinds, cost.chosen) if holds(stock, (*cost.fixed, *pay)))


def check_payment(cost: Cost, stock: Supply, pay: Pay) -> None:
    """Refuse anything that does not pay the cost from the stock."""
    if (pay is not None) != bool(cost.chosen):
        raise _named_wrongly(cost, stock, pay)
    if pay is not None:
        check_order(pay)
        if len(pay) != cost.chosen or (cost.different and len(set(pay)) != len(pay)):
            raise Refused("pay-other", found="+".join(pay), cost=cost.says(), have=_goods(stock))
    whole = (*cost.fixed, *(pay or ()))
    if not holds(stock, whole):
        raise Refused("cannot-pay", need=counted(whole), have=counted(stock.pieces))


def _named_wrongly(cost: Cost, stock: Supply, pay: Pay) -> Refused:
    if pay is None:
        return Refused("pay-unnamed", cost=cost.says(), have=_goods(stock))
    return Refused("pay-fixed", cost=cost.says() or "nothing")


def _goods(stock: Supply) -> tuple[str, ...]:
    """Return the goods that can pay a price of free choice."""
    return counted(name for name in stock.pieces if name != INDIAN)


def check_order(names: tuple[str, ...]) -> None:
    """Refuse goods out of the order of `GOODS`, so that a command has one spelling."""
    right = tuple(sorted(names, key=GOODS.index))
    if names != right:
        raise Refused("out-of-order", expected="+".join(right))
