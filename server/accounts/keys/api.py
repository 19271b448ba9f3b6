"""The API of keys and the key backup."""

from __future__ import annotations

import re
from typing import Any

import flask
import sqlalchemy as sa
from flask import Response

from server.accounts import statements
from server.accounts.keys import backup, write
from server.accounts.schemas import (
    ChallengeSchema,
    ConditionSchema,
    KeyBoxSchema,
    KeySchema,
    ProofSchema,
    PutBoxSchema,
    RegisterKeySchema,
)
from server.http.resource import UNCHANGED, account_id, caller, may_refuse, requires_scope, resource, services
from server.kernel.db.models import AccountKey, KeyBox
from server.kernel.errors import Problem
from server.kernel.text import iso

keys_blp = resource("keys", "Your signing keys. The server never has their private halves.")


@keys_blp.route("/me/keys/challenge", methods=["POST"])
@requires_scope("account")
@keys_blp.response(201, ChallengeSchema)
def create_key_challenge() -> dict[str, str]:
    """Get a nonce to sign.

    Valid once, within ten minutes. Sign it in a `RegisterPayload` for `POST /v1/me/keys`, or in a `StatementPayload`,
    which also repeats `at`.
    """
    made = statements.give_challenge(services(), account_id())
    return {"nonce": made.nonce, "at": iso(made.at)}


@keys_blp.route("/me/keys", methods=["GET"])
@requires_scope("read")
@keys_blp.response(200, KeySchema(many=True))
def list_keys() -> list[dict[str, Any]]:
    """List your keys.

    Oldest first. The private halves never leave your devices.
    """
    query = sa.select(AccountKey).where(AccountKey.account_id == account_id()).order_by(AccountKey.id)
    with services().database.read() as session:
        return [_as_json(row) for row in session.scalars(query)]


@keys_blp.route("/me/keys", methods=["POST"])
@may_refuse(401, 409)
@requires_scope("account")
@keys_blp.arguments(RegisterKeySchema)
@keys_blp.response(201, KeySchema)
def register_key(given: dict[str, Any]) -> dict[str, Any]:
    """Register a key.

    Send a JWS of type `sealedmove-key+jws` over a `RegisterPayload`, signed with the key. Your first key is approved at
    once. Any other is approved by a statement `let-in`, or after seven days. Registering the same key again requests
    approval again.
    """
    return _as_json(write.register(services(), account_id(), given["jws"], _session()))


@keys_blp.route("/me/keys/<kid:kid>", methods=["DELETE"])
@may_refuse(400, 401, 409)
@requires_scope("account")
@keys_blp.arguments(ProofSchema, location="headers")
@keys_blp.response(204)
def forget_key(arguments: dict[str, Any], kid: str) -> None:
    """Remove a key from your account.

    The server forgets whose key it is. Seats that it holds keep it. Needs a statement `drop-key`, unless the key is not
    approved yet. Without a signature, request it at `/v1/me/waiting`.
    """
    write.remove(services(), account_id(), kid, arguments.get("proof"))


@keys_blp.route("/me/keys/<kid:kid>/let-in", methods=["POST"])
@may_refuse(400, 401, 409, 410)
@requires_scope("account")
@keys_blp.arguments(ProofSchema, location="headers")
@keys_blp.response(200, KeySchema)
def let_key_in(arguments: dict[str, Any], kid: str) -> dict[str, Any]:
    """Approve a key.

    Needs a statement `let-in` by an approved key or by the recovery key, within ten minutes after the new key was
    registered. Before you sign, compare the key with what the new device shows: the list of keys comes from the server.
    """
    return _as_json(write.approve(services(), account_id(), kid, arguments.get("proof")))


def _session() -> int | None:
    principal = caller()
    return int(principal.shown[1:]) if principal is not None and principal.shown.startswith("s") else None


def _as_json(row: AccountKey) -> dict[str, Any]:
    asked_at = None if row.counts or row.asked_at is None else iso(row.asked_at)
    made = {"kid": row.kid, "x": row.x, "counts": row.counts, "session": row.session_id}
    return made | {"asked_at": asked_at, "created_at": iso(row.created_at)}


# --- The key backup: a recovery key that only its owner can decrypt ---------------------------------------------------


box_blp = resource(
    "keybox", "The key backup: your recovery key, encrypted with a recovery code that the server never sees."
)


@box_blp.route("/me/keybox", methods=["GET"])
@may_refuse(404)
@requires_scope("account")
@box_blp.response(200, KeyBoxSchema)
@box_blp.alt_response(304, description=UNCHANGED, success=True)
def show_box() -> Response:
    """Get your key backup.

    A new device opens it with the recovery code, uses the recovery key to approve its own key, and then forgets the
    recovery key.
    """
    return _answer(backup.show(services(), account_id()))


@box_blp.route("/me/keybox", methods=["PUT"])
@may_refuse(400, 401, 409, 412, 428)
@requires_scope("account")
@box_blp.arguments(ConditionSchema, location="headers")
@box_blp.arguments(PutBoxSchema)
@box_blp.response(200, KeyBoxSchema)
@box_blp.alt_response(201, schema=KeyBoxSchema, description="The first one.", success=True)
def put_box(headers: dict[str, Any], given: dict[str, Any]) -> Response:
    """Store a key backup.

    Needs a statement `box`, and `If-Match` with the ETag of the backup to replace, or `If-None-Match: *` for the first
    one. Each backup has a new recovery key.
    """
    made = backup.SubmittedBackup(given["box"], given["x"])
    first = backup.put(services(), account_id(), made, _condition(headers), headers.get("proof"))
    answer = _answer(backup.show(services(), account_id()))
    answer.status_code = 201 if first else 200
    return answer


@box_blp.route("/me/keybox", methods=["DELETE"])
@may_refuse(400, 401, 404, 409, 412, 428)
@requires_scope("account")
@box_blp.arguments(ConditionSchema, location="headers")
@box_blp.response(204)
def delete_box(headers: dict[str, Any]) -> None:
    """Delete your key backup.

    Needs `If-Match` and a statement `drop-box`. Without a signature, request it at `/v1/me/waiting`.
    """
    backup.delete(services(), account_id(), _condition(headers), headers.get("proof"))


def _condition(headers: dict[str, Any]) -> Any:
    """Does the request name the current backup, or correctly expect none?"""
    if "known" in headers:
        tags = re.findall(r'(?:W/)?"([^"]*)"', headers["known"])
        return lambda kid: kid in tags or (kid is not None and headers["known"].strip() == "*")
    if headers.get("none") == "*":
        return lambda kid: kid is None
    raise Problem("no-condition")


def _answer(shown: tuple[KeyBox, list[str]]) -> Response:
    box, former = shown
    body = {"box": box.box, "kid": box.kid, "x": box.x, "former": former, "created_at": iso(box.created_at)}
    answer = flask.jsonify(body)
    answer.set_etag(box.kid)
    answer.headers["Cache-Control"] = "private, no-store"
    return answer if flask.request.method != "GET" else answer.make_conditional(flask.request)  # type: ignore[return-value]  # Flask's own class
