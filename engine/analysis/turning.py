"""The analysis of a finished game: the curve of the chances, and the turning points of each player."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import msgspec

from engine import replay
from engine.analysis.chances import chances, decided
from engine.analysis.decisions import Finished, PlayerDecision, read
from engine.analysis.judging import Chance, Judge, Judged, Line, Rated
from engine.analysis.results import LEAST_LOST, Analysis, Better, Point, Share
from engine.errors import Refused
from engine.game import Game, Outcome
from engine.kit import Step, format_command, tell_move, turns
from engine.kit.play import outcome
from engine.players import Heat
from engine.players.contract import Worth
from engine.players.finding import levels, players
from engine.players.parts import reason

POSITIONS = 150_000  # positions for a whole game: half a minute of processor time
MOST_POSITIONS = 4_000  # positions for one decision
MOST_POINTS = 3  # turning points of a player
MOST_BETTER = 3  # better lines of a turning point


def analyse(data: bytes, chance: Chance, positions: int = POSITIONS) -> Analysis:
    """The analysis of the game in a bundle; `chance` makes a source of chance for each name.

    BadRecord if the bundle is broken; Refused `not-over`, or `no-analysis` if its players cannot judge it.
    """
    found = read(data)
    game: Game[Any] = found.table.game
    judges = players(game.meta.key)
    if found.table.seats < 2 or judges is None or judges.worth is None or judges.heat is None:
        raise Refused("no-analysis", game=game.meta.key)
    name = tuple(levels(game))[-1]
    each = min(MOST_POSITIONS, positions // max(1, len(found.decisions)))
    judge = Judge(game, found.table.options, judges, chance, each)
    judged = [one for decision in found.decisions if (one := judge.judge(decision, name))]
    standings = _Standings(found, judges.worth, judges.heat)
    points = tuple(_point(judge, standings, one) for one in _missed(found, standings, judged))
    return Analysis(game.meta.key, name, found.table.seats, len(judged), _curve(found, standings), points)


# --- the curve --------------------------------------------------------------------------------------------------------


class _Standings:
    """The chances at each position between turns.

    Players look best when they have just moved, so a position counts as the mean of as many positions as there are
    seats: one round.
    """

    def __init__(self, found: Finished, worth: Worth, heat: Heat) -> None:
        self._found, self._heat = found, heat
        self._positions = found.positions
        self._worths = [_worths(one.state, worth) for one in found.positions]

    def at(self, number: int, seat: int = -1, more: float = 0.0) -> tuple[float, ...]:
        """The chances at this position; with `more` if it were worth that much more to the seat."""
        state = self._positions[number].state
        means = self._round(number)
        given = [None if one in state.gone else mean + more * (one == seat) for one, mean in enumerate(means)]
        return chances(given, self._heat, self._played(state))

    def after(self, seq: int) -> int | None:
        """The number of the first position after a decision in entry `seq`; None if it ended the game."""
        game = self._found.table.game
        going_on = (n for n, one in enumerate(self._positions) if one.seq >= seq and outcome(game, one.state) is None)
        return next(going_on, None)

    def _round(self, number: int) -> tuple[float, ...]:
        last = self._worths[max(0, number + 1 - self._found.table.seats) : number + 1]
        return tuple(sum(values) / len(last) for values in zip(*last, strict=True))

    def _played(self, state: Any) -> float:
        """The share of the game that has been played."""
        game = self._found.table.game
        return turns(game, state) / max(1, turns(game, self._positions[-1].state))


def _worths(state: Any, worth: Worth) -> tuple[float, ...]:
    return tuple(worth(state, seat) for seat in range(state.seats))


def _curve(found: Finished, standings: _Standings) -> tuple[Share, ...]:
    """The chances between turns, and the result."""
    game, last = found.table.game, found.positions[-1]
    shares = [
        Share(one.seq, turns(game, one.state), one.seat, standings.at(number))
        for number, one in enumerate(found.positions)
        if outcome(game, one.state) is None
    ]
    ended = msgspec.convert(found.table.outcome, Outcome)
    return (*shares, Share(found.table.size - 1, turns(game, last.state), None, decided(ended, found.table.seats)))


# --- turning points ---------------------------------------------------------------------------------------------------


class _Missed(msgspec.Struct, frozen=True):
    """A decision that cost its seat a chance, with the number of the position after it."""

    judged: Judged
    turn: int
    after: int
    lost: float

    @property
    def seat(self) -> int:
        return self.judged.decision.seat


def _missed(found: Finished, standings: _Standings, judged: Sequence[Judged]) -> list[_Missed]:
    """The decisions that cost each seat most, in the order of the game."""
    worst: dict[tuple[int, int], _Missed] = {}  # one of a turn
    for one in filter(None, (_lost(found, standings, each) for each in judged if each.lost > 0)):
        known = worst.get((one.seat, one.turn))
        if one.lost >= LEAST_LOST and (known is None or known.lost < one.lost):
            worst[one.seat, one.turn] = one
    ranked = sorted(worst.values(), key=lambda one: -one.lost)
    kept = [[one for one in ranked if one.seat == seat][:MOST_POINTS] for seat in range(found.table.seats)]
    return sorted(chain.from_iterable(kept), key=lambda one: (one.judged.decision.seq, one.seat))


def _lost(found: Finished, standings: _Standings, judged: Judged) -> _Missed | None:
    """The chance that the decision cost. None if it ended the game: then the result is known, and chances are not."""
    seat, after = judged.decision.seat, standings.after(judged.decision.seq)
    if after is None:
        return None
    lost = standings.at(after, seat, judged.lost)[seat] - standings.at(after)[seat]
    return _Missed(judged, turns(found.table.game, judged.decision.before) + 1, after, lost)


def _point(judge: Judge, standings: _Standings, missed: _Missed) -> Point:
    """The turning point, with the best of the lines that would have been better."""
    decision = missed.judged.decision
    played, best = judge.rate(decision, decision.line), judge.rate(decision, missed.judged.best)

    def chance(one: Rated) -> float:
        return standings.at(missed.after, missed.seat, one.worth - played.worth)[missed.seat]

    now = chance(played)
    different = {round(one.worth, 6): one for one in (*judge.others(decision), best)}  # else the same in another order
    ranked = sorted(different.values(), key=lambda one: -one.worth)[:MOST_BETTER]
    # As in `_missed`: a sum would round otherwise than the difference, and might leave no line at all.
    lines = [one for one in ranked if chance(one) - now >= LEAST_LOST]
    better = tuple(_better(judge, decision, played, one, chance(one)) for one in lines)
    return Point(decision.seq, missed.turn, missed.seat, _notation(decision.line), now, better)


def _better(judge: Judge, decision: PlayerDecision, played: Rated, line: Rated, chance: float) -> Better:
    seen = replay.preview(judge.game, decision.before, decision.seat, tuple(map(Step, line.line)))
    brings = tuple(tell_move(seen.events, decision.seat))
    return Better(_notation(line.line), brings, chance, reason(played.parts, line.parts, judge.players.unit, " more"))


def _notation(line: Line) -> tuple[str, ...]:
    return tuple(map(format_command, line))
