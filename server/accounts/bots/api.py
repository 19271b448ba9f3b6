"""The API of bots, house players and invitations."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from server.accounts.bots import write
from server.accounts.bots.schemas import (
    BotNameSchema,
    BotSchema,
    BotTokenSchema,
    HouseSchema,
    MadeBotSchema,
)
from server.http.resource import account_id, holder, may_refuse, requires_scope, resource, services
from server.http.schemas import MOST
from server.tables import house_players
from server.tables import read as tables
from server.tables.choice_schemas import HouseSeatSchema
from server.tables.schemas import GameSchema

blp = resource(
    "bots", "Bots are accounts for programs. House players are bots of the server's operator. See docs/write-a-bot.md."
)
BOT = f"/me/bots/<int(max={MOST}):bot_id>"
UNSTORED = {"Cache-Control": "no-store"}


@blp.route("/me/bots", methods=["GET"])
@requires_scope("account")
@blp.response(200, BotSchema(many=True))
def list_bots() -> list[dict[str, Any]]:
    """List your bots.

    Oldest first. Their tokens are not shown again.
    """
    return write.bots_of(services(), account_id())


@blp.route("/me/bots", methods=["POST"])
@may_refuse(409)
@requires_scope("account")
@blp.arguments(BotNameSchema, example={"name": "Sacagawea"})
@blp.response(201, MadeBotSchema, headers={"Location": {"$ref": "#/components/headers/Location"}})
def create_bot(given: dict[str, Any]) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Make a bot.

    You are responsible for it. It signs `bot: true` when it joins a game, and everyone can see that it is a bot. You
    can have up to eight bots.
    """
    number, token = write.create(services(), holder(), given["name"])
    made = write.bot_of(services(), account_id(), number) | {"token": token}
    return made, 201, {"Location": f"/v1/me/bots/{number}", **UNSTORED}


@blp.route(BOT, methods=["GET"])
@requires_scope("account")
@blp.response(200, BotSchema)
def show_bot(bot_id: int) -> dict[str, Any]:
    """Get one of your bots.

    By its number.
    """
    return write.bot_of(services(), account_id(), bot_id)


@blp.route(BOT, methods=["PATCH"])
@requires_scope("account")
@blp.arguments(BotNameSchema, example={"name": "Sacagawea"})
@blp.response(200, BotSchema)
def rename_bot(given: dict[str, Any], bot_id: int) -> dict[str, Any]:
    """Rename a bot.

    The new name is shown everywhere.
    """
    write.rename(services(), account_id(), bot_id, given["name"])
    return write.bot_of(services(), account_id(), bot_id)


@blp.route(BOT, methods=["DELETE"])
@requires_scope("account")
@blp.response(204)
def erase_bot(bot_id: int) -> None:
    """Delete a bot.

    Deletes its name, keys and tokens. Its games remain, and the server plays default moves for its seats.
    """
    write.erase(services(), account_id(), bot_id)


@blp.route(f"{BOT}/token", methods=["POST"])
@requires_scope("account")
@blp.response(201, BotTokenSchema)
def rotate_bot_token(bot_id: int) -> tuple[dict[str, str], int, dict[str, str]]:
    """Give a bot a new token.

    Revokes all its earlier tokens.
    """
    return {"token": write.rotate(services(), holder(), bot_id)}, 201, UNSTORED


@blp.route("/games/<uuid:game_id>/house", methods=["POST"])
@may_refuse(403, 409, 410)
@requires_scope("play")
@blp.arguments(HouseSeatSchema, example={"seat": 1, "level": "fair"})
@blp.response(201, GameSchema)
def ask_house_player(given: dict[str, Any], game_id: UUID) -> dict[str, Any]:
    """Invite a house player.

    For the game's host, before the start. The seat is reserved, and the house player joins within moments. An
    earlier invitation of another level to the same seat is replaced; a repeated request changes nothing.
    """
    house_players.invite(services(), str(game_id), account_id(), given["seat"], given["level"])
    return tables.detail(services(), str(game_id))


@blp.route(f"/games/<uuid:game_id>/house/<int(max={MOST}):seat>", methods=["DELETE"])
@may_refuse(403)
@requires_scope("play")
@blp.response(204)
def withdraw_house_player(game_id: UUID, seat: int) -> None:
    """Withdraw an invitation.

    For the game's host. Anyone may then take the seat.
    """
    house_players.withdraw(services(), str(game_id), account_id(), seat)


@blp.route("/house", methods=["GET"])
@blp.response(200, HouseSchema)
def show_house() -> dict[str, Any]:
    """List the house players.

    The number of players of each level, weakest first, and how many tables with them one account may have.
    """
    return house_players.overview(services())
