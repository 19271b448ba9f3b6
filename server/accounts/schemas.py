"""Schemas of accounts, sessions, tokens, keys and waiting acts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from marshmallow import Schema, fields, validate

from server.http.credentials import LASTING, SCOPES
from server.http.document.payloads import ABOUT
from server.http.schemas import NAME, ZONE, check_mailed, days, doc, moment
from server.play.schemas import COMPACT, LARGEST, inside, jws

SCOPED = (
    "`read`: see what your seats see; `play`: make and cancel games; `account`: name, tokens, keys. Moves do not "
    "need a scope."
)
WHY = "`refused`: the mailbox does not exist; `given-up`: it did not accept the email for days."
TROUBLE = "Null if the last email to you was delivered."
STOP = (
    "`gone`: the mailbox does not exist; `failing`: all emails failed for a week; `complaint`: one was reported as "
    "spam."
)
STOPPED = "Null if emails are sent to you. `DELETE /v1/me/mail-stop` resumes them."
HIDES_PACE = "Whether your page does not show how long your turns take, see `GET /v1/players/{handle}`."
KID = "The RFC 7638 thumbprint of the public key: see `JwsHeader`."


class MailTroubleSchema(Schema):
    """The last email to you, which was not delivered."""

    since = moment()
    why = fields.String(required=True, validate=validate.OneOf(("refused", "given-up")), metadata=doc(WHY))
    says = fields.String(required=True, allow_none=True, metadata=doc("The mail server's answer."))


class MailStoppedSchema(Schema):
    """Emails to you are stopped, except sign-in links and security notices."""

    since = moment()
    why = fields.String(required=True, validate=validate.OneOf(("gone", "failing", "complaint")), metadata=doc(STOP))
    says = fields.String(required=True, metadata=doc("The mail server's report."))


class MeSchema(Schema):
    """An account as its owner sees it."""

    id = fields.Integer(required=True)
    name = fields.String(required=True)
    handle = fields.String(
        required=True, metadata=doc("Your unique short name. Others invite you by it.", example="k7f2mq9x")
    )
    email = fields.String(required=True, metadata=doc("Email address. Empty for a bot or a guest, who has none."))
    bot = fields.Boolean(required=True, metadata=doc("Whether the account is a bot's."))
    zone = fields.String(required=True, metadata=doc(ZONE))
    hides_pace = fields.Boolean(required=True, metadata=doc(HIDES_PACE))
    created_at = moment()
    mail_trouble = fields.Nested(MailTroubleSchema, required=True, allow_none=True, metadata=doc(TROUBLE))
    mail_stopped = fields.Nested(MailStoppedSchema, required=True, allow_none=True, metadata=doc(STOPPED))
    scopes = fields.List(fields.String(validate=validate.OneOf(SCOPES)), required=True, metadata=doc(SCOPED))


class RenameSchema(Schema):
    """Your public name, your time zone and your pace. Members that you leave out do not change."""

    name = fields.String(validate=NAME)
    zone = fields.String(validate=validate.Length(1, 40), metadata=doc(ZONE, example="Europe/Berlin"))
    hides_pace = fields.Boolean(metadata=doc(HIDES_PACE))


class SessionSchema(Schema):
    """A signed-in browser."""

    id = fields.Integer(required=True)
    created_at = moment()
    last_used_at = moment()
    current = fields.Boolean(required=True, metadata=doc("Whether this is the session of the request."))


class CreateTokenSchema(Schema):
    """A token for a program. Give it as few scopes as possible."""

    name = fields.String(required=True, validate=NAME)
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        required=True,
        validate=validate.Length(1, len(SCOPES)),
        metadata=doc(SCOPED),
    )
    days = days()


class TokenSchema(Schema):
    """An active token. The token itself is shown only when it is made."""

    id = fields.Integer(required=True)
    name = fields.String(required=True)
    scopes = fields.List(fields.String(validate=validate.OneOf(SCOPES)), required=True, metadata=doc(SCOPED))
    created_at = moment()
    expires_at = moment("When it expires; null: it lasts until you revoke it. ", allow_none=True)
    account_until = moment(
        "For a token from a sign-in link: until when it also has the scope `account`. ", allow_none=True
    )
    last_used_at = moment("Recorded at most once an hour; null: never used. ", allow_none=True)


class MadeTokenSchema(TokenSchema):
    """The token, shown once."""

    token = fields.String(required=True)


class ChallengeSchema(Schema):
    """Sign it within ten minutes."""

    nonce = fields.String(required=True, metadata=doc("Copy it into the payload."))
    at = moment("Copy it into the payload of a statement. ")


class RegisterKeySchema(Schema):
    """A signed registration."""

    jws = jws("RegisterPayload")


class KeySchema(Schema):
    """A registered key: its thumbprint and its JWK's `x`."""

    kid = fields.String(required=True, metadata=doc(KID))
    x = fields.String(required=True, metadata=doc("The 32 bytes of the public key, in base64url."))
    counts = fields.Boolean(
        required=True, metadata=doc("Whether the key is approved: it then signs statements for the account too.")
    )
    session = fields.Integer(
        required=True,
        allow_none=True,
        metadata=doc("The browser session that last registered it; null: a program."),
    )
    asked_at = moment("When its device last asked for approval; null once it is approved. ", allow_none=True)
    created_at = moment()


