"""The ETag of an answer: of its bytes, so that whatever changes in it, by an entry or without one, changes the tag."""

from __future__ import annotations

import hashlib

from flask import Response, request


def has_already(answer: Response) -> bool:
    """Does `If-None-Match` name this very answer?"""
    return request.if_none_match.contains_weak(tag(answer))


def tag(answer: Response) -> str:
    """Of its bytes."""
    return hashlib.sha256(answer.get_data()).hexdigest()[:32]


def conditional(answer: Response) -> Response:
    """The answer with its tag; 304 and no body if the caller has it already."""
    answer.set_etag(tag(answer))
    answer.make_conditional(request)
    return answer
