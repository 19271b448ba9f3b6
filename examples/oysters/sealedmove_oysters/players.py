"""House players of Oysters: `easy` guesses with good sense, `fair` weighs what it has laid itself."""

from __future__ import annotations

from engine.game import Command
from engine.players import Best, Players, Sensible
from sealedmove_oysters.rules import Bid, Lay, Open, OystersView, Pass


def weight(view: OystersView, seat: int, command: Command) -> float:
    """Small bids are likelier, and a player with an own crab on the pile seldom bids."""
    if isinstance(command, Bid):
        return (0.1 if "crab" in view.players[seat].pile else 1.0) / command.amount**2
    return 0.4 if isinstance(command, Lay) and command.what == "crab" else 1.0


def likes(view: OystersView, seat: int, command: Command) -> float:
    """Bid what the own pearls and a few of others allow; bluff with the crab on top; open small piles first."""
    own, others = view.players[seat], sum(len(one.pile) for at, one in enumerate(view.players) if at != seat)
    safe = 0 if "crab" in own.pile else len(own.pile) + others // 4
    match command:
        case Bid(amount=amount):
            return 2.0 + amount / 100 if amount <= safe else -1.0 - amount
        case Lay(what="crab"):
            return 1.5 if len(own.pile) == 1 and view.common.seats > 2 else 0.5
        case Open(owner_seat=owner):
            return -float(len(view.players[owner].pile))
        case Pass():
            return 0.0
    return 1.0


players = Players(view=OystersView, levels={"easy": Sensible(weight), "fair": Best(likes)})
