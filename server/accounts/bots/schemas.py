"""Schemas of bots, house players and invitations."""

from __future__ import annotations

from marshmallow import Schema, fields

from server.http.schemas import NAME, doc, moment
from server.tables.choice_schemas import LEVEL, level


class BotNameSchema(Schema):
    """The name that other players see, with a badge for a bot."""

    name = fields.String(required=True, validate=NAME, metadata=doc("Its name.", example="Sacagawea"))


class BotSchema(Schema):
    """The account of a bot, for which you are responsible."""

    id = fields.Integer(required=True)
    name = fields.String(required=True)
    created_at = moment()
    last_used_at = moment("Last use of its token, recorded at most once an hour. ", allow_none=True)


class MadeBotSchema(BotSchema):
    """A bot with its token, which is shown once. The bot may use it for everything that your token allows, except
    signing in by email and having bots.


    """

    token = fields.String(required=True)


class BotTokenSchema(Schema):
    """A bot's new token, shown once."""

    token = fields.String(required=True)


class HouseLevelSchema(Schema):
    """A level of house players."""

    level = level(required=True, metadata=doc(LEVEL, example="fair"))
    players = fields.Integer(required=True, metadata=doc("Number of house players. Each takes one seat at a table."))


class HouseSchema(Schema):
    """The house players of this server."""

    levels = fields.List(fields.Nested(HouseLevelSchema), required=True)
    tables = fields.Integer(
        required=True, metadata=doc("Maximum number of running tables with house players for one account.")
    )
