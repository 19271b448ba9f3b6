"""The applications of servers in tests: one that is no longer used serves the next test, for making one costs more.

An application keeps three of its own: its services, who waits, and what it has counted of whom. They begin anew.
"""

from __future__ import annotations

from dataclasses import replace

from flask import Flask

from server.http.app import create_app
from server.http.long_poll import LongPolls
from server.kernel import logs
from server.kernel.config import Settings
from server.kernel.services import Services
from tests.server import promised

_unused: dict[Settings, list[Flask]] = {}


def take(services: Services) -> Flask:
    """An application over these services, which nobody else uses."""
    unused = _unused.get(_alike(services.settings))
    if not unused:
        made = create_app(services=services)
        promised.watch(made)
        return made
    app = unused.pop()
    logs.configure(services.settings.log_level)
    app.extensions["sealedmove"] = services
    app.extensions["long_polls"] = LongPolls(services.settings.most_waiting)
    return app


def give_back(app: Flask) -> None:
    """Whoever had it asks it nothing more."""
    settings = app.extensions["sealedmove"].settings
    if settings.redis_url is not None:  # what it counted stands there
        return
    for limiter in app.extensions["limiter"]:
        limiter.reset()
    _unused.setdefault(_alike(settings), []).append(app)


def _alike(settings: Settings) -> Settings:
    return replace(settings, database_url="")
