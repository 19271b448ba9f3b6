"""Schemas of webhooks, deliveries, events and streams."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from engine.record.log.entry import KINDS as ENTRIES
from server.hooks.urls import LONGEST, PATTERN, PORTS
from server.http.schemas import MOST, NAME, SEAT, ProblemSchema, StrictInteger, doc, game_id, moment
from server.kernel.secrets import HOOK_SIGNATURES
from server.log.outbox import EVENT_KINDS

TARGET = f"HTTPS with a host name and port {' or '.join(map(str, PORTS))}, without user, fragment or IP address."
KIND = "\n".join(f"- `{kind}`: {what}" for kind, what in EVENT_KINDS.items())
WANTED = f"Only these kinds; null: all kinds, including new ones. `reset` and `ping` are always sent.\n\n{KIND}"
SIGNED = (
    "Standard Webhooks: `v1` is HMAC-SHA256 with a shared secret, `v1a` is Ed25519 with a public key for the receiver."
)
SHOWN_ONCE = "The receiver's verification key, shown only in this answer: `whsec_...` for `v1`, `whpk_...` for `v1a`."
PAUSED = (
    "Null: active. `owner`: you paused it; `failing`: no delivery succeeded for three days; `gone`: it answered 410."
)
STATES = {
    "waiting": "Waits for its turn or for the next attempt.",
    "leased": "Is being sent.",
    "delivered": "Delivered: the answer was 2xx.",
    "dropped": "Not sent, because another player has the seat now.",
    "failed": "Given up after five days of attempts.",
}
ERRORS = ("not-public", "unreachable", "tls", "timeout", "broken", "fault")
ERROR = (
    "Why there was no answer. `not-public`: the name has no address, or one that is not public; `unreachable`: "
    "no connection; `tls`: invalid certificate; `timeout`: no answer within ten seconds; `broken`: not HTTP; "
    "`fault`: a fault of this server."
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


class CreateHookSchema(Schema):
    """Where to send the events of your account."""

    url = url(required=True)
    name = fields.String(required=True, validate=NAME, metadata=doc("A name for your own use.", example="my bot"))
    kinds = kinds()
    signature = fields.String(load_default="v1", validate=validate.OneOf(HOOK_SIGNATURES), metadata=doc(SIGNED))


class ChangeHookSchema(Schema):
    """The members to change. Members that you leave out do not change."""

    url = url(required=False)
    name = fields.String(validate=NAME, metadata=doc("A name for your own use."))
    kinds = kinds()
    paused = fields.Boolean(metadata=doc("False: resumes with the oldest waiting event."))


class HookSchema(Schema):
    """A webhook and its state."""

    id = fields.Integer(required=True)
    url = fields.String(required=True)
    name = fields.String(required=True)
    kinds = fields.List(fields.String(), required=True, allow_none=True, metadata=doc("Null: all kinds."))
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
    cursor = fields.Integer(required=True, metadata=doc("The last event that became a delivery or was skipped."))


class MadeHookSchema(HookSchema):
    """The webhook, and what its receiver verifies with."""

    secret = fields.String(required=True, metadata=doc(SHOWN_ONCE))


class HookSecretSchema(Schema):
    """The new secret. For one day messages are signed with the previous one too."""

    secret = fields.String(required=True, metadata=doc(SHOWN_ONCE))


class HookAnswerSchema(Schema):
    """An attempt and the status that was answered."""

    at = moment()
    status = fields.Integer(required=True, allow_none=True, metadata=doc("Null: there was no answer."))
    error = fields.String(
        required=True, allow_none=True, validate=validate.OneOf(ERRORS), metadata=doc(ERROR, **{"x-open": True})
    )
    ms = fields.Integer(required=True, metadata=doc("Duration in milliseconds."))


class DeliverySchema(Schema):
    """One event for one webhook."""

    id = fields.Integer(required=True)
    message = fields.String(
        required=True, metadata=doc("Its `webhook-id`, the same for every attempt.", example="h3-e17-5f3a9c21")
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
    answers = fields.List(fields.Nested(HookAnswerSchema), required=True, metadata=doc("Oldest first."))


class DeliveryPageSchema(Schema):
    """The deliveries of a webhook, newest first. They are kept for two weeks."""

    deliveries = fields.List(fields.Nested(DeliverySchema), required=True)
    next = fields.Integer(
        required=True, allow_none=True, metadata=doc("The `after` of the next page; null on the last one.")
    )


class DeliveriesQuerySchema(Schema):
    """The page to get."""

    after = fields.Integer(
        validate=validate.Range(1, MOST), metadata=doc("`next` of the previous page: returns older deliveries.")
    )
    limit = fields.Integer(
        load_default=50, validate=validate.Range(1, 100), metadata=doc("Maximum number of deliveries.")
    )


class ReplaySchema(Schema):
    """The event to start with."""

    since = StrictInteger(
        required=True,
        validate=validate.Range(1, MOST),
        metadata=doc("The number of the first event. Deleted events are left out.", example=12),
    )


class ReplayedSchema(Schema):
    """The deliveries to send again."""

    first = fields.Integer(required=True, metadata=doc("The number of the first event that is sent again."))


# --- Events of streams ------------------------------------------------------------------------------------------------


HELD = "Your seat; null if you no longer hold it. " + SEAT
AFTER = "Only events after this number. Without it and without `Last-Event-ID`, only new events."
LAST = "The number of the last event that you have. Clients of event streams send it when they reconnect."
FOLLOW_AFTER = "Only events after this number: the last `n` that you have of this account. Without it, only new events."
MOST_FOLLOWED = 100  # accounts of one stream
EVENT_KIND = "\n".join(["The kind of event:\n", *(f"- `{kind}`: {told}" for kind, told in EVENT_KINDS.items())])
SHARED_KINDS = {
    "following": "The stream has begun for this account, after number `n`.",
    "refused": "The account is not followed, or no longer, because of `problem`.",
    "reset": "The events up to number `n` are lost: read `GET /v1/me/turns`.",
}
SHARED_KIND = "\n".join([EVENT_KIND, *(f"- `{kind}`: {told}" for kind, told in SHARED_KINDS.items())])


class EventsQuerySchema(Schema):
    """Where the stream starts."""

    after = fields.Integer(validate=validate.Range(-1, MOST), metadata=doc(AFTER))


class LastEventSchema(Schema):
    """Where the stream continues; takes precedence over `after`."""

    last = fields.Integer(data_key="Last-Event-ID", validate=validate.Range(-1, MOST), metadata=doc(LAST))


class AccountEventSchema(Schema):
    """An event at one of your seats, without any content of the game: request that as the seat that you hold."""

    n = fields.Integer(required=True, metadata=doc("Its number among your events, without gaps.", example=17))
    kind = fields.String(
        required=True,
        validate=validate.OneOf(list(EVENT_KINDS)),
        metadata=doc(EVENT_KIND, example="turn", **{"x-open": True}),
    )
    game = fields.String(required=True, metadata=doc("Its id."))
    type = fields.String(required=True, metadata=doc("The game's type.", example="tikal"))
    seat = fields.Integer(required=True, allow_none=True, metadata=doc(HELD))
    seq = fields.Integer(required=True, metadata=doc("The log entry that it is about."))
    at = moment()
    deadline = moment(allow_none=True)


class FollowSchema(Schema):
    """An account to follow."""

    token = fields.String(
        required=True,
        validate=validate.Length(1, 200),
        metadata=doc("An API token of the account, with scope `read`.", example="sm_..."),
    )
    after = StrictInteger(validate=validate.Range(-1, MOST), metadata=doc(FOLLOW_AFTER, example=12))


class StreamEventsSchema(Schema):
    """The accounts to follow."""

    follow = fields.List(
        fields.Nested(FollowSchema),
        required=True,
        validate=validate.Length(1, MOST_FOLLOWED),
        metadata=doc("The accounts. Each event has the index of its own in this list."),
    )


class SharedEventSchema(AccountEventSchema):
    """An event of one of several accounts, with the members of its kind.

    `problem` says why an account is `refused`, as a request with its token would.
    """

    index = fields.Integer(required=True, metadata=doc("Its account in `follow`; the first is 0.", example=0))
    kind = fields.String(
        required=True,
        validate=validate.OneOf([*EVENT_KINDS, *SHARED_KINDS]),
        metadata=doc(SHARED_KIND, example="turn", **{"x-open": True}),
    )
    problem = fields.Nested(ProblemSchema)


ANY_SHARED_EVENT = SharedEventSchema(partial=[name for name in AccountEventSchema().fields if name != "kind"])


class GameEventSchema(Schema):
    """An entry of a game's log, as everyone may see it. The line itself is in the log."""

    seq = fields.Integer(required=True, metadata=doc("Its number, without gaps.", example=9))
    kind = fields.String(
        required=True,
        validate=validate.OneOf(list(ENTRIES)),
        metadata=doc("The kind of the entry.", **{"x-open": True}),
    )
    game = fields.String(required=True, metadata=doc("Its id."))
    type = fields.String(required=True, metadata=doc("The game's type.", example="tikal"))
    seat = fields.Integer(
        required=True, allow_none=True, metadata=doc("The seat that made the entry, if a seat did. " + SEAT)
    )
    at = moment()
    hash = fields.String(required=True, metadata=doc("The entry's hash, which the next entry contains."))
    over = fields.Boolean(required=True, metadata=doc("Whether it ended the game: then the stream ends too."))
