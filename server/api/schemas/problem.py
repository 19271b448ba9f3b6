"""The body of every error (RFC 9457)."""

from __future__ import annotations

from marshmallow import Schema, fields


class ProblemSchema(Schema):
    """`code` is stable and for machines. `facts` say what was expected and what was found."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    code = fields.String(required=True)
    detail = fields.String()
    facts = fields.Dict(keys=fields.String())
    errors = fields.Dict(keys=fields.String())
    entries = fields.List(fields.String(), metadata={"description": "With stale-head: the lines that were missed."})
    unchanged = fields.Boolean(metadata={"description": "With stale-head: the same answer can be signed again."})
