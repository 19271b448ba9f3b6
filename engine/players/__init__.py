"""Policies that play a seat from its view alone, and the tools for them; `README.md` is the law."""

from engine.players.answering import ChosenLine, answer
from engine.players.baselines import Thumb, rivals
from engine.players.beam import Beam
from engine.players.chance import OwnLane, Played, play
from engine.players.contract import LEVELS, Budget, Facts, Heat, Players, Policy, Positions, Rng
from engine.players.finding import level, levels, players
from engine.players.habits import Answered, Figure, own
from engine.players.parts import Part
from engine.players.simple import Anything, Best, Noisy, Sensible

__all__ = [
    "LEVELS",
    "Answered",
    "Anything",
    "Beam",
    "Best",
    "Budget",
    "ChosenLine",
    "Facts",
    "Figure",
    "Heat",
    "Noisy",
    "OwnLane",
    "Part",
    "Played",
    "Players",
    "Policy",
    "Positions",
    "Rng",
    "Sensible",
    "Thumb",
    "answer",
    "level",
    "levels",
    "own",
    "play",
    "players",
    "rivals",
]
