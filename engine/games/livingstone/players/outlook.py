"""The rest of the game, played on quickly and roughly: in what place may the seat end?

    coins   what a seat has for tents; all of it is given to the Queen in the last round, with what its gems bring
    chest   what the seat itself has already given; of others only the sum is known, and all of it counts as coins
    rows    tents by row; the column decides only what a tent costs and when the game ends

Every seat takes the die that it likes best, for a tent or for coins, by one rule with a little chance: coins are worth
much while it could be the poorest, and little afterwards. Cards are neither drawn nor played. Positions are compared in
the same worlds: the dice of all rounds to come, and the tape of numbers for the choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, cycle
from math import exp, inf
from typing import NamedTuple, Self

from engine.games.livingstone.components import COLUMNS, GEMS, ROWS
from engine.games.livingstone.scoring import DONATION_DICE, animal_points
from engine.games.livingstone.state import LivingstoneState, Player
from engine.players import Rng

TAPE = 61  # numbers for choices before they come again; a prime, so that they meet other choices then
COINS, CARD, TENT = range(3)  # ways to use a die
A_CARD, LAST_CARD = 2.2, 0.9  # points that a card brings, and one of the last round
MARGIN, QUEEN, INCOME = 8.0, 16.0, 1.3  # as in `evaluate`
SHORT, LATE, AMPLE = 0.9, 1.5, 0.3  # points for a coin: short of it, more so late in the game, and with enough
FOLLOWING = 4.0  # of a die to come in this round
BRING_COINS = ("coins", "cave")
WHIM = 0.4  # by which chance changes what a seat likes
SAFE, DOUBT = 2.0, 1.5  # coins beyond the poorest that are as likely enough as not, since others play better than this
SPREAD = 4.0  # points by which one may lead and still be behind in half of such games


class World(NamedTuple):
    """The chance of one play: dice of the columns to come, by their numbers of each face, and numbers from 0 to 1."""

    rolls: tuple[tuple[int, ...], ...]
    tape: tuple[float, ...]


def world(seats: int, rng: Rng) -> World:
    rolls = tuple(_roll(2 * seats, rng) for _ in range(COLUMNS + 1))
    return World(rolls, tuple(rng.random() for _ in range(TAPE)))


def _roll(dice: int, rng: Rng) -> tuple[int, ...]:
    thrown = [rng.randrange(6) for _ in range(dice)]
    return tuple(thrown.count(face) for face in range(6))


class Rest:
    """A game from this position on, for one seat that plays it in its thoughts."""

    __slots__ = (
        "chest", "coins", "column", "dice", "edition", "first", "gain", "gave", "gems", "last", "now", "over", "points",
        "rows", "seat", "seats", "staying", "stones", "tape", "tents", "tops",
    )  # fmt: skip

    def __init__(self, state: LivingstoneState, seat: int) -> None:
        players = state.players
        self.edition, self.seat, self.seats, self.staying = state.edition, seat, state.seats, state.staying
        self.column, self.first, self.over = state.here, state.first, bool(state.over)
        self.now = state.seat if state.seat != seat else (seat + 1) % state.seats
        self.gain = max(1.0, _stone(state))
        self.dice, self.last = list(state.dice), [player.last for player in players]
        self.coins, self.chest = [player.wealth for player in players], [0] * state.seats
        self.coins[seat], self.chest[seat] = players[seat].coins, players[seat].chest
        self.coins = [coins + _coins(state, player) for coins, player in zip(self.coins, players, strict=True)]
        self.gems = [sum(map(int.__mul__, player.gems, state.edition.prices)) for player in players]
        self.stones = [sum(player.gems) for player in players]
        self.points = [_points(state, player) for player in players]
        self.rows = [_rows(state, each) if each in state.staying else [0] * ROWS for each in range(state.seats)]
        self.tops = [max(column) for column in zip(*self.rows, strict=True)]
        self.tents = [state.tents_left(each) for each in range(state.seats)]
        may_give = state.here == COLUMNS and state.seat == seat and not self.over
        self.gave = [each != seat or may_give for each in range(state.seats)]
        self.tape = cycle((0.5,))
        if self.over:
            self._close(state)

    def _close(self, state: LivingstoneState) -> None:
        """Take the points of a game that is over as they are: rows, gems and cards have been scored."""
        self.points = [float(player.total) for player in state.players]
        self.coins = [player.wealth for player in state.players]
        self.coins[self.seat] = 0
        self.gems, self.stones, self.tops = [0] * self.seats, [0] * self.seats, [0] * ROWS

    def again(self, world: World) -> Self:
        """The same position, to be played on in this world."""
        other = object.__new__(type(self))
        for name in self.__slots__:
            value = getattr(self, name)
            setattr(other, name, [*value] if isinstance(value, list) else value)
        other.rows = [[*rows] for rows in self.rows]
        other.tape = cycle(world.tape)
        return other

    def place(self, world: World) -> float:
        """Play on to the end; return about how much of the others the seat leaves behind, from 0 to 1."""
        rest = self.again(world)
        while not rest.over:
            rest.play_round()
            rest.next_round(world)
        return rest.judged()

    def play_round(self) -> None:
        seat, waiting = self.now, 0
        while waiting < self.seats:
            waiting += 1
            if seat in self.staying and any(self.dice[self.last[seat] :]):
                self.take(seat)
                waiting = 0
            seat = (seat + 1) % self.seats

    def next_round(self, world: World) -> None:
        self.over = self.column == COLUMNS
        self.column += 1
        self.first = self.now = (self.first + 1) % self.seats
        self.dice, self.last = [*world.rolls[min(self.column, COLUMNS)]], [0] * self.seats

    def take(self, seat: int) -> None:
        """Take the die that the seat likes best; in the last round it then gives all it has."""
        self.gave[seat] = self.gave[seat] or self.column == COLUMNS
        coin = self.coin(seat)
        pays = self._price if self.tents[seat] and self.coins[seat] + self.gems[seat] >= self._price else 0
        best, die, way, higher = -inf, 0, COINS, 0
        for face in range(6, self.last[seat], -1):
            if count := self.dice[face - 1]:
                brings, use = self.use(seat, face, coin, pays)
                follows = coin * FOLLOWING * higher / (higher + self.seats)
                likes = (brings + follows) * (1 + WHIM * next(self.tape))
                higher += count
                if likes > best:
                    best, die, way = likes, face, use
        self.act(seat, die, way)

    @property
    def _price(self) -> int:
        return self.edition.costs[self.column - 1]

    def use(self, seat: int, die: int, coin: float, pays: int) -> tuple[float, int]:
        """Return what the die brings if used best, and how; `pays` is the cost of a tent, 0 if it cannot be had."""
        brings, way = coin * die * self.gain, COINS
        card = A_CARD if self.column < COLUMNS else LAST_CARD
        if card > brings:
            brings, way = card, CARD
        if pays and (tent := self.tent(seat, die - 1) - coin * pays) > brings:
            brings, way = tent, TENT
        return brings, way

    def act(self, seat: int, die: int, way: int) -> None:
        self.dice[die - 1] -= 1
        self.last[seat] = die
        if way == COINS:
            self.coins[seat] += round(die * self.gain * 2 * next(self.tape))
        elif way == CARD:
            self.points[seat] += A_CARD if self.column < COLUMNS else LAST_CARD
        else:
            self.place_tent(seat, die - 1)

    def place_tent(self, seat: int, row: int) -> None:
        self.coins[seat] -= self._price
        self.tents[seat] -= 1
        self.points[seat] += self.edition.tent_points[row]
        self.rows[seat][row] += 1
        self.tops[row] = max(self.tops[row], self.rows[seat][row])

    def coin(self, seat: int) -> float:
        """Return the points that a coin is worth to the seat: more while it could be the poorest."""
        rounds = COLUMNS - self.column
        has = self.coins[seat] + self.chest[seat] + self.gems[seat]
        lacks = (QUEEN - INCOME * rounds if self.seats == 2 else MARGIN + self.poorest(seat)) - has
        return AMPLE if lacks <= 0 else SHORT + LATE / max(1, rounds)

    def poorest(self, seat: int) -> float:
        """Return the coins of the poorest other seat, with those that its gems bring."""
        return min(
            (self.coins[each] + self.chest[each] + self.gems[each] for each in self.staying if each != seat), default=0
        )

    def tent(self, seat: int, row: int) -> float:
        """Return the points of one more tent in the row, and the share of its majority that it may bring."""
        stands, top = self.rows[seat][row], self.tops[row]
        leads = 0.9 if not top else 0.4 if stands == top else 0.5 if stands == top - 1 else 0.1
        certain = 0.4 + 0.6 * self.column / COLUMNS
        return self.edition.tent_points[row] + leads * certain * self.edition.majorities[row]

    def judged(self) -> float:
        gifts, points = self.gifts(), self.final()
        own = gifts[self.seat]
        others = [each for each in self.staying if each != self.seat]
        if not others:
            return 1.0
        if self.seats == 2:
            stays, goes = _enough(own), [1 - _enough(gifts[others[0]])]
        else:
            low = min(gifts[each] for each in others)
            stays, goes = (
                _logistic((own - low - SAFE) / DOUBT),
                [float(gifts[each] <= min(low, own)) for each in others],
            )
        behind = [
            gone + (1 - gone) * _logistic((points[self.seat] - points[each]) / SPREAD)
            for each, gone in zip(others, goes, strict=True)
        ]
        return stays * (sum(behind) / len(behind) + min(behind)) / 2

    def gifts(self) -> list[float]:
        """Return the chests at the end; gems are sold if the chest needs their coins, and are points otherwise."""
        gifts: list[float] = [self.chest[each] + self.coins[each] * self.gave[each] for each in range(self.seats)]
        goals = [self.goal(each) for each in range(self.seats)]
        for each in self.staying:
            if self.gave[each] and gifts[each] <= goals[each]:
                gifts[each] += self.gems[each]
                self.stones[each] = 0
        return gifts

    def goal(self, seat: int) -> float:
        return QUEEN if self.seats == 2 else self.poorest(seat)

    def final(self) -> list[float]:
        """Return points with majorities and unsold gems."""
        a_gem = self.edition.gem_points
        points = [each + a_gem * stones for each, stones in zip(self.points, self.stones, strict=True)]
        for row in range(ROWS):
            top = self.tops[row]
            leaders = [each for each in self.staying if self.rows[each][row] == top] if top else []
            for each in leaders:
                points[each] += self.edition.majorities[row] // len(leaders)
        return points


def _coins(state: LivingstoneState, player: Player) -> int:
    """Return the coins that the cards of a hand bring."""
    cave = round(state.edition.cave_stones * _stone(state))
    return player.hand.count("coins") * state.edition.coins_card + player.hand.count("cave") * cave


def _points(state: LivingstoneState, player: Player) -> float:
    """Return the points of a player with its tents in the steamer's column and the cards of its hand."""
    tents = sum(state.edition.tent_points[at % 10 - 1] for at in player.tents if at // 10 == state.here)
    worth = A_CARD if state.here < COLUMNS else LAST_CARD
    cards = sum(animal_points(state, card) or worth for card in player.hand if card not in BRING_COINS)
    return player.total + tents + cards


def _rows(state: LivingstoneState, seat: int) -> list[int]:
    tents = [square % 10 for square in state.players[seat].tents]
    return [tents.count(row) for row in range(1, ROWS + 1)]


def _stone(state: LivingstoneState) -> float:
    """Return the coins that a stone of the bag brings on average."""
    brings = sum(price * state.bag.count(gem) for gem, price in zip(GEMS, state.edition.prices, strict=True))
    return brings / max(1, state.bag.total)


def _ways(dice: int) -> list[int]:
    """Return in how many ways so many dice show a sum, from 0 to the most."""
    ways = [1]
    for _ in range(dice):
        ways = [sum(ways[max(0, total - 6) : total]) for total in range(len(ways) + 6)]
    return ways


ENOUGH: Sequence[float] = [at / 6**DONATION_DICE for at in accumulate(_ways(DONATION_DICE))]


def _enough(chest: float) -> float:
    """Return the chance that so many coins are enough for the Queen in a game of two."""
    return ENOUGH[min(int(chest), len(ENOUGH) - 1)]


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-1.7 * max(-20.0, min(20.0, x))))
