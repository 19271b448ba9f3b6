"""The auction: who may bid, who is next to, who wins and what it costs."""

from __future__ import annotations

from engine.game import Turn
from engine.games.tikal.events import CeilingShown, SaleWon, Sold
from engine.games.tikal.state import TikalState


def bidders(state: TikalState) -> tuple[int, ...]:
    """Seats that take part in this sale, from the opener on."""
    return tuple(sorted(state.totems, key=lambda seat: (seat - state.seat) % state.seats))


# --- sealed ---------------------------------------------------------------------------------------------------------


def unsealed(state: TikalState) -> tuple[int, ...]:
    """Who still has to seal a ceiling, ascending."""
    return tuple(seat for seat in state.totems if state.ceilings[seat] is None)


def sell(turn: Turn) -> None:
    """All ceilings are sealed: open them."""
    state: TikalState = turn.state
    ceilings = tuple((seat, state.ceilings[seat] or 0) for seat in bidders(state))
    turn.emit(Sold(*sold(ceilings)))
    for seat, ceiling in ceilings:
        turn.emit(CeilingShown(seat, ceiling))


def sold(ceilings: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    """(winner, price) of these (seat, ceiling) from the opener on.

    The highest wins, the earlier of equals. He pays one more than the second, never above his own ceiling, and nothing
    if nobody bids.
    """
    winner, highest = max(ceilings, key=lambda item: item[1])  # of equals, max takes the first
    second = max(ceiling for seat, ceiling in ceilings if seat != winner)
    return winner, min(highest, second + 1)


# --- open -----------------------------------------------------------------------------------------------------------


def next_bidder(state: TikalState, seat: int, passed: tuple[int, ...]) -> int:
    """The next seat to the left that is still in this sale; the seat itself if there is no other."""
    order = ((seat + step) % state.seats for step in range(1, state.seats + 1))
    return next((other for other in order if other in state.totems and other not in passed), seat)


def close(turn: Turn) -> None:
    """The sale is won when all others have passed; if everybody has, the first who passed has it for nothing."""
    state: TikalState = turn.state
    still_in = [seat for seat in state.totems if seat not in state.out]
    if not still_in:
        turn.emit(SaleWon(state.out[0], 0))
    elif len(still_in) == 1 and state.bids[still_in[0]]:
        turn.emit(SaleWon(still_in[0], state.bids[still_in[0]]))
