"""Health and readiness, for a supervisor or a proxy."""

from __future__ import annotations

from flask import Blueprint, Response, current_app

from server.kernel.services import Services
from server.operate import facts

blp = Blueprint("health", __name__)


@blp.get("/healthz")
def healthz() -> Response:
    """Alive: checks nothing else."""
    return Response("ok\n", mimetype="text/plain")


@blp.get("/readyz")
def readyz() -> Response:
    """Ready: the database has this process's schema and keys. What is degraded loses nothing, but needs mending."""
    services: Services = current_app.extensions["sealedmove"]
    found = [one for one in facts.quick(services) if one.wrong]
    for one in found:
        if one.is_critical:
            return _not_ready(one.sentence)
    lines = ["ready", *(f"degraded: {one.sentence}" for one in found)]
    return Response("".join(f"{line}\n" for line in lines), mimetype="text/plain")


def _not_ready(why: str) -> Response:
    return Response(f"{why}\n", 503, {"Retry-After": "5"}, mimetype="text/plain")
