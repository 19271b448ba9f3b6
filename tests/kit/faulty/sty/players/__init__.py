"""One level for each way to fail; the easy level always holds."""

import ctypes
import sys

from engine.players import Best, Players, Policy
from tests.kit.games.pig import Hold, PigView, Roll
from tests.kit.games.pig.players import imagine, likes


class Raises(Policy):
    def line(self, facts, view, legal, rng):
        raise ValueError("no idea")


class Hangs(Policy):
    def line(self, facts, view, legal, rng):
        while True:
            pass


class HangsInC(Policy):
    """Hangs in C code, where not even a signal handler runs."""

    def line(self, facts, view, legal, rng):
        ctypes.PyDLL(None).pause()


class Exits(Policy):
    def line(self, facts, view, legal, rng):
        sys.exit(0)


class Recurses(Policy):
    def line(self, facts, view, legal, rng):
        return self.line(facts, view, legal, rng)


class Devours(Policy):
    def line(self, facts, view, legal, rng):
        return (legal[0],) * len(bytearray(1 << 34))


class Prints(Policy):
    """Prints to standard output, which is for replies."""

    def line(self, facts, view, legal, rng):
        print("I hold")  # noqa: T201 - its bad manners
        return (Hold(),)


class Says(Policy):
    def __init__(self, answer):
        self.answer = answer

    def line(self, facts, view, legal, rng):
        return self.answer


BAD = {
    "raises": Raises(),
    "hangs": Hangs(),
    "hangs-in-c": HangsInC(),
    "exits": Exits(),
    "recurses": Recurses(),
    "devours": Devours(),
    "nothing": Says(None),
    "empty": Says(()),
    "words": Says(("hold",)),
    "illegal": Says((Hold(),)),
    "endless": Says((Roll(),) * 1000),
}
levels = {"easy": Best(likes), "prints": Prints(), **BAD}
players = Players(view=PigView, imagine=imagine, levels=levels)
