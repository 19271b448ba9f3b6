"""The composition root of the web process: nothing connects before the first request needs it."""

from __future__ import annotations

import time
from typing import Any

from flask import Flask, Response, current_app, g, request
from werkzeug.middleware.proxy_fix import ProxyFix

from server import api, compressing, config, cors, health, limits, logs, metrics, problems, relays, web
from server.api import house, query, reading
from server.api.document.about import INFO, VERSION
from server.config import Settings
from server.errors import Problem
from server.projections.log import Waiting
from server.services import Services, open_services
from server.wake import LaterWaker

LARGEST_BODY = 64 * 1024
METHODS = {*cors.METHODS, "OPTIONS"}
MUST_WAIT = (429, 503)
BUDGET = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
A_YEAR = 365 * 86400


def create_app(settings: Settings | None = None, services: Services | None = None) -> Flask:
    """The application. A test gives settings, or whole services with a clock of its own."""
    chosen = services.settings if services else settings or config.settings()
    logs.configure(chosen.log_level)
    app = Flask("server", static_folder=None)
    app.config.update(_flask_config())
    app.extensions["sealedmove"] = services or open_services(chosen, LaterWaker(chosen.redis_url))
    app.extensions["waiting"] = Waiting(chosen.most_waiting)
    compressing.register(app)
    app.before_request(_is_for_us)
    cors.register(app)
    app.before_request(_begin)
    app.after_request(_end)
    problems.register(app)
    app.register_blueprint(health.blp)
    app.register_blueprint(web.blueprint)
    app.register_blueprint(relays.blp)
    app.extensions["api"] = api.register(app)
    limits.register(app, chosen)
    if chosen.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=chosen.proxies, x_proto=chosen.proxies)  # type: ignore[method-assign]  # Flask's own way to add middleware
    return app


def _flask_config() -> dict[str, Any]:
    return {
        "API_TITLE": "Sealed Move",
        "API_VERSION": VERSION,
        "OPENAPI_VERSION": "3.1.0",
        "OPENAPI_URL_PREFIX": "/v1",
        "API_SPEC_OPTIONS": {"info": INFO, "servers": [{"url": "/"}]},
        "MAX_CONTENT_LENGTH": LARGEST_BODY,
        "MAX_FORM_MEMORY_SIZE": LARGEST_BODY,
        "PROPAGATE_EXCEPTIONS": False,
        "JSON_SORT_KEYS": False,
        "RATELIMIT_HEADERS_ENABLED": True,
    }


def _is_for_us() -> None:
    """Another name may be a trap: one that leads a browser here, and lets the page that chose it read the answers."""
    if request.path not in limits.FREE and request.host.lower() not in _settings().names:
        raise Problem("wrong-host", expected=_settings().public_url)


def _settings() -> Settings:
    found: Services = current_app.extensions["sealedmove"]
    return found.settings


def _begin() -> None:
    g.begun = time.perf_counter()
    if request.method in ("POST", "PATCH", "PUT") and cors.is_api():
        _check_body()
    query.check()


def _check_body() -> None:
    """What does not depend on the operation: how large a body is, and that it says it is JSON."""
    length = request.content_length or 0
    request.max_content_length = api.evidence.largest_body(LARGEST_BODY)
    if length > request.max_content_length:
        raise Problem("too-large", most=request.max_content_length)
    if (length or "Transfer-Encoding" in request.headers) and not request.is_json:
        raise reading.not_json()


def _end(answer: Response) -> Response:
    """Counted and logged by its route: a path may hold a token."""
    route = str(request.url_rule) if request.url_rule else "none"
    seconds = time.perf_counter() - g.get("begun", time.perf_counter())
    method = request.method if request.method in METHODS else "other"  # whoever counts would keep what is made up
    metrics.REQUESTS.labels(route, method, answer.status_code).inc()
    metrics.SECONDS.labels(route).observe(seconds)
    logs.log.info("request", route=route, method=method, status=answer.status_code, ms=round(seconds * 1000, 1))
    if _settings().is_https:
        answer.headers.setdefault("Strict-Transport-Security", f"max-age={A_YEAR}")
    answer.headers.setdefault("X-Content-Type-Options", "nosniff")
    answer.headers.setdefault("Referrer-Policy", "no-referrer")
    if answer.status_code not in MUST_WAIT:  # the limiter says in every answer when its window ends
        answer.headers.pop("Retry-After", None)
    if (pause := g.get("retry_after")) is not None:
        answer.headers["Retry-After"] = str(pause)
    if answer.cache_control.immutable:  # caches give it to others, whose budget is another
        for name in BUDGET:
            answer.headers.pop(name, None)
    if cors.is_api():
        answer.headers.setdefault("Cache-Control", "private, no-store" if house.is_private() else "no-cache")
    return answer
