"""Webhooks of an account, what was sent to them, and what was answered."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from engine.record.log.entry import KINDS as ENTRIES
from server.hooks.urls import LONGEST, PATTERN, PORTS
from server.http.schemas import MOST, NAME, SEAT, StrictInteger, doc, game_id, moment
from server.kernel.secrets import HOOK_SIGNATURES
from server.log.outbox import EVENT_KINDS

TARGET = f"https, a host by its name, port {' or '.join(map(str, PORTS))}; no user, no fragment, no address."
KIND = "\n".join(f"- `{kind}`: {what}" for kind, what in EVENT_KINDS.items())
WANTED = f"Only these; null: all, those to come too. `reset` and `ping` always come.\n\n{KIND}"
SIGNED = (
    "Standard Webhooks: `v1` is HMAC-SHA256 by a secret that both sides have, `v1a` is Ed25519 and the receiver has "
    "the public key."
)
SHOWN_ONCE = "What the receiver verifies with, shown in this answer only: `whsec_...` for `v1`, `whpk_...` for `v1a`."
PAUSED = "Null: it runs. `owner`: you paused it; `failing`: nothing was taken for three days; `gone`: it answered 410."
STATES = {
    "waiting": "For its turn, or for the next try.",
    "leased": "On its way now.",
    "delivered": "Taken: the answer was 2xx.",
    "dropped": "Not sent, since the seat is another's now.",
    "failed": "Given up after five days of tries.",
}
ERRORS = ("not-public", "unreachable", "tls", "timeout", "broken", "fault")
ERROR = (
    "Why there was no answer. `not-public`: the name has no address, or one that is not public; `unreachable`: no "
    "connection; `tls`: the certificate; `timeout`: ten seconds were not enough; `broken`: no HTTP; `fault`: ours."
)
NUMBER = "The event's number in your account; null for a ping."


def url(*, required: bool) -> fields.String:
    return fields.String(
        required=required,
        validate=validate.Length(1, LONGEST),
        metadata=doc(TARGET, example="https://bot.example/sealedmove", pattern=PATTERN),
    )


def kinds() -> Any:
    return fields.List(
        fields.String(validate=validate.OneOf(tuple(EVENT_KINDS))),
        allow_none=True,
        validate=validate.Length(1, len(EVENT_KINDS)),
        metadata=doc(WANTED, example=["turn", "over"]),
    )


class NewHookSchema(Schema):
    """Where events of your account are to be sent."""

    url = url(required=True)
    name = fields.String(required=True, validate=NAME, metadata=doc("For yourself.", example="my bot"))
    kinds = kinds()
    signature = fields.String(load_default="v1", validate=validate.OneOf(HOOK_SIGNATURES), metadata=doc(SIGNED))


class ChangeHookSchema(Schema):
    """What is to change; what is left out stays."""

    url = url(required=False)
    name = fields.String(validate=NAME, metadata=doc("For yourself."))
    kinds = kinds()
    paused = fields.Boolean(metadata=doc("False: it goes on with all that has waited, from the first."))


class HookSchema(Schema):
    """A webhook as it stands."""

    id = fields.Integer(required=True)
    url = fields.String(required=True)
    name = fields.String(required=True)
    kinds = fields.List(fields.String(), required=True, allow_none=True, metadata=doc("Null: all."))
    signature = fields.String(required=True, validate=validate.OneOf(HOOK_SIGNATURES), metadata=doc(SIGNED))
    created_at = moment()
    last_used_at = moment(allow_none=True)
    failing_since = moment(allow_none=True)
    paused = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(("owner", "failing", "gone")),
        metadata=doc(PAUSED, **{"x-open": True}),
    )
    paused_at = moment(allow_none=True)
    former_until = moment(allow_none=True)
    cursor = fields.Integer(required=True, metadata=doc("The last event that has been made a delivery, or skipped."))


class MadeHookSchema(HookSchema):
    """The hook, and what its receiver verifies with."""

    secret = fields.String(required=True, metadata=doc(SHOWN_ONCE))


class HookSecretSchema(Schema):
    """The new secret. For a day each message is signed with the former one too."""

    secret = fields.String(required=True, metadata=doc(SHOWN_ONCE))


class HookAnswerSchema(Schema):
    """One try, and its answer: of an answer only the status is kept."""

    at = moment()
    status = fields.Integer(required=True, allow_none=True, metadata=doc("Null: there was no answer."))
    error = fields.String(
        required=True, allow_none=True, validate=validate.OneOf(ERRORS), metadata=doc(ERROR, **{"x-open": True})
    )
    ms = fields.Integer(required=True, metadata=doc("How long it took, in milliseconds."))


class DeliverySchema(Schema):
    """One event for one hook."""

    id = fields.Integer(required=True)
    message = fields.String(
        required=True, metadata=doc("Its `webhook-id`, the same for every try.", example="h3-e17-5f3a9c21")
    )
    n = fields.Integer(required=True, allow_none=True, metadata=doc(NUMBER))
    kind = fields.String(required=True, metadata=doc("As in the message."))
    game = game_id(allow_none=True)
    seat = fields.Integer(required=True, allow_none=True, metadata=doc(SEAT))
    state = fields.String(
        required=True,
        validate=validate.OneOf(tuple(STATES)),
        metadata=doc("\n".join(f"- `{state}`: {what}" for state, what in STATES.items()), **{"x-open": True}),
    )
    created_at = moment()
    next_at = moment(allow_none=True)
    answers = fields.List(fields.Nested(HookAnswerSchema), required=True, metadata=doc("The oldest first."))


class DeliveryPageSchema(Schema):
    """What was sent to a hook, the newest first; it is kept for two weeks."""

    deliveries = fields.List(fields.Nested(DeliverySchema), required=True)
    next = fields.Integer(
        required=True, allow_none=True, metadata=doc("The `after` of the next page; null: this is the last.")
    )


class DeliveriesQuerySchema(Schema):
    """Which page."""

    after = fields.Integer(
        validate=validate.Range(1, MOST), metadata=doc("`next` of the page before: what is older than this delivery.")
    )
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 100), metadata=doc("How many at most."))


class ReplaySchema(Schema):
    """Where to begin again."""

    since = StrictInteger(
        required=True,
        validate=validate.Range(1, MOST),
        metadata=doc("The number of the first event. Those that are kept no more are left out.", example=12),
    )


class ReplayedSchema(Schema):
    """What is sent again."""

    first = fields.Integer(required=True, metadata=doc("The number of the first event that is sent again."))


# --- Events, as streams tell them -------------------------------------------------------------------------------------


HELD = "Your seat; null if you hold it no more. " + SEAT
AFTER = "Only what comes after this number; without it, and without `Last-Event-ID`, what comes from now on."
LAST = "The number of the last event that you have, as a reader of event streams sends it when it comes back."
EVENT_KIND = "\n".join(["What it is:\n", *(f"- `{kind}`: {told}" for kind, told in EVENT_KINDS.items())])


class EventsQuerySchema(Schema):
    """Where a stream begins."""

    after = fields.Integer(validate=validate.Range(-1, MOST), metadata=doc(AFTER))


class LastEventSchema(Schema):
    """Where a stream goes on; it wins over `after`."""

    last = fields.Integer(data_key="Last-Event-ID", validate=validate.Range(-1, MOST), metadata=doc(LAST))


class AccountEventSchema(Schema):
    """What happened to a seat of yours, and nothing of the game: ask for that as the seat that you hold then."""

    n = fields.Integer(required=True, metadata=doc("Its number among your events, without a gap.", example=17))
    kind = fields.String(
        required=True,
        validate=validate.OneOf(list(EVENT_KINDS)),
        metadata=doc(EVENT_KIND, example="turn", **{"x-open": True}),
    )
    game = fields.String(required=True, metadata=doc("Its id."))
    type = fields.String(required=True, metadata=doc("The key of the game.", example="tikal"))
    seat = fields.Integer(required=True, allow_none=True, metadata=doc(HELD))
    seq = fields.Integer(required=True, metadata=doc("The entry of the game's log that it is about."))
    at = moment()
    deadline = moment(allow_none=True)


class GameEventSchema(Schema):
    """An entry of a game's log, as anybody may know it. The line itself is in the log."""

    seq = fields.Integer(required=True, metadata=doc("Its number; none is left out.", example=9))
    kind = fields.String(
        required=True, validate=validate.OneOf(list(ENTRIES)), metadata=doc("The entry's.", **{"x-open": True})
    )
    game = fields.String(required=True, metadata=doc("Its id."))
    type = fields.String(required=True, metadata=doc("The key of the game.", example="tikal"))
    seat = fields.Integer(required=True, allow_none=True, metadata=doc("Whose entry it is, if a seat's. " + SEAT))
    at = moment()
    hash = fields.String(required=True, metadata=doc("The entry's hash, upon which the next one stands."))
    over = fields.Boolean(required=True, metadata=doc("Whether it ended the game: then the stream ends too."))
