"""Facts about Livingstone, readable without its rules."""

from __future__ import annotations

from engine.game import Meta, Options
from engine.games.livingstone.components import HOUSE, Edition

CAP = 200  # turns; an ordinary game with five players has about 100

# A round uses two dice for each seat and lasts at least one turn for each seat, so `n` turns see at most 2n + 10 dice.
# A die leads to at most six stones: six from the mine, or three from a cave card that it drew.
DRAWS = 1 + 7 * (2 * CAP + 10) + 4  # 1 for the first player; 4 dice for the donation of two players


ENDINGS = {"waterfall": "The steamer has reached the falls."}


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
