"""Notes that somebody kept, and lines that a restore has cost the server."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from engine.record.encoding.canonical import MAX_LINE, MAX_SENT
from engine.record.encoding.members import MOST_ENTRIES
from server.api.schemas.base import ENTRY, HeadSchema, Whole, note, says
from server.log.shown import GRAVEST

LONGEST_TEXT = 2**16
PASTED = "As a mail carries it: lines may be indented or quoted, and other text may stand around it."
RELATION = (
    "`same`: on the log as it stands. `older`: the log continues it. `newer`: it counts more entries than are here, so "
    "the game is stopped until they are handed in at `missing`. `fork`: another last entry than the log has at this "
    "number: keep it, it is evidence. `unsigned`: of this game, but not signed with its key. `other-game`: of another "
    "game or server. `none`: no note can be read. Of several notes, the gravest."
)
LINES = (
    "Lines of the log as they were written, the first at the latest the next one here, the last the one that the note "
    "names. Those that are here already may be among them."
)
LACKS = "The number of the next sealed move, whose text nobody has handed in yet; null: none is lacking."
STOPPED = "Whether the game waits (still) for lines, or is held by a fault of ours."


class ShownNoteSchema(Schema):
    """A note that somebody kept."""

    note = fields.String(required=True, validate=validate.Length(1, LONGEST_TEXT), metadata=says(PASTED))


class ComparedSchema(Schema):
    """How it stands to the log that is here."""

    relation = fields.String(required=True, validate=validate.OneOf(GRAVEST), metadata=says(RELATION))
    size = fields.Integer(
        required=True, allow_none=True, metadata=says("How many entries the shown note counts; null without one.")
    )
    head = fields.Nested(HeadSchema, required=True)
    note = note()
    stopped = fields.Boolean(required=True, metadata=says(STOPPED))


class SealedTextSchema(Schema):
    """The text of a sealed move in one of the lines."""

    seq = Whole(required=True, validate=validate.Range(1, MOST_ENTRIES - 1), metadata=says("The number of its entry."))
    text = fields.String(
        required=True, validate=validate.Length(1, MAX_SENT), metadata=says("Byte for byte as it was sent.")
    )


class LinesSchema(ShownNoteSchema):
    """Lines that are missing here. The note is on the log that ends with the last of them."""

    entries = fields.List(
        fields.String(validate=validate.Length(1, MAX_LINE), metadata=says(ENTRY)),
        required=True,
        validate=validate.Length(1, MOST_ENTRIES),
        metadata=says(LINES),
    )
    moves = fields.List(
        fields.Nested(SealedTextSchema),
        load_default=list,
        metadata=says("Hidden games: texts of sealed moves in the lines, those that you have made."),
    )


class HandedInSchema(Schema):
    """How far they were taken."""

    taken = fields.Integer(required=True, metadata=says("How many lines are here now that were not."))
    lacks = fields.Integer(required=True, allow_none=True, metadata=says(LACKS))
    head = fields.Nested(HeadSchema, required=True)
    note = note()
    stopped = fields.Boolean(required=True, metadata=says(STOPPED))
