"""Mail: what one wants of it."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

import flask
from flask import Response

from server.api.house import UNCHANGED, account_id, needs, refuses, resource, services, tagged
from server.api.schemas.mail import (
    ChangeChoicesSchema,
    ChangeExceptionsSchema,
    ChoicesSchema,
    ExceptionsSchema,
    KnownSchema,
)
from server.mailing.kept import Kept
from server.projections import choices as shown
from server.tags import tag
from server.usecases import preferences
from server.usecases.preferences import Known

blp = resource("mail", "Mail: which you want, when, and how. See docs/mail.md.")
THERE = "/me/mail/games/<uuid:game_id>"


@blp.route("/me/mail", methods=["GET"])
@needs("read")
@blp.response(200, ChoicesSchema)
@blp.alt_response(304, description=UNCHANGED, success=True)
def show_mail_choices() -> Response:
    """What you chose about mail.

    Who has chosen nothing gets every mail at once, with a picture, and one reminder.
    """
    return _answer(shown.shown(preferences.show(services(), account_id())))


@blp.route("/me/mail", methods=["PATCH"])
@refuses(412)
@needs("account")
@blp.arguments(KnownSchema, location="headers")
@blp.arguments(
    ChangeChoicesSchema,
    example={"turn": "digest", "digest_hour": "07:30", "quiet_from": "22:00", "quiet_until": "07:00"},
)
@blp.response(200, ChoicesSchema)
def change_mail_choices(headers: dict[str, Any], given: dict[str, Any]) -> Response:
    """Choose about mail.

    What waits already is looked at again by what is chosen now. Hours are those of your time zone.
    """
    preferences.change(
        services(), account_id(), preferences.in_order(given), _known(headers, lambda kept, _: shown.shown(kept))
    )
    return _answer(shown.shown(preferences.show(services(), account_id())))


@blp.route(THERE, methods=["GET"])
@refuses(403)
@needs("read")
@blp.response(200, ExceptionsSchema)
@blp.alt_response(304, description=UNCHANGED, success=True)
def show_mail_exceptions(game_id: UUID) -> Response:
    """What is otherwise at a table.

    For who sits there; `in_force` is what counts in the end.
    """
    return _answer(_there(str(game_id)))


@blp.route(THERE, methods=["PATCH"])
@refuses(403, 412)
@needs("account")
@blp.arguments(KnownSchema, location="headers")
@blp.arguments(ChangeExceptionsSchema, example={"turn": "on", "delay": 0, "over": None})
@blp.response(200, ExceptionsSchema)
def change_mail_exceptions(headers: dict[str, Any], given: dict[str, Any], game_id: UUID) -> Response:
    """Choose about the mail of one table.

    Hours of the day are those that you chose for all; everything else can be otherwise here.
    """

    def body(kept: Kept, muted: bool | None) -> dict[str, Any]:
        return shown.shown_there(kept, str(game_id), muted=bool(muted))

    preferences.change_there(services(), account_id(), str(game_id), preferences.in_order(given), _known(headers, body))
    return _answer(_there(str(game_id)))


def _there(game_id: str) -> dict[str, Any]:
    kept, muted = preferences.show_there(services(), account_id(), game_id)
    return shown.shown_there(kept, game_id, muted=muted)


def _known(headers: dict[str, Any], body: Any) -> Known | None:
    """Is what the caller has still so? Without `If-Match` that is not asked."""
    if "known" not in headers:
        return None
    tags = re.findall(r'(?:W/)?"([^"]*)"', headers["known"])
    return lambda kept, muted: headers["known"].strip() == "*" or tag(flask.jsonify(body(kept, muted))) in tags


def _answer(body: dict[str, Any]) -> Response:
    return tagged(body, private=True)
