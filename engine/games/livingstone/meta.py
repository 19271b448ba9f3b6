"""Facts about Livingstone, readable without its rules."""

from __future__ import annotations

from engine.game import Meta, Options
from engine.games.livingstone.components import HOUSE, Edition

CAP = 200  # turns; an ordinary game with five players has about 100

# A round throws two dice a seat (two players: four) and lasts at least one turn a seat, so `n` turns see at most
# 2n + 10 dice. Each die taken leads to at most six stones: by the mine, or three by a card that it drew.
DRAWS = 1 + 7 * (2 * CAP + 10) + 4  # 1: who begins; 4: the donation dice of two players


ENDINGS = {"waterfall": "The last column has been scored."}


class LivingstoneOptions(Options, frozen=True):
    edition: Edition = HOUSE


META = Meta(
    key="livingstone",
    title="Livingstone",
    designers=("Benjamin Liersch",),
    year=2009,
    seats=(2, 5),
    options=LivingstoneOptions,
    rules=(1, 1),
    stage="beta",
    cap=CAP,
    draws=DRAWS,
)
