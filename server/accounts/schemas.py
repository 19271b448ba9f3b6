"""One's own account, tokens and keys."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.http.credentials import LASTING, SCOPES
from server.http.document.payloads import ABOUT
from server.http.schemas import NAME, ZONE, days, doc, moment
from server.play.schemas import COMPACT, LARGEST, inside, jws

SCOPED = "`read`: what your seats see; `play`: make and cancel games; `account`: name, tokens, keys. Moves need none."
WHY = "`refused`: there is no such mailbox; `given-up`: it was not taken for days."
TROUBLE = "Null as long as the last mail to you has arrived."
STOP = "`gone`: the mailbox is not there; `failing`: for a week every mail came back; `complaint`: it was called spam."
STOPPED = "Null as long as mail goes to you. `DELETE /v1/me/mail-stop` has it go again."
KID = "The RFC 7638 thumbprint of the public key: see `JwsHeader`."


class MailTroubleSchema(Schema):
    """The last mail to you, which did not arrive."""

    since = moment()
    why = fields.String(required=True, validate=validate.OneOf(("refused", "given-up")), metadata=doc(WHY))
    says = fields.String(required=True, allow_none=True, metadata=doc("What the mail server said."))


class MailStoppedSchema(Schema):
    """Mail to you is kept back, but for what your account's safety needs and links to sign in."""

    since = moment()
    why = fields.String(required=True, validate=validate.OneOf(("gone", "failing", "complaint")), metadata=doc(STOP))
    says = fields.String(required=True, metadata=doc("What was said of it."))


class MeSchema(Schema):
    """An account as its owner sees it."""

    id = fields.Integer(required=True)
    name = fields.String(required=True)
    email = fields.String(required=True, metadata=doc("Where mail goes; a bot has no address, and it is empty."))
    bot = fields.Boolean(required=True, metadata=doc("Does a machine play under this name?"))
    zone = fields.String(required=True, metadata=doc(ZONE))
    created_at = moment()
    mail_trouble = fields.Nested(MailTroubleSchema, required=True, allow_none=True, metadata=doc(TROUBLE))
    mail_stopped = fields.Nested(MailStoppedSchema, required=True, allow_none=True, metadata=doc(STOPPED))
    scopes = fields.List(fields.String(validate=validate.OneOf(SCOPES)), required=True, metadata=doc(SCOPED))


class RenameSchema(Schema):
    """What others read at the table, and where you keep your hours; what is left out stays."""

    name = fields.String(validate=NAME)
    zone = fields.String(validate=validate.Length(1, 40), metadata=doc(ZONE, example="Europe/Berlin"))


class SessionSchema(Schema):
    """A browser that is signed in."""

    id = fields.Integer(required=True)
    created_at = moment()
    last_used_at = moment()
    current = fields.Boolean(required=True, metadata=doc("Is it the one that asks?"))


class NewTokenSchema(Schema):
    """A token for a program, with no more than it needs."""

    name = fields.String(required=True, validate=NAME)
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        required=True,
        validate=validate.Length(1, len(SCOPES)),
        metadata=doc(SCOPED),
    )
    days = days()


class TokenSchema(Schema):
    """A token that is in force; the token itself is shown only when it is made."""

    id = fields.Integer(required=True)
    name = fields.String(required=True)
    scopes = fields.List(fields.String(validate=validate.OneOf(SCOPES)), required=True, metadata=doc(SCOPED))
    created_at = moment()
    expires_at = moment("From then on it opens nothing; null: it lasts until it is revoked. ", allow_none=True)
    account_until = moment("Of one that a mail alone gave: until then it has the scope `account`. ", allow_none=True)
    last_used_at = moment("Noted once an hour at most; null: never. ", allow_none=True)


class MadeTokenSchema(TokenSchema):
    """The token, shown once."""

    token = fields.String(required=True)


class ChallengeSchema(Schema):
    """Sign it within ten minutes."""

    nonce = fields.String(required=True, metadata=doc("Goes into the payload as it is."))
    at = moment("Goes into the payload of a statement as it is. ")


class RegisterKeySchema(Schema):
    """A signed registration."""

    jws = jws("RegisterPayload")


class KeySchema(Schema):
    """A registered key: its thumbprint and its JWK's `x`."""

    kid = fields.String(required=True, metadata=doc(KID))
    x = fields.String(required=True, metadata=doc("The 32 bytes of the public key, in base64url."))
    counts = fields.Boolean(required=True, metadata=doc("Does it sign for the account too, and not for seats alone?"))
    session = fields.Integer(
        required=True,
        allow_none=True,
        metadata=doc("The browser's session that registered it last; null: a program's."),
    )
    asked_at = moment("When its device asked last to be let in; null once it counts. ", allow_none=True)
    created_at = moment()


# --- Signing in -------------------------------------------------------------------------------------------------------


EMAIL = [validate.Length(3, 254), validate.Regexp(r"^[!-~]+$(?!\n)")]


class LoginSchema(Schema):
    """Whom to mail a link; `name` is what a new account will be called in public."""

    email = fields.Email(
        required=True,
        validate=EMAIL,
        metadata=doc("Kept in small letters.", example="ada@players.example"),
    )
    name = fields.String(
        validate=NAME,
        metadata=doc("What others read at the table; of an account that exists it changes nothing.", example="Ada"),
    )


class AskedSchema(Schema):
    """Nothing: what was asked for is on its way, or nobody is told that it is not."""


