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


def doc(text: str, **more: Any) -> dict[str, Any]:
    """The members of a field in the API's document."""
    return {"description": text, **more}


def per_game(kind: str, text: str) -> dict[str, Any]:
    """The same for a field with a game's own `View`, `Command` or `Event[]`; see `http/document/game_schemas.py`."""
    return doc(text, **{"x-of-game": kind})


def kind() -> fields.String:
    """Which game's words stand beside it."""
    return fields.String(required=True, metadata=doc("The game's key."))


class StrictInteger(fields.Integer):
    """A whole number, also if it is spelled 8.0, which JSON Schema does not tell from 8; never 8.5, nor "8" in JSON."""

    def _validated(self, value: Any) -> Any:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, (bool, float)):
            raise self.make_error("invalid", input=value)
        return super()._validated(value)


class HeadSchema(Schema):
    """The last entry of a log. The next signed act names both: `seq` + 1 as its `seq`, and `hash` as its `prev`."""

    seq = fields.Integer(required=True, metadata=doc("Its number; the first entry is 0.", example=3))
    hash = fields.String(
        required=True,
        metadata=doc("SHA-256 of one zero byte and the line, in base64url.", example=SOME_HASH),
    )


class PageSchema(Schema):
    """A part of a list that only grows."""

    after = fields.Integer(load_default=-1, validate=validate.Range(-1, MOST), metadata=doc(AFTER))


def game_id(*, allow_none: bool = False) -> fields.String:
    """A game's number, as it is answered."""
    said = doc("A UUID; signed acts name it as `game`.", format="uuid")
    return fields.String(required=True, allow_none=allow_none, metadata=said)


def yes_or_no(text: str) -> fields.Boolean:
    """A filter that is `true` or `false`, as JSON spells them, or left out."""
    return fields.Boolean(truthy={"true"}, falsy={"false"}, metadata=doc(text))


def line() -> fields.String:
    """An entry, byte for byte."""
    return fields.String(required=True, metadata=doc(ENTRY))


def note() -> fields.String:
    """The server's signed word."""
    return fields.String(required=True, metadata=doc(NOTE))


def days() -> StrictInteger:
    """After how many days a token ends."""
    text = "After so many days it ends; without it, or null, when it is revoked."
    return StrictInteger(
        load_default=None, allow_none=True, validate=validate.Range(1, 3650), metadata=doc(text, example=90)
    )


def moment(text: str = "", *, allow_none: bool = False) -> fields.String:
    """A time of the record."""
    return fields.String(
        required=True,
        allow_none=allow_none,
        metadata=doc(f"{text}UTC, in whole seconds.", format="date-time", example="2026-11-21T10:00:00Z"),
    )


class AnswerSchema(Schema):
    """What the act became: public bytes only, since anybody can post the same JWS again."""

    entry = line()
    note = note()


# --- The body of every error (RFC 9457) -------------------------------------------------------------------------------


# What the readers of signed bytes find wrong; `detail` says it in a sentence.
UNREADABLE = (
    *(
        "bad-alg",
        "bad-base64url",
        "bad-clock",
        "bad-edition",
        "bad-form",
        "bad-handover",
        "bad-header",
        "bad-jwk",
        "bad-jws",
        "bad-key",
    ),
    *("bad-length", "bad-member", "bad-move-text", "bad-number", "bad-options", "bad-typ", "bad-value", "bad-version"),
    *("bad-commands", "duplicate-key", "missing-member", "not-an-object", "not-ascii", "not-canonical", "not-json"),
    *("too-deep", "too-long", "unknown-act", "unknown-member", "wrong-seal"),
)

CODE = (
    "Stable and for machines; more may come. The answers of each operation show an example of every one. A rule of "
    "a game refuses with 422 and a code of that game, see `refusals` of `GET /v1/types/{key}`."
)


class ProblemSchema(Schema):
    """An error. `code` is for machines, `title` for people; `facts` say what was expected and what was found."""

    type = fields.String(required=True, metadata=doc("`/problems/` and the code.", example="/problems/not-active"))
    title = fields.String(required=True, metadata=doc("A sentence.", example="It is not this seat's turn."))
    status = fields.Integer(required=True, metadata=doc("As in the status line.", example=403))
    code = fields.String(required=True, metadata=doc(CODE, example="not-active"))
    detail = fields.String(metadata=doc("What in the signed bytes cannot be read."))
    facts = fields.Dict(keys=fields.String(), metadata=doc("By name, as the title's sentence needs them."))
    errors = fields.Dict(keys=fields.String(), metadata=doc("With `bad-fields`: what is wrong, by place and field."))
    entries = fields.List(fields.String(), metadata=doc("With `stale-head`: the lines that were missed."))
    unchanged = fields.Boolean(
        metadata=doc("With `stale-head`: nothing changed for you; sign the same again upon the new head.")
    )
