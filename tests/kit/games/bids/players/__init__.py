"""House players of Bids: they imagine the favourites and sealed bids of others, and try a bid in many worlds."""

from __future__ import annotations

from engine.kit import Supply
from engine.players import Beam, Best, Heat, Players, Rng, Sensible
from engine.players.unseen import carried, drawn, own_end
from tests.kit.games.bids import COLOURS, Bid, Bidder, BidsState, BidsView, SeenBidder


def imagine(view: BidsView, rng: Rng) -> BidsState:
    known = [seen.favourite for seen in view.bidders if seen.favourite]
    cards = Supply.of(dict.fromkeys(COLOURS, 2)).take(known)
    bidders = []
    for seen in view.bidders:
        dealt, cards = ((seen.favourite,), cards) if seen.favourite else drawn(cards, 1, rng)
        bidders.append(_bidder(seen, dealt[0], rng))
    sold = [lot for seen in view.bidders for lot in seen.won]
    bag = Supply.of(dict.fromkeys(COLOURS, 3)).take([*sold, *filter(None, [view.lot])])
    over = bool(own_end(view))
    return BidsState(**carried(view), left=view.left, bag=bag, lot=view.lot, bidders=tuple(bidders), over=over)


def _bidder(seen: SeenBidder, favourite: str, rng: Rng) -> Bidder:
    bid = rng.randrange(seen.coins + 1) if seen.has_bid and seen.bid is None else seen.bid
    return Bidder(coins=seen.coins, favourite=favourite, bid=bid, won=seen.won)


def weight(view: BidsView, seat: int, bid: Bid) -> float:
    """Prefer low bids."""
    return 1 / (1 + bid.amount)


def likes(view: BidsView, seat: int, bid: Bid) -> float:
    """Bid an even share of the coins, and twice that for the favourite."""
    own = view.bidders[seat]
    share = own.coins / (view.left + 1) * (2 if own.favourite == view.lot else 0.7)
    return -abs(bid.amount - share)


LOT = 1.7  # average points of a lot: one colour of three is the favourite


def worth(state: BidsState, seat: int) -> float:
    """The value of a position. Players who have not bid are taken to play like fair in this world."""
    own = state.bidders[seat]
    coin = LOT * state.left / max(1, sum(bidder.coins for bidder in state.bidders))
    if own.bid is None:
        return len(own.won) + 2 * own.won.count(own.favourite) + own.coins * coin
    rivals = [_expected(state, rival) for other, rival in enumerate(state.bidders) if other != seat]
    return (3 if own.favourite == state.lot else 1) - own.bid * coin if own.bid > max(rivals) else 0.0


def _expected(state: BidsState, rival: Bidder) -> float:
    share = rival.coins / (state.left + 1) * (2 if rival.favourite == state.lot else 0.7)
    return min(rival.coins, share) if rival.bid is None else rival.bid


players = Players(
    view=BidsView,
    imagine=imagine,
    levels={
        "easy": Sensible(weight),  # type: ignore[arg-type]  # a command of Bids is a bid
        "fair": Best(likes),  # type: ignore[arg-type]
        "strong": Beam(imagine, worth, width=1, samples=12, worlds=12),
    },
    worth=worth,
    heat=Heat(first=4.0, last=2.0),
)
