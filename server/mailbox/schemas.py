"""Schemas of email settings and sent emails."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from server.http.schemas import MOST, SEAT, ZONE, StrictInteger, doc, game_id, moment
from server.mailbox.choices import EARLIEST_HOUR, LONGEST_DELAY, MODES, MOST_HOURS, NAMED_ALWAYS, REMINDS
from server.mailbox.explanation import STATES

HOUR = r"^([01][0-9]|2[0-3]):[0-5][0-9]$(?!\n)"
OF_TURN = "It is your turn: an email at once (`on`), none (`off`), or in the `digest`."
OF_REMINDER = "Your time is running out."
OF_STARTED = "A game has started in which another player moves first."
OF_OVER = "A game has finished or was cancelled."
OF_ABSENT = "You count as absent."
DELAY = "Minutes until the email about your turn is sent, if it is still your turn and the deadline is later."
REMIND = "`usual`: when a fifth of your time is left; `hours`: that many `hours` before the deadline."
HOURS = "Up to five numbers of hours before the deadline, used if `remind` is `hours`."
PICTURE = "Whether emails include a picture of the position. Otherwise they show the board as text."
TALK = "Whether emails include what others have written at the table."
ON_SITE = (
    "Whether to send emails while you are on the site. Otherwise they wait until ten minutes after you have left, "
    "or for an hour."
)
WITH_PUSH = (
    "Whether to send emails also about what a device of yours has shown as a notification. If not, reminders are still "
    "emailed, and so is all until you have opened a notification on a device."
)
DIGEST_HOUR = "The time of day of the daily digest."
QUIET = "Quiet hours: emails wait until they end, unless your deadline is within them. Null: none."
MUTED = "No emails about this table, except a notice that your seat was offered or taken."
OF_STATE = (
    "`sent`: a mail server accepted it; `waits`: it waits to be sent; `tried`: it failed and will be tried "
    "again; `not-sent`: see `reason`; `refused`: it failed for good."
)
OF_REASON = "Why it was not sent or what it waited for; null otherwise."
WHY = "About your current turn: why you got an email, did not, or will get it later."
NULL = "Null: your general setting. "


def _mode(text: str, **more: Any) -> fields.String:
    return fields.String(validate=validate.OneOf(MODES), metadata=doc(text), **more)


def _hour(text: str, **more: Any) -> fields.String:
    return fields.String(validate=validate.Regexp(HOUR), metadata=doc(text, example="07:00"), **more)


def _hours(**more: Any) -> fields.List[int]:
    one = StrictInteger(validate=validate.Range(1, EARLIEST_HOUR))
    return fields.List(one, validate=validate.Length(1, MOST_HOURS), **more)


def _delay(text: str, **more: Any) -> StrictInteger:
    return StrictInteger(validate=validate.Range(0, LONGEST_DELAY), metadata=doc(text, example=15), **more)


def _remind(text: str, **more: Any) -> fields.String:
    return fields.String(validate=validate.OneOf(REMINDS), metadata=doc(text), **more)


class ChangeChoicesSchema(Schema):
    """The settings to change. Settings that you leave out do not change."""

    turn = _mode(OF_TURN)
    reminder = _mode(OF_REMINDER)
    started = _mode(OF_STARTED)
    over = _mode(OF_OVER)
    absent = _mode(OF_ABSENT)
    delay = _delay(DELAY)
    remind = _remind(REMIND)
    hours = _hours(metadata=doc(HOURS, example=[24, 3]))
    picture = fields.Boolean(truthy={True}, falsy={False}, metadata=doc(PICTURE))
    talk = fields.Boolean(truthy={True}, falsy={False}, metadata=doc(TALK))
    on_site = fields.Boolean(truthy={True}, falsy={False}, metadata=doc(ON_SITE))
    with_push = fields.Boolean(truthy={True}, falsy={False}, metadata=doc(WITH_PUSH))
    digest_hour = _hour(DIGEST_HOUR)
    quiet_from = _hour(QUIET, allow_none=True)
    quiet_until = _hour(QUIET, allow_none=True)


class ChoicesSchema(Schema):
    """Your email settings."""

    turn = _mode(OF_TURN, required=True)
    reminder = _mode(OF_REMINDER, required=True)
    started = _mode(OF_STARTED, required=True)
    over = _mode(OF_OVER, required=True)
    absent = _mode(OF_ABSENT, required=True)
    delay = _delay(DELAY, required=True)
    remind = _remind(REMIND, required=True)
    hours = _hours(required=True, metadata=doc(HOURS, example=[24, 3]))
    picture = fields.Boolean(required=True, metadata=doc(PICTURE))
    talk = fields.Boolean(required=True, metadata=doc(TALK))
    on_site = fields.Boolean(required=True, metadata=doc(ON_SITE))
    with_push = fields.Boolean(required=True, metadata=doc(WITH_PUSH))
    digest_hour = _hour(DIGEST_HOUR, required=True)
    quiet_from = _hour(QUIET, required=True, allow_none=True)
    quiet_until = _hour(QUIET, required=True, allow_none=True)
    zone = fields.String(
        required=True, metadata=doc(f"{ZONE} Times of day refer to it; change it with `PATCH /v1/me`.")
    )
    always = fields.List(
        fields.String(validate=validate.OneOf(NAMED_ALWAYS)),
        required=True,
        metadata=doc(
            "Emails that cannot be switched off: answers to you, and notices that protect your account and your seats."
        ),
    )


class ChangeExceptionsSchema(Schema):
    """The settings to change for this table. Others do not change; null is your general setting."""

    turn = _mode(NULL + OF_TURN, allow_none=True)
    reminder = _mode(NULL + OF_REMINDER, allow_none=True)
    started = _mode(NULL + OF_STARTED, allow_none=True)
    over = _mode(NULL + OF_OVER, allow_none=True)
    absent = _mode(NULL + OF_ABSENT, allow_none=True)
    delay = _delay(NULL + DELAY, allow_none=True)
    remind = _remind(NULL + REMIND, allow_none=True)
    hours = _hours(allow_none=True, metadata=doc(NULL + HOURS, example=[24, 3]))
    picture = fields.Boolean(truthy={True}, falsy={False}, allow_none=True, metadata=doc(NULL + PICTURE))
    talk = fields.Boolean(truthy={True}, falsy={False}, allow_none=True, metadata=doc(NULL + TALK))
    on_site = fields.Boolean(truthy={True}, falsy={False}, allow_none=True, metadata=doc(NULL + ON_SITE))
    muted = fields.Boolean(truthy={True}, falsy={False}, metadata=doc(MUTED))


class ExceptionsSchema(Schema):
    """Your settings for one table; `in_force` is the result together with your general settings."""

    game = game_id()
    turn = _mode(NULL + OF_TURN, required=True, allow_none=True)
    reminder = _mode(NULL + OF_REMINDER, required=True, allow_none=True)
    started = _mode(NULL + OF_STARTED, required=True, allow_none=True)
    over = _mode(NULL + OF_OVER, required=True, allow_none=True)
    absent = _mode(NULL + OF_ABSENT, required=True, allow_none=True)
    delay = _delay(NULL + DELAY, required=True, allow_none=True)
    remind = _remind(NULL + REMIND, required=True, allow_none=True)
    hours = _hours(required=True, allow_none=True, metadata=doc(NULL + HOURS, example=[24, 3]))
    picture = fields.Boolean(required=True, allow_none=True, metadata=doc(NULL + PICTURE))
    talk = fields.Boolean(required=True, allow_none=True, metadata=doc(NULL + TALK))
    on_site = fields.Boolean(required=True, allow_none=True, metadata=doc(NULL + ON_SITE))
    muted = fields.Boolean(required=True, metadata=doc(MUTED))
    in_force = fields.Nested(ChoicesSchema, required=True)


class MailedSchema(Schema):
    """An email to you and its delivery."""

    id = fields.Integer(required=True)
    kind = fields.String(required=True, metadata=doc("The kind of notice, as in your settings.", example="turn"))
    game = game_id(allow_none=True)
    seat = fields.Integer(required=True, allow_none=True, metadata=doc(SEAT))
    state = fields.String(required=True, validate=validate.OneOf(STATES), metadata=doc(OF_STATE))
    reason = fields.String(required=True, allow_none=True, metadata=doc(OF_REASON, **{"x-open": True}))
    made_at = moment()
    sent_at = moment(allow_none=True)
    next_at = moment("When it is sent, or tried again. ", allow_none=True)
    server = fields.String(required=True, allow_none=True, metadata=doc("The mail server's answer."))
    says = fields.String(
        required=True,
        metadata=doc("Everything in one sentence.", example="Not sent: you have muted this table."),
    )


class MailedPageSchema(Schema):
    """The emails sent to you, newest first."""

    mails = fields.List(fields.Nested(MailedSchema), required=True)
    next = fields.Integer(
        required=True, allow_none=True, metadata=doc("The `after` of the next page; null on the last one.")
    )


class MailedQuerySchema(Schema):
    """The emails to list."""

    game = fields.UUID(metadata=doc("Only emails about this table."))
    after = fields.Integer(
        validate=validate.Range(1, MOST), metadata=doc("`next` of the previous page: returns older emails.")
    )
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 100), metadata=doc("Maximum number of emails."))


class WhySchema(Schema):
    """Why you got an email about a table, or did not."""

    game = game_id()
    says = fields.String(required=True, metadata=doc(WHY, example="Not sent: you have muted this table."))


# --- The calendar of your deadlines -----------------------------------------------------------------------------------


URL = (
    "The link for a calendar program, shown once. Anyone who has it can see when your moves are due, and nothing else."
)


class CalendarSchema(Schema):
    """Your calendar link. Its secret is shown only when it is made."""

    created_at = moment()
    last_used_at = moment("Recorded at most once an hour; null: never used. ", allow_none=True)


class MadeCalendarSchema(Schema):
    """A new link."""

    url = fields.URL(required=True, metadata=doc(URL))
