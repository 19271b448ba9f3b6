"""The analysis of a finished game."""

from __future__ import annotations

from typing import get_args

from marshmallow import Schema, fields, validate

from server.http.schemas import doc
from server.play.analysis.rows import State

STATE = (
    "`none`: nobody has requested it. `waiting`: a worker will make it, usually within minutes. `failed`: the last "
    "attempt failed, and a worker will try again after a growing wait. `made`: it is in `found`. `impossible`: this "
    "game has no house player that could judge it, or only one player, or the operator has given up after it failed."
)
COMMANDS = "Commands as they are typed."


class ShareSchema(Schema):
    """The chances after an entry."""

    seq = fields.Integer(required=True, metadata=doc("The number of the entry."))
    turn = fields.Integer(required=True, metadata=doc("How many turns had ended."))
    seat = fields.Integer(
        required=True,
        allow_none=True,
        metadata=doc("The seat that made the entry; null at the start of the game and for its result."),
    )
    chances = fields.List(fields.Float(), required=True, metadata=doc("By seat, from 0 to 1; they add up to 1."))


class BetterSchema(Schema):
    """A line that would have been better than the one that was played."""

    commands = fields.List(fields.String(), required=True, metadata=doc(COMMANDS))
    brings = fields.List(
        fields.String(),
        required=True,
        metadata=doc("Its effect, up to a draw. Players are named by their seats, from `Seat 1`."),
    )
    chance = fields.Float(required=True, metadata=doc("The chance that it would have given the seat."))
    reason = fields.String(
        required=True,
        metadata=doc(
            "Its largest advantage over the played line, in a sentence. Empty if the house player cannot tell.",
            example="It scores 6 points more now.",
        ),
    )


class PointSchema(Schema):
    """A turning point: a line that was played, and better ones."""

    seq = fields.Integer(required=True, metadata=doc("The entry in which the line begins."))
    turn = fields.Integer(required=True, metadata=doc("The number of the turn, counted from 1."))
    seat = fields.Integer(required=True, metadata=doc("The seat that decided."))
    played = fields.List(fields.String(), required=True, metadata=doc(COMMANDS))
    chance = fields.Float(required=True, metadata=doc("The chance of the seat after the line that was played."))
    better = fields.List(
        fields.Nested(BetterSchema), required=True, metadata=doc("One to three better lines, the best first.")
    )


class FoundSchema(Schema):
    """The opinion of the game's strongest house player."""

    game = fields.String(required=True, metadata=doc("The type of the game.", example="tikal"))
    level = fields.String(required=True, metadata=doc("The level that judged.", example="strong"))
    seats = fields.Integer(required=True)
    decisions = fields.Integer(required=True, metadata=doc("How many decisions were judged."))
    curve = fields.List(fields.Nested(ShareSchema), required=True)
    points = fields.List(
        fields.Nested(PointSchema),
        required=True,
        metadata=doc("At most three of each player, in the order of the game."),
    )


class AnalysisSchema(Schema):
    """An analysis, or how far it is."""

    state = fields.String(
        required=True, validate=validate.OneOf(get_args(State)), metadata=doc(STATE, **{"x-open": True})
    )
    found = fields.Nested(FoundSchema, required=True, allow_none=True)
