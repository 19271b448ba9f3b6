"""Signing in."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.api.schemas.base import NAME, days, says
from server.auth.tokens import LASTING

EMAIL = [validate.Length(3, 254), validate.Regexp(r"^[!-~]+$(?!\n)")]


class LoginSchema(Schema):
    """Whom to mail a link; `name` is what a new account will be called in public."""

    email = fields.Email(
        required=True,
        validate=EMAIL,
        metadata=says("Kept in small letters.", example="ada@players.example"),
    )
    name = fields.String(
        validate=NAME,
        metadata=says("What others read at the table; of an account that exists it changes nothing.", example="Ada"),
    )


class AskedSchema(Schema):
    """Nothing: what was asked for is on its way, or nobody is told that it is not."""


class ConfirmSchema(Schema):
    """The last part of the mailed link, and what token the program asks for."""

    token = fields.String(
        required=True, validate=validate.Length(1, 200), metadata=says("What follows `/login/` in the mailed link.")
    )
    name = fields.String(load_default="a program", validate=NAME, metadata=says("Of the token, in the list of yours."))
    scopes = fields.List(
        fields.String(validate=validate.OneOf(LASTING)),
        load_default=list(LASTING),
        validate=validate.Length(1, len(LASTING)),
        metadata=says("Which of them the token keeps after its first hour, in which it has all three."),
    )
    days = days()


class AccountSchema(Schema):
    """Whose the token is."""

    id = fields.Integer(required=True)
    name = fields.String(required=True)


class SignedInSchema(Schema):
    """The token is shown once."""

    token = fields.String(required=True, metadata=says("An API token: `Authorization: Bearer sm_...`."))
    account = fields.Nested(AccountSchema, required=True)
