"""Rate limits by address and by token, shared among processes through Redis, or counted in each process without it.

While Redis is away, each process counts alone, and no request waits for it (`server.kernel.breaker`).

Each address and each token has one budget for the whole API. Budgets are smaller for requests that send mail, take
guesses or make this server send something to others, and for notes and lines that anyone may submit, since checking
them costs more than sending them. A person's bot has one budget for all its tokens. House players share the operator's
address, so only the budgets of their tokens count. Requests over the limit get 429 with `Retry-After`.
"""

from __future__ import annotations

import hashlib
from typing import Any

from flask import Flask, g, request
from flask_limiter import ApplicationLimit, Limiter
from flask_limiter.util import get_remote_address
from sqlalchemy.exc import SQLAlchemyError

from server.http import resource
from server.http.credentials import Principal
from server.kernel.config import Settings
from server.kernel.errors import Problem
from server.kernel.services import Waker

FREE = ("/healthz", "/readyz")
SENSITIVE = ("login.request_login", "login.confirm_login")
HOOKS = ("hooks.ping_hook", "hooks.replay_events", "hooks.replay_delivery")
EXPENSIVE = ("evidence.compare_note", "evidence.hand_in_lines", "web.compare_page")


def register(app: Flask, settings: Settings, waker: Waker) -> None:
    """The app's limits, after its views: an empty string in the settings switches one off."""
    limiter = Limiter(
        get_remote_address,
        app=app,
        application_limits=_limits(settings),
        storage_uri=_storage(settings.redis_url),
        storage_options={"connection_pool": waker.pool} if settings.redis_url else {},
        in_memory_fallback_enabled=bool(settings.redis_url),
        headers_enabled=True,
        strategy="fixed-window",
    )
    limiter.request_filter(_is_preflight)
    smaller = (
        (settings.limit_login, _sensitive(app)),
        (settings.limit_compare, EXPENSIVE),
        (settings.limit_hooks, HOOKS),
    )
    for rate, names in smaller:
        for name in names if rate else ():
            limited: Any = limiter.limit(rate, override_defaults=False)
            app.view_functions[name] = limited(app.view_functions[name])


def _sensitive(app: Flask) -> set[str]:
    """Views that send mail or take a guess at a token: signing in, and every form of the pages."""
    forms = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    return {*SENSITIVE, *(name for name in forms if name.startswith("web."))} - {*EXPENSIVE}


def _limits(settings: Settings) -> list[Any]:
    wanted = [
        (settings.limit_address, ApplicationLimit(settings.limit_address, exempt_when=_is_free)),
        (settings.limit_token, ApplicationLimit(settings.limit_token, key_function=_by_token, exempt_when=_no_token)),
        (
            settings.limit_bot,
            ApplicationLimit(settings.limit_bot, key_function=_bot, exempt_when=_is_no_bot, scope="bot"),
        ),
    ]
    return [limit for rate, limit in wanted if rate]


def _storage(redis_url: str | None) -> str:
    if redis_url is None:
        return "memory://"
    return f"redis+{redis_url}" if redis_url.startswith("unix:") else redis_url


def _by_token() -> str:
    return hashlib.sha256(request.headers.get("Authorization", "").encode()).hexdigest()


def _no_token() -> bool:
    return "Authorization" not in request.headers


def _bot() -> str:
    """The account of the request if it is a person's bot; "" otherwise, or if that is not known."""
    principal = _principal()
    return str(principal.account_id) if principal and principal.is_bot else ""


def _principal() -> Principal | None:
    """The owner of the request's token, looked up once for all limits; None if it cannot be found now."""
    if "asks" not in g:
        try:
            g.asks = None if _no_token() else resource.caller()
        except (Problem, SQLAlchemyError):  # the endpoint will report it
            g.asks = None
    principal: Principal | None = g.asks
    return principal


def _is_no_bot() -> bool:
    return not _bot()


def _is_preflight() -> bool:
    """Is it a preflight? It costs nothing to answer, and a browser sends one before every other request."""
    return request.method == "OPTIONS"


def _is_free() -> bool:
    return request.path in FREE or ((principal := _principal()) is not None and principal.is_house)
