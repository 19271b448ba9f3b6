"""What an account signs for itself, what waits, and its key box."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.api.schemas.acts import COMPACT, LARGEST, inside
from server.api.schemas.base import moment, says
from server.api.schemas.login import EMAIL
from server.api.schemas.payloads import ABOUT

PROOF = (
    "A statement by a key that counts for your account: a compact JWS of the type `sealedmove-account+jws` with a "
    "`StatementPayload`, over a challenge of `POST /v1/me/keys/challenge`. Who has none asks at `/v1/me/waiting`."
)
KID = r"^[A-Za-z0-9_-]{43}$(?!\n)"
AS_NAMED = "As the statement that would do it at once names it."
BOX = (
    "A JWE in compact form, as docs/spec/keybox.md lays it down: `PBES2-HS512+A256KW` with 8192 rounds, `A256GCM`, and "
    "in its header the server as `aud`, the account's number as `sub`, and the thumbprint of the recovery key as `kid`."
)


class ProofSchema(Schema):
    """The signature that lets it happen now."""

    proof = fields.String(
        data_key="Sealed-Move-Proof",
        validate=[validate.Length(1, LARGEST), validate.Regexp(COMPACT)],
        metadata=says(PROOF, **inside("StatementPayload")),
    )


class ConditionSchema(ProofSchema):
    """The signature, and which box the caller knows."""

    known = fields.String(
        data_key="If-Match", metadata=says("The `ETag` of the box that you have.", example='"fFEzEIU09w65qyHJ04kl2k"')
    )
    none = fields.String(
        data_key="If-None-Match",
        validate=validate.Equal("*"),
        metadata=says("`*`: only if there is no box.", enum=["*"]),
    )


class WaitingSchema(Schema):
    """An act that cannot be undone, and waits for its time because nobody has signed for it."""

    id = fields.Integer(required=True)
    act = fields.String(
        required=True,
        validate=validate.OneOf(sorted(set(ABOUT) - {"box", "token"})),
        metadata=says(AS_NAMED),
    )
    about = fields.String(required=True, metadata=says("What it is about: a key's `kid`, or an address."))
    signed = fields.Boolean(
        required=True, metadata=says("Was it signed? Then a change of address needs no word from the old one.")
    )
    confirmed_old = fields.Boolean(required=True, metadata=says("Has the mail to the old address been answered?"))
    confirmed_new = fields.Boolean(required=True, metadata=says("Has the mail to the new address been answered?"))
    created_at = moment()
    due_at = moment("When it happens, unless it is cancelled. ")


class AskWaitingSchema(Schema):
    """What is to happen in seven days, without a signature."""

    act = fields.String(
        required=True, validate=validate.OneOf(("erase", "drop-key", "drop-box")), metadata=says(AS_NAMED)
    )
    about = fields.String(
        load_default="",
        validate=validate.Regexp(r"^([A-Za-z0-9_-]{43})?$(?!\n)"),
        metadata=says("The `kid` of the key, or of the box."),
    )


class AddressSchema(Schema):
    """Where mail is to go."""

    email = fields.Email(
        required=True, validate=EMAIL, metadata=says("Kept in small letters.", example="ada@new.example")
    )


class PutBoxSchema(Schema):
    """A recovery key, wrapped with a code that the server never sees."""

    box = fields.String(required=True, validate=validate.Length(1, 4096), metadata=says(BOX))
    x = fields.String(
        required=True,
        validate=validate.Regexp(KID),
        metadata=says("The public half of the recovery key, in base64url: it may let your next device in."),
    )


class KeyBoxSchema(Schema):
    """The box as it was given."""

    box = fields.String(required=True, metadata=says(BOX))
    kid = fields.String(required=True, metadata=says("The thumbprint of the recovery key in it, and its `ETag`."))
    x = fields.String(required=True, metadata=says("The public half of the recovery key."))
    created_at = moment()


class ExportSchema(Schema):
    """All that is kept of an account, by what it is; rows have the names of their columns."""

    account = fields.Dict(required=True, metadata=says("Who you are."))
    keys = fields.List(fields.Dict(), required=True, metadata=says("Registered keys, their public halves."))
    keybox = fields.List(fields.Dict(), required=True, metadata=says("The key box, if there is one."))
    sessions = fields.List(fields.Dict(), required=True, metadata=says("Browsers that are signed in."))
    tokens = fields.List(fields.Dict(), required=True, metadata=says("API tokens by name, revoked ones too."))
    webhooks = fields.List(fields.Dict(), required=True, metadata=says("Where your events are sent."))
    waiting = fields.List(fields.Dict(), required=True, metadata=says("What waits or has waited for seven days."))
    seats = fields.List(fields.Dict(), required=True, metadata=says("Seats that you hold."))
    former_seats = fields.List(fields.Dict(), required=True, metadata=says("Seats that you held."))
    opened_games = fields.List(fields.Dict(), required=True, metadata=says("Games that you opened."))
    mails = fields.List(fields.Dict(), required=True, metadata=says("What was mailed to you, and when."))
    mail_reports = fields.List(
        fields.Dict(), required=True, metadata=says("What was said of them: that one came back, a complaint.")
    )
    mail_choices = fields.List(fields.Dict(), required=True, metadata=says("What you chose about mails."))
    mail_exceptions = fields.List(fields.Dict(), required=True, metadata=says("What is otherwise at a table."))
    calendar = fields.List(fields.Dict(), required=True, metadata=says("The link of your calendar, but its secret."))
    bots = fields.List(fields.Dict(), required=True, metadata=says("Bots for which you answer."))
