"""Facts about Bids that the conformance suite needs beyond the contract."""

from collections import Counter

from tests.kit.games.bids import BidsState


def pieces(state: BidsState) -> object:
    """Every lot is in the bag, on sale or won."""
    return Counter(dict(state.bag.rest)) + Counter(
        [lot for bidder in state.bidders for lot in bidder.won] + [state.lot] * bool(state.lot)
    )
