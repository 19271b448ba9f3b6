"""Fair and strong: a search through the seat's own turn, narrow or wide.

Strong expects more coins in the rounds to come, because it finds more. With two players, one's gain is the other's
loss; with more, cards are worth more and gems less. These figures win more games than a wider search.
"""

from __future__ import annotations

from engine.games.livingstone.players.evaluate import Mind, worth
from engine.games.livingstone.players.imagine import imagine
from engine.games.livingstone.state import LivingstoneState
from engine.players import Beam

PLAIN = Mind()
OF_TWO = Mind(income=1.6, rival=0.8, gem=0.0, gems=0.8, kept=1.0)
AMONG_MORE = Mind(income=1.6, card=3.0, gem=0.0, gems=0.8, kept=1.0, die=2.5)


def plain(state: LivingstoneState, seat: int) -> float:
    return worth(state, seat, PLAIN)


def shrewd(state: LivingstoneState, seat: int) -> float:
    return worth(state, seat, OF_TWO if state.seats == 2 else AMONG_MORE)


FAIR = Beam(imagine, plain, width=1, samples=2)
STRONG = Beam(imagine, shrewd, width=8, samples=12)  # in one imagined world: what others hold matters little here
