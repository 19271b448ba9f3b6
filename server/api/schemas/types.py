"""Kinds of games."""

from __future__ import annotations

from marshmallow import Schema, fields


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

    key = fields.String(required=True)
    title = fields.String(required=True)
    designers = fields.List(fields.String(), required=True)
    year = fields.Integer(required=True)
    seats = fields.Nested(SpanSchema, required=True)
    rules = fields.Nested(VersionsSchema, required=True)
    stage = fields.String(required=True)
    hidden = fields.Boolean(required=True)


class CommandKindSchema(Schema):
    """A kind of command: its text form, what only the seat may know, its JSON Schema."""

    notation = fields.String(required=True)
    sealed = fields.List(fields.String(), required=True)
    schema = fields.Dict(required=True)


class FullTypeSchema(TypeSchema):
    """With what players send and why it may be refused."""

    options = fields.Dict(required=True)
    commands = fields.List(fields.Nested(CommandKindSchema), required=True)
    refusals = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
