"""The log."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from engine.record.encoding.canonical import MAX_LINE, MAX_SENT
from engine.record.encoding.members import MOST_ENTRIES
from server.http.schemas import ENTRY, NEXT, SOME_HASH, HeadSchema, PageSchema, StrictInteger, doc, moment, note
from server.log.note_check import GRAVEST

HELD = (
    "Seconds to hold the request if there is nothing new yet; the page then may be empty. More than this server holds "
    "one (25, unless its operator chose otherwise) is 422 `wait-too-long`; if all places are taken, it is 503 "
    "`no-place`: look without, and again after `Retry-After`."
)


class LogQuerySchema(PageSchema):
    """`wait` holds the request until there is something new, up to so many seconds."""

    limit = fields.Integer(load_default=500, validate=validate.Range(1, 1000))
    wait = fields.Integer(load_default=0, validate=validate.Range(0), metadata=doc(HELD, maximum=25))


class LogSchema(Schema):
    """Lines in order; the note is on the whole log, not on the page."""

    entries = fields.List(fields.String(metadata=doc(ENTRY)), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata=doc(NEXT))
    note = note()
    head = fields.Nested(HeadSchema, required=True)


class AuditSchema(Schema):
    """Nothing but nulls until the game is over and has been judged as it stands."""

    verdict = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(["holds", "fails", "unknown", "open"]),
        metadata=doc("`holds` if all is there and right; see docs/audit.md.", example="holds"),
    )
    says = fields.String(required=True, allow_none=True, metadata=doc("The whole report, for people, in lines."))
    made_at = moment("When it was made. ", allow_none=True)


# --- Notes that somebody kept, and lines that a restore has cost the server -------------------------------------------


LONGEST_TEXT = 2**16
PASTED = "As a mail carries it: lines may be indented or quoted, and other text may stand around it."
RELATION = (
    "`same`: on the log as it stands. `older`: the log continues it. `newer`: it counts more entries than are here, so "
    "the game is stopped until they are handed in at `missing`. `lost`: on entries that the log itself states as lost "
    "(`restored`). `fork`: another last entry than the log has at this "
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

    note = fields.String(required=True, validate=validate.Length(1, LONGEST_TEXT), metadata=doc(PASTED))


class ComparedSchema(Schema):
    """How it stands to the log that is here."""

    relation = fields.String(required=True, validate=validate.OneOf(GRAVEST), metadata=doc(RELATION))
    size = fields.Integer(
        required=True, allow_none=True, metadata=doc("How many entries the shown note counts; null without one.")
    )
    head = fields.Nested(HeadSchema, required=True)
    note = note()
    stopped = fields.Boolean(required=True, metadata=doc(STOPPED))


class SealedTextSchema(Schema):
    """The text of a sealed move in one of the lines."""

    seq = StrictInteger(
        required=True, validate=validate.Range(1, MOST_ENTRIES - 1), metadata=doc("The number of its entry.")
    )
    text = fields.String(
        required=True, validate=validate.Length(1, MAX_SENT), metadata=doc("Byte for byte as it was sent.")
    )


class LinesSchema(ShownNoteSchema):
    """Lines that are missing here. The note is on the log that ends with the last of them."""

    entries = fields.List(
        fields.String(validate=validate.Length(1, MAX_LINE), metadata=doc(ENTRY)),
        required=True,
        validate=validate.Length(1, MOST_ENTRIES),
        metadata=doc(LINES),
    )
    moves = fields.List(
        fields.Nested(SealedTextSchema),
        load_default=list,
        metadata=doc("Hidden games: texts of sealed moves in the lines, those that you have made."),
    )


class HandedInSchema(Schema):
    """How far they were taken."""

    taken = fields.Integer(required=True, metadata=doc("How many lines are here now that were not."))
    lacks = fields.Integer(required=True, allow_none=True, metadata=doc(LACKS))
    head = fields.Nested(HeadSchema, required=True)
    note = note()
    stopped = fields.Boolean(required=True, metadata=doc(STOPPED))


# --- The server's own keys --------------------------------------------------------------------------------------------


SIGNED = (
    "By the key before it: a compact JWS of `typ` `sealedmove-server+jws` over `v` (1), `aud` (the server), `act` "
    "(`succeed`) and `key` (this JWK). Null for the first key."
)


class ServerKeySchema(Schema):
    """A key of the server: the members of a JWK, and what goes with it."""

    crv = fields.String(required=True, validate=validate.Equal("Ed25519"))
    kty = fields.String(required=True, validate=validate.Equal("OKP"))
    x = fields.String(required=True, metadata=doc("The 32 bytes of the key, in base64url.", example=SOME_HASH))
    kid = fields.String(required=True, metadata=doc("Its RFC 7638 thumbprint.", example=SOME_HASH))
    since = fields.String(
        data_key="from",
        required=True,
        allow_none=True,
        metadata=doc("When the first game under it was made.", format="date-time"),
    )
    until = fields.String(
        required=True,
        allow_none=True,
        metadata=doc("When the first game under the next was made.", format="date-time"),
    )
    signed = fields.String(required=True, allow_none=True, metadata=doc(SIGNED))


class ServerKeysSchema(Schema):
    """Who the server is, and its keys, the oldest first. `from` and `until` are for information."""

    server = fields.String(required=True, metadata=doc("What acts name as `aud`.", example="games.example"))
    keys = fields.List(fields.Nested(ServerKeySchema), required=True)
    spec = fields.String(required=True, metadata=doc("The record that is written here.", example="sealedmove/1"))
    software = fields.String(required=True)
    contact = fields.String(required=True, allow_none=True, metadata=doc("Where its operator can be reached."))
