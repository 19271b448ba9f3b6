"""The API of players, of blocks and of reports about players."""

from __future__ import annotations

from typing import Any

from flask import Response

from server.accounts.people import read, write
from server.accounts.people.schemas import BlockSchema, PlayerSchema, ReportPlayerSchema
from server.http.resource import UNCHANGED, account_id, may_refuse, requires_scope, resource, services, tagged
from server.tables import players

people_blp = resource(
    "people", "Players, those whom you have blocked, and reports. See docs/people.md and docs/talk.md."
)
BLOCK = "/me/blocks/<handle>"


@people_blp.route("/players/<handle>", methods=["GET"])
@may_refuse(404)
@people_blp.response(200, PlayerSchema)
@people_blp.alt_response(304, description=UNCHANGED, success=True)
def get_player(handle: str) -> Response:
    """Get a player.

    With figures of their games, the same for everyone who asks. Only public tables with another person count. 404
    `no-such-player` alike for unknown handles, guests and deleted accounts.
    """
    return tagged(players.show(services(), handle))


@people_blp.route("/me/blocks", methods=["GET"])
@requires_scope("read")
@people_blp.response(200, BlockSchema(many=True))
@people_blp.alt_response(304, description=UNCHANGED, success=True)
def list_blocks() -> Response:
    """List the players whom you have blocked.

    Newest first. Nobody else sees the list.
    """
    return tagged(read.blocks(services(), account_id()), private=True)


@people_blp.route(BLOCK, methods=["PUT"])
@may_refuse(409)
@requires_scope("account")
@people_blp.response(204)
def block_player(handle: str) -> None:
    """Block a player.

    From then on neither of you can sit down where the other sits or hosts (`not-for-you`), the tables of one are not in
    lists for the other, and you do not read what they write. Games that you both play already go on.
    The player is not notified.
    """
    write.block(services(), account_id(), handle)


@people_blp.route(BLOCK, methods=["DELETE"])
@requires_scope("account")
@people_blp.response(204)
def unblock_player(handle: str) -> None:
    """End the block of a player.

    The answer is the same if there was no block.
    """
    write.unblock(services(), account_id(), handle)


@people_blp.route("/reports", methods=["POST"])
@may_refuse(404, 409)
@requires_scope("play")
@people_blp.arguments(ReportPlayerSchema, example={"handle": "k7f2mq9x", "why": "They never move in time on purpose."})
@people_blp.response(204)
def report_player(given: dict[str, Any]) -> None:
    """Report a player to the operator.

    To report a message, use `POST /v1/games/{game_id}/talk/{n}/report`, which keeps a copy of it. At most 20 reports a
    day.
    """
    write.report(services(), account_id(), given["handle"], given["why"])
