"""The moves that one owes."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.api.schemas.base import SEAT, game_id, moment, says
from server.api.schemas.games import ABSENT, BANK, OPEN

HELD = (
    "Seconds to hold the request while `If-None-Match` names the list as it is; then the answer is 304. More than this "
    "server holds one is 422 `wait-too-long`; if all places are taken, it is 503 `no-place`."
)


class TurnsQuerySchema(Schema):
    """How long to wait."""

    wait = fields.Integer(load_default=0, validate=validate.Range(0), metadata=says(HELD, maximum=25))


class TurnSchema(Schema):
    """A move that one owes."""

    game = game_id()
    type = fields.String(required=True)
    seat = fields.Integer(required=True, metadata=says(SEAT))
    question_seq = fields.Integer(required=True, metadata=says("The entry since which the move is owed."))
    since = moment(allow_none=True)
    deadline = moment(allow_none=True)
    bank = fields.Integer(required=True, allow_none=True, metadata=says(BANK))
    absent = fields.Boolean(required=True, metadata=says(f"{ABSENT} Any act that you sign ends it."))
    open = fields.Boolean(required=True, metadata=says(OPEN))
    stopped = fields.Boolean(required=True)
