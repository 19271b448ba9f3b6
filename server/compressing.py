"""Answers are compressed for whoever accepts it, but for those whose length could tell a secret (BREACH).

A length tells something where one answer holds a secret and what somebody else chose, who makes a person's browser ask
for it again and again and sees how long the answers are. So nothing is compressed that a page of another origin may
have asked for in the name of who is signed in; no answer to what changes something, which shows new tokens; no page
behind a mailed link; nothing of the key box. What a token was shown for no page of another can ask for.
"""

from __future__ import annotations

from functools import lru_cache

import brotli  # type: ignore[import-untyped]  # the wheel has no annotations
from flask import Flask, Response, g, request
from flask_compress import Compress

KINDS = ("text/html", "text/css", "text/plain", "text/javascript", "application/json", "image/svg+xml")
LEAST = 500  # bytes
SEALED = ("/v1/me/keybox", "/v1/login")


def register(app: Flask) -> None:
    """Before everything else that looks at an answer, hence after it: what others read is not compressed yet."""
    chosen = {"MIMETYPES": KINDS, "MIN_SIZE": LEAST, "ALGORITHM": ("br", "zstd", "gzip"), "STREAMS": False}
    app.config.update({f"COMPRESS_{name}": value for name, value in chosen.items()}, COMPRESS_REGISTER=False)
    compress = Compress(app)

    def compressed(answer: Response) -> Response:
        if not _may_be(answer):
            return answer
        _weaken(answer)
        if answer.direct_passthrough:  # files of a few kB
            answer.direct_passthrough = False
            answer.make_sequence()
            if request.accept_encodings["br"] > 0:
                return _squeezed(answer)
        return compress.after_request(answer)

    app.after_request(compressed)


def _squeezed(answer: Response) -> Response:
    """A file of ours, as small as it gets: a first visit of the turn page is a sixth smaller."""
    data = answer.get_data()
    if len(data) < LEAST or answer.mimetype not in KINDS:
        return answer
    answer.set_data(_smallest(data))
    answer.headers["Content-Encoding"] = "br"
    answer.vary.add("Accept-Encoding")
    return answer


@lru_cache(256)
def _smallest(data: bytes) -> bytes:
    """Some 10 ms for a file, once in a process."""
    return bytes(brotli.compress(data, quality=11))


def _may_be(answer: Response) -> bool:
    if request.method not in ("GET", "HEAD") or answer.status_code != 200 or request.path.startswith(SEALED):
        return False
    return not answer.headers.get("X-Robots-Tag") and (not g.get("counted") or _asked_by_himself())


def _asked_by_himself() -> bool:
    """By our own page, or by hand: by nobody who could choose what stands in the answer."""
    return request.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")


def _weaken(answer: Response) -> None:
    """The same in another coding is equal in meaning, not in bytes (RFC 9110, 8.8.1)."""
    tag, is_weak = answer.get_etag()
    if tag and not is_weak:
        answer.set_etag(tag, weak=True)
