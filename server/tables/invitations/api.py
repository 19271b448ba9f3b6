"""The API of invitations: by the host of a table, and for the invited person."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from server.http.resource import account_id, may_refuse, requires_scope, resource, services
from server.http.schemas import MOST
from server.kernel.text import iso
from server.tables.invitations import read, write
from server.tables.invitations.schemas import (
    DeclineSchema,
    InvitationSchema,
    InvitedSchema,
    InviteSchema,
    MadeInvitationSchema,
    RefusedInviterSchema,
)

blp = resource("invitations", "Seats kept for people who are invited by handle or email address.")


@blp.route("/games/<uuid:game_id>/invitations", methods=["POST"])
@may_refuse(403, 404, 409, 410)
@requires_scope("play")
@blp.arguments(InviteSchema, example={"to": "ben@players.example"})
@blp.response(202, InvitedSchema)
def invite_player(given: dict[str, Any], game_id: UUID) -> dict[str, Any]:
    """Invite a person by handle or email address.

    For the game's host, before the start. The seat is kept for 14 days and the person gets an email, unless they refuse
    invitations or have got too many. For an address the answer never shows whether it has an account. You may invite
    20 people a day, 5 of them by address.
    """
    place = write.invite(services(), str(game_id), account_id(), given["to"], given["seat"])
    return {"id": place.id, "seat": place.seat, "until": iso(place.until)}


@blp.route("/games/<uuid:game_id>/invitations", methods=["GET"])
@may_refuse(403)
@requires_scope("play")
@blp.response(200, MadeInvitationSchema(many=True))
def list_made_invitations(game_id: UUID) -> list[dict[str, Any]]:
    """List the invitations to a table.

    For the game's host, oldest first.
    """
    return read.made(services(), str(game_id), account_id())


@blp.route(f"/games/<uuid:game_id>/invitations/<int(max={MOST}):number>", methods=["DELETE"])
@may_refuse(403)
@requires_scope("play")
@blp.response(204)
def withdraw_invitation(game_id: UUID, number: int) -> None:
    """Withdraw an invitation.

    For the game's host. Anyone may then take the seat, as far as the table's `door` allows it.
    """
    write.withdraw(services(), str(game_id), account_id(), number)


@blp.route("/me/invitations", methods=["GET"])
@requires_scope("read")
@blp.response(200, InvitationSchema(many=True))
def list_invitations() -> list[dict[str, Any]]:
    """List your invitations.

    Oldest first, those to your email address included. Invited accounts also get an event `invited`. Join with the act
    that is named.
    """
    return read.received(services(), account_id())


@blp.route(f"/me/invitations/<int(max={MOST}):number>/decline", methods=["POST"])
@requires_scope("play")
@blp.arguments(DeclineSchema, example={"never": None})
@blp.response(204)
def decline_invitation(given: dict[str, Any], number: int) -> None:
    """Decline an invitation.

    The seat is free again. With `never` you get no more invitations from this player, or from anybody; they do not
    learn of that.
    """
    write.decline(services(), account_id(), number, given["never"])


@blp.route("/me/refused-inviters", methods=["GET"])
@requires_scope("read")
@blp.response(200, RefusedInviterSchema(many=True))
def list_refused_inviters() -> list[dict[str, Any]]:
    """List the players whose invitations you refuse.

    Newest first, those refused by the link in an email to your address included.
    """
    return read.refused_inviters(services(), account_id())


@blp.route(f"/me/refused-inviters/<int(max={MOST}):number>", methods=["DELETE"])
@requires_scope("play")
@blp.response(204)
def allow_inviter(number: int) -> None:
    """Allow invitations again.

    By this player, or by everybody whom you do not refuse by name. They do not learn of that.
    """
    write.allow(services(), account_id(), number)
