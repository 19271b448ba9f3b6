"""The position, and small changes for events.

A space of the route is one number: -5 to -1 below Saint Louis, 0 Saint Louis, 39 Fort Clatsop. Goods, the village and
the deck are supplies: names with counts. Boats have no content in the state: goods and Indians may be rearranged at
any time, so the state keeps only their numbers, and `boats.py` computes the least delay.

An action under way is a frame. An action that copies another lays a frame on top of its own; the last frame is the one
in use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from engine.game import State, Value
from engine.games.lewis_clark.meta import LewisClarkOptions
from engine.kit import EMPTY, Supply

INDIAN = "indian"  # among goods, for prices and gains in Indians
NEWCOMERS, POW_WOW = "newcomers", "pow-wow"  # spaces of the village without an action
NEIGHBOURS = {  # by number of seats and seat
    seats: tuple(tuple(sorted({(seat - 1) % seats, (seat + 1) % seats} - {seat})) for seat in range(seats))
    for seats in range(1, 6)
}


def counted(names: Iterable[str]) -> tuple[str, ...]:
    """Return names with their counts: ("wood", "fur", "wood") gives ("1 fur", "2 wood")."""
    return tuple(f"{n} {name}" for name, n in sorted(Counter(names).items()))


def listed(amounts: Iterable[str]) -> tuple[str, ...]:
    """Return every single name: the inverse of `counted`."""
    pairs = (amount.split() for amount in amounts)
    return tuple(name for n, name in pairs for _ in range(int(n)))


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Return the cards except this one."""
    at = cards.index(card)
    return (*cards[:at], *cards[at + 1 :])


class Played(Value, frozen=True, kw_only=True):
    """A card face up in a play area with its strength: a card face down under it, and Indians on it."""

    card: str
    under: str = ""
    indians: int = 0


class Player(Value, frozen=True, kw_only=True):
    """One seat: its cards, its boats, its scout and its camp."""

    hand: tuple[str, ...]  # sorted
    table: tuple[Played, ...] = ()  # the play area, in the order of playing
    goods: Supply = EMPTY  # fur, food, equipment, wood, canoe, horse
    indians: int = 0  # on the boats; those on cards are in `table`
    tiles: tuple[str, ...] = ()  # boat tiles, sorted, each named by the side in use
    scout: int = 0
    camp: int = 0

    @property
    def face_up(self) -> tuple[str, ...]:
        return tuple([played.card for played in self.table])

    @property
    def cards(self) -> tuple[str, ...]:
        """Return every card of the seat, in hand and in the play area."""
        return (*self.hand, *self.face_up, *(played.under for played in self.table if played.under))

    @property
    def on_cards(self) -> int:
        """Return the Indians on cards, who return at the next camp."""
        return sum(played.indians for played in self.table)


class Frame(Value, frozen=True, kw_only=True):
    """An action under way: its source, and the activations left."""

    source: str  # a card or a place of the village
    left: int  # activations left
    begun: bool = False  # it has been used, so it takes no more strength
    bank: Supply | None = None  # all it may still spend (Indians too), if gains cannot pay for later activations
    discarded: int = 0  # cards that this Farewell has discarded


class LewisClarkState(State, frozen=True):
    options: LewisClarkOptions
    players: tuple[Player, ...] = ()
    journal: tuple[str, ...] = ()  # from the cheapest place (1 fur) to the dearest
    deck: Supply = EMPTY
    discards: Supply = EMPTY
    village: Supply = EMPTY  # Indians by place; also "newcomers" and "pow-wow"
    stock: int = 0  # Indians beside the board
    boats: Supply = EMPTY  # boat tiles left: "goods" and "indians"
    seat: int = 0  # the seat to move
    frames: tuple[Frame, ...] = ()  # the last is in use
    acted: bool = False
    camped: bool = False
    recruited: bool = False
    moved: bool = False  # the scout has moved in this action
    bonus: tuple[str, ...] = ()  # passive cards that have lengthened a move of this action
    turns: int = 1  # the number of the turn
    mackenzie: int | None = None  # the space of that scout, in the solo game
    winner: int | None = None
    over: str = ""  # the reason of the end

    @property
    def player(self) -> Player:
        """Return the player to move."""
        return self.players[self.seat]

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    @property
    def covers(self) -> bool:
        """Return True if cards laid face down show others only their backs."""
        return self.options.covered == "hidden"

    def begun_by(self, seat: int) -> LewisClarkState:
        return replace(self, starter=seat, seat=seat)

    def scouts(self, without: int | None = None) -> tuple[int, ...]:
        """Return the spaces of all scouts, with Mackenzie's; `without` leaves out the scout of one seat."""
        others = tuple(player.scout for seat, player in enumerate(self.players) if seat != without)
        return others if self.mackenzie is None else (*others, self.mackenzie)

    def neighbours(self, seat: int) -> tuple[int, ...]:
        """Return the seats to the left and to the right: one in a game of two, none alone."""
        return NEIGHBOURS[self.seats][seat]

    def with_player(self, seat: int, **changes: object) -> LewisClarkState:
        return replace(self, players=self.players_with(seat, replace(self.players[seat], **changes)))

    def players_with(self, seat: int, player: Player) -> tuple[Player, ...]:
        """Return the players, with this one in this seat."""
        players = list(self.players)
        players[seat] = player
        return tuple(players)

    def frames_with(self, frame: Frame) -> tuple[Frame, ...]:
        """Return the frames, with this one in the place of the last."""
        return (*self.frames[:-1], frame)
