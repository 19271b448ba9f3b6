"""Whole turns worth considering; no single command is worth its strength.

A turn is a recruit if one is worth its price, a card with each strength or a place of the village, used for the most
gain, and a camp. Nobody knows the next cards of the deck, so these positions have none. The worth of a copy is where it
leads; a copy within a copy ends the search, since copies of copies never end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from engine.errors import SealedMoveError
from engine.game import Command, Game, Turn
from engine.games.lewis_clark.cards import CARDS
from engine.games.lewis_clark.commands import Camp, Indians, Play, Recruit, Under, Village
from engine.games.lewis_clark.players.evaluate import KEEP, Mind, moves, worth
from engine.games.lewis_clark.route import FORT
from engine.games.lewis_clark.state import LewisClarkState
from engine.kit import Supply, decide, legal
from engine.kit.play import allowed
from engine.players import Facts, OwnLane, Rng

PRICES = {"fur": 0.5, "equipment": 0.5, "wood": 0.6, "food": 1.0, "canoe": 3.0, "horse": 4.0}
SHUNNED = (Village("shamanism", 1), Village("farewell", 1))  # long searches that lead nowhere
COPIES = 2  # copies to follow before a position gets its worth
FEW_TO_ACT, FEW_TO_REST = 4, 3  # with fewer cards in hand a camp is tried before the action, and after it

Line = tuple[Command, ...]
Node = tuple[LewisClarkState, Line]


class BudgetSpent(SealedMoveError):
    """The budget for this answer is used up."""


class Turns:
    """The turns of one seat, within a budget."""

    def __init__(self, facts: Facts, mind: Mind, rng: Rng) -> None:
        self.game: Game[Any] = facts.game
        self.seat, self.budget = facts.seat, facts.budget
        self.mind = mind
        self.rng = rng

    def worth(self, state: LewisClarkState) -> float:
        return worth(state, self.seat, self.mind)

    def after(self, state: LewisClarkState, command: Command) -> LewisClarkState:
        if self.budget.left() <= 0:
            raise BudgetSpent("budget-spent")
        self.budget.spend()
        turn = Turn(state, OwnLane(self.rng), OwnLane(self.rng))
        decide(self.game, turn, self.seat, command)
        reached: LewisClarkState = turn.state
        return reached

    def all(self, state: LewisClarkState) -> Iterator[Node]:
        """Yield the position after each way to spend this turn, or the rest of it."""
        for begun in self._finished((state, ())):
            for recruited in self._with_recruit(begun):
                yield from self._ended(recruited)

    def _ended(self, node: Node) -> Iterator[Node]:
        state = node[0]
        if state.over or state.acted:
            acted = [node]
        else:
            acted = list(self._actions(node))
            if not state.camped and (state.player.table or not acted) and len(state.player.hand) < FEW_TO_ACT:
                rested = self._camped(node)
                acted += self._actions(rested) if not rested[0].over else [rested]
                acted = acted or [rested]
        for done in acted or [node]:
            yield done
            if self._may_rest(done[0]):
                yield self._camped(done)

    def _may_rest(self, state: LewisClarkState) -> bool:
        player = state.players[self.seat]
        tired = len(player.hand) < FEW_TO_REST or player.scout >= FORT
        return not (state.over or state.camped) and tired

    def _with_recruit(self, node: Node) -> Iterator[Node]:
        """Yield the position as it is, and with the best recruit if one is worth its price."""
        yield node
        state, line = node
        if state.recruited or state.over:
            return
        recruits = (c for c in allowed((Recruit,), state, self.seat) if c.discard not in KEEP)  # type: ignore[attr-defined]
        offers = [(self.after(state, command), (*line, command)) for command in recruits]
        best = max(offers, key=lambda offer: self.worth(offer[0]), default=None)
        if best and self.worth(best[0]) > self.worth(state):
            yield best

    def _camped(self, node: Node) -> Node:
        state, line = node
        return self.after(state, Camp()), (*line, Camp())

    def _actions(self, node: Node) -> Iterator[Node]:
        """Yield every card with every strength, and every place, each with its best use for now."""
        state, line = node
        for command in allowed((Play, Village), state, self.seat):
            if command not in SHUNNED:
                yield from self._finished((self.after(state, command), (*line, command)))

    def _finished(self, node: Node) -> Iterator[Node]:
        """Yield the action under way played to its end, with each possible strength."""
        state = node[0]
        if state.frames and not state.frame.left and not state.frame.begun:
            yield from (self.used(strong) for strong in self._strengthened(node))
        else:
            yield self.used(node)

    def _strengthened(self, node: Node) -> Iterator[Node]:
        """Yield it with Indians, with the least valuable card of each strength, and with both."""
        state, line = node
        under = sorted(allowed((Under,), state, self.seat), key=_missed)
        lines: list[Line] = [(c,) for c in allowed((Indians,), state, self.seat)]
        for strength in (1, 2, 3):
            cards = [c for c in under if CARDS[c.card].strength == strength][:1]  # type: ignore[attr-defined]  # an Under
            lines += [(c, *more) for c in cards for more in ((), *((Indians(n),) for n in range(1, 4 - strength)))]
        for more in lines:
            if sum(c.count for c in more if isinstance(c, Indians)) <= state.player.indians:
                yield self._given((state, line), more)

    def _given(self, node: Node, strength: Line) -> Node:
        """Give these strengths while the action goes on; a passive card's action is over after the first."""
        state, line = node
        for command in strength:
            if state.frames:
                state, line = self.after(state, command), (*line, command)
        return state, line

    def used(self, node: Node, copies: int = COPIES) -> Node:
        """Play an action to its end, each time for the most gain; stop when nothing brings more."""
        state, line = node
        while state.frames and not state.over:
            listed = _cheapest(c for c in legal(self.game, state, self.seat) if not isinstance(c, Under | Indians))
            tried = [(self.after(state, c), c) for c in listed]
            depth = len(state.frames)
            values = [self.worth(self._settled(reached, depth, copies)) for reached, _ in tried]
            state, command = tried[values.index(max(values))]
            line = (*line, command)
        return state, line

    def _settled(self, state: LewisClarkState, depth: int, copies: int) -> LewisClarkState:
        """Return where a copied action leads with its best use, if one is under way."""
        if len(state.frames) <= depth or not copies:
            return state
        return self.used((state, ()), copies - 1)[0]


def _missed(command: Any) -> tuple[bool, float, str]:
    return moves(command.card), KEEP.get(command.card, 0.0), command.card


def _cheapest(listed: Iterable[Any]) -> list[Command]:
    """Return for each effect the payment with the least valuable goods; never less than the whole effect."""
    best: dict[object, Command] = {}
    for command in listed:
        same = replace(command, pay=None) if hasattr(command, "pay") else command
        if getattr(command, "only", None) is None and (same not in best or _price(command) < _price(best[same])):
            best[same] = command
    return list(best.values())


def _price(command: Any) -> float:
    return sum(PRICES[good] for good in getattr(command, "pay", None) or ())


def without_deck(state: LewisClarkState) -> LewisClarkState:
    """Return the state without cards to draw, and without the erratum, which takes roles from the discards."""
    options = replace(state.options, start_over=False)
    return replace(state, options=options, deck=Supply(), discards=Supply())


def next_turn(state: LewisClarkState) -> LewisClarkState:
    """Return the seat's next turn, as if the others stood still."""
    return replace(state, acted=False, camped=False, recruited=False, frames=())
