"""A line carried on to the end of the turn, so that `end` needs no entry of its own.

As long as nothing is drawn, the same policy is asked for the next command in the position that the line leads to. After
a draw it is asked in a few positions of the player's own chance: if it would end the turn in each of them, the end is
part of the line.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.errors import Refused
from engine.game import Command
from engine.kit import active, legal, turns, view
from engine.players.chance import Played, play
from engine.players.contract import Facts, Imagine, Policy, Rng

MOST_COMMANDS = 32
DRAWS = 3  # positions after a draw in which the policy is asked
Line = tuple[Command, ...]


class _Asker(NamedTuple):
    policy: Policy
    facts: Facts
    rng: Rng

    def next(self, state: Any) -> Line:
        """The policy's line in this position, () if the seat's turn is over."""
        game, seat = self.facts.game, self.facts.seat
        if seat not in active(game, state):
            return ()
        return self.policy.line(self.facts, view(game, state, seat), tuple(legal(game, state, seat)), self.rng)

    def play(self, state: Any, line: Line) -> Played:
        drawn = False
        for command in line:
            played = play(self.facts.game, state, self.facts.seat, command, self.rng)
            state, drawn = played.state, drawn or played.open
        return Played(state, drawn)


def whole_turn(policy: Policy, facts: Facts, seen: Any, line: Line, rng: Rng, imagine: Imagine) -> Line:
    """The line, and what the policy would play after it in the same turn."""
    asker, begun = _Asker(policy, facts, rng), imagine(seen, rng)
    before = turns(facts.game, begun)
    try:
        while len(line) < MOST_COMMANDS and facts.budget.left() > 0:
            played = asker.play(begun, line)
            if turns(facts.game, played.state) != before:
                return line
            more = _if_all_end(asker, begun, line) if played.open else asker.next(played.state)
            if not more or (played.open and not more[0].closes):
                return line
            line += more
    except Refused:  # legal in another world than the imagined one
        pass
    return line


def _if_all_end(asker: _Asker, begun: Any, line: Line) -> Line:
    """The end of the turn, if the policy plays it after each of some draws."""
    found = {asker.next(asker.play(begun, line).state) for _ in range(DRAWS)}
    return found.pop() if len(found) == 1 else ()
