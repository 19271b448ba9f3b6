"""The API of guests."""

from __future__ import annotations

from typing import Any

import flask
from flask import Response
from marshmallow import Schema, fields

from server.accounts.guests import write
from server.http import origin
from server.http.page import reader
from server.http.resource import may_refuse, resource, services
from server.http.schemas import doc
from server.kernel.errors import Problem

guests_blp = resource("guests", "Play against house players without an email address.")


class GuestSchema(Schema):
    """The account in which the browser is signed in now."""

    account = fields.Integer(required=True, metadata=doc("The number of the account."))


@guests_blp.route("/guests", methods=["POST"])
@may_refuse(403)
@guests_blp.response(201, GuestSchema)
def begin_guest() -> dict[str, Any]:
    """Begin to play as a guest.

    Only pages of this server can use this: the answer signs the browser in by a cookie. A browser that is signed in
    stays as it is. Guests sit at tables of their own with house players. They cannot write, invite others or use
    programs, and are deleted after 30 days without a move. A confirmed email address makes one an account like any
    other.
    """
    if origin.cookie_name() is None:
        raise Problem("plain-http")
    if not origin.is_same_origin():
        raise Problem("other-origin")
    if (principal := reader()) is not None:
        return {"account": principal.account_id}
    account_id, secret = write.begin(services())
    flask.after_this_request(lambda answer: _signed_in(answer, secret))
    return {"account": account_id}


def _signed_in(answer: Response, secret: str) -> Response:
    origin.put_cookie(answer, secret)
    answer.headers["Cache-Control"] = "no-store"
    return answer
