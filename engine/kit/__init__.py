"""What all games share; a game imports `engine.game`, `engine.errors` and this, and nothing else."""

from engine.kit.grouping import group
from engine.kit.notation import Step, complete, dump_steps, format_command, format_steps, load_steps, parse
from engine.kit.play import active, allowed, decide, legal, outcome
from engine.kit.redact import redact, redact_command
from engine.kit.resigned import SeatResigned
from engine.kit.supply import Supply
from engine.kit.words import ending, explain, tell

__all__ = [
    "SeatResigned",
    "Step",
    "Supply",
    "active",
    "allowed",
    "complete",
    "decide",
    "dump_steps",
    "ending",
    "explain",
    "format_command",
    "format_steps",
    "group",
    "legal",
    "load_steps",
    "outcome",
    "parse",
    "redact",
    "redact_command",
    "tell",
]
