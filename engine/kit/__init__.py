"""Everything that games share. A game imports `engine.game`, `engine.errors` and this, and nothing else."""

from engine.kit.choices import said
from engine.kit.first import FirstPlayerDrawn, draw_first
from engine.kit.fitting import ems, fitting
from engine.kit.grammar import parse
from engine.kit.letters import LETTER, as_ascii, cut, escape, names_of, pad, readable, width
from engine.kit.notation import Step, dump_steps, format_command, format_steps, group, load_steps, named
from engine.kit.palette import Palette, Roles
from engine.kit.plates import PlayerPlate, panel
from engine.kit.play import (
    active,
    allowed,
    decide,
    legal,
    outcome,
    ranked,
    redact,
    redact_command,
    standing,
    turns,
    view,
)
from engine.kit.pointing import OWN, Word, mark, marked, off_table, on_table, pointed
from engine.kit.resigned import SeatResigned
from engine.kit.spans import Span, spans
from engine.kit.strokes import box, circle, die, element, fitted, folded, laurel, lines, moved, path, text, titled
from engine.kit.supply import EMPTY, Supply
from engine.kit.tables import legend, seats_table
from engine.kit.typed import complete
from engine.kit.words import called, count, describe, ending, explain, kind_of, label, tell, tell_move, unfilled
from engine.kit.zones import COLUMN, WIDE, Zone, arranged, board_of, document

__all__ = [
    "COLUMN",
    "EMPTY",
    "LETTER",
    "OWN",
    "WIDE",
    "FirstPlayerDrawn",
    "Palette",
    "PlayerPlate",
    "Roles",
    "SeatResigned",
    "Span",
    "Step",
    "Supply",
    "Word",
    "Zone",
    "active",
    "allowed",
    "arranged",
    "as_ascii",
    "board_of",
    "box",
    "called",
    "circle",
    "complete",
    "count",
    "cut",
    "decide",
    "describe",
    "die",
    "document",
    "draw_first",
    "dump_steps",
    "element",
    "ems",
    "ending",
    "escape",
    "explain",
    "fitted",
    "fitting",
    "folded",
    "format_command",
    "format_steps",
    "group",
    "kind_of",
    "label",
    "laurel",
    "legal",
    "legend",
    "lines",
    "load_steps",
    "mark",
    "marked",
    "moved",
    "named",
    "names_of",
    "off_table",
    "on_table",
    "outcome",
    "pad",
    "panel",
    "parse",
    "path",
    "pointed",
    "ranked",
    "readable",
    "redact",
    "redact_command",
    "said",
    "seats_table",
    "spans",
    "standing",
    "tell",
    "tell_move",
    "text",
    "titled",
    "turns",
    "unfilled",
    "view",
    "width",
]
