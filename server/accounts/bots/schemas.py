"""Bots of one's own, and seats that are kept for a bot."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.http.schemas import NAME, SEAT, doc, game_id, moment
from server.tables.schemas import LEVEL, level


class BotNameSchema(Schema):
    """What others read at the table, with a badge that says it is a bot."""

    name = fields.String(required=True, validate=NAME, metadata=doc("Its name.", example="Sacagawea"))


class BotSchema(Schema):
    """An account of a machine, for which you answer."""

    id = fields.Integer(required=True)
    name = fields.String(required=True)
    created_at = moment()
    last_used_at = moment("When it last showed a token, noted once an hour at most. ", allow_none=True)


class MadeBotSchema(BotSchema):
    """With its token, shown once: it may do with it what your token may do for you, but sign in by mail or own bots."""

    token = fields.String(required=True)


class BotTokenSchema(Schema):
    """A bot's new token, shown once."""

    token = fields.String(required=True)


class InvitationSchema(Schema):
    """A seat that is kept for you."""

    game = game_id()
    type = fields.String(required=True, metadata=doc("The game's key."))
    seat = fields.Integer(required=True, metadata=doc(SEAT))
    act = fields.String(
        required=True, validate=validate.OneOf(("join", "take")), metadata=doc("How to sit down: the act to sign.")
    )
    since = moment()


class HouseLevelSchema(Schema):
    """A level of house players."""

    level = level(required=True, metadata=doc(LEVEL, example="fair"))
    players = fields.Integer(required=True, metadata=doc("How many there are, each for one seat of a table."))


class HouseSchema(Schema):
    """The house players of this server."""

    levels = fields.List(fields.Nested(HouseLevelSchema), required=True)
    tables = fields.Integer(required=True, metadata=doc("Live tables of one account at which they sit, at the most."))
