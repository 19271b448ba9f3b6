"""Is this process alive, can it serve, and what has it counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import sqlalchemy as sa
from flask import Blueprint, Response, current_app

from server import metrics
from server.config import ConfigError
from server.db.models import Game
from server.projections import mails
from server.projections.server_keys import check_number
from server.services import Services

T = TypeVar("T")
blp = Blueprint("health", __name__)


@blp.get("/healthz")
def healthz() -> Response:
    """Alive: asks nobody."""
    return Response("ok\n", mimetype="text/plain")


@blp.get("/readyz")
def readyz() -> Response:
    """Ready: the database answers and is migrated. Redis may be down; nothing is lost then, only later."""
    services: Services = current_app.extensions["sealedmove"]
    try:
        with services.database.read() as session:
            session.execute(sa.select(Game.id).limit(1))
        check_number(services)
    except sa.exc.SQLAlchemyError:
        return _not_ready("the database does not answer, or lacks its tables")
    except ConfigError as error:
        return _not_ready(str(error))
    return Response("ready\n", mimetype="text/plain")


def _not_ready(why: str) -> Response:
    return Response(f"{why}\n", 503, {"Retry-After": "5"}, mimetype="text/plain")


@blp.get("/metrics")
def numbers() -> Response:
    """For Prometheus."""
    services: Services = current_app.extensions["sealedmove"]
    mailed, said = lambda: _rows(services, mails.counted), lambda: _rows(services, mails.counted_reports)
    numbers = metrics.exposition(services.settings.events_socket, mailed, said)
    return Response(numbers, content_type="text/plain; version=0.0.4; charset=utf-8")


def _rows(services: Services, count: Callable[[Services], dict[str, T]]) -> dict[str, T]:
    """None of them while the database is away: the other numbers are wanted then most of all."""
    try:
        return count(services)
    except sa.exc.SQLAlchemyError:
        return {}
