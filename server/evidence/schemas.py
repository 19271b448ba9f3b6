"""The log."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from engine.record.encoding.canonical import MAX_LINE, MAX_SENT
from engine.record.encoding.members import MOST_ENTRIES
from server.http.schemas import ENTRY, NEXT, SOME_HASH, HeadSchema, PageSchema, StrictInteger, doc, moment, note
from server.log.note_check import GRAVEST

HELD = (
    "Seconds to hold the request if there is nothing new; the page may then be empty. More than the server's "
    "limit (25 by default) is 422 `wait-too-long`. If the server cannot hold any more requests, the answer is "
    "503 `no-place`: ask without `wait`, and again after the delay in `Retry-After`."
)


class LogQuerySchema(PageSchema):
    """`wait` holds the request for up to so many seconds until there is something new."""

    limit = fields.Integer(load_default=500, validate=validate.Range(1, 1000))
    wait = fields.Integer(load_default=0, validate=validate.Range(0), metadata=doc(HELD, maximum=25))


class LogSchema(Schema):
    """Lines in order. The checkpoint covers the whole log, not the page."""

    entries = fields.List(fields.String(metadata=doc(ENTRY)), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata=doc(NEXT))
    note = note()
    head = fields.Nested(HeadSchema, required=True)


class AuditSchema(Schema):
    """All members are null unless the current log has been audited, or an earlier part of it failed its audit."""

    verdict = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(["holds", "fails", "unknown", "open"]),
        metadata=doc("`holds`: all checks passed; see docs/audit.md.", example="holds"),
    )
    entry = fields.Integer(
        required=True, allow_none=True, metadata=doc("The first entry that fails a check, if it has a number.")
    )
    size = fields.Integer(required=True, allow_none=True, metadata=doc("The number of entries that were audited."))
    says = fields.String(required=True, allow_none=True, metadata=doc("The whole report as text."))
    made_at = moment("When the audit was made. ", allow_none=True)


# --- Checkpoints to compare, and missing lines to submit --------------------------------------------------------------


LONGEST_TEXT = 2**16
PASTED = "As it is in an email: lines may be indented or quoted, with other text around them."
RELATION = (
    "`same`: it matches the log. `older`: the log continues it. `newer`: it covers more entries than the log, "
    "so the game is stopped until someone submits them at `missing`. `lost`: it covers entries that the log "
    "states as lost (`restored`). `fork`: the log has a different entry at that number; keep the checkpoint, "
    "it is evidence. `unsigned`: it names this game but is not signed with its key. `other-game`: it belongs "
    "to another game or server. `none`: there is no checkpoint in the text. Of several checkpoints, the most "
    "serious result."
)
LINES = (
    "Lines of the log, unchanged. The first is at the latest the next one that the server needs, the last is "
    "the one that the checkpoint names. Lines that the server already has may be included."
)
LACKS = "The number of the next sealed move whose text is missing; null: none is missing."
STOPPED = "Whether the game is still stopped, because of missing entries or a fault of the server."


class ShownNoteSchema(Schema):
    """A checkpoint to compare."""

    note = fields.String(required=True, validate=validate.Length(1, LONGEST_TEXT), metadata=doc(PASTED))


class ComparedSchema(Schema):
    """How it relates to the server's log."""

    relation = fields.String(required=True, validate=validate.OneOf(GRAVEST), metadata=doc(RELATION))
    size = fields.Integer(
        required=True,
        allow_none=True,
        metadata=doc("How many entries the submitted checkpoint covers; null without one."),
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
    """Missing entries, as lines of the log. The checkpoint covers the log that ends with the last of them."""

    entries = fields.List(
        fields.String(validate=validate.Length(1, MAX_LINE), metadata=doc(ENTRY)),
        required=True,
        validate=validate.Length(1, MOST_ENTRIES),
        metadata=doc(LINES),
    )
    moves = fields.List(
        fields.Nested(SealedTextSchema),
        load_default=list,
        metadata=doc("Hidden games: the texts of your own sealed moves in the lines."),
    )


class HandedInSchema(Schema):
    """The result of the submission."""

    taken = fields.Integer(required=True, metadata=doc("How many entries were recovered."))
    lacks = fields.Integer(required=True, allow_none=True, metadata=doc(LACKS))
    head = fields.Nested(HeadSchema, required=True)
    note = note()
    stopped = fields.Boolean(required=True, metadata=doc(STOPPED))


# --- The server's own keys --------------------------------------------------------------------------------------------


SIGNED = (
    "The signature of the key before it: a compact JWS with `typ` `sealedmove-server+jws` over `v` (1), `aud` "
    "(the server), `act` (`succeed`) and `key` (this JWK). Null for the first key."
)


class ServerKeySchema(Schema):
    """A key of the server: the members of a JWK, and when it was used."""

    crv = fields.String(required=True, validate=validate.Equal("Ed25519"))
    kty = fields.String(required=True, validate=validate.Equal("OKP"))
    x = fields.String(required=True, metadata=doc("The 32 bytes of the key, in base64url.", example=SOME_HASH))
    kid = fields.String(required=True, metadata=doc("Its RFC 7638 thumbprint.", example=SOME_HASH))
    since = fields.String(
        data_key="from",
        required=True,
        allow_none=True,
        metadata=doc("When the first game with this key was made.", format="date-time"),
    )
    until = fields.String(
        required=True,
        allow_none=True,
        metadata=doc("When the first game with the next key was made.", format="date-time"),
    )
    signed = fields.String(required=True, allow_none=True, metadata=doc(SIGNED))


class ServerKeysSchema(Schema):
    """The server and its keys, oldest first. `from` and `until` are informative."""

    server = fields.String(
        required=True, metadata=doc("The name of the server, which acts contain as `aud`.", example="games.example")
    )
    keys = fields.List(fields.Nested(ServerKeySchema), required=True)
    spec = fields.String(
        required=True, metadata=doc("The version of the record that this server writes.", example="sealedmove/1")
    )
    software = fields.String(required=True)
    contact = fields.String(required=True, allow_none=True, metadata=doc("How to reach the operator."))
