"""The API of email settings, sent emails and the calendar."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from server.http.etags import is_version
from server.http.resource import (
    MORE,
    UNCHANGED,
    account_id,
    holder,
    may_refuse,
    paged,
    requires_scope,
    resource,
    services,
    tagged,
)
from server.http.schemas import KnownSchema
from server.kernel.text import iso
from server.mailbox import calendar, read, write
from server.mailbox.choices import StoredChoices
from server.mailbox.schemas import (
    CalendarSchema,
    ChangeChoicesSchema,
    ChangeExceptionsSchema,
    ChoicesSchema,
    ExceptionsSchema,
    MadeCalendarSchema,
    MailedPageSchema,
    MailedQuerySchema,
    WhySchema,
)
from server.mailbox.write import Known

mail_blp = resource("mail", "Your email settings and the emails sent to you. See docs/mail.md.")
THERE = "/me/mail/games/<uuid:game_id>"


@mail_blp.route("/me/mail", methods=["GET"])
@requires_scope("read")
@mail_blp.response(200, ChoicesSchema)
@mail_blp.alt_response(304, description=UNCHANGED, success=True)
def show_mail_choices() -> Response:
    """Get your email settings.

    By default you get each email immediately, with a picture, and one reminder.
    """
    return _answer(read.shown_choices(write.show_choices(services(), account_id())))


@mail_blp.route("/me/mail", methods=["PATCH"])
@may_refuse(412)
@requires_scope("account")
@mail_blp.arguments(KnownSchema, location="headers")
@mail_blp.arguments(
    ChangeChoicesSchema,
    example={"turn": "digest", "digest_hour": "07:30", "quiet_from": "22:00", "quiet_until": "07:00"},
)
@mail_blp.response(200, ChoicesSchema)
def change_mail_choices(headers: dict[str, Any], given: dict[str, Any]) -> Response:
    """Change your email settings.

    They also apply to emails that are already waiting. Times of day are in your time zone.
    """
    write.change_choices(
        services(), account_id(), write.in_order(given), _known(headers, lambda kept, _: read.shown_choices(kept))
    )
    return _answer(read.shown_choices(write.show_choices(services(), account_id())))


@mail_blp.route(THERE, methods=["GET"])
@may_refuse(403)
@requires_scope("read")
@mail_blp.response(200, ExceptionsSchema)
@mail_blp.alt_response(304, description=UNCHANGED, success=True)
def show_mail_exceptions(game_id: UUID) -> Response:
    """Get your email settings for a table.

    For a player of the game. `in_force` combines them with your general settings.
    """
    return _answer(_there(str(game_id)))


@mail_blp.route(THERE, methods=["PATCH"])
@may_refuse(403, 412)
@requires_scope("account")
@mail_blp.arguments(KnownSchema, location="headers")
@mail_blp.arguments(ChangeExceptionsSchema, example={"turn": "on", "delay": 0, "over": None})
@mail_blp.response(200, ExceptionsSchema)
def change_mail_exceptions(headers: dict[str, Any], given: dict[str, Any], game_id: UUID) -> Response:
    """Change your email settings for a table.

    Times of day are always those of your general settings; everything else can differ for a table.
    """

    def body(kept: StoredChoices, muted: bool | None) -> dict[str, Any]:
        return read.shown_exceptions(kept, str(game_id), muted=bool(muted))

    write.change_exceptions(services(), account_id(), str(game_id), write.in_order(given), _known(headers, body))
    return _answer(_there(str(game_id)))


@mail_blp.route(f"{THERE}/why", methods=["GET"])
@may_refuse(403)
@requires_scope("read")
@mail_blp.response(200, WhySchema)
def explain_mail(game_id: UUID) -> dict[str, str]:
    """Explain the email about your current turn.

    Why you got an email about this table, did not, or will get it later, in one sentence. All emails are at
    `/v1/me/mails`.
    """
    return {"game": str(game_id), "says": read.why_mailed(services(), account_id(), str(game_id))}


@mail_blp.route("/me/mails", methods=["GET"])
@requires_scope("read")
@mail_blp.arguments(MailedQuerySchema, location="query")
@mail_blp.response(200, MailedPageSchema, headers=MORE)
@mail_blp.alt_response(304, description=UNCHANGED, success=True)
def list_mails(arguments: dict[str, Any]) -> Response:
    """List the emails sent to you.

    Newest first, with what each was about, when it was sent and how the mail server answered, or why it was not sent.
    """
    game = str(arguments["game"]) if "game" in arguments else None
    body = read.listed_mails(services(), account_id(), game, arguments.get("after"), arguments["limit"])
    return paged(tagged(body, private=True), body["next"])


def _there(game_id: str) -> dict[str, Any]:
    stored, muted = write.show_exceptions(services(), account_id(), game_id)
    return read.shown_exceptions(stored, game_id, muted=muted)


def _known(headers: dict[str, Any], body: Any) -> Known | None:
    """Is the caller's version current? Not checked without `If-Match`."""
    if "known" not in headers:
        return None
    return lambda kept, muted: is_version(headers["known"], body(kept, muted))


def _answer(body: dict[str, Any]) -> Response:
    return tagged(body, private=True)


# --- The calendar of your deadlines -----------------------------------------------------------------------------------
# its link. The calendar itself is `/me/calendar.ics` (`server.mailbox.page`).


calendar_blp = resource("calendar", "A calendar of all your deadlines, for any calendar program.")


@calendar_blp.route("/me/calendar", methods=["GET"])
@may_refuse(404)
@requires_scope("account")
@calendar_blp.response(200, CalendarSchema)
def show_calendar() -> dict[str, Any]:
    """Get your calendar link.

    When it was made and last used. 404 if there is none.
    """
    row = calendar.show_link(services(), account_id())
    return {"created_at": iso(row.created_at), "last_used_at": row.last_used_at and iso(row.last_used_at)}


@calendar_blp.route("/me/calendar", methods=["POST"])
@requires_scope("account")
@calendar_blp.response(201, MadeCalendarSchema)
def make_calendar() -> tuple[dict[str, str], int, dict[str, str]]:
    """Make a calendar link.

    For calendar programs, which read it regularly: each deadline is an event with alarms at the times of your
    reminders. Your earlier link stops working.
    """
    return {"url": calendar.make_link(services(), holder())}, 201, {"Cache-Control": "no-store"}


@calendar_blp.route("/me/calendar", methods=["DELETE"])
@may_refuse(404)
@requires_scope("account")
@calendar_blp.response(204)
def drop_calendar() -> None:
    """Revoke your calendar link.

    It stops working at once.
    """
    calendar.drop_link(services(), account_id())
