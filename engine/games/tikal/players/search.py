"""Fair and strong: a search for the best turn, narrow with slips or wide, and bids by the worth of tiles."""

from __future__ import annotations

from engine.games.tikal.players.bids import Bidding
from engine.games.tikal.players.easy import EASY
from engine.games.tikal.players.evaluate import Mind, parts, worth
from engine.games.tikal.players.spending import Spending
from engine.games.tikal.state import TikalState
from engine.players import Noisy, Part

SLIPS = 0.4  # share of fair's answers that are one easy command: without slips it won all of 58 games against easy
BID = 0.5  # share of the worth of the first choice
FAR = Mind(keeps=0.7, contested=0.2, guard=2.5, leader=2.0)


def shrewd(state: TikalState, seat: int) -> float:
    """Judge a position as strong does."""
    return worth(state, seat, FAR)


def shrewd_parts(state: TikalState, seat: int) -> tuple[Part, ...]:
    """Return the parts of that judgement."""
    return parts(state, seat, FAR)


ADVICE = Bidding(Spending(width=1, places=12, finds=2), BID)
FAIR = Noisy(ADVICE, SLIPS, EASY)
STRONG = Bidding(Spending(width=6, places=60, finds=4, ends=8, mind=FAR), BID)
