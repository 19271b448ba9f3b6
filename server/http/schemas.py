"""Fields that several resources share."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

# `$` alone would also match before a line feed at the end, in Python unlike in other languages.
NAME = [validate.Length(1, 40), validate.Regexp(r"^[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$(?!\n)")]
MOST = 2**31 - 1
SOME_HASH = "xxiGVPL12NBtpkM-mCpMvGPRs1ZFnFmWd5nUZ3jyzeA"
SEAT = "The first seat is 0. Boards and emails, made for people, call it seat 1."
ENTRY = (
    "One line of the log: JSON with `seq`, `prev`, `at`, `kind` and the members of its kind. Its hash is "
    "SHA-256 of one zero byte and exactly these bytes."
)
NOTE = (
    "The server's signed checkpoint of the log (a C2SP signed note): game, number of entries, hash of the last "
    "one in standard base64, signature. Keep it: two checkpoints for the same number of entries with different "
    "hashes prove a forged log."
)
AFTER = "Only entries after this number; -1: from the beginning."


NEXT = "The `after` of the next page, which `Link` with `rel=next` gives in full. Null on the last one."

ZONE = "A time zone by its IANA name; `UTC` until you choose one."


def doc(text: str, **more: Any) -> dict[str, Any]:
    """The metadata of a field in the API document."""
    return {"description": text, **more}


def per_game(kind: str, text: str = "") -> dict[str, Any]:
    """The same for a field with a game's own `View`, `Command` or `Event[]`; see `http/document/game_schemas.py`."""
    return doc(text, **{"x-of-game": kind})


def kind() -> fields.String:
    """The game whose terms are used beside it."""
    return fields.String(required=True, metadata=doc("The game's type."))


class StrictInteger(fields.Integer):
    """A whole number; 8.0 is accepted, because JSON Schema treats it as 8. 8.5 and "8" are not."""

    def _validated(self, value: Any) -> Any:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, (bool, float)):
            raise self.make_error("invalid", input=value)
        return super()._validated(value)


class HeadSchema(Schema):
    """The last entry of a log. The next signed act contains both: `seq` + 1 as its `seq`, and `hash` as its `prev`."""

    seq = fields.Integer(required=True, metadata=doc("Its number; the first entry is 0.", example=3))
    hash = fields.String(
        required=True,
        metadata=doc("SHA-256 of one zero byte and the line, in base64url.", example=SOME_HASH),
    )


class PageSchema(Schema):
    """A page of a list that only grows."""

    after = fields.Integer(load_default=-1, validate=validate.Range(-1, MOST), metadata=doc(AFTER))


def game_id(*, allow_none: bool = False) -> fields.String:
    """The id of a game in an answer."""
    said = doc("A UUID. Signed acts contain it as `game`.", format="uuid")
    return fields.String(required=True, allow_none=allow_none, metadata=said)


def yes_or_no(text: str) -> fields.Boolean:
    """A filter that is `true` or `false`, spelled as in JSON, or left out."""
    return fields.Boolean(truthy={"true"}, falsy={"false"}, metadata=doc(text))


def line() -> fields.String:
    """An entry, byte for byte."""
    return fields.String(required=True, metadata=doc(ENTRY))


def note() -> fields.String:
    """The server's signed checkpoint."""
    return fields.String(required=True, metadata=doc(NOTE))


def days() -> StrictInteger:
    """The number of days after which a token expires."""
    text = "Days until it expires. Without it, or with null, it lasts until it is revoked."
    return StrictInteger(
        load_default=None, allow_none=True, validate=validate.Range(1, 3650), metadata=doc(text, example=90)
    )


def moment(text: str = "", *, allow_none: bool = False) -> fields.String:
    """A time in the form of the record."""
    return fields.String(
        required=True,
        allow_none=allow_none,
        metadata=doc(f"{text}UTC, in whole seconds.", format="date-time", example="2026-11-21T10:00:00Z"),
    )


class AnswerSchema(Schema):
    """The entry of an act: public bytes only, since anyone can post the same JWS again."""

    entry = line()
    note = note()


# --- The body of every error (RFC 9457) -------------------------------------------------------------------------------


# Codes for what is wrong with signed bytes; `detail` is a sentence about it.
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
    "Stable and for programs; new codes may be added. The answers of each operation show an example of every "
    "code. Rules of a game refuse with 422 and a code of that game, see `refusals` of `GET /v1/types/{key}`."
)


class ProblemSchema(Schema):
    """An error. `code` is for programs, `title` for people. `facts` give the values that were expected and found."""

    type = fields.String(required=True, metadata=doc("`/problems/` and the code.", example="/problems/not-active"))
    title = fields.String(required=True, metadata=doc("A sentence.", example="It is not this seat's turn."))
    status = fields.Integer(required=True, metadata=doc("The status of the answer.", example=403))
    code = fields.String(required=True, metadata=doc(CODE, example="not-active"))
    detail = fields.String(metadata=doc("The fault in the signed bytes."))
    facts = fields.Dict(keys=fields.String(), metadata=doc("By name, for the sentence in the title."))
    errors = fields.Dict(keys=fields.String(), metadata=doc("With `bad-fields`: what is invalid, by place and field."))
    entries = fields.List(fields.String(), metadata=doc("With `stale-head`: the lines that you missed."))
    unchanged = fields.Boolean(
        metadata=doc(
            "With `stale-head`: true if your position has not changed, so you can sign the same act on the new head."
        )
    )
