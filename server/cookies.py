"""The cookie of a browser's session: its name and flags, and which requests may count it.

A browser sends a cookie along by itself, whoever made it ask, so having one proves nothing: what counts is who sent the
request. Another port of the same host is the same *site*, and even `SameSite=Strict` cookies go there; so only the same
*origin* counts, and ports, which share their cookies, have names of their own for them. docs/adr/sessions.md.
"""

from __future__ import annotations

from flask import Response, current_app, g, request

from server.auth import sessions
from server.auth.holder import Holder
from server.config import Settings
from server.services import Services

PAGE = "X-Sealed-Move"  # a header that no form, picture or link can send
SECONDS = int(sessions.LIFETIME.total_seconds())
VARIES = ("Cookie", "Authorization", "Origin", "Sec-Fetch-Site")


def name_of(settings: Settings, host: str) -> str | None:
    """The cookie's name at this host; None where there is no session: plain http that leaves this machine."""
    if settings.is_https:
        return "__Host-sealedmove"  # no other name is read: nobody but this very host can set one that begins so
    here = settings.is_loopback and host.lower() not in settings.hosts
    return f"sealedmove-{settings.port_shown}" if here else None


def name() -> str | None:
    """The cookie's name in this request."""
    return name_of(_settings(), request.host)


def is_same_origin() -> bool:
    """Was it sent by a page of this server? `same-site` is another port, `none` an address typed by hand."""
    site = request.headers.get("Sec-Fetch-Site")
    return site == "same-origin" if site is not None else request.headers.get("Origin") in _settings().origins


def is_sent_by_own_page() -> bool:
    """May the API count the cookie? An `EventSource` or a download cannot send the header; they change nothing."""
    return is_same_origin() and (request.method in ("GET", "HEAD") or request.headers.get(PAGE) == "page")


def is_for_reader() -> bool:
    """May a page count it? Forms of our own; and whoever goes to a page, from wherever: it is he who reads it."""
    goes = request.headers.get("Sec-Fetch-Mode") == "navigate" and request.headers.get("Sec-Fetch-Dest") == "document"
    return is_same_origin() or (goes and request.method in ("GET", "HEAD"))


def held() -> Holder | None:
    """Whose session the cookie of this request names. Ask one of the three above first."""
    known = name()
    secret = request.cookies.get(known) if known else None
    if secret is None:
        return None
    g.counted = True
    services: Services = current_app.extensions["sealedmove"]
    return sessions.holder(services, secret) if len(secret) == sessions.LENGTH else None


def put(answer: Response, secret: str) -> None:
    """Have the browser keep this session, or keep it for ninety days more."""
    known = name()
    assert known is not None
    answer.set_cookie(known, secret, SECONDS, path="/", secure=_settings().is_https, httponly=True, samesite="Lax")


def keep(answer: Response) -> None:
    """The session that this request came with, for ninety days from now."""
    secret = request.cookies.get(name() or "")
    if secret is not None:
        put(answer, secret)


def drop(answer: Response) -> None:
    """Have the browser forget it."""
    known = name()
    assert known is not None
    answer.delete_cookie(known, path="/", secure=_settings().is_https, httponly=True, samesite="Lax")


def keep_apart(answer: Response) -> None:
    """What hangs on who asks is mixed up by no cache; what a cookie opened is kept by none."""
    answer.vary.update(VARIES)
    if g.get("counted"):
        answer.headers["Cache-Control"] = "private, no-store"


def _settings() -> Settings:
    services: Services = current_app.extensions["sealedmove"]
    return services.settings
