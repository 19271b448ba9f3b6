"""What the seat whose turn it is may do now, what is forced, and what the clock plays.

    a die is owed          coins card mine tent | play raise sell donate
    one may be taken       coins card mine tent | play raise sell donate | end
    none may, or none fits end                  | play raise sell donate

Rounds have no other phases: selling, donating and cards are possible at any time in one's own turn, so a turn ends by
`end` only.
"""

from __future__ import annotations

from engine.game import Command
from engine.games.livingstone.commands import Card, Coins, Donate, End, Mine, Play, Raise, Sell, Tent, dice_to_take
from engine.games.livingstone.state import LivingstoneState

ANY_TIME: tuple[type[Command], ...] = (Play, Raise, Sell, Donate)
PHASES: dict[bool, tuple[type[Command], ...]] = {
    True: (Coins, Card, Mine, Tent, *ANY_TIME, End),
    False: (End, *ANY_TIME),
}


def active(state: LivingstoneState) -> tuple[int, ...]:
    return () if state.over else (state.seat,)


def phase(state: LivingstoneState, seat: int) -> tuple[type[Command], ...]:  # noqa: ARG001 - only whose turn it is asks
    return PHASES[state.may_take]


def forced(state: LivingstoneState, seat: int) -> Command | None:
    """`end`, if everybody can see that nothing else is possible: no die, card, gem, nor any coin, spent or kept."""
    player = state.players[seat]
    if player.coins or player.chest or player.hand or any(player.gems) or state.may_take:  # cheapest first: asked often
        return None
    return End()


def default(state: LivingstoneState, seat: int) -> Command:
    """The lowest die for coins, then `end`: one ordinary cheap turn that spends and shows nothing."""
    return Coins(next(dice_to_take(state, seat))) if state.owes else End()
