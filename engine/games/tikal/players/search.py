"""Fair and strong: the best way to spend the own turn, narrow with slips or wide, and bids by what tiles are worth."""

from __future__ import annotations

from engine.games.tikal.players.bids import Bidding
from engine.games.tikal.players.easy import EASY
from engine.games.tikal.players.spending import Spending
from engine.players import Noisy

SLIPS = 0.4  # of fair's answers, each for one command: without any it lost no game of 58 to easy
BID = 0.5  # of what the first choice is worth

FAIR = Noisy(Bidding(Spending(width=1, places=12, finds=2), BID), SLIPS, EASY)
STRONG = Bidding(Spending(width=6, places=60, finds=4), BID)
