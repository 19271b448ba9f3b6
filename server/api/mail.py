"""Mail: what one wants of it."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

import flask
from flask import Response

from server.api.house import MORE, UNCHANGED, account_id, needs, paged, refuses, resource, services, tagged
from server.api.schemas.mail import (
    ChangeChoicesSchema,
    ChangeExceptionsSchema,
    ChoicesSchema,
    ExceptionsSchema,
    KnownSchema,
    MailedPageSchema,
    MailedQuerySchema,
    WhySchema,
)
from server.mailing.kept import Kept
from server.projections import choices as shown
from server.projections import mailed
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


@blp.route(f"{THERE}/why", methods=["GET"])
@refuses(403)
@needs("read")
@blp.response(200, WhySchema)
def explain_mail(game_id: UUID) -> dict[str, str]:
    """Why you were mailed about a table, or were not.

    Of the move that you owe there now, in one sentence; the whole list is at `/v1/me/mails`.
    """
    return {"game": str(game_id), "says": mailed.why(services(), account_id(), str(game_id))}


@blp.route("/me/mails", methods=["GET"])
@needs("read")
@blp.arguments(MailedQuerySchema, location="query")
@blp.response(200, MailedPageSchema, headers=MORE)
@blp.alt_response(304, description=UNCHANGED, success=True)
def list_mails(asked: dict[str, Any]) -> Response:
    """What was mailed to you.

    The newest first: what it was about, when it went, what the mail server said; and of what did not go, why.
    """
    game = str(asked["game"]) if "game" in asked else None
    body = mailed.listed(services(), account_id(), game, asked.get("after"), asked["limit"])
    return paged(tagged(body, private=True), body["next"])


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
