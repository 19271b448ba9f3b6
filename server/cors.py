"""Other origins may use the API with a token: `*` on every answer below /v1, never with credentials (see Fetch).

Pages and whatever came with a cookie stay with this origin: a token is given on purpose, a cookie goes along by itself.
A preflight is answered before anything else, so it costs nothing of a budget; also for an address that is none, since
else a program would see only that it failed, and not the problem.
"""

from __future__ import annotations

from flask import Flask, Response, current_app, request

from server import cookies

ANY = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Location, Link, Retry-After, Deprecation, Sunset, "
    "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset",
}
PREFLIGHT = {
    # `*` would not cover Authorization.
    "Access-Control-Allow-Headers": "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, "
    "Last-Event-ID, Sealed-Move-Proof",
    "Access-Control-Max-Age": "7200",  # seconds; no browser keeps it longer
}
METHODS = ("GET", "HEAD", "POST", "PATCH", "PUT", "DELETE")


def register(app: Flask) -> None:
    """Before everything else that looks at a request."""
    app.before_request(_preflight)
    app.after_request(cross)


def is_api() -> bool:
    """Is this a request of a program, and not of a page that stands below /v1 too?"""
    return request.path.startswith("/v1/") and not (request.endpoint or "").startswith("web.")


def _preflight() -> Response | None:
    if request.method != "OPTIONS" or "Access-Control-Request-Method" not in request.headers or not is_api():
        return None
    adapter = current_app.create_url_adapter(request)
    allowed = {*adapter.allowed_methods()} if adapter else set()
    answer = Response(status=204)
    answer.headers["Access-Control-Allow-Methods"] = ", ".join(
        name for name in METHODS if not allowed or name in allowed
    )
    answer.headers.extend(PREFLIGHT)
    return answer


def cross(answer: Response) -> Response:
    """The answer with what lets other origins read it, if it is one of the API."""
    if is_api():
        cookies.keep_apart(answer)
        if not request.cookies:
            answer.headers.extend(ANY)
    return answer
