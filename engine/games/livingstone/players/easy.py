"""Easy: sensible moves without a plan.

It likes a high die, and a low one that leaves a high one for its next turn.
For the Queen it keeps pace with the poorest.
"""

from __future__ import annotations

from engine.game import Command
from engine.games.livingstone.commands import Card, Coins, Donate, End, Mine, Play, Sell
from engine.games.livingstone.components import GEMS
from engine.games.livingstone.players.next_die import next_die
from engine.games.livingstone.tents import Raise, Tent
from engine.games.livingstone.view import LivingstoneView, SeenPlayer
from engine.players import Sensible

WEIGHTS: dict[type[Command], float] = {Play: 20.0, Raise: 20.0}
EAGER: float = 3.0  # power of what a die brings
A_DIE: dict[type[Command], float] = {Tent: 0.6, Coins: 0.4, Mine: 0.4, Card: 0.05}  # by that power
SELLS, SELLS_LAST = 0.1, 90.0
GIVES, HOLDS_BACK, ENDS = 6.0, 0.2, 2.0
OF_TWO = 17  # coins for the Queen in a game of two, where four dice decide
AHEAD = 3  # coins beyond the poorest other's
POOR = 0.02  # of a tent's weight, while coins and gems do not reach that goal


def weight(view: LivingstoneView, seat: int, command: Command) -> float:
    """Weigh dice by their number; give what the chest lacks at this column, and no more."""
    owed = _owed(view, seat)
    gives = min(owed, view.players[seat].coins or 0)
    match command:
        case Donate():
            return GIVES * (command.amount == gives)
        case Sell():
            return SELLS_LAST if _is_last(view) and owed > gives else SELLS
        case End():
            return HOLDS_BACK if gives else ENDS
        case Tent():
            return _die(view, seat, command, _row(view, seat, command)) * (POOR if _is_poor(view, seat) else 1)
        case Coins():
            return _die(view, seat, command, command.die)
        case Mine():
            return _die(view, seat, command, command.die * _stone(view))
        case Card():
            return _die(view, seat, command, 0)
    return WEIGHTS[type(command)]


def _die(view: LivingstoneView, seat: int, command: Tent | Coins | Mine | Card, brings: float) -> float:
    """Weigh a die by what it brings now, and by the one that the seat can then expect to take."""
    dice = [view.dice.count(face) - (face == command.die) for face in range(1, 7)]
    takers = sum(any(dice[player.last :]) for at, player in enumerate(view.players) if at != seat)
    return float(A_DIE[type(command)] * (brings + next_die(dice, command.die, takers)) ** EAGER)


def _stone(view: LivingstoneView) -> float:
    """Return the coins that a stone of the bag brings on average."""
    return sum(price * view.bag.count(gem) for gem, price in zip(GEMS, view.prices, strict=True)) / view.bag.total


def _row(view: LivingstoneView, seat: int, tent: Tent) -> float:
    """Return the points of the tent, and half of its row's majority if it takes the lead there."""
    row = tent.row or tent.die
    stand = [sum(each == row for _, each in player.tents) for player in view.players]
    leads = stand[seat] == max(stand[:seat] + stand[seat + 1 :])
    return view.tent_points[row - 1] + leads * view.majorities[row - 1] / 2


def _owed(view: LivingstoneView, seat: int) -> int:
    """Return the coins that the chest lacks: a share of the goal while columns are to come, and at last all of it."""
    goal = _goal(view, seat) + (view.columns if _is_last(view) else 0)  # purses are worth nothing at the falls
    return max(0, goal * view.column // view.columns - (view.players[seat].chest or 0))


def _goal(view: LivingstoneView, seat: int) -> int:
    others = [_worth(view, player) for at, player in enumerate(view.players) if at != seat and not player.gone]
    return OF_TWO if len(view.players) == 2 else min(others, default=0) + AHEAD


def _is_poor(view: LivingstoneView, seat: int) -> bool:
    """Return whether coins and gems together are not what the Queen will want."""
    return _worth(view, view.players[seat]) < _goal(view, seat)


def _worth(view: LivingstoneView, player: SeenPlayer) -> int:
    """Return the coins of a player, and those that its gems would bring."""
    prices = dict(zip(GEMS, view.prices, strict=True))
    return player.wealth + sum(prices[gem] * count for gem, count in player.gems)


def _is_last(view: LivingstoneView) -> bool:
    return view.column == view.columns and not view.may_take


EASY = Sensible(weight)
