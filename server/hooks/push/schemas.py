"""Schemas of web push."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.hooks.urls import LONGEST
from server.http.schemas import doc, moment

KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"  # noqa: S105 - the example of RFC 8291


class PushKeysSchema(Schema):
    """The browser's keys (RFC 8291), in base64url."""

    p256dh = fields.String(
        required=True,
        validate=validate.Length(87, 88),
        metadata=doc("A point on P-256, uncompressed: 65 bytes.", example=KEY),
    )
    auth = fields.String(
        required=True, validate=validate.Length(22, 24), metadata=doc("A secret of 16 bytes.", example=SECRET)
    )


class SubscribeSchema(Schema):
    """A subscription as the browser's `PushSubscription.toJSON()` gives it."""

    endpoint = fields.String(
        required=True,
        validate=validate.Length(1, LONGEST),
        metadata=doc(
            "Where the push service takes messages for this browser. The server accepts known services only.",
            example="https://updates.push.services.mozilla.com/wpush/v2/gAAAAAB",
        ),
    )
    keys = fields.Nested(PushKeysSchema, required=True)
    expirationTime = fields.Float(allow_none=True, load_only=True, metadata=doc("Ignored."))  # noqa: N815 - the browser's name


class PushSubscriptionSchema(Schema):
    """A browser that gets notifications."""

    id = fields.Integer(required=True)
    host = fields.String(required=True, metadata=doc("The host of its push service.", example="fcm.googleapis.com"))
    here = fields.Boolean(required=True, metadata=doc("Whether it was made with the credential of this request."))
    created_at = moment("When it was made. ")
    renewed_at = moment("When its browser last renewed it. ")
    last_used_at = moment("When its push service last took a notification. ", allow_none=True)
    clicked_at = moment("When a notification was last opened there. ", allow_none=True)


class PushSchema(Schema):
    """Your notifications."""

    key = fields.String(
        required=True,
        allow_none=True,
        metadata=doc(
            "The server's public key, as `applicationServerKey` for `pushManager.subscribe`. Null: this server "
            "sends no notifications.",
            example=KEY,
        ),
    )
    subscriptions = fields.List(fields.Nested(PushSubscriptionSchema), required=True)
