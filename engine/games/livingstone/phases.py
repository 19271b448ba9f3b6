"""The commands allowed to the seat in turn, the forced command, and the default move.

    a die must be taken    coins card mine tent | play raise sell donate
    a die may be taken     coins card mine tent | play raise sell donate | end
    no die may be taken    end                  | play raise sell donate

A round has no other phases: selling, donating and playing cards are possible throughout a seat's turn, so only `end`
ends it.
"""

from __future__ import annotations

from engine.game import Command
from engine.games.livingstone.commands import Card, Coins, Donate, End, Mine, Play, Sell
from engine.games.livingstone.dice import dice_to_take
from engine.games.livingstone.state import LivingstoneState
from engine.games.livingstone.tents import Raise, Tent

ANY_TIME: tuple[type[Command], ...] = (Play, Raise, Sell, Donate)
PHASES: dict[bool, tuple[type[Command], ...]] = {
    True: (Coins, Card, Mine, Tent, *ANY_TIME, End),
    False: (End, *ANY_TIME),
}


def active(state: LivingstoneState) -> tuple[int, ...]:
    return () if state.over else (state.seat,)


def phase(state: LivingstoneState, seat: int) -> tuple[type[Command], ...]:  # noqa: ARG001 - asked for the seat in turn only
    return PHASES[state.may_take]


def forced(state: LivingstoneState, seat: int) -> Command | None:
    """Return `end` if everybody can see that nothing else is possible: no die, card, gem or coin, in purse or chest."""
    player = state.players[seat]
    if player.coins or player.chest or player.hand or any(player.gems) or state.may_take:  # cheapest first
        return None
    return End()


def default(state: LivingstoneState, seat: int) -> Command:
    """Take the lowest die for coins, then end the turn: nothing is spent, nothing is shown."""
    return Coins(next(dice_to_take(state, seat))) if state.owes else End()
