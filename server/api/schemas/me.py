"""One's own account, tokens and keys."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.api.schemas.base import NAME, moment
from server.auth.tokens import SCOPES


class MeSchema(Schema):
    """An account as its owner sees it."""

    id = fields.Integer(required=True)
    name = fields.String(required=True)
    email = fields.String(required=True)
    created_at = moment()
    scopes = fields.List(fields.String(), required=True)


class RenameSchema(Schema):
    """What others read at the table."""

    name = fields.String(required=True, validate=NAME)


class NewTokenSchema(Schema):
    """A token for a program, with no more than it needs."""

    name = fields.String(required=True, validate=NAME)
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)), required=True, validate=validate.Length(1, len(SCOPES))
    )


class TokenSchema(Schema):
    """A token that is in force; the token itself is shown only when it is made."""

    id = fields.Integer(required=True)
    name = fields.String(required=True)
    scopes = fields.List(fields.String(), required=True)
    created_at = moment()


class MadeTokenSchema(TokenSchema):
    """The token, shown once."""

    token = fields.String(required=True)


class ChallengeSchema(Schema):
    """Sign it with the new key within ten minutes."""

    nonce = fields.String(required=True)


class JwsSchema(Schema):
    """A compact JWS."""

    jws = fields.String(required=True, validate=validate.Length(1, 2**14))


class KeySchema(Schema):
    """A registered key: its thumbprint and its JWK's `x`."""

    kid = fields.String(required=True)
    x = fields.String(required=True)
    created_at = moment()


class TurnSchema(Schema):
    """A move that one owes."""

    game = fields.String(required=True)
    type = fields.String(required=True)
    seat = fields.Integer(required=True)
    question_seq = fields.Integer(required=True)
    since = moment(allow_none=True)
    deadline = moment(allow_none=True)
    stopped = fields.Boolean(required=True)
