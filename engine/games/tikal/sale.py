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
    """All ceilings are sealed: sell by them. Of the one that won, only the price is told, as an open sale would."""
    state: TikalState = turn.state
    ceilings = tuple((seat, state.ceilings[seat] or 0) for seat in bidders(state))
    winner, price = sold(ceilings, state.gone)
    turn.emit(Sold(winner, price))
    for seat, ceiling in ceilings:
        if seat != winner:
            turn.emit(CeilingShown(seat, ceiling))


def sold(ceilings: tuple[tuple[int, int], ...], gone: tuple[int, ...] = ()) -> tuple[int, int]:
    """(winner, price) of these (seat, ceiling) from the opener on.

    The highest wins, the earlier of equals. He pays one more than the second, never above his own ceiling. If nobody
    bids, the first who has not resigned pays nothing.
    """
    winner, highest = max(ceilings, key=lambda item: item[1])  # of equals, max takes the first
    if not highest:
        return free_choice(tuple(seat for seat, _ in ceilings), gone), 0
    second = max(ceiling for seat, ceiling in ceilings if seat != winner)
    return winner, min(highest, second + 1)


def free_choice(passed: tuple[int, ...], gone: tuple[int, ...]) -> int:
    """Who chooses for nothing if all have passed: the first of them, but a resigned one only if all have resigned."""
    return next((seat for seat in passed if seat not in gone), passed[0])


# --- open -----------------------------------------------------------------------------------------------------------


def next_bidder(state: TikalState, seat: int, passed: tuple[int, ...]) -> int:
    """The next seat to the left that is still in this sale; the seat itself if there is no other."""
    order = ((seat + step) % state.seats for step in range(1, state.seats + 1))
    return next((other for other in order if other in state.totems and other not in passed), seat)


def close(turn: Turn) -> None:
    """The sale is won when all others have passed; if everybody has, one has it for nothing."""
    state: TikalState = turn.state
    still_in = [seat for seat in state.totems if seat not in state.out]
    if not still_in:
        turn.emit(SaleWon(free_choice(state.out, state.gone), 0))
    elif len(still_in) == 1 and state.bids[still_in[0]]:
        turn.emit(SaleWon(still_in[0], state.bids[still_in[0]]))
