"""The easy level exits, and imagining a state hangs."""

from engine.players import Players
from tests.kit.faulty.sty.players import Exits
from tests.kit.games.pig import PigView


def imagine(view, rng):
    while True:
        pass


players = Players(view=PigView, imagine=imagine, levels={"easy": Exits()})