# --- Signing in -------------------------------------------------------------------------------------------------------


EMAIL: list[Callable[[str], Any]] = [validate.Length(3, 254), validate.Regexp(r"^[!-~]+$(?!\n)"), check_mailed]


class LoginSchema(Schema):
    """The address to send a link to. `name` is the public name of a new account."""

    email = fields.Email(
        required=True,
        validate=EMAIL,
        metadata=doc("Stored in lower case.", example="ada@players.example"),
    )
    name = fields.String(
        validate=NAME,
        metadata=doc("The name that other players see. Ignored if the account exists.", example="Ada"),
    )


class AskedSchema(Schema):
    """Empty. Whether an email was sent is not revealed."""


class ConfirmSchema(Schema):
    """The last part of the emailed link, and the token to make."""

    token = fields.String(
        required=True, validate=validate.Length(1, 200), metadata=doc("The part after `/login/` in the emailed link.")
    )
    name = fields.String(
        load_default="a program", validate=NAME, metadata=doc("Name of the token in your list of tokens.")
    )
    scopes = fields.List(
        fields.String(validate=validate.OneOf(LASTING)),
        load_default=list(LASTING),
        validate=validate.Length(1, len(LASTING)),
        metadata=doc("The scopes that the token keeps after its first hour, in which it has all three."),
    )
    days = days()


class AccountSchema(Schema):
    """The account of the token."""

    id = fields.Integer(required=True)
    name = fields.String(required=True)


class SignedInSchema(Schema):
    """The token is shown once."""

    token = fields.String(required=True, metadata=doc("An API token: `Authorization: Bearer sm_...`."))
    account = fields.Nested(AccountSchema, required=True)


# --- Signed acts of an account, waiting acts, and the key backup ------------------------------------------------------


PROOF = (
    "A statement by an approved key of your account: a compact JWS of type `sealedmove-account+jws` with a "
    "`StatementPayload`, over a challenge from `POST /v1/me/keys/challenge`. Without a key, request the act at "
    "`/v1/me/waiting`."
)
KID_PATTERN = r"^[A-Za-z0-9_-]{43}$(?!\n)"
AS_NAMED = "As named in the statement that would do it at once."
BOX = (
    "A compact JWE as docs/spec/keybox.md specifies: `PBES2-HS512+A256KW` with 8192 rounds, `A256GCM`, and in "
    "its header the server as `aud`, the account's number as `sub`, and the thumbprint of the recovery key as "
    "`kid`."
)

FORMER_BOXES = (
    "The backups that this one has replaced, newest first, at most eight. A seat whose recovery key could not be "
    "replaced still has the key in one of them. Deleting the backup deletes them too."
)


class ProofSchema(Schema):
    """The signature with which the act takes effect now."""

    proof = fields.String(
        data_key="Sealed-Move-Proof",
        validate=[validate.Length(1, LARGEST), validate.Regexp(COMPACT)],
        metadata=doc(PROOF, **inside("StatementPayload")),
    )


class ConditionSchema(ProofSchema):
    """The signature, and the key backup that the caller expects."""

    known = fields.String(
        data_key="If-Match",
        metadata=doc("The `ETag` of the key backup that you have.", example='"fFEzEIU09w65qyHJ04kl2k"'),
    )
    none = fields.String(
        data_key="If-None-Match",
        validate=validate.Equal("*"),
        metadata=doc("`*`: only if there is no key backup.", enum=["*"]),
    )


