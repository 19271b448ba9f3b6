"""The composition root of the web process: it finds the rooms; nothing connects before a request needs it."""

from __future__ import annotations

import re
import time
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import brotli  # type: ignore[import-untyped]  # the wheel has no annotations
from flask import Blueprint, Flask, Request, Response, current_app, g, request
from flask_compress import Compress
from jinja2 import FileSystemLoader
from werkzeug.middleware.proxy_fix import ProxyFix

from engine import registry, struct_types
from server.http import limits, origin, problems, resource
from server.http.credentials import Principal
from server.http.document.about import CHAPTERS, INFO, VERSION
from server.http.long_poll import LongPolls
from server.http.resource import DocumentedApi, StrictBlueprint, Thumbprint, kid_schema
from server.kernel import config, logs, metrics
from server.kernel.config import Settings
from server.kernel.errors import Problem
from server.kernel.services import LaterWaker, Services, open_services

SERVER = Path(__file__).parents[1]
ENTRANCES = ("api", "page", "relays", "health")  # the files of a room that answer requests
LARGEST_BODY = 64 * 1024
METHODS = {*origin.METHODS, "OPTIONS"}
MUST_WAIT = (429, 503)
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}", re.ASCII)
# W3C Trace Context, of its only version: trace id, parent id, flags.
TRACE = re.compile(r"00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")
BUDGET = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
A_YEAR = 365 * 86400


def create_app(settings: Settings | None = None, services: Services | None = None) -> Flask:
    """The application. A test gives settings, or whole services with a clock of its own."""
    chosen = services.settings if services else settings or config.settings()
    logs.configure(chosen.log_level)
    app = Flask("server", static_folder=None)
    app.config.update(_flask_config())
    app.extensions["sealedmove"] = services or open_services(chosen, LaterWaker(chosen.redis_url))
    app.extensions["long_polls"] = LongPolls(chosen.most_waiting)
    _register_compression(app)
    app.before_request(_identify)
    app.before_request(_is_for_us)
    origin.register_cors(app)
    app.before_request(_begin)
    app.after_request(_end)
    app.teardown_request(lambda _: logs.bind_request(None))
    problems.register(app)
    app.jinja_loader = FileSystemLoader([*SERVER.rglob("templates")])
    app.extensions["api"] = _open(app)
    limits.register(app, chosen, app.extensions["sealedmove"].waker)
    if chosen.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=chosen.proxies, x_proto=chosen.proxies)  # type: ignore[method-assign]  # Flask's own way to add middleware
    struct_types.read_all()
    return app


def preload() -> None:
    """Import all that an application needs. Processes that are forked from this one share it in memory."""
    _blueprints()
    registry.games()
    struct_types.read_all()


def _open(app: Flask) -> DocumentedApi:
    """Every blueprint of every room; rooms are found, not listed."""
    app.url_map.converters["kid"] = Thumbprint
    api = DocumentedApi(app)
    api.register_converter(Thumbprint, kid_schema)
    for blueprint in _blueprints():
        holds = api if isinstance(blueprint, StrictBlueprint) else app
        holds.register_blueprint(blueprint)
    return api


def _blueprints() -> list[Blueprint]:
    """In the order of the document's chapters."""
    files = [path for name in ENTRANCES for path in SERVER.rglob(f"{name}.py")]
    names = sorted(".".join(path.relative_to(SERVER.parent).with_suffix("").parts) for path in files)
    found = {value for name in names for value in vars(import_module(name)).values() if isinstance(value, Blueprint)}
    places = {chapter: place for place, chapter in enumerate(CHAPTERS)}
    return sorted(found, key=lambda one: (places.get(one.name, len(places)), one.name))


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
    }


def _is_for_us() -> None:
    """Refuse other host names: if an attacker's name led here, the attacker's page could read the responses."""
    if request.path not in limits.FREE and request.host.lower() not in _settings().names:
        raise Problem("wrong-host", expected=_settings().public_url)


def _settings() -> Settings:
    found: Services = current_app.extensions["sealedmove"]
    return found.settings


def _identify() -> None:
    """Name the request in every line that is logged about it: as the proxy does, or by a new id."""
    given = _id_of_proxy() if _settings().proxies else None
    g.request_id = given or uuid4().hex
    logs.bind_request(g.request_id)


def _id_of_proxy() -> str | None:
    """The id that the proxy gave the request: its `X-Request-Id`, otherwise the trace id of its `traceparent`."""
    given = request.headers.get("X-Request-Id", "")
    if REQUEST_ID.fullmatch(given):
        return given
    traced = TRACE.fullmatch(request.headers.get("traceparent", ""))
    return traced[1] if traced else None


def _begin() -> None:
    g.begun = time.perf_counter()
    if request.method in ("POST", "PATCH", "PUT") and origin.is_api():
        _check_body()
    if request.args:
        resource.check_query()


def _check_body() -> None:
    """The checks that do not depend on the operation: the size of a body, and that it is declared as JSON."""
    length = request.content_length or 0
    request.max_content_length = resource.largest_body(LARGEST_BODY)
    if length > request.max_content_length:
        raise Problem("too-large", most=request.max_content_length)
    if (length or "Transfer-Encoding" in request.headers) and not request.is_json:
        raise resource.not_json()


