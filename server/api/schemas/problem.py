"""The body of every error (RFC 9457)."""

from __future__ import annotations

from marshmallow import Schema, fields

from server.api.schemas.base import says

# What the readers of signed bytes find wrong; `detail` says it in a sentence.
UNREADABLE = (
    *(
        "bad-alg",
        "bad-base64url",
        "bad-clock",
        "bad-edition",
        "bad-form",
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

    type = fields.String(required=True, metadata=says("`/problems/` and the code.", example="/problems/not-active"))
    title = fields.String(required=True, metadata=says("A sentence.", example="It is not this seat's turn."))
    status = fields.Integer(required=True, metadata=says("As in the status line.", example=403))
    code = fields.String(required=True, metadata=says(CODE, example="not-active"))
    detail = fields.String(metadata=says("What in the signed bytes cannot be read."))
    facts = fields.Dict(keys=fields.String(), metadata=says("By name, as the title's sentence needs them."))
    errors = fields.Dict(keys=fields.String(), metadata=says("With `bad-fields`: what is wrong, by place and field."))
    entries = fields.List(fields.String(), metadata=says("With `stale-head`: the lines that were missed."))
    unchanged = fields.Boolean(
        metadata=says("With `stale-head`: nothing changed for you; sign the same again upon the new head.")
    )
