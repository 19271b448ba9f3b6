"""The `webhooks` of the document: what this server posts to receivers."""

from __future__ import annotations

from typing import Any

from server.http.document.game_schemas import REF, ref

Json = dict[str, Any]
# A tag of its own: generators write one file per tag, and would write this one over that of `hooks`.
TAG = {"name": "webhooks", "description": "The messages that this server posts to your program. See docs/webhooks.md."}
MOMENT = {"type": "string", "format": "date-time", "examples": ["2026-11-21T10:00:00Z"]}
SAYS = (
    "Sent to the URL of each webhook that receives the event's kind, signed according to Standard Webhooks. Any "
    "2xx within ten seconds counts as delivered, and 410 pauses the webhook. Anything else is tried again for "
    "five days. Messages about one game are sent in order, each at least once. See docs/webhooks.md."
)
EXAMPLE = {
    "n": 17,
    "kind": "turn",
    "game": "0193f3c2-0000-7000-8000-000000000001",
    "type": "tikal",
    "seat": 0,
    "seq": 9,
    "at": "2026-11-21T10:00:00Z",
    "deadline": "2026-11-24T10:00:00Z",
}


def schemas(kinds: list[str]) -> dict[str, Json]:
    """All messages, and those that are not about a game's entry; `kinds` are those of an `AccountEvent`."""
    number = {"type": "integer", "description": "Earlier events have been deleted: continue after this number."}
    none = {"type": ["integer", "null"], "description": "Null: a test has no number."}
    hook = {"type": "integer", "description": "The webhook that is tested."}
    return {
        "HookMessage": _message(kinds),
        "HookPing": _schema("A test of the webhook.", "ping", n=none, hook=hook),
        "HookReset": _schema(
            "Events have been deleted before you got them: read `GET /v1/me/turns`.", "reset", n=number
        ),
    }


def _schema(says: str, kind: str, **members: Json) -> Json:
    properties = members | {"kind": {"type": "string", "const": kind}, "at": MOMENT}
    return {"type": "object", "description": says, "properties": properties, "required": sorted(properties)}


def _message(kinds: list[str]) -> Json:
    names = dict.fromkeys(kinds, "AccountEvent") | {"ping": "HookPing", "reset": "HookReset"}
    return {
        "description": "A message to a webhook. Kinds of events may be added.",
        "oneOf": [ref(name) for name in dict.fromkeys(names.values())],
        "discriminator": {"propertyName": "kind", "mapping": {kind: REF + name for kind, name in names.items()}},
    }


def webhooks() -> dict[str, Json]:
    """The operation that a receiver implements, by name."""
    return {"accountEvent": {"post": _operation()}}


def _operation() -> Json:
    return {
        "operationId": "receiveEvent",
        "summary": "An event of your account.",
        "description": SAYS,
        "tags": [TAG["name"]],
        "security": [],
        "parameters": _headers(),
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": ref("HookMessage"), "example": EXAMPLE}},
        },
        "responses": {
            "2XX": {"description": "Taken."},
            "410": {"description": "Stop sending: the webhook is paused."},
            "default": {"description": "The message is sent again later."},
        },
    }


def _headers() -> list[Json]:
    return [
        _header("webhook-id", "The same for every attempt to send this message.", "h3-e17-5f3a9c21"),
        _header("webhook-timestamp", "When this attempt was made, in seconds since 1970.", "1795255200"),
        _header(
            "webhook-signature",
            "`v1,` or `v1a,` and base64; two while a secret is being replaced.",
            "v1,mPS0nM2uXdM=",
        ),
        _header(
            "x-request-id",
            "The `X-Request-Id` of the request that caused the event. Missing if the server caused it.",
            "0f3c2b1a5d6e4f708a9b1c2d3e4f5061",
            required=False,
        ),
    ]


def _header(name: str, says: str, example: str, *, required: bool = True) -> Json:
    return {
        "name": name,
        "in": "header",
        "required": required,
        "description": says,
        "schema": {"type": "string"},
        "example": example,
    }
