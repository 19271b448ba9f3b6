"""The ETag of a response: a hash of its bytes, so that every change in it changes the tag.

If what it is derived from is cheaper to ask, the tag is a hash of that instead.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any

import flask
from flask import Response, g, request


def has_already(answer: Response) -> bool:
    """Does `If-None-Match` name this very response?"""
    return request.if_none_match.contains_weak(tag(answer))


def tag(answer: Response) -> str:
    """The tag of these bytes."""
    return hashlib.sha256(answer.get_data()).hexdigest()[:32]


def is_version(condition: str, body: Any) -> bool:
    """Does `If-Match` name the answer with this body?"""
    return condition.strip() == "*" or tag(flask.jsonify(body)) in re.findall(r'(?:W/)?"([^"]*)"', condition)


def conditional(answer: Response) -> Response:
    """The response with its tag; 304 without a body if the caller already has it."""
    answer.set_etag(tag(answer))
    answer.make_conditional(request)
    return answer


def conditional_ahead(fingerprint: str, make: Callable[[], Response]) -> Response:
    """The same, made only if the caller does not have it: the fingerprint covers all that this view derives it from."""
    known = hashlib.sha256(f"{request.endpoint} {fingerprint}".encode()).hexdigest()[:32]
    answer = Response(status=304) if request.if_none_match.contains_weak(known) else make()
    answer.set_etag(known)
    return answer


def same_for_all(answer: Response) -> Response:
    """Mark a response that depends on nothing but its tag, so that it is compressed once for each coding."""
    g.same_for_all = f"{request.endpoint} {answer.get_etag()[0]}"
    return answer
