"""Fields that several resources share."""

from __future__ import annotations

import re
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

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
KNOWN = "The `ETag` of the version that you have; 412 if it has changed."
AFTER = "Only entries after this number; -1: from the beginning."


NEXT = "The `after` of the next page, which `Link` with `rel=next` gives in full. Null on the last one."

ZONE = "A time zone by its IANA name; `UTC` until you choose one."


def doc(text: str, **more: Any) -> dict[str, Any]:
    """The metadata of a field in the API document."""
    return {"description": text, **more}


def per_game(kind: str, text: str = "") -> dict[str, Any]:
    """The same for a field with a game's own `View`, `Command` or `Event[]`; see `http/document/game_schemas.py`."""
    return doc(text, **{"x-of-game": kind})


def check_mailed(address: str) -> None:
    """Refuse an address to which the mailer sends nothing (`workers.mail.headers.mailbox`): not ASCII, or quoted.

    The document has the pattern of its first release, which is wider.
    """
    if re.fullmatch(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.@-]+", address) is None:
        raise ValidationError("Not a valid email address.")


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


class KnownSchema(Schema):
    """The version that the caller has."""

    known = fields.String(data_key="If-Match", metadata=doc(KNOWN, example='"fFEzEIU09w65qyHJ04kl2k"'))


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
    ends_holiday = fields.Boolean(required=True, metadata=doc("Whether it ended a holiday of yours."))


# --- The body of every error (RFC 9457) -------------------------------------------------------------------------------


# Codes for what is wrong with signed bytes, each with an example of its `detail`.
UNREADABLE = {
    "bad-alg": "the algorithm of a JWS must be Ed25519, also called EdDSA",
    "bad-base64url": "expected base64url without padding",
    "bad-clock": "a game with one seat cannot have a clock",
    "bad-commands": "a move must be a list of 1 to 64 commands",
    "bad-edition": "this game has no editions",
    "bad-form": "the move payload has one form: commands, or sealed",
    "bad-handover": "seats of this game are not offered, so no offer waits",
    "bad-header": "the header of a JWS must have exactly the members alg, kid and typ",
    "bad-jwk": "a key must be a JWK with exactly the members crv, kty and x",
    "bad-jws": "a compact JWS must have three parts",
    "bad-key": "the key is not a canonical point of the prime-order subgroup",
    "bad-length": "expected 32 bytes, found 31",
    "bad-member": "seat: expected an integer from 0 to 63",
    "bad-move-text": "the text of a move must have exactly the members commands and salt",
    "bad-number": "numbers must be integers, without fractions, exponents, NaN or Infinity",
    "bad-options": "an edition is a separate file, not an option",
    "bad-typ": "expected a JWS of type sealedmove+jws",
    "bad-value": "NaN and Infinity have no canonical form",
    "bad-version": "v: a payload must have version 1, like its game",
    "duplicate-key": "an object must name each member once",
    "missing-member": "the join payload lacks the member nonce",
    "not-an-object": "the text must be one JSON object",
    "not-ascii": "strings must be printable ASCII, also when escaped",
    "not-canonical": "this is JSON, but not in canonical form",
    "not-json": "this is not JSON: Expecting value: line 1 column 1 (char 0)",
    "too-deep": "values are nested at most 32 levels deep",
    "too-long": "a text has at most 16384 bytes; this one has 16385",
    "unknown-act": "the act of a payload must be one of join, take, offer, move, key, leave, resign",
    "unknown-member": "the move payload has no member 'bot'",
    "wrong-seal": "the text of the move is not the one that was signed",
}

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
    detail = fields.String(metadata=doc("The fault in the signed bytes, or the figures of a refusal in a sentence."))
    facts = fields.Dict(keys=fields.String(), metadata=doc("By name, for the sentence in the title."))
    errors = fields.Dict(keys=fields.String(), metadata=doc("With `bad-fields`: what is invalid, by place and field."))
    entries = fields.List(fields.String(), metadata=doc("With `stale-head`: the lines that you missed."))
    unchanged = fields.Boolean(
        metadata=doc(
            "With `stale-head`: true if your position has not changed, so you can sign the same act on the new head."
        )
    )
