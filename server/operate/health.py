"""Health and readiness, for a supervisor or a proxy."""

from __future__ import annotations

import sqlalchemy as sa
from flask import Blueprint, Response, current_app
from sqlalchemy.orm import Session

from engine.kit import count
from server.evidence import audit
from server.kernel import own_keys
from server.kernel.config import ConfigError
from server.kernel.db import schema
from server.kernel.services import Services
from server.tables.read import without_rules

blp = Blueprint("health", __name__)


@blp.get("/healthz")
def healthz() -> Response:
    """Alive: checks nothing else."""
    return Response("ok\n", mimetype="text/plain")


@blp.get("/readyz")
def readyz() -> Response:
    """Ready: the database has this process's schema and keys. What is degraded loses nothing, but needs mending."""
    services: Services = current_app.extensions["sealedmove"]
    try:
        with services.database.read() as session:
            schema.check(session)
            own_keys.check(services.settings, session)
            found = _degraded(services, session)
    except sa.exc.SQLAlchemyError:
        return _not_ready("the database does not answer")
    except ConfigError as error:
        return _not_ready(str(error))
    lines = ["ready", *(f"degraded: {one}" for one in found)]
    return Response("".join(f"{line}\n" for line in lines), mimetype="text/plain")


def _degraded(services: Services, session: Session) -> list[str]:
    """Sentences about parts that work, but less well than they should."""
    failed = audit.counted(session)["fails"]
    audits = f"{count(failed, 'game')} failed the server's audit. `sealedmove audits` lists them."
    redis = "Redis does not answer. Mails are late, and each process counts rate limits on its own."
    rules = [
        f"the rules of {key}, version {version}, are not installed here; games that wait: {games}"
        for (key, version), games in without_rules(session).items()
    ]
    return [audits] * bool(failed) + [redis] * services.waker.is_away() + rules


def _not_ready(why: str) -> Response:
    return Response(f"{why}\n", 503, {"Retry-After": "5"}, mimetype="text/plain")
