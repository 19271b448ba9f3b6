"""Everything that games share. A game imports `engine.game`, `engine.errors` and this, and nothing else."""

from engine.kit.choices import said
from engine.kit.first import FirstPlayerDrawn, draw_first
from engine.kit.fitting import ems, fitting
from engine.kit.grammar import parse
from engine.kit.letters import LETTER, as_ascii, cut, escape, names_of, pad, readable, width
from engine.kit.notation import Step, dump_steps, format_command, format_steps, group, load_steps, named
from engine.kit.play import active, allowed, decide, legal, outcome, ranked, redact, redact_command, turns, view
from engine.kit.pointing import OWN, Word, mark, marked, off_table, on_table, pointed
from engine.kit.resigned import SeatResigned
from engine.kit.spans import Span, spans
from engine.kit.supply import Supply
from engine.kit.typed import complete
from engine.kit.words import called, count, describe, ending, explain, kind_of, label, tell, unfilled

__all__ = [
    "LETTER",
    "OWN",
    "FirstPlayerDrawn",
    "SeatResigned",
    "Span",
    "Step",
    "Supply",
    "Word",
    "active",
    "allowed",
    "as_ascii",
    "called",
    "complete",
    "count",
    "cut",
    "decide",
    "describe",
    "draw_first",
    "dump_steps",
    "ems",
    "ending",
    "escape",
    "explain",
    "fitting",
    "format_command",
    "format_steps",
    "group",
    "kind_of",
    "label",
    "legal",
    "load_steps",
    "mark",
    "marked",
    "named",
    "names_of",
    "off_table",
    "on_table",
    "outcome",
    "pad",
    "parse",
    "pointed",
    "ranked",
    "readable",
    "redact",
    "redact_command",
    "said",
    "spans",
    "tell",
    "turns",
    "unfilled",
    "view",
    "width",
]
