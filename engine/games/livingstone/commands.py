"""The commands, each with its candidates, its rule and its play.

One command takes a die *and* acts with it. A card that changes a tent or a sale is a word of that command; the other
cards are played by name. Tents are in `tents.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Self

from msgspec import Meta as Bounds

from engine.errors import Refused
from engine.game import Command, Spelling, Turn
from engine.games.livingstone.cards import KINDS, PLAYABLE, Playable
from engine.games.livingstone.components import COLUMNS, GEMS, Gem
from engine.games.livingstone.dice import DieCommand, check_card, dice_to_take
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
    SecondDie,
    SteamerWentBack,
)
from engine.games.livingstone.rounds import end_turn
from engine.games.livingstone.scoring import animal_points, market_sale
from engine.games.livingstone.state import LivingstoneState
from engine.games.livingstone.stones import draw_stones
from engine.kit import OWN, count, off_table, on_table

LAST_TURN = "This is your last turn. The {coins} in your purse will count for nothing unless you donate {them}."
PERHAPS = "Unless another player plays Steamer, " + LAST_TURN[0].lower() + LAST_TURN[1:]

# --- actions with a die ---------------------------------------------------------------------------------------------


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


# --- no die needed --------------------------------------------------------------------------------------------------


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
        """The second die that a card allows, or the purse at the end of the seat's last turn."""
        coins = state.players[seat].coins
        if state.may_take:
            return "You could still take a second die."
        if not coins or state.here != COLUMNS or state.can_take(seat):
            return ""
        others = [
            other for other in range(state.seats) if other not in (seat, *state.gone) and state.players[other].hand
        ]
        words = PERHAPS if any(map(state.can_take, others)) else LAST_TURN
        return words.format(coins=count(coins, "coin"), them="it" if coins == 1 else "them")

    def play(self, turn: Turn, seat: int) -> None:
        end_turn(turn, seat)
