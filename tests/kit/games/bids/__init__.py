"""Bids: all players seal a bid for the open lot at once; a drawn seat breaks ties. Hidden, with both lanes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Self

from msgspec import Meta as Bounds
from msgspec.structs import replace

from engine.errors import Refused
from engine.game import Command, Event, Meta, Options, Outcome, Standing, State, Turn, Value, View
from engine.kit import (
    FirstPlayerDrawn,
    Palette,
    Supply,
    Zone,
    circle,
    count,
    cut,
    document,
    draw_first,
    off_table,
    ranked,
    titled,
)

COLOURS = ("blue", "green", "red")
COINS = 9


class BidsOptions(Options, frozen=True):
    lots: Annotated[int, Bounds(ge=1, le=9)] = 5


class Bidder(Value, frozen=True):
    coins: int
    favourite: str
    bid: int | None = None
    won: tuple[str, ...] = ()


class BidsState(State, frozen=True):
    left: int
    bag: Supply
    lot: str = ""
    bidders: tuple[Bidder, ...] = ()
    over: bool = False

    def with_bidder(self, seat: int, bidder: Bidder) -> BidsState:
        return replace(self, bidders=(*self.bidders[:seat], bidder, *self.bidders[seat + 1 :]))


class SeenBidder(Value, frozen=True):
    coins: int
    has_bid: bool
    won: tuple[str, ...]
    favourite: str | None
    bid: int | None


class BidsView(View, frozen=True):
    left: int
    lot: str
    bidders: tuple[SeenBidder, ...]


class Started(Event, frozen=True, tag="Started"):
    words: ClassVar[str] = "The sale begins."
    rules: int
    seats: int
    options: BidsOptions

    def apply(self, state: None) -> BidsState:
        bag = Supply.of(dict.fromkeys(COLOURS, 3))
        return BidsState(rules=self.rules, seats=self.seats, left=self.options.lots, bag=bag)


class FavouriteDealt(Event, frozen=True, tag="FavouriteDealt"):
    words: ClassVar[str] = "{seat} has a favourite: {colour}."
    sealed: ClassVar[tuple[str, ...]] = ("colour",)
    seat: int
    colour: str | None

    def apply(self, state: BidsState) -> BidsState:
        return replace(state, bidders=(*state.bidders, Bidder(coins=COINS, favourite=self.colour or "")))


class LotShown(Event, frozen=True, tag="LotShown"):
    words: ClassVar[str] = "The lot is {colour}."
    colour: str

    def apply(self, state: BidsState) -> BidsState:
        return replace(state, lot=self.colour, left=state.left - 1, bag=state.bag.take([self.colour]))


class BidSealed(Event, frozen=True, tag="BidSealed"):
    words: ClassVar[str] = "{seat} sealed a bid: {amount}."
    sealed: ClassVar[tuple[str, ...]] = ("amount",)
    seat: int
    amount: int | None

    def apply(self, state: BidsState) -> BidsState:
        return state.with_bidder(self.seat, replace(state.bidders[self.seat], bid=self.amount))


class Sold(Event, frozen=True, tag="Sold"):
    words: ClassVar[str] = "The bids were {bids}; {seat} got the lot."
    reveals: ClassVar[tuple[str, ...]] = ("bidders.*.bid",)
    seat: int
    bids: tuple[int, ...]

    def apply(self, state: BidsState) -> BidsState:
        cleared = tuple(replace(bidder, bid=None) for bidder in state.bidders)
        winner = cleared[self.seat]
        winner = replace(winner, coins=winner.coins - self.bids[self.seat], won=(*winner.won, state.lot))
        return replace(state, lot="", bidders=cleared).with_bidder(self.seat, winner)


class FavouritesShown(Event, frozen=True, tag="FavouritesShown"):
    words: ClassVar[str] = "The favourites were {colours}."
    reveals: ClassVar[tuple[str, ...]] = ("bidders.*.favourite",)
    colours: tuple[str, ...]

    def apply(self, state: BidsState) -> BidsState:
        return replace(state, over=True)


class Bid(Command, frozen=True, tag="bid"):
    """Seal a bid for the open lot; 0 leaves it to others."""

    notation: ClassVar[str] = "bid {amount}"
    sealed: ClassVar[tuple[str, ...]] = ("amount",)
    amount: Annotated[int, Bounds(ge=0, le=99), off_table]

    @classmethod
    def candidates(cls, state: BidsState, seat: int) -> Iterator[Self]:
        return (cls(amount) for amount in range(state.bidders[seat].coins + 1))

    def check(self, state: BidsState, seat: int) -> None:
        if self.amount > state.bidders[seat].coins:
            raise Refused("too-few-coins", have=state.bidders[seat].coins, found=self.amount)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(BidSealed(seat, self.amount))
        bids = tuple(bidder.bid for bidder in turn.state.bidders)
        if None not in bids:
            turn.emit(Sold(next(seat for seat in turn.state.order() if bids[seat] == max(bids)), bids))
            _next_lot(turn)


def _next_lot(turn: Turn) -> None:
    if turn.state.left:
        turn.emit(LotShown(turn.chance.pick(turn.state.bag)))
    else:
        turn.emit(FavouritesShown(tuple(bidder.favourite for bidder in turn.state.bidders)))


class Bids:
    meta = Meta(
        key="bids",
        title="Bids",
        designers=("house",),
        year=2026,
        seats=(2, 5),
        options=BidsOptions,
        rules=(1, 1),
        stage="tiny",
        cap=9,
        draws=1 + 9,
    )
    state = BidsState
    commands = (Bid,)
    events = (Started, FirstPlayerDrawn, FavouriteDealt, LotShown, BidSealed, Sold, FavouritesShown)
    refusals: ClassVar[dict[str, str]] = {"too-few-coins": "You cannot bid {found}: you have {have:coin}."}
    endings: ClassVar[dict[str, str]] = {"sold-out": "All lots are sold."}

    def setup(self, turn: Turn, seats: int, options: BidsOptions) -> None:
        turn.emit(Started(turn.rules, seats, options))
        draw_first(turn)
        cards = Supply.of(dict.fromkeys(COLOURS, 2))
        for seat in range(seats):
            colour = turn.secret.pick(cards)
            cards = cards.take([colour])
            turn.emit(FavouriteDealt(seat, colour))
        _next_lot(turn)

    def hidden(self, options: BidsOptions) -> bool:
        return True

    def active(self, state: BidsState) -> tuple[int, ...]:
        if state.over:
            return ()
        return tuple(seat for seat, bidder in enumerate(state.bidders) if bidder.bid is None)

    def phase(self, state: BidsState, seat: int) -> tuple[type[Command], ...]:
        return (Bid,)

    def forced(self, state: BidsState, seat: int) -> Command | None:
        return None if state.bidders[seat].coins else Bid(0)

    def default(self, state: BidsState, seat: int) -> Command:
        return Bid(0)

    def outcome(self, state: BidsState) -> Outcome | None:
        if not state.over:
            return None
        lots = tuple(len(bidder.won) for bidder in state.bidders)
        loved = tuple(2 * bidder.won.count(bidder.favourite) for bidder in state.bidders)
        totals = map(sum, zip(lots, loved, strict=True))
        points = (("lots", lots), ("favourites", loved))
        return Outcome(places=ranked(dict(enumerate(totals))), points=points, reason="sold-out")

    def turns(self, state: BidsState) -> int:
        return sum(len(bidder.won) for bidder in state.bidders)

    def standing(self, state: BidsState) -> Standing:
        """Counts only the lots: the favourites are still secret."""
        lots = tuple(len(bidder.won) for bidder in state.bidders)
        return Standing(places=ranked(dict(enumerate(lots))), points=(("lots", lots),))

    def view(self, state: BidsState, seat: int | None) -> BidsView:
        seen = tuple(
            SeenBidder(
                coins=bidder.coins,
                has_bid=bidder.bid is not None,
                won=bidder.won,
                favourite=bidder.favourite if state.over or own == seat else None,
                bid=bidder.bid if own == seat else None,
            )
            for own, bidder in enumerate(state.bidders)
        )
        return BidsView(left=state.left, lot=state.lot, bidders=seen)

    def board(self, view: BidsView, names: tuple[str, ...]) -> str:
        sale = f"On sale: {view.lot or 'nothing'}; lots after it: {view.left}."
        lines = ["The game is over." if view.over else sale]
        for seat, bidder in enumerate(view.bidders):
            mark = "" if view.over else ", sealed" if bidder.has_bid else ", to bid"
            name, won = cut(names[seat], 20), "+".join(bidder.won) or "nothing"
            lines.append(f"{name}: {count(bidder.coins, 'coin')}{mark}, won {won}")
        return "\n".join(lines)

    def picture(self, view: BidsView, names: tuple[str, ...], palette: Palette = "light") -> str:
        fill = "none" if view.over or not view.lot else f"@{view.lot}"
        lot = titled(f"on sale: {view.lot or 'nothing'}", circle(216, 40, 36, fill=fill, stroke="@ink"))
        roles = {"blue": ("#2c6fb0", "#5f9fdc"), "green": ("#2f7a3f", "#6fbf80"), "red": ("#b3261e", "#ee7a6c")}
        return document((Zone("board", 432, 80, lot),), roles, palette)


game: Any = Bids()
