"""What one chose about mails."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from server.http.schemas import MOST, SEAT, ZONE, StrictInteger, doc, game_id, moment
from server.mailbox.choices import ALWAYS, EARLIEST_HOUR, LONGEST_DELAY, MODES, MOST_HOURS, REMINDS
from server.mailbox.explanation import STATES

HOUR = r"^([01][0-9]|2[0-3]):[0-5][0-9]$(?!\n)"
OF_TURN = "A question to you: `on`, off, or in the `digest`."
OF_REMINDER = "That your time runs out."
OF_STARTED = "That a game has begun in which somebody else moves first."
OF_OVER = "That a game is over, or was cancelled."
OF_ABSENT = "That you count as absent."
DELAY = "Minutes until a question is mailed, if it still waits for you then, and its deadline is later."
REMIND = "`usual`: when four fifths of your time are gone; `hours`: so many `hours` before the deadline."
HOURS = "Hours before the deadline, at most five of them; they count where `remind` is `hours`."
PICTURE = "Is the position drawn, too? Else mails are text and words."
ON_SITE = "Does mail come while you are on a page here? Else ten minutes after you have left, or after an hour."
DIGEST_HOUR = "The hour of your day at which what is in the digest comes as one mail."
QUIET = "From here to there nothing comes; a question whose deadline lies between comes at once. Null: none."
KNOWN = "The `ETag` of what you have; 412 if it is not so any more."
MUTED = "No mail of this table but word that the seat was opened or taken: that is no choice."
OF_STATE = (
    "`sent`: a mail server took it; `waits`: on its way, or for its time; `tried`: and is tried again; `not-sent`: see "
    "`reason`; `refused`: it did not arrive, and is not tried any more."
)
OF_REASON = "Why it was not sent, or what it waited for; null: nothing of that."
WHY = "Of the move that you owe here: why you were mailed, or were not, or are not yet."
NULL = "Null: as everywhere else. "


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
    """What is to be so from now on; what is left out stays."""

    turn = _mode(OF_TURN)
    reminder = _mode(OF_REMINDER)
    started = _mode(OF_STARTED)
    over = _mode(OF_OVER)
    absent = _mode(OF_ABSENT)
    delay = _delay(DELAY)
    remind = _remind(REMIND)
    hours = _hours(metadata=doc(HOURS, example=[24, 3]))
    picture = fields.Boolean(truthy={True}, falsy={False}, metadata=doc(PICTURE))
    on_site = fields.Boolean(truthy={True}, falsy={False}, metadata=doc(ON_SITE))
    digest_hour = _hour(DIGEST_HOUR)
    quiet_from = _hour(QUIET, allow_none=True)
    quiet_until = _hour(QUIET, allow_none=True)


class ChoicesSchema(Schema):
    """What you chose about mails."""

    turn = _mode(OF_TURN, required=True)
    reminder = _mode(OF_REMINDER, required=True)
    started = _mode(OF_STARTED, required=True)
    over = _mode(OF_OVER, required=True)
    absent = _mode(OF_ABSENT, required=True)
    delay = _delay(DELAY, required=True)
    remind = _remind(REMIND, required=True)
    hours = _hours(required=True, metadata=doc(HOURS, example=[24, 3]))
    picture = fields.Boolean(required=True, metadata=doc(PICTURE))
    on_site = fields.Boolean(required=True, metadata=doc(ON_SITE))
    digest_hour = _hour(DIGEST_HOUR, required=True)
    quiet_from = _hour(QUIET, required=True, allow_none=True)
    quiet_until = _hour(QUIET, required=True, allow_none=True)
    zone = fields.String(required=True, metadata=doc(f"{ZONE} Your hours are its hours; `PATCH /v1/me` changes it."))
    always = fields.List(
        fields.String(validate=validate.OneOf(ALWAYS)),
        required=True,
        metadata=doc("Mails that are no choice: they answer you, or tell what only a thief would keep from you."),
    )


class ChangeExceptionsSchema(Schema):
    """What is to be otherwise at this table; what is left out stays, and null is as everywhere else."""

    turn = _mode(NULL + OF_TURN, allow_none=True)
    reminder = _mode(NULL + OF_REMINDER, allow_none=True)
    started = _mode(NULL + OF_STARTED, allow_none=True)
    over = _mode(NULL + OF_OVER, allow_none=True)
    absent = _mode(NULL + OF_ABSENT, allow_none=True)
    delay = _delay(NULL + DELAY, allow_none=True)
    remind = _remind(NULL + REMIND, allow_none=True)
    hours = _hours(allow_none=True, metadata=doc(NULL + HOURS, example=[24, 3]))
    picture = fields.Boolean(truthy={True}, falsy={False}, allow_none=True, metadata=doc(NULL + PICTURE))
    on_site = fields.Boolean(truthy={True}, falsy={False}, allow_none=True, metadata=doc(NULL + ON_SITE))
    muted = fields.Boolean(truthy={True}, falsy={False}, metadata=doc(MUTED))


class ExceptionsSchema(Schema):
    """What is otherwise at one table, and what that makes of all that you chose."""

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
    on_site = fields.Boolean(required=True, allow_none=True, metadata=doc(NULL + ON_SITE))
    muted = fields.Boolean(required=True, metadata=doc(MUTED))
    in_force = fields.Nested(ChoicesSchema, required=True, metadata=doc("What counts at this table."))


class MailedSchema(Schema):
    """One mail to you, and its way so far."""

    id = fields.Integer(required=True)
    kind = fields.String(required=True, metadata=doc("What it tells, as in your choices.", example="turn"))
    game = game_id(allow_none=True)
    seat = fields.Integer(required=True, allow_none=True, metadata=doc(SEAT))
    state = fields.String(required=True, validate=validate.OneOf(STATES), metadata=doc(OF_STATE))
    reason = fields.String(required=True, allow_none=True, metadata=doc(OF_REASON, **{"x-open": True}))
    made_at = moment()
    sent_at = moment(allow_none=True)
    next_at = moment("When it goes, or is tried again. ", allow_none=True)
    server = fields.String(required=True, allow_none=True, metadata=doc("What the mail server answered, in its words."))
    says = fields.String(
        required=True,
        metadata=doc("All of it in a sentence.", example="Not sent: you want no mail of this table."),
    )


class MailedPageSchema(Schema):
    """What was mailed to you, the newest first."""

    mails = fields.List(fields.Nested(MailedSchema), required=True)
    next = fields.Integer(
        required=True, allow_none=True, metadata=doc("The `after` of the next page; null: this is the last.")
    )


class MailedQuerySchema(Schema):
    """Which of them."""

    game = fields.UUID(metadata=doc("Only mails of this table."))
    after = fields.Integer(
        validate=validate.Range(1, MOST), metadata=doc("`next` of the page before: what is older than this mail.")
    )
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 100), metadata=doc("How many at most."))


class WhySchema(Schema):
    """Why you were mailed about a table, or were not."""

    game = game_id()
    says = fields.String(required=True, metadata=doc(WHY, example="Not sent: you want no mail of this table."))


class KnownSchema(Schema):
    """Which choices the caller knows."""

    known = fields.String(data_key="If-Match", metadata=doc(KNOWN, example='"fFEzEIU09w65qyHJ04kl2k"'))


# --- The calendar of one's deadlines ----------------------------------------------------------------------------------


URL = "What a calendar program is given, shown once. Whoever has it reads when your moves are due, and nothing else."


class CalendarSchema(Schema):
    """The link of your calendar; its secret is shown only when it is made."""

    created_at = moment()
    last_used_at = moment("Noted once an hour at most; null: never. ", allow_none=True)


class MadeCalendarSchema(Schema):
    """A new link."""

    url = fields.URL(required=True, metadata=doc(URL))
