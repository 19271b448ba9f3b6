"""The auction: its bidders, their order, the winner and the price."""

from __future__ import annotations

from engine.game import Turn
from engine.games.tikal.events import CeilingShown, SaleWon, Sold
from engine.games.tikal.state import TikalState


def bidders(state: TikalState) -> tuple[int, ...]:
    """Return the seats in this sale, beginning with its opener."""
    return tuple(sorted(state.totems, key=lambda seat: (seat - state.seat) % state.seats))


# --- sealed ---------------------------------------------------------------------------------------------------------


def unsealed(state: TikalState) -> tuple[int, ...]:
    """Return the seats that still have to seal a ceiling, ascending."""
    return tuple(seat for seat in state.totems if state.ceilings[seat] is None)


def sell(turn: Turn) -> None:
    """Sell once all ceilings are sealed. Of the winning one only the price is shown, as in an open sale."""
    state: TikalState = turn.state
    ceilings = tuple((seat, state.ceilings[seat] or 0) for seat in bidders(state))
    winner, price = sold(ceilings, state.gone)
    turn.emit(Sold(winner, price))
    for seat, ceiling in ceilings:
        if seat != winner:
            turn.emit(CeilingShown(seat, ceiling))


def sold(ceilings: tuple[tuple[int, int], ...], gone: tuple[int, ...] = ()) -> tuple[int, int]:
    """Return (winner, price) for these (seat, ceiling), which begin with the opener.

    The highest ceiling wins, the earlier of two equal ones, and pays one more than the second highest, but never more
    than itself. If nobody bids, the first seat that has not resigned pays nothing.
    """
    winner, highest = max(ceilings, key=lambda item: item[1])  # max takes the first of equal ones
    if not highest:
        return free_choice(tuple(seat for seat, _ in ceilings), gone), 0
    second = max(ceiling for seat, ceiling in ceilings if seat != winner)
    return winner, min(highest, second + 1)


def free_choice(passed: tuple[int, ...], gone: tuple[int, ...]) -> int:
    """Return the seat that chooses for nothing if all pass: the first that has not resigned, or else the first."""
    return next((seat for seat in passed if seat not in gone), passed[0])


# --- open -----------------------------------------------------------------------------------------------------------


def next_bidder(state: TikalState, seat: int, passed: tuple[int, ...]) -> int:
    """Return the next seat to the left that is still in this sale, or the seat itself if there is no other."""
    order = ((seat + step) % state.seats for step in range(1, state.seats + 1))
    return next((other for other in order if other in state.totems and other not in passed), seat)


def close(turn: Turn) -> None:
    """End the sale once all but one have passed. If everybody has, one of them chooses for nothing."""
    state: TikalState = turn.state
    still_in = [seat for seat in state.totems if seat not in state.out]
    if not still_in:
        turn.emit(SaleWon(free_choice(state.out, state.gone), 0))
    elif len(still_in) == 1 and state.bids[still_in[0]]:
        turn.emit(SaleWon(still_in[0], state.bids[still_in[0]]))
