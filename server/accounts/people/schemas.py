"""Schemas of players, of blocks and of reports about players."""

from __future__ import annotations

from marshmallow import Schema, fields

from server.http.schemas import doc, moment
from server.tables.players import FEWEST, LAST, OTHERS
from server.tables.talk.schemas import ReportSchema

FINISHED = "Games that they played to the end, by type, the most frequent first."
NEW_HERE = f"Whether they have ended fewer than {FEWEST} turns with a clock, or with fewer than {OTHERS} other people."
TURNS = (
    f"The number of their last turns with a clock, at most {LAST}; `in_time` and `pace` are about these. "
    "Null: they are `new`."
)
IN_TIME = "The share of these turns that they ended before the clock did, in per cent, rounded down; null if `new`."
PACE = (
    "How long a turn takes them, in seconds: half of their turns took longer. Null: they are `new`, too few turns were "
    "timed, or they hide it (`hides_pace` of `PATCH /v1/me`)."
)


class BlockSchema(Schema):
    """A player whom you have blocked."""

    handle = fields.String(required=True, metadata=doc("The unique short name of their account.", example="k7f2mq9x"))
    name = fields.String(required=True, metadata=doc("Their public name.", example="Ben"))
    at = moment("When you blocked them. ")


class FinishedSchema(Schema):
    """How many games of a type."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    games = fields.Integer(required=True)


class PlayerSchema(Schema):
    """A player, as everyone sees them. All figures are of public tables with at least one other person."""

    handle = fields.String(required=True, metadata=doc("The unique short name of their account.", example="k7f2mq9x"))
    name = fields.String(required=True, metadata=doc("Their public name.", example="Ben"))
    bot = fields.Boolean(required=True, metadata=doc("Whether the account is a bot's."))
    running = fields.Integer(required=True, metadata=doc("Games that they play now."))
    finished = fields.List(fields.Nested(FinishedSchema), required=True, metadata=doc(FINISHED))
    resigned = fields.Integer(required=True, metadata=doc("Games that they resigned."))
    new = fields.Boolean(required=True, metadata=doc(NEW_HERE))
    turns = fields.Integer(required=True, allow_none=True, metadata=doc(TURNS))
    in_time = fields.Integer(required=True, allow_none=True, metadata=doc(IN_TIME, example=98))
    pace = fields.Integer(required=True, allow_none=True, metadata=doc(PACE, example=18000))


class ReportPlayerSchema(ReportSchema):
    """A report about a player to the operator."""

    handle = fields.String(required=True, metadata=doc("The unique short name of their account.", example="k7f2mq9x"))
