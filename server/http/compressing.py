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

SEALED = ("/v1/me/keybox", "/v1/login")
# Flask-Compress chooses the kinds of answers, and from which size on. Its own order begins with zstd, which is larger.
CHOSEN = {"COMPRESS_ALGORITHM": ("br", "zstd", "gzip"), "COMPRESS_REGISTER": False, "COMPRESS_STREAMS": False}


def register(app: Flask) -> None:
    """Before everything else that looks at an answer, hence after it: what others read is not compressed yet."""
    app.config.update(CHOSEN)
    compress = Compress(app)

    def compressed(answer: Response) -> Response:
        if not _may_be(answer):
            return answer
        _weaken(answer)
        if answer.direct_passthrough:  # files of a few kB
            answer.direct_passthrough = False
            answer.make_sequence()
            if request.accept_encodings["br"] > 0 and answer.mimetype in compress.compress_mimetypes_set:
                _squeeze(answer, app.config["COMPRESS_MIN_SIZE"])
        return compress.after_request(answer)

    app.after_request(compressed)


def _squeeze(answer: Response, least: int) -> None:
    """A file of ours, as small as it gets: at a level for pages a first visit would be 9 kB larger, and too large.

    Flask-Compress leaves alone what has a coding.
    """
    data = answer.get_data()
    if len(data) >= least:
        answer.set_data(_smallest(data))
        answer.headers["Content-Encoding"] = "br"


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
    """The same in another coding is equal in meaning, not in bytes (RFC 9110, 8.8.1).

    Flask-Compress would give each coding a tag of its own, and a held request would know none of them.
    """
    tag, is_weak = answer.get_etag()
    if tag and not is_weak:
        answer.set_etag(tag, weak=True)
