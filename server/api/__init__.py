"""The API, version 1: one resource a file, over the use cases. `register` puts all of them into an app."""

from __future__ import annotations

from flask import Flask

from server.api import (
    acts,
    bots,
    calendar,
    events,
    evidence,
    games,
    hooks,
    keybox,
    keys,
    log,
    login,
    mail,
    me,
    plans,
    position,
    sessions,
    tokens,
    turns,
    types,
    waiting,
    well_known,
)
from server.api.house import HouseApi
from server.api.reading import Thumbprint
from server.api.schemas.me import kid_schema

BLUEPRINTS = (
    login.blp, me.blp, sessions.blp, tokens.blp, keys.blp, keybox.blp, waiting.blp, mail.blp, calendar.blp, turns.blp,
    hooks.blp, bots.blp, types.blp, games.blp, acts.blp, log.blp, position.blp, plans.blp, events.blp, evidence.blp,
    well_known.blp,
)  # fmt: skip


def register(app: Flask) -> HouseApi:
    """Every resource under /v1, its document at /v1/openapi.json."""
    app.url_map.converters["kid"] = Thumbprint
    api = HouseApi(app)
    api.register_converter(Thumbprint, kid_schema)
    for blueprint in BLUEPRINTS:
        api.register_blueprint(blueprint)
    return api
