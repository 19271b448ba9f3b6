"""Signing in."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.api.schemas.base import NAME


class LoginSchema(Schema):
    """Whom to mail a link; `name` is what a new account will be called in public."""

    email = fields.Email(required=True, validate=[validate.Length(3, 254), validate.Regexp(r"^[!-~]+$(?!\n)")])
    name = fields.String(validate=NAME)


class ConfirmSchema(Schema):
    """The last part of the mailed link."""

    token = fields.String(required=True, validate=validate.Length(1, 200))


class AccountSchema(Schema):
    """Whose the token is."""

    id = fields.Integer(required=True)
    name = fields.String(required=True)


class SignedInSchema(Schema):
    """The token is shown once."""

    token = fields.String(required=True)
    account = fields.Nested(AccountSchema, required=True)