class ConfirmSchema(Schema):
    """The last part of the mailed link, and what token the program asks for."""

    token = fields.String(
        required=True, validate=validate.Length(1, 200), metadata=doc("What follows `/login/` in the mailed link.")
    )
    name = fields.String(load_default="a program", validate=NAME, metadata=doc("Of the token, in the list of yours."))
    scopes = fields.List(
        fields.String(validate=validate.OneOf(LASTING)),
        load_default=list(LASTING),
        validate=validate.Length(1, len(LASTING)),
        metadata=doc("Which of them the token keeps after its first hour, in which it has all three."),
    )
    days = days()


class AccountSchema(Schema):
    """Whose the token is."""

    id = fields.Integer(required=True)
    name = fields.String(required=True)


class SignedInSchema(Schema):
    """The token is shown once."""

    token = fields.String(required=True, metadata=doc("An API token: `Authorization: Bearer sm_...`."))
    account = fields.Nested(AccountSchema, required=True)


# --- What an account signs for itself, what waits, and its key box ----------------------------------------------------


PROOF = (
    "A statement by a key that counts for your account: a compact JWS of the type `sealedmove-account+jws` with a "
    "`StatementPayload`, over a challenge of `POST /v1/me/keys/challenge`. Who has none asks at `/v1/me/waiting`."
)
KID_PATTERN = r"^[A-Za-z0-9_-]{43}$(?!\n)"
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
        metadata=doc(PROOF, **inside("StatementPayload")),
    )


class ConditionSchema(ProofSchema):
    """The signature, and which box the caller knows."""

    known = fields.String(
        data_key="If-Match", metadata=doc("The `ETag` of the box that you have.", example='"fFEzEIU09w65qyHJ04kl2k"')
    )
    none = fields.String(
        data_key="If-None-Match",
        validate=validate.Equal("*"),
        metadata=doc("`*`: only if there is no box.", enum=["*"]),
    )


class WaitingSchema(Schema):
    """An act that cannot be undone, and waits for its time because nobody has signed for it."""

    id = fields.Integer(required=True)
    act = fields.String(
        required=True,
        validate=validate.OneOf(sorted(set(ABOUT) - {"box", "token"})),
        metadata=doc(AS_NAMED),
    )
    about = fields.String(required=True, metadata=doc("What it is about: a key's `kid`, or an address."))
    signed = fields.Boolean(
        required=True, metadata=doc("Was it signed? Then a change of address needs no word from the old one.")
    )
    confirmed_old = fields.Boolean(required=True, metadata=doc("Has the mail to the old address been answered?"))
    confirmed_new = fields.Boolean(required=True, metadata=doc("Has the mail to the new address been answered?"))
    created_at = moment()
    due_at = moment("When it happens, unless it is cancelled. ")


class AskWaitingSchema(Schema):
    """What is to happen in seven days, without a signature."""

    act = fields.String(
        required=True, validate=validate.OneOf(("erase", "drop-key", "drop-box")), metadata=doc(AS_NAMED)
    )
    about = fields.String(
        load_default="",
        validate=validate.Regexp(r"^([A-Za-z0-9_-]{43})?$(?!\n)"),
        metadata=doc("The `kid` of the key, or of the box."),
    )


class AddressSchema(Schema):
    """Where mail is to go."""

    email = fields.Email(
        required=True, validate=EMAIL, metadata=doc("Kept in small letters.", example="ada@new.example")
    )


class PutBoxSchema(Schema):
    """A recovery key, wrapped with a code that the server never sees."""

    box = fields.String(required=True, validate=validate.Length(1, 4096), metadata=doc(BOX))
    x = fields.String(
        required=True,
        validate=validate.Regexp(KID_PATTERN),
        metadata=doc("The public half of the recovery key, in base64url: it may let your next device in."),
    )


class KeyBoxSchema(Schema):
    """The box as it was given."""

    box = fields.String(required=True, metadata=doc(BOX))
    kid = fields.String(required=True, metadata=doc("The thumbprint of the recovery key in it, and its `ETag`."))
    x = fields.String(required=True, metadata=doc("The public half of the recovery key."))
    created_at = moment()


class ExportSchema(Schema):
    """All that is kept of an account, by what it is; rows have the names of their columns."""

    account = fields.Dict(required=True, metadata=doc("Who you are."))
    keys = fields.List(fields.Dict(), required=True, metadata=doc("Registered keys, their public halves."))
    keybox = fields.List(fields.Dict(), required=True, metadata=doc("The key box, if there is one."))
    sessions = fields.List(fields.Dict(), required=True, metadata=doc("Browsers that are signed in."))
    tokens = fields.List(fields.Dict(), required=True, metadata=doc("API tokens by name, revoked ones too."))
    webhooks = fields.List(fields.Dict(), required=True, metadata=doc("Where your events are sent."))
    waiting = fields.List(fields.Dict(), required=True, metadata=doc("What waits or has waited for seven days."))
    seats = fields.List(fields.Dict(), required=True, metadata=doc("Seats that you hold."))
    former_seats = fields.List(fields.Dict(), required=True, metadata=doc("Seats that you held."))
    opened_games = fields.List(fields.Dict(), required=True, metadata=doc("Games that you opened."))
    mails = fields.List(fields.Dict(), required=True, metadata=doc("What was mailed to you, and when."))
    mail_reports = fields.List(
        fields.Dict(), required=True, metadata=doc("What was said of them: that one came back, a complaint.")
    )
    mail_choices = fields.List(fields.Dict(), required=True, metadata=doc("What you chose about mails."))
    mail_exceptions = fields.List(fields.Dict(), required=True, metadata=doc("What is otherwise at a table."))
    calendar = fields.List(fields.Dict(), required=True, metadata=doc("The link of your calendar, but its secret."))
    bots = fields.List(fields.Dict(), required=True, metadata=doc("Bots for which you answer."))
