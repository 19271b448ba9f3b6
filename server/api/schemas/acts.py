"""Signed acts and their answers."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.api.schemas.base import line, note


class ActSchema(Schema):
    """A compact JWS of type sealedmove+jws."""

    jws = fields.String(required=True, validate=validate.Length(1, 2**14))


class MoveSchema(ActSchema):
    """In a hidden game with the text that the signature seals."""

    text = fields.String(validate=validate.Length(1, 2**14))


class AnswerSchema(Schema):
    """What the act became: public bytes only, since anybody can post the same JWS again."""

    entry = line()
    note = note()
