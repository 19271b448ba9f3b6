"""A hint: the line that the level `fair`, or the strongest that a game has, would play for a seat, without its slips.

It is found from the seat's view and its legal commands, which the question holds; nothing else is known here. So is its
reason: the line is played in a few imagined worlds, each with draws of its own.
"""

from __future__ import annotations

from typing import Any

import msgspec

from engine import registry, replay
from engine.errors import Refused
from engine.game import Command, Turn
from engine.kit import Step, active, decide, dump_steps, load_steps, turns
from engine.players.answering import answer
from engine.players.chance import OwnLane
from engine.players.contract import Facts, Players, Positions, Rng
from engine.players.finding import levels, players
from engine.players.parts import ENDS, NOTHING, mean, reason
from engine.record.log.options import load_options

LEVEL = "fair"
WORLDS = 4  # in which the reason is looked for
POSITIONS = 400  # at most 50 ms of processor time, and nearly always the line of a longer search


class HintQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's view and legal commands, as in the API. The same `seed` gets the same hint."""

    game: str
    options: dict[str, Any]
    seat: int
    view: msgspec.Raw
    legal: tuple[dict[str, Any], ...]
    seed: str


class Hint(msgspec.Struct, frozen=True):
    """Commands up to the first draw or the end of the turn, as they go into a move, by the player of this level.

    `reason` is a sentence; "" if the game's players have no parts of a judgement.
    """

    level: str
    commands: tuple[dict[str, Any], ...]
    reason: str


def hint(asked: HintQuestion, rng: Rng) -> Hint:
    """`rng` is made from the seed of the question. Refused `no-hint` if the game has no house players."""
    game, offered = registry.find(asked.game), players(asked.game)
    if offered is None:
        raise Refused("no-hint", game=asked.game)
    name = LEVEL if LEVEL in levels(game) else tuple(levels(game))[-1]
    facts = Facts(game=game, seat=asked.seat, options=load_options(game, asked.options), budget=Positions(POSITIONS))
    listed = tuple(step.command for one in asked.legal for step in load_steps(game, [one]))
    seen = offered.read(bytes(asked.view))
    found = answer(facts, seen, listed, rng, name, offered.advice)
    return Hint(found.by, tuple(dump_steps(map(Step, found.line))), _reason(facts, offered, seen, found.line, rng))


def _reason(facts: Facts, offered: Players, seen: Any, line: tuple[Command, ...], rng: Rng) -> str:
    """The part of the judgement that the line raises most, as far as the seat can expect it."""
    if offered.parts is None or offered.imagine is None:
        return ""
    if all(command.closes for command in line):
        return ENDS
    before = [offered.imagine(seen, rng) for _ in range(WORLDS)]
    after = [_played(facts, state, line, rng) for state in before]
    old, new = (mean([offered.parts(state, facts.seat) for state in states]) for states in (before, after))
    return reason(old, new, offered.unit) or NOTHING


def _played(facts: Facts, state: Any, line: tuple[Command, ...], rng: Rng) -> Any:
    """The position after a line, before the end of the turn: what others do then is not its effect."""
    now = turns(facts.game, state)
    for command in line:
        if command.closes:
            break
        turn = Turn(state, OwnLane(rng), OwnLane(rng))
        try:
            decide(facts.game, turn, facts.seat, command)
        except Refused:  # a forced step that was played before, or not legal in this world
            continue
        state = turn.state
        replay.settle(facts.game, turn)
        if facts.seat not in active(facts.game, turn.state) or turns(facts.game, turn.state) != now:
            break
        state = turn.state
    return state
