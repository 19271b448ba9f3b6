"""What this server posts to others: the `webhooks` of the document, for whoever receives them."""

from __future__ import annotations

from typing import Any

from server.http.document.game_schemas import ref

Json = dict[str, Any]
MOMENT = {"type": "string", "format": "date-time", "examples": ["2026-11-21T10:00:00Z"]}
SAYS = (
    "To the URL of each webhook that wants the event's kind, signed by Standard Webhooks. Any 2xx within ten seconds "
    "takes it, 410 pauses the webhook, and anything else is tried again for five days. Messages of one game come one "
    "after the other, each at least once. See docs/webhooks.md."
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


def schemas() -> dict[str, Json]:
    """The messages that no entry of a game causes."""
    number = {"type": "integer", "description": "What is older is kept no more: go on after it."}
    hook = {"type": "integer", "description": "The webhook that is tried out."}
    return {
        "HookPing": _schema("Somebody tries the webhook out.", "ping", n={"type": "null"}, hook=hook),
        "HookReset": _schema("Events are lost for you: read `GET /v1/me/turns`.", "reset", n=number),
    }


def _schema(says: str, kind: str, **members: Json) -> Json:
    properties = members | {"kind": {"type": "string", "const": kind}, "at": MOMENT}
    return {"type": "object", "description": says, "properties": properties, "required": sorted(properties)}


def webhooks() -> dict[str, Json]:
    """By name, the operation that a receiver has."""
    return {"accountEvent": {"post": _operation()}}


def _operation() -> Json:
    message = {"anyOf": [ref("AccountEvent"), ref("HookPing"), ref("HookReset")]}
    return {
        "operationId": "receiveEvent",
        "summary": "An event of your account.",
        "description": SAYS,
        "tags": ["hooks"],
        "security": [],
        "parameters": [
            _header("webhook-id", "The same for every try of this message.", "h3-e17-5f3a9c21"),
            _header("webhook-timestamp", "When this try was made, in seconds since 1970.", "1795255200"),
            _header("webhook-signature", "`v1,` or `v1a,` and base64; two while a secret changes.", "v1,mPS0nM2uXdM="),
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": message, "example": EXAMPLE}}},
        "responses": {
            "2XX": {"description": "Taken."},
            "410": {"description": "Send me no more: the webhook is paused."},
            "default": {"description": "Tried again."},
        },
    }


def _header(name: str, says: str, example: str) -> Json:
    return {
        "name": name,
        "in": "header",
        "required": True,
        "description": says,
        "schema": {"type": "string"},
        "example": example,
    }
