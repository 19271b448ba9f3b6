"""A hint: the line that the level `fair`, or the strongest that a game has, would play for a seat, without its slips.

It is found from the seat's view and its legal commands, which the question holds; nothing else is known here.
"""

from __future__ import annotations

from typing import Any

import msgspec

from engine import registry
from engine.errors import Refused
from engine.kit import Step, dump_steps, load_steps
from engine.players.answering import answer
from engine.players.contract import Facts, Positions, Rng
from engine.players.finding import levels, players
from engine.record.log.options import load_options

LEVEL = "fair"
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
    """Commands up to the first draw or the end of the turn, as they go into a move, by the player of this level."""

    level: str
    commands: tuple[dict[str, Any], ...]


def hint(asked: HintQuestion, rng: Rng) -> Hint:
    """`rng` is made from the seed of the question. Refused `no-hint` if the game has no house players."""
    game, offered = registry.find(asked.game), players(asked.game)
    if offered is None:
        raise Refused("no-hint", game=asked.game)
    name = LEVEL if LEVEL in levels(game) else tuple(levels(game))[-1]
    facts = Facts(game=game, seat=asked.seat, options=load_options(game, asked.options), budget=Positions(POSITIONS))
    listed = tuple(step.command for one in asked.legal for step in load_steps(game, [one]))
    found = answer(facts, offered.read(bytes(asked.view)), listed, rng, name, offered.advice)
    return Hint(found.by, tuple(dump_steps(map(Step, found.line))))
