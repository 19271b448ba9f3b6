"""Fields that several resources share."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

# `$` alone would let a line feed through at the end, in Python as in no other language.
NAME = [validate.Length(1, 40), validate.Regexp(r"^[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$(?!\n)")]
MOST = 2**31 - 1
SOME_HASH = "xxiGVPL12NBtpkM-mCpMvGPRs1ZFnFmWd5nUZ3jyzeA"
SEAT = "The first seat is 0; boards and mails, made for people, call it seat 1."
ENTRY = (
    "One line of the log: JSON with `seq`, `prev`, `at`, `kind` and what the kind needs. Hash it as these very bytes: "
    "SHA-256 of one zero byte and the line."
)
NOTE = (
    "The server's signed word (a C2SP note): game, number of entries, hash of the last one in standard base64, a "
    "signature. Keep it: two notes of one number with different hashes prove a forged log."
)
AFTER = "Only what comes after this entry number; -1: from the beginning."


NEXT = "What `after` is on the next page, which `Link` with `rel=next` names in full. Null on the last one."

ZONE = "A time zone by its IANA name; `UTC` as long as none was chosen."


def says(text: str, **more: Any) -> dict[str, Any]:
    """What the API's document says about a field."""
    return {"description": text, **more}


def own(kind: str, text: str) -> dict[str, Any]:
    """What is said about a field that holds a game's own `View`, `Command`, or `Event[]`; see server/api/document."""
    return says(text, **{"x-of-game": kind})


def kind() -> fields.String:
    """Which game's words stand beside it."""
    return fields.String(required=True, metadata=says("The game's key."))


class Whole(fields.Integer):
    """A whole number, also if it is spelled 8.0, which JSON Schema does not tell from 8; never 8.5, nor "8" in JSON."""

    def _validated(self, value: Any) -> Any:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, (bool, float)):
            raise self.make_error("invalid", input=value)
        return super()._validated(value)


class HeadSchema(Schema):
    """The last entry of a log. The next signed act names both: `seq` + 1 as its `seq`, and `hash` as its `prev`."""

    seq = fields.Integer(required=True, metadata=says("Its number; the first entry is 0.", example=3))
    hash = fields.String(
        required=True,
        metadata=says("SHA-256 of one zero byte and the line, in base64url.", example=SOME_HASH),
    )


class PageSchema(Schema):
    """A part of a list that only grows."""

    after = fields.Integer(load_default=-1, validate=validate.Range(-1, MOST), metadata=says(AFTER))


def game_id(*, allow_none: bool = False) -> fields.String:
    """A game's number, as it is answered."""
    said = says("A UUID; signed acts name it as `game`.", format="uuid")
    return fields.String(required=True, allow_none=allow_none, metadata=said)


def yes_or_no(text: str) -> fields.Boolean:
    """A filter that is `true` or `false`, as JSON spells them, or left out."""
    return fields.Boolean(truthy={"true"}, falsy={"false"}, metadata=says(text))


def line() -> fields.String:
    """An entry, byte for byte."""
    return fields.String(required=True, metadata=says(ENTRY))


def note() -> fields.String:
    """The server's signed word."""
    return fields.String(required=True, metadata=says(NOTE))


def days() -> Whole:
    """After how many days a token ends."""
    text = "After so many days it ends; without it, or null, when it is revoked."
    return Whole(load_default=None, allow_none=True, validate=validate.Range(1, 3650), metadata=says(text, example=90))


def moment(text: str = "", *, allow_none: bool = False) -> fields.String:
    """A time of the record."""
    return fields.String(
        required=True,
        allow_none=allow_none,
        metadata=says(f"{text}UTC, in whole seconds.", format="date-time", example="2026-11-21T10:00:00Z"),
    )
