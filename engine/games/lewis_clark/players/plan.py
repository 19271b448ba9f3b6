"""A purposeful player: looks some turns of its own ahead and heads for its best position.

It imagines a position, plays its own next turns there as if the others stood still, keeps the few best positions after
each turn, and plays the first turn of the best line.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.errors import Refused
from engine.game import Command
from engine.games.lewis_clark.commands import Camp, Concede, End
from engine.games.lewis_clark.players.evaluate import Mind
from engine.games.lewis_clark.players.imagine import imagine
from engine.games.lewis_clark.players.turns import BudgetSpent, Line, Turns, next_turn, without_deck
from engine.games.lewis_clark.state import LewisClarkState
from engine.kit import active, turns
from engine.players import Facts, Policy, Rng, play

SETTING_OUT = 12  # own turns before a camp counts as late
HURRY = 0.1  # more haste for each space that the camp is behind one space a turn


class Planning(Policy):
    """Play the first turn of the best plan found; `alone` is the mind for a race against Mackenzie."""

    def __init__(self, mind: Mind, alone: Mind) -> None:
        self.mind = mind
        self.alone = alone

    def line(self, facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> Line:
        state = imagine(view, rng)
        if Camp() in legal and play(facts.game, state, facts.seat, Camp(), rng).state.winner == facts.seat:
            return (Camp(),)
        thinking = Turns(facts, self._mind(state, facts.seat), rng)
        planned = as_moved(facts, state, (*first_turn(without_deck(state), thinking), End()), rng)
        return planned or (next(command for command in legal if not isinstance(command, Concede)),)

    def _mind(self, state: LewisClarkState, seat: int) -> Mind:
        """Return the mind; haste grows while the camp is late, so that nothing is kept forever.

        A race against Mackenzie ends in time even without more haste.
        """
        if state.mackenzie is not None:
            return self.alone
        late = turns_played(state) - SETTING_OUT - state.players[seat].camp
        return replace(self.mind, haste=self.mind.haste + HURRY * max(late, 0))


def turns_played(state: LewisClarkState) -> int:
    """Return the turns that each seat has played."""
    return state.turns // len(state.players)


def first_turn(state: LewisClarkState, thinking: Turns) -> Line:
    """Return this turn of the best line found before the budget was spent, or () if there is none."""
    nodes: list[tuple[LewisClarkState, Line]] = [(state, ())]
    for depth in range(thinking.mind.ahead):
        reached: dict[LewisClarkState, Line] = {}
        whole = _reached(nodes, depth, thinking, reached)
        if whole or not depth:
            nodes = sorted(reached.items(), key=lambda node: -thinking.worth(node[0]))[: thinking.mind.kept]
        if not whole or not nodes:
            break
    return nodes[0][1] if nodes else ()


def _reached(
    nodes: list[tuple[LewisClarkState, Line]], depth: int, thinking: Turns, reached: dict[LewisClarkState, Line]
) -> bool:
    """Plan one turn more into `reached`, each position with its first turn. Returns False once the budget is spent."""
    try:
        for state, first in nodes:
            for end, line in thinking.all(state) if not state.over else ((state, ()),):
                reached.setdefault(next_turn(end), first if depth else line)
    except BudgetSpent:
        return False
    return True


def as_moved(facts: Facts, state: LewisClarkState, line: Line, rng: Rng) -> Line:
    """Return the commands to send: without forced steps, up to the first draw or the end of the turn."""
    sent: Line = ()
    now = turns(facts.game, state)
    for command in line:
        try:
            played = play(facts.game, state, facts.seat, command, rng)
        except Refused:
            continue  # it was forced, so it has been played
        sent, state = (*sent, command), played.state
        if played.open or facts.seat not in active(facts.game, state) or turns(facts.game, state) != now:
            break
    return sent
