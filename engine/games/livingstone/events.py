"""The events of a game and their effects. An event carries its results: `apply` reads only its fields and the state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from engine.game import Event
from engine.games.livingstone.cards import PRINTED
from engine.games.livingstone.components import GEMS, Gem, names_and_counts
from engine.games.livingstone.meta import LivingstoneOptions
from engine.games.livingstone.state import LivingstoneState, Player, square_of
from engine.kit import EMPTY, Supply

Printed = Mapping[str, Mapping[Any, str]]

# --- the round ------------------------------------------------------------------------------------------------------


class Started(Event, frozen=True, tag="Started"):
    words: ClassVar[str] = "The steamer is ready to leave."
    rules: int
    seats: int
    options: LivingstoneOptions

    def apply(self, state: None) -> LivingstoneState:
        edition = self.options.edition
        return LivingstoneState(
            rules=self.rules,
            seats=self.seats,
            edition=edition,
            players=(Player(coins=edition.purse),) * self.seats,
            bag=Supply.of(names_and_counts(edition.stones)),
            sold=EMPTY,
            deck=Supply.of(names_and_counts(edition.copies)),
            spent=EMPTY,
        )


class DiceRolled(Event, frozen=True, tag="DiceRolled"):
    words: ClassVar[str] = "Round {round}, steamer at column {column}: {seat} rolled {dice} and goes first."
    ends_turn: ClassVar[bool] = True
    seat: int
    round: int
    column: int
    dice: tuple[int, ...]

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        return replace(
            state,
            players=tuple(replace(player, last=0) for player in state.players),
            dice=tuple(map(self.dice.count, range(1, 7))),
            round=self.round,
            column=self.column,
            back=0,
            first=self.seat,
            seat=self.seat,
            todo=1,
            second=False,
            market=False,
            turns=state.turns + 1,
        )


class Passed(Event, frozen=True, tag="Passed"):
    words: ClassVar[str] = "{seat} ended the turn; {next_seat} is next."
    ends_turn: ClassVar[bool] = True
    seat: int
    next_seat: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        return replace(state, seat=self.next_seat, todo=1, second=False, market=False, turns=state.turns + 1)


# --- actions with a die ---------------------------------------------------------------------------------------------


class CoinsTaken(Event, frozen=True, tag="CoinsTaken"):
    words: ClassVar[str] = "{seat} took a {die} for {coins:coin}."
    seat: int
    die: int
    coins: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        player = state.players[self.seat]
        return state.without_die(self.seat, self.die, replace(player, coins=player.coins + self.coins))


class MineEntered(Event, frozen=True, tag="MineEntered"):
    words: ClassVar[str] = "{seat} took a {die} for the mine."
    seat: int
    die: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        return state.without_die(self.seat, self.die, state.players[self.seat])


class StonesDrawn(Event, frozen=True, tag="StonesDrawn"):
    words: ClassVar[str] = "{seat} drew {stones:stone} from the bag: {stones}."
    seat: int
    stones: tuple[str, ...]

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        """Give the gems to the player; put the others beside the board until the white stone is drawn."""
        player = state.players[self.seat]
        clear, blue, red = player.gems
        count = self.stones.count
        gems = (clear + count("clear"), blue + count("blue"), red + count("red"))
        beside = state.sold.add([stone for stone in self.stones if stone not in GEMS])
        players = state.players_with(self.seat, replace(player, gems=gems))
        return replace(state, players=players, bag=state.bag.take(self.stones), sold=beside)


class BagRefilled(Event, frozen=True, tag="BagRefilled"):
    words: ClassVar[str] = "The white stone was drawn: all sold gems and black stones went back into the bag."

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        bag = Supply.of(Counter(dict(state.bag.rest)) + Counter(dict(state.sold.rest)))
        return replace(state, bag=bag, sold=EMPTY)


class CardTaken(Event, frozen=True, tag="CardTaken"):
    words: ClassVar[str] = "{seat} took a {die} for a card."
    seat: int
    die: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        return state.without_die(self.seat, self.die, state.players[self.seat])


class CardDrawn(Event, frozen=True, tag="CardDrawn"):
    words: ClassVar[str] = "{seat} drew a card[: {card}]."
    printed: ClassVar[Printed] = PRINTED
    sealed: ClassVar[tuple[str, ...]] = ("card",)
    seat: int
    card: str | None

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        card, player = self.card or "", state.players[self.seat]
        player = replace(player, hand=tuple(sorted((*player.hand, card))))
        return replace(state, players=state.players_with(self.seat, player), deck=state.deck.take([card]))


class Accident(Event, frozen=True, tag="Accident"):
    words: ClassVar[str] = (
        "{seat} drew the Mine Accident: all unsold gems went back into the bag, and all played cards into the deck."
    )
    reveals: ClassVar[tuple[str, ...]] = ("deck",)  # cards are drawn unseen, but this one is shown
    seat: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        lost = {gem: sum(player.gems[at] for player in state.players) for at, gem in enumerate(GEMS)}
        return replace(
            state,
            players=tuple(replace(player, gems=(0, 0, 0)) for player in state.players),
            bag=Supply.of(Counter(dict(state.bag.rest)) + Counter(lost)),
            deck=Supply.of(Counter(dict(state.deck.rest)) + Counter(dict(state.spent.rest))),
            spent=EMPTY,
        )


class TentLifted(Event, frozen=True, tag="TentLifted"):
    words: ClassVar[str] = "{seat} picked up the tent in column {column}, row {row}."
    seat: int
    column: int
    row: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        tents = state.players[self.seat].tents
        at = tents.index(square_of(self.column, self.row))
        return state.with_player(self.seat, tents=tents[:at] + tents[at + 1 :])


class TentPlaced(Event, frozen=True, tag="TentPlaced"):
    words: ClassVar[str] = (
        "{seat} took a {die} to place a tent in column {column}, row {row},"
        "[cost: for {cost:coin}][not cost: at no cost]."
    )
    seat: int
    die: int
    column: int
    row: int
    cost: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        player = state.players[self.seat]
        tents = tuple(sorted((*player.tents, square_of(self.column, self.row))))
        return state.without_die(self.seat, self.die, replace(player, tents=tents, coins=player.coins - self.cost))


class OwnerPaid(Event, frozen=True, tag="OwnerPaid"):
    words: ClassVar[str] = "{seat} paid {coins:coin} to {owner_seat}, who has a tent there."
    seat: int
    owner_seat: int
    coins: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        state = state.with_player(self.seat, coins=state.players[self.seat].coins - self.coins)
        return state.with_player(self.owner_seat, coins=state.players[self.owner_seat].coins + self.coins)


# --- no die needed --------------------------------------------------------------------------------------------------


class CardPlayed(Event, frozen=True, tag="CardPlayed"):
    words: ClassVar[str] = "{seat} played {card}."
    printed: ClassVar[Printed] = PRINTED
    seat: int
    card: str

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        player = state.players[self.seat]
        at = player.hand.index(self.card)
        player = replace(player, hand=player.hand[:at] + player.hand[at + 1 :])
        return replace(state, players=state.players_with(self.seat, player), spent=state.spent.add([self.card]))


class TentRaised(Event, frozen=True, tag="TentRaised"):
    words: ClassVar[str] = "{seat} placed a free tent in column {column}, row {row}."
    seat: int
    column: int
    row: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        tents = (*state.players[self.seat].tents, square_of(self.column, self.row))
        return state.with_player(self.seat, tents=tuple(sorted(tents)))


class BankPaid(Event, frozen=True, tag="BankPaid"):
    words: ClassVar[str] = "{seat} took {coins:coin} from the bank."
    seat: int
    coins: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        return state.with_player(self.seat, coins=state.players[self.seat].coins + self.coins)


class AnimalsSeen(Event, frozen=True, tag="AnimalsSeen"):
    words: ClassVar[str] = "{seat} scored {points:point} for an animal."
    seat: int
    points: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        return state.with_player(self.seat, points=state.players[self.seat].scored("cards", self.points))


class SteamerWentBack(Event, frozen=True, tag="SteamerWentBack"):
    words: ClassVar[str] = "The steamer went back to column {column} for the rest of the round."
    column: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        return replace(state, back=1)


class SecondDie(Event, frozen=True, tag="SecondDie"):
    words: ClassVar[str] = "{seat} may take two dice this turn."
    seat: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        return replace(state, todo=state.todo + 1, second=True)


class GemsSold(Event, frozen=True, tag="GemsSold"):
    words: ClassVar[str] = "{seat} sold {count} {gem} {count:?gem|gems} for {coins:coin}[points: and {points:point}]."
    seat: int
    count: int
    gem: Gem
    coins: int
    points: int
    market: bool = False

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        player = state.players[self.seat]
        gems = player.gems_plus(GEMS.index(self.gem), -self.count)
        points = player.scored("market", self.points) if self.points else player.points
        player = replace(player, coins=player.coins + self.coins, points=points, gems=gems)
        sold, market = state.sold.add([self.gem] * self.count), state.market or self.market
        return replace(state, players=state.players_with(self.seat, player), sold=sold, market=market)


class Donated(Event, frozen=True, tag="Donated"):
    words: ClassVar[str] = "{seat} donated[amount: {amount:coin}][not amount: coins] to the Queen."
    sealed: ClassVar[tuple[str, ...]] = ("amount",)
    seat: int
    amount: int | None

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        player, amount = state.players[self.seat], self.amount or 0
        player = replace(player, coins=player.coins - amount, chest=player.chest + amount)
        return replace(state, players=state.players_with(self.seat, player))


# --- scoring and the end --------------------------------------------------------------------------------------------


class ColumnScored(Event, frozen=True, tag="ColumnScored"):
    words: ClassVar[str] = "{seat} scored {points:point} for tents in column {column}."
    seat: int
    column: int
    points: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        return state.with_player(self.seat, points=state.players[self.seat].scored("columns", self.points))


class HandShown(Event, frozen=True, tag="HandShown"):
    words: ClassVar[str] = "{seat} still held {cards:&}."
    printed: ClassVar[Printed] = PRINTED
    reveals: ClassVar[tuple[str, ...]] = ("players.{seat}.hand",)
    seat: int
    cards: tuple[str, ...]

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        return state


class RowScored(Event, frozen=True, tag="RowScored"):
    words: ClassVar[str] = "{seat} scored {points:point} for the most tents in row {row}."
    seat: int
    row: int
    points: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        return state.with_player(self.seat, points=state.players[self.seat].scored("rows", self.points))


class GemsCounted(Event, frozen=True, tag="GemsCounted"):
    words: ClassVar[str] = "{seat} scored {points:point} for unsold gems."
    seat: int
    points: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        return state.with_player(self.seat, points=state.players[self.seat].scored("gems", self.points))


class DonationRolled(Event, frozen=True, tag="DonationRolled"):
    words: ClassVar[str] = "The Queen expects {needed:coin}: four dice showed {dice}."
    dice: tuple[int, ...]
    needed: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        return state


class ChestOpened(Event, frozen=True, tag="ChestOpened"):
    words: ClassVar[str] = "{seat} donated[coins: {coins:coin} in all][not coins: nothing]."
    reveals: ClassVar[tuple[str, ...]] = ("players.{seat}.chest",)
    seat: int
    coins: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        return state


class Eliminated(Event, frozen=True, tag="Eliminated"):
    words: ClassVar[str] = "{seat} gave the Queen too little and is out."
    seat: int

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        return replace(state, out=(*state.out, self.seat))


class GameEnded(Event, frozen=True, tag="GameEnded"):
    words: ClassVar[str] = "The game is over."
    ends_turn: ClassVar[bool] = True
    reason: str

    def apply(self, state: LivingstoneState) -> LivingstoneState:
        return replace(state, over=self.reason)
