"""Applications of servers in tests. An unused one serves the next test, because making one is slow.

An application holds its services, its waiting requests and its counters; all three are reset between tests.
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
    """An application over these services, for one test at a time."""
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
    """Return an application that is no longer used."""
    settings = app.extensions["sealedmove"].settings
    if settings.redis_url is not None:  # its counters are there
        return
    app.extensions["budgets"].reset()
    _unused.setdefault(_alike(settings), []).append(app)


def _alike(settings: Settings) -> Settings:
    return replace(settings, database_url="")
