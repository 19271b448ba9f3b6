"""The commands, each with its candidates, its rule and its play.

One command takes a die *and* acts with it. A card that changes a tent or a sale is a word of that command; the other
cards are played by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar, Self

from msgspec import Meta as Bounds
from msgspec.structs import replace

from engine.errors import Refused
from engine.game import Command, Spelling, Turn
from engine.games.livingstone.cards import KINDS, PLAYABLE, Playable
from engine.games.livingstone.components import COLUMNS, GEMS, ROWS, Gem
from engine.games.livingstone.events import (
    Accident,
    AnimalsSeen,
    BankPaid,
    CardDrawn,
    CardPlayed,
    CardTaken,
    CoinsTaken,
    Donated,
    GemsSold,
    MineEntered,
    OwnerPaid,
    SecondDie,
    SteamerWentBack,
    TentLifted,
    TentPlaced,
    TentRaised,
)
from engine.games.livingstone.rounds import end_turn
from engine.games.livingstone.scoring import animal_points, market_sale
from engine.games.livingstone.state import LivingstoneState, square_of
from engine.games.livingstone.stones import draw_stones
from engine.kit import OWN, off_table, on_table

Die = Annotated[int, Bounds(ge=1, le=6, description="a die")]
Column = Annotated[int, Bounds(ge=1, le=COLUMNS, description="a column"), on_table("column")]
Row = Annotated[int, Bounds(ge=1, le=ROWS, description="a row"), on_table("row")]


# --- actions with a die ---------------------------------------------------------------------------------------------


class DieCommand(Command, frozen=True):
    """A command that takes a die: the base of the four actions."""

    die: Die

    @classmethod
    def candidates(cls, state: LivingstoneState, seat: int) -> Iterator[Self]:
        return (cls(die) for die in dice_to_take(state, seat))

    def check(self, state: LivingstoneState, seat: int) -> None:
        last = state.players[seat].last
        if self.die <= last:
            raise Refused("die-too-low", found=self.die, last=last, expected=tuple(dice_to_take(state, seat)))
        if not state.dice[self.die - 1]:
            raise Refused("no-such-die", found=self.die, expected=tuple(dice_to_take(state, seat)))


def dice_to_take(state: LivingstoneState, seat: int) -> Iterator[int]:
    """Yield the faces that the seat may take, ascending."""
    return (die for die in range(state.players[seat].last + 1, 7) if state.dice[die - 1])


class Coins(DieCommand, frozen=True, tag="coins"):
    """Take a die and as many coins as it shows."""

    notation: ClassVar[str] = "coins {die}"
    words: ClassVar[str] = "Take a {die} for {die:coin}."

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(CoinsTaken(seat, self.die, self.die))


class Mine(DieCommand, frozen=True, tag="mine"):
    """Take a die and draw as many stones from the bag as it shows; you keep the gems."""

    notation: ClassVar[str] = "mine {die}"
    words: ClassVar[str] = "Take a {die} to draw {die:stone} from the bag."

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(MineEntered(seat, self.die))
        draw_stones(turn, seat, self.die)


class Card(DieCommand, frozen=True, tag="card"):
    """Take a die and draw a card that only you see."""

    notation: ClassVar[str] = "card {die}"
    words: ClassVar[str] = "Take a {die} to draw a card."

    def play(self, turn: Turn, seat: int) -> None:
        """Draw a card; after an accident, one that is not an accident, since a second would change nothing."""
        turn.emit(CardTaken(seat, self.die))
        card = turn.secret.pick(turn.state.deck)
        if card == "mine-accident":
            turn.emit(Accident(seat))
            deck = turn.state.deck
            rest = deck.take([card] * deck.count(card))
            if not rest.total:
                return
            card = turn.secret.pick(rest)
        turn.emit(CardDrawn(seat, card))


class Tent(DieCommand, frozen=True, tag="tent"):
    """Take a die and place a tent in the steamer's column, in the row that the die shows."""

    notation: ClassVar[str] = "tent {die} [row {row}] [explorer] [elephants] [from {from_column} {from_row}]"
    words: ClassVar[str] = (
        "Take a {die} to place a tent[ in row {row}][elephants:, playing Elephants]"
        "[explorer:, playing Explorer and Native][, moved from column {from_column}, row {from_row}]."
    )
    row: Row | None = None
    explorer: bool = False
    elephants: bool = False
    from_column: Column | None = None
    from_row: Row | None = None

    @classmethod
    def candidates(cls, state: LivingstoneState, seat: int) -> Iterator[Self]:
        hand = state.players[seat].hand
        rows = (None, *range(1, ROWS + 1)) if "elephants" in hand else (None,)
        free = (False, True) if "explorer" in hand else (False,)
        lifted = _tents_to_lift(state, seat)
        return (
            cls(die, row, explorer, row is not None, *place)
            for die in dice_to_take(state, seat)
            for row in rows
            for explorer in free
            for place in lifted
        )

    def meant(self, state: LivingstoneState, seat: int) -> Self:
        """Read a row other than the die's as the elephants' choice, whether or not they are named."""
        if self.row is None or self.elephants:
            return self
        return replace(self, row=None) if self.row == self.die else replace(self, elephants=True)

    def check(self, state: LivingstoneState, seat: int) -> None:
        super().check(state, seat)
        if self.elephants != (self.row is not None):
            raise Refused("elephants-and-row", how=KINDS["elephants"].typed)
        for card in self._cards():
            check_card(state, seat, card)
        if self.elephants and self.row == self.die:
            raise Refused("elephants-in-vain", row=self.row)
        self._check_tent(state, seat)
        self._check_price(state, seat)

    def _check_price(self, state: LivingstoneState, seat: int) -> None:
        price, have = self._price(state, seat), state.players[seat].coins
        if self.explorer and not price:
            raise Refused("explorer-in-vain")
        if not self.explorer and price > have:
            owners = len(self._owners(state, seat))
            raise Refused("tent-too-dear", need=price, cost=price - owners, owners=owners, have=have)

    def _check_tent(self, state: LivingstoneState, seat: int) -> None:
        if self._lifted is None:
            _check_supply(state, seat)
            return
        if not _may_lift(state, seat):
            raise Refused("tents-stay", seats=state.seats, left=state.tents_left(seat))
        if self._lifted not in state.players[seat].tents:
            own = _written(state.players[seat].tents)
            raise Refused("no-own-tent-there", column=self.from_column, row=self.from_row, expected=own)
        if self._lifted == self._square(state):
            raise Refused("same-square")

    def play(self, turn: Turn, seat: int) -> None:
        state: LivingstoneState = turn.state
        owners = () if self.explorer else self._owners(state, seat)
        cost = 0 if self.explorer else state.edition.costs[state.here - 1]
        for card in self._cards():
            turn.emit(CardPlayed(seat, card))
        if self.from_column is not None and self.from_row is not None:
            turn.emit(TentLifted(seat, self.from_column, self.from_row))
        turn.emit(TentPlaced(seat, self.die, state.here, self.row or self.die, cost))
        for owner in owners:
            turn.emit(OwnerPaid(seat, owner, 1))

    @property
    def _lifted(self) -> int | None:
        """The square a tent is moved from; one that holds no tent if only half of it is named."""
        if self.from_column is None and self.from_row is None:
            return None
        return square_of(self.from_column or 0, self.from_row or 0)

    def _cards(self) -> tuple[str, ...]:
        return ("explorer",) * self.explorer + ("elephants",) * self.elephants

    def _square(self, state: LivingstoneState) -> int:
        return square_of(state.here, self.row or self.die)

    def _price(self, state: LivingstoneState, seat: int) -> int:
        """Return the column's cost and a coin for each other owner on the square: all that the explorer saves."""
        return state.edition.costs[state.here - 1] + len(self._owners(state, seat))

    def _owners(self, state: LivingstoneState, seat: int) -> tuple[int, ...]:
        """Return the other seats with a tent on the square."""
        return tuple(owner for owner in state.owners(self._square(state)) if owner != seat)


