"""One's own account, tokens and keys."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.api.schemas.acts import jws
from server.api.schemas.base import NAME, ZONE, days, moment, says
from server.auth.tokens import SCOPES

SCOPED = "`read`: what your seats see; `play`: make and cancel games; `account`: name, tokens, keys. Moves need none."
WHY = "`refused`: there is no such mailbox; `given-up`: it was not taken for days."
TROUBLE = "Null as long as the last mail to you has arrived."
STOP = "`gone`: the mailbox is not there; `failing`: for a week every mail came back; `complaint`: it was called spam."
STOPPED = "Null as long as mail goes to you. `DELETE /v1/me/mail-stop` has it go again."
KID = "The RFC 7638 thumbprint of the public key: see `JwsHeader`."


def kid_schema(_converter: object) -> dict[str, str]:
    """What the document says of a thumbprint in a path."""
    return {"type": "string", "pattern": "^[A-Za-z0-9_-]{43}$"}


class MailTroubleSchema(Schema):
    """The last mail to you, which did not arrive."""

    since = moment()
    why = fields.String(required=True, validate=validate.OneOf(("refused", "given-up")), metadata=says(WHY))
    says = fields.String(required=True, allow_none=True, metadata=says("What the mail server said."))


class MailStoppedSchema(Schema):
    """Mail to you is kept back, but for what your account's safety needs and links to sign in."""

    since = moment()
    why = fields.String(required=True, validate=validate.OneOf(("gone", "failing", "complaint")), metadata=says(STOP))
    says = fields.String(required=True, metadata=says("What was said of it."))


class MeSchema(Schema):
    """An account as its owner sees it."""

    id = fields.Integer(required=True)
    name = fields.String(required=True)
    email = fields.String(required=True, metadata=says("Where mail goes; a bot has no address, and it is empty."))
    bot = fields.Boolean(required=True, metadata=says("Does a machine play under this name?"))
    zone = fields.String(required=True, metadata=says(ZONE))
    created_at = moment()
    mail_trouble = fields.Nested(MailTroubleSchema, required=True, allow_none=True, metadata=says(TROUBLE))
    mail_stopped = fields.Nested(MailStoppedSchema, required=True, allow_none=True, metadata=says(STOPPED))
    scopes = fields.List(fields.String(validate=validate.OneOf(SCOPES)), required=True, metadata=says(SCOPED))


class RenameSchema(Schema):
    """What others read at the table, and where you keep your hours; what is left out stays."""

    name = fields.String(validate=NAME)
    zone = fields.String(validate=validate.Length(1, 40), metadata=says(ZONE, example="Europe/Berlin"))


class SessionSchema(Schema):
    """A browser that is signed in."""

    id = fields.Integer(required=True)
    created_at = moment()
    last_used_at = moment()
    current = fields.Boolean(required=True, metadata=says("Is it the one that asks?"))


class NewTokenSchema(Schema):
    """A token for a program, with no more than it needs."""

    name = fields.String(required=True, validate=NAME)
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        required=True,
        validate=validate.Length(1, len(SCOPES)),
        metadata=says(SCOPED),
    )
    days = days()


class TokenSchema(Schema):
    """A token that is in force; the token itself is shown only when it is made."""

    id = fields.Integer(required=True)
    name = fields.String(required=True)
    scopes = fields.List(fields.String(validate=validate.OneOf(SCOPES)), required=True, metadata=says(SCOPED))
    created_at = moment()
    expires_at = moment("From then on it opens nothing; null: it lasts until it is revoked. ", allow_none=True)
    account_until = moment("Of one that a mail alone gave: until then it has the scope `account`. ", allow_none=True)
    last_used_at = moment("Noted once an hour at most; null: never. ", allow_none=True)


class MadeTokenSchema(TokenSchema):
    """The token, shown once."""

    token = fields.String(required=True)


class ChallengeSchema(Schema):
    """Sign it within ten minutes."""

    nonce = fields.String(required=True, metadata=says("Goes into the payload as it is."))
    at = moment("Goes into the payload of a statement as it is. ")


class RegisterKeySchema(Schema):
    """A signed registration."""

    jws = jws("RegisterPayload")


class KeySchema(Schema):
    """A registered key: its thumbprint and its JWK's `x`."""

    kid = fields.String(required=True, metadata=says(KID))
    x = fields.String(required=True, metadata=says("The 32 bytes of the public key, in base64url."))
    counts = fields.Boolean(required=True, metadata=says("Does it sign for the account too, and not for seats alone?"))
    session = fields.Integer(
        required=True,
        allow_none=True,
        metadata=says("The browser's session that registered it last; null: a program's."),
    )
    asked_at = moment("When its device asked last to be let in; null once it counts. ", allow_none=True)
    created_at = moment()
