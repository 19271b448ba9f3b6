"""The events, each with its effect. An event carries its results: `apply` reads only its fields and the state."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from engine.game import Event
from engine.games.tikal.components import ALIKE, LEVELS, PRINTED, PURSE, TILES, TREASURES, Kind
from engine.games.tikal.hexes import CELLS, PLACE, Stones
from engine.games.tikal.meta import TikalOptions
from engine.games.tikal.state import Frame, Piece, Player, Site, TikalState
from engine.kit import Supply

PIECE = {"piece": {"explorer": "an explorer", "leader": "the leader"}}  # as people read it

# --- turns ----------------------------------------------------------------------------------------------------------


class Started(Event, frozen=True, tag="Started"):
    words: ClassVar[str] = "The expeditions are ready to explore Tikal."
    rules: int
    seats: int
    options: TikalOptions

    def apply(self, state: None) -> TikalState:
        printed, nobody = dict(PRINTED), (0,) * self.seats
        sites = (Site.of(printed[cell], nobody) if cell in printed else None for cell in CELLS)
        return TikalState(
            rules=self.rules,
            seats=self.seats,
            variant=self.options.variant,
            bidding=self.options.bidding,
            sites=tuple(sites),
            land=tuple(printed[cell].stones if cell in printed else () for cell in CELLS),
            players=(Player(purse=PURSE if self.options.variant == "auction" else 0),) * self.seats,
            stack=Supply.of({tile.name: 1 for tile in TILES}),
            treasures=Supply.of(dict.fromkeys(TREASURES, ALIKE)),
            levels=tuple(count for _, count in LEVELS),
        )


class TileDrawn(Event, frozen=True, tag="TileDrawn"):
    """The beginning of a turn."""

    words: ClassVar[str] = "{seat} drew the tile {tile}."
    seat: int
    tile: str
    points: int

    def apply(self, state: TikalState) -> TikalState:
        frames, stack = (Frame("turn", self.seat),), state.stack.take([self.tile])
        return replace(state, stack=stack, tile=self.tile, frames=frames, points=self.points)


class TileSetAside(Event, frozen=True, tag="TileSetAside"):
    words: ClassVar[str] = "The tile {tile} fits nowhere and is set aside. {seat} plays on without it."
    seat: int
    tile: str

    def apply(self, state: TikalState) -> TikalState:
        return replace(state, tile="", aside=(*state.aside, self.tile))


class TilePlaced(Event, frozen=True, tag="TilePlaced"):
    """`stones` are rotated as the tile lies; `value` is the first level of a temple, `treasures` are those of ruins."""

    words: ClassVar[str] = "{seat} laid the tile {tile} on {cell} in rotation {rotation}."
    seat: int
    tile: str
    cell: str
    rotation: str
    kind: Kind
    stones: Stones
    value: int = 0
    treasures: int = 0

    def apply(self, state: TikalState) -> TikalState:
        nobody, at = (0,) * state.seats, PLACE[self.cell]
        site = Site(tile=self.tile, kind=self.kind, value=self.value, treasures=self.treasures, explorers=nobody)
        return state.with_site(self.cell, site, tile="", land=(*state.land[:at], self.stones, *state.land[at + 1 :]))


class TurnEnded(Event, frozen=True, tag="TurnEnded"):
    """`points` are the action points of the frame that is on top afterwards."""

    words: ClassVar[str] = "{seat} ended the turn[unused: with {unused:action point} left over]."
    ends_turn: ClassVar[bool] = True
    seat: int
    unused: int
    points: int

    def apply(self, state: TikalState) -> TikalState:
        totems = state.totems
        if state.doing == "turn":
            totems = tuple(seat for seat in totems if seat != self.seat)
        return replace(state, frames=state.frames[1:], points=self.points, worked=(), totems=totems)


# --- actions --------------------------------------------------------------------------------------------------------


class Entered(Event, frozen=True, tag="Entered"):
    words: ClassVar[str] = "{seat} brought {piece} to the camp on {cell}."
    printed: ClassVar[dict[str, dict[str, str]]] = PIECE
    seat: int
    piece: Piece
    cell: str
    cost: int

    def apply(self, state: TikalState) -> TikalState:
        player = state.players[self.seat]
        if self.piece == "leader":
            player = replace(player, leader=False)
        else:
            player = replace(player, explorers=player.explorers - 1)
        sites = state.sites_with(self.cell, state.laid(self.cell).plus(self.seat, self.piece, 1))
        points = state.points - self.cost
        return replace(state, players=state.players_with(self.seat, player), sites=sites, points=points)


class Walked(Event, frozen=True, tag="Walked"):
    words: ClassVar[str] = "{seat} moved {piece} from {start} to {goal} for {cost:action point}."
    printed: ClassVar[dict[str, dict[str, str]]] = PIECE
    seat: int
    piece: Piece
    start: str
    goal: str
    cost: int

    def apply(self, state: TikalState) -> TikalState:
        sites = list(state.sites)
        sites[PLACE[self.start]] = state.laid(self.start).plus(self.seat, self.piece, -1)
        sites[PLACE[self.goal]] = state.laid(self.goal).plus(self.seat, self.piece, 1)
        return replace(state, sites=tuple(sites), points=state.points - self.cost)


class LevelUncovered(Event, frozen=True, tag="LevelUncovered"):
    words: ClassVar[str] = "{seat} uncovered level {level} of the temple on {cell}."
    seat: int
    cell: str
    level: int
    cost: int

    def apply(self, state: TikalState) -> TikalState:
        at = self.level - 2
        levels = (*state.levels[:at], state.levels[at] - 1, *state.levels[at + 1 :])
        site = replace(state.laid(self.cell), value=self.level)
        worked = (*state.worked, self.cell)
        return state.with_site(self.cell, site, levels=levels, worked=worked, points=state.points - self.cost)


class TreasureFound(Event, frozen=True, tag="TreasureFound"):
    words: ClassVar[str] = "{seat} dug up a treasure on {cell}: {treasure}."
    seat: int
    cell: str
    treasure: str
    cost: int

    def apply(self, state: TikalState) -> TikalState:
        site = state.laid(self.cell)
        found = tuple(sorted((*state.players[self.seat].treasures, self.treasure)))
        return state.with_player(self.seat, treasures=found).with_site(
            self.cell,
            replace(site, treasures=site.treasures - 1),
            treasures=state.treasures.take([self.treasure]),
            worked=(*state.worked, self.cell),
            points=state.points - self.cost,
        )


class TreasureSwapped(Event, frozen=True, tag="TreasureSwapped"):
    words: ClassVar[str] = "{seat} gave {other_seat} the {mine} and took the {theirs}."
    seat: int
    mine: str
    other_seat: int
    theirs: str
    cost: int

    def apply(self, state: TikalState) -> TikalState:
        state = _exchanged(state, self.seat, self.mine, self.theirs)
        state = _exchanged(state, self.other_seat, self.theirs, self.mine)
        return replace(state, points=state.points - self.cost)


def _exchanged(state: TikalState, seat: int, given: str, got: str) -> TikalState:
    held = list(state.players[seat].treasures)
    held.remove(given)
    return state.with_player(seat, treasures=tuple(sorted((*held, got))))


class CampPitched(Event, frozen=True, tag="CampPitched"):
    words: ClassVar[str] = "{seat} pitched a camp on {cell}."
    seat: int
    cell: str
    cost: int

    def apply(self, state: TikalState) -> TikalState:
        state = state.with_player(self.seat, tents=state.players[self.seat].tents - 1)
        site = replace(state.laid(self.cell), tent=self.seat)
        return state.with_site(self.cell, site, points=state.points - self.cost)


class GuardPosted(Event, frozen=True, tag="GuardPosted"):
    """One piece of the seat becomes the guard, its others there leave the game: none of them can act again."""

    words: ClassVar[str] = (
        "{seat} posted a guard on the temple on {cell}. Any other pieces of {seat} there left the game."
    )
    seat: int
    cell: str
    cost: int

    def apply(self, state: TikalState) -> TikalState:
        player, site = state.players[self.seat], state.laid(self.cell)
        here, leader = site.explorers[self.seat], self.seat in site.leaders
        if leader:
            site = site.plus(self.seat, "leader", -1)
        site = replace(site.plus(self.seat, "explorer", -here), guard=self.seat)
        return state.with_player(
            self.seat,
            guards=player.guards - 1,
            lost=player.lost + here,
            lost_leader=player.lost_leader or leader,
        ).with_site(self.cell, site, points=state.points - self.cost)


# --- scoring and the end --------------------------------------------------------------------------------------------


class ScoringBegun(Event, frozen=True, tag="ScoringBegun"):
    words: ClassVar[str] = (
        "{seat} has a volcano. Before it is laid, every player takes a scoring turn, beginning with {seat}."
    )
    seat: int
    points: int

    def apply(self, state: TikalState) -> TikalState:
        return replace(state, frames=(*_scoring_turns(state, self.seat), *state.frames), points=self.points)


class LastScoringBegun(Event, frozen=True, tag="LastScoringBegun"):
    words: ClassVar[str] = "No tiles are left. Every player takes a last scoring turn, beginning with {seat}."
    seat: int
    points: int

    def apply(self, state: TikalState) -> TikalState:
        return replace(state, frames=_scoring_turns(state, self.seat), points=self.points)


def _scoring_turns(state: TikalState, first: int) -> tuple[Frame, ...]:
    return tuple(Frame("scoring", (first + step) % state.seats) for step in range(state.seats))


class Scored(Event, frozen=True, tag="Scored"):
    words: ClassVar[str] = (
        "{seat} scored[temples: {temples:point}][not temples: nothing] for temples[cells: ({cells})]"
        "[finds: and {finds:point} for treasures]."
    )
    seat: int
    temples: int
    cells: tuple[str, ...]
    finds: int

    def apply(self, state: TikalState) -> TikalState:
        player = state.players[self.seat]
        return state.with_player(self.seat, temples=player.temples + self.temples, finds=player.finds + self.finds)


class GameEnded(Event, frozen=True, tag="GameEnded"):
    words: ClassVar[str] = "The game is over."
    reason: str

    def apply(self, state: TikalState) -> TikalState:
        return replace(state, over=self.reason)


# --- the auction ----------------------------------------------------------------------------------------------------


class TilesShown(Event, frozen=True, tag="TilesShown"):
    """The beginning of a round of the auction."""

    words: ClassVar[str] = "These tiles are on sale: {tiles}."
    tiles: tuple[str, ...]

    def apply(self, state: TikalState) -> TikalState:
        return replace(state, stack=state.stack.take(self.tiles), open=self.tiles, totems=tuple(range(state.seats)))


class SaleOpened(Event, frozen=True, tag="SaleOpened"):
    words: ClassVar[str] = "{seat} opens the sale."
    seat: int

    def apply(self, state: TikalState) -> TikalState:
        nothing = replace(state, frames=(Frame("sale", self.seat),), out=(), bidder=self.seat)
        if state.bidding == "sealed":
            return replace(nothing, ceilings=(None,) * state.seats)
        return replace(nothing, bids=(0,) * state.seats)


class CeilingSealed(Event, frozen=True, tag="CeilingSealed"):
    words: ClassVar[str] = "{seat} sealed a ceiling[ of {ceiling}]."
    sealed: ClassVar[tuple[str, ...]] = ("ceiling",)
    seat: int
    ceiling: int | None

    def apply(self, state: TikalState) -> TikalState:
        return replace(state, ceilings=(*state.ceilings[: self.seat], self.ceiling, *state.ceilings[self.seat + 1 :]))


class Sold(Event, frozen=True, tag="Sold"):
    """The end of a sealed sale."""

    words: ClassVar[str] = "{seat} won the sale and paid[price: {price:point}][not price: nothing]."
    reveals: ClassVar[tuple[str, ...]] = ("ceilings",)
    seat: int
    price: int

    def apply(self, state: TikalState) -> TikalState:
        return _paid(replace(state, ceilings=()), self.seat, self.price)


class CeilingShown(Event, frozen=True, tag="CeilingShown"):
    words: ClassVar[str] = "The ceiling of {seat} was {ceiling}."
    reveals: ClassVar[tuple[str, ...]] = ("ceilings.{seat}",)
    seat: int
    ceiling: int

    def apply(self, state: TikalState) -> TikalState:
        return state


class BidCalled(Event, frozen=True, tag="BidCalled"):
    words: ClassVar[str] = "{seat} offered {points:point}."
    seat: int
    points: int
    bidder_seat: int

    def apply(self, state: TikalState) -> TikalState:
        bids = (*state.bids[: self.seat], self.points, *state.bids[self.seat + 1 :])
        return replace(state, bids=bids, bidder=self.bidder_seat)


class BidPassed(Event, frozen=True, tag="BidPassed"):
    words: ClassVar[str] = "{seat} passed."
    seat: int
    bidder_seat: int

    def apply(self, state: TikalState) -> TikalState:
        return replace(state, out=(*state.out, self.seat), bidder=self.bidder_seat)


class SaleWon(Event, frozen=True, tag="SaleWon"):
    """The end of an open sale."""

    words: ClassVar[str] = "{seat} won the sale and paid[price: {price:point}][not price: nothing]."
    seat: int
    price: int

    def apply(self, state: TikalState) -> TikalState:
        return _paid(replace(state, bids=(), out=()), self.seat, self.price)


def _paid(state: TikalState, seat: int, price: int) -> TikalState:
    """Take the price from the winner, who is to choose a tile next."""
    paid = state.with_player(seat, purse=state.players[seat].purse - price)
    return replace(paid, frames=(Frame("choice", seat),))


class TileChosen(Event, frozen=True, tag="TileChosen"):
    """The beginning of a turn in the auction."""

    words: ClassVar[str] = "{seat} took the tile {tile}."
    seat: int
    tile: str
    points: int

    def apply(self, state: TikalState) -> TikalState:
        rest = tuple(tile for tile in state.open if tile != self.tile)
        return replace(state, open=rest, tile=self.tile, frames=(Frame("turn", self.seat),), points=self.points)
