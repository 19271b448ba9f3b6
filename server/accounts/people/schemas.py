"""Schemas of blocks and of reports about players."""

from __future__ import annotations

from marshmallow import Schema, fields

from server.http.schemas import doc, moment
from server.tables.talk.schemas import ReportSchema


class BlockSchema(Schema):
    """A player whom you have blocked."""

    handle = fields.String(required=True, metadata=doc("The unique short name of their account.", example="k7f2mq9x"))
    name = fields.String(required=True, metadata=doc("Their public name.", example="Ben"))
    at = moment("When you blocked them. ")


class ReportPlayerSchema(ReportSchema):
    """A report about a player to the operator."""

    handle = fields.String(required=True, metadata=doc("The unique short name of their account.", example="k7f2mq9x"))
