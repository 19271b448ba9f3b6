"""Facts about Pig that the conformance suite needs beyond the contract."""

from tests.kit.games.pig import PigOptions, PigState

variants = {"short": PigOptions(goal=8)}


def pieces(state: PigState) -> object:
    """There is a pot exactly while the turn has rolls."""
    return (state.pot > 0) == (state.rolls > 0)
