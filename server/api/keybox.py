"""The key box: a recovery key that only its owner can unwrap."""

from __future__ import annotations

import re
from typing import Any

import flask
from flask import Response

from server.api.house import UNCHANGED, account_id, needs, refuses, resource, services
from server.api.schemas.account import ConditionSchema, KeyBoxSchema, PutBoxSchema
from server.db.models import KeyBox
from server.errors import Problem
from server.usecases import keybox
from server.wording import iso

blp = resource("keybox", "The key box: a recovery key that only its owner can unwrap.")


@blp.route("/me/keybox", methods=["GET"])
@refuses(404)
@needs("account")
@blp.response(200, KeyBoxSchema)
@blp.alt_response(304, description=UNCHANGED, success=True)
def show_box() -> Response:
    """Your key box.

    A new device opens it with the recovery code, lets itself in by the key in it, and forgets that key again.
    """
    return _answer(keybox.show(services(), account_id()))


@blp.route("/me/keybox", methods=["PUT"])
@refuses(400, 401, 409, 412, 428)
@needs("account")
@blp.arguments(ConditionSchema, location="headers")
@blp.arguments(PutBoxSchema)
@blp.response(200, KeyBoxSchema)
@blp.alt_response(201, schema=KeyBoxSchema, description="The first one.", success=True)
def put_box(asked: dict[str, Any], given: dict[str, Any]) -> Response:
    """Keep a key box.

    Needs a statement `box`, and `If-Match` with the ETag of the box that it takes the place of, or `If-None-Match: *`.
    Each box has a recovery key of its own.
    """
    made = keybox.Kept(given["box"], given["x"])
    first = keybox.put(services(), account_id(), made, _condition(asked), asked.get("proof"))
    answer = _answer(keybox.show(services(), account_id()))
    answer.status_code = 201 if first else 200
    return answer


@blp.route("/me/keybox", methods=["DELETE"])
@refuses(400, 401, 404, 409, 412, 428)
@needs("account")
@blp.arguments(ConditionSchema, location="headers")
@blp.response(204)
def delete_box(asked: dict[str, Any]) -> None:
    """Delete the key box.

    Needs `If-Match`, and a statement `drop-box`. Without a signature it can be asked for at `/v1/me/waiting`.
    """
    keybox.delete(services(), account_id(), _condition(asked), asked.get("proof"))


def _condition(asked: dict[str, Any]) -> Any:
    """Does the caller know the box of this kid, or that there is none?"""
    if "known" in asked:
        tags = re.findall(r'(?:W/)?"([^"]*)"', asked["known"])
        return lambda kid: kid in tags or (kid is not None and asked["known"].strip() == "*")
    if asked.get("none") == "*":
        return lambda kid: kid is None
    raise Problem("no-condition")


def _answer(box: KeyBox) -> Response:
    body = {"box": box.box, "kid": box.kid, "x": box.x, "created_at": iso(box.created_at)}
    answer = flask.jsonify(body)
    answer.set_etag(box.kid)
    answer.headers["Cache-Control"] = "private, no-store"
    return answer if flask.request.method != "GET" else answer.make_conditional(flask.request)  # type: ignore[return-value]  # Flask's own class