def _end(answer: Response) -> Response:
    """Count and log the answer by its route, since a path may contain a token; set the last headers."""
    route = str(request.url_rule) if request.url_rule else "none"
    seconds = time.perf_counter() - g.get("begun", time.perf_counter())
    method = request.method if request.method in METHODS else "other"  # invented methods must not fill the metrics
    metrics.REQUESTS.labels(route, method, answer.status_code).inc()
    metrics.SECONDS.labels(route).observe(seconds)
    ms = round(seconds * 1000, 1)
    logs.log.info("request", route=route, method=method, status=answer.status_code, ms=ms, **_about())
    if _settings().is_https:
        answer.headers.setdefault("Strict-Transport-Security", f"max-age={A_YEAR}")
    answer.headers.setdefault("X-Content-Type-Options", "nosniff")
    answer.headers.setdefault("Referrer-Policy", "no-referrer")
    if answer.status_code not in MUST_WAIT:  # the limiter sets it in every answer
        answer.headers.pop("Retry-After", None)
    if (pause := g.get("retry_after")) is not None:
        answer.headers["Retry-After"] = str(pause)
    if answer.cache_control.immutable:  # caches would pass it on to readers with another budget
        for name in BUDGET:
            answer.headers.pop(name, None)
    elif "request_id" in g:
        answer.headers["X-Request-Id"] = g.request_id
    if origin.is_api():
        answer.headers.setdefault("Cache-Control", "private, no-store" if resource.is_private() else "no-cache")
    return answer


def _about() -> dict[str, Any]:
    """The caller's account, by its number, and the game; of each only what the request has looked up or named."""
    who: Principal | None = g.get("caller") or g.get("reader") or g.get("asks")
    game = (request.view_args or {}).get("game_id")
    return {
        **({"account": who.account_id} if who else {}),
        **({"game": str(game)} if isinstance(game, UUID) else {}),
    }


# --- compression, for clients that accept it --------------------------------------------------------------------------
# Responses whose length could reveal a secret are left out (BREACH): length reveals something if one holds a secret
# and text chosen by an attacker, who makes a person's browser request it again and again and observes how long the
# responses are. So these are not compressed: what a page of another origin may have requested as a signed-in person;
# answers to changes, which show new tokens; pages behind a mailed link; anything about key backups. Another origin's
# page cannot send a token, so responses to requests with a token are safe.

SEALED = ("/v1/me/keybox", "/v1/login")
# Flask-Compress chooses the content types and the smallest size. Its own order begins with zstd, which is larger.
CHOSEN = {"COMPRESS_ALGORITHM": ("br", "zstd", "gzip"), "COMPRESS_REGISTER": False, "COMPRESS_STREAMS": False}
MOST_KEPT = 32


class Compressed:
    """Flask-Compress keeps here what it makes of answers that are the same for everybody (`etags.same_for_all`)."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    @staticmethod
    def key(_: Request) -> str:
        """The end of the key that Flask-Compress gives to `get` and `set`; empty for other answers."""
        return str(g.get("same_for_all", ""))

    def get(self, key: str) -> bytes | None:
        return self._kept.get(key)

    def set(self, key: str, value: bytes) -> None:
        if not key.endswith(";") and len(self._kept) < MOST_KEPT:
            self._kept[key] = value


def _register_compression(app: Flask) -> None:
    """Register first, so that it runs after all others: they see the response uncompressed."""
    app.config.update(CHOSEN, COMPRESS_CACHE_BACKEND=Compressed, COMPRESS_CACHE_KEY=Compressed.key)
    compress = Compress(app)

    def compressed(answer: Response) -> Response:
        if not _may_be_compressed(answer):
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
    """A static file at the highest level: at the level for pages a first visit would be 9 kB larger, over its limit.

    Flask-Compress leaves encoded responses alone.
    """
    data = answer.get_data()
    if len(data) >= least:
        answer.set_data(_smallest(data))
        answer.headers["Content-Encoding"] = "br"


@lru_cache(256)
def _smallest(data: bytes) -> bytes:
    """Compress it, about 10 ms for a file, once in a process."""
    return bytes(brotli.compress(data, quality=11))


def _may_be_compressed(answer: Response) -> bool:
    reads = request.method in ("GET", "HEAD") or request.path.endswith("/preview")  # which is asked by POST
    if not reads or answer.status_code != 200 or request.path.startswith(SEALED):
        return False
    return not answer.headers.get("X-Robots-Tag") and (not g.get("counted") or _is_own_request())


def _is_own_request() -> bool:
    """Return whether our own page or the person requested it, so that no attacker could choose its content."""
    return request.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")


def _weaken(answer: Response) -> None:
    """Weaken the tag: another encoding is equal in meaning, not in bytes (RFC 9110, 8.8.1).

    Flask-Compress would give each encoding its own tag, which a held request could not match.
    """
    tag, is_weak = answer.get_etag()
    if tag and not is_weak:
        answer.set_etag(tag, weak=True)