def _check_supply(state: LivingstoneState, seat: int) -> None:
    if not state.tents_left(seat):
        raise Refused("no-tent-left", tents=state.edition.tents)


def _written(squares: Iterable[int]) -> tuple[str, ...]:
    """Return squares as they are typed, column and row, each once."""
    return tuple(f"{square // 10} {square % 10}" for square in sorted(set(squares)))


def _may_lift(state: LivingstoneState, seat: int) -> bool:
    """Return whether the seat may move a tent: in a game of two, with none left."""
    return state.seats == 2 and not state.tents_left(seat)


def _tents_to_lift(state: LivingstoneState, seat: int) -> tuple[tuple[int | None, int | None], ...]:
    if not _may_lift(state, seat):
        return ((None, None),)
    return tuple((square // 10, square % 10) for square in sorted(set(state.players[seat].tents)))


# --- no die needed --------------------------------------------------------------------------------------------------


def check_card(state: LivingstoneState, seat: int, card: str) -> None:
    hand = state.players[seat].hand
    if card not in hand:
        raise Refused("card-not-in-hand", card=card, hand=hand)


class Play(Command, frozen=True, tag="play"):
    """Play a card that takes effect at once."""

    notation: ClassVar[str] = "play {card}"
    words: ClassVar[str] = "Play {card}."
    card: Annotated[Playable, on_table("card", OWN)]

    @classmethod
    def candidates(cls, state: LivingstoneState, seat: int) -> Iterator[Self]:
        hand = state.players[seat].hand
        return (cls(card) for card in PLAYABLE if card in hand and not KINDS[card].typed)

    def check(self, state: LivingstoneState, seat: int) -> None:
        if KINDS[self.card].typed:
            raise Refused("played-otherwise", card=self.card, how=KINDS[self.card].typed)
        check_card(state, seat, self.card)
        if self.card == "steamer" and state.back:
            raise Refused("steamer-went-back")
        if self.card == "steamer" and state.column == 1:
            raise Refused("steamer-at-the-start")
        if self.card == "two-dice":
            _check_two_dice(state, seat)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(CardPlayed(seat, self.card))
        edition = turn.state.edition
        match self.card:
            case "coins":
                turn.emit(BankPaid(seat, edition.coins_card))
            case "cave":
                draw_stones(turn, seat, edition.cave_stones)
            case "steamer":
                turn.emit(SteamerWentBack(turn.state.column - 1))
            case "two-dice":
                turn.emit(SecondDie(seat))
            case _:
                turn.emit(AnimalsSeen(seat, animal_points(turn.state, self.card)))


def _check_two_dice(state: LivingstoneState, seat: int) -> None:
    if state.second:
        raise Refused("two-dice-already")
    dice = tuple(dice_to_take(state, seat))
    if len(dice) <= state.todo:  # the dice of a turn rise, so no face serves twice
        raise Refused("no-second-die", expected=dice)


class Raise(Command, frozen=True, tag="raise"):
    """Play Raised Tent: place a free tent on a square that has one, outside the steamer's column; no die needed."""

    notation: ClassVar[str] = "raise {column} {row}"
    words: ClassVar[str] = "Play Raised Tent: place a free tent in column {column}, row {row}."
    column: Column
    row: Row

    @classmethod
    def candidates(cls, state: LivingstoneState, seat: int) -> Iterator[Self]:
        if "raised-tent" in state.players[seat].hand:
            yield from (cls(square // 10, square % 10) for square in _squares_to_join(state))

    def check(self, state: LivingstoneState, seat: int) -> None:
        check_card(state, seat, "raised-tent")
        _check_supply(state, seat)
        if self.column == state.here:
            raise Refused("steamer-is-there", column=self.column, expected=_written(_squares_to_join(state)))
        if not state.owners(square_of(self.column, self.row)):
            expected = _written(_squares_to_join(state))
            raise Refused("no-tent-there", column=self.column, row=self.row, expected=expected)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(CardPlayed(seat, "raised-tent"))
        turn.emit(TentRaised(seat, self.column, self.row))


def _squares_to_join(state: LivingstoneState) -> tuple[int, ...]:
    """Return the squares with a tent outside the steamer's column, ascending."""
    squares = {square for player in state.players for square in player.tents}
    return tuple(square for square in sorted(squares) if square // 10 != state.here)


class Sell(Command, frozen=True, tag="sell"):
    """Sell gems of one colour for coins, or with the market card for coins and points."""

    notation: ClassVar[str] = "sell {count} {gem} [market]"
    words: ClassVar[str] = "Sell {count} {gem} {count:?gem|gems}[market: with the market card]."
    spelling: ClassVar[Spelling] = Spelling(most=("count",))
    count: Annotated[int, Bounds(ge=1, le=60, description="how many gems"), off_table]
    gem: Annotated[Gem, on_table("gem", OWN)]
    market: bool = False

    @classmethod
    def candidates(cls, state: LivingstoneState, seat: int) -> Iterator[Self]:
        player = state.players[seat]
        ways = (False, True) if state.market or "market" in player.hand else (False,)
        for gem, held in zip(GEMS, player.gems, strict=True):
            yield from (cls(n, gem, way) for way in ways for n in range(1, held + 1))  # type: ignore[arg-type]  # Gem words

    def check(self, state: LivingstoneState, seat: int) -> None:
        have = state.players[seat].gems[GEMS.index(self.gem)]
        if self.count > have:
            raise Refused("too-few-gems", found=self.count, gem=self.gem, have=have)
        if self.market and not state.market:
            check_card(state, seat, "market")

    def play(self, turn: Turn, seat: int) -> None:
        state: LivingstoneState = turn.state
        gem = GEMS.index(self.gem)
        if not self.market:
            turn.emit(GemsSold(seat, self.count, self.gem, self.count * state.edition.prices[gem], 0))
            return
        if not state.market:
            turn.emit(CardPlayed(seat, "market"))
        turn.emit(market_sale(state, seat, gem, self.count))


class Donate(Command, frozen=True, tag="donate"):
    """Put coins into your chest for the Queen; it is opened at the end of the game."""

    notation: ClassVar[str] = "donate {amount}"
    words: ClassVar[str] = "Donate {amount:coin} to the Queen."
    sealed: ClassVar[tuple[str, ...]] = ("amount",)
    amount: Annotated[int, Bounds(ge=1, le=999, description="how many coins"), off_table]

    @classmethod
    def candidates(cls, state: LivingstoneState, seat: int) -> Iterator[Self]:
        return (cls(amount) for amount in range(1, min(state.players[seat].coins, 999) + 1))

    def check(self, state: LivingstoneState, seat: int) -> None:
        have = state.players[seat].coins
        if self.amount > have:
            raise Refused("too-few-coins", need=self.amount, have=have)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(Donated(seat, self.amount))


class End(Command, frozen=True, tag="end"):
    """End the turn."""

    notation: ClassVar[str] = "end"
    words: ClassVar[str] = "End the turn."
    closes: ClassVar[bool] = True
    spelling: ClassVar[Spelling] = Spelling(also=("end turn", "turn end", "done"))

    @classmethod
    def candidates(cls, state: LivingstoneState, seat: int) -> Iterator[Self]:
        if not state.owes:
            yield cls()

    def check(self, state: LivingstoneState, seat: int) -> None:
        if state.owes:
            raise Refused("die-owed", expected=tuple(dice_to_take(state, seat)))

    def wastes(self, state: LivingstoneState, seat: int) -> str:
        """The second die that a card allows."""
        return "You could still take a second die." if state.may_take else ""

    def play(self, turn: Turn, seat: int) -> None:
        end_turn(turn, seat)
