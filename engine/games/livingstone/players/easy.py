"""Easy: sensible moves without a plan. It places tents, digs, and gives the Queen a coin now and then."""

from __future__ import annotations

from engine.game import Command
from engine.games.livingstone.commands import Card, Coins, Donate, End, Mine, Play, Raise, Sell, Tent
from engine.games.livingstone.view import LivingstoneView
from engine.players import Sensible

WEIGHTS: dict[type[Command], float] = {
    Coins: 1.0,
    Card: 0.7,
    Mine: 1.0,
    Tent: 2.0,
    Play: 1.0,
    Raise: 0.3,
    Sell: 0.15,
    Donate: 0.0,
    End: 2.0,
}


def weight(view: LivingstoneView, seat: int, command: Command) -> float:
    """Donate little while there are columns to come, and never the last coins."""
    if isinstance(command, Donate):
        coins = view.players[seat].coins or 0
        last = view.column == view.columns
        return 2.0 / (1 + abs(coins - command.amount)) if last else 0.6 * (command.amount == 1 and coins > 3)
    return WEIGHTS[type(command)]


EASY = Sensible(weight)
