"""The cookie of a browser's session: its name and flags, and which requests it authorizes.

A browser adds a cookie to requests that any page made it send, so a cookie alone proves nothing: the sender counts.
Another port of the same host is the same *site*, and even `SameSite=Strict` cookies go there; so only the same *origin*
counts, and since ports share cookies, each has its own cookie name. docs/adr/sessions.md.
"""

from __future__ import annotations

from flask import Flask, Response, current_app, g, request

from server.http import credentials
from server.http.credentials import Principal
from server.kernel.config import Settings
from server.kernel.services import Services

PAGE_HEADER = "X-Sealed-Move"  # a header that forms, images and links cannot send
COOKIE_SECONDS = int(credentials.SESSION_LIFETIME.total_seconds())
VARIES = ("Cookie", "Authorization", "Origin", "Sec-Fetch-Site")


def cookie_name_of(settings: Settings, host: str) -> str | None:
    """The cookie's name at this host; None where there are no sessions: plain HTTP that leaves this machine."""
    if settings.is_https:
        return "__Host-sealedmove"  # no other name is read: only this very host can set a name with this prefix
    here = settings.is_loopback and host.lower() not in settings.hosts
    return f"sealedmove-{settings.port_shown}" if here else None


def cookie_name() -> str | None:
    """The cookie's name in this request."""
    return cookie_name_of(_settings(), request.host)


def is_same_origin() -> bool:
    """Was it sent by a page of this server? `same-site` is another port, `none` an address typed by hand."""
    site = request.headers.get("Sec-Fetch-Site")
    return site == "same-origin" if site is not None else request.headers.get("Origin") in _settings().origins


def is_sent_by_own_page() -> bool:
    """May the API accept the cookie? An `EventSource` or a download cannot send the header, but they change nothing."""
    return is_same_origin() and (request.method in ("GET", "HEAD") or request.headers.get(PAGE_HEADER) == "page")


def is_for_reader() -> bool:
    """May a page accept the cookie? Yes for forms of this server, and whenever a person navigates to a page."""
    goes = request.headers.get("Sec-Fetch-Mode") == "navigate" and request.headers.get("Sec-Fetch-Dest") == "document"
    return is_same_origin() or (goes and request.method in ("GET", "HEAD"))


def cookie_holder() -> Principal | None:
    """The session of this request's cookie. Check one of the three above first."""
    known = cookie_name()
    secret = request.cookies.get(known) if known else None
    if secret is None:
        return None
    g.counted = True
    services: Services = current_app.extensions["sealedmove"]
    return credentials.session_holder(services, secret) if len(secret) == credentials.SESSION_LENGTH else None


def put_cookie(answer: Response, secret: str) -> None:
    """Set the cookie, or extend it for another ninety days."""
    known = cookie_name()
    assert known is not None
    answer.set_cookie(
        known, secret, COOKIE_SECONDS, path="/", secure=_settings().is_https, httponly=True, samesite="Lax"
    )


def keep_cookie(answer: Response) -> None:
    """Extend the session of this request: ninety days from now."""
    secret = request.cookies.get(cookie_name() or "")
    if secret is not None:
        put_cookie(answer, secret)


def drop_cookie(answer: Response) -> None:
    """Delete the cookie."""
    known = cookie_name()
    assert known is not None
    answer.delete_cookie(known, path="/", secure=_settings().is_https, httponly=True, samesite="Lax")


def keep_apart(answer: Response) -> None:
    """Keep caches from mixing up responses to different callers, and from storing those to requests with a cookie."""
    answer.vary.update(VARIES)
    if g.get("counted"):
        answer.headers["Cache-Control"] = "private, no-store"


def _settings() -> Settings:
    services: Services = current_app.extensions["sealedmove"]
    return services.settings


# --- Other origins may use the API with a token -----------------------------------------------------------------------
# `*` on every answer below /v1, never with credentials (see Fetch).
#
# Pages and responses to a cookie stay with this origin: a token is sent on purpose, a cookie
# automatically. A preflight is answered first, so it uses no budget; also for an address that does not
# exist, since otherwise a program would see only a failure and not the problem.


ANY = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Location, Link, Retry-After, Deprecation, Sunset, "
    "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id",
}
PREFLIGHT = {
    # `*` would not cover Authorization.
    "Access-Control-Allow-Headers": "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, "
    "Last-Event-ID, Sealed-Move-Proof",
    "Access-Control-Max-Age": "7200",  # seconds; no browser keeps it longer
}
METHODS = ("GET", "HEAD", "POST", "PATCH", "PUT", "DELETE")


def register_cors(app: Flask) -> None:
    """Register before everything else that handles requests."""
    app.before_request(_preflight)
    app.after_request(cross)


def is_api() -> bool:
    """Is it a request to the API, and not for one of the pages below /v1?"""
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
    """Add the headers that let other origins read it to a response of the API."""
    if is_api():
        keep_apart(answer)
        if not request.cookies:
            answer.headers.extend(ANY)
    return answer
