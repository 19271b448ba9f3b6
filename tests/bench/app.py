"""The server's app with two more resources, to measure a move beside an empty answer and a committed row."""

from typing import Any

import sqlalchemy as sa
from flask import Flask, request

from server.http.app import create_app as real_app
from server.kernel.services import Services
from tests.kit import installed

installed.here()


def create_app() -> Flask:
    """For gunicorn: `tests.bench.app:create_app()`."""
    app = real_app()
    services: Services = app.extensions["sealedmove"]
    number = "INTEGER PRIMARY KEY" if services.database.is_sqlite else "BIGSERIAL PRIMARY KEY"
    with services.database.write() as session:
        if not services.database.is_sqlite:  # several processes start at once
            session.execute(sa.text("SELECT pg_advisory_xact_lock(1)"))
        session.execute(sa.text(f"CREATE TABLE IF NOT EXISTS bench_row (id {number}, body TEXT NOT NULL)"))

    @app.post("/v1/bench/empty")
    def empty() -> tuple[dict[str, Any], int]:
        request.get_json()
        return {"entry": "", "note": ""}, 201

    @app.post("/v1/bench/row")
    def row() -> tuple[dict[str, Any], int]:
        body = request.get_json()["jws"]
        with services.database.write() as session:
            session.execute(sa.text("INSERT INTO bench_row (body) VALUES (:body)"), {"body": body})
        return {"entry": "", "note": ""}, 201

    return app