class WaitingSchema(Schema):
    """An act that cannot be undone and waits because it is unsigned."""

    id = fields.Integer(required=True)
    act = fields.String(
        required=True,
        validate=validate.OneOf(sorted(set(ABOUT) - {"box", "token"})),
        metadata=doc(AS_NAMED),
    )
    about = fields.String(required=True, metadata=doc("The subject: the `kid` of a key, or an address."))
    signed = fields.Boolean(
        required=True,
        metadata=doc("Whether it is signed. A signed change of address does not need the old address to be confirmed."),
    )
    confirmed_old = fields.Boolean(required=True, metadata=doc("Whether the old address is confirmed."))
    confirmed_new = fields.Boolean(required=True, metadata=doc("Whether the new address is confirmed."))
    created_at = moment()
    due_at = moment("When it takes effect unless it is cancelled. ")


class AskWaitingSchema(Schema):
    """The act to carry out in seven days, without a signature."""

    act = fields.String(
        required=True, validate=validate.OneOf(("erase", "drop-key", "drop-box")), metadata=doc(AS_NAMED)
    )
    about = fields.String(
        load_default="",
        validate=validate.Regexp(r"^([A-Za-z0-9_-]{43})?$(?!\n)"),
        metadata=doc("The `kid` of the key or of the key backup."),
    )


class AddressSchema(Schema):
    """The new email address."""

    email = fields.Email(
        required=True, validate=EMAIL, metadata=doc("Stored in lower case.", example="ada@new.example")
    )


class PutBoxSchema(Schema):
    """A recovery key, encrypted with a code that the server never sees."""

    box = fields.String(required=True, validate=validate.Length(1, 4096), metadata=doc(BOX))
    x = fields.String(
        required=True,
        validate=validate.Regexp(KID_PATTERN),
        metadata=doc("The public half of the recovery key, in base64url. It may approve your next device."),
    )


class KeyBoxSchema(Schema):
    """The key backup as it was stored."""

    box = fields.String(required=True, metadata=doc(BOX))
    kid = fields.String(required=True, metadata=doc("The thumbprint of its recovery key, and its `ETag`."))
    x = fields.String(required=True, metadata=doc("The public half of the recovery key."))
    former = fields.List(fields.String(), required=True, metadata=doc(FORMER_BOXES))
    created_at = moment()


class ExportSchema(Schema):
    """All data of an account, by kind. Rows have the names of their columns."""

    account = fields.Dict(required=True, metadata=doc("Your account."))
    keys = fields.List(fields.Dict(), required=True, metadata=doc("The public halves of your registered keys."))
    keybox = fields.List(fields.Dict(), required=True, metadata=doc("The key backup, if there is one."))
    former_keyboxes = fields.List(fields.Dict(), required=True, metadata=doc("Earlier key backups; `box` may be null."))
    sessions = fields.List(fields.Dict(), required=True, metadata=doc("Your signed-in browsers."))
    tokens = fields.List(fields.Dict(), required=True, metadata=doc("API tokens by name, including revoked ones."))
    webhooks = fields.List(fields.Dict(), required=True, metadata=doc("Webhooks to which your events are sent."))
    waiting = fields.List(fields.Dict(), required=True, metadata=doc("Acts that wait or have waited."))
    seats = fields.List(fields.Dict(), required=True, metadata=doc("Seats that you hold."))
    former_seats = fields.List(fields.Dict(), required=True, metadata=doc("Seats that you held."))
    turns = fields.List(fields.Dict(), required=True, metadata=doc("Your turns that count for your page."))
    opened_games = fields.List(fields.Dict(), required=True, metadata=doc("Games that you created."))
    mails = fields.List(fields.Dict(), required=True, metadata=doc("Emails sent to you, and when."))
    mail_reports = fields.List(
        fields.Dict(), required=True, metadata=doc("Delivery reports on them: failures and complaints.")
    )
    mail_choices = fields.List(fields.Dict(), required=True, metadata=doc("Your email settings."))
    mail_exceptions = fields.List(fields.Dict(), required=True, metadata=doc("Your email settings for single tables."))
    messages = fields.List(fields.Dict(), required=True, metadata=doc("Your messages at tables."))
    blocks = fields.List(fields.Dict(), required=True, metadata=doc("Players whom you have blocked."))
    refused_inviters = fields.List(
        fields.Dict(), required=True, metadata=doc("Players whose invitations you refuse; `by_id` null: everybody's.")
    )
    notes = fields.List(fields.Dict(), required=True, metadata=doc("Your private notes on games."))
    calendar = fields.List(fields.Dict(), required=True, metadata=doc("Your calendar link, without its secret."))
    bots = fields.List(fields.Dict(), required=True, metadata=doc("Your bots."))
