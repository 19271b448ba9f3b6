"""Fair and strong: a look ahead over the own turn, narrow or wide."""

from __future__ import annotations

from engine.games.livingstone.players.evaluate import worth
from engine.games.livingstone.players.imagine import imagine
from engine.players import Beam

FAIR = Beam(imagine, worth, width=1, samples=2)
STRONG = Beam(imagine, worth, width=8, samples=6)  # in one world: what others hold matters little here
