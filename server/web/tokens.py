"""A token for a program, made by hand: asked for by name, shown once.

One with the scope `account` needs a signature, hence a program (`POST /v1/me/tokens`).
"""

from __future__ import annotations

from typing import Any

from flask import Response, request
from marshmallow import ValidationError

from server.api.schemas.me import NewTokenSchema
from server.auth.holder import Holder
from server.auth.tokens import LASTING
from server.errors import Problem
from server.usecases import own_tokens
from server.web.house import blueprint, own, page, reader, services

ENDS = (("30", "After 30 days"), ("90", "After 90 days"), ("365", "After a year"), ("", "When I take it back"))


@blueprint.get("/account/token")
def token_form() -> Response:
    """What it is to be called, what it may do, and for how long."""
    _reader()
    return _form({"scopes": LASTING, "days": "90"})


@blueprint.post("/account/token")
def make_token_page() -> Response:
    """Make it, and show it this once."""
    who, days = own(), request.form.get("days", "")
    wish = {"name": request.form.get("name", "").strip(), "scopes": request.form.getlist("scopes")}
    try:
        given = NewTokenSchema().load(wish | {"days": int(days) if days.isascii() and days.isdigit() else None})
        if not {*given["scopes"]} <= {*LASTING}:
            raise ValidationError({"scopes": [f"Of {', '.join(LASTING)}"]})
    except ValidationError as no:
        return _form(wish | {"days": days}, no.messages, 422)
    token = own_tokens.make(services(), who.account_id, given["name"], given["scopes"], given["days"])
    return page("token_made.html", secret=True, token=token, name=given["name"], url=services().settings.public_url)


def _form(given: Any, errors: Any = (), status: int = 200) -> Response:
    return page("token.html", status=status, given=given, errors=errors, ends=ENDS)


def _reader() -> Holder:
    who = reader()
    if who is None:
        raise Problem("not-signed-in")
    return who
