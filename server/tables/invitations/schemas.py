"""Schemas of invitations."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from server.http.schemas import SEAT, StrictInteger, check_mailed, doc, game_id, moment

HANDLE_PATTERN = r"^[a-z2-9]{8}$(?!\n)"
STATES = ("asked", "declined", "sat", "withdrawn", "over")
STATE = (
    "`asked`: the seat is kept; `declined`; `sat`: the player has a seat; `withdrawn` by the host; `over`: it "
    "has expired, or the table has started or ended."
)


def _handle_or_address(to: str) -> None:
    either = "Must be an email address, or a handle: eight letters and digits, as a player's page shows it."
    if "@" in to:
        validate.Email(error=either)(to)
        check_mailed(to)
    else:
        validate.Regexp(HANDLE_PATTERN, error=either)(to)


class InviteSchema(Schema):
    """The person, and the seat to keep."""

    to = fields.String(
        required=True,
        validate=[validate.Length(3, 254), _handle_or_address],
        metadata=doc("A handle or an email address.", example="k7f2mq9x"),
    )
    seat = StrictInteger(
        load_default=None,
        allow_none=True,
        validate=validate.Range(0, 63),
        metadata=doc(f"Default: the last free one. {SEAT}"),
    )


class InvitedSchema(Schema):
    """A seat that is kept now. The answer is the same for every address."""

    id = fields.Integer(required=True)
    seat = fields.Integer(required=True, metadata=doc(SEAT))
    until = moment("Until then nobody else may take the seat. ")


class MadeInvitationSchema(InvitedSchema):
    """An invitation as the host sees it."""

    handle = fields.String(required=True, allow_none=True, metadata=doc("Null if you invited an address."))
    name = fields.String(required=True, allow_none=True)
    email = fields.String(
        required=True, allow_none=True, metadata=doc("The address as you typed it, while the seat is kept.")
    )
    state = fields.String(required=True, validate=validate.OneOf(STATES), metadata=doc(STATE))
    since = moment()


class InviterSchema(Schema):
    """The player who invites you."""

    name = fields.String(required=True)
    handle = fields.String(required=True, allow_none=True)


class InvitationSchema(Schema):
    """A seat that is reserved for you."""

    id = fields.Integer(required=True)
    game = game_id()
    type = fields.String(required=True, metadata=doc("The game's type."))
    title = fields.String(required=True, metadata=doc("The game's title."))
    seat = fields.Integer(required=True, metadata=doc(SEAT))
    kind = fields.String(
        required=True,
        validate=validate.OneOf(("person", "house", "rematch")),
        metadata=doc("`house`: because you are a house player; `rematch`: because you played before."),
    )
    act = fields.String(
        required=True, validate=validate.OneOf(("join", "take")), metadata=doc("How to join: the act to sign.")
    )
    by = fields.Nested(InviterSchema, required=True, allow_none=True, metadata=doc("Null: no player has invited you."))
    since = moment()
    until = moment("Until then nobody else may take the seat. ")


class RefusedInviterSchema(Schema):
    """A player whose invitations you refuse, or everybody."""

    id = fields.Integer(required=True)
    by = fields.Nested(InviterSchema, required=True, allow_none=True, metadata=doc("Null: you refuse all invitations."))
    since = moment()


class DeclineSchema(Schema):
    """Whether you want further invitations."""

    never = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.OneOf(("host", "anybody")),
        metadata=doc("Get no more invitations from this player, or from anybody. Null: you may be invited again."),
    )


def flaw(given: Any) -> str | None:
    """What is wrong with the recipient typed into a form."""
    try:
        InviteSchema().load(given)
    except ValidationError:
        return "Enter a handle of eight letters and digits, or an email address."
    return None
