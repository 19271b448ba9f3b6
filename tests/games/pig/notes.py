"""What the conformance suite knows of Pig beyond the contract."""

from tests.kit.games.pig import PigOptions, PigState

variants = {"short": PigOptions(goal=8)}


def pieces(state: PigState) -> object:
    """A pot is there exactly while a turn has rolls."""
    return (state.pot > 0) == (state.rolls > 0)
