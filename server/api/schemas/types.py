"""Kinds of games."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server import paces
from server.api.schemas.base import says
from server.api.schemas.games import ShownClockSchema

STAGES = ("tiny", "beta", "stable")


class SpanSchema(Schema):
    """Fewest and most players."""

    fewest = fields.Integer(required=True)
    most = fields.Integer(required=True)


class VersionsSchema(Schema):
    """Rules versions that run here."""

    first = fields.Integer(required=True)
    current = fields.Integer(required=True)


class TypeSchema(Schema):
    """Facts about a game."""

    key = fields.String(required=True, metadata=says("What a new game names as its `type`.", example="livingstone"))
    title = fields.String(required=True)
    designers = fields.List(fields.String(), required=True)
    year = fields.Integer(required=True)
    seats = fields.Nested(SpanSchema, required=True)
    rules = fields.Nested(VersionsSchema, required=True)
    stage = fields.String(
        required=True,
        validate=validate.OneOf(STAGES),
        metadata=says("How far the rules are tried out.", **{"x-open": True}),
    )
    hidden = fields.Boolean(
        required=True, metadata=says("Whether seats have secrets with the default options; each game says its own.")
    )


class CommandKindSchema(Schema):
    """A kind of command: its text form, what only the seat may know, its JSON Schema."""

    notation = fields.String(required=True, metadata=says("`{field}`, `[left out at will]`.", example="coins {die}"))
    sealed = fields.List(fields.String(), required=True, metadata=says("Fields that others do not see."))
    schema = fields.Dict(required=True, metadata=says("JSON Schema of the command."))


class FullTypeSchema(TypeSchema):
    """With what players send and why it may be refused."""

    options = fields.Dict(required=True, metadata=says("JSON Schema of the options of a new game."))
    commands = fields.List(fields.Nested(CommandKindSchema), required=True)
    refusals = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=says("Codes of a refused move, each with its sentence; `{names}` in it are `facts` of the problem."),
    )
    endings = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=says("Why a game of this type can end: the `reason` of a result, each with its sentence."),
    )
    guide = fields.String(
        required=True, metadata=says("What a player must know to play it here, as Markdown; as a page: `/play/{key}`.")
    )


class OfferedClockSchema(Schema):
    """A clock that a form offers."""

    pace = fields.String(
        required=True,
        validate=validate.OneOf(paces.KEYS),
        metadata=says("Clocks as quick as this one are found by it.", **{"x-open": True}),
    )
    title = fields.String(required=True, metadata=says("In words.", example="A turn a day"))
    clock = fields.Nested(
        ShownClockSchema, required=True, allow_none=True, metadata=says("As a new game takes it. Null: none.")
    )
