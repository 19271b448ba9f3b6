"""Habits of a player of Livingstone: the Queen's coins, gems, tents and cards."""

from __future__ import annotations

from engine.games.livingstone.events import CardDrawn, DonationRolled, MineEntered, TentPlaced
from engine.games.livingstone.state import LivingstoneState, Player
from engine.players import Answered, Figure, own

Story = tuple[Answered, ...]


def habits(story: Story, end: LivingstoneState, seat: int) -> dict[str, Figure]:
    player, out = end.players[seat], seat in end.out
    kinds = [type(event) for _, event in own(story, seat, TentPlaced, MineEntered, CardDrawn)]
    rows = [square % 10 for square in player.tents]
    saved = out and _could_give(player, end) >= _needed(story, end, seat)
    return {
        "out for the Queen, games": Figure(out, 1),
        "out, and coins and gems would have saved it": Figure(saved, 1),
        "gems unsold when out, in coins": Figure(_gems(player, end) * out, out),
        "gems unsold at the end": Figure(sum(player.gems), 1),
        "coins left at the end": Figure(player.coins, 1),
        "coins in the chest": Figure(player.chest, 1),
        "points": Figure(player.total, 1),
        "tents": Figure(len(rows), 1),
        "row of a tent": Figure(sum(rows), len(rows)),
        "visits to the mine": Figure(kinds.count(MineEntered), 1),
        "cards drawn": Figure(kinds.count(CardDrawn), 1),
        "cards never played": Figure(len(player.hand), 1),
    }


def _gems(player: Player, end: LivingstoneState) -> int:
    return sum(count * price for count, price in zip(player.gems, end.edition.prices, strict=True))


def _could_give(player: Player, end: LivingstoneState) -> int:
    return player.wealth + _gems(player, end)


def _needed(story: Story, end: LivingstoneState, seat: int) -> int:
    """The coins with which the seat would have stayed: the sum of the dice, or one more than the next lowest chest."""
    rolled = [event.needed for event in story[-1].events if isinstance(event, DonationRolled)]
    others = [end.players[other].chest for other in end.staying if other != seat]
    return rolled[0] if rolled else min(others, default=0) + 1
