"""One's own account."""

from __future__ import annotations

from typing import Any

import flask
from flask import Response

from server.api.house import account_id, caller, needs, refuses, resource, services
from server.api.schemas.account import ExportSchema, ProofSchema
from server.api.schemas.me import MeSchema, RenameSchema
from server.projections import export
from server.usecases import account, mailbox

blp = resource("me", "Your account.")


@blp.route("/me", methods=["GET"])
@needs("read")
@blp.response(200, MeSchema)
def get_me() -> dict[str, Any]:
    """Who you are to this server.

    Your name and address, and what the token that you show may do.
    """
    return _shown()


@blp.route("/me", methods=["PATCH"])
@needs("account")
@blp.arguments(RenameSchema)
@blp.response(200, MeSchema)
def rename_me(given: dict[str, Any]) -> dict[str, Any]:
    """Take another name or time zone.

    The name is what others read at every table; the log of a game names keys and no people.
    """
    account.change(services(), account_id(), given)
    return _shown()


@blp.route("/me", methods=["DELETE"])
@refuses(400, 401, 409)
@needs("account")
@blp.arguments(ProofSchema, location="headers")
@blp.response(204)
def erase_me(asked: dict[str, Any]) -> None:
    """Erase the account.

    Address, name, keys and tokens go; games stay, and the clock plays on where it must. Needs a statement `erase`;
    without a signature it can be asked for at `/v1/me/waiting`.
    """
    account.erase_signed(services(), account_id(), asked.get("proof"))


@blp.route("/me/mail-stop", methods=["DELETE"])
@refuses(404)
@needs("account")
@blp.response(204)
def want_mail() -> None:
    """Have mail sent again.

    It was stopped by what was said of your address: see `mail_stopped` of `GET /v1/me`. What your games ask of you now
    is mailed at once; if that comes back, mail is stopped again. 404 if none is.
    """
    mailbox.want(services(), account_id())


@blp.route("/me/export", methods=["GET"])
@needs("account")
@blp.response(200, ExportSchema)
def export_me() -> Response:
    """All that is kept of you.

    Account, keys, box, sessions, tokens, webhooks, bots, seats and mails. Games themselves are at `bundle` of each;
    what is a secret and never shown again, a token for instance, is in no export either.
    """
    answer = flask.jsonify(export.of(services(), account_id()))
    answer.headers["Content-Disposition"] = 'attachment; filename="sealedmove.json"'
    return answer


def _shown() -> dict[str, Any]:
    held = caller()
    assert held is not None
    return account.show(services(), held.account_id) | {"scopes": sorted(held.scopes)}
