"""How well a seat stands: the points to come, less what it costs to give the Queen enough.

The chest decides this game: whoever gave least is out, whatever its points. Coins are worth nothing at the falls, so
every purse ends in its chest, and the poorest of the others is the one to beat. While there are rounds to come, dice
can earn what a chest lacks, so a lacking coin costs no more than that; in the last round it costs everything. All
figures in here are found by matches (`sealedmove arena livingstone`), not by the rules.
"""

from __future__ import annotations

from math import exp, sqrt

import msgspec

from engine.games.livingstone.components import COLUMNS
from engine.games.livingstone.scoring import majority
from engine.games.livingstone.state import LivingstoneState

MARGIN = 2  # coins more than the poorest of the others will have given
QUEEN = 16.0  # coins for two: four dice show so many or less in 75 of 100 throws
KEPT = 0.85  # what a coin in the purse is worth beside one in the chest
CATCH_UP, LATER = 0.9, 1.5  # points that a lacking coin costs while dice can still earn it, and more the later it is
RIVAL_SPREAD = 1.0


class Mind(msgspec.Struct, frozen=True):
    """What a player takes things for; the figures of who does not look ahead."""

    income: float = 1.3  # coins that a chest still gains in a round to come
    card: float = 2.2  # points of a card in hand, by what they bring
    gem: float = 0.75  # points of a coin that a gem will be sold for
    rival: float = 0.3  # points of a point that the best of the others has


def worth(state: LivingstoneState, seat: int, mind: Mind) -> float:
    """From an imagined state: others' hands are not read, and of purse and chest only the sum."""
    own = _points(state, seat, state.players[seat].coins, mind)
    others = (_points(state, other, state.players[other].wealth, mind) for other in state.staying if other != seat)
    rival = max(others, default=0.0)
    if state.over:
        return -rival if seat in state.out else 100 + own - rival
    rounds, lacking = COLUMNS - state.here, _lacking(state, seat, mind)
    if rounds:
        return own - mind.rival * rival - (CATCH_UP + LATER / rounds) * max(0.0, lacking)
    return own * _logistic(-lacking / RIVAL_SPREAD) - mind.rival * rival


def _points(state: LivingstoneState, seat: int, coins: int, mind: Mind) -> float:
    """Points that a seat has, and those that its tents, gems, cards and so many coins will bring."""
    player, rounds = state.players[seat], COLUMNS - state.here
    points = float(player.total)
    if state.over:
        return points
    points += sum(state.edition.tent_points[at % 10 - 1] for at in player.tents if at // 10 == state.here)
    points += sum(_row(state, seat, row) for row in range(1, 7))
    points += sum(_gem(state, gem, rounds, mind) * count for gem, count in enumerate(player.gems))
    points += mind.card * len(player.hand) if rounds else len(player.hand)
    return points + _purse(coins, rounds)


def _row(state: LivingstoneState, seat: int, row: int) -> float:
    """What the row's majority is worth now, and a little for each tent on the way to it."""
    share = dict(majority(state, row)).get(seat, 0)
    stands = sum(square % 10 == row for square in state.players[seat].tents)
    certain = state.here / COLUMNS
    return share * (0.4 + 0.6 * certain) + 0.1 * stands * state.edition.majorities[row - 1] * (1 - certain)


def _gem(state: LivingstoneState, gem: int, rounds: int, mind: Mind) -> float:
    """Unsold it has its points; sold, its coins buy tents, or go to the chest."""
    return max(state.edition.gem_points, (mind.gem if rounds else 0.5) * state.edition.prices[gem])


def _purse(coins: int, rounds: int) -> float:
    """Coins buy tents as long as there are columns to come; each more is worth less."""
    return 1.2 * sqrt(coins) * rounds / COLUMNS


def _lacking(state: LivingstoneState, seat: int, mind: Mind) -> float:
    """Coins that the chest will lack in the end, if all goes on as it does; below zero it has more than it needs."""
    player, rounds = state.players[seat], COLUMNS - state.here
    kept = player.coins * (KEPT if rounds or seat == state.seat else 0.0)
    given = player.chest + kept + mind.income * rounds
    if state.seats == 2:
        return QUEEN - given
    others = [state.players[other].wealth for other in state.staying if other != seat]
    return min(others, default=0) + rounds + MARGIN - given


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-1.7 * max(-20.0, min(20.0, x))))
