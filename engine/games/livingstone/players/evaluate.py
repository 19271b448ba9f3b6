"""The worth of a position for a seat: the points to come, less the cost of giving the Queen enough.

The chest decides this game: the player who gives the least is out, however many points they have. Coins are worth
nothing at the falls, so every purse ends in its chest, and the poorest of the others is the one to beat. While there
are rounds to come, dice can earn what a chest lacks, so a missing coin costs no more than that; in the last round it
costs everything. The figures in this module come from matches (`sealedmove arena livingstone`), not from the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, sqrt

import msgspec

from engine.games.livingstone.components import COLUMNS, ROWS
from engine.games.livingstone.players.next_die import next_die
from engine.games.livingstone.state import LivingstoneState
from engine.players import Part

MARGIN = 6  # coins beyond what the poorest of the others will have given
QUEEN = 16.0  # coins in a game of two: four dice show at most this sum in 75 of 100 rolls
KEPT = 0.85  # worth of a coin in the purse in the last round, as a share of one in the chest
CATCH_UP, LATER = 0.9, 1.5  # points that a missing coin costs while dice can still earn it; rises later on
RIVAL_SPREAD = 1.0
STAYED, SURE = (
    100.0,
    0.3,
)  # points for not being out at the end; coins by which the poorest chest may be less than its sum
SAFE = 0.94  # share of a gem's coins that is left after a round: the mine accident may take all gems
MOST_DICE = 2  # dice that one player takes in a round
NEXT = 0.7  # coins for each point of the die that the player itself will probably take next in this round
GEMS_LAST, DIE_LAST = 0.8, 2.5  # `Mind.gems` and `Mind.die` in the last round among three or more, at every level


class Mind(msgspec.Struct, frozen=True):
    """How much a player values things; the defaults are those of `fair` with two players."""

    income: float = 1.3  # coins that the chest gains in each round to come
    card: float = 2.2  # points that a card in hand is worth
    gem: float = 0.75  # points for each coin that a gem will be sold for, if gems do not count as coins already
    rival: float = 0.3  # points lost for each point of the best rival
    kept: float = KEPT  # worth of a coin in the purse, as a share of one in the chest, before the last round
    gems: float = 0.0  # share of the coins that gems would bring which counts for the Queen, before the last round
    die: float = 0.0  # coins that another player is expected to take by each die still to come, before the last round


def worth(state: LivingstoneState, seat: int, mind: Mind) -> float:
    """Judge an imagined state, without others' hands and with only the sum of their purse and chest."""
    rows = _rows(state)
    own = _points(state, seat, state.players[seat].coins, rows, mind)
    rival = _rival(state, seat, rows, mind)
    if state.over:
        return _stays(state, seat) * (STAYED + own) - rival
    rounds, lacking = COLUMNS - state.here, _lacking(state, seat, mind)
    if rounds:
        return own - mind.rival * rival - (CATCH_UP + LATER / rounds) * max(0.0, lacking)
    return own * _logistic(-lacking / RIVAL_SPREAD) - mind.rival * rival


def parts(state: LivingstoneState, seat: int, mind: Mind) -> tuple[Part, ...]:
    """Return the parts of `worth`. What no other part holds is the danger of being out."""
    found, rows = [Part("scores {amount} now", float(state.players[seat].total))], _rows(state)
    if not state.over:
        found += _to_come(state, seat, rows[seat], mind)
    share = 1.0 if state.over else mind.rival
    found.append(Part("takes about {amount} from the best rival", -share * _rival(state, seat, rows, mind)))
    queen = worth(state, seat, mind) - sum(part.value for part in found)
    return (*found, Part("lowers the risk of being out for the Queen", queen))


