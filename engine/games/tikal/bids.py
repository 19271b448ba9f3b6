"""The commands of the auction: sealed bids, open bids, and the choice of a tile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Self

from msgspec import Meta as Bounds

from engine.errors import Refused
from engine.game import Command, Turn
from engine.games.tikal import sale
from engine.games.tikal.components import TILES
from engine.games.tikal.events import BidCalled, BidPassed, CeilingSealed
from engine.games.tikal.state import TikalState
from engine.games.tikal.turns import choose
from engine.kit import named, off_table

TileName = Annotated[
    str, named("a tile", tuple(tile.name for tile in TILES), "^(temple|ruins|clearing|volcano)-[a-g][1-3]$")
]
MOST_BID = 900  # keeps a list of bids below a thousand; nobody ever has that many points


def check_purse(state: TikalState, seat: int, points: int) -> None:
    have = state.players[seat].total
    if points > have:
        raise Refused("beyond-own-points", found=points, have=have)


class Bid(Command, frozen=True, tag="bid"):
    """Seal your ceiling, the most you would pay for the first choice. 0 passes."""

    notation: ClassVar[str] = "bid {ceiling}"
    words: ClassVar[str] = "Bid up to {ceiling:point} in secret."
    sealed: ClassVar[tuple[str, ...]] = ("ceiling",)
    ceiling: Annotated[int, Bounds(ge=0, le=MOST_BID), off_table]

    @classmethod
    def candidates(cls, state: TikalState, seat: int) -> Iterator[Self]:
        return (cls(ceiling) for ceiling in range(min(state.players[seat].total, MOST_BID) + 1))

    def check(self, state: TikalState, seat: int) -> None:
        check_purse(state, seat, self.ceiling)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(CeilingSealed(seat, self.ceiling))
        if not sale.unsealed(turn.state):
            sale.sell(turn)


class Offer(Command, frozen=True, tag="offer"):
    """Offer points for the first choice, more than the last offer."""

    notation: ClassVar[str] = "offer {points}"
    words: ClassVar[str] = "Offer {points:point}."
    points: Annotated[int, Bounds(ge=1, le=MOST_BID), off_table]

    @classmethod
    def candidates(cls, state: TikalState, seat: int) -> Iterator[Self]:
        return (cls(points) for points in range(max(state.bids) + 1, min(state.players[seat].total, MOST_BID) + 1))

    def check(self, state: TikalState, seat: int) -> None:
        check_purse(state, seat, self.points)
        if self.points <= max(state.bids):
            raise Refused("bid-too-low", found=self.points, highest=max(state.bids), have=state.players[seat].total)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(BidCalled(seat, self.points, sale.next_bidder(turn.state, seat, turn.state.out)))
        sale.close(turn)


class Pass(Command, frozen=True, tag="pass"):
    """Pass, and take no further part in this sale."""

    notation: ClassVar[str] = "pass"
    words: ClassVar[str] = "Pass, and take no further part in this sale."

    def play(self, turn: Turn, seat: int) -> None:
        passed = (*turn.state.out, seat)
        turn.emit(BidPassed(seat, sale.next_bidder(turn.state, seat, passed)))
        sale.close(turn)


class Choose(Command, frozen=True, tag="choose"):
    """Take one of the tiles on sale."""

    notation: ClassVar[str] = "choose {tile}"
    words: ClassVar[str] = "Take the tile {tile}."
    tile: TileName

    @classmethod
    def candidates(cls, state: TikalState, seat: int) -> Iterator[Self]:
        return map(cls, state.open)

    def check(self, state: TikalState, seat: int) -> None:
        if self.tile not in state.open:
            raise Refused("not-on-sale", found=self.tile, expected=state.open)

    def play(self, turn: Turn, seat: int) -> None:
        choose(turn, seat, self.tile)
