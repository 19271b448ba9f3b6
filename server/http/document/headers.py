"""The headers of requests and answers. The document defines each once and refers to it."""

from __future__ import annotations

import json
from typing import Any

Json = dict[str, Any]


def _text(says: str, example: str) -> Json:
    return {"description": says, "schema": {"type": "string"}, "example": example}


def _number(says: str, example: int) -> Json:
    return {"description": says, "schema": {"type": "integer", "minimum": 0}, "example": example}


HEADERS: dict[str, Json] = {
    "ETag": _text(
        "The version of this answer. Send it as `If-None-Match` with the next request.", '"xxiGVPL12NBtpkM.0"'
    ),
    "Location": _text("The address of the new resource.", "/v1/games/0193f3c2-0000-7000-8000-000000000001"),
    "Link": _text(
        "RFC 8288: `rel=next` is the next page, `rel=deprecation` the replacement.",
        '</v1/games?after=0193f3c2-0000-7000-8000-000000000001>; rel="next"',
    ),
    "Retry-After": _number("Seconds until the request can be retried.", 30),
    "WWW-Authenticate": _text("The kind of token that is required.", 'Bearer realm="sealedmove"'),
    "X-RateLimit-Limit": _number("How many requests are allowed in a window.", 3000),
    "X-RateLimit-Remaining": _number("How many of them are left.", 2999),
    "X-RateLimit-Reset": _number("When the window ends, in seconds since 1970.", 1795255200),
    "Deprecation": _text("RFC 9745: since when this is deprecated, in seconds since 1970.", "@1795255200"),
    "Sunset": _text("RFC 8594: when this will be removed.", "Sun, 01 Aug 2027 00:00:00 GMT"),
}
RATE = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
OF_STATUS = {401: ("WWW-Authenticate",), 429: ("Retry-After",), 503: ("Retry-After",)}
IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "description": "The `ETag` of the answer that you have. If it is still current, the answer is 304 without a body.",
    "schema": {"type": "string"},
    "example": '"xxiGVPL12NBtpkM.0"',
}


def put(operation: Json) -> None:
    """The headers of an operation's successful answers."""
    answers: dict[str, Json] = operation["responses"]
    if "304" in answers:
        operation.setdefault("parameters", []).append({"$ref": "#/components/parameters/IfNoneMatch"})
    ended = ("Deprecation", "Sunset", "Link") if operation.get("deprecated") else ()
    for status, answer in answers.items():
        if "$ref" not in answer:
            tag = ("ETag",) if "304" in answers and status in ("200", "304") else ()
            answer["headers"] = answer.get("headers", {}) | refs(*tag, *ended, *RATE)


def of_status(status: int) -> Json:
    """The headers of an error."""
    return refs(*OF_STATUS.get(status, ()), *RATE)


def used(document: Json) -> Json:
    """The headers that the document refers to."""
    text = json.dumps(document)
    return {name: header for name, header in HEADERS.items() if f'"#/components/headers/{name}"' in text}


def refs(*names: str) -> Json:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
