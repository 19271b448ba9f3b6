"""Kinds of games, and the clocks that are offered for new ones."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.http.schemas import doc
from server.tables import time_controls
from server.tables.schemas import ShownClockSchema

STAGES = ("tiny", "beta", "stable")


class SpanSchema(Schema):
    """Smallest and largest number of players."""

    fewest = fields.Integer(required=True)
    most = fields.Integer(required=True)


class VersionsSchema(Schema):
    """Versions of the rules that this server has."""

    first = fields.Integer(required=True)
    current = fields.Integer(required=True)


class PackageSchema(Schema):
    """An installed package that brings games."""

    name = fields.String(required=True, metadata=doc("Its name in Python.", example="sealedmove-oysters"))
    version = fields.String(required=True, metadata=doc("Its installed version.", example="1.0"))


class GameTypeSchema(Schema):
    """Facts about a game type."""

    key = fields.String(required=True, metadata=doc("The `type` of a new game.", example="livingstone"))
    title = fields.String(required=True)
    designers = fields.List(fields.String(), required=True)
    year = fields.Integer(required=True)
    seats = fields.Nested(SpanSchema, required=True)
    rules = fields.Nested(VersionsSchema, required=True)
    stage = fields.String(
        required=True,
        validate=validate.OneOf(STAGES),
        metadata=doc("How well the rules are tested.", **{"x-open": True}),
    )
    hidden = fields.Boolean(
        required=True, metadata=doc("Whether seats have secrets with the default options. Each game states its own.")
    )
    package = fields.Nested(
        PackageSchema,
        required=True,
        allow_none=True,
        metadata=doc("The installed package that brings the game; null if it comes with the server."),
    )


class CommandKindSchema(Schema):
    """A kind of command: its text form, its private fields and its JSON Schema."""

    notation = fields.String(required=True, metadata=doc("`{field}`, `[optional part]`.", example="coins {die}"))
    sealed = fields.List(fields.String(), required=True, metadata=doc("Fields that other players do not see."))
    schema = fields.Dict(required=True, metadata=doc("JSON Schema of the command."))


class FullTypeSchema(GameTypeSchema):
    """With the schemas of what players send, and the reasons for refusals."""

    options = fields.Dict(required=True, metadata=doc("JSON Schema of the options of a new game."))
    commands = fields.List(fields.Nested(CommandKindSchema), required=True)
    refusals = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=doc("Codes of refused moves, each with its sentence; `{names}` in it are `facts` of the problem."),
    )
    endings = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=doc("Why a game of this type can end: each `reason` of a result with its sentence."),
    )
    guide = fields.String(
        required=True,
        metadata=doc(
            "How to play the game here, as Markdown. Also a page: `/play/{key}`. A line "
            "`![Caption](golden/NAME.txt#N)` is a picture, served at `/play/{key}/golden/NAME/N.svg`."
        ),
    )


class OfferedClockSchema(Schema):
    """A suggested clock."""

    pace = fields.String(
        required=True,
        validate=validate.OneOf(time_controls.KEYS),
        metadata=doc("Use it to filter lists of games by their clocks.", **{"x-open": True}),
    )
    title = fields.String(required=True, metadata=doc("In words.", example="One turn a day"))
    clock = fields.Nested(
        ShownClockSchema, required=True, allow_none=True, metadata=doc("For a new game. Null: no clock.")
    )