def _to_come(state: LivingstoneState, seat: int, rows: float, mind: Mind) -> list[Part]:
    """Return the parts of `_points` that are not scored yet."""
    player, rounds = state.players[seat], COLUMNS - state.here
    column = sum(state.edition.tent_points[at % 10 - 1] for at in player.tents if at // 10 == state.here)
    gems = sum(_gem(state, gem, rounds, mind) * number for gem, number in enumerate(player.gems))
    cards = mind.card * len(player.hand) if rounds else len(player.hand)
    coins = _purse(player.coins + mind.gems * _sold(state, seat), rounds)
    return [
        Part("gains tents that score {amount} in this column", float(column)),
        Part("gains about {amount} for the majority of a row", rows),
        Part("gains gems worth about {amount}", gems),
        Part("gains cards worth about {amount}", cards),
        Part("gains coins worth about {amount} for tents to come", coins),
    ]


def _rival(state: LivingstoneState, seat: int, rows: Sequence[float], mind: Mind) -> float:
    """Return the points of the best other player who has not resigned."""
    others = (_points(state, at, state.players[at].wealth, rows, mind) for at in state.staying if at != seat)
    return max(others, default=0.0)


def _stays(state: LivingstoneState, seat: int) -> float:
    """Return the chance that the seat is not out, once the game is over.

    With two players the dice are known. With more the chests of others are imagined, but their sums are known: only a
    chest above the poorest of those is safe.
    """
    others = [state.players[other].wealth for other in state.staying if other != seat]
    if state.seats == 2 or not others:
        return float(seat not in state.out)
    return _logistic((state.players[seat].chest - min(others) - 0.5) / SURE)


def _points(state: LivingstoneState, seat: int, coins: int, rows: Sequence[float], mind: Mind) -> float:
    """Add up the points of a seat and those that its tents, gems, cards and `coins` will bring."""
    player, rounds = state.players[seat], COLUMNS - state.here
    points = float(player.total)
    if state.over:
        return points
    points += sum(state.edition.tent_points[at % 10 - 1] for at in player.tents if at // 10 == state.here)
    points += rows[seat]
    points += sum(_gem(state, gem, rounds, mind) * count for gem, count in enumerate(player.gems))
    points += mind.card * len(player.hand) if rounds else len(player.hand)
    return points + _purse(coins + mind.gems * _sold(state, seat), rounds)


def _rows(state: LivingstoneState) -> list[float]:
    """Return what the majorities are worth now to each seat, and a little for each of its tents towards them."""
    if state.over:
        return [0.0] * state.seats
    certain = state.here / COLUMNS
    stands = [_stands(player.tents) for player in state.players]
    worths = [0.0] * state.seats
    for row, majority in enumerate(state.edition.majorities):
        most = max(stands[seat][row] for seat in state.staying)
        leaders = [seat for seat in state.staying if most and stands[seat][row] == most]
        for seat in leaders:
            worths[seat] += majority // len(leaders) * (0.4 + 0.6 * certain)
        for seat, rows in enumerate(stands):
            worths[seat] += 0.1 * rows[row] * majority * (1 - certain)
    return worths


def _stands(tents: Iterable[int]) -> list[int]:
    """Return the number of tents in each row."""
    stands = [0] * ROWS
    for square in tents:
        stands[square % 10 - 1] += 1
    return stands


def _gem(state: LivingstoneState, gem: int, rounds: int, mind: Mind) -> float:
    """Return the worth of a gem: its points unsold, or the coins that it sells for, if they are worth more."""
    return max(state.edition.gem_points, (mind.gem if rounds else 0.5) * state.edition.prices[gem])


def _purse(coins: float, rounds: int) -> float:
    """Return the worth of coins for tents in columns to come; each further coin is worth less."""
    return 1.2 * sqrt(coins) * rounds / COLUMNS


def _lacking(state: LivingstoneState, seat: int, mind: Mind) -> float:
    """Return the coins that the chest will lack at the end if nothing changes; negative for a surplus."""
    player, rounds = state.players[seat], COLUMNS - state.here
    may_give = bool(rounds) or seat == state.seat
    in_purse = mind.kept if rounds else KEPT
    gems, die = (mind.gems, mind.die) if rounds or state.seats == 2 else (GEMS_LAST, DIE_LAST)
    kept = (in_purse * player.coins + gems * SAFE**rounds * _sold(state, seat)) * may_give
    given = player.chest + kept + NEXT * _next_die(state, seat) + mind.income * rounds
    if state.seats == 2:
        return QUEEN - given
    others = [_will_give(state, other, gems, die) for other in state.staying if other != seat]
    return min(others, default=0) + rounds + MARGIN - given


def _will_give(state: LivingstoneState, other: int, gems: float, die: float) -> float:
    """Return the most that another player can be expected to give, before the rounds to come."""
    dice = min(sum(state.dice[state.players[other].last :]), MOST_DICE)
    return state.players[other].wealth + gems * _sold(state, other) + die * dice


def _next_die(state: LivingstoneState, seat: int) -> float:
    takers = sum(state.can_take(other) for other in range(state.seats) if other != seat)
    return next_die(state.dice, state.players[seat].last, takers)


def _sold(state: LivingstoneState, seat: int) -> float:
    """Return the coins that the seat's gems would bring."""
    gems = zip(state.players[seat].gems, state.edition.prices, strict=True)
    return float(sum(count * price for count, price in gems))


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-1.7 * max(-20.0, min(20.0, x))))
