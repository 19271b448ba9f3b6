"""A rule of thumb: tents with high dice, coins with low ones, two coins a column for the Queen, all at the end."""

from __future__ import annotations

from engine.game import Command
from engine.games.livingstone.commands import Coins, Donate, End, Mine, Play, Sell
from engine.games.livingstone.tents import Tent
from engine.games.livingstone.view import LivingstoneView
from engine.players import Thumb

A_COLUMN = 2  # coins for the Queen
FEW = 4  # coins in the purse below which gems are sold


def likes(view: LivingstoneView, seat: int, command: Command) -> float:
    me, last = view.players[seat], view.column == view.columns and not view.may_take
    coins, owes = me.coins or 0, A_COLUMN * view.column - (me.chest or 0)
    match command:
        case Tent():
            return 10.0 + command.die
        case Coins() | Mine():
            return float(command.die) + (isinstance(command, Mine) and command.die > 4)
        case Sell():
            return command.count + (20.0 if last or coins < FEW else -100.0)
        case Donate():
            return 15.0 if command.amount == (coins if last else max(0, min(owes, coins - FEW))) else -100.0
        case Play():
            return 30.0 if command.card != "steamer" else -1.0
        case End():
            return 0.5
    return 0.0


THUMB = Thumb(likes)
